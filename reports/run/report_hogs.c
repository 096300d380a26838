/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Busy loops beside the loads: the share that each got, and what they cost the others.
 */
#include "report.h"

#include <common/alloc.h>

struct hog_column {
	enum xcs_metric_id metric;
	const char *heading;
};

static const struct hog_column share_columns[] = {
        {XCS_METRIC_HOG_CPU,      "each"    },
        {XCS_METRIC_HOG_CPU_MIN,  "least"   },
        {XCS_METRIC_HOG_CPU_MAX,  "most"    },
        {XCS_METRIC_HOG_EXPECTED, "expected"},
        {XCS_METRIC_HOG_FAIRNESS, "fair"    },
};

static const struct hog_column cost_columns[] = {
        {XCS_METRIC_COMMAND_REAL,     "elapsed"    },
        {XCS_METRIC_LINES,            "lines"      },
        {XCS_METRIC_FRAMES,           "frames"     },
        {XCS_METRIC_SERVER_CPU,       "X CPU"      },
        {XCS_METRIC_SERVER_RUN_DELAY, "delay/slice"},
};

static struct xcs_column column_of(const struct hog_column *c)
{
	const struct xcs_metric *m = xcs_metric(c->metric);

	return (struct xcs_column){.id = m->id,
	                           .heading = c->heading,
	                           .unit = m->unit,
	                           .definition = m->definition,
	                           .digits = m->digits};
}

static void share_table(const struct xcs_summary *s, struct xcs_section *section)
{
	struct xcs_column columns[REPORT_KEYS_MAX + ARRAY_LEN(share_columns)];
	size_t n_keys = report_key_columns(s, columns);

	for (size_t i = 0; i < ARRAY_LEN(share_columns); i++)
		columns[n_keys + i] = column_of(&share_columns[i]);
	struct xcs_doc_table *t =
	        xcs_doc_table(section, "shares", columns, n_keys + ARRAY_LEN(share_columns));
	for (size_t cell = 0; cell < s->run.n_cells; cell++) {
		if (!s->run.cells[cell].n_hogs)
			continue;
		struct xcs_cell *row = xcs_doc_row(t);
		report_set_keys(s, cell, row);
		for (size_t i = 0; i < ARRAY_LEN(share_columns); i++)
			xcs_cell_set_spread(&row[n_keys + i],
			                    &s->cells[cell].v[share_columns[i].metric]);
	}
}

/* The cell of the same load and level without a busy loop, or -1. */
static int alone_of(const struct xcs_run *run, const struct xcs_run_cell *cell)
{
	for (size_t i = 0; i < run->n_cells; i++)
		if (run->cells[i].load == cell->load && run->cells[i].x_nice == cell->x_nice &&
		    run->cells[i].n_hogs == 0)
			return (int)i;
	return -1;
}

static bool has_cost(const struct xcs_run *run, size_t cell)
{
	return run->cells[cell].n_hogs && alone_of(run, &run->cells[cell]) >= 0;
}

static struct xcs_num cost_of(const struct xcs_summary *s, size_t cell, enum xcs_metric_id id)
{
	int alone = alone_of(&s->run, &s->run.cells[cell]);

	return xcs_num_ratio(xcs_spread_median(&s->cells[cell].v[id]),
	                     xcs_spread_median(&s->cells[alone].v[id]));
}

/* Frames that nobody counts and commands that nobody timed have no column. */
static bool is_known(const struct xcs_summary *s, enum xcs_metric_id id)
{
	for (size_t cell = 0; cell < s->run.n_cells; cell++)
		if (has_cost(&s->run, cell) && cost_of(s, cell, id).known)
			return true;
	return false;
}

static void cost_table(const struct xcs_summary *s, struct xcs_section *section)
{
	struct xcs_column columns[REPORT_KEYS_MAX + ARRAY_LEN(cost_columns)];
	enum xcs_metric_id ids[ARRAY_LEN(cost_columns)];
	size_t n_keys = report_key_columns(s, columns), n = 0;

	for (size_t i = 0; i < ARRAY_LEN(cost_columns); i++) {
		if (!is_known(s, cost_columns[i].metric))
			continue;
		columns[n_keys + n] = column_of(&cost_columns[i]);
		columns[n_keys + n].unit = "x";
		columns[n_keys + n].digits = 3;
		ids[n++] = cost_columns[i].metric;
	}
	struct xcs_doc_table *t = xcs_doc_table(section, "costs", columns, n_keys + n);
	for (size_t cell = 0; cell < s->run.n_cells; cell++) {
		if (!has_cost(&s->run, cell))
			continue;
		struct xcs_cell *row = xcs_doc_row(t);
		report_set_keys(s, cell, row);
		for (size_t i = 0; i < n; i++)
			xcs_cell_set_num(&row[n_keys + i], cost_of(s, cell, ids[i]));
	}
	xcs_doc_paragraph(section, "What the loops cost the others: ratios of medians to the same "
	                           "load and level with no loop beside it. delay/slice: how long "
	                           "the server waited for its CPU each time.");
}

static bool any_cost(const struct xcs_run *run)
{
	for (size_t cell = 0; cell < run->n_cells; cell++)
		if (has_cost(run, cell))
			return true;
	return false;
}

void report_hogs(const struct xcs_summary *s, struct xcs_doc *doc)
{
	if (!report_has_hogs(s))
		return;
	struct xcs_section *section = xcs_doc_section(doc, "hogs", "Busy loops");
	share_table(s, section);
	xcs_doc_paragraph(section,
	                  "Per cent of one CPU that each loop got: mean, least and most of the "
	                  "loops. expected: its weight of the weights of all that wanted the CPU: "
	                  "every loop, and of server, clients and feeders as many as were "
	                  "runnable on average, so 1/(loops + others runnable) where all weigh "
	                  "the same; a build counts by its jobs. It takes load and loops to be "
	                  "spread evenly over the CPUs, and "
	                  "strangers (foreign CPU) are not in it. "
	                  "fair: Jain's index of the loops' shares.");
	if (any_cost(&s->run))
		cost_table(s, section);
	else
		xcs_doc_paragraph(section,
		                  "What they cost the others is not known: no cell without "
		                  "a loop was measured (--hogs=0,N).");
}
