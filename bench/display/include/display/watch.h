/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Waiting without going deaf: every wait of the runner ends early when the user interrupts,
 * the guard or the X server dies, or a client of the load ends.
 */
#ifndef WATCH_H
#define WATCH_H

#include <common/err.h>
#include <common/loop.h>

enum watch_event {
	WATCH_DEADLINE, /* the time is over, nothing happened */
	WATCH_READY,    /* the descriptor waited for is readable */
	WATCH_CLIENT_ENDED,
	WATCH_SERVER_ENDED,
	WATCH_GUARD_ENDED,
	WATCH_INTERRUPTED,
	WATCH_N_EVENTS
};

struct watch {
	struct xcs_loop *loop; /* owned */
	int signo;             /* that interrupted, or 0 */
	int server_fd;         /* that ends waits with WATCH_SERVER_ENDED; -1: none */
	struct watch_slot {
		struct watch *watch;
		enum watch_event event;
	} slots[WATCH_N_EVENTS];
};

/* Starts to watch for SIGINT, SIGTERM and SIGHUP. Returns 0 or -errno. `w` must not move. */
int watch_init(struct watch *w, struct xcs_err *err) XCS_MUST_CHECK;
void watch_fini(struct watch *w);

/* From now on (until forgotten) a readable or hung-up fd ends every wait with `event`. */
void watch_add(struct watch *w, int fd, enum watch_event event);
void watch_forget(struct watch *w, int fd);

/* What an event that is not WATCH_READY means to who waited for `what`: -ETIMEDOUT, -ECHILD
 * (a client ended) or -EINTR, with a sentence that the run replaces where it knows more. */
int watch_error(enum watch_event event, const char *what, struct xcs_err *err);

/* Waits for fd (-1: for nothing but the above) at most that long. */
enum watch_event watch_wait(struct watch *w, int fd, int64_t timeout_ns);

#endif
