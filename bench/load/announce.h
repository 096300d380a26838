/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where feeders announce themselves: they run on a terminal's pty, below a program that is
 * not ours, so their pid comes from the kernel (SO_PEERCRED), not from a search.
 */
#ifndef ANNOUNCE_H
#define ANNOUNCE_H

#include <common/env.h>
#include <common/paths.h>

struct announce {
	int fd; /* owned by whoever accepted it */
	pid_t pid;
	char role[32];
};

/* Listens at `path`, for that user only. Returns 0 or -errno; *fd is the caller's. */
int announce_listen(const char *path, const struct xcs_user *user, int *fd,
                    struct xcs_err *err) XCS_MUST_CHECK;

/* Accepts a feeder that said "hello ROLE". Returns 0, or -errno for a stranger. */
int announce_accept(int listen_fd, struct announce *out);

/* Signals the task of that pid and start time; nobody, if it has ended. */
void announce_signal(const struct xcs_env *env, pid_t pid, uint64_t start_ticks, int signo);

/* What a feeder of lines reports at its end. */
struct announce_totals {
	uint64_t lines_written, lines_confirmed;
};

/* Reads what the feeder has to say until it closes or the deadline passes. True when it
 * reported its totals. */
bool announce_wait_totals(int fd, int64_t deadline_mono_ns, struct announce_totals *out);

#endif
