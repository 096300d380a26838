/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Published experiments that sampled the machine: the flood of four xterms, and the desktop
 * at rest.
 */
#include "beside.h"
#include "seconds.h"

#include <common/alloc.h>
#include <common/str.h>

#include <stdlib.h>
#include <string.h>

static const struct beside_column switch_columns[] = {
        {XCS_METRIC_CS,   "cs", true },
        {XCS_METRIC_INTR, "in", false},
        {XCS_METRIC_US,   "us", false},
        {XCS_METRIC_SY,   "sy", false},
        {XCS_METRIC_NI,   "ni", false},
        {XCS_METRIC_ID,   "id", false},
};

#define N_SWITCHES ARRAY_LEN(switch_columns)

/* Trials; samples of what was imported. */
static struct xcs_num n_now(const struct xcs_summary *s, size_t cell)
{
	const char *samples = xcs_facts_get(&s->run.host, "imported.samples");
	int64_t n;

	if (s->run.origin.tool && samples && xcs_str_i64(xcs_str(samples), &n) == 0)
		return xcs_num_of((double)n);
	return xcs_num_of((double)s->cells[cell].n_counted);
}

static void switches(const struct beside *b)
{
	struct xcs_column columns[3 + N_SWITCHES] = {
	        beside_name_column(),
	        beside_nice_column(b->s),
	        {.id = "n", .heading = "n", .unit = "", .is_key = true}
        };
	struct xcs_section *section =
	        xcs_doc_section(b->doc, "beside_switches", "Then and now: switches and CPU");

	beside_columns(columns + 3, switch_columns, N_SWITCHES);
	struct xcs_doc_table *t = xcs_doc_table(section, "switches", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < b->e->n_rows; i++) {
		const struct xcs_reference_row *from = &b->e->rows[i];
		struct xcs_cell *row = xcs_doc_row(t);
		struct xcs_spread cs = beside_spread(from, "cs");
		xcs_cell_set_text(&row[0], beside_then_name(from));
		xcs_cell_set_num(&row[1], from->x_nice);
		xcs_cell_set_num(&row[2], xcs_num_of((double)cs.n));
		beside_set_then(row + 3, switch_columns, N_SWITCHES, from);
	}
	for (size_t cell = 0; cell < b->s->run.n_cells; cell++) {
		if (!beside_is_sampled(b->s, cell))
			continue;
		struct xcs_cell *row = xcs_doc_row(t);
		char *name = beside_now_name_dup(b->s, cell);
		xcs_cell_set_text(&row[0], name);
		xcs_cell_set_num(&row[1], xcs_num_of(b->s->run.cells[cell].x_nice));
		xcs_cell_set_num(&row[2], n_now(b->s, cell));
		beside_set_now(row + 3, switch_columns, N_SWITCHES, b->s, cell);
		free(name);
	}
	report_hole_reasons(b->s, false, section);
	xcs_doc_paragraph(section, "Medians; n: samples of 1 s then, trials now. us sy ni id: "
	                           "tick-sampled; now of the load's CPUs. Published us holds ni.");
	if (b->s->run.origin.tool)
		xcs_doc_paragraph(section, "Imported: means over n samples of the whole machine.");
}

static const struct xcs_column throughput_columns[] = {
        {.id = "server.cpu", .heading = "X",       .unit = "%",   .digits = 0},
        {.id = "client.cpu", .heading = "xterm",   .unit = "%",   .digits = 0},
        {.id = "refresh",    .heading = "refresh", .unit = "Hz",  .digits = 0},
        {.id = "redraws",    .heading = "redraws", .unit = "1/s", .digits = 0},
        {.id = "lines",      .heading = "lines",   .unit = "1/s", .digits = 0},
        {.id = "throughput", .heading = "scrolls", .unit = "",    .digits = 2},
};

static void throughput_then(const struct xcs_reference_row *from, struct xcs_cell *row)
{
	static const char *const metrics[] = {"server.cpu", "client.cpu", "refresh"};
	const struct xcs_reference_figure *words = xcs_reference_figure(from, "throughput");

	xcs_cell_set_text(&row[0], beside_then_name(from));
	xcs_cell_set_num(&row[1], from->x_nice);
	for (size_t i = 0; i < ARRAY_LEN(metrics); i++) {
		struct xcs_spread spread = beside_spread(from, metrics[i]);
		xcs_cell_set_num(&row[2 + i], xcs_spread_median(&spread));
	}
	if (words)
		xcs_cell_set_text(&row[7], words->text);
}

/* The cell of the same load at X nice 0, or -1. */
static int base_of(const struct xcs_summary *s, size_t cell)
{
	for (size_t i = 0; i < s->run.n_cells; i++)
		if (s->run.cells[i].load == s->run.cells[cell].load && !s->run.cells[i].x_nice &&
		    beside_is_sampled(s, i))
			return (int)i;
	return -1;
}

/* "x 0.75": of the lines at X nice 0. */
static void set_scrolls(struct xcs_cell *into, const struct xcs_summary *s, size_t cell)
{
	int base = base_of(s, cell);
	struct xcs_num lines = xcs_spread_median(&s->cells[cell].v[XCS_METRIC_LINES]);

	if (base < 0)
		return;
	struct xcs_num ratio =
	        xcs_num_ratio(lines, xcs_spread_median(&s->cells[base].v[XCS_METRIC_LINES]));
	if ((size_t)base == cell && lines.known)
		xcs_cell_set_text(into, "reference");
	else if (ratio.known) {
		char *text = xcs_xasprintf("x %.2f", ratio.v);
		xcs_cell_set_text(into, text);
		free(text);
	}
}

static void throughput_now(const struct xcs_summary *s, size_t cell, struct xcs_cell *row)
{
	const struct xcs_spread *v = s->cells[cell].v;
	double n_clients = s->run.loads[s->run.cells[cell].load].n_clients;
	char *name = beside_now_name_dup(s, cell);

	xcs_cell_set_text(&row[0], name);
	xcs_cell_set_num(&row[1], xcs_num_of(s->run.cells[cell].x_nice));
	xcs_cell_set_num(&row[2], xcs_spread_median(&v[XCS_METRIC_SERVER_CPU]));
	xcs_cell_set_num(&row[3], xcs_spread_median(&v[XCS_METRIC_CLIENT_CPU]));
	xcs_cell_set_num(&row[5], xcs_num_ratio(xcs_spread_median(&v[XCS_METRIC_FRAMES]),
	                                        xcs_num_of(n_clients)));
	xcs_cell_set_num(&row[6], xcs_spread_median(&v[XCS_METRIC_LINES]));
	set_scrolls(&row[7], s, cell);
	free(name);
}

static void throughput(const struct beside *b)
{
	struct xcs_column columns[2 + ARRAY_LEN(throughput_columns)] = {beside_name_column(),
	                                                                beside_nice_column(b->s)};
	struct xcs_section *section = xcs_doc_section(b->doc, "beside_throughput",
	                                              "Then and now: who ran, and what scrolled");

	memcpy(columns + 2, throughput_columns, sizeof(throughput_columns));
	struct xcs_doc_table *t = xcs_doc_table(section, "throughput", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < b->e->n_rows; i++)
		throughput_then(&b->e->rows[i], xcs_doc_row(t));
	for (size_t cell = 0; cell < b->s->run.n_cells; cell++)
		if (beside_is_sampled(b->s, cell))
			throughput_now(b->s, cell, xcs_doc_row(t));
	xcs_doc_paragraph(section,
	                  "X, xterm (each): CPU. refresh: of the screen, by eye, so approximate; "
	                  "not measured now. "
	                  "redraws: of one window, as its client counts them, which a screen "
	                  "need not show. scrolls: lines/s against X nice 0 of the same "
	                  "kernel and load; then heard by a beep.");
	for (size_t i = 0; i < b->e->n_rows; i++) {
		const struct xcs_reference_figure *f =
		        xcs_reference_figure(&b->e->rows[i], "refresh");
		if (f && f->text)
			xcs_doc_item(section, "%s at X nice %.0f: %s.",
			             beside_then_name(&b->e->rows[i]), b->e->rows[i].x_nice.v,
			             f->text);
	}
}

void beside_flood(const struct beside *b)
{
	switches(b);
	if (!b->s->run.origin.tool)
		throughput(b);
	beside_samples(b, xcs_doc_section(b->doc, "beside_samples", "Then and now: the samples"),
	               false);
}

static const struct beside_column idle_columns[] = {
        {XCS_METRIC_INTR, "in", false},
        {XCS_METRIC_CS,   "cs", false},
        {XCS_METRIC_US,   "us", false},
        {XCS_METRIC_SY,   "sy", false},
        {XCS_METRIC_NI,   "ni", false},
        {XCS_METRIC_ID,   "id", false},
        {XCS_METRIC_WA,   "wa", false},
};

#define N_IDLE ARRAY_LEN(idle_columns)

static void idle_then(const struct xcs_reference_row *from, struct xcs_cell *row)
{
	struct xcs_spread cs = beside_spread(from, "cs");

	xcs_cell_set_text(&row[0], beside_then_name(from));
	xcs_cell_set_num(&row[1], from->x_nice);
	xcs_cell_set_text(&row[2], from->span);
	xcs_cell_set_num(&row[3], xcs_num_of((double)cs.n));
	beside_set_then(row + 4, idle_columns, N_IDLE, from);
}

static void boot_now(const struct xcs_summary *s, struct xcs_doc_table *t)
{
	struct report_boot boot;
	struct xcs_cell *row = xcs_doc_row(t);

	xcs_cell_set_text(&row[0], "now");
	xcs_cell_set_text(&row[2], "since boot");
	xcs_cell_set_num(&row[3], xcs_num_of(1));
	if (report_since_boot(&boot, s))
		for (size_t i = 0; i < N_IDLE; i++)
			xcs_cell_set_num(&row[4 + i], boot.average.v[idle_columns[i].metric]);
}

/* Medians over the seconds of one trial, as the published rows are of one call of vmstat. */
static void idle_now(const struct xcs_summary *s, size_t cell, struct xcs_doc_table *t)
{
	int trial = report_first_trial(s, cell);
	struct report_seconds seconds = {0};
	struct xcs_cell *row = xcs_doc_row(t);
	char *name = beside_now_name_dup(s, cell);

	if (trial >= 0)
		report_seconds_of(&seconds, s, (size_t)trial, true);
	struct xcs_num *values = xcs_xcalloc(seconds.n, sizeof(*values));
	xcs_cell_set_text(&row[0], name);
	xcs_cell_set_num(&row[1], xcs_num_of(s->run.cells[cell].x_nice));
	xcs_cell_set_text(&row[2], "samples");
	xcs_cell_set_num(&row[3], xcs_num_of((double)seconds.n));
	xcs_cell_set_text(&row[4], report_hole(s, cell));
	for (size_t i = 0; i < N_IDLE && seconds.n; i++) {
		for (size_t k = 0; k < seconds.n; k++)
			values[k] = seconds.v[k].v[idle_columns[i].metric];
		struct xcs_spread spread = xcs_spread_of(values, seconds.n);
		xcs_cell_set_num(&row[4 + i], xcs_spread_median(&spread));
	}
	free(values);
	free(name);
	report_seconds_fini(&seconds);
}

void beside_idle(const struct beside *b)
{
	struct xcs_column columns[4 + N_IDLE] = {
	        beside_name_column(),
	        beside_nice_column(b->s),
	        {.id = "span", .heading = "span", .unit = "", .is_key = true},
	        {.id = "n",    .heading = "n",    .unit = "", .is_key = true}
        };
	struct xcs_section *section = xcs_doc_section(b->doc, "beside_since_boot",
	                                              "Then and now: since boot, and samples");

	beside_columns(columns + 4, idle_columns, N_IDLE);
	struct xcs_doc_table *t = xcs_doc_table(section, "since_boot", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < b->e->n_rows; i++)
		idle_then(&b->e->rows[i], xcs_doc_row(t));
	if (!b->s->run.origin.tool)
		boot_now(b->s, t);
	for (size_t cell = 0; cell < b->s->run.n_cells; cell++)
		if (beside_is_sampled(b->s, cell))
			idle_now(b->s, cell, t);
	xcs_doc_paragraph(section,
	                  "Medians of n samples of the whole machine; a line since boot is an "
	                  "average over another time, whatever stands in it. X nice is not a "
	                  "property of today's line: there is one, from before the run.");
	beside_samples(b, xcs_doc_section(b->doc, "beside_samples", "Then and now: the samples"),
	               true);
}
