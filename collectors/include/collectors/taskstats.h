/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The kernel's taskstats over generic netlink (kernel/taskstats.c): the counters of a whole
 * process, all threads summed, those that have ended included, in one exchange. Needs
 * CAP_NET_ADMIN. Worth it where a process has many threads.
 */
#ifndef XCS_TASKSTATS_H
#define XCS_TASKSTATS_H

#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_taskstats_socket {
	int fd; /* 0 or -1: closed */
	uint16_t family;
};

struct xcs_taskstats {
	int64_t voluntary_total, involuntary_total;
	int64_t exec_ns, run_delay_ns, timeslices;
	/* user + system time as the tick samples it. In /proc/PID/stat and getrusage the two are
	 * scaled so that their sum is exec_ns (kernel/sched/cputime.c, cputime_adjust); only
	 * taskstats tells the samples (kernel/delayacct.c, task_cputime_scaled). */
	int64_t tick_ns;
};

/* Returns 0 or -errno (-ENOENT: this kernel has no taskstats). */
int xcs_taskstats_open(struct xcs_taskstats_socket *s);
void xcs_taskstats_close(struct xcs_taskstats_socket *s);

/* Reads the process's sums. Returns 0 or -errno (-EPERM, -ESRCH). */
int xcs_taskstats_read(struct xcs_taskstats_socket *s, pid_t pid, struct xcs_taskstats *out);

/* As above, of one thread. */
int xcs_taskstats_read_thread(struct xcs_taskstats_socket *s, pid_t tid, struct xcs_taskstats *out);

#ifdef __cplusplus
}
#endif
#endif
