/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One trial: renice the server, start the load, let it settle, sample, stop the load.
 */
#ifndef BENCH_TRIAL_H
#define BENCH_TRIAL_H

#include <load/hyperfine.h>
#include <load/load.h>
#include <trial/plan.h>

/* What all trials of a run share; borrowed. */
struct trial_place {
	const struct xcs_env *env;
	struct xcs_run *run;
	int boot; /* index into run->boots */
	const char *run_dir, *scratch_dir;
	const struct xcs_user *user;
	const struct xserver *server;
	struct guard *guard;
	struct watch *watch;
	const struct placement *placement;
	const struct xcs_cpuset *load_cpus, *observer_cpus;
	const struct xcs_num *n_lines; /* what the command of each load writes */
	char **why_not;                /* why a load cannot be timed; NULL: it can */
	int64_t deadline_ns;           /* of a timed command */
	int max_foreign_pct;           /* more of the load's CPUs used by others voids a trial */
	bool may_renice;               /* rights to set any nice value */
	size_t first_look;             /* of this part of the run, in run->looks */
	bool look_start, look_middle, look_end; /* which looks fall into this trial */
};

/* How a trial ended, for the run. */
enum trial_end {
	TRIAL_DONE,        /* recorded, whatever its status */
	TRIAL_GIVEN_UP,    /* recorded as failed, and would fail again */
	TRIAL_INTERRUPTED, /* by the user */
	TRIAL_SERVER_DIED,
	TRIAL_GUARD_DIED,
	TRIAL_ERROR /* the run cannot go on: err has the sentence */
};

/*
 * Does one trial and adds it to the run (status ok, void or failed, with the reason), its
 * samples in RUN/trials/NNN.xcs.
 */
enum trial_end trial_do(const struct trial_place *place, const struct plan_step *step, int attempt,
                        struct xcs_err *err);

#endif
