/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the modes of xcs-feed share: the runner on its socket, and signals.
 */
#ifndef XCS_FEED_H
#define XCS_FEED_H

#include <common/err.h>

#include <stdbool.h>
#include <stdint.h>

/*
 * From here on SIGTERM, SIGINT and SIGHUP set the flag that feed_must_stop tells, and
 * interrupt system calls until it was seen. Returns 0 or -errno.
 */
int feed_catch_signals(struct xcs_err *err) XCS_MUST_CHECK;

/* The work is done: whatever still arrives must not change the exit status. */
void feed_ignore_signals(void);

/* Says "hello ROLE" to the runner at that path. Returns 0 or -errno; the caller closes *fd. */
int feed_announce(const char *path, const char *role, int *fd, struct xcs_err *err) XCS_MUST_CHECK;

/* Returns 0 to go, 1 when stopped before, or -errno. */
int feed_wait_for_go(int fd, struct xcs_err *err) XCS_MUST_CHECK;

/* From here a word of the runner, or its death, interrupts what blocks (SIGIO). fd -1 is fine. */
int feed_listen_for_end(int fd, struct xcs_err *err) XCS_MUST_CHECK;

bool feed_must_stop(int fd); /* told to stop, or the runner has gone */
bool feed_was_stopped(void); /* as the last look found */

struct xcs_buf;

struct feed_command_options {
	const char *announce;    /* socket of the runner; NULL: none, go at once */
	const char *feeder_role; /* to announce this process, */
	const char *role;        /* and the command's */
	const char *command;     /* for a shell; one of plain words is run without */
	const char *cwd;         /* or NULL */
	int64_t confirm_ns;
	int socket_fd; /* out: this process's call to the runner, the caller closes it; -1 */
};

/*
 * Runs a command on this terminal, once, as its foreground job, and adds what it took to
 * `report`, as one line:
 *
 *   command real_ns N user_ns N sys_ns N drained_ns N drawn_ns N exit N
 *
 * Times count from just before exec. real: to its end. user, sys: wait4(2), with children
 * that it waited for itself. drained: tcdrain(3) returned behind its end; a pty of Linux
 * counts what it has taken as sent, while the terminal may not have read the last 18 kB
 * (measured, 6.18). drawn: the terminal answered a device status request behind the last
 * byte, so it has read and handled all. Both are n/a without a terminal, and drawn when no
 * answer came in time. exit is 128 + signal for a command that was killed, and as in shells
 * 127 and 126 for one that could not be found or executed.
 *
 * Its process is there, and has announced itself, before the go. Being told to stop kills
 * it and its group. Returns 0 (whatever its status), 1 when stopped before the go, or -errno.
 */
int feed_command(struct feed_command_options *o, struct xcs_buf *report,
                 struct xcs_err *err) XCS_MUST_CHECK;

struct xcs_counters_page;

/*
 * Writes back what is typed on this terminal until told to stop, and counts the bytes as
 * keys on the page (or NULL). Returns 0 or -errno.
 */
int feed_echo(int socket_fd, struct xcs_counters_page *page, struct xcs_err *err) XCS_MUST_CHECK;

/* Holds until told to end, so that the terminal stays as it is; -1: returns at once. */
void feed_hold(int fd);

#endif
