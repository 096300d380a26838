/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sample_commands.h"
#include "sample_run.h"

#include <common/alloc.h>

#include <stdio.h>
#include <stdlib.h>

#define S INT64_C(1000000000)

static void set(char **member, const char *text)
{
	free(*member);
	*member = xcs_xstrdup(text);
}

/* The sample run's machine and plan, without its loads, cells and trials. */
static void init(struct xcs_run *run, const char *scenario, const char *title,
                 const char *experiment)
{
	struct xcs_run without = {0};

	sample_run_init(run);
	without.loads = run->loads;
	without.n_loads = run->n_loads;
	without.cells = run->cells;
	without.n_cells = run->n_cells;
	without.trials = run->trials;
	without.n_trials = run->n_trials;
	xcs_run_fini(&without);
	run->loads = NULL;
	run->cells = NULL;
	run->trials = NULL;
	run->n_loads = run->n_cells = run->n_trials = run->cap_trials = 0;
	set(&run->plan.scenario, scenario);
	set(&run->plan.title, title);
	set(&run->plan.experiment, experiment);
	char *command = xcs_xasprintf("xcsbench run %s --one-cpu", scenario);
	set(&run->plan.command, command);
	free(command);
}

static struct xcs_run_load *add_load(struct xcs_run *run, const char *id, const char *kind,
                                     const char *timer)
{
	run->loads = xcs_xrealloc(run->loads, (run->n_loads + 1) * sizeof(*run->loads));
	struct xcs_run_load *load = &run->loads[run->n_loads++];
	*load = (struct xcs_run_load){.id = xcs_xstrdup(id),
	                              .kind = xcs_xstrdup(kind),
	                              .feeder = xcs_xstrdup(timer ? "command" : "lines"),
	                              .scroll = xcs_xstrdup("jump"),
	                              .timer = timer ? xcs_xstrdup(timer) : NULL,
	                              .n_clients = 1,
	                              .columns = 80,
	                              .rows = 24};
	return load;
}

static int add_cell(struct xcs_run *run, int load, int x_nice)
{
	run->cells = xcs_xrealloc(run->cells, (run->n_cells + 1) * sizeof(*run->cells));
	run->cells[run->n_cells] = (struct xcs_run_cell){.load = load, .x_nice = x_nice};
	return (int)run->n_cells++;
}

static struct xcs_run_trial *add_trial(struct xcs_run *run, int cell, int block, bool sampled)
{
	size_t i = run->n_trials;
	struct xcs_run_trial *t = xcs_run_add_trial(run);

	t->cell = cell;
	t->block = block;
	t->kind = XCS_TRIAL_MEASURED;
	t->file = sampled ? xcs_xasprintf("trials/%03zu.xcs", i) : NULL;
	t->started_wall_ns = INT64_C(1760000000) * S + (int64_t)i * 10 * S;
	t->settled = true;
	t->server_nice_after = (struct xcs_num){true, run->cells[cell].x_nice};
	return t;
}

static struct xcs_num known(int64_t ns)
{
	return (struct xcs_num){true, (double)ns};
}

static struct xcs_run_timing *add_timing(struct xcs_run_trial *t, const char *role, int64_t real_ms,
                                         int64_t user_ms, int64_t sys_ms)
{
	t->timings = xcs_xrealloc(t->timings, (t->n_timings + 1) * sizeof(*t->timings));
	struct xcs_run_timing *timing = &t->timings[t->n_timings++];
	*timing = (struct xcs_run_timing){.role = xcs_xstrdup(role),
	                                  .real_ns = known(real_ms * 1000000),
	                                  .user_ns = known(user_ms * 1000000),
	                                  .sys_ns = known(sys_ms * 1000000),
	                                  .exit_status = known(0)};
	return timing;
}

static void ls_timings(struct xcs_run_trial *t, int block)
{
	static const int nices[] = {-20, 0, 19};

	for (int client = 0; client < 3; client++) {
		char role[32];
		int64_t real_ms = 3000 + 100 * client + 10 * block;
		snprintf(role, sizeof(role), "client%d", client);
		struct xcs_run_timing *timing = add_timing(t, role, real_ms, 200, 100);
		timing->drained_ns = known((real_ms + 20) * 1000000);
		timing->drawn_ns = known((real_ms + 50) * 1000000);
		timing->n_lines = known(10001);
		timing->nice = known(nices[client]);
	}
}

void sample_ls_run_init(struct xcs_run *run)
{
	static const int levels[] = {0, -10, 10};

	init(run, "c-ls-10000", "ls -l of 10,000 names in three terminals", "C (March 2007)");
	run->tree.path = xcs_xstrdup("/dev/shm/names");
	run->tree.filesystem = xcs_xstrdup("tmpfs");
	run->tree.n_entries = 10001;
	run->tree.name_bytes = 247;
	struct xcs_run_load *load = add_load(run, "xterm", "xterm", "once");
	load->n_clients = 3;
	load->client_nices = xcs_xstrdup("-20,0,19");
	load->client_nice = -20;
	load->command = xcs_xstrdup("ls -l .");
	load->label = xcs_xstrdup("ls -l .");
	for (int n = 0; n < 3; n++)
		add_cell(run, 0, levels[n]);
	for (int block = 1; block <= 3; block++) {
		for (int cell = 0; cell < 3; cell++) {
			struct xcs_run_trial *t = add_trial(run, cell, block, cell < 2);
			if (cell < 2) {
				ls_timings(t, block);
				continue;
			}
			t->status = XCS_TRIAL_FAILED;
			t->reason = xcs_xstrdup("xterm nice 19: `ls -l .` exited with status 2");
		}
	}
}

static void hyperfine_trial(struct xcs_run *run, int cell, int block)
{
	const struct xcs_run_load *load = &run->loads[run->cells[cell].load];
	bool pipe = load->pipe_of != NULL, scaled = load->count > 5000;
	struct xcs_run_trial *t = add_trial(run, cell, block, false);

	add_timing(t, "hyperfine", 9999, 1, 1); /* the whole call: no run */
	for (int i = 0; i < 4; i++) {
		char role[32];
		int64_t real_ms = 500 + 10 * block + i;
		if (pipe)
			real_ms = 20;
		else if (load->startup_of)
			real_ms = 300;
		snprintf(role, sizeof(role), "run%d", i);
		struct xcs_run_timing *timing =
		        add_timing(t, role, scaled ? 10 * real_ms : real_ms, 9, 5);
		if (!load->startup_of)
			timing->n_lines = known(load->count);
	}
}

static void seq_load(struct xcs_run *run, const char *id, const char *kind, int count,
                     const char *pipe_of)
{
	struct xcs_run_load *load = add_load(run, id, kind, "hyperfine");

	load->count = count;
	load->size = xcs_xstrdup(count > 5000 ? "scaled" : "historic");
	load->label = xcs_xasprintf(pipe_of ? "seq 1 %d | cat" : "xterm -e seq 1 %d", count);
	load->command = xcs_xasprintf("seq 1 %d", count);
	load->pipe_of = pipe_of ? xcs_xstrdup(pipe_of) : NULL;
}

static void find_trial(struct xcs_run *run, int cell)
{
	struct xcs_run_timing *timing =
	        add_timing(add_trial(run, cell, 1, true), "client0", 23000, 5652, 1631);

	timing->drawn_ns = known(INT64_C(23100) * 1000000);
	timing->n_lines = known(204276);
}

void sample_scroll_run_init(struct xcs_run *run)
{
	static const int levels[] = {0, -10, 10, -15};

	init(run, "d-xterm-scroll", "Scrolling speed of xterm", "D (January 2004)");
	seq_load(run, "seq", "xterm", 5000, NULL);
	seq_load(run, "seq-pipe", "pipe", 5000, "seq");
	seq_load(run, "seq-scaled", "xterm", 60000, NULL);
	seq_load(run, "seq-scaled-pipe", "pipe", 60000, "seq-scaled");
	struct xcs_run_load *start = add_load(run, "start-up", "xterm", "hyperfine");
	start->label = xcs_xstrdup("xterm -e true");
	start->startup_of = xcs_xstrdup("seq");
	struct xcs_run_load *find = add_load(run, "find", "xterm", "once");
	find->label = xcs_xstrdup("xterm -e sh -c \"find DIR DIR\"");
	find->size = xcs_xstrdup("historic");
	find->command = xcs_xstrdup("find DIR DIR");
	for (int load = 0; load < 6; load++)
		for (int n = 0; n < 4; n++)
			add_cell(run, load, levels[n]);
	for (int block = 1; block <= 3; block++)
		for (int cell = 0; cell < 20; cell++)
			hyperfine_trial(run, cell, block);
	find_trial(run, 22); /* X nice 10 and -15, as published; the other two were not run */
	find_trial(run, 23);
}

void sample_idle_run_init(struct xcs_run *run)
{
	static const int levels[] = {0, -10, 10};

	init(run, "b-idle-desktop", "A desktop nearly at rest", "B (April 2007)");
	run->plan.since_boot = true;
	struct xcs_run_load *load = add_load(run, "xterm", "xterm", NULL);
	load->lines_per_s = 10;
	for (int n = 0; n < 3; n++)
		add_cell(run, 0, levels[n]);
	for (int block = 1; block <= 3; block++)
		for (int cell = 0; cell < 3; cell++)
			add_trial(run, cell, block, true);
}
