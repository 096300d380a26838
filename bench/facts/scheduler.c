/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which scheduler runs here, and with what preemption and slice. Kernels say it in
 * different places, and each patch set in its own: the first source that answers is named.
 */
#include "read.h"

#include <common/alloc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/stat.h>

enum {
	LOG_ALL = 3,  /* SYSLOG_ACTION_READ_ALL, syslog(2) */
	LOG_SIZE = 10 /* SYSLOG_ACTION_SIZE_BUFFER */
};

static const struct read_row rows[] = {
        {"sched.autogroup",  READ_PROC, "sys/kernel/sched_autogroup_enabled"},
        {"sched.schedstats", READ_PROC, "sys/kernel/sched_schedstats"       },
};

static const struct read_row ext_rows[] = {
        {"sched.ext",            READ_SYS, "kernel/sched_ext/state"     },
        {"sched.ext_enable_seq", READ_SYS, "kernel/sched_ext/enable_seq"},
};

struct xcs_str facts_chosen(struct xcs_str list)
{
	struct xcs_str word;

	while (xcs_str_next_word(&list, &word)) {
		char first = word.p[0], last = word.p[word.n - 1];
		if (word.n > 2 && ((first == '(' && last == ')') || (first == '[' && last == ']')))
			return (struct xcs_str){word.p + 1, word.n - 2};
	}
	return (struct xcs_str){"", 0};
}

/* What stands behind `mark` in the kernel's log, up to the next blank; NULL when the log is
 * closed to us or has turned over since. */
static char *log_word_dup(const struct facts_world *w, const char *mark)
{
	int size = w->is_saved ? -1 : klogctl(LOG_SIZE, NULL, 0);
	char *log = size > 0 ? xcs_xcalloc(1, (size_t)size + 1) : NULL;
	char *word = NULL;

	if (log && klogctl(LOG_ALL, log, size) > 0) {
		const char *at = strstr(log, mark);
		if (at) {
			at += strlen(mark);
			word = xcs_xasprintf("%.*s", (int)strcspn(at, " \n\r"), at);
		}
	}
	free(log);
	return word;
}

/* The last "preempt=WORD" of the command line is the one that the kernel obeyed. */
static char *cmdline_preempt_dup(const struct xcs_facts *host)
{
	struct xcs_str rest = xcs_str(xcs_facts_get(host, "kernel.cmdline")), word;
	struct xcs_str found = {"", 0};

	while (xcs_str_next_word(&rest, &word) && !xcs_str_is(word, "--"))
		if (xcs_str_starts(word, "preempt=") && word.n > 8)
			found = (struct xcs_str){word.p + 8, word.n - 8};
	return found.n ? xcs_xasprintf("%.*s", (int)found.n, found.p) : NULL;
}

/* sched_dynamic_show() marks the mode in use; sched_dynamic_update() logs each change. */
static void find_preempt(const struct facts_world *w, const struct xcs_facts *host,
                         struct xcs_facts *facts)
{
	char *list = read_line_dup(w, READ_SYS, "kernel/debug/sched/preempt");
	struct xcs_str chosen = facts_chosen(xcs_str(list));
	const char *version = xcs_facts_get(host, "kernel.version");
	const char *source = "sys:kernel/debug/sched/preempt";
	char *mode = chosen.n ? xcs_xasprintf("%.*s", (int)chosen.n, chosen.p) : NULL;

	if (!mode && version && strstr(version, "PREEMPT_RT")) {
		mode = xcs_xstrdup("rt");
		source = "proc:sys/kernel/version";
	}
	if (!mode && (mode = log_word_dup(w, "Dynamic Preempt: ")))
		source = "boot log";
	if (!mode && (mode = cmdline_preempt_dup(host)))
		source = "proc:cmdline";
	if (!mode && xcs_facts_get(host, "kernel.preempt_config")) {
		mode = xcs_xstrdup(xcs_facts_get(host, "kernel.preempt_config"));
		source = "kernel configuration";
	}
	xcs_facts_take(facts, "sched.preempt", mode, mode ? source : "no source answered");
	free(list);
}

/* "se.slice : 2800000" of our own task, which asked for no other (kernel/sched/debug.c). */
static char *own_slice_dup(const struct facts_world *w)
{
	struct xcs_buf text = {0};
	char *value = xcs_proc_read(w->env, "self/sched", &text)
	                      ? NULL
	                      : read_value_dup(xcs_buf_str(&text), ':', "se.slice");

	xcs_buf_fini(&text);
	return value;
}

/* EEVDF has a base slice; CFS had a minimal granularity, which plays its part. */
static void find_slice(const struct facts_world *w, struct xcs_facts *facts)
{
	static const struct read_row places[] = {
	        {NULL, READ_SYS,  "kernel/debug/sched/base_slice_ns"     },
	        {NULL, READ_SYS,  "kernel/debug/sched/min_granularity_ns"},
	        {NULL, READ_PROC, "sys/kernel/sched_min_granularity_ns"  },
	};
	char *value = NULL, *source = NULL;

	for (size_t i = 0; i < ARRAY_LEN(places) && !value; i++) {
		free(source);
		value = read_line_dup(w, places[i].root, places[i].rel);
		source = xcs_xasprintf("%s:%s", places[i].root == READ_PROC ? "proc" : "sys",
		                       places[i].rel);
	}
	bool own = !value && (value = own_slice_dup(w));
	xcs_facts_take(facts, "sched.base_slice_ns", value,
	               own     ? "proc:self/sched se.slice"
	               : value ? source
	                       : "no source answered");
	free(source);
}

static bool has(const struct facts_world *w, const char *rel)
{
	struct stat st;

	return fstatat(w->env->proc_fd, rel, &st, 0) == 0;
}

static bool is_set(const struct xcs_facts *host, const char *key)
{
	const char *v = xcs_facts_get(host, key);

	return v && strcmp(v, "y") == 0;
}

/* Does the release come at or after that version? False when it has no such form. */
static bool is_since(const struct xcs_facts *host, int major, int minor)
{
	const char *release = xcs_facts_get(host, "kernel.release");
	int have_major, have_minor;

	return release && sscanf(release, "%d.%d", &have_major, &have_minor) == 2 &&
	       (have_major > major || (have_major == major && have_minor >= minor));
}

/* BORE is a burst score on top of EEVDF; its switch at 0 leaves EEVDF. */
static bool is_bore(const struct facts_world *w, const struct xcs_facts *host)
{
	char *on = read_line_dup(w, READ_PROC, "sys/kernel/sched_bore");
	bool result = on ? strcmp(on, "0") != 0 : is_set(host, "kernel.bore");

	free(on);
	return result;
}

struct guess {
	const char *name, *source;
};

/* The patched schedulers first, each by the switch that it adds. */
static struct guess find_class(const struct facts_world *w, const struct xcs_facts *host)
{
	const char *release = xcs_facts_get(host, "kernel.release");

	if (is_bore(w, host))
		return (struct guess){"BORE", "proc:sys/kernel/sched_bore or CONFIG_SCHED_BORE"};
	if (is_set(host, "kernel.bmq") || is_set(host, "kernel.pds"))
		return (struct guess){is_set(host, "kernel.pds") ? "PDS" : "BMQ",
		                      "kernel configuration"};
	if (has(w, "sys/kernel/yield_type") && has(w, "sys/kernel/rr_interval"))
		return (struct guess){"MuQSS", "proc:sys/kernel/rr_interval, yield_type"};
	if (has(w, "sys/kernel/yield_type"))
		return (struct guess){"BMQ or PDS", "proc:sys/kernel/yield_type"};
	if (has(w, "sys/kernel/rr_interval"))
		return (struct guess){"BFS", "proc:sys/kernel/rr_interval"};
	if (!release)
		return (struct guess){NULL, "proc:sys/kernel/osrelease"};
	if (is_since(host, 6, 6))
		return (struct guess){"EEVDF", "release 6.6 or later, no other scheduler found"};
	return (struct guess){is_since(host, 3, 0) || strcmp(release, "2.6.23") >= 0 ? "CFS" : NULL,
	                      "release before 6.6, no other scheduler found"};
}

static void set_class(const struct facts_world *w, const struct xcs_facts *host,
                      struct xcs_facts *facts)
{
	const char *ext = xcs_facts_get(facts, "sched.ext");
	const char *ops = xcs_facts_get(facts, "sched.ext_ops");
	struct guess g = find_class(w, host);

	if (ext && strcmp(ext, "enabled") == 0)
		xcs_facts_take(facts, "sched.class",
		               xcs_xasprintf("sched_ext %s", ops ? ops : "of unknown name"),
		               "sys:kernel/sched_ext");
	else
		xcs_facts_set(facts, "sched.class", g.name, g.source);
}

void facts_sched_ext(const struct facts_world *w, struct xcs_facts *facts)
{
	read_rows(w, ext_rows, ARRAY_LEN(ext_rows), facts);
	xcs_facts_take(facts, "sched.ext_ops", read_each_dup(w, "kernel/sched_ext", "", "ops"),
	               "sys:kernel/sched_ext/*/ops");
}

void facts_scheduler(const struct facts_world *w, const struct xcs_facts *host,
                     struct xcs_facts *facts)
{
	read_rows(w, rows, ARRAY_LEN(rows), facts);
	facts_sched_ext(w, facts);
	find_preempt(w, host, facts);
	find_slice(w, facts);
	set_class(w, host, facts);
}
