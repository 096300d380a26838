/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A whole run, as its steps: prepare, start guard and server, probe, do the trials, finish.
 */
#ifndef RUNNER_H
#define RUNNER_H

#include "anonymous.h"
#include "progress.h"
#include "run_options.h"
#include <scenario/command.h>
#include <trial/plan.h>
#include <trial/trial.h>

#include <guard/guard.h>

#include <common/env.h>
#include <common/paths.h>

struct resume;

struct runner {
	const struct run_options *options;
	struct xcs_env env;
	struct xcs_user user;
	struct anonymous names;
	struct xcs_run run;
	struct plan plan;
	struct scenario scenario;
	struct xcs_cpuset load_cpus, observer_cpus;
	struct guard_right right; /* that moves the server */
	bool may_renice;          /* and loads too */
	struct commands commands;
	struct xcs_num *n_lines;     /* owned: what the command of each load writes */
	char **why_not;              /* owned: why a load cannot be timed; NULL: it can */
	char *run_dir, *scratch_dir; /* owned; NULL before they exist */
	char *tree_dir;              /* owned; --tree-dir, absolute; NULL: not given */
	struct guard *guard;
	struct watch watch;
	struct xserver server;
	struct placement placement; /* of the loads */
	struct progress progress;
	struct resume *resume; /* borrowed: the run that is gone on with; or NULL */
	int boot;              /* index of this boot in the run's */
};

/* Reads scenario, options and machine into run and plan; changes nothing. 0 or -errno. */
int runner_prepare(struct runner *r, const struct run_options *options, const char *scenario,
                   const char *command, struct xcs_err *err) XCS_MUST_CHECK;

/* The same without a scenario, for who only looks at the machine. 0 or -errno. */
int runner_prepare_bare(struct runner *r, const struct run_options *options,
                        struct xcs_err *err) XCS_MUST_CHECK;

/* Catches signals, moves to the observer's CPUs and reads the facts of the machine. */
int runner_settle_down(struct runner *r, struct xcs_err *err) XCS_MUST_CHECK;

/*
 * Starts guard and server and gathers what can be known before a load runs: environment,
 * rights, the nice probe. On error the facts gathered so far stay. 0 or -errno.
 */
int runner_survey(struct runner *r, struct xcs_err *err) XCS_MUST_CHECK;

/* What one trial is expected to take on the average, its load's start and end included. */
int64_t runner_step_ns(const struct runner *r);

/* Before anything is started: is hyperfine there for the loads that it is to time? Those
 * that it is not are marked; where none is left, -EPERM with the sentence. */
int runner_check_hyperfine(struct runner *r, struct xcs_err *err) XCS_MUST_CHECK;

void runner_forget_timed(struct runner *r);

/* Prints the plan: what --dry-run shows. */
void runner_describe(const struct runner *r, struct xcs_buf *into);

/*
 * Does the run and saves its record after every trial. Returns the exit status; err holds
 * a sentence unless it is 0.
 */
enum xcs_exit runner_do(struct runner *r, struct xcs_err *err);

/* Stops what still runs, puts everything back and frees; fine after any of the above. The
 * sentence of what could not be put back goes to err; 0 or -errno. */
int runner_finish(struct runner *r, struct xcs_err *err) XCS_MUST_CHECK;

#endif
