/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What each busy loop beside a load got, and what it must get under a fair scheduler.
 */
#include "figures_private.h"

#include <common/alloc.h>
#include <reports/stats.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_hog(const struct xcs_window_role *role)
{
	return role->class_id == XCS_CLASS_HOG && role->n_threads > 0;
}

static int count_hogs(const struct xcs_window *w)
{
	int n = 0;

	for (size_t i = 0; i < w->n_roles; i++)
		n += is_hog(&w->roles[i]);
	return n;
}

void xcs_hog_figures(struct xcs_figures *f, const struct xcs_window *w)
{
	double *pct = xcs_xcalloc(w->n_roles + 1, sizeof(*pct));
	double sum = 0, min = 0, max = 0;
	size_t n = 0;

	for (size_t i = 0; i < w->n_roles; i++) {
		const struct xcs_window_role *role = &w->roles[i];
		if (!is_hog(role))
			continue;
		struct xcs_num cpu = xcs_rate_per_s(role->delta[XCS_WINDOW_EXEC_NS], role->dt_ns);
		if (!cpu.known) {
			n = 0;
			break;
		}
		pct[n] = cpu.v * 1e-7; /* ns per second to per cent */
		min = n && min < pct[n] ? min : pct[n];
		max = n && max > pct[n] ? max : pct[n];
		sum += pct[n++];
	}
	if (n) {
		f->v[XCS_METRIC_HOG_CPU] = xcs_num_of(sum / (double)n);
		f->v[XCS_METRIC_HOG_CPU_MIN] = xcs_num_of(min);
		f->v[XCS_METRIC_HOG_CPU_MAX] = xcs_num_of(max);
		f->v[XCS_METRIC_HOG_FAIRNESS] = xcs_jain(pct, n);
	}
	free(pct);
}

/* Of a task at that nice; at nice 0 it is 1. Each step is a factor of 1.25 within rounding:
 * kernel/sched/core.c, sched_prio_to_weight[]. */
static double weight(double nice)
{
	return pow(1.25, -nice);
}

static bool is_by_group(const struct xcs_run *run)
{
	const char *on = xcs_facts_get(&run->environment, "sched.autogroup");

	return on && strcmp(on, "1") == 0;
}

/* The nice value by which a role is weighed; unknown when its threads differ. */
static struct xcs_num effective_nice(const struct xcs_window_role *role, const struct xcs_run *run,
                                     const struct xcs_run_cell *cell)
{
	const char *mode = run->plan.autogroup_mode;

	if (!is_by_group(run))
		return role->nice;
	bool is_moved = role->class_id == XCS_CLASS_SERVER ||
	                (role->class_id == XCS_CLASS_COMPOSITOR && run->plan.boost &&
	                 strcmp(run->plan.boost, "chain") == 0);
	if (is_moved && mode && strcmp(mode, "nice") == 0)
		return xcs_num_of(cell->x_nice);
	return xcs_num_of(0);
}

/* Mean number of runnable tasks of a role, times their weight. */
static struct xcs_num weighted_runnable(const struct xcs_window_role *role,
                                        const struct xcs_run *run, const struct xcs_run_cell *cell)
{
	struct xcs_num nice = effective_nice(role, run, cell);
	struct xcs_num runs = xcs_rate_per_s(role->delta[XCS_WINDOW_EXEC_NS], role->dt_ns);
	struct xcs_num waits = xcs_rate_per_s(role->delta[XCS_WINDOW_RUN_DELAY_NS], role->dt_ns);

	if (!nice.known)
		return (struct xcs_num){0};
	/* Its compilers want the CPU all the time; what they waited for it, nobody has read. */
	if (role->class_id == XCS_CLASS_BUILD)
		return xcs_num_of(weight(nice.v) *
		                  (is_by_group(run) ? 1 : run->loads[cell->load].n_compile_jobs));
	return xcs_num_times(xcs_num_plus(runs, waits), 1e-9 * weight(nice.v));
}

void xcs_figures_expect_hogs(struct xcs_figures *f, const struct xcs_window *w,
                             const struct xcs_run *run, const struct xcs_run_cell *cell)
{
	struct xcs_num others = xcs_num_of(0), own = {0}, loops = xcs_num_of(0);
	int n_hogs = count_hogs(w);

	for (size_t i = 0; i < w->n_roles; i++) {
		const struct xcs_window_role *role = &w->roles[i];
		if (!role->n_threads)
			continue;
		if (!is_hog(role)) {
			others = xcs_num_plus(others, weighted_runnable(role, run, cell));
			continue;
		}
		struct xcs_num nice = effective_nice(role, run, cell);
		own = nice.known ? xcs_num_of(weight(nice.v)) : (struct xcs_num){0};
		loops = xcs_num_plus(loops, own);
	}
	if (!n_hogs || w->n_cpus <= 0)
		return;
	struct xcs_num per_cpu =
	        xcs_num_times(xcs_num_plus(loops, others), 1.0 / (double)w->n_cpus);
	struct xcs_num pct = xcs_num_times(xcs_num_ratio(own, per_cpu), 100);
	if (pct.known && pct.v > 100)
		pct.v = 100; /* fewer loops than CPUs: each has one for itself */
	f->v[XCS_METRIC_HOG_EXPECTED] = pct;
}
