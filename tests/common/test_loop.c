/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The event loop: descriptors, signals, deadlines, and callbacks that change the watches.
 */
#include "cmocka_test.h"

#include <common/env.h>
#include <common/loop.h>
#include <common/units.h>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

struct pipes {
	struct xcs_loop *loop;
	int a[2], b[2];
	int n_calls;
};

static int set_up(void **state)
{
	static struct pipes p;

	p = (struct pipes){.loop = xcs_loop_new()};
	*state = &p;
	return pipe2(p.a, O_CLOEXEC) || pipe2(p.b, O_CLOEXEC);
}

static int tear_down(void **state)
{
	struct pipes *p = *state;

	xcs_loop_free(p->loop);
	for (int i = 0; i < 2; i++)
		close(p->a[i]), close(p->b[i]);
	return 0;
}

static int64_t in_a_minute(void)
{
	return xcs_mono_now_ns() + 60 * XCS_NS_PER_S;
}

static int take_byte(int fd, void *data)
{
	struct pipes *p = data;
	char c = 0;

	p->n_calls++;
	return read(fd, &c, 1) == 1 ? c : 100;
}

static int drop_the_other(int fd, void *data)
{
	struct pipes *p = data;

	p->n_calls++;
	xcs_loop_unwatch(p->loop, fd == p->a[0] ? p->b[0] : p->a[0]);
	return 0;
}

static int on_signal(int signo, void *data)
{
	struct pipes *p = data;

	p->n_calls++;
	return signo;
}

static void a_ready_descriptor_ends_the_loop_with_its_value(void **state)
{
	struct pipes *p = *state;

	xcs_loop_watch(p->loop, p->a[0], take_byte, p);
	assert_int_equal(write(p->a[1], "\x05", 1), 1);
	assert_int_equal(xcs_loop_run(p->loop, in_a_minute()), 5);
}

static void zero_goes_on(void **state)
{
	struct pipes *p = *state;

	xcs_loop_watch(p->loop, p->a[0], take_byte, p);
	assert_int_equal(write(p->a[1], "\0\0\x07", 3), 3);
	assert_int_equal(xcs_loop_run(p->loop, in_a_minute()), 7);
	assert_int_equal(p->n_calls, 3);
}

static void a_hang_up_is_an_event(void **state)
{
	struct pipes *p = *state;

	xcs_loop_watch(p->loop, p->a[0], take_byte, p);
	close(p->a[1]);
	p->a[1] = dup(p->b[1]);
	assert_int_equal(xcs_loop_run(p->loop, in_a_minute()), 100);
}

static void the_deadline_ends_it_and_not_before(void **state)
{
	struct pipes *p = *state;
	int64_t deadline_ns = xcs_mono_now_ns() + 20 * XCS_NS_PER_MS;

	xcs_loop_watch(p->loop, p->a[0], take_byte, p);
	assert_int_equal(xcs_loop_run(p->loop, deadline_ns), 0);
	assert_true(xcs_mono_now_ns() >= deadline_ns);
	assert_int_equal(p->n_calls, 0);
}

static void a_past_deadline_still_handles_what_is_ready(void **state)
{
	struct pipes *p = *state;

	xcs_loop_watch(p->loop, p->a[0], take_byte, p);
	assert_int_equal(xcs_loop_run(p->loop, 0), 0);
	assert_int_equal(write(p->a[1], "\x09", 1), 1);
	assert_int_equal(xcs_loop_run(p->loop, 0), 9);
}

static void an_unwatched_descriptor_is_silent_even_in_the_same_round(void **state)
{
	struct pipes *p = *state;

	xcs_loop_watch(p->loop, p->a[0], drop_the_other, p);
	xcs_loop_watch(p->loop, p->b[0], drop_the_other, p);
	assert_int_equal(write(p->a[1], "x", 1), 1);
	assert_int_equal(write(p->b[1], "x", 1), 1);
	assert_int_equal(xcs_loop_run(p->loop, 0), 0);
	assert_int_equal(p->n_calls, 1);
	xcs_loop_unwatch(p->loop, 12345); /* not there: fine */
}

static void signals_arrive_through_the_loop(void **state)
{
	struct pipes *p = *state;
	const int signals[] = {SIGUSR1, SIGUSR2, 0};

	assert_int_equal(xcs_loop_signals(p->loop, signals, on_signal, p, NULL), 0);
	raise(SIGUSR2);
	assert_int_equal(xcs_loop_run(p->loop, in_a_minute()), SIGUSR2);
	raise(SIGUSR1);
	assert_int_equal(xcs_loop_run(p->loop, in_a_minute()), SIGUSR1);
	assert_int_equal(p->n_calls, 2);
}

static void freeing_unblocks_the_signals(void **state)
{
	struct pipes *p = *state;
	const int signals[] = {SIGUSR1, 0};
	sigset_t now;

	assert_int_equal(xcs_loop_signals(p->loop, signals, on_signal, p, NULL), 0);
	sigprocmask(SIG_SETMASK, NULL, &now);
	assert_int_equal(sigismember(&now, SIGUSR1), 1);
	xcs_loop_free(p->loop);
	p->loop = NULL;
	sigprocmask(SIG_SETMASK, NULL, &now);
	assert_int_equal(sigismember(&now, SIGUSR1), 0);
}

static void many_watches_fit(void **state)
{
	struct pipes *p = *state;
	int fds[100];

	for (int i = 0; i < 100; i++) {
		fds[i] = dup(p->a[0]);
		xcs_loop_watch(p->loop, fds[i], take_byte, p);
	}
	assert_int_equal(write(p->a[1], "\x03", 1), 1);
	assert_int_equal(xcs_loop_run(p->loop, in_a_minute()), 3);
	for (int i = 0; i < 100; i++) {
		xcs_loop_unwatch(p->loop, fds[i]);
		close(fds[i]);
	}
}

#define WITH_PIPES(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        WITH_PIPES(a_ready_descriptor_ends_the_loop_with_its_value),
	        WITH_PIPES(zero_goes_on),
	        WITH_PIPES(a_hang_up_is_an_event),
	        WITH_PIPES(the_deadline_ends_it_and_not_before),
	        WITH_PIPES(a_past_deadline_still_handles_what_is_ready),
	        WITH_PIPES(an_unwatched_descriptor_is_silent_even_in_the_same_round),
	        WITH_PIPES(signals_arrive_through_the_loop),
	        WITH_PIPES(freeing_unblocks_the_signals),
	        WITH_PIPES(many_watches_fit),
	};

	return cmocka_run_group_tests_name("common: loop", tests, NULL, NULL);
}
