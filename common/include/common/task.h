/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who a task is: its threads, name, parent and start time. (tid, start time) identifies a
 * task for good; a tid alone is reused. Counters are the business of collectors/.
 */
#ifndef XCS_TASK_H
#define XCS_TASK_H

#include <common/env.h>

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_task_id {
	pid_t tid;
	pid_t ppid;
	uint64_t start_ticks; /* field 22 of stat, in ticks since boot */
	int tty_major;        /* of the controlling terminal, 0: none; field 7, bits 8 to 19 */
	int nice;             /* field 19 */
	char comm[64];        /* raw bytes, NUL-terminated */
	char state;           /* 'R', 'S', 'Z', ... */
};

/*
 * Reads the text of a /proc/PID/stat or /proc/PID/task/TID/stat file (proc(5)). The name
 * may hold anything, so fields are counted from the last ')'. Returns 0 or -EINVAL.
 */
int xcs_task_id_parse(struct xcs_str text, struct xcs_task_id *out);

/* Reads thread `tid` of process `pid`. Returns 0 or -errno (-ENOENT, -ESRCH: it has ended). */
int xcs_task_id_read(const struct xcs_env *env, pid_t pid, pid_t tid, struct xcs_task_id *out);

/* Real and effective uid in the text of a status file (proc(5)), whose name line holds no
 * newline. Unlike the owner of the process's folder, which is root for any process that is
 * not dumpable. Returns false when they are not there. */
bool xcs_task_uids_parse(struct xcs_str status, uid_t *uid, uid_t *euid);

/* Lists the threads of a process, ascending; *tids is grown and owned by the caller (start
 * with NULL and 0). Returns how many, or -errno. */
int xcs_task_list(const struct xcs_env *env, pid_t pid, pid_t **tids, size_t *cap);

/* True while the process with that start time still runs (and is no zombie). */
bool xcs_task_is_alive(const struct xcs_env *env, pid_t pid, uint64_t start_ticks);

#ifdef __cplusplus
}
#endif
#endif
