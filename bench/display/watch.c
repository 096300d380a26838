/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <display/watch.h>

#include <common/env.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>

enum {
	SERVER_GRACE_MS = 300
};

static int on_fd(int fd, void *data)
{
	const struct watch_slot *slot = data;

	(void)fd;
	return (int)slot->event;
}

static int on_signal(int signo, void *data)
{
	struct watch *w = data;

	w->signo = signo;
	return WATCH_INTERRUPTED;
}

/* Under nohup a hang-up is to be ignored. */
static bool is_ignored(int signo)
{
	struct sigaction action;

	return sigaction(signo, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int watch_init(struct watch *w, struct xcs_err *err)
{
	const int signals[] = {SIGINT, SIGTERM, is_ignored(SIGHUP) ? 0 : SIGHUP, 0};

	*w = (struct watch){.loop = xcs_loop_new(), .server_fd = -1};
	for (int i = 0; i < WATCH_N_EVENTS; i++)
		w->slots[i] = (struct watch_slot){w, (enum watch_event)i};
	return xcs_loop_signals(w->loop, signals, on_signal, w, err);
}

void watch_fini(struct watch *w)
{
	xcs_loop_free(w->loop);
	w->loop = NULL;
}

void watch_add(struct watch *w, int fd, enum watch_event event)
{
	if (event == WATCH_SERVER_ENDED)
		w->server_fd = fd;
	xcs_loop_watch(w->loop, fd, on_fd, &w->slots[event]);
}

void watch_forget(struct watch *w, int fd)
{
	xcs_loop_unwatch(w->loop, fd);
}

/* A dying server closes its sockets, of which its clients die, before it is seen to end. */
static bool server_ends_too(const struct watch *w)
{
	struct pollfd p = {.fd = w->server_fd, .events = POLLIN};

	return w->server_fd >= 0 && poll(&p, 1, SERVER_GRACE_MS) == 1;
}

enum watch_event watch_wait(struct watch *w, int fd, int64_t timeout_ns)
{
	if (w->signo)
		return WATCH_INTERRUPTED;
	if (fd >= 0)
		watch_add(w, fd, WATCH_READY);
	int rc = xcs_loop_run(w->loop, xcs_mono_now_ns() + timeout_ns);
	if (fd >= 0)
		watch_forget(w, fd);
	if (rc == WATCH_CLIENT_ENDED && server_ends_too(w))
		return WATCH_SERVER_ENDED;
	return rc > 0 ? (enum watch_event)rc : WATCH_DEADLINE;
}

int watch_error(enum watch_event event, const char *what, struct xcs_err *err)
{
	switch (event) {
	case WATCH_DEADLINE:
		return xcs_err_set(err, -ETIMEDOUT, "%s took too long", what);
	case WATCH_CLIENT_ENDED:
		return xcs_err_set(err, -ECHILD, "a client ended before %s", what);
	case WATCH_SERVER_ENDED:
		return xcs_err_set(err, -EINTR, "the X server died before %s", what);
	case WATCH_GUARD_ENDED:
		return xcs_err_set(err, -EINTR, "the guard died before %s", what);
	default:
		return xcs_err_set(err, -EINTR, "interrupted");
	}
}
