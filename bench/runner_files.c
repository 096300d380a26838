/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner_files.h"

#include <load/command_try.h>

#include <guard/guard.h>

#include <common/alloc.h>
#include <common/child.h>
#include <common/file.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	COUNT_LINES_S = 30, /* a command that writes for longer into a pipe is not counted */
	CALIBRATE_ROUNDS = 5,
	COMMAND_BYTES_MAX = 100000 /* one word on a command line: 128 kB on Linux */
};

static bool was_interrupted(void *data)
{
	return watch_wait(data, -1, 0) == WATCH_INTERRUPTED;
}

/* The folder that holds the tree: the scratch folder, or one of ours in --tree-dir. */
static int tree_parent(struct runner *r, char **parent, struct xcs_err *err)
{
	if (!r->tree_dir) {
		*parent = xcs_xstrdup(r->scratch_dir);
		return 0;
	}
	int rc = xcs_user_enter(&r->user, err);
	if (rc)
		return rc;
	char *path = xcs_xasprintf("%s/xcsbench-XXXXXX", r->tree_dir);
	rc = mkdtemp(path) ? 0 : xcs_err_sys(err, -errno, "cannot make a folder %s", path);
	xcs_user_leave(&r->user);
	if (rc == 0)
		rc = guard_own_dir(r->guard, path, err);
	*parent = path;
	return rc;
}

static int make_tree(struct runner *r, struct xcs_err *err)
{
	char *cache = r->options->cache_tree ? xcs_path_trees_dup(&r->user) : NULL;
	char *parent = NULL;
	int rc = tree_parent(r, &parent, err);

	if (rc == 0) {
		const struct tree_place place = {.parent = parent,
		                                 .cache = cache,
		                                 .user = &r->user,
		                                 .is_stopped = was_interrupted,
		                                 .data = &r->watch};
		rc = tree_make(&r->scenario.tree, &place, &r->run.tree, err);
	}
	free(parent);
	free(cache);
	return rc;
}

/* An earlier load with the same command; -1: none. */
static int same_command(const struct xcs_run *run, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (run->loads[k].command &&
		    strcmp(run->loads[k].command, run->loads[i].command) == 0)
			return (int)k;
	return -1;
}

/* A command that is timed once tells itself what is wrong with it. */
static void keep_why(struct runner *r, size_t i, const char *why)
{
	if (hyperfine_is(&r->run.loads[i]) && why && !r->why_not[i])
		r->why_not[i] = xcs_xstrdup(why);
}

/* How many lines the command of load i writes, and does it succeed at all? */
static void try_command(struct runner *r, size_t i)
{
	const struct load_spec place = {.load = &r->run.loads[i],
	                                .placement = &r->placement,
	                                .guard = r->guard,
	                                .env = &r->env,
	                                .user = &r->user,
	                                .cpus = &r->load_cpus,
	                                .watch = &r->watch,
	                                .cwd = r->run.tree.path};
	int64_t limit_ns = r->scenario.deadline_ns, same = same_command(&r->run, i);
	struct command_try t;

	if (same >= 0 && (r->why_not[same] || r->n_lines[same].known)) {
		r->n_lines[i] = r->n_lines[same];
		keep_why(r, i, r->why_not[same]);
		return;
	}
	if (!hyperfine_is(place.load) && limit_ns > COUNT_LINES_S * XCS_NS_PER_S)
		limit_ns = COUNT_LINES_S * XCS_NS_PER_S;
	command_try(&place, limit_ns, &t);
	r->n_lines[i] = t.n_lines;
	keep_why(r, i, t.why);
	free(t.why);
}

static void expand(struct runner *r, size_t i)
{
	commands_expand(&r->commands, &r->run, i);
	if (r->run.loads[i].command)
		try_command(r, i);
}

int runner_make_files(struct runner *r, struct xcs_err *err)
{
	int rc = 0;

	if (r->scenario.tree.kind != TREE_NONE) {
		if (!r->options->quiet)
			fprintf(stderr, "xcsbench run: making %d files\n",
			        tree_total(&r->scenario.tree));
		rc = make_tree(r, err);
	}
	commands_init(&r->commands, &r->run);
	r->n_lines = xcs_xcalloc(r->run.n_loads + 1, sizeof(*r->n_lines));
	for (size_t i = 0; rc == 0 && i < r->run.n_loads; i++)
		expand(r, i);
	return rc;
}

/* So that the guard, which would do it too, has little to do before it answers. */
void runner_remove_files(struct runner *r)
{
	struct xcs_err ignored; /* the guard tells what is left */

	if (!r->run.tree.path || r->options->cache_tree || xcs_user_enter(&r->user, &ignored))
		return;
	xcs_dir_remove(r->run.tree.path);
	xcs_user_leave(&r->user);
}

/* The load's cell at X nice 0 without busy loops, else its first. */
static int quiet_cell(const struct xcs_run *run, size_t load)
{
	int found = -1;

	for (size_t c = 0; c < run->n_cells; c++) {
		const struct xcs_run_cell *cell = &run->cells[c];
		if (cell->load != (int)load)
			continue;
		if (cell->x_nice == 0 && cell->n_hogs == 0)
			return (int)c;
		if (found < 0)
			found = (int)c;
	}
	return found;
}

/* The longest of the commands that ran together, or of the runs of hyperfine. */
static int64_t took_ns(const struct xcs_run_trial *t)
{
	int64_t longest_ns = 0;

	for (size_t i = 0; i < t->n_timings; i++) {
		struct xcs_num real = t->timings[i].real_ns;
		bool is_run = strcmp(t->timings[i].role, "hyperfine") != 0;
		if (is_run && real.known && (int64_t)real.v > longest_ns)
			longest_ns = (int64_t)real.v;
	}
	return longest_ns;
}

static void set_count(struct runner *r, size_t load, int count)
{
	commands_set_count(&r->commands, &r->run, load, count);
	for (size_t i = 0; i < r->run.n_loads; i++) {
		const char *of = r->run.loads[i].pipe_of;
		if (i == load || (of && strcmp(of, r->run.loads[load].id) == 0))
			try_command(r, i);
	}
}

/* Returns the count that the last measurement asks for; the present one when it will do. */
static int wanted_count(const struct runner *r, size_t load)
{
	const struct xcs_run_load *l = &r->run.loads[load];
	int64_t took = took_ns(&r->run.trials[r->run.n_trials - 1]);
	int64_t enough_ns = r->scenario.scaled_ns * 4 / 5;

	if (took <= 0 || took >= enough_ns)
		return l->count;
	int count = command_scale(l->count, took, r->scenario.scaled_ns);
	while (count > l->count &&
	       commands_bytes(&r->commands, &r->run, load, count) > COMMAND_BYTES_MAX)
		count = l->count + (count - l->count) / 2;
	return count;
}

static void calibrate(struct runner *r, size_t load, runner_measure_fn measure, void *data)
{
	int cell = quiet_cell(&r->run, load), first = r->run.loads[load].count;
	char note[160];

	for (int round = 0; round < CALIBRATE_ROUNDS && cell >= 0; round++) {
		if (!measure(r, cell, round, data))
			return;
		int count = wanted_count(r, load);
		if (count == r->run.loads[load].count)
			break;
		set_count(r, load, count);
	}
	snprintf(note, sizeof(note),
	         "The command of load '%s' was scaled from %d to %d, measured at X nice 0.",
	         r->run.loads[load].id, first, r->run.loads[load].count);
	if (r->run.loads[load].count != first)
		xcs_run_add_note(&r->run, note);
}

void runner_calibrate(struct runner *r, runner_measure_fn measure, void *data)
{
	for (size_t i = 0; i < r->run.n_loads; i++) {
		const struct xcs_run_load *l = &r->run.loads[i];
		if (l->size && strcmp(l->size, "scaled") == 0 && l->command && !l->pipe_of)
			calibrate(r, i, measure, data);
	}
}
