/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sample_run.h"

#include <common/alloc.h>
#include <common/counters.h>
#include <common/file.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define S          INT64_C(1000000000)
#define T0         (INT64_C(1000) * S)
#define N_SAMPLES  6
#define N_CLIENTS  4
#define LINE_BYTES 80

/* The machine has one more CPU, which was busy before and is idle now. */
static void machine_ticks(int64_t *row, int64_t i)
{
	row[XCS_SYSTEM_USER_TICKS] = 9000 + row[XCS_SYSTEM_SET_USER_TICKS];
	row[XCS_SYSTEM_NICE_TICKS] = 1000;
	row[XCS_SYSTEM_SYSTEM_TICKS] = 3000 + row[XCS_SYSTEM_SET_SYSTEM_TICKS];
	row[XCS_SYSTEM_IDLE_TICKS] = 180000 + i * 100 + row[XCS_SYSTEM_SET_IDLE_TICKS];
	for (int c = XCS_SYSTEM_IOWAIT_TICKS; c <= XCS_SYSTEM_GUEST_NICE_TICKS; c++)
		row[c] = 0;
}

static void system_row(struct xcs_trial_data *t, const struct sample_rates *r, int64_t i)
{
	int64_t *row = xcs_table_add_row(&t->tables[XCS_TRIAL_SYSTEM]);
	int64_t used = r->x_cpu_pct + r->n_clients * (r->client_cpu_pct + r->feeder_cpu_pct);

	row[XCS_SYSTEM_MONO_NS] = T0 + i * S;
	row[XCS_SYSTEM_CTXT_TOTAL] = 5000000 + i * r->cs;
	row[XCS_SYSTEM_INTR_TOTAL] = 900000 + i * 1000;
	row[XCS_SYSTEM_PROCS_RUNNING] = 5;
	row[XCS_SYSTEM_SET_USER_TICKS] = 700 + i * (used - 20);
	row[XCS_SYSTEM_SET_NICE_TICKS] = 0;
	row[XCS_SYSTEM_SET_SYSTEM_TICKS] = 300 + i * 20;
	row[XCS_SYSTEM_SET_IDLE_TICKS] = 5000 + i * (100 - used);
	for (int c = XCS_SYSTEM_SET_IOWAIT_TICKS; c <= XCS_SYSTEM_SET_GUEST_NICE_TICKS; c++)
		row[c] = 0;
	if (r->whole_machine)
		machine_ticks(row, i);
}

static void task_row(struct xcs_trial_data *t, int64_t task, int64_t i, int64_t vol, int64_t invol,
                     int64_t cpu_pct)
{
	int64_t *row = xcs_table_add_row(&t->tables[XCS_TRIAL_TASK]);

	row[XCS_TASK_MONO_NS] = T0 + i * S + 1000 * task;
	row[XCS_TASK_INDEX] = task;
	row[XCS_TASK_VOLUNTARY_TOTAL] = 100 + i * vol;
	row[XCS_TASK_INVOLUNTARY_TOTAL] = 50 + i * invol;
	row[XCS_TASK_SWITCHES_TOTAL] = 150 + i * (vol + invol);
	row[XCS_TASK_EXEC_NS] = 77 * S + i * cpu_pct * (S / 100);
	row[XCS_TASK_RUN_DELAY_NS] = 5 * S + i * (S / 10);
	row[XCS_TASK_TIMESLICES_TOTAL] = 400 + i * (vol + invol);
	row[XCS_TASK_MIGRATIONS_TOTAL] = 3;
	row[XCS_TASK_NICE] = 0;
	row[XCS_TASK_SOURCE] = 1;
	/* The tick sees a quarter more of the server than it ran, and a tenth less of the rest. */
	if (i == 0 || i == N_SAMPLES - 1)
		row[XCS_TASK_TICK_NS] = 70 * S + i * cpu_pct * (S / 1000) * (task ? 9 : 0) +
		                        i * cpu_pct * (S / 400) * (task ? 0 : 5);
}

static void io_row(struct xcs_trial_data *t, int64_t task, int64_t i, int64_t bytes)
{
	int64_t *row = xcs_table_add_row(&t->tables[XCS_TRIAL_IO]);

	row[XCS_IO_MONO_NS] = T0 + i * S + 2000;
	row[XCS_IO_TASK_INDEX] = task;
	row[XCS_IO_RCHAR_BYTES] = 12345 + i * bytes;
	row[XCS_IO_WCHAR_BYTES] = 99;
}

static int64_t *page_row(struct xcs_trial_data *t, int64_t page, int64_t i)
{
	int64_t *row = xcs_table_add_row(&t->tables[XCS_TRIAL_COUNTER]);

	row[XCS_COUNTER_MONO_NS] = T0 + i * S + 3000;
	row[XCS_COUNTER_PAGE] = page;
	return row + XCS_COUNTER_FIRST;
}

static void observer_row(struct xcs_trial_data *t, int64_t i)
{
	int64_t *row = xcs_table_add_row(&t->tables[XCS_TRIAL_OBSERVER]);

	row[XCS_OBSERVER_MONO_NS] = T0 + i * S;
	row[XCS_OBSERVER_CPU_NS] = 1000000 + i * 500000;
	row[XCS_OBSERVER_SWITCHES_TOTAL] = 10 + i * 2;
	row[XCS_OBSERVER_LATE_NS] = 4000 + i * 1000;
	row[XCS_OBSERVER_MISSED_TOTAL] = 0;
	row[XCS_OBSERVER_FULL] = 1;
	row[XCS_OBSERVER_WAKEUPS_TOTAL] = i;
}

/* Tasks: 0 the server, then client and feeder in turn. */
static void add_tasks(struct xcs_trial_data *t, int n_clients)
{
	struct xcs_trial_task task = {.pid = 500, .tid = 500, .start_ticks = 90000};

	snprintf(task.role, sizeof(task.role), "server");
	snprintf(task.comm, sizeof(task.comm), "Xorg");
	xcs_trial_add_task(t, &task);
	for (int c = 0; c < n_clients; c++) {
		task.pid = task.tid = 600 + 2 * c;
		snprintf(task.role, sizeof(task.role), "client%d", c);
		snprintf(task.comm, sizeof(task.comm), "xterm");
		xcs_trial_add_task(t, &task);
		task.pid = task.tid = 601 + 2 * c;
		snprintf(task.role, sizeof(task.role), "feeder%d", c);
		snprintf(task.comm, sizeof(task.comm), "xcs-feed");
		xcs_trial_add_task(t, &task);
	}
}

static void add_pages(struct xcs_trial_data *t, const struct sample_rates *r)
{
	char role[32];

	for (int c = 0; c < r->n_clients && r->lines; c++) {
		snprintf(role, sizeof(role), "feeder%d", c);
		xcs_trial_add_page(t, role);
	}
	for (int c = 0; c < r->n_clients && r->frames; c++) {
		snprintf(role, sizeof(role), "client%d", c);
		xcs_trial_add_page(t, role);
	}
}

static void page_rows(struct xcs_trial_data *t, const struct sample_rates *r, int64_t i)
{
	for (int c = 0; c < r->n_clients && r->lines; c++) {
		int64_t *row = page_row(t, c, i);
		row[XCS_COUNTER_LINES] = 10 + i * r->lines;
		row[XCS_COUNTER_BYTES_OUT] = 810 + i * r->lines * LINE_BYTES;
		row[XCS_COUNTER_CONFIRMED_LINES] = 0;
	}
	for (int c = 0; c < r->n_clients && r->frames; c++) {
		int64_t *row = page_row(t, r->lines ? r->n_clients + c : c, i);
		row[XCS_COUNTER_LINES] = 10 + i * r->lines;
		row[XCS_COUNTER_FRAMES] = 7 + i * r->frames;
		row[XCS_COUNTER_REQUESTS] = 70 + i * r->frames * 3;
		row[XCS_COUNTER_ROUND_TRIPS] = 7 + i * r->frames;
		row[XCS_COUNTER_ROUND_TRIP_NS] = 9 + i * r->frames * 150000;
	}
}

void sample_trial_init(struct xcs_trial_data *t, const struct sample_rates *r)
{
	static const size_t hint[XCS_N_TRIAL_TABLES] = {8, 8, 8, 8, 8};

	xcs_trial_init(t, hint);
	t->period_ns = S;
	t->ticks_per_s = 100;
	t->cpus = xcs_xstrdup("1");
	t->observer_class = xcs_xstrdup("SCHED_FIFO 1");
	add_tasks(t, r->n_clients);
	add_pages(t, r);
	for (int64_t i = 0; i < N_SAMPLES; i++) {
		system_row(t, r, i);
		task_row(t, 0, i, r->x_vol, r->x_invol, r->x_cpu_pct);
		for (int c = 0; c < r->n_clients; c++) {
			task_row(t, 1 + 2 * c, i, 30, 20, r->client_cpu_pct);
			task_row(t, 2 + 2 * c, i, 10, 5, r->feeder_cpu_pct);
			/* The terminal turns each newline into two bytes. */
			io_row(t, 1 + 2 * c, i, r->lines * (LINE_BYTES + 1));
		}
		page_rows(t, r, i);
		observer_row(t, i);
	}
}

static void host_facts(struct xcs_run *run)
{
	xcs_facts_set(&run->host, "kernel.release", "6.18.5", "proc:sys/kernel/osrelease");
	xcs_facts_set(&run->host, "kernel.version", "#1 SMP PREEMPT_DYNAMIC",
	              "proc:sys/kernel/version");
	xcs_facts_set(&run->host, "cpu.model", "Example CPU 3000", "proc:cpuinfo");
	xcs_facts_set(&run->host, "cpu.online", "0-1", "sys:devices/system/cpu/online");
	xcs_facts_set(&run->host, "memory.total", "8123456 kB", "proc:meminfo");
	xcs_facts_set(&run->host, "machine.virtual", "yes", "proc:cpuinfo");
	xcs_facts_set(&run->host, "distribution", "Debian GNU/Linux 12 (bookworm)", "os-release");
	xcs_facts_set(&run->host, "kernel.hz", "250", "config");
	xcs_facts_set(&run->environment, "sched.autogroup", "0",
	              "proc:sys/kernel/sched_autogroup_enabled");
	xcs_facts_set(&run->environment, "sched.base_slice_ns", "2800000", "debugfs");
	xcs_facts_set(&run->environment, "server.vendor", "The X.Org Foundation", "X server");
	xcs_facts_set(&run->environment, "server.release", "12101007", "X server");
	xcs_facts_set(&run->environment, "server.width_px", "1280", "X server");
	xcs_facts_set(&run->environment, "server.height_px", "1024", "X server");
	xcs_facts_set(&run->environment, "server.depth", "24", "X server");
	xcs_facts_set(&run->environment, "xterm.version", "XTerm(379)", "xterm -version");
	xcs_facts_set(&run->environment, "rights.backend", "root", "geteuid, capget");
	xcs_facts_set(&run->environment, "rights.server_nice", "-20", "xcs-guard");
	xcs_facts_set(&run->environment, "rights.lowest_nice", "-20", "setpriority");
	xcs_facts_set(&run->environment, "cpu.governor", NULL, "cpufreq");
}

static void plan(struct xcs_run *run)
{
	struct xcs_run_plan *p = &run->plan;

	p->scenario = xcs_xstrdup("a-four-xterm-flood");
	p->title = xcs_xstrdup("Four-xterm flood while X is reniced");
	p->experiment = xcs_xstrdup("A");
	p->command =
	        xcs_xstrdup("xcsbench run a-four-xterm-flood --one-cpu --autogroup=off --seed=7");
	p->mode = xcs_xstrdup("absolute");
	p->autogroup_mode = xcs_xstrdup("off");
	p->server_kind = xcs_xstrdup("xorg-dummy");
	p->boost = xcs_xstrdup("server");
	p->placement = xcs_xstrdup("as-found");
	p->profile = xcs_xstrdup("controlled");
	p->load_cpus = xcs_xstrdup("1");
	p->observer_cpus = xcs_xstrdup("0");
	p->one_cpu = true;
	p->seed = UINT64_MAX;
	p->n_repetitions = 3;
	p->sample_ns = 5 * S;
	p->period_ns = S;
	p->settle_deadline_ns = 10 * S;
	run->probe.verdict = xcs_xstrdup("effective");
	run->probe.why = xcs_xstrdup("a spinner at nice 0 got 9.2 times the CPU of one at nice 10");
	run->probe.favoured_exec_ns = 920000000;
	run->probe.other_exec_ns = 100000000;
	run->probe.expected_ratio = (struct xcs_num){true, 9.3};
}

/* One thread of the server at both ends of the run, and two knobs, one that is not there. */
static void looks_and_knobs(struct xcs_run *run)
{
	static const char *const whens[] = {"start", "end"};

	run->looks = xcs_xcalloc(2, sizeof(*run->looks));
	for (; run->n_looks < 2; run->n_looks++) {
		struct xcs_run_look *look = &run->looks[run->n_looks];
		look->when = xcs_xstrdup(whens[run->n_looks]);
		look->wall_ns = run->created_wall_ns + (12 + (int64_t)run->n_looks * 300) * S;
		look->threads = xcs_xcalloc(1, sizeof(*look->threads));
		look->n_threads = 1;
		look->threads[0] = (struct xcs_run_thread){
		        .role = xcs_xstrdup("server"),
		        .comm = xcs_xstrdup("Xorg"),
		        .pid = 812,
		        .tid = 812,
		        .policy = xcs_xstrdup("other"),
		        .nice = {true, 0},
		        .cgroup = xcs_xstrdup("/")
                };
	}
	run->knobs = xcs_xcalloc(2, sizeof(*run->knobs));
	run->n_knobs = 2;
	run->knobs[0] = (struct xcs_run_knob){xcs_xstrdup("dpms"), xcs_xstrdup("on"),
	                                      xcs_xstrdup("off"), xcs_xstrdup("on"), NULL};
	run->knobs[1] = (struct xcs_run_knob){xcs_xstrdup("services"), NULL, NULL, NULL,
	                                      xcs_xstrdup("no systemd")};
}

static void loads_and_cells(struct xcs_run *run)
{
	static const char *const kinds[] = {"xterm", "flood"};
	static const int levels[] = {0, -10, 10};

	run->loads = xcs_xcalloc(2, sizeof(*run->loads));
	run->cells = xcs_xcalloc(6, sizeof(*run->cells));
	run->boots = xcs_xcalloc(1, sizeof(*run->boots));
	run->n_boots = 1;
	run->boots[0].boot_id = xcs_xstrdup("5c1e0a52-0000-4000-8000-000000000001");
	run->boots[0].kernel = xcs_xstrdup("6.18.5");
	for (int l = 0; l < 2; l++) {
		struct xcs_run_load *load = &run->loads[run->n_loads++];
		*load = (struct xcs_run_load){.id = xcs_xstrdup(kinds[l]),
		                              .kind = xcs_xstrdup(kinds[l]),
		                              .feeder = xcs_xstrdup("lines"),
		                              .scroll = xcs_xstrdup("jump"),
		                              .n_clients = N_CLIENTS,
		                              .columns = 80,
		                              .rows = 2};
		load->settings = xcs_xcalloc(1, sizeof(*load->settings));
		load->settings[load->n_settings++] = xcs_xstrdup("jumpScroll: true");
		for (int n = 0; n < 3; n++)
			run->cells[run->n_cells++] =
			        (struct xcs_run_cell){.load = l, .x_nice = levels[n]};
	}
}

static void add_trial(struct xcs_run *run, int cell, int block)
{
	size_t i = run->n_trials;
	struct xcs_run_trial *t = xcs_run_add_trial(run);

	t->cell = cell;
	t->block = block;
	t->kind = block ? XCS_TRIAL_MEASURED : XCS_TRIAL_WARMUP;
	t->status = XCS_TRIAL_OK;
	t->file = xcs_xasprintf("trials/%03zu.xcs", i);
	t->started_wall_ns = INT64_C(1760000000) * S + (int64_t)i * 10 * S;
	t->settle_ns = 2 * S;
	t->settled = true;
	double nice = run->cells[cell].x_nice;
	t->server_nice_before = (struct xcs_num){true, 0};
	t->server_nice_after = (struct xcs_num){true, nice};
	t->lines_written = t->lines_confirmed = (struct xcs_num){true, 400000};
	t->windows = xcs_xcalloc(1, sizeof(*t->windows));
	t->n_windows = 1;
	t->windows[0] = (struct xcs_run_window){xcs_xstrdup("client0"), 0, 0, 484, 30, true, true};
}

void sample_run_init(struct xcs_run *run)
{
	*run = (struct xcs_run){.id = "01JZZZZZZZZZZZZZZZZZZZZZZZ"};
	run->tool_version = xcs_xstrdup("0.1.0");
	run->created_wall_ns = INT64_C(1760000000) * S;
	run->status = XCS_RUN_COMPLETE;
	host_facts(run);
	plan(run);
	loads_and_cells(run);
	looks_and_knobs(run);
	for (int block = 0; block < 4; block++)
		for (int cell = 0; cell < 6; cell++)
			add_trial(run, cell, block);
}

struct sample_rates sample_rates_of(const struct xcs_run *run, size_t trial)
{
	const struct xcs_run_trial *t = &run->trials[trial];
	const struct xcs_run_cell *cell = &run->cells[t->cell];
	int64_t b = t->block - 2; /* -1, 0, 1 for the measured ones */
	struct sample_rates r = {.cs = 1000 + 10 * b, .x_vol = 10, .x_invol = 200 + b};

	if (cell->x_nice < 0)
		r = (struct sample_rates){.cs = 25000 + 250 * b, .x_vol = 12000 + b, .x_invol = 20};
	r.whole_machine = run->plan.since_boot;
	r.x_cpu_pct = 40;
	r.client_cpu_pct = 10;
	r.feeder_cpu_pct = 5;
	r.n_clients = run->loads[cell->load].n_clients;
	r.lines = cell->x_nice < 0 ? 9000 + 50 * b : 12000 + 100 * b;
	r.frames = cell->load == 1 ? (cell->x_nice < 0 ? 3000 : 60) : 0;
	return r;
}

void sample_run_write(const struct xcs_run *run, const char *dir)
{
	struct xcs_err err = {0};
	char *trials = xcs_xasprintf("%s/trials", dir);

	assert_int_equal(xcs_dir_make(trials, 0755, &err), 0);
	free(trials);
	assert_int_equal(xcs_run_save(run, dir, &err), 0);
	for (size_t i = 0; i < run->n_trials; i++) {
		if (!run->trials[i].file)
			continue;
		struct sample_rates rates = sample_rates_of(run, i);
		struct xcs_trial_data t;
		sample_trial_init(&t, &rates);
		char *path = xcs_xasprintf("%s/%s", dir, run->trials[i].file);
		assert_int_equal(xcs_trial_save(&t, path, &err), 0);
		free(path);
		xcs_trial_fini(&t);
	}
}
