/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <common/child.h>
#include <common/env.h>
#include <common/file.h>
#include <common/paths.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int pidfd_signal(int pidfd, int signo)
{
	return (int)syscall(SYS_pidfd_send_signal, pidfd, signo, NULL, 0);
}

/* Everything below runs in the child between fork and exec; each step returns 0 or -errno. */

static int place_fds(const struct xcs_spawn *s, int report_fd)
{
	const int want[3] = {s->stdin_fd, s->stdout_fd, s->stderr_fd};
	int held[3];

	/* First above all targets, so that no dup2 runs over a descriptor still needed. */
	for (int i = 0; i < 3; i++) {
		int fd = want[i] ? want[i] : open("/dev/null", O_RDWR);
		held[i] = fd < 0 ? -1 : fcntl(fd, F_DUPFD, 3);
		if (held[i] < 0)
			return -errno;
	}
	for (int i = 0; i < 3; i++)
		if (dup2(held[i], i) < 0)
			return -errno;
	if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC))
		return -errno;
	for (size_t i = 0; i < s->n_keep_fds; i++)
		if (s->keep_fds[i] != report_fd && fcntl(s->keep_fds[i], F_SETFD, 0))
			return -errno;
	return 0;
}

static int become(const struct xcs_user *user)
{
	if (!user || user->uid == geteuid())
		return 0;
	if (initgroups(user->name, user->gid) || setresgid(user->gid, user->gid, user->gid) ||
	    setresuid(user->uid, user->uid, user->uid))
		return -errno;
	if (setenv("HOME", user->home, 1) || setenv("USER", user->name, 1) ||
	    setenv("LOGNAME", user->name, 1))
		return -errno;
	return 0;
}

static void add_env(const char *const *rows)
{
	for (; rows && *rows; rows++)
		putenv((char *)(uintptr_t)*rows); /* "NAME" alone unsets it: glibc's rule */
}

static int set_up(const struct xcs_spawn *s, int report_fd, pid_t parent)
{
	sigset_t none;
	int rc;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int signo = 1; signo < NSIG; signo++)
		signal(signo, SIG_DFL); /* what we ignore, or inherited as ignored */
	for (size_t i = 0; i < s->n_join_fds; i++)
		if (write(s->join_fds[i], "0\n", 2) < 0)
			return -errno;
	if (s->new_session && setsid() < 0)
		return -errno;
	if (s->cpus && sched_setaffinity(0, sizeof(s->cpus->mask), &s->cpus->mask))
		return -errno;
	if (s->nice && setpriority(PRIO_PROCESS, 0, *s->nice))
		return -errno;
	if ((rc = place_fds(s, report_fd)) || (rc = become(s->user)))
		return rc;
	if (s->cwd && chdir(s->cwd))
		return -errno;
	/* After the change of user, which clears it. */
	if (s->die_with_parent && prctl(PR_SET_PDEATHSIG, SIGKILL))
		return -errno;
	if (s->die_with_parent && getppid() != parent)
		return -ESRCH;
	add_env(s->env_add);
	return 0;
}

/* Launcher and program as one list, which ends with the process. */
static const char *const *words(const struct xcs_spawn *s)
{
	size_t n = 0, m = 0;

	while (s->launcher && s->launcher[n])
		n++;
	if (n == 0)
		return s->argv;
	while (s->argv[m])
		m++;
	const char **all = xcs_xcalloc(n + m + 1, sizeof(*all));
	memcpy(all, s->launcher, n * sizeof(*all));
	memcpy(all + n, s->argv, m * sizeof(*all));
	return all;
}

static _Noreturn void run_child(const struct xcs_spawn *s, int report_fd, pid_t parent)
{
	int rc = set_up(s, report_fd, parent);

	if (rc == 0) {
		const char *const *argv = words(s);
		execvp(argv[0], (char *const *)(uintptr_t)argv);
		rc = -errno;
	}
	(void)!write(report_fd, &rc, sizeof(rc));
	_exit(127);
}

/* Reads what went wrong before exec; nothing when exec closed the pipe. */
static int exec_result(int fd)
{
	int rc = 0;
	ssize_t n;

	do
		n = read(fd, &rc, sizeof(rc));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(rc) ? rc : 0;
}

int xcs_child_start(struct xcs_child *child, const struct xcs_spawn *spec, struct xcs_err *err)
{
	const pid_t parent = getpid();
	int report[2];

	*child = (struct xcs_child){.pidfd = -1};
	if (pipe2(report, O_CLOEXEC))
		return xcs_err_sys(err, -errno, "cannot start %s", spec->argv[0]);
	pid_t pid = fork();
	if (pid == 0)
		run_child(spec, report[1], parent);
	int rc = pid < 0 ? -errno : 0;
	close(report[1]);
	if (rc == 0)
		rc = exec_result(report[0]);
	close(report[0]);
	if (rc == 0) {
		child->pid = pid;
		child->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
		rc = child->pidfd < 0 ? -errno : 0;
	}
	if (rc == 0)
		return 0;
	if (pid > 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	child->pid = 0;
	return xcs_err_sys(err, rc, "cannot start %s", spec->argv[0]);
}

static bool reap(struct xcs_child *child, int flags)
{
	pid_t got;

	do
		got = waitpid(child->pid, &child->status, flags);
	while (got < 0 && errno == EINTR);
	child->ended = got != 0;
	return child->ended;
}

bool xcs_child_wait(struct xcs_child *child, int64_t timeout_ns)
{
	const int64_t deadline_ns = xcs_mono_now_ns() + timeout_ns;

	if (child->ended || child->pid <= 0)
		return true;
	if (timeout_ns < 0)
		return reap(child, 0);
	for (;;) {
		if (reap(child, WNOHANG))
			return true;
		int64_t left_ns = deadline_ns - xcs_mono_now_ns();
		if (left_ns <= 0)
			return false;
		struct pollfd p = {.fd = child->pidfd, .events = POLLIN};
		poll(&p, 1, (int)(left_ns / XCS_NS_PER_MS) + 1);
	}
}

void xcs_child_signal(struct xcs_child *child, int signo)
{
	if (child->pid > 0 && !child->ended)
		pidfd_signal(child->pidfd, signo);
}

void xcs_child_stop(struct xcs_child *child, int64_t grace_ns)
{
	if (child->pid > 0 && !child->ended) {
		xcs_child_signal(child, SIGTERM);
		xcs_child_signal(child, SIGCONT);
		if (!xcs_child_wait(child, grace_ns)) {
			xcs_child_signal(child, SIGKILL);
			xcs_child_wait(child, -1);
		}
	}
	if (child->pidfd > 0)
		close(child->pidfd);
	child->pidfd = -1;
}

void xcs_child_stop_group(struct xcs_child *child, int64_t grace_ns)
{
	/* Not reaped, the child holds its number, which is the group's. */
	if (child->pid > 0 && !child->ended) {
		struct pollfd p = {.fd = child->pidfd, .events = POLLIN};
		kill(-child->pid, SIGTERM);
		kill(-child->pid, SIGCONT);
		poll(&p, 1, (int)(grace_ns / XCS_NS_PER_MS));
		kill(-child->pid, SIGKILL);
	}
	xcs_child_stop(child, grace_ns);
}

void xcs_child_describe(const struct xcs_child *child, struct xcs_buf *into)
{
	if (!child->ended)
		xcs_buf_puts(into, "still runs");
	else if (WIFSIGNALED(child->status))
		xcs_buf_printf(into, "was killed by signal %d (%s)", WTERMSIG(child->status),
		               strsignal(WTERMSIG(child->status)));
	else
		xcs_buf_printf(into, "exited with status %d", WEXITSTATUS(child->status));
}

/* One line out of many: the last that is not blank, which is where programs say why. */
static struct xcs_str last_line(struct xcs_str text)
{
	struct xcs_str line, last = {"no message", 10};

	while (xcs_str_next_line(&text, &line)) {
		line = xcs_str_trim(line);
		if (line.n)
			last = line;
	}
	return last;
}

/* Collects both streams until both are closed or the deadline passes. */
static int drain(int out_fd, struct xcs_buf *out, int err_fd, struct xcs_buf *text,
                 int64_t deadline_ns)
{
	struct pollfd p[2] = {
	        {.fd = out_fd, .events = POLLIN},
                {.fd = err_fd, .events = POLLIN}
        };
	struct xcs_buf *into[2] = {out, text};

	while (p[0].fd >= 0 || p[1].fd >= 0) {
		int64_t left_ns = deadline_ns - xcs_mono_now_ns();
		if (left_ns <= 0)
			return -ETIMEDOUT;
		poll(p, 2, (int)(left_ns / XCS_NS_PER_MS) + 1);
		for (int i = 0; i < 2; i++) {
			if (p[i].fd < 0 || !p[i].revents)
				continue;
			char chunk[4096];
			ssize_t n = read(p[i].fd, chunk, sizeof(chunk));
			if (n > 0)
				xcs_buf_add(into[i], chunk, (size_t)n);
			else if (n == 0 || errno != EINTR)
				p[i].fd = -1;
		}
	}
	return 0;
}

static int judge(const struct xcs_spawn *spec, const struct xcs_child *child, int rc,
                 const struct xcs_buf *text, struct xcs_err *err)
{
	if (rc)
		return xcs_err_set(err, rc, "%s did not end in time and was stopped",
		                   spec->argv[0]);
	if (WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0)
		return 0;
	struct xcs_buf how = {0};
	xcs_child_describe(child, &how);
	struct xcs_str why = last_line(xcs_buf_str(text));
	rc = xcs_err_set(err, -ECHILD, "%s %s: %.*s", spec->argv[0], how.p,
	                 (int)(why.n < 600 ? why.n : 600), why.p);
	xcs_buf_fini(&how);
	return rc;
}

int xcs_child_capture(const struct xcs_spawn *spec, int64_t timeout_ns, struct xcs_buf *into,
                      struct xcs_err *err)
{
	const int64_t deadline_ns = xcs_mono_now_ns() + timeout_ns;
	int out[2] = {-1, -1}, text_fd[2] = {-1, -1};
	struct xcs_spawn piped = *spec;
	struct xcs_child child = {0};
	struct xcs_buf text = {0};

	xcs_buf_clear(into);
	if (pipe2(out, O_CLOEXEC))
		return xcs_err_sys(err, -errno, "cannot start %s", spec->argv[0]);
	if (pipe2(text_fd, O_CLOEXEC)) {
		close(out[0]), close(out[1]);
		return xcs_err_sys(err, -errno, "cannot start %s", spec->argv[0]);
	}
	piped.stdout_fd = out[1];
	piped.stderr_fd = text_fd[1];
	int rc = xcs_child_start(&child, &piped, err);
	close(out[1]);
	close(text_fd[1]);
	if (rc == 0) {
		rc = drain(out[0], into, text_fd[0], &text, deadline_ns);
		int64_t left_ns = deadline_ns - xcs_mono_now_ns();
		if (rc == 0 && !xcs_child_wait(&child, left_ns > 0 ? left_ns : 0))
			rc = -ETIMEDOUT;
		xcs_child_stop(&child, 0);
		rc = judge(spec, &child, rc, &text, err);
	}
	close(out[0]);
	close(text_fd[0]);
	xcs_buf_fini(&text);
	return rc;
}
