/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Commands timed to their end: the figures of a trial, and of a cell or of one of its
 * terminals over the counted trials.
 */
#ifndef XCS_TIMINGS_H
#define XCS_TIMINGS_H

#include <reports/summary.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sets the metrics "command.*" of a trial: medians over its runs of that role (NULL: of all
 * runs). Those that no run tells stay unknown. */
void xcs_command_figures(struct xcs_figures *f, const struct xcs_run_trial *t, const char *role);

struct xcs_timings {
	struct xcs_spread v[XCS_METRIC_COMMAND_LINES + 1]; /* only "command.*" are set */
	struct xcs_num nice;                               /* that the runs had, if all alike */
	size_t n_runs;                                     /* in all counted trials */
	bool constant; /* three runs or more, and not a nanosecond between their elapsed times */
};

/* Over the counted trials of a cell, each by the median of its runs; of a single trial over its
 * runs. Of the runs of one role, or of all (NULL). */
void xcs_timings_of(struct xcs_timings *t, const struct xcs_summary *s, size_t cell,
                    const char *role);

/* True when the load's commands are timed to their end and not sampled for a time. */
bool xcs_load_is_timed(const struct xcs_run_load *load);

#ifdef __cplusplus
}
#endif
#endif
