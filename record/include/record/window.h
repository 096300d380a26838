/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a trial's counters grew by between its first and its last full sample: pure
 * differences, no rate. The runner judges a trial by them (foreign CPU), the reports make
 * rates of them. Every sum comes with the time between the very rows that it was taken
 * from; whatever was not read at both ends is XCS_ABSENT.
 */
#ifndef XCS_WINDOW_H
#define XCS_WINDOW_H

#include <common/counters.h>
#include <record/run.h>
#include <record/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

enum xcs_window_class {
	XCS_CLASS_SERVER,
	XCS_CLASS_COMPOSITOR,
	XCS_CLASS_CLIENT, /* roles "client0", "client1", ... */
	XCS_CLASS_FEEDER, /* "feeder0", and "command0", which it runs */
	XCS_CLASS_HOG,    /* busy loops: "hog0", "hog1", ... */
	XCS_CLASS_BUILD,  /* "build", with the children that it has reaped */
	XCS_CLASS_OTHER,  /* any other watched role */
	XCS_N_CLASSES
};

enum xcs_window_counter {
	XCS_WINDOW_SWITCHES,
	XCS_WINDOW_VOLUNTARY,
	XCS_WINDOW_INVOLUNTARY,
	XCS_WINDOW_EXEC_NS,
	XCS_WINDOW_RUN_DELAY_NS,
	XCS_WINDOW_TIMESLICES,
	XCS_WINDOW_MIGRATIONS,
	XCS_N_WINDOW_COUNTERS
};

enum xcs_window_ticks { /* of the load's CPUs; guest time is inside us and ni */
	XCS_WINDOW_US,
	XCS_WINDOW_SY,
	XCS_WINDOW_NI,
	XCS_WINDOW_ID,
	XCS_WINDOW_WA,
	XCS_WINDOW_HI,
	XCS_WINDOW_SI,
	XCS_WINDOW_ST,
	XCS_N_WINDOW_TICKS
};

/*
 * One role (its process, all threads summed) or one class (its roles summed, dt_ns the
 * longest). A thread seen at both ends counts the difference; one that started within the
 * window counts from 0; one that ended keeps its last counts. One thread whose counter is
 * unknown makes the sum unknown. Execution time and switches of a role whose counter page
 * tells those of its children hold these as well.
 */
struct xcs_window_role {
	char role[32];
	enum xcs_window_class class_id;
	int n_threads;       /* 0: no rows of this role or class */
	int64_t dt_ns;       /* from the first to the last row of its threads */
	struct xcs_num nice; /* of its threads, where all agree all the time; unknown of a class */
	int64_t delta[XCS_N_WINDOW_COUNTERS];
	/* CPU time between the ends of the window as the tick samples it, and exactly; of the
	 * threads of which both are known at both ends. */
	int64_t tick_ns, tick_exec_ns;
	int64_t io_dt_ns, rchar_bytes;                  /* /proc/PID/io */
	int64_t counter_dt_ns, counter[XCS_N_COUNTERS]; /* its counter page */
};

struct xcs_window {
	int64_t dt_ns; /* of the system table, as the ones below */
	int64_t ctxt, intr, psi_cpu_some_us;
	int64_t ticks[XCS_N_WINDOW_TICKS];
	int64_t all_ticks; /* what they are shares of; XCS_ABSENT: their sum */
	int64_t ticks_per_s;
	int64_t set_run_ns;     /* time that the load's CPUs ran tasks: /proc/schedstat */
	int n_cpus;             /* of the load; 0: unknown */
	struct xcs_num running; /* mean of procs_running at the samples, reader included */
	int64_t observer_dt_ns, observer_cpu_ns, observer_switches, observer_missed,
	        observer_wakeups;
	struct xcs_window_role *roles; /* owned, in the order of the trial's tasks */
	size_t n_roles;
	struct xcs_window_role classes[XCS_N_CLASSES];
	/* Per cent of the load's CPUs used by none of the watched tasks:
	 *   100 * (1 - (id + wa) / all ticks - watched execution time / (n_cpus * dt)),
	 * kept within 0..100. So it holds other processes, kernel threads, interrupts and
	 * steal. Idle time is counted in ticks: exact while the set is saturated (no idle) or
	 * tickless when idle, else good to about a tick per CPU and window. Unknown where a
	 * "timer" is watched (hyperfine), until its timing was taken. */
	struct xcs_num foreign_pct;
	char **events; /* owned: "server: exec_ns fell from 5 to 3; ..." */
	size_t n_events, cap_events;
};

/* Computes the window; never fails, an empty trial gives absent values. */
void xcs_window_init(struct xcs_window *w, const struct xcs_trial_data *t);

/*
 * Commands ended before the last sample, so the last counts that were read of them are too
 * small. Gives each role commandN the time that wait4 told of the command of clientN, and
 * computes the sums again; foreign_pct is unknown when one of these times is. Its voluntary
 * and involuntary switches, read once a second, are unknown; all its switches together are
 * those of the last sample, a lower bound.
 */
void xcs_window_take_timings(struct xcs_window *w, const struct xcs_run_trial *trial);
void xcs_window_fini(struct xcs_window *w);

/* NULL when no task or page has that role. */
const struct xcs_window_role *xcs_window_role(const struct xcs_window *w, const char *role);

#ifdef __cplusplus
}
#endif
#endif
