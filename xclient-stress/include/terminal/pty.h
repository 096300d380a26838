/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A command on a pseudo-terminal of its own, started as terminals do: a new session (and
 * so an autogroup of its own) with the slave side as its controlling terminal.
 */
#ifndef XCS_PTY_H
#define XCS_PTY_H

#include <common/err.h>

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pty {
	int master_fd; /* non-blocking; 0 or -1: none */
	int pidfd;     /* readable when the command has ended; 0 or -1: none */
	pid_t pid;
};

struct pty_size {
	int n_rows, n_columns, width_px, height_px;
};

/*
 * Starts argv (NULL-terminated, argv[0] looked up in PATH) with TERM=dumb and env_add
 * ("NAME=value" rows, NULL-terminated, or NULL) in its environment, no signal blocked.
 * A command that cannot be executed is an error here. Returns 0 or -errno.
 */
int pty_start(struct pty *pty, const char *const *argv, const char *const *env_add,
              struct pty_size size, struct xcs_err *err) XCS_MUST_CHECK;

int pty_resize(const struct pty *pty, struct pty_size size); /* 0 or -errno */

/*
 * Hangs up (the session gets SIGHUP), waits for the command up to grace_ns, kills it if it
 * is still there. Returns the status of waitpid. A zeroed or closed pty gives 0.
 */
int pty_close(struct pty *pty, long long grace_ns);

#ifdef __cplusplus
}
#endif
#endif
