/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The report of a run that was imported: what others measured, and no word of what they did
 * not. It has no server, no probe, no windows and no observer of ours.
 */
#include "report.h"

#include <common/alloc.h>
#include <common/str.h>

#include <math.h>

static void imported_face(const struct xcs_summary *s, struct xcs_doc *doc)
{
	struct xcs_section *face = xcs_doc_section(doc, "face", "");
	const struct xcs_run_origin *from = &s->run.origin;

	xcs_doc_paragraph(face, "IMPORTED from %s (%s), not measured here.", from->tool,
	                  from->source ? from->source : "source not told");
	if (s->run.status != XCS_RUN_COMPLETE)
		xcs_doc_paragraph(face, "PARTIAL: %s.",
		                  s->run.status_reason ? s->run.status_reason
		                                       : "the record does not say why");
	xcs_doc_paragraph(face, "Renice: unknown. No probe was run there, so neither an effect nor "
	                        "a missing one can be put down to nice.");
	for (size_t i = 0; i < s->run.n_notes; i++)
		xcs_doc_item(face, "%s", s->run.notes[i]);
	for (size_t i = 0; i < s->run.n_trials; i++)
		if (s->trials[i].problem)
			xcs_doc_item(face, "Left out: %s", s->trials[i].problem);
}

static struct xcs_num number_of(const struct xcs_summary *s, const char *key)
{
	const char *text = xcs_facts_get(&s->run.host, key);
	int64_t v;

	return text && xcs_str_i64(xcs_str(text), &v) == 0 ? xcs_num_of((double)v)
	                                                   : (struct xcs_num){0};
}

static void imported_facts(const struct xcs_summary *s, struct xcs_doc *doc)
{
	struct xcs_section *c = xcs_doc_section(doc, "series", "The series");
	struct xcs_num interval_ns = number_of(s, "imported.interval_ns");

	xcs_doc_fact(c, "label", "Label", s->run.origin.label);
	xcs_doc_fact(c, "source", "Source", s->run.origin.source);
	xcs_doc_fact(c, "text", "Text", s->run.origin.file);
	xcs_doc_fact(c, "kernel", "Kernel", xcs_facts_get(&s->run.host, "kernel.release"));
	xcs_doc_fact_num(c, "samples", "Samples", number_of(s, "imported.samples"), 0, "");
	if (interval_ns.known)
		xcs_doc_fact_num(c, "interval_s", "Interval", xcs_num_times(interval_ns, 1e-9), 3,
		                 "s");
	xcs_doc_fact(c, "run", "Run", s->run.id);
}

static const struct {
	enum xcs_metric_id id;
	const char *heading;
} shown[] = {
        {XCS_METRIC_CS,       "cs"},
        {XCS_METRIC_INTR,     "in"},
        {XCS_METRIC_RUNNABLE, "r" },
        {XCS_METRIC_US,       "us"},
        {XCS_METRIC_SY,       "sy"},
        {XCS_METRIC_NI,       "ni"},
        {XCS_METRIC_ID,       "id"},
        {XCS_METRIC_WA,       "wa"},
        {XCS_METRIC_HI,       "hi"},
        {XCS_METRIC_SI,       "si"},
        {XCS_METRIC_ST,       "st"},
};

static bool is_known(const struct xcs_summary *s, enum xcs_metric_id id)
{
	for (size_t i = 0; i < s->run.n_cells; i++)
		if (s->cells[i].v[id].n)
			return true;
	return false;
}

/* Only what the text had: a column of n/a says less than none. */
static void imported_table(const struct xcs_summary *s, struct xcs_doc *doc)
{
	struct xcs_column columns[REPORT_KEYS_MAX + ARRAY_LEN(shown)];
	enum xcs_metric_id ids[ARRAY_LEN(shown)];
	size_t n_keys = report_key_columns(s, columns), n = 0;

	for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
		const struct xcs_metric *m = xcs_metric(shown[i].id);
		if (!is_known(s, shown[i].id))
			continue;
		columns[n_keys + n] =
		        (struct xcs_column){.id = m->id,
		                            .heading = shown[i].heading,
		                            .unit = m->unit,
		                            .definition = m->definition,
		                            .digits = m->unit[0] == '%' ? 1 : m->digits,
		                            .with_range = i == 0 && s->run.n_trials > 1};
		ids[n++] = shown[i].id;
	}
	if (!n)
		return;
	struct xcs_section *section = xcs_doc_section(doc, "figures", "Figures");
	struct xcs_doc_table *t = xcs_doc_table(section, "figures", columns, n_keys + n);
	for (size_t cell = 0; cell < s->run.n_cells; cell++) {
		struct xcs_cell *row = xcs_doc_row(t);
		report_set_keys(s, cell, row);
		for (size_t i = 0; i < n; i++)
			xcs_cell_set_spread(&row[n_keys + i], &s->cells[cell].v[ids[i]]);
	}
	xcs_doc_paragraph(section, "Means over the samples of a series; medians where there are n "
	                           "of them. cs and in are of the whole machine, the shares of "
	                           "all its CPUs as printed there.");
}

static const struct xcs_column timing_columns[] = {
        {.id = "command", .heading = "command", .unit = "",  .is_key = true},
        {.id = "runs",    .heading = "runs",    .unit = "",  .is_key = true},
        {.id = "mean",    .heading = "mean",    .unit = "s", .digits = 4   },
        {.id = "spread",  .heading = "spread",  .unit = "s", .digits = 4   },
        {.id = "min",     .heading = "min",     .unit = "s", .digits = 4   },
        {.id = "max",     .heading = "max",     .unit = "s", .digits = 4   },
};

static void timing_row(const struct xcs_run_trial *trial, const char *command,
                       struct xcs_doc_table *t)
{
	double sum = 0, squares = 0, least = INFINITY, most = -INFINITY, n = 0;
	struct xcs_cell *row = xcs_doc_row(t);

	for (size_t i = 0; i < trial->n_timings; i++) {
		struct xcs_num real = xcs_num_times(trial->timings[i].real_ns, 1e-9);
		sum += real.known ? real.v : 0;
		least = real.known && real.v < least ? real.v : least;
		most = real.known && real.v > most ? real.v : most;
		n += real.known;
	}
	for (size_t i = 0; i < trial->n_timings; i++) {
		struct xcs_num off = xcs_num_minus(xcs_num_times(trial->timings[i].real_ns, 1e-9),
		                                   xcs_num_of(sum / n));
		squares += off.known ? off.v * off.v : 0;
	}
	xcs_cell_set_text(&row[0], command);
	xcs_cell_set_num(&row[1], xcs_num_of(n));
	xcs_cell_set_num(&row[2], xcs_num_ratio(xcs_num_of(sum), xcs_num_of(n)));
	if (n > 1)
		xcs_cell_set_num(&row[3], xcs_num_of(sqrt(squares / (n - 1))));
	xcs_cell_set_num(&row[4], xcs_num_of(least));
	xcs_cell_set_num(&row[5], xcs_num_of(most));
}

static void imported_timings(const struct xcs_summary *s, struct xcs_doc *doc)
{
	struct xcs_doc_table *t = NULL;

	for (size_t i = 0; i < s->run.n_trials; i++) {
		const struct xcs_run_trial *trial = &s->run.trials[i];
		const struct xcs_run_load *load = &s->run.loads[s->run.cells[trial->cell].load];
		if (!trial->n_timings)
			continue;
		if (!t)
			t = xcs_doc_table(xcs_doc_section(doc, "timings", "Times"), "timings",
			                  timing_columns, ARRAY_LEN(timing_columns));
		timing_row(trial, load->label ? load->label : load->id, t);
	}
}

void report_imported(const struct xcs_summary *s, struct xcs_doc *doc)
{
	imported_face(s, doc);
	imported_facts(s, doc);
	imported_table(s, doc);
	imported_timings(s, doc);
	report_charts(s, doc);
}
