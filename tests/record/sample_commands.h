/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs of the experiments that time commands or watch a desktop at rest, with figures that a
 * test can predict. Written with sample_run_write().
 */
#ifndef SAMPLE_COMMANDS_H
#define SAMPLE_COMMANDS_H

#include <record/run.h>

/* C: `ls -l .` in three terminals at nice -20, 0 and 19, X nice 0, -10, 10, three trials each.
 * Elapsed: 3 + 0.1 per client + 0.01 per trial, user 0.2, system 0.1; the cell of X nice 10
 * failed. */
void sample_ls_run_init(struct xcs_run *run);

/* D: hyperfine over seq, historic and scaled, in a terminal and into a pipe, the terminal's
 * start, and find timed once with samples; X nice 0, -10, 10, -15. seq-pipe is constant. */
void sample_scroll_run_init(struct xcs_run *run);

/* B: one paced load at X nice 0, -10, 10; the report is to show the averages since boot. */
void sample_idle_run_init(struct xcs_run *run);

#endif
