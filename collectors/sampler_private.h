/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Inside the sampler: sampler.c owns processes and the system, sampler_task.c the files of
 * one thread.
 */
#ifndef XCS_SAMPLER_PRIVATE_H
#define XCS_SAMPLER_PRIVATE_H

#include <collectors/sampler.h>
#include <collectors/sched.h>

/* Bits of XCS_TASK_SOURCE. */
enum {
	XCS_SOURCE_SCHED = 1,
	XCS_SOURCE_STATUS = 2,
	XCS_SOURCE_SCHEDSTAT = 4,
	XCS_SOURCE_STAT = 8,
	XCS_SOURCE_TASKSTATS = 16
};

/* Descriptors of one thread; -1 where this kernel or this thread has none. */
struct xcs_task_files {
	int sched_fd, status_fd, schedstat_fd, stat_fd;
	struct xcs_sched_layout layout;
};

/* A read buffer that grows only when a file has outgrown it. */
struct xcs_read_buf {
	char *p;
	size_t cap;
};

/* Whole content of a kept descriptor, in b. Returns an empty text and sets *rc on error. */
struct xcs_str xcs_read_kept(int fd, struct xcs_read_buf *b, int *rc);

/* Opens what `reads` need of thread tid, probing the fallbacks of this kernel. Returns the
 * number of descriptors, or -errno when the thread is gone or descriptors are out. */
int xcs_task_files_open(const struct xcs_env *env, pid_t pid, pid_t tid, unsigned reads,
                        struct xcs_read_buf *b, struct xcs_task_files *f);
void xcs_task_files_close(struct xcs_task_files *f);

/*
 * Reads the thread's counters into `now`. *n_threads is set if a file told the number of
 * threads of the process. Returns 0, or -ESRCH when the thread is gone (`now` untouched).
 */
int xcs_task_files_read(const struct xcs_env *env, struct xcs_task_files *f, unsigned reads,
                        struct xcs_read_buf *b, int64_t *now, int64_t *n_threads);

#endif
