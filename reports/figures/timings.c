/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <reports/stats.h>
#include <reports/timings.h>

#include <stdlib.h>
#include <string.h>

bool xcs_load_is_timed(const struct xcs_run_load *load)
{
	return load->timer != NULL;
}

/* A whole call of hyperfine stands among its runs, for the sum of its CPU time. */
static bool is_run(const struct xcs_run_timing *t, const char *role)
{
	if (t->role && strcmp(t->role, "hyperfine") == 0)
		return false;
	return !role || (t->role && strcmp(t->role, role) == 0);
}

static struct xcs_num seconds(struct xcs_num ns)
{
	return xcs_num_times(ns, 1e-9);
}

static struct xcs_num figure_of(const struct xcs_run_timing *t, int metric)
{
	switch (metric) {
	case XCS_METRIC_COMMAND_REAL:
		return seconds(t->real_ns);
	case XCS_METRIC_COMMAND_USER:
		return seconds(t->user_ns);
	case XCS_METRIC_COMMAND_SYS:
		return seconds(t->sys_ns);
	case XCS_METRIC_COMMAND_CPU:
		return xcs_num_times(xcs_num_ratio(xcs_num_plus(t->user_ns, t->sys_ns), t->real_ns),
		                     100);
	case XCS_METRIC_COMMAND_DRAINED:
		return seconds(t->drained_ns);
	case XCS_METRIC_COMMAND_DRAWN:
		return seconds(t->drawn_ns);
	case XCS_METRIC_COMMAND_LINES:
		return xcs_num_ratio(t->n_lines,
		                     seconds(t->drawn_ns.known ? t->drawn_ns : t->real_ns));
	default:
		return (struct xcs_num){0};
	}
}

/* Over the runs of one trial. `scratch` has room for all of them. */
static struct xcs_spread spread_of_runs(const struct xcs_run_trial *t, const char *role, int id,
                                        struct xcs_num *scratch)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n_timings; i++)
		if (is_run(&t->timings[i], role))
			scratch[n++] = figure_of(&t->timings[i], id);
	return xcs_spread_of(scratch, n);
}

void xcs_command_figures(struct xcs_figures *f, const struct xcs_run_trial *t, const char *role)
{
	struct xcs_num *scratch = xcs_xcalloc(t->n_timings, sizeof(*scratch));

	for (int id = XCS_METRIC_COMMAND_REAL; id <= XCS_METRIC_COMMAND_LINES; id++) {
		struct xcs_spread spread = spread_of_runs(t, role, id, scratch);
		f->v[id] = xcs_spread_median(&spread);
	}
	free(scratch);
}

/* One trial has no spread of its own; its runs have one. */
static void spread_one_trial(struct xcs_timings *t, const struct xcs_run_trial *trial,
                             const char *role)
{
	struct xcs_num *scratch = xcs_xcalloc(trial->n_timings, sizeof(*scratch));

	for (int id = XCS_METRIC_COMMAND_REAL; id <= XCS_METRIC_COMMAND_LINES; id++)
		t->v[id] = spread_of_runs(trial, role, id, scratch);
	free(scratch);
}

static void add_run(struct xcs_timings *t, const struct xcs_run_timing *run, double *first_ns)
{
	if (t->n_runs++ == 0) {
		t->nice = run->nice;
		t->constant = run->real_ns.known;
		*first_ns = run->real_ns.v;
	}
	if (!run->nice.known || run->nice.v != t->nice.v)
		t->nice.known = false;
	if (!run->real_ns.known || run->real_ns.v != *first_ns)
		t->constant = false;
}

static void count_runs(struct xcs_timings *t, const struct xcs_summary *s, size_t cell,
                       const char *role)
{
	double first_ns = 0;

	for (size_t i = 0; i < s->run.n_trials; i++) {
		const struct xcs_run_trial *trial = &s->run.trials[i];
		if (trial->cell != (int)cell || !xcs_summary_counts(s, i))
			continue;
		for (size_t k = 0; k < trial->n_timings; k++)
			if (is_run(&trial->timings[k], role))
				add_run(t, &trial->timings[k], &first_ns);
	}
	t->constant = t->constant && t->n_runs >= 3;
}

void xcs_timings_of(struct xcs_timings *t, const struct xcs_summary *s, size_t cell,
                    const char *role)
{
	struct xcs_figures *figures = xcs_xcalloc(s->run.n_trials, sizeof(*figures));
	struct xcs_num *scratch = xcs_xcalloc(s->run.n_trials, sizeof(*scratch));
	const struct xcs_run_trial *last = NULL;
	size_t n = 0;

	*t = (struct xcs_timings){0};
	for (size_t i = 0; i < s->run.n_trials; i++) {
		if (s->run.trials[i].cell != (int)cell || !xcs_summary_counts(s, i))
			continue;
		last = &s->run.trials[i];
		xcs_command_figures(&figures[n++], last, role);
	}
	for (int id = XCS_METRIC_COMMAND_REAL; id <= XCS_METRIC_COMMAND_LINES; id++) {
		for (size_t i = 0; i < n; i++)
			scratch[i] = figures[i].v[id];
		t->v[id] = xcs_spread_of(scratch, n);
	}
	if (n == 1)
		spread_one_trial(t, last, role);
	count_runs(t, s, cell, role);
	free(scratch);
	free(figures);
}
