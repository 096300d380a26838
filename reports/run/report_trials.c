/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the rows rest on: cross-checks of the counters, and every trial that was not as
 * planned.
 */
#include "report.h"

#include <common/alloc.h>
#include <common/units.h>
#include <reports/timings.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOREIGN_SAID_PCT 2.0 /* design 2.23: above this it is printed */
#define AGREE_PCT        2.0

static const struct xcs_column check_columns[] = {
        {.id = "lines",          .heading = "lines",     .unit = "1/s", .digits = 0},
        {.id = "counted_by",     .heading = "by",        .unit = "",    .digits = 0},
        {.id = "lines_read",     .heading = "rchar",     .unit = "1/s", .digits = 0},
        {.id = "lines_fed",      .heading = "feeder",    .unit = "1/s", .digits = 0},
        {.id = "difference_pct", .heading = "differ",    .unit = "%",   .digits = 2},
        {.id = "confirmed_pct",  .heading = "confirmed", .unit = "%",   .digits = 1},
};

/* Lines confirmed of lines written, over the counted trials of a cell; unknown when a trial
 * does not know. */
static struct xcs_num confirmed_pct(const struct xcs_summary *s, int cell)
{
	struct xcs_num written = xcs_num_of(0), confirmed = xcs_num_of(0);

	for (size_t i = 0; i < s->run.n_trials; i++) {
		const struct xcs_run_trial *t = &s->run.trials[i];
		if (t->cell != cell || !xcs_summary_counts(s, i))
			continue;
		written = xcs_num_plus(written, t->lines_written);
		confirmed = xcs_num_plus(confirmed, t->lines_confirmed);
	}
	return xcs_num_times(xcs_num_ratio(confirmed, written), 100);
}

static void check_row(const struct xcs_summary *s, size_t i, struct xcs_doc_table *t)
{
	static const char *const by[] = {
	        [XCS_LINES_FEEDER] = "feeder",
	        [XCS_LINES_CLIENT] = "client",
	        [XCS_LINES_READ] = "rchar",
	};
	const struct xcs_cell_summary *c = &s->cells[i];
	struct xcs_cell *row = xcs_doc_row(t);

	row += report_set_keys(s, i, row);
	xcs_cell_set_num(&row[0], xcs_spread_median(&c->v[XCS_METRIC_LINES]));
	xcs_cell_set_text(&row[1], by[c->lines_source]);
	xcs_cell_set_num(&row[2], xcs_spread_median(&c->lines_read));
	xcs_cell_set_num(&row[3], xcs_spread_median(&c->lines_fed));
	xcs_cell_set_spread(&row[4], &c->agreement_pct);
	xcs_cell_set_num(&row[5], confirmed_pct(s, (int)i));
}

/* A command's lines are counted at its end, if at all. */
static bool has_lines(const struct xcs_summary *s, size_t cell)
{
	return !xcs_load_is_timed(&s->run.loads[s->run.cells[cell].load]) ||
	       s->cells[cell].v[XCS_METRIC_LINES].n;
}

static bool any_lines(const struct xcs_summary *s)
{
	for (size_t i = 0; i < s->run.n_cells; i++)
		if (has_lines(s, i))
			return true;
	return false;
}

static bool disagrees(const struct xcs_spread *pct)
{
	return pct->n && (pct->min < -AGREE_PCT || pct->max > AGREE_PCT);
}

static void explain_disagreement(const struct xcs_summary *s, size_t i, struct xcs_section *section)
{
	const struct xcs_cell_summary *c = &s->cells[i];
	bool terminal = s->run.loads[s->run.cells[i].load].terminal;
	struct xcs_buf name = {0};

	if (!disagrees(&c->agreement_pct))
		return;
	report_name_cell(s, i, &name);
	if (terminal && c->lines_source == XCS_LINES_FEEDER)
		xcs_doc_item(section,
		             "%s: the terminal reads more than what comes through its pty, a "
		             "scrollback file perhaps, so its lines are those of the feeders.",
		             name.p);
	else
		xcs_doc_item(section, "%s: the two counts of lines differ by more than %.0f %%.",
		             name.p, AGREE_PCT);
	xcs_buf_fini(&name);
}

void report_checks(const struct xcs_summary *s, struct xcs_doc *doc)
{
	struct xcs_column columns[REPORT_KEYS_MAX + ARRAY_LEN(check_columns)];
	size_t n_keys = report_key_columns(s, columns);

	if (!any_lines(s))
		return;
	memcpy(columns + n_keys, check_columns, sizeof(check_columns));
	struct xcs_section *section = xcs_doc_section(doc, "checks", "Are the lines true?");
	struct xcs_doc_table *t =
	        xcs_doc_table(section, "lines", columns, n_keys + ARRAY_LEN(check_columns));
	for (size_t i = 0; i < s->run.n_cells; i++)
		if (has_lines(s, i))
			check_row(s, i, t);
	xcs_doc_paragraph(section, "rchar: from the bytes that the clients read "
	                           "(/proc/PID/io). confirmed: of all lines written, those that a "
	                           "device status reply behind the last one confirmed.");
	for (size_t i = 0; i < s->run.n_cells; i++)
		explain_disagreement(s, i, section);
}

/* One trial, and what is to be said about it. */
struct telling {
	const struct xcs_summary *s;
	size_t index;
	struct xcs_section *section;
};

static void tell(const struct telling *t, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

static void tell(const struct telling *t, const char *fmt, ...)
{
	const struct xcs_run *run = &t->s->run;
	const struct xcs_run_trial *trial = &run->trials[t->index];
	struct xcs_buf text = {0}, cell = {0};
	va_list ap;

	va_start(ap, fmt);
	xcs_buf_vprintf(&text, fmt, ap);
	va_end(ap);
	report_name_cell(t->s, (size_t)trial->cell, &cell);
	xcs_doc_item(t->section, "trial %zu (%s%s): %s", t->index, cell.p,
	             trial->kind == XCS_TRIAL_WARMUP ? ", warm-up" : "", text.p ? text.p : "");
	xcs_buf_fini(&text);
	xcs_buf_fini(&cell);
}

/* "cc1 0.12 s, cron 0.02 s"; the caller frees it; NULL when none is recorded. */
static char *foreign_names_dup(const struct xcs_run_trial *trial)
{
	struct xcs_buf names = {0};

	for (size_t i = 0; i < trial->n_foreign; i++)
		xcs_buf_printf(&names, "%s%s %.2f s", i ? ", " : "",
		               trial->foreign[i].comm ? trial->foreign[i].comm : "?",
		               xcs_ns_to_s(trial->foreign[i].cpu_ns));
	return names.n ? xcs_buf_take(&names) : NULL;
}

/* A command is timed from its start: nothing settles, and it ends. */
static bool is_timed(const struct telling *t)
{
	const struct xcs_run *run = &t->s->run;

	return xcs_load_is_timed(&run->loads[run->cells[run->trials[t->index].cell].load]);
}

static void tell_void(const struct telling *t, const struct xcs_run_trial *trial,
                      const char *reason)
{
	char *names = foreign_names_dup(trial);

	tell(t, "void: %s%s%s", reason, names ? "; busiest on the machine: " : "",
	     names ? names : "");
	free(names);
}

static void tell_status(const struct telling *t, const struct xcs_run_trial *trial)
{
	const char *reason = trial->reason ? trial->reason : "the record does not say why";

	if (trial->status == XCS_TRIAL_VOID)
		tell_void(t, trial, reason);
	if (trial->status == XCS_TRIAL_FAILED)
		tell(t, "failed: %s", reason);
	if (t->s->trials[t->index].problem)
		tell(t, "left out: %s", t->s->trials[t->index].problem);
	else if (!trial->file && !trial->n_timings && trial->status == XCS_TRIAL_OK)
		tell(t, "left out: the record names no samples.");
	if (!trial->settled && trial->status == XCS_TRIAL_OK && !is_timed(t))
		tell(t, "its rates were not steady when the time for settling was over.");
}

static void tell_windows(const struct telling *t, const struct xcs_run_trial *trial)
{
	for (size_t i = 0; i < trial->n_windows; i++) {
		const struct xcs_run_window *w = &trial->windows[i];
		const char *role = w->role ? w->role : "a window";
		if (!w->inside)
			tell(t, "%s at %d,%d (%dx%d) is not wholly on the screen.", role, w->x_px,
			     w->y_px, w->width_px, w->height_px);
		if (!w->drew)
			tell(t, "%s was not seen to draw.", role);
	}
}

static void tell_foreign(const struct telling *t, const struct xcs_run_trial *trial)
{
	struct xcs_num pct = t->s->trials[t->index].figures.v[XCS_METRIC_FOREIGN_CPU];

	if (!pct.known || pct.v <= FOREIGN_SAID_PCT || trial->status == XCS_TRIAL_VOID)
		return; /* a void trial has named them */
	char *names = foreign_names_dup(trial);
	tell(t, "%.1f %% of the load's CPUs went to others; busiest on the machine: %s", pct.v,
	     names ? names : "none (interrupts, steal)");
	free(names);
}

static void tell_nice(const struct telling *t, const struct xcs_run_trial *trial)
{
	const struct xcs_run *run = &t->s->run;
	const char *mode = run->plan.autogroup_mode;
	int wanted = run->cells[trial->cell].x_nice;

	/* In relative mode the load moves, with --autogroup=nice the group does. */
	if (report_is_relative(t->s) || (mode && strcmp(mode, "nice") == 0))
		return;
	if (trial->server_nice_after.known && trial->server_nice_after.v != wanted)
		tell(t, "the server's nice was %.0f at its end.", trial->server_nice_after.v);
}

static bool is_its_end(const struct telling *t, const char *event)
{
	return is_timed(t) && strncmp(event, "command", 7) == 0 && strstr(event, "ended");
}

static void tell_events(const struct telling *t)
{
	enum {
		MANY = 3
	};
	const struct xcs_trial_summary *trial = &t->s->trials[t->index];
	size_t n = 0;

	for (size_t i = 0; i < trial->n_events; i++) {
		if (is_its_end(t, trial->events[i]))
			continue;
		if (n++ < MANY)
			tell(t, "%s", trial->events[i]);
	}
	if (n > MANY)
		tell(t, "and %zu more events in its file.", n - MANY);
}

static void tell_trial(const struct xcs_summary *s, size_t i, struct xcs_section *section)
{
	const struct telling t = {s, i, section};
	const struct xcs_run_trial *trial = &s->run.trials[i];

	tell_status(&t, trial);
	if (trial->kind == XCS_TRIAL_WARMUP)
		return; /* no figure rests on it */
	tell_windows(&t, trial);
	tell_foreign(&t, trial);
	tell_nice(&t, trial);
	tell_events(&t);
}

static bool all_timed(const struct xcs_run *run)
{
	for (size_t i = 0; i < run->n_loads; i++)
		if (!xcs_load_is_timed(&run->loads[i]))
			return false;
	return run->n_loads > 0;
}

static void count_facts(const struct xcs_summary *s, struct xcs_section *section)
{
	int64_t sample_ns = s->run.plan.sample_ns;
	double n_measured = 0, n_warmup = 0, n_void = 0, n_failed = 0;

	for (size_t i = 0; i < s->run.n_trials; i++) {
		const struct xcs_run_trial *t = &s->run.trials[i];
		n_measured += xcs_summary_counts(s, i);
		n_warmup += t->kind == XCS_TRIAL_WARMUP;
		n_void += t->status == XCS_TRIAL_VOID;
		n_failed += t->status == XCS_TRIAL_FAILED;
	}
	xcs_doc_fact_num(section, "counted", "In the tables", xcs_num_of(n_measured), 0, "");
	xcs_doc_fact_num(section, "warmup", "Warm-up", xcs_num_of(n_warmup), 0,
	                 "not in the tables");
	xcs_doc_fact_num(section, "void", "Void", xcs_num_of(n_void), 0, "");
	xcs_doc_fact_num(section, "failed", "Failed", xcs_num_of(n_failed), 0, "");
	xcs_doc_fact_num(section, "boots", "Boots", xcs_num_of((double)s->run.n_boots), 0, "");
	if (all_timed(&s->run))
		xcs_doc_fact(section, "sample_s", "Sampled", "until the commands ended");
	else
		xcs_doc_fact_num(section, "sample_s", "Sampled",
		                 sample_ns > 0 ? xcs_num_of(xcs_ns_to_s(sample_ns))
		                               : (struct xcs_num){0},
		                 1, "s per trial");
}

void report_trials(const struct xcs_summary *s, struct xcs_doc *doc)
{
	struct xcs_section *section = xcs_doc_section(doc, "trials", "Trials");

	count_facts(s, section);
	for (size_t i = 0; i < s->run.n_trials; i++)
		tell_trial(s, i, section);
}
