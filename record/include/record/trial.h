/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The samples of one trial: raw counters with their own time stamps, as the sampler read
 * them, and the file that holds them (trials/NNN.xcs). No rate is stored.
 *
 * File: the line "xcsbench.trial/1\n", the header's length in bytes as 10 decimal digits
 * and "\n", the header as JSON (period, tick rate, tasks, and for each table its name,
 * columns and number of rows), then the cells of the tables in that order as little-endian
 * int64, then the line "end\n". A file without its end is refused.
 */
#ifndef XCS_TRIAL_H
#define XCS_TRIAL_H

#include <common/err.h>
#include <record/table.h>

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A task that was watched; rows name it by its index here. */
struct xcs_trial_task {
	pid_t pid, tid;
	uint64_t start_ticks; /* field 22 of stat: with tid, its identity */
	char role[32];        /* "server", "compositor", "client0", "feeder0", ... */
	char comm[64];
};

/* Columns of the tables that this version writes. Each row starts with mono_ns. */
enum xcs_system_column {
	XCS_SYSTEM_MONO_NS,
	XCS_SYSTEM_CTXT_TOTAL,
	XCS_SYSTEM_INTR_TOTAL,
	XCS_SYSTEM_PROCS_RUNNING, /* a gauge: tasks runnable at that moment, the reader among them
	                           */
	XCS_SYSTEM_PROCS_BLOCKED, /* a gauge */
	XCS_SYSTEM_USER_TICKS,    /* these ten: all CPUs together */
	XCS_SYSTEM_NICE_TICKS,
	XCS_SYSTEM_SYSTEM_TICKS,
	XCS_SYSTEM_IDLE_TICKS,
	XCS_SYSTEM_IOWAIT_TICKS,
	XCS_SYSTEM_IRQ_TICKS,
	XCS_SYSTEM_SOFTIRQ_TICKS,
	XCS_SYSTEM_STEAL_TICKS,
	XCS_SYSTEM_GUEST_TICKS,
	XCS_SYSTEM_GUEST_NICE_TICKS,
	XCS_SYSTEM_SET_USER_TICKS, /* these ten: the CPUs of the load only */
	XCS_SYSTEM_SET_NICE_TICKS,
	XCS_SYSTEM_SET_SYSTEM_TICKS,
	XCS_SYSTEM_SET_IDLE_TICKS,
	XCS_SYSTEM_SET_IOWAIT_TICKS,
	XCS_SYSTEM_SET_IRQ_TICKS,
	XCS_SYSTEM_SET_SOFTIRQ_TICKS,
	XCS_SYSTEM_SET_STEAL_TICKS,
	XCS_SYSTEM_SET_GUEST_TICKS,
	XCS_SYSTEM_SET_GUEST_NICE_TICKS,
	XCS_SYSTEM_PSI_CPU_SOME_US, /* /proc/pressure/cpu, total of "some" */
	XCS_SYSTEM_SET_ALL_TICKS,   /* of imported shares: what they are shares of; else absent */
	XCS_SYSTEM_SET_RUN_NS,      /* time that the CPUs of the load ran tasks: rq_cpu_time of
	                               /proc/schedstat, first and last row only */
	XCS_N_SYSTEM_COLUMNS
};

enum xcs_task_column {
	XCS_TASK_MONO_NS,
	XCS_TASK_INDEX, /* into the list of tasks */
	XCS_TASK_SWITCHES_TOTAL,
	XCS_TASK_VOLUNTARY_TOTAL,
	XCS_TASK_INVOLUNTARY_TOTAL,
	XCS_TASK_EXEC_NS,
	XCS_TASK_RUN_DELAY_NS,
	XCS_TASK_TIMESLICES_TOTAL,
	XCS_TASK_MIGRATIONS_TOTAL,
	XCS_TASK_NICE,    /* a gauge */
	XCS_TASK_POLICY,  /* a gauge: SCHED_* */
	XCS_TASK_SOURCE,  /* bits: 1 sched, 2 status, 4 schedstat, 8 stat, 16 taskstats */
	XCS_TASK_TICK_NS, /* user + system time as the tick samples it, first and last row only */
	XCS_N_TASK_COLUMNS
};

/* One row per watched process and full sample: /proc/PID/io. */
enum xcs_io_column {
	XCS_IO_MONO_NS,
	XCS_IO_TASK_INDEX, /* of the process's main thread */
	XCS_IO_RCHAR_BYTES,
	XCS_IO_WCHAR_BYTES,
	XCS_N_IO_COLUMNS
};

/* One row per counter page and full sample; then one column per enum xcs_counter, named
 * xcs_counter_name(). */
enum xcs_counter_column {
	XCS_COUNTER_MONO_NS,
	XCS_COUNTER_PAGE, /* index into page_roles */
	XCS_COUNTER_FIRST,
};

/* The sampler about itself: one row per sample. */
enum xcs_observer_column {
	XCS_OBSERVER_MONO_NS,
	XCS_OBSERVER_CPU_NS, /* own user + system time since start (getrusage) */
	XCS_OBSERVER_SWITCHES_TOTAL,
	XCS_OBSERVER_LATE_NS,       /* behind the planned time of this sample */
	XCS_OBSERVER_MISSED_TOTAL,  /* planned samples that were skipped */
	XCS_OBSERVER_FULL,          /* 1 for a full sample, 0 for a fast one */
	XCS_OBSERVER_WAKEUPS_TOTAL, /* times its timer woke it: an interrupt each */
	XCS_N_OBSERVER_COLUMNS
};

enum xcs_trial_table {
	XCS_TRIAL_SYSTEM,
	XCS_TRIAL_TASK,
	XCS_TRIAL_IO,
	XCS_TRIAL_COUNTER,
	XCS_TRIAL_OBSERVER,
	XCS_N_TRIAL_TABLES
};

const struct xcs_table_spec *xcs_trial_table_spec(enum xcs_trial_table id);

struct xcs_trial_data {
	int64_t period_ns;
	int64_t ticks_per_s;
	char *cpus;           /* CPUs of the load, "1" or "0-3"; owned, as all below */
	char *observer_class; /* scheduling class the sampler got: "SCHED_FIFO 1", "nice -20", ...
	                       */
	struct xcs_trial_task *tasks;
	size_t n_tasks, cap_tasks;
	char **page_roles; /* role of each counter page: "feeder0", "client0" */
	size_t n_page_roles, cap_page_roles;
	char **events; /* sentences: "client0: thread 2111 ended", ... */
	size_t n_events, cap_events;
	struct xcs_table tables[XCS_N_TRIAL_TABLES];
};

/* Makes an empty trial; rows_hint[i] rows of table i are allocated up front. */
void xcs_trial_init(struct xcs_trial_data *t, const size_t rows_hint[XCS_N_TRIAL_TABLES]);
void xcs_trial_fini(struct xcs_trial_data *t);

size_t xcs_trial_add_task(struct xcs_trial_data *t, const struct xcs_trial_task *task);
size_t xcs_trial_add_page(struct xcs_trial_data *t, const char *role);
void xcs_trial_add_event(struct xcs_trial_data *t, const char *sentence);

/* Writes the file whole (temp, fsync, rename). Returns 0 or -errno. */
int xcs_trial_save(const struct xcs_trial_data *t, const char *path,
                   struct xcs_err *err) XCS_MUST_CHECK;

/*
 * Reads a file of this or an older version; columns it lacks are absent. Refuses (-EINVAL,
 * one sentence) a foreign, truncated or inconsistent file. On success the caller owns *t.
 */
int xcs_trial_load(struct xcs_trial_data *t, const char *path, struct xcs_err *err) XCS_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
