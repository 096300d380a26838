/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The plan of a run: its cells (load x nice of the X server x busy loops) and the order of
 * its trials.
 */
#ifndef PLAN_H
#define PLAN_H

#include <common/options.h>
#include <record/run.h>

struct plan_step {
	int cell, block; /* block 0 warms up, 1.. are measured */
	enum xcs_trial_kind kind;
};

struct plan {
	struct plan_step *steps; /* owned */
	size_t n;
};

/*
 * Makes run->cells from its loads, the server's nice levels and the numbers of busy loops
 * (duplicates dropped; an empty list of loops means none beside any). In
 * relative mode the server stays at 0 and the load takes the opposite level: under CFS and
 * EEVDF a task's weight depends on nice alone, so the ratio is the same; levels above 0
 * cannot be had that way and are left out with a note.
 */
void plan_cells(struct xcs_run *run, const struct xcs_ints *x_nice, const struct xcs_ints *hogs);

/*
 * Orders the trials: a warm-up of each cell (quick: of each load), then n_repetitions
 * blocks, each block all cells in a random order drawn from run->plan.seed.
 */
void plan_make(struct plan *plan, const struct xcs_run *run);
void plan_fini(struct plan *plan);

#endif
