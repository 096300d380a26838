/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * xcs-feed command: times one command on this terminal. Its process is made and known to
 * the runner before the go, waits, and becomes the command by exec.
 */
#include "feed.h"

#include <common/alloc.h>
#include <common/buf.h>
#include <common/env.h>
#include <common/units.h>
#include <terminal/feed_tty.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	NOT_FOUND = 127, /* as shells exit */
	NOT_EXECUTABLE = 126
};

/* Written by the command's process before it is the command: no system call lies between
 * the clock and exec. */
struct origin {
	int64_t start_ns;
	struct rusage used;
	int rc; /* why it never came to exec, -errno; 0: it did */
};

struct timed {
	const struct feed_command_options *o;
	struct origin *origin; /* shared with the child */
	pid_t pid;
	int link_fd; /* to the child: it says ready, we say go */
	int status;
	struct rusage used;
	int64_t end_ns, drained_ns, drawn_ns; /* the last two 0: unknown */
};

/* Words of letters and the like need no shell between us and the command. */
static bool is_plain(const char *command)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                            "0123456789-_./,:+@% ";

	return command[strspn(command, plain)] == '\0' && command[strspn(command, " ")];
}

/* The words of a plain command, NULL-terminated; never freed, exec follows. */
static char **words_of(const char *command)
{
	struct xcs_str rest = xcs_str(command), word;
	char **words = NULL;
	size_t n = 0, cap = 0;

	while (xcs_str_next_word(&rest, &word)) {
		words = xcs_xgrow(words, n, &cap, sizeof(*words));
		words[n++] = xcs_xasprintf("%.*s", (int)word.n, word.p);
	}
	words = xcs_xgrow(words, n, &cap, sizeof(*words));
	words[n] = NULL;
	return words;
}

static void stamp(struct origin *origin)
{
	getrusage(RUSAGE_SELF, &origin->used);
	origin->start_ns = xcs_mono_now_ns();
}

/* A command that no program has the name of may be one of the shell's own. */
static _Noreturn void become(const char *command, struct origin *origin)
{
	char **words = is_plain(command) ? words_of(command) : NULL;

	stamp(origin);
	if (words)
		execvp(words[0], words);
	if (words && errno != ENOENT)
		_exit(NOT_EXECUTABLE);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(errno == ENOENT ? NOT_FOUND : NOT_EXECUTABLE);
}

/* Returns 0 when it is time to become the command. */
static int prepare_child(const struct feed_command_options *o, int link_fd, pid_t parent)
{
	struct xcs_err ignored; /* the parent tells */
	char word;
	int fd;

	for (int signo = 1; signo < NSIG; signo++)
		signal(signo, SIG_DFL);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || setpgid(0, 0))
		return -errno;
	if (getppid() != parent)
		return -ESRCH;
	if (o->cwd && chdir(o->cwd))
		return -errno;
	if (o->announce) {
		int rc = feed_announce(o->announce, o->role, &fd, &ignored);
		if (rc)
			return rc;
	}
	if (write(link_fd, "r", 1) != 1)
		return -errno;
	return read(link_fd, &word, 1) == 1 ? 0 : -ECANCELED;
}

static int start(struct timed *t, struct xcs_err *err)
{
	const pid_t parent = getpid();
	int link[2];

	t->origin = mmap(NULL, sizeof(*t->origin), PROT_READ | PROT_WRITE,
	                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (t->origin == MAP_FAILED) {
		t->origin = NULL;
		return xcs_err_sys(err, -errno, "cannot start the command");
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, link))
		return xcs_err_sys(err, -errno, "cannot start the command");
	t->pid = fork();
	if (t->pid == 0) {
		close(link[0]);
		t->origin->rc = prepare_child(t->o, link[1], parent);
		if (t->origin->rc)
			_exit(NOT_EXECUTABLE);
		become(t->o->command, t->origin);
	}
	int rc = t->pid < 0 ? -errno : 0;
	close(link[1]);
	t->link_fd = link[0];
	return rc ? xcs_err_sys(err, rc, "cannot start the command") : 0;
}

/* Waits until the child has announced itself; the runner hears of it before it hears of us. */
static int await_ready(const struct timed *t, struct xcs_err *err)
{
	char word;
	ssize_t n;

	do
		n = read(t->link_fd, &word, 1);
	while (n < 0 && errno == EINTR && !feed_must_stop(-1));
	if (n == 1)
		return 0;
	if (n < 0)
		return 1;
	int rc = t->origin->rc ? t->origin->rc : -ECHILD;
	if (t->o->cwd)
		return xcs_err_sys(err, rc, "cannot prepare the command in %s", t->o->cwd);
	return xcs_err_sys(err, rc, "cannot prepare the command");
}

/* The command is the terminal's foreground job, as below a shell. */
static void give_terminal(pid_t group)
{
	signal(SIGTTOU, SIG_IGN); /* or a background group would be stopped here */
	tcsetpgrp(STDIN_FILENO, group);
}

/* Not reaped yet: it holds its number, which is that of its group. */
static void wait_for_end(struct timed *t)
{
	siginfo_t info;
	int rc;

	do {
		if (feed_must_stop(t->o->socket_fd))
			kill(-t->pid, SIGKILL);
		rc = waitid(P_PID, (id_t)t->pid, &info, WEXITED | WNOWAIT);
	} while (rc && errno == EINTR);
	t->end_ns = xcs_mono_now_ns();
}

/* Jobs that it left in the background would run beside the next trials. */
static void reap(struct timed *t)
{
	if (t->pid <= 0)
		return;
	kill(-t->pid, SIGKILL);
	kill(t->pid, SIGKILL); /* one that did not come to lead a group */
	while (wait4(t->pid, &t->status, 0, &t->used) < 0 && errno == EINTR)
		;
	t->pid = 0;
}

static void ask_terminal(struct timed *t, struct xcs_err *err)
{
	struct feed_tty tty;
	int rc;

	if (!isatty(STDOUT_FILENO))
		return;
	do
		rc = tcdrain(STDOUT_FILENO);
	while (rc && errno == EINTR && !feed_must_stop(t->o->socket_fd));
	if (rc == 0)
		t->drained_ns = xcs_mono_now_ns();
	give_terminal(getpgrp());
	if (feed_must_stop(t->o->socket_fd) || feed_tty_open(&tty, err))
		return;
	if (feed_tty_confirm(&tty, xcs_mono_now_ns() + t->o->confirm_ns) == 0)
		t->drawn_ns = xcs_mono_now_ns();
	feed_tty_close(&tty);
}

static int64_t timeval_ns(struct timeval v)
{
	return v.tv_sec * XCS_NS_PER_S + v.tv_usec * XCS_NS_PER_US;
}

static int64_t used_ns(struct timeval after, struct timeval before)
{
	int64_t ns = timeval_ns(after) - timeval_ns(before);

	return ns > 0 ? ns : 0;
}

static void add_ns(struct xcs_buf *out, const char *name, int64_t from_ns, int64_t to_ns)
{
	if (from_ns && to_ns)
		xcs_buf_printf(out, " %s %lld", name, (long long)(to_ns - from_ns));
	else
		xcs_buf_printf(out, " %s n/a", name);
}

static void tell(const struct timed *t, struct xcs_buf *report)
{
	const struct origin *o = t->origin;
	int status = WIFSIGNALED(t->status) ? 128 + WTERMSIG(t->status) : WEXITSTATUS(t->status);

	xcs_buf_puts(report, "command");
	add_ns(report, "real_ns", o->start_ns, t->end_ns);
	xcs_buf_printf(report, " user_ns %lld sys_ns %lld",
	               (long long)used_ns(t->used.ru_utime, o->used.ru_utime),
	               (long long)used_ns(t->used.ru_stime, o->used.ru_stime));
	add_ns(report, "drained_ns", o->start_ns, t->drained_ns);
	add_ns(report, "drawn_ns", o->start_ns, t->drawn_ns);
	xcs_buf_printf(report, " exit %d", status);
}

static int run(struct timed *t, struct xcs_buf *report, struct xcs_err *err)
{
	int rc = feed_listen_for_end(t->o->socket_fd, err);

	if (rc)
		return rc;
	if (isatty(STDIN_FILENO))
		give_terminal(t->pid);
	if (write(t->link_fd, "g", 1) != 1)
		return xcs_err_sys(err, -errno, "cannot let the command go");
	wait_for_end(t);
	ask_terminal(t, err);
	reap(t);
	tell(t, report);
	return 0;
}

static void end(struct timed *t)
{
	reap(t);
	if (t->link_fd >= 0)
		close(t->link_fd);
	if (t->origin)
		munmap(t->origin, sizeof(*t->origin));
}

int feed_command(struct feed_command_options *o, struct xcs_buf *report, struct xcs_err *err)
{
	struct timed t = {.o = o, .link_fd = -1};
	int rc = start(&t, err);

	if (rc == 0)
		rc = await_ready(&t, err);
	if (rc == 0 && o->announce)
		rc = feed_announce(o->announce, o->feeder_role, &o->socket_fd, err);
	if (rc == 0 && o->announce)
		rc = feed_wait_for_go(o->socket_fd, err);
	if (rc == 0)
		rc = run(&t, report, err);
	end(&t);
	return rc;
}

void feed_hold(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	while (fd >= 0 && !feed_must_stop(fd))
		poll(&p, 1, -1);
}
