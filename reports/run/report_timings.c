/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Commands that run at once in several terminals: a row for each terminal, since they may
 * have different nice levels.
 */
#include "report.h"
#include "timing_rows.h"

#include <common/alloc.h>
#include <common/str.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct timing_column client_columns[] = {
        {XCS_METRIC_COMMAND_USER,    "user",    false},
        {XCS_METRIC_COMMAND_SYS,     "system",  false},
        {XCS_METRIC_COMMAND_REAL,    "elapsed", true },
        {XCS_METRIC_COMMAND_CPU,     "CPU",     false},
        {XCS_METRIC_COMMAND_DRAINED, "drained", false},
        {XCS_METRIC_COMMAND_DRAWN,   "drawn",   true },
        {XCS_METRIC_COMMAND_LINES,   "lines",   false},
};

static bool has_terminals(const struct xcs_run_load *load)
{
	return xcs_load_is_timed(load) && load->n_clients > 1;
}

int timing_client_nice(const struct xcs_run_load *load, int client)
{
	struct xcs_str rest = xcs_str(load->client_nices), word;
	int64_t levels[64];
	size_t n = 0;

	while (n < ARRAY_LEN(levels) && xcs_str_next_part(&rest, ',', &word))
		if (xcs_str_i64(xcs_str_trim(word), &levels[n]) == 0)
			n++;
	return n ? (int)levels[(size_t)client % n] : load->client_nice;
}

void timing_add_constant(const struct xcs_summary *s, size_t cell, const char *who,
                         struct xcs_buf *list)
{
	struct xcs_timings t;

	xcs_timings_of(&t, s, cell, who);
	if (!t.constant)
		return;
	if (list->n)
		xcs_buf_puts(list, "; ");
	report_name_cell(s, cell, list);
	xcs_buf_printf(list, "%s%s (%zu runs of %.9g s)", who ? ", " : "", who ? who : "", t.n_runs,
	               t.v[XCS_METRIC_COMMAND_REAL].median);
}

void timing_flag_constant(struct xcs_buf *list, struct xcs_section *section)
{
	if (list->n)
		xcs_doc_item(section,
		             "suspiciously constant, to the nanosecond: %s. That is the "
		             "resolution of a clock, or one run copied: no spread can be trusted.",
		             list->p);
	xcs_buf_fini(list);
}

void timing_flag_single(const struct xcs_summary *s, bool (*is_of)(const struct xcs_run_load *),
                        struct xcs_section *section)
{
	struct xcs_buf cells = {0};
	size_t n_single = 0, n = 0;

	for (size_t cell = 0; cell < s->run.n_cells; cell++) {
		if (!is_of(&s->run.loads[s->run.cells[cell].load]) || !s->cells[cell].n_counted)
			continue;
		n++;
		if (s->cells[cell].n_counted != 1)
			continue;
		xcs_buf_puts(&cells, n_single++ ? "; " : "");
		report_name_cell(s, cell, &cells);
	}
	if (n_single)
		xcs_doc_paragraph(
		        section,
		        "Single trial, so there is no spread of trials; min..max is of its "
		        "runs, and n/a (-) of a single run: %s.",
		        n_single == n ? "every row" : cells.p);
	xcs_buf_fini(&cells);
}

/* One terminal of a cell; its runs are told apart by their role. */
static void client_row(const struct xcs_summary *s, size_t cell, int client,
                       struct xcs_doc_table *t)
{
	const struct xcs_run_load *load = &s->run.loads[s->run.cells[cell].load];
	const char *hole = report_hole(s, cell);
	struct xcs_cell *row = xcs_doc_row(t);
	size_t n_keys = report_set_keys(s, cell, row);
	struct xcs_timings timings;
	char role[32];

	snprintf(role, sizeof(role), "client%d", client);
	xcs_timings_of(&timings, s, cell, role);
	xcs_cell_set_num(&row[n_keys++], timings.nice.known
	                                         ? timings.nice
	                                         : xcs_num_of(timing_client_nice(load, client)));
	xcs_cell_set_text(&row[n_keys], hole);
	for (size_t i = 0; i < ARRAY_LEN(client_columns) && !hole; i++)
		xcs_cell_set_spread(&row[n_keys + i], &timings.v[client_columns[i].metric]);
}

static void client_table(const struct xcs_summary *s, struct xcs_section *section)
{
	struct xcs_column columns[REPORT_KEYS_MAX + 1 + ARRAY_LEN(client_columns)];
	size_t n_keys = report_key_columns(s, columns);

	columns[n_keys++] = (struct xcs_column){
	        .id = "client_nice", .heading = "nice", .unit = "", .is_key = true};
	for (size_t i = 0; i < ARRAY_LEN(client_columns); i++)
		columns[n_keys + i] =
		        report_metric_column(client_columns[i].metric, client_columns[i].heading,
		                             client_columns[i].with_range);
	struct xcs_doc_table *t =
	        xcs_doc_table(section, "terminals", columns, n_keys + ARRAY_LEN(client_columns));
	for (size_t cell = 0; cell < s->run.n_cells; cell++) {
		const struct xcs_run_load *load = &s->run.loads[s->run.cells[cell].load];
		for (int client = 0; has_terminals(load) && client < load->n_clients; client++)
			client_row(s, cell, client, t);
	}
}

static void flag_clients(const struct xcs_summary *s, struct xcs_section *section)
{
	struct xcs_buf list = {0};

	for (size_t cell = 0; cell < s->run.n_cells; cell++) {
		const struct xcs_run_load *load = &s->run.loads[s->run.cells[cell].load];
		for (int client = 0; has_terminals(load) && client < load->n_clients; client++) {
			char role[32];
			snprintf(role, sizeof(role), "client%d", client);
			timing_add_constant(s, cell, role, &list);
		}
	}
	timing_flag_constant(&list, section);
}

static void name_commands(const struct xcs_summary *s, struct xcs_section *section)
{
	for (size_t i = 0; i < s->run.n_loads; i++) {
		const struct xcs_run_load *load = &s->run.loads[i];
		if (has_terminals(load) && load->command)
			xcs_doc_item(section, "%s: `%s` in each of %d terminals, started together.",
			             load->id, load->command, load->n_clients);
	}
	if (s->run.tree.path)
		xcs_doc_item(section,
		             "The folder that is listed: %d entries on %s, names of %d bytes.",
		             s->run.tree.n_entries,
		             s->run.tree.filesystem ? s->run.tree.filesystem : "n/a",
		             s->run.tree.name_bytes);
}

void report_timings(const struct xcs_summary *s, struct xcs_doc *doc)
{
	bool any = false;

	for (size_t i = 0; i < s->run.n_loads; i++)
		any = any || has_terminals(&s->run.loads[i]);
	if (!any)
		return;
	struct xcs_section *section =
	        xcs_doc_section(doc, "terminals", "Commands in terminals, timed to their end");
	name_commands(s, section);
	client_table(s, section);
	report_hole_reasons(s, true, section);
	flag_clients(s, section);
	timing_flag_single(s, has_terminals, section);
	xcs_doc_paragraph(section,
	                  "Medians over n trials. nice: of the terminal and the command in it. "
	                  "elapsed: to the command's end; CPU: its user and system time per "
	                  "elapsed. Two more times from the same start: drained, the pty had "
	                  "taken all output, of which the terminal may not have read the last "
	                  "18 kB; drawn, the terminal answered a request behind the last byte. "
	                  "lines: that were written, per second until drawn.");
}
