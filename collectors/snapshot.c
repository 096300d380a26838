/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <collectors/sched.h>
#include <collectors/schedstat.h>
#include <collectors/snapshot.h>
#include <collectors/status.h>
#include <collectors/task_stat.h>
#include <common/alloc.h>
#include <common/task.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *xcs_count_name(enum xcs_count c)
{
	static const char *const names[XCS_N_COUNTS] = {
	        [XCS_COUNT_SWITCHES] = "nr_switches",
	        [XCS_COUNT_VOLUNTARY] = "voluntary_switches",
	        [XCS_COUNT_INVOLUNTARY] = "involuntary_switches",
	        [XCS_COUNT_EXEC_NS] = "exec_ns",
	        [XCS_COUNT_RUN_DELAY_NS] = "run_delay_ns",
	        [XCS_COUNT_TIMESLICES] = "timeslices",
	        [XCS_COUNT_MIGRATIONS] = "migrations",
	};

	return names[c];
}

void xcs_snapshot_event(struct xcs_snapshot *s, const char *fmt, ...)
{
	struct xcs_buf text = {0};
	va_list ap;

	va_start(ap, fmt);
	xcs_buf_vprintf(&text, fmt, ap);
	va_end(ap);
	s->events = xcs_xgrow(s->events, s->n_events, &s->cap_events, sizeof(*s->events));
	s->events[s->n_events++] = xcs_buf_take(&text);
}

/* What is read of one thread, and from where. A tree may hold the main thread's files in
 * PID/ only (capture of 2.6 and of a single file). */
struct reading {
	const struct xcs_env *env;
	pid_t pid, tid;
	struct xcs_buf text;
	int64_t n_threads;
	int n_files;
};

static bool read_file(struct reading *r, const char *name)
{
	char rel[80];

	snprintf(rel, sizeof(rel), "%d/task/%d/%s", (int)r->pid, (int)r->tid, name);
	int rc = xcs_proc_read(r->env, rel, &r->text);
	if (rc && r->pid == r->tid) {
		snprintf(rel, sizeof(rel), "%d/%s", (int)r->pid, name);
		rc = xcs_proc_read(r->env, rel, &r->text);
	}
	r->n_files += rc == 0;
	return rc == 0;
}

static void take_comm(struct xcs_snapshot_thread *t, const char *comm)
{
	if (!t->comm[0])
		snprintf(t->comm, sizeof(t->comm), "%s", comm);
}

static void read_sched(struct reading *r, struct xcs_snapshot_thread *t)
{
	struct xcs_sched v;

	if (!read_file(r, "sched"))
		return;
	int rc = xcs_sched_parse(xcs_buf_str(&r->text), &v, NULL);
	if (v.tid != XCS_ABSENT) {
		take_comm(t, v.comm);
		r->n_threads = v.n_threads;
	}
	if (rc)
		return;
	t->count[XCS_COUNT_SWITCHES] = v.v[XCS_SCHED_SWITCHES];
	t->count[XCS_COUNT_VOLUNTARY] = v.v[XCS_SCHED_VOLUNTARY];
	t->count[XCS_COUNT_INVOLUNTARY] = v.v[XCS_SCHED_INVOLUNTARY];
	t->count[XCS_COUNT_EXEC_NS] = v.v[XCS_SCHED_EXEC_NS];
	t->count[XCS_COUNT_MIGRATIONS] = v.v[XCS_SCHED_MIGRATIONS];
	t->policy = v.v[XCS_SCHED_POLICY];
	t->prio = v.v[XCS_SCHED_PRIO];
	t->nice = xcs_sched_nice(&v);
	t->wait_sum_ns = v.v[XCS_SCHED_WAIT_SUM_NS];
	t->wakeups = v.v[XCS_SCHED_WAKEUPS];
	t->n_sched_keys = v.n_keys;
	t->from_sched = true;
}

static void read_status(struct reading *r, struct xcs_snapshot_thread *t)
{
	struct xcs_status v;

	if (!read_file(r, "status") || xcs_status_parse(xcs_buf_str(&r->text), &v))
		return;
	take_comm(t, v.comm);
	if (v.n_threads != XCS_ABSENT)
		r->n_threads = v.n_threads;
	if (t->count[XCS_COUNT_VOLUNTARY] != XCS_ABSENT || v.voluntary_total == XCS_ABSENT ||
	    v.involuntary_total == XCS_ABSENT)
		return;
	t->count[XCS_COUNT_VOLUNTARY] = v.voluntary_total;
	t->count[XCS_COUNT_INVOLUNTARY] = v.involuntary_total;
	if (t->count[XCS_COUNT_SWITCHES] == XCS_ABSENT)
		t->count[XCS_COUNT_SWITCHES] = v.voluntary_total + v.involuntary_total;
	t->from_status = true;
}

static void read_schedstat(struct reading *r, struct xcs_snapshot_thread *t)
{
	struct xcs_schedstat v;

	if (!read_file(r, "schedstat") || xcs_schedstat_parse(xcs_buf_str(&r->text), &v))
		return;
	if (t->count[XCS_COUNT_EXEC_NS] == XCS_ABSENT)
		t->count[XCS_COUNT_EXEC_NS] = v.exec_ns;
	t->count[XCS_COUNT_RUN_DELAY_NS] = v.run_delay_ns;
	t->count[XCS_COUNT_TIMESLICES] = v.timeslices;
	t->from_schedstat = true;
}

static void read_stat(struct reading *r, struct xcs_snapshot_thread *t)
{
	struct xcs_task_stat v;

	if (!read_file(r, "stat") || xcs_task_stat_parse(xcs_buf_str(&r->text), &v))
		return;
	take_comm(t, v.comm);
	t->start_ticks = v.start_ticks;
	r->n_threads = v.n_threads;
	if (t->from_sched)
		return;
	t->nice = v.nice;
	t->policy = v.policy;
}

static bool read_thread(struct reading *r, struct xcs_snapshot_thread *t)
{
	*t = (struct xcs_snapshot_thread){
	        .tid = r->tid,
	        .start_ticks = XCS_ABSENT,
	        .nice = XCS_ABSENT,
	        .policy = XCS_ABSENT,
	        .prio = XCS_ABSENT,
	        .wait_sum_ns = XCS_ABSENT,
	        .wakeups = XCS_ABSENT,
	};
	for (int c = 0; c < XCS_N_COUNTS; c++)
		t->count[c] = XCS_ABSENT;
	r->n_files = 0;
	read_sched(r, t);
	read_status(r, t);
	read_schedstat(r, t);
	read_stat(r, t);
	return r->n_files > 0;
}

/* A sum over threads is known only if each of them is. */
static void sum_threads(struct xcs_snapshot_process *p)
{
	for (int c = 0; c < XCS_N_COUNTS; c++) {
		int64_t sum = 0;
		for (size_t i = 0; i < p->n && sum != XCS_ABSENT; i++) {
			int64_t v = p->threads[i].count[c];
			if (v == XCS_ABSENT || __builtin_add_overflow(sum, v, &sum))
				sum = XCS_ABSENT;
		}
		p->total[c] = p->n ? sum : XCS_ABSENT;
	}
}

static void name_source(struct xcs_snapshot *s, const struct xcs_snapshot_process *p)
{
	size_t n_other = 0;

	for (size_t i = 0; i < p->n; i++)
		n_other += !p->threads[i].from_sched;
	if (n_other)
		xcs_snapshot_event(s,
		                   "process %d: sched is not provided for %zu of %zu threads; "
		                   "counters come from status and schedstat",
		                   (int)p->pid, n_other, p->n);
	if (p->n_threads != XCS_ABSENT && p->n_threads != (int64_t)p->n)
		xcs_snapshot_event(s, "process %d has %lld threads, the files of %zu were read",
		                   (int)p->pid, (long long)p->n_threads, p->n);
}

static int read_process(const struct xcs_env *env, pid_t pid, struct xcs_snapshot *s,
                        struct xcs_err *err)
{
	pid_t *tids = NULL;
	size_t cap = 0;
	int n = xcs_task_list(env, pid, &tids, &cap);

	s->processes =
	        xcs_xgrow(s->processes, s->n_processes, &s->cap_processes, sizeof(*s->processes));
	struct xcs_snapshot_process *p = &s->processes[s->n_processes++];
	*p = (struct xcs_snapshot_process){.pid = pid};
	struct reading r = {.env = env, .pid = pid, .n_threads = XCS_ABSENT};
	for (int i = 0; i < (n > 0 ? n : 1); i++) {
		r.tid = n > 0 ? tids[i] : pid;
		p->threads = xcs_xgrow(p->threads, p->n, &p->cap, sizeof(*p->threads));
		if (read_thread(&r, &p->threads[p->n]))
			p->n++;
	}
	xcs_buf_fini(&r.text);
	free(tids);
	p->n_threads = XCS_ABSENT;
	sum_threads(p);
	if (!p->n)
		return xcs_err_set(err, -ENOENT,
		                   "there is no process %d with readable files in the process tree",
		                   (int)pid);
	for (size_t i = 0; i < p->n; i++)
		if (p->threads[i].tid == pid)
			memcpy(p->comm, p->threads[i].comm, sizeof(p->comm));
	p->n_threads = r.n_threads != XCS_ABSENT ? r.n_threads : (int64_t)p->n;
	name_source(s, p);
	return 0;
}

static void read_cpus(struct xcs_snapshot *s, struct xcs_str rest)
{
	struct xcs_cpu_ticks t;
	int cpu;

	while (xcs_stat_next_cpu(&rest, &cpu, &t)) {
		s->cpus = xcs_xgrow(s->cpus, s->n_cpus, &s->cap_cpus, sizeof(*s->cpus));
		s->cpu_ids = xcs_xgrow(s->cpu_ids, s->n_cpus, &s->cap_ids, sizeof(*s->cpu_ids));
		s->cpus[s->n_cpus] = t;
		s->cpu_ids[s->n_cpus++] = cpu;
	}
}

static void read_system(const struct xcs_env *env, struct xcs_snapshot *s)
{
	struct xcs_buf text = {0};

	int rc = xcs_proc_read(env, "stat", &text);
	struct xcs_str all = xcs_buf_str(&text);
	if (rc)
		all.n = 0;
	if (xcs_stat_parse(all, &s->stat))
		xcs_snapshot_event(s, rc ? "the process tree has no stat file"
		                         : "stat holds no counters");
	if (s->stat.n_total_lines > 1)
		xcs_snapshot_event(s, "stat has %d total lines; the largest is used",
		                   s->stat.n_total_lines);
	read_cpus(s, all);
	if (xcs_proc_read(env, "sys/kernel/random/boot_id", &text) == 0) {
		struct xcs_str id = xcs_str_trim(xcs_buf_str(&text));
		snprintf(s->boot_id, sizeof(s->boot_id), "%.*s", (int)(id.n < 39 ? id.n : 39),
		         id.p);
	}
	xcs_buf_fini(&text);
}

int xcs_snapshot_read(const struct xcs_env *env, const int *pids, size_t n_pids,
                      struct xcs_snapshot *out, struct xcs_err *err)
{
	int rc = 0;

	*out = (struct xcs_snapshot){0};
	read_system(env, out);
	for (size_t i = 0; i < n_pids; i++) {
		int one = read_process(env, (pid_t)pids[i], out, rc ? NULL : err);
		rc = rc ? rc : one;
	}
	return rc;
}

void xcs_snapshot_fini(struct xcs_snapshot *s)
{
	for (size_t i = 0; i < s->n_processes; i++)
		free(s->processes[i].threads);
	for (size_t i = 0; i < s->n_events; i++)
		free(s->events[i]);
	free(s->processes);
	free(s->events);
	free(s->cpus);
	free(s->cpu_ids);
	*s = (struct xcs_snapshot){0};
}
