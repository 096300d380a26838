/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <trial/environment.h>

#include <common/alloc.h>
#include <common/task.h>
#include <facts/facts.h>
#include <probe/probe.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define AUTOGROUP_FACT "sched.autogroup"
#define AUTOGROUP_FILE "sys/kernel/sched_autogroup_enabled"

void environment_host(const struct xcs_env *env, struct xcs_facts *facts)
{
	const struct facts_world world = {.env = env};

	facts_kernel(&world, facts);
	facts_config(&world, facts);
	facts_machine(&world, facts);
}

/* Where the runner itself is: what it starts without a place of its own begins there. */
static void read_runner(const struct xcs_env *env, struct xcs_facts *facts)
{
	char *cgroup = probe_cgroup_dup(env, getpid()), nice[16];

	xcs_facts_take(facts, "runner.cgroup", cgroup, "proc:self/cgroup");
	xcs_facts_take(facts, "runner.autogroup", probe_autogroup_dup(env, getpid()),
	               "proc:self/autogroup");
	snprintf(nice, sizeof(nice), "%d", getpriority(PRIO_PROCESS, 0));
	xcs_facts_set(facts, "runner.nice", nice, "getpriority");
}

void environment_now(const struct xcs_env *env, const struct xcs_user *user,
                     const struct xcs_facts *host, struct xcs_facts *facts)
{
	const struct facts_world world = {.env = env};

	facts_scheduler(&world, host, facts);
	facts_power(&world, facts);
	facts_software(&world, user, facts);
	read_runner(env, facts);
}

bool environment_autogroup_changed(const struct xcs_env *env, const struct xcs_facts *facts)
{
	const char *then = xcs_facts_get(facts, AUTOGROUP_FACT);
	struct xcs_buf now = {0};
	bool changed = then && xcs_proc_read(env, AUTOGROUP_FILE, &now) == 0 &&
	               !xcs_str_is(xcs_str_trim(xcs_buf_str(&now)), then);

	xcs_buf_fini(&now);
	return changed;
}

static const struct {
	const char *key, *after, *what;
} ext_facts[] = {
        {"sched.ext",            "sched.ext_after",            "state"     },
        {"sched.ext_ops",        "sched.ext_ops_after",        "ops"       },
        {"sched.ext_enable_seq", "sched.ext_enable_seq_after", "enable_seq"},
};

bool environment_ext_changed(const struct xcs_env *env, struct xcs_facts *facts,
                             struct xcs_buf *why)
{
	const struct facts_world world = {.env = env};
	struct xcs_run now = {0};
	bool changed = false;

	facts_sched_ext(&world, &now.environment);
	for (size_t i = 0; i < ARRAY_LEN(ext_facts); i++) {
		const struct xcs_fact *f = xcs_facts_find(&now.environment, ext_facts[i].key);
		const char *before = xcs_facts_get(facts, ext_facts[i].key);
		xcs_facts_set(facts, ext_facts[i].after, f->value, f->source);
		if (!before || !f->value || strcmp(before, f->value) == 0)
			continue;
		xcs_buf_printf(why, "%s%s was %s and is %s",
		               changed ? ", " : "sched_ext changed during the run: ",
		               ext_facts[i].what, before, f->value);
		changed = true;
	}
	xcs_run_fini(&now);
	return changed;
}

void environment_place(const struct xcs_env *env, const char *role, pid_t pid,
                       struct xcs_facts *facts)
{
	char *keys[] = {xcs_xasprintf("%s.nice", role), xcs_xasprintf("%s.autogroup", role),
	                xcs_xasprintf("%s.cgroup", role)};
	struct xcs_task_id id;
	bool known = xcs_task_id_read(env, pid, pid, &id) == 0;

	xcs_facts_take(facts, keys[0], known ? xcs_xasprintf("%d", id.nice) : NULL,
	               "proc:PID/stat");
	xcs_facts_take(facts, keys[1], probe_autogroup_dup(env, pid), "proc:PID/autogroup");
	xcs_facts_take(facts, keys[2], probe_cgroup_dup(env, pid), "proc:PID/cgroup");
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		free(keys[i]);
}

void environment_mesa(const struct xcs_env *env, pid_t server_pid, struct xcs_facts *facts)
{
	const struct facts_world world = {.env = env};

	facts_mesa(&world, server_pid, facts);
}

void environment_user(const struct xcs_user *user, struct xcs_facts *facts)
{
	const char *who = "an ordinary user";

	if (user->via_sudo)
		who = "the user behind sudo";
	else if (geteuid() == 0)
		who = "root, without a user behind it";
	xcs_facts_set(facts, "runner.user", who, "geteuid, SUDO_UID");
}
