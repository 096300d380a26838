/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The text of /proc/PID/task/TID/stat (fs/proc/array.c, proc(5)) with the fields of the
 * scheduler; common/task.h reads identity from the same file.
 */
#ifndef XCS_TASK_STAT_H
#define XCS_TASK_STAT_H

#include <common/str.h>
#include <record/table.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_task_stat {
	char comm[64]; /* raw bytes */
	char state;    /* R, S, Z, ... */
	int64_t tid, ppid;
	int64_t user_ticks, system_ticks; /* tick-sampled, guest time inside user */
	int64_t prio, nice, n_threads;
	int64_t start_ticks;              /* since boot */
	int64_t cpu, rt_priority, policy; /* XCS_ABSENT before 2.5.19 */
};

/* Returns 0, or -EINVAL when a field up to start_ticks is missing. */
int xcs_task_stat_parse(struct xcs_str text, struct xcs_task_stat *out);

#ifdef __cplusplus
}
#endif
#endif
