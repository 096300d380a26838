/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Did the CPU time add up? What the tick sampled against what the scheduler and wait4(2)
 * measured, per class of processes; and what a build and typing did.
 */
#include "figures_private.h"

#include <common/alloc.h>
#include <reports/stats.h>

static struct xcs_num seconds(int64_t ns)
{
	return ns == XCS_ABSENT ? (struct xcs_num){0} : xcs_num_of((double)ns * 1e-9);
}

/* us, sy and ni of the load's CPUs: ticks that hit a task. */
static struct xcs_num busy_s(const struct xcs_window *w)
{
	static const enum xcs_window_ticks kinds[] = {XCS_WINDOW_US, XCS_WINDOW_SY, XCS_WINDOW_NI};
	double ticks = 0;

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (w->ticks[kinds[i]] == XCS_ABSENT)
			return (struct xcs_num){0};
		ticks += (double)w->ticks[kinds[i]];
	}
	return w->ticks_per_s > 0 ? xcs_num_of(ticks / (double)w->ticks_per_s)
	                          : (struct xcs_num){0};
}

/* What is left of the busy time: compilers are gone before their ticks could be read. */
static struct xcs_num left_for_build(const struct xcs_figures *f, const struct xcs_window *w,
                                     struct xcs_num busy)
{
	for (int c = 0; c < XCS_N_CLASSES; c++)
		if (c != XCS_CLASS_BUILD && w->classes[c].n_threads)
			busy = xcs_num_minus(busy, f->acct[c].tick_s);
	return busy;
}

void xcs_account_figures(struct xcs_figures *f, const struct xcs_window *w)
{
	struct xcs_acct sum = {xcs_num_of(0), xcs_num_of(0)};
	struct xcs_num busy = busy_s(w);

	for (int c = 0; c < XCS_N_CLASSES; c++) {
		const struct xcs_window_role *role = &w->classes[c];
		if (!role->n_threads)
			continue;
		f->acct[c].tick_s = seconds(role->tick_ns);
		f->acct[c].exact_s = seconds(role->delta[XCS_WINDOW_EXEC_NS]);
	}
	if (w->classes[XCS_CLASS_BUILD].n_threads)
		f->acct[XCS_CLASS_BUILD].tick_s = left_for_build(f, w, busy);
	for (int c = 0; c < XCS_N_CLASSES; c++) {
		if (!w->classes[c].n_threads)
			continue;
		sum.tick_s = xcs_num_plus(sum.tick_s, f->acct[c].tick_s);
		sum.exact_s = xcs_num_plus(sum.exact_s, f->acct[c].exact_s);
	}
	f->acct[XCS_ACCT_SUM] = sum;
	f->acct[XCS_ACCT_CPUS] = (struct xcs_acct){busy, seconds(w->set_run_ns)};
}

static struct xcs_num counter_rate(const struct xcs_window *w, const char *name,
                                   enum xcs_counter counter)
{
	const struct xcs_window_role *role = xcs_window_role(w, name);

	return role ? xcs_rate_per_s(role->counter[counter], role->counter_dt_ns)
	            : (struct xcs_num){0};
}

void xcs_beside_figures(struct xcs_figures *f, const struct xcs_window *w)
{
	const struct xcs_window_role *build = xcs_window_role(w, "build");
	struct xcs_num files = counter_rate(w, "build", XCS_COUNTER_FILES);
	struct xcs_num child_ns = counter_rate(w, "build", XCS_COUNTER_CHILD_CPU_NS);

	f->v[XCS_METRIC_BUILD_FILES] = files;
	if (build && build->n_threads)
		f->v[XCS_METRIC_BUILD_CPU] = xcs_num_times(
		        xcs_rate_per_s(build->delta[XCS_WINDOW_EXEC_NS], build->dt_ns), 1e-7);
	f->v[XCS_METRIC_BUILD_CPU_PER_FILE] = xcs_num_times(xcs_num_ratio(child_ns, files), 1e-6);
	f->v[XCS_METRIC_KEYS_SENT] = counter_rate(w, "typist", XCS_COUNTER_KEYS);
	f->v[XCS_METRIC_KEYS] = counter_rate(w, "echo", XCS_COUNTER_KEYS);
}
