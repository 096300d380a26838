/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live_rates.h"

#include <collectors/delta.h>
#include <common/alloc.h>
#include <common/units.h>

#include <stdlib.h>
#include <string.h>

#define TICKS_NS XCS_NS_PER_S /* under a second tick samples are noise */

/* a - b, unknown when either is, or when the counter fell. */
static int64_t grown(int64_t after, int64_t before)
{
	if (after == XCS_ABSENT || before == XCS_ABSENT || after < before)
		return XCS_ABSENT;
	return after - before;
}

static struct xcs_num scaled(int64_t part, double scale, int64_t whole)
{
	if (part == XCS_ABSENT || whole == XCS_ABSENT || whole <= 0)
		return (struct xcs_num){0};
	return (struct xcs_num){true, (double)part * scale / (double)whole};
}

static struct xcs_num per_s(int64_t delta, int64_t dt_ns)
{
	return scaled(delta, (double)XCS_NS_PER_S, dt_ns);
}

static struct xcs_num gauge(int64_t v)
{
	return v == XCS_ABSENT ? (struct xcs_num){0} : (struct xcs_num){true, (double)v};
}

/* What one share of CPU time grew by. idle, iowait and steal may step back a little: idle
 * times are joined by the caller, the rest counts as 0. */
static int64_t grown_ticks(int64_t after, int64_t before, int t)
{
	bool idle = t == XCS_STAT_IDLE || t == XCS_STAT_IOWAIT;

	if (after == XCS_ABSENT || before == XCS_ABSENT)
		return XCS_ABSENT;
	return after < before && !idle ? 0 : after - before;
}

static void set_shares(struct live_rates *r, const int64_t *now)
{
	int64_t d[XCS_STAT_GUEST], sum = 0;

	for (int t = 0; t < XCS_STAT_GUEST; t++)
		d[t] = grown_ticks(now[t], r->was_ticks[t], t);
	if (d[XCS_STAT_IDLE] != XCS_ABSENT && d[XCS_STAT_IOWAIT] != XCS_ABSENT)
		xcs_delta_join_idle(&d[XCS_STAT_IDLE], &d[XCS_STAT_IOWAIT]);
	for (int t = 0; t < XCS_STAT_GUEST; t++)
		sum += d[t] == XCS_ABSENT ? 0 : d[t];
	for (int t = 0; t < XCS_STAT_GUEST; t++)
		r->system.pct[t] = scaled(d[t], 100, sum);
}

static void step_ticks(struct live_rates *r, const int64_t *system)
{
	const int64_t *now = &system[XCS_SYSTEM_SET_USER_TICKS];

	if (r->has_ticks && system[XCS_SYSTEM_MONO_NS] - r->was_ticks_ns < TICKS_NS)
		return;
	if (r->has_ticks)
		set_shares(r, now);
	memcpy(r->was_ticks, now, sizeof(r->was_ticks));
	r->was_ticks_ns = system[XCS_SYSTEM_MONO_NS];
	r->has_ticks = true;
}

/* What is left of a growth without our own part of it, never under 0. */
static int64_t less(int64_t all, int64_t own)
{
	if (all == XCS_ABSENT || own == XCS_ABSENT)
		return XCS_ABSENT;
	return all > own ? all - own : 0;
}

static void step_system(struct live_rates *r, const struct xcs_sampler_view *v)
{
	const int64_t *now = v->system, *was = r->was_system;
	struct live_system *s = &r->system;

	step_ticks(r, now);
	s->mono_ns = now[XCS_SYSTEM_MONO_NS];
	s->dt_ns = grown(now[XCS_SYSTEM_MONO_NS], was[XCS_SYSTEM_MONO_NS]);
	int64_t running = now[XCS_SYSTEM_PROCS_RUNNING];
	s->runnable = gauge(running > 0 ? running - 1 : running);
	s->blocked = gauge(now[XCS_SYSTEM_PROCS_BLOCKED]);
	int64_t cs = grown(now[XCS_SYSTEM_CTXT_TOTAL], was[XCS_SYSTEM_CTXT_TOTAL]);
	int64_t own = grown(v->observer[XCS_OBSERVER_SWITCHES_TOTAL],
	                    r->was_observer[XCS_OBSERVER_SWITCHES_TOTAL]);
	s->cs = per_s(cs, s->dt_ns);
	int64_t intr = grown(now[XCS_SYSTEM_INTR_TOTAL], was[XCS_SYSTEM_INTR_TOTAL]);
	s->intr = per_s(intr, s->dt_ns);
	s->intr_net = per_s(less(intr, 1), s->dt_ns);
	s->psi_pct = scaled(grown(now[XCS_SYSTEM_PSI_CPU_SOME_US], was[XCS_SYSTEM_PSI_CPU_SOME_US]),
	                    100 * (double)XCS_NS_PER_US, s->dt_ns);
	s->own_cs = per_s(own, s->dt_ns);
	s->own_cpu_pct = scaled(
	        grown(v->observer[XCS_OBSERVER_CPU_NS], r->was_observer[XCS_OBSERVER_CPU_NS]), 100,
	        s->dt_ns);
	/* Each of our switches is one away and one back. */
	s->cs_net = per_s(less(cs, own == XCS_ABSENT ? own : 2 * own), s->dt_ns);
}

/* Sums what the threads of process p grew by in one column. */
static int64_t sum_threads(const struct live_rates *r, const struct xcs_sampler_view *v, size_t p,
                           int column)
{
	int64_t sum = 0;

	for (size_t t = 0; t < v->n_tasks; t++) {
		const struct xcs_sampler_task *task = &v->tasks[t];
		if (task->process != p || (t < r->n_was && r->was[t].ended))
			continue;
		/* A thread that was not there before has counted from 0. */
		int64_t before = t < r->n_was ? r->was[t].now[column] : 0;
		int64_t d = grown(task->now[column], before);
		if (d == XCS_ABSENT)
			return XCS_ABSENT;
		sum += d;
	}
	return sum;
}

static void count_threads(const struct live_rates *r, const struct xcs_sampler_view *v, size_t p,
                          struct live_process *out)
{
	for (size_t t = 0; t < v->n_tasks; t++) {
		if (v->tasks[t].process != p)
			continue;
		out->n_started += t >= r->n_was;
		out->n_ended += v->tasks[t].ended && (t >= r->n_was || !r->was[t].ended);
	}
	out->n_threads = v->processes[p].n_live;
}

static void add_process(struct live_rates *r, const struct xcs_sampler_view *v, size_t p)
{
	const struct xcs_sampler_process *proc = &v->processes[p];
	const int64_t *now = v->tasks[proc->main_task].now;
	int64_t dt_ns = grown(now[XCS_TASK_MONO_NS], r->was[proc->main_task].now[XCS_TASK_MONO_NS]);

	if (dt_ns == XCS_ABSENT || dt_ns == 0)
		dt_ns = r->system.dt_ns;
	int64_t delay = sum_threads(r, v, p, XCS_TASK_RUN_DELAY_NS);
	r->processes =
	        xcs_xgrow(r->processes, r->n_processes, &r->cap_processes, sizeof(*r->processes));
	struct live_process *out = &r->processes[r->n_processes++];
	*out = (struct live_process){
	        .pid = proc->watch.pid,
	        .comm = proc->comm,
	        .vcs = per_s(sum_threads(r, v, p, XCS_TASK_VOLUNTARY_TOTAL), dt_ns),
	        .ics = per_s(sum_threads(r, v, p, XCS_TASK_INVOLUNTARY_TOTAL), dt_ns),
	        .migrations = per_s(sum_threads(r, v, p, XCS_TASK_MIGRATIONS_TOTAL), dt_ns),
	        .cpu_pct = scaled(sum_threads(r, v, p, XCS_TASK_EXEC_NS), 100, dt_ns),
	        .delay_pct = scaled(delay, 100, dt_ns),
	        .delay_us = scaled(delay, 1e-3, sum_threads(r, v, p, XCS_TASK_TIMESLICES_TOTAL)),
	        .nice = gauge(now[XCS_TASK_NICE]),
	        .policy = gauge(now[XCS_TASK_POLICY]),
	};
	count_threads(r, v, p, out);
}

static void step_processes(struct live_rates *r, const struct xcs_sampler_view *v)
{
	int64_t switches = 0;

	r->n_processes = 0;
	for (size_t p = 0; p < r->n_was_processes; p++) {
		const struct xcs_sampler_process *proc = &v->processes[p];
		if (proc->ended && r->was[proc->main_task].ended)
			continue;
		add_process(r, v, p);
		int64_t d = sum_threads(r, v, p, XCS_TASK_SWITCHES_TOTAL);
		switches = d == XCS_ABSENT || switches == XCS_ABSENT ? XCS_ABSENT : switches + d;
	}
	r->system.task = v->n_processes ? per_s(switches, r->system.dt_ns) : (struct xcs_num){0};
}

static void keep(struct live_rates *r, const struct xcs_sampler_view *v)
{
	memcpy(r->was_system, v->system, sizeof(r->was_system));
	memcpy(r->was_observer, v->observer, sizeof(r->was_observer));
	if (v->n_tasks > r->cap_was) {
		r->cap_was = v->n_tasks * 2;
		r->was = xcs_xrealloc(r->was, r->cap_was * sizeof(*r->was));
	}
	if (v->n_tasks)
		memcpy(r->was, v->tasks, v->n_tasks * sizeof(*r->was));
	r->n_was = v->n_tasks;
	r->n_was_processes = v->n_processes;
}

bool live_rates_step(struct live_rates *r, const struct xcs_sampler_view *v)
{
	bool again = r->has_ticks;

	if (again) {
		step_system(r, v);
		step_processes(r, v);
	} else {
		step_ticks(r, v->system);
	}
	keep(r, v);
	return again;
}

void live_rates_fini(struct live_rates *r)
{
	free(r->processes);
	free(r->was);
	*r = (struct live_rates){0};
}
