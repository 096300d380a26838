/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The feeder as the runner and a terminal meet it: this test is both of them.
 */
#include "feed_world.h"

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
