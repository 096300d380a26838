/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One row per load and nice level. Which metric stands in which table is data; title, unit,
 * digits and definition are the metric's own.
 */
#include "report.h"

#include <common/alloc.h>
#include <reports/timings.h>

#include <string.h>

struct metric_column {
	enum xcs_metric_id metric;
	const char *heading;
	bool with_range;
};

struct metric_table {
	const char *id, *heading, *note;
	const struct metric_column *columns;
	size_t n_columns;
	bool only_if_known; /* left out when all its cells would be n/a; "not measured" tells why */
};

static const struct metric_column switches[] = {
        {XCS_METRIC_CS,      "cs",     true },
        {XCS_METRIC_CS_NET,  "cs net", false},
        {XCS_METRIC_CS_TASK, "tasks",  true },
};

static const struct metric_column server_switches[] = {
        {XCS_METRIC_SERVER_VCS, "X vol",   true},
        {XCS_METRIC_SERVER_ICS, "X invol", true},
};

static const struct metric_column cpu[] = {
        {XCS_METRIC_SERVER_CPU,  "X CPU",   true },
        {XCS_METRIC_CLIENT_CPU,  "client",  false},
        {XCS_METRIC_FEEDER_CPU,  "feeder",  false},
        {XCS_METRIC_WATCHED_CPU, "sum",     false},
        {XCS_METRIC_FOREIGN_CPU, "foreign", false},
};

static const struct metric_column ticks[] = {
        {XCS_METRIC_US, "us", true },
        {XCS_METRIC_SY, "sy", false},
        {XCS_METRIC_NI, "ni", false},
        {XCS_METRIC_ID, "id", false},
        {XCS_METRIC_WA, "wa", false},
        {XCS_METRIC_HI, "hi", false},
        {XCS_METRIC_SI, "si", false},
        {XCS_METRIC_ST, "st", false},
};

static const struct metric_column accounting[] = {
        {XCS_METRIC_SERVER_ACCT_ERROR, "X",       true },
        {XCS_METRIC_CLIENT_ACCT_ERROR, "clients", false},
        {XCS_METRIC_FEEDER_ACCT_ERROR, "feeders", false},
        {XCS_METRIC_ACCT_ERROR,        "all",     false},
};

static const struct metric_column throughput[] = {
        {XCS_METRIC_LINES,            "lines",       true },
        {XCS_METRIC_LINES_PER_CLIENT, "each",        false},
        {XCS_METRIC_FRAMES,           "frames",      false},
        {XCS_METRIC_LINES_PER_FRAME,  "lines/frame", false},
        {XCS_METRIC_FAIRNESS,         "fair",        false},
};

static const struct metric_column scheduling[] = {
        {XCS_METRIC_SERVER_TIMESLICES,    "X slices",    true },
        {XCS_METRIC_SERVER_RUN_DELAY,     "delay/slice", false},
        {XCS_METRIC_SERVER_RUN_DELAY_PCT, "delay",       false},
        {XCS_METRIC_SERVER_MIGRATIONS,    "migr",        false},
        {XCS_METRIC_REQUESTS,             "X req",       false},
        {XCS_METRIC_REQUESTS_PER_WAKEUP,  "req/slice",   false},
        {XCS_METRIC_ROUND_TRIP,           "round trip",  false},
        {XCS_METRIC_RUNNABLE,             "r",           false},
        {XCS_METRIC_INTR,                 "in",          false},
        {XCS_METRIC_INTR_NET,             "in net",      false},
};

static const struct metric_column load_switches[] = {
        {XCS_METRIC_CLIENT_VCS, "clients vol", true },
        {XCS_METRIC_CLIENT_ICS, "invol",       false},
        {XCS_METRIC_FEEDER_VCS, "feeders vol", false},
        {XCS_METRIC_FEEDER_ICS, "invol",       false},
};

static const struct metric_column compositor[] = {
        {XCS_METRIC_COMPOSITOR_VCS,           "vol",         true },
        {XCS_METRIC_COMPOSITOR_ICS,           "invol",       true },
        {XCS_METRIC_COMPOSITOR_CPU,           "CPU",         true },
        {XCS_METRIC_COMPOSITOR_RUN_DELAY,     "delay/slice", false},
        {XCS_METRIC_COMPOSITOR_RUN_DELAY_PCT, "delay",       false},
};

#define COLUMNS(list) .columns = (list), .n_columns = ARRAY_LEN(list)

static const struct metric_table tables[] = {
        {.id = "switches",
         .heading = "Switches",
         .note = "Medians over n trials. cs: all CPUs, switches to and from idle included; cs net: "
                 "less the observer's; tasks: all that are watched.",                           COLUMNS(switches)    },
        {.id = "server_switches",
         .heading = "Switches of the X server",
         .note = "X vol: it gave up the CPU, having nothing to do; X invol: it was preempted.",
         COLUMNS(server_switches)                                                                                    },
        {.id = "compositor",
         .heading = "The compositor",
         .note = "Of what draws the server's windows on the screen, in the words of the tables "
                 "about the server; it is in none of the server's figures.",                    .only_if_known = true,
         COLUMNS(compositor)},
        {.id = "cpu",
         .heading = "CPU by execution time",
         .note = "X CPU, client (each), feeder (each): 100 % is one CPU. Of the load's CPUs: sum "
                 "is all that is watched together; foreign is what none of them used and "
                 "was not idle (idle is tick-sampled).",                                                    COLUMNS(cpu)                                                              },
        {.id = "ticks",
         .heading = "CPU of the load's CPUs, tick-sampled",
         .note = "A server at a positive nice is counted under ni.",
         COLUMNS(ticks)                                                  },
        {.id = "accounting",
         .heading = "Accounting error of the tick",
         .note = "CPU time of the watched tasks as the tick samples it, against their execution "
                 "time: by how much us, sy and ni are wrong about them.",                                             .only_if_known = true,
         COLUMNS(accounting)},
        {.id = "throughput",
         .heading = "Throughput",
         .note = "lines: all clients together; each: mean of them; fair: Jain's index, 1 when all "
                 "are served alike. frames: redraws as the clients count them, n/a where they do "
                 "not; more lines per frame is a jumpier screen, so faster is not smoother.",                                              COLUMNS(throughput)                                                                                     },
        {.id = "scheduling",
         .heading = "The server on the run queue",
         .note = "X slices: times put on a CPU; delay: runnable but not running, per timeslice and "
                 "of all time; X req: requests that the clients sent; r: runnable tasks; in: "
                 "interrupts; in net: less the timer of the observer.",COLUMNS(scheduling)                                                                    },
        {.id = "load_switches",
         .heading = "Switches of clients and feeders",
         .note = "Sums over all clients and all feeders; vol, invol: given up, preempted.",
         COLUMNS(load_switches)                                                                },
};

bool report_has_hogs(const struct xcs_summary *s)
{
	for (size_t i = 0; i < s->run.n_cells; i++)
		if (s->run.cells[i].n_hogs)
			return true;
	return false;
}

void report_name_cell(const struct xcs_summary *s, size_t cell, struct xcs_buf *into)
{
	const struct xcs_run_cell *c = &s->run.cells[cell];

	xcs_buf_printf(into, "%s, %s %d", s->run.loads[c->load].id,
	               report_is_relative(s) ? "relative" : "X nice", c->x_nice);
	if (c->n_hogs)
		xcs_buf_printf(into, ", %d hog%s", c->n_hogs, c->n_hogs > 1 ? "s" : "");
}

const char *report_nice_heading(const struct xcs_summary *s)
{
	static const char *const headings[][2] = {
	        {"X nice",     "X nice*"    },
                {"chain nice", "chain nice*"},
                {"relative",   "relative*"  }
        };
	const char *boost = s->run.plan.boost;
	int of = report_is_relative(s) ? 2 : boost && strcmp(boost, "chain") == 0;

	return headings[of][report_renice_is_null(s)];
}

void report_nice_note(const struct xcs_summary *s, struct xcs_section *section)
{
	if (report_renice_is_null(s))
		xcs_doc_paragraph(section, "*: nice of X not effective between these groups: %s.",
		                  s->run.probe.verdict);
}

size_t report_key_columns(const struct xcs_summary *s, struct xcs_column *columns)
{
	bool relative = report_is_relative(s);
	size_t n = 0;

	columns[n++] =
	        (struct xcs_column){.id = "load", .heading = "load", .unit = "", .is_key = true};
	columns[n++] = (struct xcs_column){
	        .id = "x_nice", .heading = report_nice_heading(s), .unit = "", .is_key = true};
	if (relative)
		columns[n++] = (struct xcs_column){
		        .id = "load_nice", .heading = "load nice", .unit = "", .is_key = true};
	if (report_has_hogs(s))
		columns[n++] = (struct xcs_column){
		        .id = "hogs", .heading = "hogs", .unit = "", .is_key = true};
	columns[n++] = (struct xcs_column){.id = "n", .heading = "n", .unit = "", .is_key = true};
	return n;
}

size_t report_set_keys(const struct xcs_summary *s, size_t cell, struct xcs_cell *row)
{
	const struct xcs_run_cell *c = &s->run.cells[cell];
	size_t n = 0;

	xcs_cell_set_text(&row[n++], s->run.loads[c->load].id);
	xcs_cell_set_num(&row[n++], xcs_num_of(c->x_nice));
	if (report_is_relative(s))
		xcs_cell_set_num(&row[n++], xcs_num_of(c->load_nice));
	if (report_has_hogs(s))
		xcs_cell_set_num(&row[n++], xcs_num_of(c->n_hogs));
	xcs_cell_set_num(&row[n++], xcs_num_of((double)s->cells[cell].n_counted));
	return n;
}

struct xcs_column report_metric_column(enum xcs_metric_id id, const char *heading, bool with_range)
{
	const struct xcs_metric *m = xcs_metric(id);

	return (struct xcs_column){.id = m->id,
	                           .heading = heading,
	                           .unit = m->unit,
	                           .definition = m->definition,
	                           .digits = m->digits,
	                           .with_range = with_range};
}

static struct xcs_column column_of(const struct metric_column *c)
{
	return report_metric_column(c->metric, c->heading, c->with_range);
}

static bool knows(const struct xcs_summary *s, const struct metric_table *table, size_t cell)
{
	for (size_t i = 0; i < table->n_columns; i++)
		if (s->cells[cell].v[table->columns[i].metric].n)
			return true;
	return false;
}

/* A command timed to its end has tables of its own; here it has a row where its server or
 * terminal were sampled meanwhile. */
static bool has_row(const struct xcs_summary *s, const struct metric_table *table, size_t cell)
{
	return !xcs_load_is_timed(&s->run.loads[s->run.cells[cell].load]) || knows(s, table, cell);
}

static void add_table(const struct xcs_summary *s, const struct metric_table *table,
                      struct xcs_section *section)
{
	struct xcs_column columns[REPORT_KEYS_MAX + XCS_N_METRICS];
	size_t n_keys = report_key_columns(s, columns);

	for (size_t i = 0; i < table->n_columns; i++)
		columns[n_keys + i] = column_of(&table->columns[i]);
	struct xcs_doc_table *t =
	        xcs_doc_table(section, table->id, columns, n_keys + table->n_columns);
	for (size_t cell = 0; cell < s->run.n_cells; cell++) {
		const char *hole = report_hole(s, cell);
		if (!has_row(s, table, cell))
			continue;
		struct xcs_cell *row = xcs_doc_row(t);
		report_set_keys(s, cell, row);
		xcs_cell_set_text(&row[n_keys], hole);
		for (size_t i = 0; i < table->n_columns && !hole; i++)
			xcs_cell_set_spread(&row[n_keys + i],
			                    &s->cells[cell].v[table->columns[i].metric]);
	}
}

static bool has_rows(const struct xcs_summary *s, const struct metric_table *table)
{
	for (size_t cell = 0; cell < s->run.n_cells; cell++)
		if (table->only_if_known ? knows(s, table, cell) : has_row(s, table, cell))
			return true;
	return false;
}

void report_tables(const struct xcs_summary *s, struct xcs_doc *doc)
{
	for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
		if (!has_rows(s, &tables[i]))
			continue;
		struct xcs_section *section = xcs_doc_section(doc, tables[i].id, tables[i].heading);
		add_table(s, &tables[i], section);
		if (i == 0)
			report_hole_reasons(s, false, section);
		if (i == 0)
			report_nice_note(s, section);
		xcs_doc_paragraph(section, "%s", tables[i].note);
	}
}

static const struct metric_column ratio_columns[] = {
        {XCS_METRIC_CS,         "cs",      false},
        {XCS_METRIC_CS_TASK,    "tasks",   false},
        {XCS_METRIC_SERVER_VCS, "X vol",   false},
        {XCS_METRIC_SERVER_ICS, "X invol", false},
        {XCS_METRIC_SERVER_CPU, "X CPU",   false},
        {XCS_METRIC_LINES,      "lines",   false},
        {XCS_METRIC_FRAMES,     "frames",  false},
};

/* The cell of the same load beside as many busy loops with the server at nice 0, or -1. */
static int base_of(const struct xcs_run *run, const struct xcs_run_cell *cell)
{
	for (size_t i = 0; i < run->n_cells; i++)
		if (run->cells[i].load == cell->load && run->cells[i].x_nice == 0 &&
		    run->cells[i].n_hogs == cell->n_hogs)
			return (int)i;
	return -1;
}

static void ratio_row(const struct xcs_summary *s, size_t cell, int base, struct xcs_doc_table *t)
{
	struct xcs_cell *row = xcs_doc_row(t);
	size_t n_keys = report_set_keys(s, cell, row);

	for (size_t i = 0; i < ARRAY_LEN(ratio_columns); i++) {
		enum xcs_metric_id id = ratio_columns[i].metric;
		xcs_cell_set_num(&row[n_keys + i],
		                 xcs_num_ratio(xcs_spread_median(&s->cells[cell].v[id]),
		                               xcs_spread_median(&s->cells[base].v[id])));
	}
}

static bool has_ratio(const struct xcs_summary *s, size_t cell)
{
	int base = base_of(&s->run, &s->run.cells[cell]);
	bool timed = xcs_load_is_timed(&s->run.loads[s->run.cells[cell].load]);

	return base >= 0 && (size_t)base != cell &&
	       (!timed || (s->cells[cell].v[XCS_METRIC_CS].n && s->cells[base].v[XCS_METRIC_CS].n));
}

static size_t count_ratios(const struct xcs_summary *s)
{
	size_t n = 0;

	for (size_t cell = 0; cell < s->run.n_cells; cell++)
		n += has_ratio(s, cell);
	return n;
}

void report_ratios(const struct xcs_summary *s, struct xcs_doc *doc)
{
	struct xcs_column columns[REPORT_KEYS_MAX + ARRAY_LEN(ratio_columns)];
	size_t n_keys = report_key_columns(s, columns);

	if (!count_ratios(s))
		return;
	for (size_t i = 0; i < ARRAY_LEN(ratio_columns); i++) {
		columns[n_keys + i] = column_of(&ratio_columns[i]);
		columns[n_keys + i].unit = "x";
		columns[n_keys + i].digits = 2;
	}
	struct xcs_section *section =
	        xcs_doc_section(doc, "ratios",
	                        report_is_relative(s) ? "Against relative 0 of the same load"
	                                              : "Against X nice 0 of the same load");
	struct xcs_doc_table *t =
	        xcs_doc_table(section, "ratios", columns, n_keys + ARRAY_LEN(ratio_columns));
	for (size_t cell = 0; cell < s->run.n_cells; cell++)
		if (has_ratio(s, cell))
			ratio_row(s, cell, base_of(&s->run, &s->run.cells[cell]), t);
	report_nice_note(s, section);
	xcs_doc_paragraph(section, "Ratios of medians, to describe this machine in this boot. "
	                           "Trials of one boot say nothing about kernels: two boots of "
	                           "one kernel can differ by more than two kernels do.");
}
