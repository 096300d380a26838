/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Imported series side by side: a row for each kernel and nice of the server.
 */
#include "compare_private.h"

#include <common/alloc.h>

#include <stdlib.h>

enum {
	N_KEYS = 3 /* kernel, X nice, shift */
};

static const struct {
	enum xcs_metric_id id;
	const char *heading;
} shown[] = {
        {XCS_METRIC_CS,           "cs"  },
        {XCS_METRIC_COMMAND_REAL, "real"},
        {XCS_METRIC_INTR,         "in"  },
        {XCS_METRIC_RUNNABLE,     "r"   },
        {XCS_METRIC_US,           "us"  },
        {XCS_METRIC_SY,           "sy"  },
        {XCS_METRIC_NI,           "ni"  },
        {XCS_METRIC_ID,           "id"  },
        {XCS_METRIC_WA,           "wa"  },
        {XCS_METRIC_HI,           "hi"  },
        {XCS_METRIC_SI,           "si"  },
        {XCS_METRIC_ST,           "st"  },
};

static struct xcs_spread spread_of(const struct xcs_comparison *x, size_t group, size_t cell,
                                   enum xcs_metric_id id)
{
	const struct xcs_campaign_group *g = &x->campaign->groups[group];
	struct xcs_num *values = xcs_xcalloc(g->n_boots + 1, sizeof(*values));

	for (size_t b = 0; b < g->n_boots; b++)
		values[b] = g->boots[b].v[cell * XCS_N_METRICS + (size_t)id];
	struct xcs_spread spread = xcs_spread_of(values, g->n_boots);
	free(values);
	return spread;
}

static bool is_known(const struct xcs_comparison *x, enum xcs_metric_id id)
{
	for (size_t g = 0; g < x->campaign->n_groups; g++)
		for (size_t cell = 0; cell < x->campaign->n_cells; cell++)
			if (spread_of(x, g, cell, id).n)
				return true;
	return false;
}

static size_t choose(const struct xcs_comparison *x, enum xcs_metric_id *ids,
                     struct xcs_column *columns)
{
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
		const struct xcs_metric *m = xcs_metric(shown[i].id);
		if (!is_known(x, shown[i].id))
			continue;
		columns[n] = (struct xcs_column){.id = m->id,
		                                 .heading = shown[i].heading,
		                                 .unit = m->unit,
		                                 .definition = m->definition,
		                                 .digits = m->unit[0] == '%' ? 1 : m->digits};
		ids[n++] = shown[i].id;
	}
	return n;
}

static bool has_cell(const struct xcs_comparison *x, size_t group, size_t cell,
                     const enum xcs_metric_id *ids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (spread_of(x, group, cell, ids[i]).n)
			return true;
	return false;
}

static void series_row(const struct xcs_comparison *x, size_t group, size_t cell,
                       const enum xcs_metric_id *ids, size_t n, struct xcs_cell *row)
{
	xcs_cell_set_text(&row[0], x->campaign->groups[group].key);
	xcs_cell_set_num(&row[1], xcs_num_of(x->campaign->nices[cell]));
	for (size_t i = 0; i < n; i++) {
		struct xcs_spread spread = spread_of(x, group, cell, ids[i]);
		xcs_cell_set_spread(&row[2 + i + (i > 0)], &spread);
	}
	struct xcs_spread own = spread_of(x, group, cell, ids[0]);
	struct xcs_spread base = spread_of(x, 0, cell, ids[0]);
	struct xcs_num ratio = xcs_num_ratio(xcs_spread_median(&own), xcs_spread_median(&base));
	if (ratio.known && group)
		xcs_cell_set_num(&row[3], xcs_num_of(100 * (ratio.v - 1)));
	else if (base.n && !group)
		xcs_cell_set_text(&row[3], "base");
}

void compare_imported(const struct xcs_comparison *x, struct xcs_doc *doc)
{
	enum xcs_metric_id ids[ARRAY_LEN(shown)];
	struct xcs_column metrics[ARRAY_LEN(shown)],
	        columns[N_KEYS + ARRAY_LEN(shown)] = {
	                {.id = "kernel", .heading = "kernel", .unit = "", .is_key = true},
	                {.id = "x_nice", .heading = "X nice", .unit = "", .is_key = true},
        };
	size_t n = x->campaign->is_imported ? choose(x, ids, metrics) : 0;

	if (!n)
		return;
	columns[2] = metrics[0];
	columns[3] = (struct xcs_column){
	        .id = "shift_pct", .heading = "shift", .unit = "%", .digits = 1};
	for (size_t i = 1; i < n; i++)
		columns[3 + i] = metrics[i];
	struct xcs_section *s = xcs_doc_section(doc, "imported", "Imported series");
	struct xcs_doc_table *t = xcs_doc_table(s, "imported", columns, N_KEYS + n);
	for (size_t cell = 0; cell < x->campaign->n_cells; cell++)
		for (size_t g = 0; g < x->campaign->n_groups; g++)
			if (has_cell(x, g, cell, ids, n))
				series_row(x, g, cell, ids, n, xcs_doc_row(t));
	xcs_doc_paragraph(s,
	                  "Means over the samples of a series; medians where a kernel has several "
	                  "series at one nice. shift: of %s, against the base at the same X nice, "
	                  "as published, not tested.",
	                  columns[2].heading);
}
