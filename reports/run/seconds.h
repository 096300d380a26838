/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The machine second by second, as vmstat shows it, and its averages since boot. Private to
 * reports/.
 */
#ifndef XCS_REPORT_SECONDS_H
#define XCS_REPORT_SECONDS_H

#include <reports/summary.h>

/* One interval of at least about a second; only cs, intr, runnable and us..st are set. */
struct report_second {
	struct xcs_num v[XCS_METRIC_ST + 1];
};

struct report_seconds {
	struct report_second *v; /* owned */
	size_t n;
};

/*
 * Reads a trial's samples again. us..st are of the load's CPUs, or of the whole machine.
 * A trial without readable samples has none. The caller ends it with report_seconds_fini.
 */
void report_seconds_of(struct report_seconds *out, const struct xcs_summary *s, size_t trial,
                       bool whole_machine);
void report_seconds_fini(struct report_seconds *seconds);

/* The first counted trial of a cell that has samples; or -1. */
int report_first_trial(const struct xcs_summary *s, size_t cell);

struct report_boot {
	struct report_second average;
	struct xcs_num uptime_s; /* by CLOCK_MONOTONIC, which stands while the machine sleeps */
	struct xcs_num n_cpus;   /* that the ticks make up */
};

/*
 * Averages from boot to the first sample of the run, of the whole machine: what the first
 * line of vmstat is about. Returns false, and all unknown,
 * when no trial has samples.
 */
bool report_since_boot(struct report_boot *out, const struct xcs_summary *s);

#endif
