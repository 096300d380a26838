/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What runs on this machine, through libproc2: the list of processes, and /proc/stat once
 * more as an oracle for our own parser. Not for the hot path: 5 to 8 times a raw read.
 * Always the live /proc; a saved tree is read by snapshot.h.
 */
#ifndef XCS_DISCOVER_H
#define XCS_DISCOVER_H

#include <collectors/stat.h>
#include <common/err.h>

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_process {
	pid_t pid;
	int64_t start_ticks; /* since boot; with pid, the identity */
	int64_t cpu_ticks;   /* user + system, all threads, tick-sampled */
	char comm[64];
};

struct xcs_process_list {
	struct xcs_process *v; /* ascending by pid */
	size_t n, cap;
};

/* Lists all processes, into *out, which xcs_process_list_fini frees. Returns 0 or -errno. */
int xcs_discover_processes(struct xcs_process_list *out, struct xcs_err *err) XCS_MUST_CHECK;
void xcs_process_list_fini(struct xcs_process_list *list); /* a zeroed list is fine */

/* Finds a process by identity, NULL when it is not in the list. */
const struct xcs_process *xcs_process_find(const struct xcs_process_list *list, pid_t pid,
                                           int64_t start_ticks);

/*
 * /proc/stat as libproc2 reads it: total ticks, ctxt, intr, btime, forks, procs_*. The
 * columns that it cannot tell from 0 are as it gives them. Returns 0 or -errno.
 */
int xcs_discover_stat(struct xcs_stat *out, struct xcs_err *err) XCS_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
