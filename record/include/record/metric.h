/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The metrics, each defined once. Every writer takes title, unit and digits from here.
 */
#ifndef XCS_METRIC_H
#define XCS_METRIC_H

#ifdef __cplusplus
extern "C" {
#endif

enum xcs_better {
	XCS_BETTER_NONE,
	XCS_BETTER_MORE,
	XCS_BETTER_LESS
};

enum xcs_metric_id {
	XCS_METRIC_CS,
	XCS_METRIC_CS_NET,  /* less the observer's own */
	XCS_METRIC_CS_TASK, /* summed over watched tasks */
	XCS_METRIC_INTR,
	XCS_METRIC_INTR_NET, /* less the observer's own */
	XCS_METRIC_RUNNABLE,
	XCS_METRIC_US, /* these eight: tick-sampled, CPUs of the load */
	XCS_METRIC_SY,
	XCS_METRIC_NI,
	XCS_METRIC_ID,
	XCS_METRIC_WA,
	XCS_METRIC_HI,
	XCS_METRIC_SI,
	XCS_METRIC_ST,
	XCS_METRIC_SERVER_VCS,
	XCS_METRIC_SERVER_ICS,
	XCS_METRIC_SERVER_CPU,
	XCS_METRIC_SERVER_RUN_DELAY,     /* us per timeslice */
	XCS_METRIC_SERVER_RUN_DELAY_PCT, /* % of time */
	XCS_METRIC_SERVER_TIMESLICES,
	XCS_METRIC_SERVER_MIGRATIONS,
	XCS_METRIC_COMPOSITOR_VCS, /* these five: unknown where no compositor was watched */
	XCS_METRIC_COMPOSITOR_ICS,
	XCS_METRIC_COMPOSITOR_CPU,
	XCS_METRIC_COMPOSITOR_RUN_DELAY,
	XCS_METRIC_COMPOSITOR_RUN_DELAY_PCT,
	XCS_METRIC_CLIENT_VCS, /* summed over clients */
	XCS_METRIC_CLIENT_ICS,
	XCS_METRIC_CLIENT_CPU, /* mean of the clients, % each */
	XCS_METRIC_FEEDER_VCS,
	XCS_METRIC_FEEDER_ICS,
	XCS_METRIC_FEEDER_CPU,
	XCS_METRIC_LINES,
	XCS_METRIC_LINES_PER_CLIENT,
	XCS_METRIC_FRAMES,
	XCS_METRIC_LINES_PER_FRAME,
	XCS_METRIC_REQUESTS,
	XCS_METRIC_REQUESTS_PER_WAKEUP,
	XCS_METRIC_ROUND_TRIP, /* mean wait, us */
	XCS_METRIC_FAIRNESS,
	XCS_METRIC_WATCHED_CPU, /* % of the load's CPUs used by server, clients, feeders */
	XCS_METRIC_FOREIGN_CPU, /* % of the load's CPUs used by none of the watched */
	XCS_METRIC_ACCT_ERROR,  /* of all watched; these four: % of the execution time */
	XCS_METRIC_SERVER_ACCT_ERROR,
	XCS_METRIC_CLIENT_ACCT_ERROR,
	XCS_METRIC_FEEDER_ACCT_ERROR,
	XCS_METRIC_HOG_CPU,     /* mean of the busy loops, % each */
	XCS_METRIC_HOG_CPU_MIN, /* of the one that got least */
	XCS_METRIC_HOG_CPU_MAX,
	XCS_METRIC_HOG_FAIRNESS,
	XCS_METRIC_HOG_EXPECTED, /* what a fair scheduler gives each, % */
	XCS_METRIC_COMMAND_REAL, /* these seven: of commands timed to their end */
	XCS_METRIC_COMMAND_USER,
	XCS_METRIC_COMMAND_SYS,
	XCS_METRIC_COMMAND_CPU, /* % */
	XCS_METRIC_COMMAND_DRAINED,
	XCS_METRIC_COMMAND_DRAWN,
	XCS_METRIC_COMMAND_LINES, /* per s */
	XCS_METRIC_SLOWDOWN,      /* in a terminal against into a pipe; of two cells */
	XCS_METRIC_BUILD_FILES,
	XCS_METRIC_BUILD_CPU, /* of the build with its compilers, % */
	XCS_METRIC_BUILD_CPU_PER_FILE,
	XCS_METRIC_KEYS_SENT,
	XCS_METRIC_KEYS, /* echoed */
	XCS_METRIC_OBSERVER_CPU,
	XCS_METRIC_OBSERVER_CS,
	XCS_N_METRICS
};

struct xcs_metric {
	const char *id; /* "cs", "server.vcs": in JSON, CSV and on the command line */
	const char *title;
	const char *unit; /* "1/s", "%", "us", "Hz", "1" */
	enum xcs_better better;
	int digits; /* behind the point in tables */
	const char *definition;
};

const struct xcs_metric *xcs_metric(enum xcs_metric_id id); /* never NULL */
int xcs_metric_find(const char *id);                        /* enum value, or -1 */

#ifdef __cplusplus
}
#endif
#endif
