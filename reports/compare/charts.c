/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A comparison as charts: every metric against the server's nice, one line per load and
 * kernel, and from three kernels on its course over them. Values are those of boots.
 */
#include "compare_private.h"

#include <common/alloc.h>

#include <stdlib.h>
#include <string.h>

static const enum xcs_metric_id metrics[] = {
        XCS_METRIC_CS_TASK,      XCS_METRIC_LINES,      XCS_METRIC_FRAMES,
        XCS_METRIC_COMMAND_REAL, XCS_METRIC_SERVER_CPU, XCS_METRIC_SERVER_RUN_DELAY,
};

enum {
	TREND_GROUPS_MIN = 3 /* two are seen in the tables */
};

static struct xcs_spread boots_of(const struct xcs_campaign_group *g, size_t cell,
                                  enum xcs_metric_id id)
{
	struct xcs_num *v = xcs_xcalloc(g->n_boots + 1, sizeof(*v));

	for (size_t i = 0; i < g->n_boots; i++)
		v[i] = g->boots[i].v[cell * XCS_N_METRICS + id];
	struct xcs_spread spread = xcs_spread_of(v, g->n_boots);
	free(v);
	return spread;
}

static void add_boots(const struct xcs_chart *chart, struct xcs_series *series, double x,
                      const struct xcs_spread *v)
{
	struct xcs_point *p = xcs_series_add(chart, series, x, xcs_spread_median(v));

	if (!p)
		return;
	p->low = xcs_num_of(v->min);
	p->high = xcs_num_of(v->max);
	char *label = xcs_xasprintf("%zu boot%s", v->n, v->n == 1 ? "" : "s");
	xcs_point_set_label(p, label);
	free(label);
}

/* A cell's name without its nice level: "xterm, nice -10, 2 hogs" and "xterm, nice 0, 2 hogs"
 * are on one line. */
static bool same_line(const struct xcs_campaign *c, size_t a, size_t b)
{
	const char *tail_a = strstr(c->cells[a] + strlen(c->loads[a]), ", nice ");
	const char *tail_b = strstr(c->cells[b] + strlen(c->loads[b]), ", nice ");

	if (strcmp(c->loads[a], c->loads[b]) || !tail_a || !tail_b)
		return false;
	tail_a = strchr(tail_a + 1, ',');
	tail_b = strchr(tail_b + 1, ',');
	return strcmp(tail_a ? tail_a : "", tail_b ? tail_b : "") == 0;
}

/* The cell of first's line with the least nice level above *nice, or n_cells; `any`: the least. */
static size_t next_on_line(const struct xcs_campaign *c, size_t first, int *nice, bool any)
{
	size_t found = c->n_cells;

	for (size_t i = 0; i < c->n_cells; i++) {
		if (!same_line(c, i, first) || (!any && c->nices[i] <= *nice))
			continue;
		if (found == c->n_cells || c->nices[i] < c->nices[found])
			found = i;
	}
	if (found < c->n_cells)
		*nice = c->nices[found];
	return found;
}

/* True for the first cell of a line with more than one nice level. */
static bool begins_line(const struct xcs_campaign *c, size_t cell)
{
	int nice = 0;

	for (size_t i = 0; i < cell; i++)
		if (same_line(c, i, cell))
			return false;
	return next_on_line(c, cell, &nice, true) < c->n_cells &&
	       next_on_line(c, cell, &nice, false) < c->n_cells;
}

static void sweep_line(const struct xcs_campaign *c, const struct xcs_campaign_group *g,
                       size_t first, enum xcs_metric_id id, struct xcs_chart *chart)
{
	char *name = xcs_xasprintf("%s, %s", c->loads[first], g->key);
	struct xcs_series *series = xcs_chart_add_series(chart, name);
	int nice = 0;

	for (size_t i = next_on_line(c, first, &nice, true); i < c->n_cells;
	     i = next_on_line(c, first, &nice, false)) {
		struct xcs_spread v = boots_of(g, i, id);
		add_boots(chart, series, nice, &v);
	}
	free(name);
}

static struct xcs_chart *begin(struct xcs_section *s, const char *prefix, const char *suffix,
                               enum xcs_chart_kind kind, enum xcs_metric_id id)
{
	const struct xcs_metric *m = xcs_metric(id);
	char *chart_id = xcs_xasprintf("%s_%s", prefix, m->id);
	char *title = xcs_xasprintf("%s %s", m->title, suffix);
	struct xcs_chart *chart = xcs_doc_chart(s, chart_id, kind, title);

	chart->caption =
	        xcs_xstrdup("Median of the boots; the bar goes from the least to the most.");
	xcs_chart_set_y(chart, m->title, strcmp(m->unit, "1") == 0 ? "" : m->unit, m->digits);
	free(chart_id);
	free(title);
	return chart;
}

static void sweep(const struct xcs_campaign *c, enum xcs_metric_id id, struct xcs_section *s)
{
	struct xcs_chart *chart = begin(s, "sweep", "against X nice", XCS_CHART_SWEEP, id);

	xcs_chart_set_x(chart, "X nice", "", 0);
	for (size_t cell = 0; cell < c->n_cells; cell++)
		for (size_t g = 0; begins_line(c, cell) && g < c->n_groups; g++)
			sweep_line(c, &c->groups[g], cell, id, chart);
	xcs_doc_chart_done(s);
}

static void trend(const struct xcs_campaign *c, enum xcs_metric_id id, struct xcs_section *s)
{
	struct xcs_chart *chart = begin(s, "trend", "over the kernels", XCS_CHART_TREND, id);

	chart->is_aside = true;
	xcs_chart_set_x(chart, "kernel", "", 0);
	for (size_t g = 0; g < c->n_groups; g++)
		xcs_chart_add_tick(chart, c->groups[g].key);
	for (size_t cell = 0; cell < c->n_cells; cell++) {
		struct xcs_series *series = xcs_chart_add_series(chart, c->cells[cell]);
		for (size_t g = 0; g < c->n_groups; g++) {
			struct xcs_spread v = boots_of(&c->groups[g], cell, id);
			add_boots(chart, series, (double)g, &v);
		}
	}
	xcs_doc_chart_done(s);
}

void compare_charts(const struct xcs_comparison *x, struct xcs_doc *doc)
{
	const struct xcs_campaign *c = x->campaign;
	struct xcs_section *s = xcs_doc_section(doc, "charts", "Charts");

	for (size_t i = 0; i < ARRAY_LEN(metrics); i++)
		sweep(c, metrics[i], s);
	for (size_t i = 0; i < ARRAY_LEN(metrics) && c->n_groups >= TREND_GROUPS_MIN; i++)
		trend(c, metrics[i], s);
}
