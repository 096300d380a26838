/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <record/trial.h>
#include <reports/summary.h>
#include <reports/timings.h>

#include <stdlib.h>
#include <string.h>

bool xcs_summary_counts(const struct xcs_summary *s, size_t i)
{
	const struct xcs_run_trial *t = &s->run.trials[i];
	bool has_figures = s->trials[i].sampled || (t->n_timings && !s->trials[i].problem);

	return t->kind == XCS_TRIAL_MEASURED && t->status == XCS_TRIAL_OK && has_figures;
}

/* What is timed to its end ends in every trial. */
static bool is_expected(const char *event)
{
	return strncmp(event, "timer: process", 14) == 0 ||
	       (strncmp(event, "command", 7) == 0 && strstr(event, ": process "));
}

static void take_events(struct xcs_trial_summary *into, char *const *events, size_t n)
{
	into->events = xcs_xrealloc(into->events, (into->n_events + n) * sizeof(*into->events));
	for (size_t i = 0; i < n; i++)
		if (!is_expected(events[i]))
			into->events[into->n_events++] = xcs_xstrdup(events[i]);
}

/* Lateness in full, since percentiles of percentiles mean nothing. */
static void take_observer(struct xcs_observer_summary *o, const struct xcs_trial_data *t,
                          const struct xcs_window *w)
{
	const struct xcs_table *rows = &t->tables[XCS_TRIAL_OBSERVER];
	const char *name = t->observer_class ? t->observer_class : "unknown";

	if (!o->class_name || strcmp(o->class_name, name) != 0) {
		const char *now = o->class_name ? "several" : name;
		char *copy = xcs_xstrdup(now);
		free(o->class_name);
		o->class_name = copy;
	}
	o->period_ns = t->period_ns;
	if (w->observer_missed != XCS_ABSENT)
		o->missed = xcs_num_of((o->missed.known ? o->missed.v : 0) +
		                       (double)w->observer_missed);
	o->late_ns = xcs_xrealloc(o->late_ns, (o->n_late + rows->n_rows) * sizeof(*o->late_ns));
	for (size_t r = 0; r < rows->n_rows; r++) {
		int64_t late_ns = xcs_table_get(rows, r, XCS_OBSERVER_LATE_NS);
		if (late_ns != XCS_ABSENT)
			o->late_ns[o->n_late++] = late_ns;
	}
}

static void load_trial(struct xcs_summary *s, size_t i)
{
	const struct xcs_run_trial *run_trial = &s->run.trials[i];
	struct xcs_trial_summary *trial = &s->trials[i];
	char *path = xcs_xasprintf("%s/%s", s->dir, run_trial->file);
	struct xcs_trial_data data;
	struct xcs_window w;
	struct xcs_err err = {0};

	if (xcs_trial_load(&data, path, &err)) {
		trial->problem = xcs_xstrdup(err.text);
		s->n_unreadable++;
	} else {
		xcs_window_init(&w, &data);
		xcs_window_take_timings(&w, run_trial);
		trial->sampled = true;
		xcs_figures_of(&trial->figures, &w,
		               &s->run.loads[s->run.cells[run_trial->cell].load]);
		xcs_figures_expect_hogs(&trial->figures, &w, &s->run,
		                        &s->run.cells[run_trial->cell]);
		take_events(trial, data.events, data.n_events);
		take_events(trial, w.events, w.n_events);
		if (xcs_summary_counts(s, i))
			take_observer(&s->observer, &data, &w);
		xcs_window_fini(&w);
		xcs_trial_fini(&data);
	}
	free(path);
}

/* Per cent by which the lines read differ from the lines fed, where both are known. */
static struct xcs_num agreement_pct(const struct xcs_figures *f)
{
	struct xcs_num fed = f->lines_fed;

	return xcs_num_times(xcs_num_ratio(xcs_num_minus(f->lines_read, fed), fed), 100);
}

enum {
	EXTRA_LINES_READ = XCS_N_METRICS, /* figures that are no metrics */
	EXTRA_LINES_FED,
	EXTRA_AGREEMENT,
	EXTRA_ACCT_TICK,
	EXTRA_ACCT_EXACT = EXTRA_ACCT_TICK + XCS_N_ACCT,
	N_FIGURES = EXTRA_ACCT_EXACT + XCS_N_ACCT
};

static struct xcs_num figure(const struct xcs_figures *f, int id)
{
	if (id == EXTRA_LINES_READ)
		return f->lines_read;
	if (id == EXTRA_LINES_FED)
		return f->lines_fed;
	if (id == EXTRA_AGREEMENT)
		return agreement_pct(f);
	if (id >= EXTRA_ACCT_EXACT)
		return f->acct[id - EXTRA_ACCT_EXACT].exact_s;
	if (id >= EXTRA_ACCT_TICK)
		return f->acct[id - EXTRA_ACCT_TICK].tick_s;
	return f->v[id];
}

static struct xcs_spread spread_in_cell(const struct xcs_summary *s, int cell, int id,
                                        struct xcs_num *scratch)
{
	size_t n = 0;

	for (size_t i = 0; i < s->run.n_trials; i++)
		if (s->run.trials[i].cell == cell && xcs_summary_counts(s, i))
			scratch[n++] = figure(&s->trials[i].figures, id);
	return xcs_spread_of(scratch, n);
}

static void count_trials(struct xcs_summary *s, int cell, struct xcs_cell_summary *c)
{
	for (size_t i = 0; i < s->run.n_trials; i++) {
		const struct xcs_run_trial *t = &s->run.trials[i];
		if (t->cell != cell || t->kind != XCS_TRIAL_MEASURED)
			continue;
		c->n_void += t->status == XCS_TRIAL_VOID;
		c->n_failed += t->status == XCS_TRIAL_FAILED;
		if (!xcs_summary_counts(s, i))
			continue;
		c->n_counted++;
		c->lines_source = s->trials[i].figures.lines_source;
	}
}

static void summarise_cells(struct xcs_summary *s)
{
	struct xcs_num *scratch = xcs_xcalloc(s->run.n_trials, sizeof(*scratch));

	for (size_t i = 0; i < s->run.n_cells; i++) {
		struct xcs_cell_summary *c = &s->cells[i];
		count_trials(s, (int)i, c);
		for (int id = 0; id < XCS_N_METRICS; id++)
			c->v[id] = spread_in_cell(s, (int)i, id, scratch);
		c->lines_read = spread_in_cell(s, (int)i, EXTRA_LINES_READ, scratch);
		c->lines_fed = spread_in_cell(s, (int)i, EXTRA_LINES_FED, scratch);
		c->agreement_pct = spread_in_cell(s, (int)i, EXTRA_AGREEMENT, scratch);
		for (int a = 0; a < XCS_N_ACCT; a++) {
			c->acct_tick_s[a] = spread_in_cell(s, (int)i, EXTRA_ACCT_TICK + a, scratch);
			c->acct_exact_s[a] =
			        spread_in_cell(s, (int)i, EXTRA_ACCT_EXACT + a, scratch);
		}
	}
	free(scratch);
}

static int by_time(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void summarise_observer(struct xcs_summary *s)
{
	struct xcs_num *cpu = xcs_xcalloc(s->run.n_trials, sizeof(*cpu));
	struct xcs_num *switches = xcs_xcalloc(s->run.n_trials, sizeof(*switches));
	size_t n = 0;

	for (size_t i = 0; i < s->run.n_trials; i++) {
		if (!xcs_summary_counts(s, i))
			continue;
		cpu[n] = s->trials[i].figures.v[XCS_METRIC_OBSERVER_CPU];
		switches[n++] = s->trials[i].figures.v[XCS_METRIC_OBSERVER_CS];
	}
	s->observer.cpu = xcs_spread_of(cpu, n);
	s->observer.switches = xcs_spread_of(switches, n);
	if (s->observer.n_late)
		qsort(s->observer.late_ns, s->observer.n_late, sizeof(int64_t), by_time);
	free(cpu);
	free(switches);
}

int xcs_summary_load(struct xcs_summary *s, const char *dir, struct xcs_err *err)
{
	*s = (struct xcs_summary){0};
	int rc = xcs_run_load(&s->run, dir, err);

	if (rc)
		return rc;
	s->dir = xcs_xstrdup(dir);
	s->trials = xcs_xcalloc(s->run.n_trials, sizeof(*s->trials));
	s->cells = xcs_xcalloc(s->run.n_cells, sizeof(*s->cells));
	for (size_t i = 0; i < s->run.n_trials; i++) {
		if (s->run.trials[i].file)
			load_trial(s, i);
		xcs_command_figures(&s->trials[i].figures, &s->run.trials[i], NULL);
	}
	summarise_cells(s);
	summarise_observer(s);
	return 0;
}

static void trial_fini(struct xcs_trial_summary *t)
{
	for (size_t i = 0; i < t->n_events; i++)
		free(t->events[i]);
	free(t->events);
	free(t->problem);
}

void xcs_summary_fini(struct xcs_summary *s)
{
	for (size_t i = 0; s->trials && i < s->run.n_trials; i++)
		trial_fini(&s->trials[i]);
	free(s->trials);
	free(s->cells);
	free(s->observer.class_name);
	free(s->observer.late_ns);
	free(s->dir);
	xcs_run_fini(&s->run);
	*s = (struct xcs_summary){0};
}
