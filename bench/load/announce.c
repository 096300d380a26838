/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "announce.h"

#include <common/task.h>
#include <common/units.h>

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

enum {
	HELLO_MS = 1000
};

static int listen_at(const char *path, int *fd, struct xcs_err *err)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};

	if (strlen(path) >= sizeof(at.sun_path))
		return xcs_err_set(err, -ENAMETOOLONG,
		                   "%s is too long for a socket; set TMPDIR to a shorter path",
		                   path);
	memcpy(at.sun_path, path, strlen(path) + 1);
	unlink(path);
	*fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (*fd < 0 || bind(*fd, (const struct sockaddr *)&at, sizeof(at)) || chmod(path, 0600) ||
	    listen(*fd, 128))
		return xcs_err_sys(err, -errno, "cannot listen for feeders at %s", path);
	return 0;
}

int announce_listen(const char *path, const struct xcs_user *user, int *fd, struct xcs_err *err)
{
	*fd = -1;
	int rc = xcs_user_enter(user, err);

	if (rc)
		return rc;
	rc = listen_at(path, fd, err);
	xcs_user_leave(user);
	return rc;
}

static int read_hello(int fd, struct announce *out)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	struct ucred peer;
	socklen_t len = sizeof(peer);
	char text[64];

	if (poll(&p, 1, HELLO_MS) != 1)
		return -ETIMEDOUT;
	ssize_t n = recv(fd, text, sizeof(text) - 1, 0);
	if (n <= 0 || getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len))
		return -EIO;
	text[n] = '\0';
	if (sscanf(text, "hello %31s", out->role) != 1)
		return -EPROTO;
	out->pid = peer.pid;
	return 0;
}

int announce_accept(int listen_fd, struct announce *out)
{
	*out = (struct announce){.fd = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC)};
	if (out->fd < 0)
		return -errno;
	int rc = read_hello(out->fd, out);
	if (rc)
		close(out->fd);
	return rc;
}

void announce_signal(const struct xcs_env *env, pid_t pid, uint64_t start_ticks, int signo)
{
	int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);

	if (pidfd < 0)
		return;
	/* The pidfd holds the task, so the check cannot be overtaken by a reuse of the pid. */
	if (xcs_task_is_alive(env, pid, start_ticks))
		syscall(SYS_pidfd_send_signal, pidfd, signo, NULL, 0);
	close(pidfd);
}

static bool read_totals(const char *text, struct announce_totals *out)
{
	unsigned long long lines, bytes, confirmed;

	if (sscanf(text, "total lines %llu bytes %llu confirmed %llu", &lines, &bytes,
	           &confirmed) != 3)
		return false;
	*out = (struct announce_totals){lines, confirmed};
	return true;
}

bool announce_wait_totals(int fd, int64_t deadline_mono_ns, struct announce_totals *out)
{
	bool known = false;
	char text[256];

	for (;;) {
		int64_t left_ns = deadline_mono_ns - xcs_mono_now_ns();
		struct pollfd p = {.fd = fd, .events = POLLIN};
		if (left_ns <= 0 || poll(&p, 1, (int)(left_ns / XCS_NS_PER_MS) + 1) < 1)
			return known;
		ssize_t n = recv(fd, text, sizeof(text) - 1, MSG_DONTWAIT);
		if (n < 0 && errno == EAGAIN)
			continue;
		if (n <= 0)
			return known;
		text[n] = '\0';
		known = known || read_totals(text, out);
	}
}
