/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "feed.h"

#include <common/alloc.h>
#include <common/buf.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define REPEAT_NS (20 * XCS_NS_PER_MS)

/*
 * A signal that arrives between our look at this flag and a write that blocks must not be
 * lost. So the first signal starts a timer, whose signals go on to interrupt writes until
 * the flag was seen. The flag and the timer are all that the handlers know.
 */
static volatile sig_atomic_t was_stopped;
static volatile sig_atomic_t was_poked; /* something is up on the runner's socket */
static timer_t repeat_timer;

static void start_repeating(void)
{
	static const struct itimerspec every = {.it_interval = {.tv_nsec = REPEAT_NS},
	                                        .it_value = {.tv_nsec = REPEAT_NS}};

	timer_settime(repeat_timer, 0, &every, NULL);
}

static void on_stop(int signo)
{
	int saved = errno;

	(void)signo;
	was_stopped = 1;
	start_repeating();
	errno = saved;
}

static void on_poke(int signo)
{
	int saved = errno;

	(void)signo;
	was_poked = 1;
	start_repeating();
	errno = saved;
}

static void on_repeat(int signo)
{
	(void)signo; /* its work is to interrupt a system call */
}

static int catch (int signo, void (*handler)(int))
{
	struct sigaction action = {.sa_handler = handler}; /* no SA_RESTART: writes end early */

	return sigaction(signo, &action, NULL);
}

int feed_catch_signals(struct xcs_err *err)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};

	if (timer_create(CLOCK_MONOTONIC, &event, &repeat_timer) || catch (SIGALRM, on_repeat) ||
	    catch (SIGIO, on_poke) || catch (SIGTERM, on_stop) || catch (SIGINT, on_stop) ||
	    catch (SIGHUP, on_stop) || signal(SIGPIPE, SIG_IGN) == SIG_ERR)
		return xcs_err_sys(err, -errno, "cannot catch signals");
	return 0;
}

void feed_ignore_signals(void)
{
	static const int signals[] = {SIGALRM, SIGIO, SIGTERM, SIGINT, SIGHUP};

	timer_delete(repeat_timer);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		signal(signals[i], SIG_IGN);
}

int feed_announce(const char *path, const char *role, int *fd, struct xcs_err *err)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	struct xcs_buf hello = {0};

	*fd = -1;
	if (strlen(path) >= sizeof(to.sun_path))
		return xcs_err_set(err, -ENAMETOOLONG,
		                   "--announce: the path has more than %zu bytes",
		                   sizeof(to.sun_path) - 1);
	memcpy(to.sun_path, path, strlen(path));
	*fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (*fd < 0 || connect(*fd, (struct sockaddr *)&to, sizeof(to)))
		return xcs_err_sys(err, -errno, "cannot announce this feeder to %s", path);
	xcs_buf_printf(&hello, "hello %s", role);
	ssize_t n = send(*fd, hello.p, hello.n, MSG_NOSIGNAL);
	xcs_buf_fini(&hello);
	return n < 0 ? xcs_err_sys(err, -errno, "cannot announce this feeder to %s", path) : 0;
}

int feed_wait_for_go(int fd, struct xcs_err *err)
{
	char word[64];

	while (!was_stopped) {
		ssize_t n = recv(fd, word, sizeof(word), 0);
		if (n == 2 && memcmp(word, "go", 2) == 0)
			return 0;
		if (n == 0)
			return xcs_err_set(err, -ECONNRESET, "the runner has gone");
		if (n > 0)
			return xcs_err_set(err, -EPROTO, "the runner did not say go");
		if (errno != EINTR)
			return xcs_err_sys(err, -errno, "cannot hear from the runner");
	}
	return 1;
}

int feed_listen_for_end(int fd, struct xcs_err *err)
{
	if (fd < 0)
		return 0;
	int flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fcntl(fd, F_SETOWN, getpid()) ||
	    fcntl(fd, F_SETFL, flags | O_ASYNC | O_NONBLOCK))
		return xcs_err_sys(err, -errno, "cannot watch the runner's socket");
	was_poked = 1; /* it may have died in between: look once */
	return 0;
}

static bool runner_has_gone(int fd)
{
	char word[64];
	ssize_t n = recv(fd, word, sizeof(word), 0);

	return n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
}

bool feed_must_stop(int fd)
{
	if (was_poked) {
		was_poked = 0;
		if (runner_has_gone(fd))
			was_stopped = 1;
	}
	return was_stopped;
}

bool feed_was_stopped(void)
{
	return was_stopped;
}
