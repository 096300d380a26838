/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The text of /proc/PID/task/TID/schedstat (fs/proc/base.c, proc_pid_schedstat): three
 * numbers of one thread, from 2.6.9 on where the kernel has CONFIG_SCHED_INFO.
 */
#ifndef XCS_SCHEDSTAT_H
#define XCS_SCHEDSTAT_H

#include <common/cpuset.h>
#include <common/str.h>
#include <record/table.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_schedstat {
	int64_t exec_ns;      /* on a CPU */
	int64_t run_delay_ns; /* runnable, waiting for one; before 2.6.23 in jiffies */
	int64_t timeslices;   /* times it was put on a CPU */
};

/* Returns 0, or -EINVAL when it is not three numbers and a newline. "0 0 0" is an answer. */
int xcs_schedstat_parse(struct xcs_str text, struct xcs_schedstat *out);

/*
 * The text of /proc/schedstat (kernel/sched/stats.c, show_schedstat; CONFIG_SCHEDSTATS), of
 * version 15 (2.6.30) or later: adds up the seventh number of the cpuN lines of the set (all,
 * if it is empty), rq_cpu_time, the ns for which the CPU has run tasks since boot. Returns 0
 * or -EINVAL: another format, a CPU of the set is missing, or the text was cut off.
 */
int xcs_schedstat_parse_cpus(struct xcs_str text, const struct xcs_cpuset *set, int64_t *run_ns);

#ifdef __cplusplus
}
#endif
#endif
