/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Published experiments that timed commands: in terminals of different nice, and singly.
 */
#include "beside.h"
#include "timing_rows.h"

#include <common/alloc.h>
#include <common/str.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct beside_column client_columns[] = {
        {XCS_METRIC_COMMAND_USER, "user",    false},
        {XCS_METRIC_COMMAND_SYS,  "system",  false},
        {XCS_METRIC_COMMAND_REAL, "elapsed", false},
        {XCS_METRIC_COMMAND_CPU,  "CPU",     false},
};

#define N_CLIENT ARRAY_LEN(client_columns)

static void client_now(const struct xcs_summary *s, size_t cell, int client,
                       struct xcs_doc_table *t)
{
	const struct xcs_run_load *load = &s->run.loads[s->run.cells[cell].load];
	const char *hole = report_hole(s, cell);
	struct xcs_cell *row = xcs_doc_row(t);
	char *name = beside_now_name_dup(s, cell);
	struct xcs_timings timings;
	char role[32];

	snprintf(role, sizeof(role), "client%d", client);
	xcs_timings_of(&timings, s, cell, load->n_clients > 1 ? role : NULL);
	xcs_cell_set_text(&row[0], name);
	xcs_cell_set_num(&row[1], timings.nice.known
	                                  ? timings.nice
	                                  : xcs_num_of(timing_client_nice(load, client)));
	xcs_cell_set_num(&row[2], xcs_num_of(s->run.cells[cell].x_nice));
	xcs_cell_set_num(&row[3], xcs_num_of((double)s->cells[cell].n_counted));
	xcs_cell_set_text(&row[4], hole);
	for (size_t i = 0; i < N_CLIENT && !hole; i++)
		xcs_cell_set_spread(&row[4 + i], &timings.v[client_columns[i].metric]);
	free(name);
}

static void client_then(const struct xcs_reference_row *from, struct xcs_cell *row)
{
	struct xcs_spread real = beside_spread(from, "command.real");

	xcs_cell_set_text(&row[0], beside_then_name(from));
	xcs_cell_set_num(&row[1], from->client_nice);
	xcs_cell_set_num(&row[2], from->x_nice);
	xcs_cell_set_num(&row[3], xcs_num_of((double)real.n));
	beside_set_then(row + 4, client_columns, N_CLIENT, from);
}

void beside_terminals(const struct beside *b)
{
	struct xcs_column columns[4 + N_CLIENT] = {
	        beside_name_column(),
	        {.id = "client_nice", .heading = "xterm nice", .unit = "", .is_key = true},
	        beside_nice_column(b->s),
	        {.id = "n",           .heading = "n",          .unit = "", .is_key = true}
        };
	struct xcs_section *section = xcs_doc_section(b->doc, "beside_terminals",
	                                              "Then and now: a command in each terminal");

	beside_columns(columns + 4, client_columns, N_CLIENT);
	struct xcs_doc_table *t = xcs_doc_table(section, "terminals", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < b->e->n_rows; i++)
		client_then(&b->e->rows[i], xcs_doc_row(t));
	for (size_t cell = 0; cell < b->s->run.n_cells; cell++) {
		const struct xcs_run_load *load = &b->s->run.loads[b->s->run.cells[cell].load];
		for (int c = 0; xcs_load_is_timed(load) && c < load->n_clients; c++)
			client_now(b->s, cell, c, t);
	}
	report_hole_reasons(b->s, true, section);
	xcs_doc_paragraph(section, "Medians over n trials. CPU: user and system time of the "
	                           "command per elapsed time.");
}

/* The program that a command is about: "find" of `xterm -e sh -c "find DIR DIR"`. */
static struct xcs_str program_of(const char *command)
{
	static const char *const around[] = {"xterm", "-e", "sh", "-c"};
	struct xcs_str rest = xcs_str(command), word = {0};

	while (xcs_str_next_word(&rest, &word)) {
		bool is_around = false;
		for (size_t i = 0; i < ARRAY_LEN(around); i++)
			is_around = is_around || xcs_str_is(word, around[i]);
		if (is_around)
			continue;
		while (word.n && (*word.p == '"' || *word.p == '\''))
			word = (struct xcs_str){word.p + 1, word.n - 1};
		return word;
	}
	return (struct xcs_str){0};
}

static bool is_piped(const char *command)
{
	return command && strchr(command, '|');
}

/* True when a load of today runs the program of the published command, and as it does into a
 * terminal or into a pipe. */
static bool is_same_command(const char *then, const struct xcs_run_load *load)
{
	struct xcs_str a = program_of(then);
	struct xcs_str b = program_of(load->command ? load->command : load->label);

	return xcs_load_is_timed(load) && !load->startup_of && a.n && a.n == b.n &&
	       memcmp(a.p, b.p, a.n) == 0 && is_piped(then) == (strcmp(load->kind, "pipe") == 0);
}

enum {
	LEVELS_MAX = 40,
	COMMAND_WIDTH = 30
};

struct levels {
	int v[LEVELS_MAX];
	size_t n;
};

static void add_level(struct levels *l, double level)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i] == (int)level)
			return;
	if (l->n < LEVELS_MAX)
		l->v[l->n++] = (int)level;
}

/* Levels of the published rows first, then those that only today has. */
static void find_levels(const struct beside *b, struct levels *l)
{
	*l = (struct levels){0};
	for (size_t i = 0; i < b->e->n_rows; i++)
		if (b->e->rows[i].command && b->e->rows[i].x_nice.known)
			add_level(l, b->e->rows[i].x_nice.v);
	for (size_t cell = 0; cell < b->s->run.n_cells; cell++)
		if (xcs_load_is_timed(&b->s->run.loads[b->s->run.cells[cell].load]))
			add_level(l, b->s->run.cells[cell].x_nice);
}

static const struct xcs_reference_row *row_at(const struct xcs_reference_experiment *e,
                                              const char *command, int x_nice)
{
	for (size_t i = 0; i < e->n_rows; i++) {
		const struct xcs_reference_row *row = &e->rows[i];
		if (row->command && strcmp(row->command, command) == 0 && row->x_nice.known &&
		    row->x_nice.v == x_nice)
			return row;
	}
	return NULL;
}

static void put_then(struct xcs_buf *text, const struct xcs_reference_row *row, const char *metric,
                     const char *before)
{
	struct xcs_spread spread = beside_spread(row, metric);

	xcs_buf_puts(text, before);
	if (spread.n)
		xcs_buf_printf(text, "%.3f", spread.median);
	else
		xcs_buf_puts(text, "n/a");
}

static void commands_then(const struct beside *b, const char *command, const struct levels *l,
                          struct xcs_cell *row)
{
	xcs_cell_set_text(&row[0], command);
	for (size_t i = 0; i < l->n; i++) {
		const struct xcs_reference_row *from = row_at(b->e, command, l->v[i]);
		struct xcs_buf text = {0};
		if (!from)
			continue;
		put_then(&text, from, "command.real", "");
		put_then(&text, from, "command.user", "/");
		put_then(&text, from, "command.sys", "/");
		xcs_cell_set_text(&row[1 + i], text.p);
		xcs_buf_fini(&text);
	}
}

static void commands_now(const struct xcs_summary *s, size_t load, const struct levels *l,
                         struct xcs_cell *row)
{
	char *name = xcs_xasprintf("- now: %s", s->run.loads[load].id);

	xcs_cell_set_text(&row[0], name);
	for (size_t i = 0; i < l->n; i++) {
		int cell = timing_cell_at(s, (int)load, l->v[i]);
		if (cell >= 0)
			timing_set_triple(&row[1 + i], s, (size_t)cell);
	}
	free(name);
}

/* True for the first row of its command. */
static bool is_first(const struct xcs_reference_experiment *e, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (e->rows[k].command && strcmp(e->rows[k].command, e->rows[i].command) == 0)
			return false;
	return true;
}

static bool is_published(const struct beside *b, size_t load)
{
	for (size_t i = 0; i < b->e->n_rows; i++)
		if (is_same_command(b->e->rows[i].command, &b->s->run.loads[load]))
			return true;
	return false;
}

static void command_rows(const struct beside *b, const struct levels *l, struct xcs_doc_table *t)
{
	const struct xcs_run *run = &b->s->run;

	for (size_t i = 0; i < b->e->n_rows; i++) {
		const char *command = b->e->rows[i].command;
		if (!command || !is_first(b->e, i))
			continue;
		commands_then(b, command, l, xcs_doc_row(t));
		for (size_t load = 0; load < run->n_loads; load++)
			if (is_same_command(command, &run->loads[load]))
				commands_now(b->s, load, l, xcs_doc_row(t));
	}
	for (size_t load = 0; load < run->n_loads; load++)
		if (xcs_load_is_timed(&run->loads[load]) && !is_published(b, load))
			commands_now(b->s, load, l, xcs_doc_row(t));
}

static void command_table(const struct beside *b)
{
	struct xcs_column columns[1 + LEVELS_MAX] = {
	        {.id = "command",
	         .heading = "command",
	         .unit = "",
	         .is_key = true,
	         .text_width = COMMAND_WIDTH}
        };
	const char *kind = report_is_relative(b->s) ? "relative" : "X nice";
	struct xcs_section *section =
	        xcs_doc_section(b->doc, "beside_commands", "Then and now: real/user/sys");
	struct levels levels;

	find_levels(b, &levels);
	for (size_t i = 0; i < levels.n; i++)
		columns[1 + i] = (struct xcs_column){
		        .id = xcs_doc_keep(section, xcs_xasprintf("x_nice_%d", levels.v[i])),
		        .heading = xcs_doc_keep(section, xcs_xasprintf("%s %d", kind, levels.v[i])),
		        .unit = "s",
		        .text_width = COMMAND_WIDTH};
	command_rows(b, &levels, xcs_doc_table(section, "commands", columns, 1 + levels.n));
	report_hole_reasons(b->s, true, section);
	xcs_doc_paragraph(section,
	                  "A published command, and below it the loads of today that run the "
	                  "same program; n/a: not published, or not run. Medians. Of the two "
	                  "sizes of today, the historic one is the published size; verdicts "
	                  "use the scaled one.");
}

static const struct beside_column split_columns[] = {
        {XCS_METRIC_SERVER_CPU, "X",       false},
        {XCS_METRIC_CLIENT_CPU, "xterm",   false},
        {XCS_METRIC_FEEDER_CPU, "command", false},
        {XCS_METRIC_US,         "us",      false},
        {XCS_METRIC_SY,         "sy",      false},
        {XCS_METRIC_NI,         "ni",      false},
        {XCS_METRIC_ID,         "id",      false},
};

#define N_SPLIT ARRAY_LEN(split_columns)

static void split_now(const struct xcs_summary *s, size_t cell, struct xcs_doc_table *t)
{
	struct xcs_cell *row = xcs_doc_row(t);
	char *name = beside_now_name_dup(s, cell);

	xcs_cell_set_text(&row[0], name);
	xcs_cell_set_num(&row[1], xcs_num_of(s->run.cells[cell].x_nice));
	for (size_t i = 0; i < N_SPLIT; i++) {
		enum xcs_metric_id id = split_columns[i].metric;
		/* The feeder of today only starts the command and waits. */
		if (id == XCS_METRIC_FEEDER_CPU)
			id = XCS_METRIC_COMMAND_CPU;
		xcs_cell_set_spread(&row[2 + i], &s->cells[cell].v[id]);
	}
	free(name);
}

static void split_then(const struct xcs_reference_row *from, struct xcs_doc_table *t)
{
	struct xcs_cell *row = xcs_doc_row(t);
	struct xcs_str program = program_of(from->command);
	char *name = xcs_xasprintf("%s, %.*s", beside_then_name(from), (int)program.n,
	                           program.n ? program.p : "");

	xcs_cell_set_text(&row[0], name);
	xcs_cell_set_num(&row[1], from->x_nice);
	beside_set_then(row + 2, split_columns, N_SPLIT, from);
	free(name);
}

static void split_table(const struct beside *b)
{
	struct xcs_column columns[2 + N_SPLIT] = {beside_name_column(), beside_nice_column(b->s)};
	struct xcs_section *section =
	        xcs_doc_section(b->doc, "beside_cpu", "Then and now: who used the CPU meanwhile");

	beside_columns(columns + 2, split_columns, N_SPLIT);
	for (size_t i = 0; i < N_SPLIT; i++)
		columns[2 + i].digits = 1; /* as published */
	struct xcs_doc_table *t = xcs_doc_table(section, "cpu", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < b->e->n_rows; i++)
		if (b->e->rows[i].command && xcs_reference_figure(&b->e->rows[i], "server.cpu"))
			split_then(&b->e->rows[i], t);
	for (size_t cell = 0; cell < b->s->run.n_cells; cell++)
		if (xcs_load_is_timed(&b->s->run.loads[b->s->run.cells[cell].load]) &&
		    b->s->cells[cell].v[XCS_METRIC_CLIENT_CPU].n)
			split_now(b->s, cell, t);
	xcs_doc_paragraph(section, "us sy ni id: tick-sampled; now of the load's CPUs. A server at "
	                           "a positive nice is counted under ni.");
}

/* Of each published level at which a command was timed in a terminal and into a pipe. */
static void slowdowns(const struct beside *b, struct xcs_section *section)
{
	for (size_t i = 0; i < b->e->n_rows; i++) {
		const struct xcs_reference_row *pipe = &b->e->rows[i];
		if (!is_piped(pipe->command))
			continue;
		for (size_t k = 0; k < b->e->n_rows; k++) {
			const struct xcs_reference_row *row = &b->e->rows[k];
			struct xcs_str a = program_of(pipe->command), c = program_of(row->command);
			if (is_piped(row->command) || a.n != c.n || memcmp(a.p, c.p, a.n) != 0 ||
			    row->x_nice.v != pipe->x_nice.v)
				continue;
			struct xcs_spread slow = beside_spread(row, "command.real");
			struct xcs_spread fast = beside_spread(pipe, "command.real");
			struct xcs_num factor =
			        xcs_num_ratio(xcs_spread_median(&slow), xcs_spread_median(&fast));
			if (factor.known)
				xcs_doc_item(section,
				             "Then, %.*s at X nice %.0f: %.3f s against %.3f s "
				             "into a pipe, a factor of %.1f. Those of today are "
				             "under \"Slowdown by the terminal\".",
				             (int)a.n, a.p, row->x_nice.v, slow.median, fast.median,
				             factor.v);
		}
	}
}

static void rest(const struct beside *b)
{
	struct xcs_section *section =
	        xcs_doc_section(b->doc, "beside_rest", "Then: what else was published");

	slowdowns(b, section);
	for (size_t i = 0; i < b->e->n_rows; i++) {
		const struct xcs_reference_row *row = &b->e->rows[i];
		if (row->command || !row->note || !row->n_figures)
			continue;
		struct xcs_spread v = beside_spread(row, row->figures[0].metric);
		xcs_doc_item(section, "%g %s: %s Today see --hogs=%.0f.", v.median,
		             row->figures[0].unit, row->note, row->n_hogs.v);
	}
}

void beside_commands(const struct beside *b)
{
	command_table(b);
	split_table(b);
	rest(b);
}
