/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What must not happen to the machine during a trial: sleep, CPUs that come or go, another
 * scheduler, heat that slows it down, a warning of the kernel.
 */
#ifndef VIGIL_H
#define VIGIL_H

#include <common/env.h>

#include <stdbool.h>

/* One look at the machine. Counters that it does not have are XCS_ABSENT. */
struct vigil {
	int64_t slept_ns;       /* CLOCK_BOOTTIME less CLOCK_MONOTONIC: time suspended since boot */
	int64_t wall_offset_ns; /* CLOCK_REALTIME less CLOCK_MONOTONIC: moves when it is set */
	int64_t taint;
	int64_t ext_enable_seq; /* grows with each sched_ext scheduler that is loaded */
	int64_t throttles;      /* of all cores, since boot */
	char cpus_online[256];
	char ext_state[32];
};

void vigil_look(const struct xcs_env *env, struct vigil *v);

/*
 * Did anything happen between the looks that makes the trial between them void? Then its
 * sentence goes to `why`. A wall clock that was set does not matter to a trial, whose times
 * are monotonic: see vigil_clock_step_ns.
 */
bool vigil_broken(const struct vigil *before, const struct vigil *after, struct xcs_buf *why);

/* By how much the wall clock was set between the looks; drift below 0.1 s counts as 0. */
int64_t vigil_clock_step_ns(const struct vigil *before, const struct vigil *after);

#endif
