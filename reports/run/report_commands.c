/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Single commands timed to their end: first as real/user/sys with a column per level of the
 * server, as such results were always published, then with spread, throughput, the slowdown
 * by the terminal, and who used the CPU meanwhile.
 */
#include "report.h"
#include "timing_rows.h"

#include <common/alloc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LEVELS_MAX = 40,
	COMMAND_WIDTH = 30
};

static bool is_single(const struct xcs_run_load *load)
{
	return xcs_load_is_timed(load) && load->n_clients <= 1;
}

static const struct xcs_run_load *load_of(const struct xcs_summary *s, size_t cell)
{
	return &s->run.loads[s->run.cells[cell].load];
}

static bool is_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

int timing_cell_at(const struct xcs_summary *s, int load, int x_nice)
{
	int found = -1;

	for (size_t i = 0; i < s->run.n_cells; i++) {
		const struct xcs_run_cell *c = &s->run.cells[i];
		if (c->load == load && c->x_nice == x_nice && (found < 0 || !c->n_hogs))
			found = (int)i;
	}
	return found;
}

/* The table of one size: its loads are rows, the server's levels are columns. */
struct size_table {
	const char *size; /* NULL: neither historic nor scaled */
	const char *id, *heading, *note;
};

static const struct size_table size_tables[] = {
        {"historic", "commands_historic", "Commands, historic size: real/user/sys",
         "The size that was published. A start of the terminal is a large part of it on a "
         "machine of today, so no verdict rests on it."                                 },
        {"scaled",   "commands_scaled",   "Commands, scaled size: real/user/sys",
         "Scaled so that the command takes 2 s or more here: verdicts use these."       },
        {NULL,       "commands",          "Commands: real/user/sys",                NULL},
};

/* A load of neither size, as the terminal's start, stands with the historic ones. */
static bool is_row(const struct xcs_summary *s, const struct xcs_run_load *load,
                   const struct size_table *table)
{
	const char *size = load->size;

	for (size_t i = 0; i < s->run.n_loads && !size; i++)
		if (is_single(&s->run.loads[i]) && is_same(s->run.loads[i].size, "historic"))
			size = "historic";
	return is_single(load) && is_same(size, table->size);
}

/* The levels of the server at which those loads are run, in the order of the cells. */
static size_t find_levels(const struct xcs_summary *s, const struct size_table *table,
                          int levels[LEVELS_MAX])
{
	size_t n = 0;

	for (size_t cell = 0; cell < s->run.n_cells; cell++) {
		bool known = false;
		if (!is_row(s, load_of(s, cell), table))
			continue;
		for (size_t i = 0; i < n; i++)
			known = known || levels[i] == s->run.cells[cell].x_nice;
		if (!known && n < LEVELS_MAX)
			levels[n++] = s->run.cells[cell].x_nice;
	}
	return n;
}

/* "xterm -e seq 1 5000", with the id behind it where two loads of the table share it. */
static char *label_dup(const struct xcs_summary *s, size_t load, const struct size_table *table)
{
	const struct xcs_run_load *l = &s->run.loads[load];
	bool shared = false;

	if (!l->label)
		return xcs_xstrdup(l->id);
	for (size_t i = 0; i < s->run.n_loads; i++)
		shared = shared || (i != load && is_row(s, &s->run.loads[i], table) &&
		                    is_same(s->run.loads[i].label, l->label));
	return shared ? xcs_xasprintf("%s (%s)", l->label, l->id) : xcs_xstrdup(l->label);
}

static void put_seconds(struct xcs_buf *into, const struct xcs_spread *v, const char *before)
{
	xcs_buf_puts(into, before);
	if (v->n)
		xcs_buf_printf(into, "%.3f", v->median);
	else
		xcs_buf_puts(into, "n/a");
}

void timing_set_triple(struct xcs_cell *into, const struct xcs_summary *s, size_t cell)
{
	const struct xcs_spread *v = s->cells[cell].v;
	struct xcs_buf text = {0};

	if (report_hole(s, cell)) {
		xcs_cell_set_text(into, report_hole(s, cell));
		return;
	}
	put_seconds(&text, &v[XCS_METRIC_COMMAND_REAL], "");
	put_seconds(&text, &v[XCS_METRIC_COMMAND_USER], "/");
	put_seconds(&text, &v[XCS_METRIC_COMMAND_SYS], "/");
	xcs_cell_set_text(into, text.p);
	xcs_buf_fini(&text);
}

static void size_row(const struct xcs_summary *s, size_t load, const struct size_table *table,
                     const int *levels, size_t n_levels, struct xcs_doc_table *t)
{
	struct xcs_cell *row = xcs_doc_row(t);
	char *label = label_dup(s, load, table);

	xcs_cell_set_text(&row[0], label);
	free(label);
	for (size_t i = 0; i < n_levels; i++) {
		int cell = timing_cell_at(s, (int)load, levels[i]);
		if (cell >= 0)
			timing_set_triple(&row[1 + i], s, (size_t)cell);
	}
}

static void report_size(const struct xcs_summary *s, const struct size_table *table,
                        struct xcs_doc *doc)
{
	struct xcs_column columns[1 + LEVELS_MAX] = {
	        {.id = "command",
	         .heading = "command",
	         .unit = "",
	         .is_key = true,
	         .text_width = COMMAND_WIDTH}
        };
	const char *kind = report_nice_heading(s);
	int levels[LEVELS_MAX];
	size_t n_levels = find_levels(s, table, levels);

	if (!n_levels)
		return;
	struct xcs_section *section = xcs_doc_section(doc, table->id, table->heading);
	for (size_t i = 0; i < n_levels; i++)
		columns[1 + i] = (struct xcs_column){
		        .id = xcs_doc_keep(section, xcs_xasprintf("x_nice_%d", levels[i])),
		        .heading = xcs_doc_keep(section, xcs_xasprintf("%s %d", kind, levels[i])),
		        .unit = "s",
		        .text_width = COMMAND_WIDTH};
	struct xcs_doc_table *t = xcs_doc_table(section, table->id, columns, 1 + n_levels);
	for (size_t load = 0; load < s->run.n_loads; load++)
		if (is_row(s, &s->run.loads[load], table))
			size_row(s, load, table, levels, n_levels, t);
	report_nice_note(s, section);
	if (table->note)
		xcs_doc_paragraph(section, "%s", table->note);
	if (is_same(table->size, "historic") && s->run.plan.quick && s->run.tree.path)
		xcs_doc_paragraph(
		        section,
		        "A quick run: the tree that ls and find list has %d entries here, "
		        "not the published number.",
		        s->run.tree.n_entries);
}

static const struct timing_column time_columns[] = {
        {XCS_METRIC_COMMAND_REAL,  "real",  true },
        {XCS_METRIC_COMMAND_LINES, "lines", false},
        {XCS_METRIC_COMMAND_CPU,   "CPU",   false},
        {XCS_METRIC_COMMAND_USER,  "user",  false},
        {XCS_METRIC_COMMAND_SYS,   "sys",   false},
};

static void time_row(const struct xcs_summary *s, size_t cell, struct xcs_doc_table *t)
{
	const char *hole = report_hole(s, cell);
	struct xcs_cell *row = xcs_doc_row(t);
	size_t n_keys = report_set_keys(s, cell, row);
	struct xcs_timings timings;

	xcs_timings_of(&timings, s, cell, NULL);
	xcs_cell_set_num(&row[n_keys++], xcs_num_of((double)timings.n_runs));
	xcs_cell_set_text(&row[n_keys], hole);
	for (size_t i = 0; i < ARRAY_LEN(time_columns) && !hole; i++)
		xcs_cell_set_spread(&row[n_keys + i], &timings.v[time_columns[i].metric]);
}

static void report_times(const struct xcs_summary *s, struct xcs_doc *doc)
{
	struct xcs_column columns[REPORT_KEYS_MAX + 1 + ARRAY_LEN(time_columns)];
	size_t n_keys = report_key_columns(s, columns);
	struct xcs_section *section =
	        xcs_doc_section(doc, "command_times", "Commands: spread and lines");
	struct xcs_buf constant = {0};

	columns[n_keys++] =
	        (struct xcs_column){.id = "runs", .heading = "runs", .unit = "", .is_key = true};
	for (size_t i = 0; i < ARRAY_LEN(time_columns); i++)
		columns[n_keys + i] =
		        report_metric_column(time_columns[i].metric, time_columns[i].heading,
		                             time_columns[i].with_range);
	struct xcs_doc_table *t =
	        xcs_doc_table(section, "times", columns, n_keys + ARRAY_LEN(time_columns));
	for (size_t cell = 0; cell < s->run.n_cells; cell++)
		if (is_single(load_of(s, cell)))
			time_row(s, cell, t);
	report_hole_reasons(s, true, section);
	for (size_t cell = 0; cell < s->run.n_cells; cell++)
		if (is_single(load_of(s, cell)))
			timing_add_constant(s, cell, NULL, &constant);
	timing_flag_constant(&constant, section);
	timing_flag_single(s, is_single, section);
	report_nice_note(s, section);
	xcs_doc_paragraph(section, "Medians over n trials, each the median of its runs; runs: of "
	                           "all n trials. lines: that the command wrote, per second.");
}

static const struct xcs_column slowdown_columns[] = {
        {.id = "command.real", .heading = "real",    .unit = "s", .digits = 3},
        {.id = "pipe",         .heading = "pipe",    .unit = "s", .digits = 3},
        {.id = "slowdown",     .heading = "factor",  .unit = "x", .digits = 2},
        {.id = "start_up",     .heading = "start",   .unit = "s", .digits = 3},
        {.id = "net",          .heading = "less it", .unit = "s", .digits = 3},
        {.id = "net_slowdown", .heading = "factor",  .unit = "x", .digits = 2},
};

/* The load that is this one's command into a pipe, or -1. */
static int pipe_of(const struct xcs_run *run, const struct xcs_run_load *load)
{
	for (size_t i = 0; i < run->n_loads; i++)
		if (run->loads[i].pipe_of && strcmp(run->loads[i].pipe_of, load->id) == 0)
			return (int)i;
	return -1;
}

/* The load that only starts this one's terminal: its own, else one of the same kind. */
static int startup_of(const struct xcs_run *run, const struct xcs_run_load *load)
{
	int found = -1;

	for (size_t i = 0; i < run->n_loads; i++) {
		const struct xcs_run_load *other = &run->loads[i];
		if (!other->startup_of)
			continue;
		if (strcmp(other->startup_of, load->id) == 0)
			return (int)i;
		if (is_same(other->kind, load->kind) && is_same(other->terminal, load->terminal) &&
		    is_same(other->timer, load->timer))
			found = (int)i;
	}
	return found;
}

static struct xcs_num real_at(const struct xcs_summary *s, int load, int x_nice)
{
	int cell = load >= 0 ? timing_cell_at(s, load, x_nice) : -1;

	return cell >= 0 ? xcs_spread_median(&s->cells[cell].v[XCS_METRIC_COMMAND_REAL])
	                 : (struct xcs_num){0};
}

static bool has_slowdown(const struct xcs_summary *s, size_t cell)
{
	const struct xcs_run_load *load = load_of(s, cell);

	return is_single(load) && pipe_of(&s->run, load) >= 0;
}

static void slowdown_row(const struct xcs_summary *s, size_t cell, struct xcs_doc_table *t)
{
	const struct xcs_run_load *load = load_of(s, cell);
	const char *hole = report_hole(s, cell);
	int x_nice = s->run.cells[cell].x_nice;
	struct xcs_cell *row = xcs_doc_row(t);
	struct xcs_num real = xcs_spread_median(&s->cells[cell].v[XCS_METRIC_COMMAND_REAL]);
	struct xcs_num pipe = real_at(s, pipe_of(&s->run, load), x_nice);
	struct xcs_num start = real_at(s, startup_of(&s->run, load), x_nice);
	struct xcs_num net = xcs_num_minus(real, start);

	row += report_set_keys(s, cell, row);
	xcs_cell_set_num(&row[0], real);
	xcs_cell_set_text(&row[0], hole);
	xcs_cell_set_num(&row[1], pipe);
	xcs_cell_set_num(&row[2], xcs_num_ratio(real, pipe));
	xcs_cell_set_num(&row[3], start);
	xcs_cell_set_num(&row[4], net);
	xcs_cell_set_num(&row[5], xcs_num_ratio(net, pipe));
}

static void report_slowdown(const struct xcs_summary *s, struct xcs_doc *doc)
{
	struct xcs_column columns[REPORT_KEYS_MAX + ARRAY_LEN(slowdown_columns)];
	size_t n_keys = report_key_columns(s, columns);
	struct xcs_doc_table *t = NULL;
	struct xcs_section *section = NULL;

	memcpy(columns + n_keys, slowdown_columns, sizeof(slowdown_columns));
	columns[n_keys + 2].definition = xcs_metric(XCS_METRIC_SLOWDOWN)->definition;
	for (size_t cell = 0; cell < s->run.n_cells; cell++) {
		if (!has_slowdown(s, cell))
			continue;
		if (!t) {
			section = xcs_doc_section(doc, "slowdown", "Slowdown by the terminal");
			t = xcs_doc_table(section, "slowdown", columns,
			                  n_keys + ARRAY_LEN(slowdown_columns));
		}
		slowdown_row(s, cell, t);
	}
	if (t)
		xcs_doc_paragraph(section,
		                  "real: in the terminal; pipe: the same command into a pipe; "
		                  "factor: how much slower the terminal makes it. start: the "
		                  "terminal with `true` in it; less it: real without the "
		                  "start, and the factor of that.");
}

static const struct {
	enum xcs_metric_id metric;
	const char *heading;
} split_columns[] = {
        {XCS_METRIC_SERVER_CPU,  "X"       },
        {XCS_METRIC_CLIENT_CPU,  "terminal"},
        {XCS_METRIC_COMMAND_CPU, "command" },
        {XCS_METRIC_US,          "us"      },
        {XCS_METRIC_SY,          "sy"      },
        {XCS_METRIC_NI,          "ni"      },
        {XCS_METRIC_ID,          "id"      },
};

static bool has_split(const struct xcs_summary *s, size_t cell)
{
	return is_single(load_of(s, cell)) && s->cells[cell].v[XCS_METRIC_CLIENT_CPU].n;
}

static void report_split(const struct xcs_summary *s, struct xcs_doc *doc)
{
	struct xcs_column columns[REPORT_KEYS_MAX + ARRAY_LEN(split_columns)];
	size_t n_keys = report_key_columns(s, columns);
	struct xcs_section *section = NULL;
	struct xcs_doc_table *t = NULL;

	for (size_t i = 0; i < ARRAY_LEN(split_columns); i++)
		columns[n_keys + i] = report_metric_column(split_columns[i].metric,
		                                           split_columns[i].heading, false);
	columns[n_keys + 2].digits = columns[n_keys].digits; /* CPU of the command as the others */
	for (size_t cell = 0; cell < s->run.n_cells; cell++) {
		if (!has_split(s, cell))
			continue;
		if (!t) {
			section = xcs_doc_section(doc, "command_cpu", "Who used the CPU meanwhile");
			t = xcs_doc_table(section, "command_cpu", columns,
			                  n_keys + ARRAY_LEN(split_columns));
		}
		struct xcs_cell *row = xcs_doc_row(t);
		report_set_keys(s, cell, row);
		for (size_t i = 0; i < ARRAY_LEN(split_columns); i++)
			xcs_cell_set_spread(&row[n_keys + i],
			                    &s->cells[cell].v[split_columns[i].metric]);
	}
	if (t)
		xcs_doc_paragraph(section,
		                  "X, terminal, command: CPU time, 100 %% is one CPU. us sy "
		                  "ni id: of the load's CPUs, tick-sampled; a server at a "
		                  "positive nice is counted under ni, not us.");
}

void report_commands(const struct xcs_summary *s, struct xcs_doc *doc)
{
	bool any = false;

	for (size_t i = 0; i < s->run.n_loads; i++)
		any = any || is_single(&s->run.loads[i]);
	if (!any)
		return;
	for (size_t i = 0; i < ARRAY_LEN(size_tables); i++)
		report_size(s, &size_tables[i], doc);
	report_times(s, doc);
	report_slowdown(s, doc);
	report_split(s, doc);
}
