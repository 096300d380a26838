/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "survey.h"

#include <collectors/discover.h>
#include <common/alloc.h>
#include <common/child.h>
#include <common/paths.h>
#include <common/task.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Sets a nice value and reads it back from the kernel. */
static bool try_nice(pid_t pid, int nice)
{
	if (setpriority(PRIO_PROCESS, (id_t)pid, nice))
		return false;
	errno = 0;
	return getpriority(PRIO_PROCESS, (id_t)pid) == nice && errno == 0;
}

static void try_child(pid_t pid, struct xcs_facts *facts)
{
	char text[16];

	for (int nice = -20; nice <= 0; nice++) {
		if (!try_nice(pid, nice) || !try_nice(pid, 0))
			continue;
		snprintf(text, sizeof(text), "%d", nice);
		xcs_facts_set(facts, "rights.lowest_nice", text, "setpriority and getpriority");
		return;
	}
}

/* Without a right: may we touch the server at all? It is given the value that it has. */
static void touch_server(const struct xcs_task_id *id, struct xcs_facts *facts)
{
	bool may = setpriority(PRIO_PROCESS, (id_t)id->tid, id->nice) == 0;

	xcs_facts_set(facts, "rights.server", may ? "yes" : strerror(errno), "setpriority");
}

/* As a trial would: by the guard, every thread, read back. Threads of different values get
 * their own ones back at the end of the run. */
static void move_server(struct guard *guard, const struct xcs_task_id *id, int nice,
                        struct xcs_facts *facts)
{
	static const char source[] = "set, read back and undone by xcs-guard";
	struct xcs_err err = {""};
	char text[16];
	int rc = guard_set_nice(guard, id->tid, id->start_ticks, nice, NULL, &err);

	if (rc == 0)
		rc = guard_set_nice(guard, id->tid, id->start_ticks, id->nice, NULL, &err);
	snprintf(text, sizeof(text), "%d", nice);
	xcs_facts_set(facts, "rights.server_nice", rc ? NULL : text, source);
	xcs_facts_set(facts, "rights.server", rc ? err.text : "yes", source);
}

static void try_server(const struct xcs_env *env, struct guard *guard,
                       const struct guard_right *right, pid_t pid, struct xcs_facts *facts)
{
	struct xcs_task_id id;

	xcs_facts_set(facts, "rights.backend", right->name ? right->name : "none", right->source);
	if (pid <= 0 || xcs_task_id_read(env, pid, pid, &id))
		xcs_facts_set(facts, "rights.server", NULL, "setpriority");
	else if (right->name && guard)
		move_server(guard, &id, right->lowest_nice, facts);
	else
		touch_server(&id, facts);
}

void survey_rights(const struct xcs_env *env, struct guard *guard, const struct guard_right *right,
                   pid_t server_pid, struct xcs_facts *facts)
{
	char *program = xcs_path_program_dup("xcs-spin");
	struct xcs_child child = {0};
	struct xcs_err ignored; /* no child, no answer: the fact stays unknown */
	int hold[2];

	xcs_facts_set(facts, "rights.lowest_nice", NULL, "setpriority and getpriority");
	if (pipe2(hold, O_CLOEXEC) == 0) {
		const struct xcs_spawn spawn = {
		        .argv = (const char *[]){program, NULL},
		        .stdin_fd = hold[0],
		        .new_session = true,
		        .die_with_parent = true
                };
		if (xcs_child_start(&child, &spawn, &ignored) == 0)
			try_child(child.pid, facts);
		close(hold[0]);
		close(hold[1]);
		xcs_child_stop(&child, 0);
	}
	try_server(env, guard, right, server_pid, facts);
	free(program);
}

/* "some avg10=1.25 avg60=..." (kernel/sched/psi.c): the share of the last ten seconds. */
static void read_pressure(const struct xcs_env *env, struct xcs_facts *facts)
{
	struct xcs_buf text = {0};
	struct xcs_str rest, word, found = {"", 0};

	if (xcs_proc_read(env, "pressure/cpu", &text) == 0) {
		rest = xcs_buf_str(&text);
		while (found.n == 0 && xcs_str_next_word(&rest, &word))
			if (xcs_str_starts(word, "avg10="))
				found = (struct xcs_str){word.p + 6, word.n - 6};
	}
	char *value = found.n ? xcs_xasprintf("%.*s", (int)found.n, found.p) : NULL;
	xcs_facts_set(facts, "pressure.cpu_pct", value, "proc:pressure/cpu some avg10");
	free(value);
	xcs_buf_fini(&text);
}

/* Names as the kernel cuts them, at 15 bytes. */
static bool interferes(const char *comm)
{
	static const char *const names[] = {"ananicy",         "ananicy-cpp",  "gamemoded",
	                                    "rtkit-daemon",    "uresourced",   "tuned",
	                                    "power-profiles-", "scx_loader",   "irqbalance",
	                                    "thermald",        "auto-cpufreq", "tlp",
	                                    "cpupower"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(comm, names[i]) == 0)
			return true;
	return strncmp(comm, "scx_", 4) == 0;
}

void survey_daemons(struct xcs_facts *facts)
{
	struct xcs_process_list list = {0};
	struct xcs_buf names = {0};
	struct xcs_err ignored;
	int rc = xcs_discover_processes(&list, &ignored);

	for (size_t i = 0; i < list.n; i++)
		if (interferes(list.v[i].comm))
			xcs_buf_printf(&names, "%s%s", names.n ? ", " : "", list.v[i].comm);
	if (rc == 0 && names.n == 0)
		xcs_buf_puts(&names, "none");
	xcs_facts_set(facts, "daemons.running", rc ? NULL : names.p, "names of all processes");
	xcs_buf_fini(&names);
	xcs_process_list_fini(&list);
}

static void read_disk(const char *dir, struct xcs_facts *facts)
{
	char *path = xcs_xstrdup(dir), *slash, text[32];
	struct statvfs fs;
	int rc;

	while ((rc = statvfs(path, &fs)) && (slash = strrchr(path, '/')) && slash != path)
		*slash = '\0';
	snprintf(text, sizeof(text), "%llu",
	         rc ? 0ULL : (unsigned long long)fs.f_bavail * fs.f_frsize);
	xcs_facts_set(facts, "disk.folder", rc ? NULL : path, "statvfs");
	xcs_facts_set(facts, "disk.free_bytes", rc ? NULL : text, "statvfs");
	free(path);
}

void survey_machine(const struct xcs_env *env, const char *dir, struct xcs_facts *facts)
{
	read_pressure(env, facts);
	read_disk(dir, facts);
}

struct survey_ticks survey_ticks_now(const struct xcs_env *env)
{
	struct survey_ticks t = {0};
	struct xcs_buf text = {0};

	t.known = xcs_proc_read(env, "stat", &text) == 0 &&
	          xcs_stat_parse(xcs_buf_str(&text), &t.stat) == 0;
	xcs_buf_fini(&text);
	return t;
}

void survey_steal(const struct xcs_env *env, const struct survey_ticks *before,
                  struct xcs_facts *facts)
{
	struct survey_ticks after = survey_ticks_now(env);
	int64_t all = 0, stolen = XCS_ABSENT;
	char text[32];

	/* Guest time is inside user and nice. */
	for (int i = 0; before->known && after.known && i <= XCS_STAT_STEAL; i++) {
		int64_t a = before->stat.all.v[i], b = after.stat.all.v[i];
		if (a == XCS_ABSENT || b == XCS_ABSENT)
			continue;
		all += b - a;
		if (i == XCS_STAT_STEAL)
			stolen = b - a;
	}
	bool known = stolen != XCS_ABSENT && stolen >= 0 && all > 0;
	if (known)
		snprintf(text, sizeof(text), "%lld.%lld", (long long)(stolen * 100 / all),
		         (long long)(stolen * 1000 / all % 10));
	xcs_facts_set(facts, "cpu.steal_pct", known ? text : NULL,
	              "proc:stat, while the nice probe ran");
}
