/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Child processes held by pidfd: a signal can never reach a stranger who got the pid.
 */
#ifndef XCS_CHILD_H
#define XCS_CHILD_H

#include <common/cpuset.h>
#include <common/err.h>

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_user; /* common/paths.h */

struct xcs_spawn {
	const char *const *argv;     /* NULL-terminated; argv[0] is looked up in PATH */
	const char *const *launcher; /* words before argv, as "systemd-run --scope"; or NULL */
	const char *const *env_add;  /* NULL-terminated "NAME=value" rows, or NULL; "NAME" unsets */
	int stdin_fd, stdout_fd, stderr_fd; /* 0 means /dev/null */
	const int *keep_fds; /* further descriptors the child keeps, at their numbers */
	size_t n_keep_fds;   /* all others are closed in the child */
	const int *join_fds; /* cgroup.procs of the cgroups it moves to first: cgroups(7) */
	size_t n_join_fds;
	bool new_session;     /* setsid(): a session, and so an autogroup, of its own */
	bool die_with_parent; /* SIGKILL when we die; cleared by the kernel for setgid programs */
	const struct xcs_user *user;   /* run as that user, or NULL */
	const struct xcs_cpuset *cpus; /* or NULL: inherit */
	const int *nice;               /* absolute nice value, or NULL: inherit */
	const char *cwd;               /* or NULL: inherit */
};

struct xcs_child {
	pid_t pid; /* 0: none */
	int pidfd; /* readable when it has ended; 0 or -1: none */
	bool ended;
	int status; /* of waitpid, once ended */
};

/*
 * Starts a program. When it cannot be executed, says so here and not by an exit status.
 * Returns 0 or -errno; on success xcs_child_stop or xcs_child_wait must end it.
 */
int xcs_child_start(struct xcs_child *child, const struct xcs_spawn *spec,
                    struct xcs_err *err) XCS_MUST_CHECK;

/* Waits up to that long (negative: for ever). True once it has ended and was reaped. */
bool xcs_child_wait(struct xcs_child *child, int64_t timeout_ns);

/* Sends a signal if it still runs. */
void xcs_child_signal(struct xcs_child *child, int signo);

/* SIGTERM, wait up to grace_ns, SIGKILL, reap, close. A zeroed or ended child is fine. */
void xcs_child_stop(struct xcs_child *child, int64_t grace_ns);

/* As above for one started with new_session, and all that is left in its process group. */
void xcs_child_stop_group(struct xcs_child *child, int64_t grace_ns);

/* Writes "exited with status 3" or "was killed by signal 9 (Killed)". */
void xcs_child_describe(const struct xcs_child *child, struct xcs_buf *into);

/* Starts, waits up to timeout_ns, returns its standard output in `into` (cleared first).
 * Not zero: -errno of the start, -ETIMEDOUT, or -ECHILD when the exit status was not 0
 * (the sentence then holds the last line of its standard error). */
int xcs_child_capture(const struct xcs_spawn *spec, int64_t timeout_ns, struct xcs_buf *into,
                      struct xcs_err *err) XCS_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
