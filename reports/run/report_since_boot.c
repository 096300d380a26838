/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The averages since boot as such, apart from the samples that they are mistaken for.
 */
#include "report.h"
#include "seconds.h"

#include <common/alloc.h>

enum {
	SAMPLES_SHOWN = 10
};

/* In the order of vmstat, whose us holds ni. */
static const struct {
	enum xcs_metric_id id;
	const char *heading;
} columns_of[] = {
        {XCS_METRIC_INTR, "in"},
        {XCS_METRIC_CS,   "cs"},
        {XCS_METRIC_US,   "us"},
        {XCS_METRIC_SY,   "sy"},
        {XCS_METRIC_NI,   "ni"},
        {XCS_METRIC_ID,   "id"},
        {XCS_METRIC_WA,   "wa"},
        {XCS_METRIC_ST,   "st"},
};

static void set_columns(struct xcs_column *columns)
{
	for (size_t i = 0; i < ARRAY_LEN(columns_of); i++)
		columns[i] = report_metric_column(columns_of[i].id, columns_of[i].heading, false);
}

static void set_row(struct xcs_cell *row, const struct report_second *s)
{
	for (size_t i = 0; i < ARRAY_LEN(columns_of); i++)
		xcs_cell_set_num(&row[i], s->v[columns_of[i].id]);
}

/* vmstat divides what is counted by the ticks of all CPUs, in its first line only (procps
 * 4.0.2, measured on two CPUs). */
static void say_vmstat(const struct report_boot *boot, struct xcs_section *section)
{
	const struct xcs_num *v = boot->average.v;

	if (!boot->n_cpus.known || boot->n_cpus.v < 2 || !v[XCS_METRIC_CS].known ||
	    !v[XCS_METRIC_INTR].known)
		return;
	xcs_doc_paragraph(section,
	                  "vmstat divides in and cs of that line by the time of all CPUs "
	                  "together: of these %.0f CPUs it would show in %.0f, cs %.0f.",
	                  boot->n_cpus.v, v[XCS_METRIC_INTR].v / boot->n_cpus.v,
	                  v[XCS_METRIC_CS].v / boot->n_cpus.v);
}

static void average_table(const struct report_boot *boot, struct xcs_section *section)
{
	struct xcs_column columns[1 + ARRAY_LEN(columns_of)] = {
	        {.id = "uptime_s", .heading = "since boot", .unit = "s", .digits = 0}
        };

	set_columns(columns + 1);
	struct xcs_doc_table *t = xcs_doc_table(section, "since_boot", columns, ARRAY_LEN(columns));
	struct xcs_cell *row = xcs_doc_row(t);
	xcs_cell_set_num(&row[0], boot->uptime_s);
	set_row(row + 1, &boot->average);
}

/* The seconds of one trial of the cell; returns how many were left out. */
static size_t cell_rows(const struct xcs_summary *s, size_t cell, struct xcs_doc_table *t)
{
	int trial = report_first_trial(s, cell);
	struct report_seconds seconds = {0};

	if (trial >= 0)
		report_seconds_of(&seconds, s, (size_t)trial, true);
	for (size_t i = 0; i < seconds.n && i < SAMPLES_SHOWN; i++) {
		struct xcs_cell *row = xcs_doc_row(t);
		xcs_cell_set_text(&row[0], s->run.loads[s->run.cells[cell].load].id);
		xcs_cell_set_num(&row[1], xcs_num_of(s->run.cells[cell].x_nice));
		xcs_cell_set_num(&row[2], xcs_num_of((double)i + 1));
		set_row(row + 3, &seconds.v[i]);
	}
	size_t n_more = seconds.n > SAMPLES_SHOWN ? seconds.n - SAMPLES_SHOWN : 0;
	if (!seconds.n) {
		struct xcs_cell *row = xcs_doc_row(t);
		xcs_cell_set_text(&row[0], s->run.loads[s->run.cells[cell].load].id);
		xcs_cell_set_num(&row[1], xcs_num_of(s->run.cells[cell].x_nice));
		xcs_cell_set_text(&row[3], report_hole(s, cell));
	}
	report_seconds_fini(&seconds);
	return n_more;
}

static void sample_table(const struct xcs_summary *s, struct xcs_section *section)
{
	const struct xcs_column keys[] = {
	        {.id = "load",   .heading = "load",                 .unit = "", .is_key = true},
	        {.id = "x_nice", .heading = report_nice_heading(s), .unit = "", .is_key = true},
	        {.id = "sample", .heading = "sample",               .unit = "", .is_key = true},
	};
	struct xcs_column columns[ARRAY_LEN(keys) + ARRAY_LEN(columns_of)];
	size_t n_more = 0;

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		columns[i] = keys[i];
	set_columns(columns + ARRAY_LEN(keys));
	struct xcs_doc_table *t = xcs_doc_table(section, "samples", columns, ARRAY_LEN(columns));
	for (size_t cell = 0; cell < s->run.n_cells; cell++)
		n_more += cell_rows(s, cell, t);
	if (n_more)
		xcs_doc_paragraph(section, "Further %zu samples of these trials are not shown.",
		                  n_more);
}

void report_averages(const struct xcs_summary *s, struct xcs_doc *doc)
{
	if (!s->run.plan.since_boot || !s->run.n_cells)
		return;
	struct report_boot boot;
	struct xcs_section *section =
	        xcs_doc_section(doc, "since_boot", "Since boot, and the samples");
	report_since_boot(&boot, s);
	average_table(&boot, section);
	xcs_doc_paragraph(section,
	                  "The average since boot is what vmstat prints as its first line. It is "
	                  "no sample: it holds whatever the machine did until then and nothing "
	                  "of this load or this nice level.");
	say_vmstat(&boot, section);
	xcs_doc_paragraph(section, "The samples, 1 s each, of the first trial of each cell:");
	sample_table(s, section);
	xcs_doc_paragraph(section, "in, cs: exact counts. us sy ni id wa st: of the whole machine, "
	                           "sampled by the tick, of which 1 s has few; ni is apart from "
	                           "us, while vmstat adds them.");
}
