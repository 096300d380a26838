/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports.h"

#include <common/alloc.h>
#include <common/counters.h>
#include <common/file.h>
#include <common/rng.h>
#include <common/ulid.h>
#include <common/units.h>
#include <record/run.h>
#include <record/trial.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define T0_NS    (1000 * XCS_NS_PER_S)
#define EPOCH_NS (INT64_C(1760000000) * XCS_NS_PER_S)

enum {
	N_CLIENTS = 4,
	N_TASKS = 1 + 2 * N_CLIENTS
};

/* One counter grows by `per_s` and a jitter of up to 2 % that the trial has throughout. */
struct pace {
	int64_t dt_ns;
	int64_t jitter_permille; /* -20 .. 20 */
};

static int64_t after(const struct pace *p, int64_t i, int64_t per_s)
{
	return 1000 +
	       i * (p->dt_ns / XCS_NS_PER_MS) * per_s * (1000 + p->jitter_permille) / 1000000;
}

static void system_row(struct xcs_trial_data *t, const struct pace *p, int64_t i)
{
	int64_t *row = xcs_table_add_row(&t->tables[XCS_TRIAL_SYSTEM]);

	row[XCS_SYSTEM_MONO_NS] = T0_NS + i * p->dt_ns;
	row[XCS_SYSTEM_CTXT_TOTAL] = after(p, i, 8000);
	row[XCS_SYSTEM_INTR_TOTAL] = after(p, i, 1500);
	row[XCS_SYSTEM_PROCS_RUNNING] = 5;
	row[XCS_SYSTEM_PROCS_BLOCKED] = 0;
	for (int c = XCS_SYSTEM_USER_TICKS; c <= XCS_SYSTEM_SET_GUEST_NICE_TICKS; c++)
		row[c] = 0;
	row[XCS_SYSTEM_USER_TICKS] = row[XCS_SYSTEM_SET_USER_TICKS] = after(p, i, 70);
	row[XCS_SYSTEM_SYSTEM_TICKS] = row[XCS_SYSTEM_SET_SYSTEM_TICKS] = after(p, i, 25);
	row[XCS_SYSTEM_IDLE_TICKS] = row[XCS_SYSTEM_SET_IDLE_TICKS] = after(p, i, 5);
	row[XCS_SYSTEM_PSI_CPU_SOME_US] = after(p, i, 700000);
}

static void task_row(struct xcs_trial_data *t, const struct pace *p, int64_t i, int64_t task)
{
	int64_t *row = xcs_table_add_row(&t->tables[XCS_TRIAL_TASK]);

	row[XCS_TASK_MONO_NS] = T0_NS + i * p->dt_ns + 1000 * task;
	row[XCS_TASK_INDEX] = task;
	row[XCS_TASK_VOLUNTARY_TOTAL] = after(p, i, task ? 200 : 3000);
	row[XCS_TASK_INVOLUNTARY_TOTAL] = after(p, i, 60);
	row[XCS_TASK_SWITCHES_TOTAL] =
	        row[XCS_TASK_VOLUNTARY_TOTAL] + row[XCS_TASK_INVOLUNTARY_TOTAL];
	row[XCS_TASK_EXEC_NS] = after(p, i, task ? 60000000 : 400000000);
	row[XCS_TASK_RUN_DELAY_NS] = after(p, i, 90000000);
	row[XCS_TASK_TIMESLICES_TOTAL] = row[XCS_TASK_SWITCHES_TOTAL];
	row[XCS_TASK_MIGRATIONS_TOTAL] = 3;
	row[XCS_TASK_NICE] = 0;
	row[XCS_TASK_POLICY] = 0;
	row[XCS_TASK_SOURCE] = 1;
}

static void full_rows(struct xcs_trial_data *t, const struct pace *p, int64_t i)
{
	for (int64_t c = 0; c < N_CLIENTS; c++) {
		int64_t *io = xcs_table_add_row(&t->tables[XCS_TRIAL_IO]);
		io[XCS_IO_MONO_NS] = T0_NS + i * p->dt_ns + 2000;
		io[XCS_IO_TASK_INDEX] = 1 + 2 * c;
		io[XCS_IO_RCHAR_BYTES] = after(p, i, 9 * 40000);
		io[XCS_IO_WCHAR_BYTES] = 99;
		int64_t *page = xcs_table_add_row(&t->tables[XCS_TRIAL_COUNTER]);
		page[XCS_COUNTER_MONO_NS] = T0_NS + i * p->dt_ns + 3000;
		page[XCS_COUNTER_PAGE] = c;
		page[XCS_COUNTER_FIRST + XCS_COUNTER_LINES] = after(p, i, 40000);
		page[XCS_COUNTER_FIRST + XCS_COUNTER_BYTES_OUT] = after(p, i, 8 * 40000);
	}
}

static void observer_row(struct xcs_trial_data *t, const struct pace *p, int64_t i, bool full)
{
	int64_t *row = xcs_table_add_row(&t->tables[XCS_TRIAL_OBSERVER]);

	row[XCS_OBSERVER_MONO_NS] = T0_NS + i * p->dt_ns;
	row[XCS_OBSERVER_CPU_NS] = after(p, i, 500000);
	row[XCS_OBSERVER_SWITCHES_TOTAL] = after(p, i, 2);
	row[XCS_OBSERVER_LATE_NS] = 4000 + i % 97;
	row[XCS_OBSERVER_MISSED_TOTAL] = 0;
	row[XCS_OBSERVER_FULL] = full;
	row[XCS_OBSERVER_WAKEUPS_TOTAL] = i;
}

static void add_names(struct xcs_trial_data *t)
{
	char role[32];

	for (int i = 0; i < N_TASKS; i++) {
		struct xcs_trial_task task = {.pid = 500 + i, .tid = 500 + i, .start_ticks = 90000};
		bool feeder = i % 2 == 0;
		snprintf(task.role, sizeof(task.role), feeder ? "feeder%d" : "client%d",
		         (i - 1) / 2);
		if (i == 0)
			snprintf(task.role, sizeof(task.role), "server");
		snprintf(task.comm, sizeof(task.comm),
		         i ? (feeder ? "xcs-feed" : "xterm") : "Xorg");
		xcs_trial_add_task(t, &task);
	}
	for (int c = 0; c < N_CLIENTS; c++) {
		snprintf(role, sizeof(role), "feeder%d", c);
		xcs_trial_add_page(t, role);
	}
}

static int write_trial(const struct perf_record *r, const char *path, struct xcs_rng *rng,
                       struct xcs_err *err)
{
	const size_t n = (size_t)r->n_samples + 1;
	const size_t hint[XCS_N_TRIAL_TABLES] = {n, n * N_TASKS, n, n, n};
	const struct pace pace = {r->period_ns, (int64_t)xcs_rng_below(rng, 41) - 20};
	struct xcs_trial_data t;

	xcs_trial_init(&t, hint);
	t.period_ns = r->period_ns;
	t.ticks_per_s = 100;
	t.cpus = xcs_xstrdup("1");
	t.observer_class = xcs_xstrdup("SCHED_FIFO 1");
	add_names(&t);
	/* Of a fast recording only the first, the last and one row a second are full. */
	int64_t per_s = r->period_ns < XCS_NS_PER_S ? XCS_NS_PER_S / r->period_ns : 1;
	for (int64_t i = 0; i < (int64_t)n; i++) {
		bool full = i % per_s == 0 || i + 1 == (int64_t)n;
		system_row(&t, &pace, i);
		for (int64_t k = 0; k < N_TASKS; k++)
			task_row(&t, &pace, i, k);
		if (full)
			full_rows(&t, &pace, i);
		observer_row(&t, &pace, i, full);
	}
	int rc = xcs_trial_save(&t, path, err);
	xcs_trial_fini(&t);
	return rc;
}

static void fill_plan(struct xcs_run *run, const struct perf_record *r)
{
	struct xcs_run_plan *p = &run->plan;

	p->scenario = xcs_xstrdup("a-four-xterm-flood");
	p->title = xcs_xstrdup("Made up for a benchmark of the reports");
	p->command = xcs_xstrdup("xcsbench run a-four-xterm-flood");
	p->mode = xcs_xstrdup("absolute");
	p->autogroup_mode = xcs_xstrdup("off");
	p->server_kind = xcs_xstrdup("xorg-dummy");
	p->load_cpus = xcs_xstrdup("1");
	p->observer_cpus = xcs_xstrdup("0");
	p->one_cpu = true;
	p->n_repetitions = r->n_trials;
	p->sample_ns = r->period_ns * r->n_samples;
	p->period_ns = r->period_ns;
	run->probe.verdict = xcs_xstrdup("effective");
	xcs_facts_set(&run->host, "kernel.release", r->kernel, "made up");
	xcs_facts_set(&run->host, "cpu.model", "Example CPU 3000", "made up");
	xcs_facts_set(&run->host, "memory.total", "8123456 kB", "made up");
}

static void fill_load(struct xcs_run *run, const struct perf_record *r)
{
	run->boots = xcs_xcalloc(1, sizeof(*run->boots));
	run->n_boots = 1;
	run->boots[0].kernel = xcs_xstrdup(r->kernel);
	run->boots[0].boot_id = xcs_xasprintf("%08x-0000-4000-8000-%012x", (unsigned)r->boot,
	                                      (unsigned)r->boot * 7919u);
	run->loads = xcs_xcalloc(1, sizeof(*run->loads));
	run->n_loads = 1;
	run->loads[0] = (struct xcs_run_load){.id = xcs_xstrdup("xterm"),
	                                      .kind = xcs_xstrdup("xterm"),
	                                      .feeder = xcs_xstrdup("lines"),
	                                      .scroll = xcs_xstrdup("jump"),
	                                      .n_clients = N_CLIENTS,
	                                      .columns = 80,
	                                      .rows = 2,
	                                      .line_bytes = 8};
	run->cells = xcs_xcalloc(1, sizeof(*run->cells));
	run->n_cells = 1;
}

static void fill_run(struct xcs_run *run, const struct perf_record *r)
{
	*run = (struct xcs_run){.status = XCS_RUN_COMPLETE};
	run->tool_version = xcs_xstrdup(XCS_VERSION);
	run->created_wall_ns = EPOCH_NS + (int64_t)r->boot * 86400 * XCS_NS_PER_S;
	xcs_ulid_make(run->created_wall_ns, run->id);
	fill_plan(run, r);
	fill_load(run, r);
	for (int i = 0; i < r->n_trials; i++) {
		struct xcs_run_trial *t = xcs_run_add_trial(run);
		t->block = i + 1;
		t->kind = XCS_TRIAL_MEASURED;
		t->settled = true;
		t->server_nice_before = t->server_nice_after = (struct xcs_num){true, 0};
		t->started_wall_ns = run->created_wall_ns + i * 10 * XCS_NS_PER_S;
		t->file = xcs_xasprintf("trials/%03d.xcs", i);
	}
}

int perf_record_write(const struct perf_record *r, struct xcs_err *err)
{
	struct xcs_rng rng = {(uint64_t)r->boot + 1};
	char *trials = xcs_xasprintf("%s/trials", r->dir);
	struct xcs_run run;
	int rc = xcs_dir_make(trials, 0755, err);

	fill_run(&run, r);
	for (size_t i = 0; rc == 0 && i < run.n_trials; i++) {
		char *path = xcs_xasprintf("%s/%s", r->dir, run.trials[i].file);
		rc = write_trial(r, path, &rng, err);
		free(path);
	}
	if (rc == 0)
		rc = xcs_run_save(&run, r->dir, err);
	xcs_run_fini(&run);
	free(trials);
	return rc;
}
