/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The charts of a run: what the tables say, so that it can be seen, and single trials and
 * moments, which no table holds.
 */
#include "report.h"
#include "steps.h"

#include <common/alloc.h>
#include <common/units.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	TIMELINES_MAX = 12,
	TAIL_POINTS = 120
};

enum {
	MAIN_SWEEPS = 5 /* the first ones; the others are asides */
};

static const enum xcs_metric_id sweep_metrics[] = {
        XCS_METRIC_CS,
        XCS_METRIC_CS_TASK,
        XCS_METRIC_LINES,
        XCS_METRIC_FRAMES,
        XCS_METRIC_COMMAND_REAL,
        XCS_METRIC_SERVER_CPU,
        XCS_METRIC_SERVER_RUN_DELAY,
        XCS_METRIC_ROUND_TRIP,
        XCS_METRIC_REQUESTS_PER_WAKEUP,
};

static const enum xcs_metric_id strip_metrics[] = {XCS_METRIC_CS_TASK, XCS_METRIC_LINES,
                                                   XCS_METRIC_COMMAND_REAL};

/* What a sweep goes over: the nice levels of the server, or the number of hogs. */
struct sweep {
	int (*x)(const struct xcs_run_cell *c);
	int (*other)(const struct xcs_run_cell *c); /* alike within a line */
	const char *title;
};

static int nice_of(const struct xcs_run_cell *c)
{
	return c->x_nice;
}

static int hogs_of(const struct xcs_run_cell *c)
{
	return c->n_hogs;
}

static bool same_line(const struct sweep *sweep, const struct xcs_run_cell *a,
                      const struct xcs_run_cell *b)
{
	return a->load == b->load && sweep->other(a) == sweep->other(b);
}

/* True when some line of the sweep has two values of x. */
static bool goes_over(const struct xcs_run *run, const struct sweep *sweep)
{
	for (size_t i = 0; i < run->n_cells; i++)
		for (size_t k = 0; k < i; k++)
			if (same_line(sweep, &run->cells[i], &run->cells[k]) &&
			    sweep->x(&run->cells[i]) != sweep->x(&run->cells[k]))
				return true;
	return false;
}

/* The lines of a sweep name what they do not go over, where that differs. */
static char *line_name_dup(const struct xcs_summary *s, const struct sweep *sweep, size_t cell)
{
	const struct xcs_run_cell *c = &s->run.cells[cell];
	const char *load = s->run.loads[c->load].id;

	if (!report_has_hogs(s))
		return xcs_xstrdup(load);
	if (sweep->x == nice_of)
		return xcs_xasprintf("%s, %d hogs", load, c->n_hogs);
	return xcs_xasprintf("%s, nice %d", load, c->x_nice);
}

/* The cell of the line of `first` with the smallest x above `*x`, or -1; *x becomes its x. */
static int next_on_line(const struct xcs_run *run, const struct sweep *sweep, size_t first, int *x,
                        bool any)
{
	int found = -1;

	for (size_t i = 0; i < run->n_cells; i++) {
		int here = sweep->x(&run->cells[i]);
		if (!same_line(sweep, &run->cells[i], &run->cells[first]) || (!any && here <= *x))
			continue;
		if (found < 0 || here < sweep->x(&run->cells[found]))
			found = (int)i;
	}
	if (found >= 0)
		*x = sweep->x(&run->cells[found]);
	return found;
}

static void add_spread(const struct xcs_chart *c, struct xcs_series *series, double x,
                       const struct xcs_spread *v)
{
	struct xcs_point *p = xcs_series_add(c, series, x, xcs_spread_median(v));

	if (!p)
		return;
	p->low = xcs_num_of(v->min);
	p->high = xcs_num_of(v->max);
	char *label = xcs_xasprintf("%zu trial%s", v->n, v->n == 1 ? "" : "s");
	xcs_point_set_label(p, label);
	free(label);
}

static void sweep_line(const struct xcs_summary *s, const struct sweep *sweep, size_t first,
                       enum xcs_metric_id id, struct xcs_chart *c)
{
	char *name = line_name_dup(s, sweep, first);
	struct xcs_series *series = xcs_chart_add_series(c, name);
	int x = 0;

	for (int cell = next_on_line(&s->run, sweep, first, &x, true); cell >= 0;
	     cell = next_on_line(&s->run, sweep, first, &x, false))
		add_spread(c, series, x, &s->cells[cell].v[id]);
	free(name);
}

static bool begins_line(const struct xcs_run *run, const struct sweep *sweep, size_t cell)
{
	for (size_t i = 0; i < cell; i++)
		if (same_line(sweep, &run->cells[i], &run->cells[cell]))
			return false;
	return true;
}

static void chart_titled(struct xcs_chart *c, enum xcs_metric_id id)
{
	const struct xcs_metric *m = xcs_metric(id);

	xcs_chart_set_y(c, m->title, strcmp(m->unit, "1") == 0 ? "" : m->unit, m->digits);
}

static void sweep_chart(const struct xcs_summary *s, const struct sweep *sweep,
                        enum xcs_metric_id id, bool is_aside, struct xcs_section *section)
{
	char *chart_id = xcs_xasprintf("sweep_%s", xcs_metric(id)->id);
	char *title = xcs_xasprintf("%s against %s", xcs_metric(id)->title, sweep->title);
	struct xcs_chart *c = xcs_doc_chart(section, chart_id, XCS_CHART_SWEEP, title);

	c->is_aside = is_aside;
	c->caption = xcs_xstrdup("Median of the trials; the bar goes from the least to the most.");
	xcs_chart_set_x(c, sweep->title, "", 0);
	chart_titled(c, id);
	for (size_t i = 0; i < s->run.n_cells; i++)
		if (begins_line(&s->run, sweep, i))
			sweep_line(s, sweep, i, id, c);
	xcs_doc_chart_done(section);
	free(chart_id);
	free(title);
}

static void sweep_charts(const struct xcs_summary *s, struct xcs_section *section)
{
	const struct sweep by_nice = {nice_of, hogs_of,
	                              report_is_relative(s) ? "relative X nice" : "X nice"};
	const struct sweep by_hogs = {hogs_of, nice_of, "hogs"};
	const struct sweep *sweep = goes_over(&s->run, &by_nice) ? &by_nice : &by_hogs;

	if (!goes_over(&s->run, sweep))
		return;
	for (size_t i = 0; i < ARRAY_LEN(sweep_metrics); i++)
		sweep_chart(s, sweep, sweep_metrics[i], i >= MAIN_SWEEPS, section);
}

static char *trial_label_dup(const struct xcs_summary *s, size_t trial)
{
	return xcs_xasprintf("trial %zu, block %d", trial, s->run.trials[trial].block);
}

static void strip_boot(const struct xcs_summary *s, size_t boot, enum xcs_metric_id id,
                       struct xcs_chart *c)
{
	char *name = s->run.n_boots > 1 ? xcs_xasprintf("boot %zu", boot + 1) : NULL;
	struct xcs_series *series = xcs_chart_add_series(c, name ? name : "trial");

	free(name);
	for (size_t i = 0; i < s->run.n_trials; i++) {
		const struct xcs_run_trial *t = &s->run.trials[i];
		if (!xcs_summary_counts(s, i) || (t->boot >= 0 && (size_t)t->boot != boot))
			continue;
		char *label = trial_label_dup(s, i);
		xcs_point_set_label(xcs_series_add(c, series, t->cell, s->trials[i].figures.v[id]),
		                    label);
		free(label);
	}
}

/* One mark per cell is what the tables say already. */
static bool has_several(const struct xcs_summary *s)
{
	for (size_t i = 0; i < s->run.n_cells; i++)
		if (s->cells[i].n_counted > 1)
			return true;
	return false;
}

static void strip_chart(const struct xcs_summary *s, enum xcs_metric_id id,
                        struct xcs_section *section)
{
	char *chart_id = xcs_xasprintf("trials_%s", xcs_metric(id)->id);
	char *title = xcs_xasprintf("%s of each trial", xcs_metric(id)->title);
	struct xcs_chart *c = xcs_doc_chart(section, chart_id, XCS_CHART_STRIP, title);

	c->caption = xcs_xstrdup("One mark is one trial that the tables rest on.");
	xcs_chart_set_x(c, "cell", "", 0);
	chart_titled(c, id);
	for (size_t i = 0; i < s->run.n_cells; i++) {
		struct xcs_buf name = {0};
		report_name_cell(s, i, &name);
		xcs_chart_add_tick(c, name.p);
		xcs_buf_fini(&name);
	}
	for (size_t boot = 0; boot < s->run.n_boots || boot == 0; boot++)
		strip_boot(s, boot, id, c);
	xcs_doc_chart_done(section);
	free(chart_id);
	free(title);
}

/*
 * Share of the samples that came later than x, at as many ranks as can be told apart on a log
 * axis; ranks of the same lateness are one point.
 */
static void tail_points(const struct xcs_observer_summary *o, struct xcs_chart *c,
                        struct xcs_series *series)
{
	size_t last = SIZE_MAX;
	double n = (double)o->n_late;

	for (int i = TAIL_POINTS; i >= 0; i--) {
		double share = pow(n, -1.0 + (double)i / TAIL_POINTS); /* 1 down to 1/n */
		size_t rank = (size_t)fmin(n - 1, floor(n - n * share));
		if (last != SIZE_MAX && o->late_ns[rank] == o->late_ns[last])
			continue;
		last = rank;
		xcs_series_add(c, series, (double)o->late_ns[rank] / XCS_NS_PER_US,
		               xcs_num_of((n - (double)rank) / n));
	}
}

static void tail_chart(const struct xcs_summary *s, struct xcs_section *section)
{
	struct xcs_chart *c = xcs_doc_chart(section, "late", XCS_CHART_TAIL,
	                                    "Lateness of the observer's samples");

	c->is_aside = true;
	c->caption = xcs_xstrdup("Share of the samples that came that late or later. Both axes "
	                         "are logarithmic: each step down is ten times rarer.");
	c->x.is_log = c->y.is_log = true;
	xcs_chart_set_x(c, "late", "us", 1);
	xcs_chart_set_y(c, "share of samples", "", 6);
	if (s->observer.n_late > 1)
		tail_points(&s->observer, c, xcs_chart_add_series(c, "observer"));
	xcs_doc_chart_done(section);
}

static void step_series(const struct report_steps *steps, enum report_steps_metric m,
                        struct xcs_chart *c)
{
	struct xcs_series *series =
	        xcs_chart_add_series(c, xcs_metric(report_steps_metric(m))->title);

	for (size_t i = 0; i < steps->lists[m].n; i++)
		xcs_series_add(c, series, xcs_ns_to_s(steps->lists[m].v[i].t_ns),
		               steps->lists[m].v[i].per_s);
}

static void timeline_chart(const struct xcs_summary *s, size_t trial,
                           const struct xcs_trial_data *data, struct xcs_section *section)
{
	struct xcs_buf cell = {0};
	struct report_steps steps;

	report_name_cell(s, (size_t)s->run.trials[trial].cell, &cell);
	char *id = xcs_xasprintf("timeline_%zu", trial);
	char *title = xcs_xasprintf("Trial %zu in time: %s", trial, cell.p);
	struct xcs_chart *c = xcs_doc_chart(section, id, XCS_CHART_TIMELINE, title);
	report_steps_of(&steps, data);
	c->is_aside = true;
	c->caption = xcs_xstrdup("The first trial of its cell that the tables rest on; a step is "
	                         "the rate between two samples.");
	xcs_chart_set_x(c, "time", "s", 3);
	xcs_chart_set_y(c, "switches", "1/s", 0);
	step_series(&steps, STEPS_CS, c);
	step_series(&steps, STEPS_CS_TASK, c);
	for (size_t i = 0; i < steps.n_events; i++)
		xcs_chart_add_event(c, xcs_ns_to_s(steps.events[i].t_ns), steps.events[i].text);
	xcs_doc_chart_done(section);
	report_steps_fini(&steps);
	xcs_buf_fini(&cell);
	free(title);
	free(id);
}

static int first_counted(const struct xcs_summary *s, int cell)
{
	for (size_t i = 0; i < s->run.n_trials; i++)
		if (s->run.trials[i].cell == cell && xcs_summary_counts(s, i))
			return (int)i;
	return -1;
}

static void timeline_charts(const struct xcs_summary *s, struct xcs_section *section)
{
	for (size_t cell = 0; cell < s->run.n_cells && cell < TIMELINES_MAX; cell++) {
		struct xcs_trial_data data;
		int trial = first_counted(s, (int)cell);
		if (trial < 0 || !s->run.trials[trial].file)
			continue;
		char *path = xcs_xasprintf("%s/%s", s->dir, s->run.trials[trial].file);
		if (xcs_trial_load(&data, path, NULL) == 0) {
			timeline_chart(s, (size_t)trial, &data, section);
			xcs_trial_fini(&data);
		}
		free(path);
	}
}

void report_charts(const struct xcs_summary *s, struct xcs_doc *doc)
{
	struct xcs_section *section = xcs_doc_section(doc, "charts", "Charts");

	sweep_charts(s, section);
	for (size_t i = 0; i < ARRAY_LEN(strip_metrics) && has_several(s); i++)
		strip_chart(s, strip_metrics[i], section);
	tail_chart(s, section);
	timeline_charts(s, section);
}
