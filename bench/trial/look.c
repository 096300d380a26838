/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <trial/look.h>

#include <collectors/task_stat.h>
#include <common/alloc.h>
#include <common/task.h>
#include <probe/probe.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* include/uapi/linux/sched.h; 4 was never given out. */
static const char *policy_name(int64_t policy)
{
	static const char *const names[] = {"other", "fifo", "rr",       "batch",
	                                    NULL,    "idle", "deadline", "ext"};

	return policy >= 0 && policy < (int64_t)ARRAY_LEN(names) ? names[policy] : NULL;
}

static struct xcs_num num_of(int64_t v)
{
	return v == XCS_ABSENT ? (struct xcs_num){0} : (struct xcs_num){true, (double)v};
}

static bool read_thread(const struct xcs_env *env, const struct look_task *task, pid_t tid,
                        struct xcs_run_thread *t)
{
	char rel[64];
	struct xcs_buf text = {0};
	struct xcs_task_stat stat;

	snprintf(rel, sizeof(rel), "%d/task/%d/stat", (int)task->pid, (int)tid);
	bool found = xcs_proc_read(env, rel, &text) == 0 &&
	             xcs_task_stat_parse(xcs_buf_str(&text), &stat) == 0;
	xcs_buf_fini(&text);
	if (!found)
		return false;
	const char *policy = policy_name(stat.policy);
	*t = (struct xcs_run_thread){.role = xcs_xstrdup(task->role),
	                             .comm = xcs_xstrdup(stat.comm),
	                             .pid = task->pid,
	                             .tid = tid,
	                             .policy = policy ? xcs_xstrdup(policy) : NULL,
	                             .rt_priority = num_of(stat.rt_priority),
	                             .nice = num_of(stat.nice),
	                             .autogroup = probe_autogroup_dup(env, task->pid)};
	probe_thread_cgroup(env, task->pid, tid, &t->cgroup, &t->cpu_weights);
	return true;
}

static void read_task(const struct xcs_env *env, const struct look_task *task,
                      struct xcs_run_look *look)
{
	pid_t *tids = NULL;
	size_t cap = 0;
	int n = xcs_task_list(env, task->pid, &tids, &cap);

	if (n > 0)
		look->threads = xcs_xrealloc(look->threads, (look->n_threads + (size_t)n) *
		                                                    sizeof(*look->threads));
	for (int i = 0; i < n; i++)
		look->n_threads += read_thread(env, task, tids[i], &look->threads[look->n_threads]);
	free(tids);
}

/* The looks behind it move up. */
static void drop(struct xcs_run *run, size_t at)
{
	struct xcs_run old = {.looks = xcs_xcalloc(1, sizeof(*run->looks)), .n_looks = 1};

	old.looks[0] = run->looks[at];
	run->n_looks--;
	memmove(&run->looks[at], &run->looks[at + 1], (run->n_looks - at) * sizeof(*run->looks));
	xcs_run_fini(&old);
}

void look_take(const struct xcs_env *env, const struct look_task *tasks, size_t n, const char *when,
               struct xcs_run *run, size_t first)
{
	bool is_start = strcmp(when, "start") == 0;

	for (size_t i = first; i < run->n_looks; i++) {
		if (strcmp(run->looks[i].when, when) != 0)
			continue;
		if (is_start)
			return;
		drop(run, i--);
	}
	struct xcs_run_look look = {.when = xcs_xstrdup(when), .wall_ns = xcs_wall_now_ns()};
	for (size_t i = 0; i < n; i++)
		if (tasks[i].pid > 0)
			read_task(env, &tasks[i], &look);
	run->looks = xcs_xrealloc(run->looks, (run->n_looks + 1) * sizeof(*run->looks));
	run->looks[run->n_looks++] = look;
}

void look_chain(const struct xcs_env *env, const struct xserver *server, const struct load *load,
                const char *when, struct xcs_run *run, size_t first)
{
	struct look_task tasks[2 + 3 * LOAD_CLIENTS_MAX];
	size_t n = 0;

	tasks[n++] = (struct look_task){"server", server->pid};
	tasks[n++] = (struct look_task){"compositor", server->compositor.pid};
	for (size_t i = 0; i < load->n; i++) {
		const struct load_client *c = &load->clients[i];
		tasks[n++] = (struct look_task){c->role, load_client_pid(c)};
		tasks[n++] = (struct look_task){c->feeder_role, c->feeder_pid};
		tasks[n++] = (struct look_task){c->command_role, c->command_pid};
	}
	look_take(env, tasks, n, when, run, first);
}

static bool is_load(const struct xcs_run_thread *t)
{
	return strcmp(t->role, "server") != 0 && strcmp(t->role, "compositor") != 0;
}

static const struct xcs_run_thread *find(const struct xcs_run_look *look,
                                         const struct xcs_run_thread *t)
{
	for (size_t i = 0; i < look->n_threads; i++) {
		const struct xcs_run_thread *o = &look->threads[i];
		bool same = is_load(t) ? t->tid == t->pid && o->tid == o->pid : o->tid == t->tid;
		if (same && strcmp(o->role, t->role) == 0)
			return o;
	}
	return NULL;
}

static char *policy_dup(const struct xcs_run_thread *t)
{
	if (!t->policy)
		return NULL;
	return t->rt_priority.known && t->rt_priority.v > 0
	               ? xcs_xasprintf("%s %g", t->policy, t->rt_priority.v)
	               : xcs_xstrdup(t->policy);
}

/* A scope that systemd-run made for a load alone has another name in each trial. */
static const char *own_scope(const struct xcs_run_thread *t)
{
	const char *last = t->cgroup && is_load(t) ? strrchr(t->cgroup, '/') : NULL;

	return last && strncmp(last, "/run-", 5) == 0 ? last : NULL;
}

static char *cgroup_dup(const struct xcs_run_thread *t)
{
	const char *scope = own_scope(t);

	if (scope)
		return xcs_xasprintf("%.*s", (int)(scope - t->cgroup), t->cgroup);
	return t->cgroup ? xcs_xstrdup(t->cgroup) : NULL;
}

static char *weights_dup(const struct xcs_run_thread *t)
{
	return t->cpu_weights && !own_scope(t) ? xcs_xstrdup(t->cpu_weights) : NULL;
}

/* Its number: loads begin a new session, and so a group, in each trial. */
static char *autogroup_dup(const struct xcs_run_thread *t)
{
	return t->autogroup && !is_load(t)
	               ? xcs_xasprintf("%.*s", (int)strcspn(t->autogroup, " "), t->autogroup)
	               : NULL;
}

/* A load has a group of its own in each trial, but the level of that is the run's to set. */
static char *group_nice_dup(const struct xcs_run_thread *t)
{
	const char *nice = t->autogroup ? strstr(t->autogroup, " nice ") : NULL;

	return nice ? xcs_xstrdup(nice + 6) : NULL;
}

struct aspect {
	const char *what;
	char *(*text_dup)(const struct xcs_run_thread *t);
};

static const struct aspect aspects[] = {
        {"policy",                policy_dup    },
        {"cgroup",                cgroup_dup    },
        {"cpu.weight",            weights_dup   },
        {"autogroup",             autogroup_dup },
        {"nice of the autogroup", group_nice_dup},
};

/* What a thread had and has of an aspect. */
struct change {
	char *was, *is;
};

static void change_fini(struct change *c)
{
	free(c->was);
	free(c->is);
}

/* Unknown on either side is no change; both are NULL then. */
static struct change change_of(const struct aspect *a, const struct xcs_run_look *before,
                               const struct xcs_run_thread *t)
{
	const struct xcs_run_thread *from = find(before, t);
	struct change c = {0};

	if (!from)
		return c;
	c = (struct change){a->text_dup(from), a->text_dup(t)};
	if (!c.was || !c.is || strcmp(c.was, c.is) == 0) {
		change_fini(&c);
		c = (struct change){0};
	}
	return c;
}

/* How many threads of the same process, from index `first` to before `end`, changed alike? */
static size_t n_changed_alike(const struct aspect *a, const struct xcs_run_look *looks,
                              size_t first, size_t end, pid_t pid, const struct change *like)
{
	size_t n = 0;

	for (size_t i = first; i < end; i++) {
		const struct xcs_run_thread *t = &looks[1].threads[i];
		struct change c = t->pid == pid ? change_of(a, &looks[0], t) : (struct change){0};
		n += c.was && strcmp(c.was, like->was) == 0 && strcmp(c.is, like->is) == 0;
		change_fini(&c);
	}
	return n;
}

static void add_change(struct xcs_run *run, const struct aspect *a,
                       const struct xcs_run_look *looks, size_t at, const struct change *c)
{
	const struct xcs_run_thread *t = &looks[1].threads[at];
	size_t more = n_changed_alike(a, looks, at + 1, looks[1].n_threads, t->pid, c);
	char *others = more ? xcs_xasprintf(" and %zu more", more) : xcs_xstrdup("");
	char *note = xcs_xasprintf("Somebody else changed the %s of %s (%s, thread %d%s): %s at "
	                           "the %s of the run, %s at its %s.",
	                           a->what, t->role, t->comm, (int)t->tid, others, c->was,
	                           looks[0].when, c->is, looks[1].when);

	xcs_run_add_note(run, note);
	free(note);
	free(others);
}

/* One sentence for the threads of a process that changed alike, between two looks. */
static void note_changes(struct xcs_run *run, const struct aspect *a,
                         const struct xcs_run_look *looks)
{
	for (size_t k = 0; k < looks[1].n_threads; k++) {
		struct change c = change_of(a, &looks[0], &looks[1].threads[k]);
		if (c.was && n_changed_alike(a, looks, 0, k, looks[1].threads[k].pid, &c) == 0)
			add_change(run, a, looks, k, &c);
		change_fini(&c);
	}
}

/* The run itself moves the level of autogroups where that mode was asked for. */
static bool is_ours(const struct xcs_run *run, const struct aspect *a)
{
	return a->text_dup == group_nice_dup && run->plan.autogroup_mode &&
	       strcmp(run->plan.autogroup_mode, "nice") == 0;
}

/* Nice has no say under the others, which weigh by priority or run when nobody else will. */
static char *unmoved_policy_dup(const struct xcs_run_thread *t)
{
	static const char *const moved[] = {"other", "batch", "ext"};

	for (size_t i = 0; t->policy && i < ARRAY_LEN(moved); i++)
		if (strcmp(t->policy, moved[i]) == 0)
			return NULL;
	return is_load(t) ? NULL : policy_dup(t);
}

static size_t n_of_policy(const struct xcs_run_look *look, size_t first, size_t end, pid_t pid,
                          const char *policy)
{
	size_t n = 0;

	for (size_t i = first; i < end; i++) {
		const struct xcs_run_thread *t = &look->threads[i];
		char *other = t->pid == pid ? unmoved_policy_dup(t) : NULL;
		n += other && strcmp(other, policy) == 0;
		free(other);
	}
	return n;
}

static void note_policy(struct xcs_run *run, const struct xcs_run_look *look, size_t at)
{
	const struct xcs_run_thread *t = &look->threads[at];
	char *policy = unmoved_policy_dup(t);

	if (policy && n_of_policy(look, 0, at, t->pid, policy) == 0) {
		size_t more = n_of_policy(look, at + 1, look->n_threads, t->pid, policy);
		char *others = more ? xcs_xasprintf(" and %zu more", more) : xcs_xstrdup("");
		char *note = xcs_xasprintf("Thread %d%s of the %s (%s) %s the policy %s, which "
		                           "nice does not move.",
		                           (int)t->tid, others, t->role, t->comm,
		                           more ? "have" : "has", policy);
		xcs_run_add_note(run, note);
		free(note);
		free(others);
	}
	free(policy);
}

void look_note(struct xcs_run *run, size_t first)
{
	for (size_t i = first; i < run->n_looks; i++) {
		for (size_t k = 0; k < run->looks[i].n_threads; k++)
			note_policy(run, &run->looks[i], k);
		for (size_t k = 0; i > first && k < ARRAY_LEN(aspects); k++)
			if (!is_ours(run, &aspects[k]))
				note_changes(run, &aspects[k], &run->looks[i - 1]);
	}
}
