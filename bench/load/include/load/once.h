/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Commands timed to their end, once each, in the terminals of a load: they start together
 * and the trial's window lasts until the last of them is drawn.
 */
#ifndef ONCE_H
#define ONCE_H

#include <load/load.h>

/* Is this a load whose commands are timed so? */
bool once_is(const struct xcs_run_load *load);

/*
 * Makes trial->timings, lets the commands go and waits until each feeder has reported, for
 * deadline_ns at the most. n_lines is what each command writes. *event tells what cut the
 * wait short: WATCH_DEADLINE nothing, or the deadline, after which once_judge says so.
 * Returns 0 or -errno.
 */
int once_run(struct load *l, struct xcs_num n_lines, int64_t deadline_ns,
             struct xcs_run_trial *trial, enum watch_event *event,
             struct xcs_err *err) XCS_MUST_CHECK;

/* True when all commands have reported. */
bool once_is_done(const struct xcs_run_trial *trial);

/*
 * Which command failed and how: "load 'xterm': the command of client1, 'ls -l .', exited
 * with status 2". False: none did; all ended with 0 and their last lines were drawn.
 */
bool once_failed(const struct load *l, int64_t deadline_ns, const struct xcs_run_trial *trial,
                 struct xcs_buf *why);

/* A terminal ended too early, `how` says how: adds that to `why`. */
void once_closed(const struct load *l, const char *how, struct xcs_buf *why);

#endif
