/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The metrics of one trial, made from the differences of its counters.
 */
#ifndef XCS_FIGURES_H
#define XCS_FIGURES_H

#include <record/metric.h>
#include <record/run.h>
#include <record/window.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Who counted the lines: the first of these that knows, since bytes that a pty took are not
 * yet lines drawn, and a feeder counts them a whole buffer at a time. */
enum xcs_lines_source {
	XCS_LINES_UNKNOWN,
	XCS_LINES_CLIENT, /* drawn, as the clients count */
	XCS_LINES_READ,   /* bytes that the clients read, by the length of a line */
	XCS_LINES_FEEDER  /* written by the feeders */
};

/* CPU seconds of the window by the tick, and exactly: of each class, of all of them, and of
 * the load's CPUs. What the tick gives the build is what it gave to nobody else. */
enum {
	XCS_ACCT_SUM = XCS_N_CLASSES,
	XCS_ACCT_CPUS,
	XCS_N_ACCT
};

struct xcs_acct {
	struct xcs_num tick_s, exact_s;
};

struct xcs_figures {
	struct xcs_num v[XCS_N_METRICS];
	enum xcs_lines_source lines_source;
	struct xcs_num lines_read; /* lines/s by the bytes that the clients read (rchar) */
	struct xcs_acct acct[XCS_N_ACCT];
	struct xcs_num lines_fed; /* lines/s by the feeders' own count */
};

/* Adds the share that each busy loop beside the load must get; needs the cell's nice levels
 * and whether groups or threads are what the run's scheduler weighs. */
void xcs_figures_expect_hogs(struct xcs_figures *f, const struct xcs_window *w,
                             const struct xcs_run *run, const struct xcs_run_cell *cell);

void xcs_figures_of(struct xcs_figures *f, const struct xcs_window *w,
                    const struct xcs_run_load *load);

#ifdef __cplusplus
}
#endif
#endif
