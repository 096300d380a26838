/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The figures of a comparison: gates, their cells, all other metrics, boots.
 */
#include "compare_private.h"

#include <common/alloc.h>
#include <common/buf.h>
#include <common/units.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	BOOT_ID_SHOWN = 8
};

/* Rows of columns. */
#define KEY(i, h)                                                     \
	{                                                             \
		.id = (i), .heading = (h), .unit = "", .is_key = true \
	}
#define COLUMN(i, h, u, d, text)                                                            \
	{                                                                                   \
		.id = (i), .heading = (h), .unit = (u), .digits = (d), .definition = (text) \
	}
#define RANGE(i, h, u, d, text)                                                              \
	{                                                                                    \
		.id = (i), .heading = (h), .unit = (u), .digits = (d), .definition = (text), \
		.with_range = true                                                           \
	}

static const struct xcs_metric *metric_at(int metric)
{
	return xcs_metric((enum xcs_metric_id)metric);
}

/* "" for what is a mere number. */
static const char *unit_of(const struct xcs_metric *m)
{
	return strcmp(m->unit, "1") == 0 ? "" : m->unit;
}

static const char *key_of(const struct xcs_comparison *x, const struct xcs_compare_pair *pair)
{
	return x->campaign->groups[pair->group].key;
}

/* "~": no difference was shown; nothing where nothing was tested. */
static const char *verdict_mark(const struct xcs_compare_pair *pair,
                                const struct xcs_compare_row *row)
{
	if (pair->standing != XCS_STANDING_JUDGED)
		return NULL;
	return row->verdict == XCS_VERDICT_NOT_SHOWN ? "~" : xcs_verdict_name(row->verdict);
}

static struct xcs_num if_judged(const struct xcs_compare_pair *pair, struct xcs_num v)
{
	return pair->standing == XCS_STANDING_JUDGED ? v : (struct xcs_num){0};
}

static struct xcs_num num(double v)
{
	return (struct xcs_num){true, v};
}

static void gate_row(const struct xcs_comparison *x, const struct xcs_compare_pair *pair,
                     const struct xcs_compare_row *row, struct xcs_cell *cells)
{
	const struct xcs_judgement *j = &row->judged;

	xcs_cell_set_text(&cells[0], key_of(x, pair));
	xcs_cell_set_spread(&cells[1], &row->base);
	xcs_cell_set_spread(&cells[2], &row->newer);
	xcs_cell_set_num(&cells[3], j->shift_pct);
	xcs_cell_set_num(&cells[4], if_judged(pair, j->lower_pct));
	xcs_cell_set_num(&cells[5], if_judged(pair, j->upper_pct));
	xcs_cell_set_num(&cells[6], if_judged(pair, j->p_adjusted));
	xcs_cell_set_text(&cells[7], verdict_mark(pair, row));
	xcs_cell_set_num(&cells[8], if_judged(pair, num(j->floor_pct)));
	xcs_cell_set_num(&cells[9], if_judged(pair, j->detectable_pct));
	xcs_cell_set_num(&cells[10], if_judged(pair, j->n_more_boots));
	xcs_cell_set_num(&cells[11], num((double)row->base.n));
	xcs_cell_set_num(&cells[12], num((double)row->newer.n));
}

static void gate_table(const struct xcs_comparison *x, size_t gate, struct xcs_section *s)
{
	const struct xcs_metric *m = metric_at(x->settings.gates[gate].metric);
	const struct xcs_column columns[] = {
	        KEY("kernel", "kernel"),
	        RANGE("base", "base", unit_of(m), m->digits,
	              "median of the boot values of the base"),
	        RANGE("new", "new", unit_of(m), m->digits,
	              "median of the boot values of this kernel"),
	        COLUMN("shift_pct", "shift", "%", 1, "Hodges-Lehmann, within blocks"),
	        COLUMN("lower_pct", "from", "%", 1, "95 % interval: inverted permutation test"),
	        COLUMN("upper_pct", "to", "%", 1, NULL),
	        COLUMN("p_holm", "p", "", 4,
	               "permutation test, adjusted after Holm over the gates"),
	        COLUMN("verdict", "verdict", "", 0, "~: not shown"),
	        COLUMN("floor_pct", "floor", "%", 1,
	               "smaller shifts are none: margin, or the base against itself"),
	        COLUMN("detectable_pct", "found", "%", 1,
	               "shift that would have been found 4 times in 5"),
	        COLUMN("more_boots", "more boots", "", 0,
	               "until the margin would be found 4 times in 5"),
	        COLUMN("base_boots", "n base", "", 0, NULL),
	        COLUMN("new_boots", "n new", "", 0, NULL),
	};
	char *id = xcs_xasprintf("gate_%zu", gate + 1);
	int cell = x->settings.gates[gate].cell;

	const char *unit = unit_of(m);
	xcs_doc_paragraph(s, "%s%s%s: %s%s%s; %s is better. %s.", m->id, cell < 0 ? "" : ", ",
	                  cell < 0 ? "" : x->campaign->cells[cell], m->title, unit[0] ? ", " : "",
	                  unit, m->better == XCS_BETTER_MORE ? "more" : "less",
	                  cell < 0 && x->campaign->n_cells > 1 ? "Geometric mean of all cells"
	                                                       : "One cell");
	struct xcs_doc_table *t = xcs_doc_table(s, id, columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < x->n_pairs; i++)
		gate_row(x, &x->pairs[i], &x->pairs[i].gates[gate], xcs_doc_row(t));
	free(id);
}

static bool any_judged(const struct xcs_comparison *x)
{
	for (size_t i = 0; i < x->n_pairs; i++)
		if (x->pairs[i].standing == XCS_STANDING_JUDGED && x->settings.n_gates)
			return true;
	return false;
}

static void gates(const struct xcs_comparison *x, struct xcs_doc *doc)
{
	struct xcs_section *s = xcs_doc_section(doc, "gates", "Gate metrics");

	for (size_t i = 0; i < x->settings.n_gates; i++)
		gate_table(x, i, s);
	if (any_judged(x))
		xcs_doc_paragraph(s,
		                  "~ is not shown, which is no proof of equality. min..max are "
		                  "of boots. A shift counts from the floor on; \"found\" is what "
		                  "these boots would have shown 4 times in 5.");
}

static bool has_cells(const struct xcs_comparison *x, int metric)
{
	for (size_t i = 0; i < x->n_pairs; i++)
		for (size_t r = 0; r < x->pairs[i].n_others; r++)
			if (x->pairs[i].others[r].metric == metric &&
			    x->pairs[i].others[r].cell >= 0)
				return true;
	return false;
}

static void cell_rows(const struct xcs_comparison *x, int metric, size_t cell,
                      struct xcs_doc_table *t)
{
	for (size_t i = 0; i < x->n_pairs; i++)
		for (size_t r = 0; r < x->pairs[i].n_others; r++) {
			const struct xcs_compare_row *row = &x->pairs[i].others[r];
			if (row->metric != metric || row->cell != (int)cell)
				continue;
			struct xcs_cell *cells = xcs_doc_row(t);
			xcs_cell_set_text(&cells[0], x->campaign->loads[cell]);
			xcs_cell_set_num(&cells[1], num(x->campaign->nices[cell]));
			xcs_cell_set_text(&cells[2], key_of(x, &x->pairs[i]));
			xcs_cell_set_spread(&cells[3], &row->base);
			xcs_cell_set_spread(&cells[4], &row->newer);
			xcs_cell_set_num(&cells[5], row->judged.shift_pct);
			xcs_cell_set_num(&cells[6],
			                 if_judged(&x->pairs[i], row->judged.p_adjusted));
		}
}

static void cell_table(const struct xcs_comparison *x, int metric, struct xcs_section *s)
{
	const struct xcs_metric *m = metric_at(metric);
	const struct xcs_column columns[] = {
	        KEY("load", "load"),
	        KEY("x_nice", "X nice"),
	        KEY("kernel", "kernel"),
	        COLUMN("base", "base", unit_of(m), m->digits, NULL),
	        COLUMN("new", "new", unit_of(m), m->digits, NULL),
	        COLUMN("shift_pct", "shift", "%", 1, NULL),
	        COLUMN("q", "q", "", 4,
	               "permutation test, Benjamini-Hochberg over all that is no gate"),
	};
	struct xcs_buf id = {0};

	for (const char *p = m->id; *p; p++)
		xcs_buf_putc(&id, *p == '.' ? '_' : *p);
	xcs_doc_paragraph(s, "%s: %s%s%s", m->id, m->title, unit_of(m)[0] ? ", " : "", unit_of(m));
	struct xcs_doc_table *t = xcs_doc_table(s, id.p, columns, ARRAY_LEN(columns));
	for (size_t cell = 0; cell < x->campaign->n_cells; cell++)
		cell_rows(x, metric, cell, t);
	xcs_buf_fini(&id);
}

static void cells(const struct xcs_comparison *x, struct xcs_doc *doc)
{
	struct xcs_section *s =
	        xcs_doc_section(doc, "cells", "Gate metrics cell by cell (description)");

	for (int m = 0; m < XCS_N_METRICS; m++)
		if (has_cells(x, m))
			cell_table(x, m, s);
}

static void others(const struct xcs_comparison *x, struct xcs_doc *doc)
{
	static const struct xcs_column columns[] = {
	        KEY("metric", "metric"),
	        KEY("kernel", "kernel"),
	        COLUMN("base", "base", "", 2, NULL),
	        COLUMN("new", "new", "", 2, NULL),
	        COLUMN("shift_pct", "shift", "%", 1, NULL),
	        COLUMN("q", "q", "", 4, NULL),
	};
	size_t n = 0;
	for (size_t i = 0; i < x->n_pairs; i++)
		n += x->pairs[i].n_others;
	if (!n)
		return;
	struct xcs_section *s = xcs_doc_section(
	        doc, "others", "All other metrics, mean of all cells (description)");
	s->is_aside = true;
	struct xcs_doc_table *t = xcs_doc_table(s, "others", columns, ARRAY_LEN(columns));

	for (int m = 0; m < XCS_N_METRICS; m++)
		for (size_t i = 0; i < x->n_pairs; i++)
			for (size_t r = 0; r < x->pairs[i].n_others; r++) {
				const struct xcs_compare_row *row = &x->pairs[i].others[r];
				if (row->metric != m || row->cell >= 0)
					continue;
				struct xcs_cell *at = xcs_doc_row(t);
				xcs_cell_set_text(&at[0], metric_at(m)->id);
				xcs_cell_set_text(&at[1], key_of(x, &x->pairs[i]));
				xcs_cell_set_spread(&at[2], &row->base);
				xcs_cell_set_spread(&at[3], &row->newer);
				xcs_cell_set_num(&at[4], row->judged.shift_pct);
				xcs_cell_set_num(&at[5],
				                 if_judged(&x->pairs[i], row->judged.p_adjusted));
			}
}

void compare_tables(const struct xcs_comparison *x, struct xcs_doc *doc)
{
	if (!x->n_pairs)
		return;
	if (!x->campaign->is_imported) { /* they have a table of their own */
		gates(x, doc);
		cells(x, doc);
	}
	/* A mean over different nices says nothing. */
	if (!x->campaign->is_imported || x->campaign->n_cells == 1)
		others(x, doc);
}

static void set_start(struct xcs_cell *cell, int64_t wall_ns)
{
	time_t t = (time_t)(wall_ns / XCS_NS_PER_S);
	struct tm tm;
	char text[32];

	if (wall_ns > 0 && gmtime_r(&t, &tm) && strftime(text, sizeof(text), "%m-%d %H:%M", &tm))
		xcs_cell_set_text(cell, text);
}

static void boot_row(const struct xcs_campaign_group *g, const struct xcs_campaign_boot *b,
                     struct xcs_cell *row)
{
	char *id = xcs_xasprintf("%.*s", BOOT_ID_SHOWN, b->id);

	xcs_cell_set_text(&row[0], g->key);
	xcs_cell_set_text(&row[1], id);
	set_start(&row[2], b->wall_ns);
	xcs_cell_set_num(&row[3], num((double)b->n_trials));
	free(id);
}

static size_t boot_columns(const struct xcs_comparison *x, struct xcs_column *columns)
{
	static const struct xcs_column first[] = {
	        KEY("kernel", "kernel"),
	        KEY("boot", "boot"),
	        COLUMN("started", "started", "UTC", 0, NULL),
	        COLUMN("trials", "trials", "", 0, NULL),
	};
	static const char *const ids[] = {"gate_1", "gate_2", "gate_3", "gate_4", "gate_5"};
	size_t n = ARRAY_LEN(first);

	memcpy(columns, first, sizeof(first));
	for (size_t i = 0; i < x->settings.n_gates; i++) {
		const struct xcs_metric *m = metric_at(x->settings.gates[i].metric);
		columns[n++] = (struct xcs_column){.id = ids[i],
		                                   .heading = m->id,
		                                   .unit = unit_of(m),
		                                   .digits = m->digits,
		                                   .definition = m->definition};
	}
	return n;
}

/* Base boots stand in each pair; the first one's values are shown. */
static void boot_table(const struct xcs_comparison *x, struct xcs_section *s)
{
	struct xcs_column columns[4 + XCS_GATES_MAX];
	struct xcs_doc_table *t = xcs_doc_table(s, "boots", columns, boot_columns(x, columns));
	const struct xcs_campaign *c = x->campaign;

	for (size_t g = 0; g < c->n_groups; g++)
		for (size_t b = 0; b < c->groups[g].n_boots; b++) {
			struct xcs_cell *row = xcs_doc_row(t);
			boot_row(&c->groups[g], &c->groups[g].boots[b], row);
			if (!x->n_pairs)
				continue;
			const struct xcs_compare_pair *pair = &x->pairs[g ? g - 1 : 0];
			for (size_t i = 0; i < x->settings.n_gates; i++)
				xcs_cell_set_num(&row[4 + i],
				                 pair->gates[i].values[(g ? pair->n_base : 0) + b]);
		}
}

static void strip_series(const struct xcs_comparison *x, size_t gate, size_t group,
                         struct xcs_chart *chart)
{
	const struct xcs_campaign_group *g = &x->campaign->groups[group];
	const struct xcs_compare_pair *pair = &x->pairs[group ? group - 1 : 0];
	struct xcs_series *series = xcs_chart_add_series(chart, g->key);

	xcs_chart_add_tick(chart, g->key);
	for (size_t b = 0; b < g->n_boots; b++) {
		struct xcs_num v = pair->gates[gate].values[(group ? pair->n_base : 0) + b];
		char *label = xcs_xasprintf("boot %.*s", BOOT_ID_SHOWN, g->boots[b].id);
		xcs_point_set_label(xcs_series_add(chart, series, (double)group, v), label);
		free(label);
	}
}

/* One mark per boot: whether medians describe the boots is to be seen here. */
static void strips(const struct xcs_comparison *x, struct xcs_section *s)
{
	for (size_t i = 0; x->n_pairs && i < x->settings.n_gates; i++) {
		const struct xcs_metric *m = metric_at(x->settings.gates[i].metric);
		char *id = xcs_xasprintf("boots_%zu", i + 1);
		char *title = xcs_xasprintf("%s, boot by boot", m->title);
		struct xcs_chart *chart = xcs_doc_chart(s, id, XCS_CHART_STRIP, title);
		chart->is_aside = true;
		xcs_chart_set_x(chart, "kernel", "", 0);
		xcs_chart_set_y(chart, m->id, unit_of(m), m->digits);
		for (size_t g = 0; g < x->campaign->n_groups; g++)
			strip_series(x, i, g, chart);
		xcs_doc_chart_done(s);
		free(id);
		free(title);
	}
}

static void left_out(const struct xcs_campaign *c, struct xcs_section *s)
{
	for (size_t g = 0; g < c->n_groups; g++)
		for (size_t i = 0; i < c->groups[g].n_runs; i++) {
			const struct xcs_campaign_run *r = &c->groups[g].runs[i];
			if (r->left_out)
				xcs_doc_item(s, "left out: %s, run %s in %s: %s", c->groups[g].key,
				             r->id, r->dir, r->left_out);
		}
}

void compare_boots(const struct xcs_comparison *x, struct xcs_doc *doc)
{
	const struct xcs_campaign *c = x->campaign;
	struct xcs_section *s = xcs_doc_section(doc, "kernels", "Kernels and boots");

	for (size_t g = 0; g < c->n_groups; g++) {
		const struct xcs_campaign_group *group = &c->groups[g];
		bool same = strcmp(group->label, group->key) == 0;
		char *text = xcs_xasprintf("%s%s%zu boots, %zu runs%s", same ? "" : group->label,
		                           same ? "" : ": ", group->n_boots, group->n_runs,
		                           g ? "" : "; the base");
		xcs_doc_fact(s, group->key, group->key, text);
		free(text);
	}
	boot_table(x, s);
	strips(x, s);
	left_out(c, s);
}
