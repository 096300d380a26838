/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Makes the calling process a good observer: on time, and on a CPU of its own.
 */
#ifndef XCS_OBSERVER_H
#define XCS_OBSERVER_H

#include <common/cpuset.h>
#include <common/err.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Takes the best scheduling class that we are allowed: SCHED_FIFO 1, else nice -20, else a
 * slice of 0.1 ms (sched_setattr, EEVDF from 6.12), else none. Returns its name for the
 * record. Timer slack becomes 1 ns in any case.
 */
const char *xcs_observer_raise(void);

/* Binds the process to these CPUs. Returns 0 or -errno. */
int xcs_observer_pin(const struct xcs_cpuset *cpus, struct xcs_err *err) XCS_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
