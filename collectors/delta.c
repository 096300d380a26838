/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <collectors/delta.h>
#include <common/alloc.h>
#include <common/units.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No CPU switches faster than this; more between two samples is a reset, not a wrap. */
#define MAX_PER_CPU_PER_S INT64_C(5000000)

enum xcs_counter_change xcs_counter_delta(int64_t before, int64_t after, int64_t max_step,
                                          int64_t *out)
{
	const int64_t wrap = INT64_C(1) << 32;

	*out = XCS_ABSENT;
	if (before == XCS_ABSENT || after == XCS_ABSENT)
		return XCS_CHANGE_UNKNOWN;
	if (after >= before)
		return __builtin_sub_overflow(after, before, out) ? XCS_CHANGE_FELL : XCS_CHANGE_OK;
	bool upper_half = before >= wrap / 2 && before < wrap && after >= 0;
	if (!upper_half || after + wrap - before > max_step)
		return XCS_CHANGE_FELL;
	*out = after + wrap - before;
	return XCS_CHANGE_WRAPPED;
}

static int64_t max_step(const struct xcs_snapshot *s, int64_t interval_ns)
{
	int64_t n_cpus = s->n_cpus ? (int64_t)s->n_cpus : 1;
	int64_t per_s = MAX_PER_CPU_PER_S * n_cpus, limit = INT64_C(1) << 31;

	if (interval_ns / XCS_NS_PER_S >= limit / per_s)
		return limit;
	return per_s * (interval_ns / XCS_NS_PER_S + 1);
}

static int64_t named_delta(struct xcs_snapshot *after, const char *what, int64_t a, int64_t b,
                           int64_t step)
{
	int64_t d;

	enum xcs_counter_change c = xcs_counter_delta(a, b, step, &d);
	if (c == XCS_CHANGE_FELL)
		xcs_snapshot_event(after, "%s fell from %lld to %lld: it was reset", what,
		                   (long long)a, (long long)b);
	if (c == XCS_CHANGE_WRAPPED)
		xcs_snapshot_event(after, "%s passed 2^32", what);
	return d;
}

/* The boot id says it for sure; without one, all counters falling at once do. btime alone
 * does not: it moves when the clock is set. */
static bool was_rebooted(const struct xcs_snapshot *a, const struct xcs_snapshot *b)
{
	if (a->boot_id[0] && b->boot_id[0])
		return strcmp(a->boot_id, b->boot_id) != 0;
	const struct xcs_stat *x = &a->stat, *y = &b->stat;
	if (x->ctxt_total == XCS_ABSENT || y->ctxt_total == XCS_ABSENT)
		return false;
	return y->ctxt_total < x->ctxt_total && y->intr_total < x->intr_total &&
	       y->all.v[XCS_STAT_USER] < x->all.v[XCS_STAT_USER] &&
	       y->all.v[XCS_STAT_SYSTEM] < x->all.v[XCS_STAT_SYSTEM] &&
	       y->all.v[XCS_STAT_IDLE] < x->all.v[XCS_STAT_IDLE];
}

bool xcs_delta_join_idle(int64_t *idle, int64_t *iowait)
{
	int64_t *down = *iowait < 0 ? iowait : idle, *up = *iowait < 0 ? idle : iowait;

	if (*down >= 0)
		return false;
	*up = *up + *down > 0 ? *up + *down : 0;
	*down = 0;
	return true;
}

/* idle, iowait and the hypervisor's steal may step back a little; that is no reset. */
static bool stepped_back(int t, int64_t x, int64_t y)
{
	return (t == XCS_STAT_IDLE || t == XCS_STAT_IOWAIT || t == XCS_STAT_STEAL) &&
	       x != XCS_ABSENT && y != XCS_ABSENT && y < x && x < INT64_C(1) << 31;
}

static int64_t sum_ticks(const struct xcs_snapshot *a, const struct xcs_snapshot *b,
                         const int64_t ticks[XCS_N_STAT_TICKS])
{
	int64_t sum = 0;

	for (int t = 0; t <= XCS_STAT_STEAL; t++) {
		bool there = a->stat.all.v[t] != XCS_ABSENT && b->stat.all.v[t] != XCS_ABSENT;
		if (there && ticks[t] == XCS_ABSENT)
			return XCS_ABSENT;
		if (there && __builtin_add_overflow(sum, ticks[t], &sum))
			return XCS_ABSENT;
	}
	return sum;
}

static void diff_ticks(struct xcs_delta *d, const struct xcs_snapshot *a, struct xcs_snapshot *b,
                       int64_t step)
{
	bool clamped = false;

	for (int t = 0; t < XCS_N_STAT_TICKS; t++) {
		int64_t x = a->stat.all.v[t], y = b->stat.all.v[t];
		bool back = stepped_back(t, x, y);
		clamped = clamped || back;
		d->ticks[t] = back ? y - x
		                   : named_delta(b, xcs_stat_ticks_name((enum xcs_stat_ticks)t), x,
		                                 y, step);
	}
	int64_t *idle = &d->ticks[XCS_STAT_IDLE], *iowait = &d->ticks[XCS_STAT_IOWAIT];
	int64_t *steal = &d->ticks[XCS_STAT_STEAL];
	if (*idle != XCS_ABSENT && *iowait != XCS_ABSENT)
		xcs_delta_join_idle(idle, iowait);
	if (*idle < 0 && *idle != XCS_ABSENT)
		*idle = 0;
	if (*steal < 0 && *steal != XCS_ABSENT)
		*steal = 0;
	d->total_ticks = sum_ticks(a, b, d->ticks);
	if (clamped)
		xcs_snapshot_event(b, "clamped counters: idle, iowait or steal stepped back");
}

static bool has_cpu(const struct xcs_snapshot *s, int cpu)
{
	for (size_t i = 0; i < s->n_cpus; i++)
		if (s->cpu_ids[i] == cpu)
			return true;
	return false;
}

static void note_hotplug(const struct xcs_snapshot *a, struct xcs_snapshot *b)
{
	for (size_t i = 0; i < a->n_cpus; i++)
		if (b->n_cpus && !has_cpu(b, a->cpu_ids[i]))
			xcs_snapshot_event(b, "cpu%d went offline", a->cpu_ids[i]);
	for (size_t i = 0; i < b->n_cpus; i++)
		if (a->n_cpus && !has_cpu(a, b->cpu_ids[i]))
			xcs_snapshot_event(b, "cpu%d came online", b->cpu_ids[i]);
}

static bool same_start(int64_t a, int64_t b)
{
	return a == XCS_ABSENT || b == XCS_ABSENT || a == b;
}

static const struct xcs_snapshot_thread *find_thread(const struct xcs_snapshot_process *p,
                                                     const struct xcs_snapshot_thread *like)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->threads[i].tid == like->tid)
			return same_start(p->threads[i].start_ticks, like->start_ticks)
			               ? &p->threads[i]
			               : NULL;
	return NULL;
}

/* A thread that was not there before counts from 0, so all its counts are in the interval. */
static int64_t thread_delta(struct xcs_snapshot *after, const struct xcs_snapshot_thread *x,
                            const struct xcs_snapshot_thread *y, int c, int64_t step)
{
	char what[96];

	if (!x)
		return y->count[c];
	snprintf(what, sizeof(what), "thread %d: %s", (int)y->tid,
	         xcs_count_name((enum xcs_count)c));
	return named_delta(after, what, x->count[c], y->count[c], step);
}

static void add_thread(struct xcs_delta_process *d, struct xcs_snapshot *after,
                       const struct xcs_snapshot_thread *x, const struct xcs_snapshot_thread *y,
                       int64_t step)
{
	for (int c = 0; c < XCS_N_COUNTS; c++) {
		/* Times in ns have no 32-bit form. */
		bool time = c == XCS_COUNT_EXEC_NS || c == XCS_COUNT_RUN_DELAY_NS;
		int64_t v = thread_delta(after, x, y, c, time ? 0 : step);
		if (v == XCS_ABSENT || d->delta[c] == XCS_ABSENT)
			d->delta[c] = XCS_ABSENT;
		else
			d->delta[c] += v;
	}
}

static const struct xcs_snapshot_process *find_process(const struct xcs_snapshot *s, pid_t pid)
{
	for (size_t i = 0; i < s->n_processes; i++)
		if (s->processes[i].pid == pid)
			return &s->processes[i];
	return NULL;
}

static const struct xcs_snapshot_thread *main_thread(const struct xcs_snapshot_process *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->threads[i].tid == p->pid)
			return &p->threads[i];
	return NULL;
}

static bool same_process(const struct xcs_snapshot_process *x, const struct xcs_snapshot_process *y)
{
	const struct xcs_snapshot_thread *a = main_thread(x), *b = main_thread(y);

	return !a || !b || same_start(a->start_ticks, b->start_ticks);
}

static void note_threads(const struct xcs_delta_process *d, const struct xcs_snapshot_process *y,
                         struct xcs_snapshot *after)
{
	if (d->n_ended)
		xcs_snapshot_event(after, "process %d: %zu thread%s ended, lower bound",
		                   (int)y->pid, d->n_ended, d->n_ended > 1 ? "s" : "");
	if (d->n_started)
		xcs_snapshot_event(after, "process %d: %zu thread%s started", (int)y->pid,
		                   d->n_started, d->n_started > 1 ? "s" : "");
}

static void diff_process(struct xcs_delta_process *d, const struct xcs_snapshot_process *x,
                         const struct xcs_snapshot_process *y, struct xcs_snapshot *after,
                         int64_t step)
{
	for (int c = 0; c < XCS_N_COUNTS; c++)
		d->delta[c] = XCS_ABSENT;
	if (!x || !y->n)
		return;
	if (!same_process(x, y)) {
		xcs_snapshot_event(after,
		                   "process %d restarted: %s ended and %s has its number; no rate",
		                   (int)y->pid, x->comm, y->comm);
		return;
	}
	*d = (struct xcs_delta_process){.comparable = true};
	for (size_t i = 0; i < y->n; i++) {
		const struct xcs_snapshot_thread *was = find_thread(x, &y->threads[i]);
		d->n_started += !was;
		add_thread(d, after, was, &y->threads[i], step);
	}
	for (size_t i = 0; i < x->n; i++)
		d->n_ended += !find_thread(y, &x->threads[i]);
	note_threads(d, y, after);
}

void xcs_delta_init(struct xcs_delta *out, const struct xcs_snapshot *before,
                    struct xcs_snapshot *after, int64_t interval_ns)
{
	int64_t step = max_step(after, interval_ns);

	*out = (struct xcs_delta){
	        .rebooted = was_rebooted(before, after),
	        .ctxt = XCS_ABSENT,
	        .intr = XCS_ABSENT,
	        .forks = XCS_ABSENT,
	        .total_ticks = XCS_ABSENT,
	        .processes = xcs_xcalloc(after->n_processes + 1, sizeof(*out->processes)),
	        .n_processes = after->n_processes,
	};
	for (int t = 0; t < XCS_N_STAT_TICKS; t++)
		out->ticks[t] = XCS_ABSENT;
	if (out->rebooted) {
		xcs_snapshot_event(after, "incomplete: rebooted between the samples; no rate");
		for (size_t i = 0; i < out->n_processes; i++)
			diff_process(&out->processes[i], NULL, NULL, after, step);
		return;
	}
	const struct xcs_stat *a = &before->stat, *b = &after->stat;
	out->ctxt = named_delta(after, "ctxt", a->ctxt_total, b->ctxt_total, step);
	out->intr = named_delta(after, "intr", a->intr_total, b->intr_total, step);
	out->forks = named_delta(after, "processes", a->forks_total, b->forks_total, step);
	diff_ticks(out, before, after, step);
	note_hotplug(before, after);
	for (size_t i = 0; i < out->n_processes; i++)
		diff_process(&out->processes[i], find_process(before, after->processes[i].pid),
		             &after->processes[i], after, step);
}

void xcs_delta_fini(struct xcs_delta *d)
{
	free(d->processes);
	*d = (struct xcs_delta){0};
}
