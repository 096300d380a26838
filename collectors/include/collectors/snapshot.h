/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One whole look at a process tree, live or saved: the system's counters and, of the named
 * processes, those of every thread. For the hot path there is the sampler.
 */
#ifndef XCS_SNAPSHOT_H
#define XCS_SNAPSHOT_H

#include <collectors/stat.h>
#include <common/env.h>

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

enum xcs_count {
	XCS_COUNT_SWITCHES,
	XCS_COUNT_VOLUNTARY,
	XCS_COUNT_INVOLUNTARY,
	XCS_COUNT_EXEC_NS,
	XCS_COUNT_RUN_DELAY_NS,
	XCS_COUNT_TIMESLICES,
	XCS_COUNT_MIGRATIONS,
	XCS_N_COUNTS
};

struct xcs_snapshot_thread {
	pid_t tid;
	char comm[64];
	int64_t start_ticks;         /* XCS_ABSENT when the tree has no stat of it */
	int64_t count[XCS_N_COUNTS]; /* since the thread's start */
	int64_t nice, policy, prio, wait_sum_ns, wakeups;
	int n_sched_keys;
	bool from_sched, from_status, from_schedstat;
};

struct xcs_snapshot_process {
	pid_t pid;
	char comm[64];
	int64_t n_threads; /* as the kernel says, else as listed */
	int64_t total[XCS_N_COUNTS];
	struct xcs_snapshot_thread *threads; /* owned; ascending by tid */
	size_t n, cap;
};

struct xcs_snapshot {
	struct xcs_stat stat; /* all absent when the tree has none */
	struct xcs_cpu_ticks *cpus;
	int *cpu_ids;
	size_t n_cpus, cap_cpus, cap_ids;
	char boot_id[40]; /* "" when unknown */
	struct xcs_snapshot_process *processes;
	size_t n_processes, cap_processes;
	char **events; /* owned sentences */
	size_t n_events, cap_events;
};

const char *xcs_count_name(enum xcs_count c); /* "nr_switches", "exec_ns", ... */

/* Reads the tree of env. Returns 0, or -ENOENT when a process is not in the tree: its entry
 * then has no threads. In both cases xcs_snapshot_fini frees *out. */
int xcs_snapshot_read(const struct xcs_env *env, const int *pids, size_t n_pids,
                      struct xcs_snapshot *out, struct xcs_err *err) XCS_MUST_CHECK;
void xcs_snapshot_fini(struct xcs_snapshot *s);

void xcs_snapshot_event(struct xcs_snapshot *s, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif
#endif
