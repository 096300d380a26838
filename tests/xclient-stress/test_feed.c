/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The feeder as the runner and a terminal meet it: this test is both of them.
 */
#include "cmocka_test.h"

#include <common/buf.h>
#include <common/child.h>
#include <common/counters.h>
#include <common/env.h>
#include <common/units.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <terminal/emu.h>
#include <terminal/pty.h>
#include <unistd.h>

#define FEED    XCS_LIBEXEC_DIR "/xcs-feed"
#define WAIT_NS (20 * XCS_NS_PER_S)

struct world {
	char dir[64];
	char socket[128], page[128];
	int listen_fd, runner_fd;
	struct pty pty;
	uint64_t n_lines, n_bytes; /* that the terminal has read, of lines and CR LF */
	struct emu emu;
	bool is_asked;        /* the terminal has seen ESC [ 5 n */
	bool is_silent;       /* the terminal does not answer */
	struct xcs_buf heard; /* what the feeder told last */
};

static int make_world(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	struct xcs_err err;

	snprintf(w->dir, sizeof(w->dir), "/tmp/xcs-feed-test-XXXXXX");
	assert_non_null(mkdtemp(w->dir));
	snprintf(w->socket, sizeof(w->socket), "%s/socket", w->dir);
	snprintf(w->page, sizeof(w->page), "%s/page", w->dir);
	assert_int_equal(xcs_counters_create(w->page, &err), 0);
	memcpy(at.sun_path, w->socket, strlen(w->socket) + 1);
	w->listen_fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(w->listen_fd, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(w->listen_fd, 4), 0);
	w->runner_fd = -1;
	*state = w;
	return 0;
}

static int end_world(void **state)
{
	struct world *w = *state;

	pty_close(&w->pty, 0);
	close(w->listen_fd);
	if (w->runner_fd >= 0)
		close(w->runner_fd);
	unlink(w->socket);
	unlink(w->page);
	rmdir(w->dir);
	xcs_buf_fini(&w->heard);
	free(w);
	return 0;
}

static bool is_ready(int fd, int timeout_ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return poll(&p, 1, timeout_ms) > 0;
}

static void start(struct world *w, const char *const *argv)
{
	struct xcs_err err;

	assert_int_equal(pty_start(&w->pty, argv, NULL, (struct pty_size){2, 80, 1, 1}, &err), 0);
}

/* Takes the feeder's call and its hello. */
static void meet(struct world *w, const char *hello)
{
	char word[64] = "";

	assert_true(is_ready(w->listen_fd, 20000));
	w->runner_fd = accept(w->listen_fd, NULL, NULL);
	assert_true(w->runner_fd >= 0 && is_ready(w->runner_fd, 20000));
	assert_true(recv(w->runner_fd, word, sizeof(word) - 1, 0) > 0);
	assert_string_equal(word, hello);
}

static void go(struct world *w)
{
	assert_int_equal(send(w->runner_fd, "go", 2, 0), 2);
}

static void on_text(void *data, const char *run, size_t n)
{
	struct world *w = data;

	(void)run;
	w->n_bytes += w->is_asked ? 0 : n;
}

static void on_control(void *data, char c)
{
	struct world *w = data;

	if (c != '\n' || w->is_asked)
		return;
	w->n_lines++;
	w->n_bytes++;
}

static void on_query(void *data, enum emu_query query)
{
	struct world *w = data;

	assert_int_equal(query, EMU_STATUS);
	w->is_asked = true;
	if (!w->is_silent)
		assert_int_equal(write(w->pty.master_fd, "\033[0n", 4), 4);
}

/* The terminal reads once; counts lines, answers the question. False at the end. */
static bool terminal_reads(struct world *w)
{
	static const struct emu_ops ops = {on_text, on_control, on_query};
	char bytes[4096];

	if (!is_ready(w->pty.master_fd, 20000))
		return false;
	ssize_t n = read(w->pty.master_fd, bytes, sizeof(bytes));
	if (n <= 0)
		return n < 0 && errno == EAGAIN;
	emu_feed(&w->emu, bytes, (size_t)n, &ops, w);
	return true;
}

static void hear_total(struct world *w)
{
	char text[256] = "";

	assert_true(is_ready(w->runner_fd, 20000));
	assert_true(recv(w->runner_fd, text, sizeof(text) - 1, 0) > 0);
	xcs_buf_puts(&w->heard, text);
}

static uint64_t counter(const struct world *w, enum xcs_counter c)
{
	struct xcs_counters_page *page;
	struct xcs_err err;
	uint64_t v = 0;

	assert_int_equal(xcs_counters_open(w->page, false, &page, &err), 0);
	assert_true(xcs_counters_get(page, c, &v));
	xcs_counters_close(page);
	return v;
}

/* Waits for its end before the terminal hangs up: a hang-up in the middle of the leak
 * sanitizer's last look stops that for ever. */
static int exit_status(struct world *w)
{
	assert_true(is_ready(w->pty.pidfd, 20000));
	int status = pty_close(&w->pty, WAIT_NS);

	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void it_waits_for_go_and_stops_behind_its_lines(void **state)
{
	struct world *w = *state;
	const char *argv[] = {FEED,     "--announce", w->socket, "--role", "feeder7",
	                      "--page", w->page,      "--lines", "1234",   "--columns",
	                      "40",     "lines",      NULL};

	start(w, argv);
	meet(w, "hello feeder7");
	assert_false(is_ready(w->pty.master_fd, 0));
	go(w);
	while (!w->is_asked && terminal_reads(w))
		;
	assert_int_equal(w->n_lines, 1234);
	assert_int_equal(w->n_bytes, 1234 * 40);
	hear_total(w);
	assert_string_equal(w->heard.p, "total lines 1234 bytes 49360 confirmed 1234");
	assert_int_equal(counter(w, XCS_COUNTER_LINES), 1234);
	assert_int_equal(counter(w, XCS_COUNTER_BYTES_OUT), 49360);
	assert_int_equal(counter(w, XCS_COUNTER_CONFIRMED_LINES), 1234);
	assert_int_equal(exit_status(w), 0);
}

/* What it says it wrote is what the terminal got, wherever the signal met it. */
static void stop_behind(struct world *w, uint64_t n_bytes)
{
	const char *argv[] = {FEED, "--announce", w->socket, "--page", w->page, "lines", NULL};
	char total[128];

	start(w, argv);
	meet(w, "hello feeder");
	go(w);
	while (w->n_bytes < n_bytes && terminal_reads(w))
		;
	kill(w->pty.pid, SIGTERM);
	while (!w->is_asked && terminal_reads(w))
		;
	hear_total(w);
	snprintf(total, sizeof(total), "total lines %llu bytes %llu confirmed %llu",
	         (unsigned long long)w->n_lines, (unsigned long long)w->n_bytes,
	         (unsigned long long)w->n_lines);
	assert_string_equal(w->heard.p, total);
	assert_int_equal(w->n_bytes, w->n_lines * 80);
	assert_int_equal(counter(w, XCS_COUNTER_LINES), w->n_lines);
	assert_int_equal(exit_status(w), 0);
}

static void totals_are_exact_when_stopped_early(void **state)
{
	stop_behind(*state, 1);
}

static void totals_are_exact_when_stopped_late(void **state)
{
	stop_behind(*state, 500000);
}

/* The feeder sleeps in a write that only the signal can end. */
static void a_terminal_that_does_not_read_cannot_hold_it(void **state)
{
	struct world *w = *state;
	const char *argv[] = {FEED,    "--announce", w->socket, "--confirm-within",
	                      "300ms", "lines",      NULL};

	start(w, argv);
	meet(w, "hello feeder");
	go(w);
	assert_true(is_ready(w->pty.master_fd, 20000));
	kill(w->pty.pid, SIGTERM);
	hear_total(w);
	assert_non_null(strstr(w->heard.p, "confirmed n/a"));
	assert_int_equal(exit_status(w), 2);
}

static void a_terminal_that_does_not_answer_is_told(void **state)
{
	struct world *w = *state;
	const char *argv[] = {FEED,    "--announce", w->socket, "--lines", "3", "--confirm-within",
	                      "200ms", "lines",      NULL};

	w->is_silent = true;
	start(w, argv);
	meet(w, "hello feeder");
	go(w);
	while (!w->is_asked && terminal_reads(w))
		;
	hear_total(w);
	assert_string_equal(w->heard.p, "total lines 3 bytes 240 confirmed n/a");
	assert_int_equal(exit_status(w), 2);
}

static void it_ends_when_the_runner_dies(void **state)
{
	struct world *w = *state;
	const char *argv[] = {FEED, "--announce", w->socket, "lines", NULL};

	start(w, argv);
	meet(w, "hello feeder");
	go(w);
	assert_true(terminal_reads(w));
	close(w->runner_fd);
	w->runner_fd = -1;
	while (!w->is_asked && terminal_reads(w))
		;
	assert_true(w->is_asked);
	assert_int_equal(exit_status(w), 2);
}

static void a_stop_before_go_writes_nothing(void **state)
{
	struct world *w = *state;
	const char *argv[] = {FEED, "--announce", w->socket, "lines", NULL};

	start(w, argv);
	meet(w, "hello feeder");
	kill(w->pty.pid, SIGTERM);
	assert_true(is_ready(w->pty.pidfd, 20000));
	assert_false(is_ready(w->pty.master_fd, 0) && terminal_reads(w));
	assert_int_equal(exit_status(w), 0);
}

static void yes_is_yes_itself(void **state)
{
	struct world *w = *state;
	const char *argv[] = {FEED, "--announce", w->socket, "yes", NULL};
	char bytes[64] = "";

	start(w, argv);
	meet(w, "hello feeder");
	go(w);
	assert_true(is_ready(w->pty.master_fd, 20000));
	assert_true(read(w->pty.master_fd, bytes, 6) > 0);
	assert_memory_equal(bytes, "y\r\n", 3);
	/* Its end of our socket is closed. */
	assert_true(is_ready(w->runner_fd, 20000));
	assert_int_equal(recv(w->runner_fd, bytes, sizeof(bytes), 0), 0);
	int status = pty_close(&w->pty, WAIT_NS);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
}

static void the_terminal_gets_its_modes_back(void **state)
{
	struct world *w = *state;
	const char *argv[] = {"sh", "-c",
	                      "a=$(stty -g); " FEED " --lines 5 lines 2>/dev/null; "
	                      "test \"$a\" = \"$(stty -g)\"",
	                      NULL};

	start(w, argv);
	while (terminal_reads(w))
		;
	assert_true(w->is_asked);
	assert_int_equal(exit_status(w), 0);
}

#define IN_A_WORLD(test) cmocka_unit_test_setup_teardown(test, make_world, end_world)

static void a_pace_is_kept(void **state)
{
	static const char *const argv[] = {FEED,          "--lines=9", "--lines-per-s=20",
	                                   "--columns=8", "lines",     NULL};
	const struct xcs_spawn spawn = {.argv = argv};
	struct xcs_buf out = {0};
	struct xcs_err err;

	(void)state;
	int64_t start_ns = xcs_mono_now_ns();
	assert_int_equal(xcs_child_capture(&spawn, WAIT_NS, &out, &err), 0);
	assert_int_equal(out.n, 9 * 8);
	assert_memory_equal(out.p + 8 * 8, "0000009\n", 8);
	/* The first is due at once, the ninth after eight twentieths of a second. */
	assert_true(xcs_mono_now_ns() - start_ns >= 400 * XCS_NS_PER_MS);
	xcs_buf_fini(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        IN_A_WORLD(it_waits_for_go_and_stops_behind_its_lines),
	        IN_A_WORLD(totals_are_exact_when_stopped_early),
	        IN_A_WORLD(totals_are_exact_when_stopped_late),
	        IN_A_WORLD(a_terminal_that_does_not_read_cannot_hold_it),
	        IN_A_WORLD(a_terminal_that_does_not_answer_is_told),
	        IN_A_WORLD(it_ends_when_the_runner_dies),
	        IN_A_WORLD(a_stop_before_go_writes_nothing),
	        IN_A_WORLD(yes_is_yes_itself),
	        IN_A_WORLD(the_terminal_gets_its_modes_back),
	        cmocka_unit_test(a_pace_is_kept),
	};

	return cmocka_run_group_tests_name("xclient-stress-feed", tests, NULL, NULL);
}
