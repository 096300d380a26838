/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * xcs-feed: what runs on the pty of a terminal under load. It announces itself to the
 * runner, waits for "go", then becomes yes(1), or writes numbered lines until it is told
 * to stop and has the terminal confirm the last one, or times a command.
 */
#include "feed.h"

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

struct options {
	const char *announce, *role, *page;
	const char *command_role, *cwd;
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

/* Tells the runner, or where there is none, the user. */
static int tell(int socket_fd, const char *text, struct xcs_err *err)
{
	if (socket_fd < 0)
		say("", text);
	else if (send(socket_fd, text, strlen(text), MSG_NOSIGNAL) < 0)
		return xcs_err_sys(err, -errno, "cannot tell the runner how it went");
	return 0;
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
	while (*at < end && !feed_must_stop(f->socket_fd)) {
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

	while (!feed_must_stop(f->socket_fd) &&
	       clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL))
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
	while (rc == 0 && *at < end && !feed_was_stopped()) {
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
		if (rc || feed_was_stopped())
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

	xcs_buf_printf(&total, "total lines %llu bytes %llu confirmed ",
	               (unsigned long long)(f->n_bytes / f->lines.n_columns),
	               (unsigned long long)f->n_bytes);
	if (f->is_confirmed)
		xcs_buf_printf(&total, "%llu", (unsigned long long)f->n_confirmed);
	else
		xcs_buf_puts(&total, "n/a");
	int rc = tell(f->socket_fd, total.p, err);
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
	int rc = feed_listen_for_end(f->socket_fd, err);
	if (rc == 0)
		rc = feed_tty_open(&f->tty, err);
	if (rc == 0)
		rc = feed_on(f, err);
	feed_tty_close(&f->tty);
	feed_ignore_signals();
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

/* What stands on the terminal, by the mode's name. */
static int begin(struct feed *f, const char *mode, struct xcs_err *err)
{
	if (strcmp(mode, "yes") == 0)
		return become_yes(f, err);
	if (strcmp(mode, "echo") == 0)
		return feed_echo(f->socket_fd, f->page, err);
	return feed_lines(f, err);
}

static int feed(const struct options *o, const char *mode, struct xcs_err *err)
{
	struct feed f = {.o = o, .socket_fd = -1};
	int rc = 0;

	if (o->page)
		rc = xcs_counters_open(o->page, true, &f.page, err);
	if (rc == 0 && o->announce)
		rc = feed_announce(o->announce, o->role, &f.socket_fd, err);
	if (rc == 0 && o->announce)
		rc = feed_wait_for_go(f.socket_fd, err);
	if (rc == 0)
		rc = begin(&f, mode, err);
	if (f.socket_fd >= 0)
		close(f.socket_fd);
	xcs_counters_close(f.page);
	return rc;
}

static int time_command(const struct options *o, const char *command, struct xcs_err *err)
{
	struct feed_command_options how = {.announce = o->announce,
	                                   .feeder_role = o->role,
	                                   .role = o->command_role,
	                                   .command = command,
	                                   .cwd = o->cwd,
	                                   .confirm_ns = o->confirm_ns,
	                                   .socket_fd = -1};
	struct xcs_buf report = {0};
	int rc = feed_command(&how, &report, err);

	if (rc == 0)
		rc = tell(how.socket_fd, report.p, err);
	if (rc == 0)
		feed_hold(how.socket_fd);
	feed_ignore_signals();
	if (how.socket_fd >= 0)
		close(how.socket_fd);
	xcs_buf_fini(&report);
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
        {.name = "command-role",
         .type = XCS_OPT_STR,
         .offset = AT(command_role),
         .metavar = "NAME",
         .help = "name to announce the process of a command (default: command)"},
        {.name = "cwd",
         .type = XCS_OPT_STR,
         .offset = AT(cwd),
         .metavar = "DIR",
         .help = "folder to run a command in (default: this one)"},
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
        {0                                                         },
};

static const struct xcs_command command = {
        .name = "xcs-feed",
        .summary = "Writes into a terminal as fast as it takes it.",
        .operands = "lines|yes|echo|command [COMMAND]",
        .min_operands = 1,
        .max_operands = 2,
        .options = rows,
        .notes = "lines writes numbered lines and tells its totals; yes becomes yes(1); echo "
                 "writes back what is typed; command runs COMMAND once and tells what it took.",
};

static int do_mode(const struct options *o, const struct xcs_strs *words, struct xcs_err *err)
{
	const char *mode = words->v[0];
	bool is_command = strcmp(mode, "command") == 0;

	if (!is_command && strcmp(mode, "lines") && strcmp(mode, "yes") && strcmp(mode, "echo"))
		return xcs_err_set(err, -EINVAL, "'%s' is none of lines, yes, echo, command", mode);
	if (is_command != (words->n == 2))
		return xcs_err_set(err, -EINVAL,
		                   is_command ? "command needs a command, as one word"
		                              : "lines, yes and echo take no further word");
	int rc = feed_catch_signals(err);
	if (rc)
		return rc;
	return is_command ? time_command(o, words->v[1], err) : feed(o, mode, err);
}

int main(int argc, char **argv)
{
	struct options o = {
	        .role = "feeder", .command_role = "command", .confirm_ns = 10 * XCS_NS_PER_S};
	struct xcs_strs operands;
	struct xcs_err err = {0};
	int status = xcs_options_main(&command, argc, argv, &o, &operands);

	if (status >= 0)
		return status;
	int rc = do_mode(&o, &operands, &err);
	if (rc < 0)
		say("xcs-feed: ", err.text);
	return rc < 0 ? XCS_EXIT_ERROR : XCS_EXIT_OK;
}
