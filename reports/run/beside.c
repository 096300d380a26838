/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "beside.h"

#include "seconds.h"

#include <common/alloc.h>
#include <reports/timings.h>

#include <stdlib.h>
#include <string.h>

enum {
	NAME_WIDTH = 20,
	SAMPLES_SHOWN = 5 /* of a cell of today: as many as were published */
};

static const char *or_na(const char *text)
{
	return text ? text : "n/a";
}

size_t beside_columns(struct xcs_column *into, const struct beside_column *columns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		into[i] = report_metric_column(columns[i].metric, columns[i].heading,
		                               columns[i].with_range);
	return n;
}

struct xcs_spread beside_spread(const struct xcs_reference_row *row, const char *metric)
{
	const struct xcs_reference_figure *f = xcs_reference_figure(row, metric);
	struct xcs_spread spread = {0};

	if (!f || !f->n_values)
		return spread;
	struct xcs_num *copy = xcs_xcalloc(f->n_values, sizeof(*copy));
	memcpy(copy, f->values, f->n_values * sizeof(*copy));
	spread = xcs_spread_of(copy, f->n_values);
	free(copy);
	return spread;
}

void beside_set_then(struct xcs_cell *row, const struct beside_column *columns, size_t n,
                     const struct xcs_reference_row *from)
{
	for (size_t i = 0; i < n; i++) {
		struct xcs_spread spread = beside_spread(from, xcs_metric(columns[i].metric)->id);
		xcs_cell_set_spread(&row[i], &spread);
	}
}

void beside_set_now(struct xcs_cell *row, const struct beside_column *columns, size_t n,
                    const struct xcs_summary *s, size_t cell)
{
	const char *hole = report_hole(s, cell);

	xcs_cell_set_text(&row[0], hole);
	for (size_t i = 0; i < n && !hole; i++)
		xcs_cell_set_spread(&row[i], &s->cells[cell].v[columns[i].metric]);
}

const char *beside_then_name(const struct xcs_reference_row *row)
{
	return row->variant ? row->variant : row->kernel;
}

char *beside_now_name_dup(const struct xcs_summary *s, size_t cell)
{
	if (s->run.origin.tool)
		return xcs_xasprintf("imported, %s",
		                     or_na(xcs_facts_get(&s->run.host, "kernel.release")));
	return xcs_xasprintf("now, %s", s->run.loads[s->run.cells[cell].load].id);
}

struct xcs_column beside_name_column(void)
{
	return (struct xcs_column){.id = "kernel",
	                           .heading = "kernel",
	                           .unit = "",
	                           .is_key = true,
	                           .text_width = NAME_WIDTH};
}

struct xcs_column beside_nice_column(const struct xcs_summary *s)
{
	return (struct xcs_column){.id = "x_nice",
	                           .heading = report_is_relative(s) ? "relative" : "X nice",
	                           .unit = "",
	                           .is_key = true};
}

bool beside_is_sampled(const struct xcs_summary *s, size_t cell)
{
	const struct xcs_run_cell *c = &s->run.cells[cell];

	return !xcs_load_is_timed(&s->run.loads[c->load]) && !c->n_hogs;
}

/* In the order of vmstat. */
static const struct {
	enum xcs_metric_id metric;
	const char *heading;
} vmstat[] = {
        {XCS_METRIC_RUNNABLE, "r" },
        {XCS_METRIC_INTR,     "in"},
        {XCS_METRIC_CS,       "cs"},
        {XCS_METRIC_US,       "us"},
        {XCS_METRIC_SY,       "sy"},
        {XCS_METRIC_NI,       "ni"},
        {XCS_METRIC_ID,       "id"},
        {XCS_METRIC_WA,       "wa"},
};

static void samples_then(const struct xcs_reference_row *from, struct xcs_doc_table *t)
{
	const struct xcs_reference_figure *cs = xcs_reference_figure(from, "cs");

	for (size_t n = 0; cs && n < cs->n_values; n++) {
		struct xcs_cell *row = xcs_doc_row(t);
		xcs_cell_set_text(&row[0], beside_then_name(from));
		xcs_cell_set_num(&row[1], from->x_nice);
		xcs_cell_set_num(&row[2], xcs_num_of((double)n + 1));
		for (size_t i = 0; i < ARRAY_LEN(vmstat); i++) {
			const struct xcs_reference_figure *f =
			        xcs_reference_figure(from, xcs_metric(vmstat[i].metric)->id);
			if (f && n < f->n_values)
				xcs_cell_set_num(&row[3 + i], f->values[n]);
		}
	}
}

static void samples_now(const struct xcs_summary *s, size_t cell, bool whole_machine,
                        struct xcs_doc_table *t)
{
	int trial = report_first_trial(s, cell);
	struct report_seconds seconds;

	if (trial < 0)
		return;
	report_seconds_of(&seconds, s, (size_t)trial, whole_machine);
	for (size_t n = 0; n < seconds.n && n < SAMPLES_SHOWN; n++) {
		struct xcs_cell *row = xcs_doc_row(t);
		char *name = beside_now_name_dup(s, cell);
		xcs_cell_set_text(&row[0], name);
		xcs_cell_set_num(&row[1], xcs_num_of(s->run.cells[cell].x_nice));
		xcs_cell_set_num(&row[2], xcs_num_of((double)n + 1));
		for (size_t i = 0; i < ARRAY_LEN(vmstat); i++)
			xcs_cell_set_num(&row[3 + i], seconds.v[n].v[vmstat[i].metric]);
		free(name);
	}
	report_seconds_fini(&seconds);
}

void beside_samples(const struct beside *b, struct xcs_section *section, bool whole_machine)
{
	struct xcs_column columns[3 + ARRAY_LEN(vmstat)] = {
	        beside_name_column(),
	        beside_nice_column(b->s),
	        {.id = "sample", .heading = "sample", .unit = "", .is_key = true},
	};

	for (size_t i = 0; i < ARRAY_LEN(vmstat); i++)
		columns[3 + i] = report_metric_column(vmstat[i].metric, vmstat[i].heading, false);
	columns[3].digits = 0; /* of single samples a whole number */
	struct xcs_doc_table *t = xcs_doc_table(section, "samples", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < b->e->n_rows; i++)
		if (strcmp(b->e->rows[i].span, "samples") == 0)
			samples_then(&b->e->rows[i], t);
	for (size_t cell = 0; cell < b->s->run.n_cells; cell++)
		if (beside_is_sampled(b->s, cell))
			samples_now(b->s, cell, whole_machine, t);
	xcs_doc_paragraph(section,
	                  "Single samples of 1 s: all that were published, and of each cell "
	                  "of today the first %d of its first trial. Published us holds ni.",
	                  SAMPLES_SHOWN);
}

static void fact_now(const struct beside *b, struct xcs_section *section)
{
	const struct xcs_run *run = &b->s->run;

	if (run->origin.tool) {
		xcs_doc_fact(section, "now", "Imported", run->origin.source);
		return;
	}
	char *now = xcs_xasprintf("%s, %s, %s, CPUs of the load %s",
	                          or_na(xcs_facts_get(&run->host, "kernel.release")),
	                          or_na(xcs_facts_get(&run->host, "cpu.model")),
	                          or_na(run->plan.server_kind), or_na(run->plan.load_cpus));

	xcs_doc_fact(section, "now", "Now", now);
	free(now);
}

static void introduce(const struct beside *b, const struct xcs_reference *set)
{
	char *heading = xcs_xasprintf("Beside %s: %s (%s)", set->name, b->e->id, or_na(b->e->date));
	struct xcs_section *section = xcs_doc_section(b->doc, "beside", heading);

	xcs_doc_fact(section, "source", "Source", b->e->source);
	xcs_doc_fact(section, "kernels", "Kernels then", b->e->kernels);
	xcs_doc_fact(section, "machine", "Machine then", b->e->machine);
	fact_now(b, section);
	xcs_doc_paragraph(section, "Not to be compared:");
	for (size_t i = 0; i < b->e->n_not_comparable; i++)
		xcs_doc_item(section, "%s", b->e->not_comparable[i]);
	xcs_doc_paragraph(section, "Claimed there:");
	for (size_t i = 0; i < b->e->n_claims; i++)
		xcs_doc_item(section, "%s", b->e->claims[i]);
	free(heading);
}

static void nothing_compares(const struct xcs_summary *s, const struct xcs_reference *set,
                             struct xcs_doc *doc)
{
	const char *experiment = s->run.plan.experiment;
	struct xcs_section *section = xcs_doc_section(doc, "beside", "Beside published results");
	struct xcs_buf known = {0};

	for (size_t i = 0; i < set->n_experiments; i++)
		xcs_buf_printf(&known, "%s%s (%s)", i ? ", " : "", set->experiments[i].id,
		               or_na(set->experiments[i].date));
	xcs_doc_paragraph(section,
	                  "Nothing in %s compares with this run: its experiment is %s, the set "
	                  "holds %s.",
	                  set->name, experiment ? experiment : "not named",
	                  known.n ? known.p : "none");
	xcs_buf_fini(&known);
}

/* What is in its rows tells how an experiment is laid out. */
static void (*layout_of(const struct xcs_reference_experiment *e))(const struct beside *b)
{
	bool commands = false, since_boot = false;

	for (size_t i = 0; i < e->n_rows; i++) {
		if (e->rows[i].client_nice.known)
			return beside_terminals;
		commands = commands || e->rows[i].command;
		since_boot = since_boot || strcmp(e->rows[i].span, "since boot") == 0;
	}
	if (commands)
		return beside_commands;
	return since_boot ? beside_idle : beside_flood;
}

void report_beside(const struct xcs_summary *s, const struct xcs_reference *set,
                   struct xcs_doc *doc)
{
	const struct beside b = {
	        .s = s, .e = xcs_reference_find(set, s->run.plan.experiment), .doc = doc};

	if (!b.e) {
		nothing_compares(s, set, doc);
		return;
	}
	introduce(&b, set);
	layout_of(b.e)(&b);
	if (s->run.origin.tool &&
	    (layout_of(b.e) == beside_terminals || layout_of(b.e) == beside_commands))
		xcs_doc_paragraph(xcs_doc_section(doc, "beside_imported", "The imported series"),
		                  "Experiment %s timed commands in terminals, of which an imported "
		                  "series does not tell; its own figures stand above.",
		                  b.e->id);
}
