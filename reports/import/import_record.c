/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An imported series as a run record. Rates become counters again, summed up row by row, so
 * that the integers of the text come back exactly; what the text does not hold is absent.
 */
#include <common/alloc.h>
#include <common/file.h>
#include <common/ulid.h>
#include <common/units.h>
#include <record/run.h>
#include <record/trial.h>
#include <reports/import/write.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_FILE     "imported.txt"
#define COUNTER_BELOW 9e15 /* exact as a double, and an int64 */

/* Which counter a column of rates sums up to. vmstat's us holds nice time, its sy interrupts:
 * they are kept so, and a note says it. */
static const struct summed {
	const char *column, *also; /* `also` is added where the text has it */
	enum xcs_system_column to;
	bool counts; /* per interval, not per second */
} summed[] = {
        {.column = "cs",                     .to = XCS_SYSTEM_CTXT_TOTAL},
        {.column = "cswch/s",                .to = XCS_SYSTEM_CTXT_TOTAL},
        {.column = "ctxt/s",                 .to = XCS_SYSTEM_CTXT_TOTAL},
        {.column = "cs_per_s",               .to = XCS_SYSTEM_CTXT_TOTAL},
        {.column = "context-switches",       .to = XCS_SYSTEM_CTXT_TOTAL, .counts = true},
        {.column = "in",                                  .to = XCS_SYSTEM_INTR_TOTAL                                               },
        {.column = "intr/s",                                  .to = XCS_SYSTEM_INTR_TOTAL},
        {.column = "us",                                  .to = XCS_SYSTEM_SET_USER_TICKS,                                                    .also = "gu"},
        {.column = "sy",                      .to = XCS_SYSTEM_SET_SYSTEM_TICKS},
        {.column = "id",.to = XCS_SYSTEM_SET_IDLE_TICKS         },
        {.column = "wa",                        .to = XCS_SYSTEM_SET_IOWAIT_TICKS                                         },
        {.column = "st",.to = XCS_SYSTEM_SET_STEAL_TICKS},
        {.column = "gu",                         .to = XCS_SYSTEM_SET_GUEST_TICKS                                                                                        },
};

static bool is_whole(const struct xcs_import_series *s, int column)
{
	for (size_t r = 0; r < s->n_rows && column >= 0; r++)
		if (!xcs_series_get(s, r, column).known)
			return false;
	return column >= 0;
}

/* Per second, times the interval; ticks are per cent of a second, so 100 of them. */
static void sum_up(const struct xcs_import_series *s, const struct summed *c, struct xcs_table *t)
{
	int column = xcs_series_column(s, c->column);
	int also = c->also ? xcs_series_column(s, c->also) : -1;
	double seconds = c->counts ? 1 : xcs_ns_to_s(s->interval_ns), total = 0;

	if (!is_whole(s, column) || (also >= 0 && !is_whole(s, also)))
		return;
	t->cells[c->to] = 0;
	for (size_t r = 0; r < s->n_rows && total < COUNTER_BELOW; r++) {
		total += xcs_series_get(s, r, column).v * seconds;
		if (also >= 0)
			total += xcs_series_get(s, r, also).v * seconds;
		if (total < COUNTER_BELOW)
			t->cells[(r + 1) * t->n_columns + c->to] = (int64_t)(total + 0.5);
	}
}

/* vmstat leaves itself out of r, the kernel's procs_running has the reader in it. */
static void copy_gauges(const struct xcs_import_series *s, struct xcs_table *t)
{
	int r_at = xcs_series_column(s, "r"), b_at = xcs_series_column(s, "b");

	for (size_t r = 0; r < s->n_rows; r++) {
		int64_t *row = t->cells + (r + 1) * t->n_columns;
		struct xcs_num running = xcs_series_get(s, r, r_at);
		struct xcs_num blocked = xcs_series_get(s, r, b_at);
		if (running.known && running.v < COUNTER_BELOW)
			row[XCS_SYSTEM_PROCS_RUNNING] = (int64_t)running.v + 1;
		if (blocked.known && blocked.v < COUNTER_BELOW)
			row[XCS_SYSTEM_PROCS_BLOCKED] = (int64_t)blocked.v;
	}
}

static void fill_system(const struct xcs_import_series *s, struct xcs_trial_data *t)
{
	struct xcs_table *system = &t->tables[XCS_TRIAL_SYSTEM];
	bool shares = xcs_series_column(s, "us") >= 0;

	for (size_t r = 0; r <= s->n_rows; r++) {
		int64_t *row = xcs_table_add_row(system);
		row[XCS_SYSTEM_MONO_NS] = (int64_t)r * s->interval_ns;
		if (shares)
			row[XCS_SYSTEM_SET_ALL_TICKS] =
			        (int64_t)(100 * xcs_ns_to_s((int64_t)r * s->interval_ns) + 0.5);
	}
	for (size_t i = 0; i < ARRAY_LEN(summed); i++)
		sum_up(s, &summed[i], system);
	copy_gauges(s, system);
}

/* The part of a series that is one trial: all of it, or one row that is a run. */
static struct xcs_import_series part_of(const struct xcs_import_series *s, size_t trial)
{
	struct xcs_import_series part = *s;

	if (s->rows_are_runs) {
		part.cells += trial * s->n_columns;
		part.n_rows = 1;
		part.interval_ns = XCS_NS_PER_S;
	}
	return part;
}

static char *trial_file_dup(size_t trial)
{
	return xcs_xasprintf("trials/%03zu.xcs", trial);
}

static int save_trial(const struct xcs_import_series *s, size_t trial, const char *dir,
                      struct xcs_err *err)
{
	const struct xcs_import_series part = part_of(s, trial);
	size_t rows[XCS_N_TRIAL_TABLES] = {[XCS_TRIAL_SYSTEM] = part.n_rows + 1};
	char *file = trial_file_dup(trial), *path = xcs_xasprintf("%s/%s", dir, file);
	struct xcs_trial_data t;

	xcs_trial_init(&t, rows);
	t.period_ns = part.interval_ns;
	t.ticks_per_s = 100;
	fill_system(&part, &t);
	int rc = xcs_trial_save(&t, path, err);
	xcs_trial_fini(&t);
	free(file);
	free(path);
	return rc;
}

static void set(char **member, const char *text)
{
	*member = text ? xcs_xstrdup(text) : NULL;
}

static void fill_plan(struct xcs_run *run, const struct xcs_import_series *s,
                      const struct xcs_import_about *about)
{
	set(&run->plan.scenario, "imported");
	set(&run->plan.experiment, about->experiment);
	run->plan.title = xcs_xasprintf("%s: %s", about->tool, s->label);
	run->plan.n_repetitions = s->rows_are_runs ? (int)s->n_rows : 1;
	set(&run->probe.verdict, "not probed");
	set(&run->probe.why, "The series was imported; whether renice had an effect is unknown.");
	set(&run->origin.tool, about->tool);
	set(&run->origin.source, about->source);
	set(&run->origin.file, TEXT_FILE);
	set(&run->origin.label, s->label);
}

static void fill_notes(struct xcs_run *run, const struct xcs_import_series *s)
{
	struct xcs_buf above = {0};

	if (s->heading) {
		xcs_buf_printf(&above, "Above it stands: %s", s->heading);
		xcs_run_add_note(run, above.p);
	}
	for (size_t i = 0; i < s->n_notes; i++)
		xcs_run_add_note(run, s->notes[i]);
	if (xcs_series_column(s, "us") >= 0)
		xcs_run_add_note(run, "us holds nice time and sy interrupts, as vmstat counts.");
	for (size_t i = 0; i < ARRAY_LEN(summed); i++) {
		int column = xcs_series_column(s, summed[i].column);
		if (column < 0 || is_whole(s, column))
			continue;
		xcs_buf_clear(&above);
		xcs_buf_printf(&above, "%s is not in the figures: it is unknown in some rows.",
		               summed[i].column);
		xcs_run_add_note(run, above.p);
	}
	xcs_buf_fini(&above);
}

/* How long and how often: no plan of ours, so nothing that two runs must have alike. */
static void fill_times(struct xcs_run *run, const struct xcs_import_series *s)
{
	char *n = xcs_xasprintf("%zu", s->n_rows);
	char *interval = xcs_xasprintf("%lld", (long long)s->interval_ns);

	xcs_facts_set(&run->host, "imported.samples", n, TEXT_FILE);
	xcs_facts_set(&run->host, "imported.interval_ns", s->interval_ns ? interval : NULL,
	              s->interval_assumed ? "assumed" : TEXT_FILE);
	free(n);
	free(interval);
}

static void fill_run(struct xcs_run *run, const struct xcs_import_series *s,
                     const struct xcs_import_about *about)
{
	xcs_ulid_make(about->wall_ns, run->id);
	set(&run->tool_version, XCS_VERSION);
	run->created_wall_ns = about->wall_ns;
	run->status = s->incomplete ? XCS_RUN_PARTIAL : XCS_RUN_COMPLETE;
	if (s->incomplete)
		set(&run->status_reason,
		    s->rebooted ? "the machine was rebooted in the middle of it"
		                : "the imported text ends before its measurement did");
	const char *kernel = about->kernel ? about->kernel : s->kernel;
	xcs_facts_set(&run->host, "kernel.release", kernel, about->kernel ? "--kernel" : TEXT_FILE);
	fill_plan(run, s, about);
	fill_times(run, s);
	fill_notes(run, s);
	run->n_loads = run->n_boots = run->n_cells = 1;
	run->loads = xcs_xcalloc(1, sizeof(*run->loads));
	run->boots = xcs_xcalloc(1, sizeof(*run->boots));
	run->cells = xcs_xcalloc(1, sizeof(*run->cells));
	set(&run->loads[0].id, "imported");
	set(&run->loads[0].kind, "imported");
	/* A label of the load is what was timed; a series' own is in the origin, so that two
	 * series can be compared. */
	set(&run->loads[0].label, s->exit_codes ? s->label : NULL);
	set(&run->loads[0].command, s->exit_codes ? s->command : NULL);
	run->loads[0].n_clients = 1;
	set(&run->boots[0].kernel, kernel);
	set(&run->boots[0].boot_id, s->boot_id);
	run->cells[0].x_nice = about->x_nice;
}

/* Runs that were timed one by one; row after row one of hyperfine's. */
static void fill_timings(struct xcs_run *run, const struct xcs_import_series *s)
{
	struct xcs_run_trial *trial = &run->trials[0];
	int real = xcs_series_column(s, "real"), code = xcs_series_column(s, "exit_code");

	set(&run->loads[0].timer, "hyperfine");
	set(&trial->hyperfine_file, TEXT_FILE);
	trial->timings = xcs_xcalloc(s->n_rows, sizeof(*trial->timings));
	trial->n_timings = s->n_rows;
	for (size_t r = 0; r < s->n_rows; r++) {
		struct xcs_run_timing *timing = &trial->timings[r];
		struct xcs_num v = xcs_series_get(s, r, real);
		timing->role = xcs_xasprintf("run%zu", r);
		timing->real_ns = (struct xcs_num){v.known, v.v * 1e9};
		timing->exit_status = xcs_series_get(s, r, code);
	}
}

static bool has_rates(const struct xcs_import_series *s)
{
	return s->interval_ns || s->rows_are_runs;
}

static size_t n_trials_of(const struct xcs_import_series *s)
{
	return s->rows_are_runs ? s->n_rows : 1;
}

static void fill_trials(struct xcs_run *run, const struct xcs_import_series *s)
{
	for (size_t i = 0; i < n_trials_of(s); i++) {
		struct xcs_run_trial *trial = xcs_run_add_trial(run);
		trial->kind = XCS_TRIAL_MEASURED;
		trial->block = (int)i;
		trial->started_wall_ns = run->created_wall_ns;
		trial->settled = true;
		if (has_rates(s))
			trial->file = trial_file_dup(i);
	}
	if (!has_rates(s))
		fill_timings(run, s);
}

static int save_trials(const struct xcs_import_series *s, const char *dir, struct xcs_err *err)
{
	int rc = 0;

	for (size_t i = 0; i < n_trials_of(s) && has_rates(s) && rc == 0; i++)
		rc = save_trial(s, i, dir, err);
	return rc;
}

static int make_dir(const char *dir, struct xcs_err *err)
{
	char *trials = xcs_xasprintf("%s/trials", dir);
	char *record = xcs_xasprintf("%s/run.json", dir);
	struct xcs_buf there = {0};
	int rc = xcs_file_read_at(AT_FDCWD, record, &there);

	if (rc != -ENOENT && rc != -ENOTDIR)
		rc = xcs_err_set(err, -EEXIST, "%s holds a run already; give another --output",
		                 dir);
	else
		rc = xcs_dir_make(trials, 0755, err);
	xcs_buf_fini(&there);
	free(record);
	free(trials);
	return rc;
}

static int save_text(const char *dir, struct xcs_str text, struct xcs_err *err)
{
	char *path = xcs_xasprintf("%s/" TEXT_FILE, dir);
	int rc = xcs_file_write(path, text.p, text.n, err);

	free(path);
	return rc;
}

int xcs_series_record(const struct xcs_import_series *s, const struct xcs_import_about *about,
                      struct xcs_str text, const char *dir, struct xcs_err *err)
{
	struct xcs_run run = {0};

	if (!s->n_rows)
		return xcs_err_set(
		        err, -EINVAL, "%s has no sample to report%s", s->label,
		        s->n_dropped_since_boot
		                ? " but the average since boot; --first-row=keep takes it"
		                : "; --json shows what it has");
	int rc = make_dir(dir, err);
	if (rc)
		return rc;
	fill_run(&run, s, about);
	fill_trials(&run, s);
	rc = save_text(dir, text, err);
	if (rc == 0)
		rc = save_trials(s, dir, err);
	if (rc == 0)
		rc = xcs_run_save(&run, dir, err);
	xcs_run_fini(&run);
	return rc;
}
