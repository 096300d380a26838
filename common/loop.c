/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <common/env.h>
#include <common/loop.h>
#include <common/units.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

struct watch {
	int fd;
	xcs_loop_fd_fn fn;
	void *data;
};

struct xcs_loop {
	struct watch *watches;
	struct pollfd *poll;
	size_t n, cap;
	int signal_fd;
	sigset_t signals;
	xcs_loop_signal_fn on_signal;
	void *signal_data;
};

struct xcs_loop *xcs_loop_new(void)
{
	struct xcs_loop *loop = xcs_xcalloc(1, sizeof(*loop));

	loop->signal_fd = -1;
	return loop;
}

void xcs_loop_free(struct xcs_loop *loop)
{
	if (!loop)
		return;
	if (loop->signal_fd >= 0) {
		close(loop->signal_fd);
		sigprocmask(SIG_UNBLOCK, &loop->signals, NULL);
	}
	free(loop->watches);
	free(loop->poll);
	free(loop);
}

void xcs_loop_watch(struct xcs_loop *loop, int fd, xcs_loop_fd_fn fn, void *data)
{
	loop->watches = xcs_xgrow(loop->watches, loop->n, &loop->cap, sizeof(*loop->watches));
	loop->poll = xcs_xrealloc(loop->poll, loop->cap * sizeof(*loop->poll));
	loop->watches[loop->n++] = (struct watch){fd, fn, data};
}

void xcs_loop_unwatch(struct xcs_loop *loop, int fd)
{
	for (size_t i = 0; i < loop->n; i++) {
		if (loop->watches[i].fd != fd)
			continue;
		loop->watches[i] = loop->watches[--loop->n];
		return;
	}
}

static int read_signal(int fd, void *data)
{
	struct xcs_loop *loop = data;
	struct signalfd_siginfo info;

	if (read(fd, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return 0;
	return loop->on_signal((int)info.ssi_signo, loop->signal_data);
}

int xcs_loop_signals(struct xcs_loop *loop, const int *signals, xcs_loop_signal_fn fn, void *data,
                     struct xcs_err *err)
{
	sigemptyset(&loop->signals);
	for (; *signals; signals++)
		sigaddset(&loop->signals, *signals);
	loop->signal_fd = signalfd(-1, &loop->signals, SFD_CLOEXEC | SFD_NONBLOCK);
	if (loop->signal_fd < 0)
		return xcs_err_sys(err, -errno, "cannot watch signals");
	sigprocmask(SIG_BLOCK, &loop->signals, NULL);
	loop->on_signal = fn;
	loop->signal_data = data;
	xcs_loop_watch(loop, loop->signal_fd, read_signal, loop);
	return 0;
}

static const struct watch *find(const struct xcs_loop *loop, int fd)
{
	for (size_t i = 0; i < loop->n; i++)
		if (loop->watches[i].fd == fd)
			return &loop->watches[i];
	return NULL;
}

/* Callbacks may watch and unwatch, so each ready descriptor is looked up again. */
static int dispatch(struct xcs_loop *loop, size_t n_polled)
{
	for (size_t i = 0; i < n_polled && i < loop->n; i++) {
		if (!loop->poll[i].revents)
			continue;
		const struct watch *w = find(loop, loop->poll[i].fd);
		int rc = w ? w->fn(w->fd, w->data) : 0;
		if (rc)
			return rc;
	}
	return 0;
}

int xcs_loop_run(struct xcs_loop *loop, int64_t deadline_mono_ns)
{
	for (;;) {
		int64_t left_ns = deadline_mono_ns - xcs_mono_now_ns();
		struct timespec wait = {0};
		if (left_ns > 0)
			wait = (struct timespec){.tv_sec = left_ns / XCS_NS_PER_S,
			                         .tv_nsec = left_ns % XCS_NS_PER_S};
		size_t n = loop->n;
		for (size_t i = 0; i < n; i++)
			loop->poll[i] =
			        (struct pollfd){.fd = loop->watches[i].fd, .events = POLLIN};
		int ready = ppoll(loop->poll, n, &wait, NULL);
		if (ready < 0 && errno != EINTR)
			return -errno;
		int rc = ready > 0 ? dispatch(loop, n) : 0;
		if (rc)
			return rc;
		if (left_ns <= 0)
			return 0;
	}
}
