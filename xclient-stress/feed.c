/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * xcs-feed: what runs on the pty of a terminal under load. It announces itself to the
 * runner, waits for "go", then becomes yes(1) or writes numbered lines until it is told
 * to stop, and has the terminal confirm the last one.
 */
#include <common/alloc.h>
#include <common/buf.h>
#include <common/counters.h>
#include <common/env.h>
#include <common/options.h>
#include <common/units.h>
#include <terminal/feed_lines.h>
#include <terminal/feed_tty.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define REPEAT_NS (20 * XCS_NS_PER_MS)

struct options {
	const char *announce, *role, *page;
	int columns; /* 0: the terminal's width */
	uint64_t n_lines;
	int lines_per_s; /* 0: as fast as the terminal takes them */
	int64_t confirm_ns;
};

struct feed {
	const struct options *o;
	int socket_fd; /* -1: none */
	struct xcs_counters_page *page;
	struct feed_tty tty;
	struct feed_lines lines;
	uint64_t n_bytes; /* written so far */
	uint64_t n_confirmed;
	bool is_confirmed;
};

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

static int catch_signals(struct xcs_err *err)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};

	if (timer_create(CLOCK_MONOTONIC, &event, &repeat_timer) || catch (SIGALRM, on_repeat) ||
	    catch (SIGIO, on_poke) || catch (SIGTERM, on_stop) || catch (SIGINT, on_stop) ||
	    catch (SIGHUP, on_stop) || signal(SIGPIPE, SIG_IGN) == SIG_ERR)
		return xcs_err_sys(err, -errno, "cannot catch signals");
	return 0;
}

/* The work is done: whatever still arrives must not change the exit status. */
static void ignore_signals(void)
{
	static const int signals[] = {SIGALRM, SIGIO, SIGTERM, SIGINT, SIGHUP};

	timer_delete(repeat_timer);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		signal(signals[i], SIG_IGN);
}

/*
 * Standard error is most often the terminal under load. One that does not read any more
 * must not hold us with our own last words, so they are written without waiting. Others
 * share the descriptor's flags, so these are put back.
 */
static void say(const char *prefix, const char *text)
{
	struct xcs_buf line = {0};
	int flags = fcntl(STDERR_FILENO, F_GETFL);

	xcs_buf_printf(&line, "%s%s\n", prefix, text);
	if (flags >= 0)
		fcntl(STDERR_FILENO, F_SETFL, flags | O_NONBLOCK);
	ssize_t n = write(STDERR_FILENO, line.p, line.n);
	(void)n; /* there is nobody left to tell */
	if (flags >= 0)
		fcntl(STDERR_FILENO, F_SETFL, flags);
	xcs_buf_fini(&line);
}

static int announce(struct feed *f, struct xcs_err *err)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	const char *path = f->o->announce;
	struct xcs_buf hello = {0};

	if (strlen(path) >= sizeof(to.sun_path))
		return xcs_err_set(err, -ENAMETOOLONG,
		                   "--announce: the path has more than %zu bytes",
		                   sizeof(to.sun_path) - 1);
	memcpy(to.sun_path, path, strlen(path));
	f->socket_fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (f->socket_fd < 0 || connect(f->socket_fd, (struct sockaddr *)&to, sizeof(to)))
		return xcs_err_sys(err, -errno, "cannot announce this feeder to %s", path);
	xcs_buf_printf(&hello, "hello %s", f->o->role);
	ssize_t n = send(f->socket_fd, hello.p, hello.n, MSG_NOSIGNAL);
	xcs_buf_fini(&hello);
	return n < 0 ? xcs_err_sys(err, -errno, "cannot announce this feeder to %s", path) : 0;
}

/* Returns 0 to go, 1 when stopped before, or -errno. */
static int wait_for_go(const struct feed *f, struct xcs_err *err)
{
	char word[64];

	while (!was_stopped) {
		ssize_t n = recv(f->socket_fd, word, sizeof(word), 0);
		if (n == 2 && memcmp(word, "go", 2) == 0)
			return 0;
		if (n == 0)
			return xcs_err_set(err, -ECONNRESET, "the runner at %s has gone",
			                   f->o->announce);
		if (n > 0)
			return xcs_err_set(err, -EPROTO, "%s: the runner did not say go",
			                   f->o->announce);
		if (errno != EINTR)
			return xcs_err_sys(err, -errno, "cannot hear from %s", f->o->announce);
	}
	return 1;
}

/* From here a word of the runner, or its death, interrupts a blocking write (SIGIO). */
static int listen_for_end(const struct feed *f, struct xcs_err *err)
{
	if (f->socket_fd < 0)
		return 0;
	int flags = fcntl(f->socket_fd, F_GETFL);
	if (flags < 0 || fcntl(f->socket_fd, F_SETOWN, getpid()) ||
	    fcntl(f->socket_fd, F_SETFL, flags | O_ASYNC | O_NONBLOCK))
		return xcs_err_sys(err, -errno, "cannot watch the runner's socket");
	was_poked = 1; /* it may have died in between: look once */
	return 0;
}

static bool runner_has_gone(const struct feed *f)
{
	char word[64];
	ssize_t n = recv(f->socket_fd, word, sizeof(word), 0);

	return n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
}

static bool must_stop(const struct feed *f)
{
	if (was_poked) {
		was_poked = 0;
		if (runner_has_gone(f))
			was_stopped = 1;
	}
	return was_stopped;
}

static void count(struct feed *f, size_t n_bytes)
{
	uint64_t before = f->n_bytes / f->lines.n_columns;

	f->n_bytes += n_bytes;
	if (!f->page)
		return;
	xcs_counters_add(f->page, XCS_COUNTER_LINES, f->n_bytes / f->lines.n_columns - before);
	xcs_counters_add(f->page, XCS_COUNTER_BYTES_OUT, n_bytes);
}

/* Writes bytes of the block up to `end`, until told to stop. Returns how far it came. */
static int write_block(struct feed *f, size_t *at, size_t end, struct xcs_err *err)
{
	while (*at < end && !must_stop(f)) {
		ssize_t n = write(STDOUT_FILENO, f->lines.block + *at, end - *at);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return xcs_err_sys(err, -errno, "cannot write lines to standard output");
		if (n > 0) {
			*at += (size_t)n;
			count(f, (size_t)n);
		}
	}
	return 0;
}

/* A line that was begun is ended, so that the last line is a whole one. */
static int end_line(struct feed *f, size_t at, int64_t deadline_mono_ns, struct xcs_err *err)
{
	while (f->n_bytes % f->lines.n_columns && xcs_mono_now_ns() < deadline_mono_ns) {
		size_t left = f->lines.n_columns - f->n_bytes % f->lines.n_columns;
		ssize_t n = write(STDOUT_FILENO, f->lines.block + at, left);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return xcs_err_sys(err, -errno, "cannot write lines to standard output");
		if (n > 0) {
			at += (size_t)n;
			count(f, (size_t)n);
		}
	}
	return 0;
}

static int confirm(struct feed *f, int64_t deadline_mono_ns)
{
	int rc = feed_tty_confirm(&f->tty, deadline_mono_ns);

	if (rc)
		return rc;
	f->is_confirmed = true;
	f->n_confirmed = f->n_bytes / f->lines.n_columns;
	if (f->page)
		xcs_counters_add(f->page, XCS_COUNTER_CONFIRMED_LINES, f->n_confirmed);
	return 0;
}

/* Waits until the next line is due, counted from the first, so that no rounding adds up. */
static void wait_for_turn(const struct feed *f, int64_t start_mono_ns)
{
	uint64_t n_lines = f->n_bytes / f->lines.n_columns;
	int64_t due_ns = start_mono_ns + (int64_t)(n_lines * XCS_NS_PER_S) / f->o->lines_per_s;
	const struct timespec due = {due_ns / XCS_NS_PER_S, due_ns % XCS_NS_PER_S};

	while (!must_stop(f) && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL))
		;
}

/* Writes n lines, the first of the block; with a pace each when it is due. */
static int write_lines(struct feed *f, size_t n, int64_t start_mono_ns, size_t *at,
                       struct xcs_err *err)
{
	size_t end = n * f->lines.n_columns;
	int rc = 0;

	*at = 0;
	if (!f->o->lines_per_s)
		return write_block(f, at, end, err);
	while (rc == 0 && *at < end && !was_stopped) {
		wait_for_turn(f, start_mono_ns);
		rc = write_block(f, at, *at + f->lines.n_columns, err);
	}
	return rc;
}

static int feed_on(struct feed *f, struct xcs_err *err)
{
	const int64_t start_mono_ns = xcs_mono_now_ns();
	uint64_t n_left = f->o->n_lines ? f->o->n_lines : UINT64_MAX;
	size_t at = 0;
	int rc = 0;

	while (rc == 0 && n_left > 0) {
		size_t n = n_left < f->lines.n_lines ? (size_t)n_left : f->lines.n_lines;
		rc = write_lines(f, n, start_mono_ns, &at, err);
		if (rc || was_stopped)
			break;
		n_left -= n;
		feed_lines_next(&f->lines);
	}
	int64_t deadline_ns = xcs_mono_now_ns() + f->o->confirm_ns;
	if (rc == 0)
		rc = end_line(f, at, deadline_ns, err);
	if (rc == 0)
		rc = confirm(f, deadline_ns) == -ETIMEDOUT
		             ? xcs_err_set(err, -ETIMEDOUT,
		                           "the terminal did not confirm the last line in time")
		             : 0;
	return rc;
}

/* "total lines L bytes B confirmed C", C being n/a where no terminal can confirm. */
static int tell_total(const struct feed *f, struct xcs_err *err)
{
	struct xcs_buf total = {0};
	int rc = 0;

	xcs_buf_printf(&total, "total lines %llu bytes %llu confirmed ",
	               (unsigned long long)(f->n_bytes / f->lines.n_columns),
	               (unsigned long long)f->n_bytes);
	if (f->is_confirmed)
		xcs_buf_printf(&total, "%llu", (unsigned long long)f->n_confirmed);
	else
		xcs_buf_puts(&total, "n/a");
	if (f->socket_fd < 0)
		say("", total.p);
	else if (send(f->socket_fd, total.p, total.n, MSG_NOSIGNAL) < 0)
		rc = xcs_err_sys(err, -errno, "cannot tell the totals to %s", f->o->announce);
	xcs_buf_fini(&total);
	return rc;
}

static int feed_lines(struct feed *f, struct xcs_err *err)
{
	size_t columns = f->o->columns ? (size_t)f->o->columns : feed_tty_columns(80);

	if (columns < FEED_COLUMNS_MIN)
		columns = FEED_COLUMNS_MIN;
	if (columns > FEED_COLUMNS_MAX)
		columns = FEED_COLUMNS_MAX;
	feed_lines_init(&f->lines, columns);
	if (f->page)
		count(f, 0);
	int rc = listen_for_end(f, err);
	if (rc == 0)
		rc = feed_tty_open(&f->tty, err);
	if (rc == 0)
		rc = feed_on(f, err);
	feed_tty_close(&f->tty);
	ignore_signals();
	struct xcs_err second = {0};
	int told = tell_total(f, rc ? &second : err);
	return rc ? rc : told;
}

static int become_yes(const struct feed *f, struct xcs_err *err)
{
	if (f->socket_fd >= 0)
		close(f->socket_fd);
	signal(SIGPIPE, SIG_DFL); /* ignored signals stay ignored behind exec */
	execlp("yes", "yes", (char *)NULL);
	return xcs_err_sys(err, -errno, "cannot run yes");
}

static int feed(const struct options *o, bool is_yes, struct xcs_err *err)
{
	struct feed f = {.o = o, .socket_fd = -1};
	int rc = catch_signals(err);

	if (rc == 0 && o->page)
		rc = xcs_counters_open(o->page, true, &f.page, err);
	if (rc == 0 && o->announce)
		rc = announce(&f, err);
	if (rc == 0 && o->announce)
		rc = wait_for_go(&f, err);
	if (rc == 0)
		rc = is_yes ? become_yes(&f, err) : feed_lines(&f, err);
	if (f.socket_fd >= 0)
		close(f.socket_fd);
	xcs_counters_close(f.page);
	return rc;
}

#define AT(member) offsetof(struct options, member)

static const struct xcs_option rows[] = {
        {.name = "announce",
         .type = XCS_OPT_STR,
         .offset = AT(announce),
         .metavar = "SOCKET",
         .help = "say hello to the runner on this socket and wait for its go"},
        {.name = "role",
         .type = XCS_OPT_STR,
         .offset = AT(role),
         .metavar = "NAME",
         .help = "name to announce (default: feeder)"},
        {.name = "page",
         .type = XCS_OPT_STR,
         .offset = AT(page),
         .metavar = "FILE",
         .help = "counter page to keep up to date"},
        {.name = "columns",
         .type = XCS_OPT_INT,
         .offset = AT(columns),
         .metavar = "N",
         .min = FEED_COLUMNS_MIN,
         .max = FEED_COLUMNS_MAX,
         .help = "bytes per line, with its newline (default: width of the terminal, else 80)"},
        {.name = "lines",
         .type = XCS_OPT_U64,
         .offset = AT(n_lines),
         .metavar = "N",
         .help = "stop behind that many lines (default: on SIGTERM)"},
        {.name = "lines-per-s",
         .type = XCS_OPT_INT,
         .offset = AT(lines_per_s),
         .metavar = "N",
         .min = 1,
         .max = 100000,
         .help = "write that many lines per second (default: as fast as the terminal takes them)"},
        {.name = "confirm-within",
         .type = XCS_OPT_DURATION,
         .offset = AT(confirm_ns),
         .metavar = "TIME",
         .help = "deadline for the terminal's answer to the last line (default: 10s)"},
        {0                                                  },
};

static const struct xcs_command command = {
        .name = "xcs-feed",
        .summary = "Writes lines into a terminal as fast as it takes them.",
        .operands = "lines|yes",
        .min_operands = 1,
        .max_operands = 1,
        .options = rows,
        .notes = "lines writes numbered lines and tells its totals; yes becomes yes(1).",
};

int main(int argc, char **argv)
{
	struct options o = {.role = "feeder", .confirm_ns = 10 * XCS_NS_PER_S};
	struct xcs_strs operands;
	struct xcs_err err = {0};
	int status = xcs_options_main(&command, argc, argv, &o, &operands);

	if (status >= 0)
		return status;
	bool is_yes = strcmp(operands.v[0], "yes") == 0;
	int rc = -EINVAL;
	if (is_yes || strcmp(operands.v[0], "lines") == 0)
		rc = feed(&o, is_yes, &err);
	else
		xcs_err_set(&err, rc, "'%s' is neither lines nor yes", operands.v[0]);
	if (rc < 0)
		say("xcs-feed: ", err.text);
	return rc < 0 ? XCS_EXIT_ERROR : XCS_EXIT_OK;
}
