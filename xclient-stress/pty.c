/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/units.h>
#include <terminal/pty.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static struct winsize winsize_of(struct pty_size size)
{
	return (struct winsize){
	        .ws_row = (unsigned short)size.n_rows,
	        .ws_col = (unsigned short)size.n_columns,
	        .ws_xpixel = (unsigned short)size.width_px,
	        .ws_ypixel = (unsigned short)size.height_px,
	};
}

static int open_master(struct pty_size size)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	struct winsize ws = winsize_of(size);

	if (fd >= 0 && (grantpt(fd) || unlockpt(fd) || ioctl(fd, TIOCSWINSZ, &ws) ||
	                fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK))) {
		int saved = errno;
		close(fd);
		errno = saved;
		fd = -1;
	}
	return fd < 0 ? -errno : fd;
}

/* Reports errno to the parent; the other end of a pipe that exec closes by itself. */
static _Noreturn void give_up(int report_fd)
{
	int e = errno;

	_exit(write(report_fd, &e, sizeof(e)) == (ssize_t)sizeof(e) ? 126 : 127);
}

static void reset_signals(void)
{
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void run_child(const char *slave, const char *const *argv,
                                const char *const *env_add, int report_fd)
{
	setsid();
	int fd = open(slave, O_RDWR | O_NOCTTY);
	if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) || dup2(fd, 0) < 0 || dup2(fd, 1) < 0 ||
	    dup2(fd, 2) < 0)
		give_up(report_fd);
	if (fd > 2)
		close(fd);
	setenv("TERM", "dumb", 1);
	for (; env_add && *env_add; env_add++)
		putenv((char *)(uintptr_t)*env_add);
	reset_signals();
	execvp(argv[0], (char *const *)(uintptr_t)argv);
	give_up(report_fd);
}

/* Returns 0 when exec has closed the pipe, else the child's errno, negative. */
static int read_report(int fd)
{
	int e = 0;
	ssize_t n;

	do
		n = read(fd, &e, sizeof(e));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(e) ? -e : 0;
}

static int fork_child(struct pty *pty, const char *slave, const char *const *argv,
                      const char *const *env_add)
{
	int report[2];

	if (pipe2(report, O_CLOEXEC))
		return -errno;
	pid_t pid = fork();
	if (pid == 0)
		run_child(slave, argv, env_add, report[1]);
	int rc = pid < 0 ? -errno : 0;
	close(report[1]);
	if (rc == 0)
		rc = read_report(report[0]);
	close(report[0]);
	if (pid > 0 && rc)
		waitpid(pid, NULL, 0);
	if (rc)
		return rc;
	pty->pid = pid;
	pty->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	return pty->pidfd < 0 ? -errno : 0;
}

int pty_start(struct pty *pty, const char *const *argv, const char *const *env_add,
              struct pty_size size, struct xcs_err *err)
{
	char slave[64];

	*pty = (struct pty){.master_fd = open_master(size)};
	if (pty->master_fd < 0)
		return xcs_err_sys(err, pty->master_fd, "cannot open a pseudo-terminal");
	int rc = -ptsname_r(pty->master_fd, slave, sizeof(slave));
	if (rc == 0)
		rc = fork_child(pty, slave, argv, env_add);
	if (rc) {
		pty_close(pty, 0);
		return xcs_err_sys(err, rc, "cannot run %s on a pseudo-terminal", argv[0]);
	}
	return 0;
}

int pty_resize(const struct pty *pty, struct pty_size size)
{
	struct winsize ws = winsize_of(size);

	return ioctl(pty->master_fd, TIOCSWINSZ, &ws) ? -errno : 0;
}

int pty_close(struct pty *pty, long long grace_ns)
{
	struct pollfd ended = {.fd = pty->pidfd, .events = POLLIN};
	struct timespec grace = {.tv_sec = grace_ns / XCS_NS_PER_S,
	                         .tv_nsec = grace_ns % XCS_NS_PER_S};
	int status = 0;

	if (pty->master_fd > 0)
		close(pty->master_fd);
	if (pty->pid > 0) {
		if (pty->pidfd <= 0 || ppoll(&ended, 1, &grace, NULL) <= 0)
			kill(pty->pid, SIGKILL);
		waitpid(pty->pid, &status, 0);
	}
	if (pty->pidfd > 0)
		close(pty->pidfd);
	*pty = (struct pty){0};
	return status;
}
