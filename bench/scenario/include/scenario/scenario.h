/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Scenario files: what a run does unless the command line says otherwise. libconfig
 * syntax, one file per experiment, installed below share/xcsbench/scenarios.
 */
#ifndef SCENARIO_H
#define SCENARIO_H

#include <scenario/tree.h>

#include <common/err.h>
#include <common/options.h>
#include <record/run.h>

/* What one load may be; the command line and the scenario files share these words. */
extern const char *const scenario_load_kinds[]; /* NULL-terminated: "xterm", "flood" */
extern const char *const scenario_feeders[];    /* "lines", "yes", "command" */
extern const char *const scenario_scrolls[];    /* "jump", "line" */

enum {
	SCENARIO_CLIENTS_MAX = 64,
	SCENARIO_COLUMNS_MAX = 500,
	SCENARIO_ROWS_MAX = 300,
	SCENARIO_REPETITIONS_MAX = 1000,
	SCENARIO_HOGS_MAX = 256
};

/* What a scenario says that the record holds in another form. */
struct scenario {
	struct xcs_ints x_nice; /* levels of the server */
	struct xcs_ints hogs;   /* numbers of busy loops; empty: none */
	struct tree_spec tree;  /* TREE_NONE: its commands need no files */
	int64_t deadline_ns;    /* of a timed command */
	int64_t scaled_ns;      /* what the command of a load of size "scaled" is to take */
};

/*
 * Reads a scenario by name, or by path when `name` holds a slash, into run->plan and
 * run->loads (owned by the run) and *s. load.command is as the file has it, with its
 * placeholders (command.h). Returns 0 or -errno; a fault in the file is told as
 * FILE:LINE: what.
 */
int scenario_load(const char *name, struct xcs_run *run, struct scenario *s,
                  struct xcs_err *err) XCS_MUST_CHECK;

/* Gives the load's clients these nice levels, in turn. The list is not empty. */
void scenario_set_client_nice(struct xcs_run_load *load, const struct xcs_ints *nices);

/* The nice level of client i. */
int scenario_client_nice(const struct xcs_run_load *load, int i);

/* Calls `each` with the plan of every installed scenario, sorted by name; the plan is gone
 * afterwards. Returns 0 or -errno. */
typedef void (*scenario_fn)(const struct xcs_run_plan *plan, void *data);
int scenario_each(scenario_fn each, void *data, struct xcs_err *err) XCS_MUST_CHECK;

#endif
