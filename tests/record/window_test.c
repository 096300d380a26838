/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Differences over a trial's window, on trials whose rates are known.
 */
#include "sample_run.h"

#include <common/alloc.h>
#include <record/window.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define S INT64_C(1000000000)

static const struct sample_rates full = {
        .cs = 1000,
        .x_vol = 10,
        .x_invol = 200,
        .x_cpu_pct = 40,
        .client_cpu_pct = 10,
        .feeder_cpu_pct = 5,
        .lines = 12000,
        .frames = 60,
        .n_clients = 4,
};

static void rates_come_back(void **state)
{
	struct xcs_trial_data t;
	struct xcs_window w;

	(void)state;
	sample_trial_init(&t, &full);
	xcs_window_init(&w, &t);
	assert_true(w.dt_ns == 5 * S);
	assert_true(w.ctxt == 5000);
	assert_true(w.intr == 5000);
	assert_true(w.psi_cpu_some_us == XCS_ABSENT);
	assert_true(w.ticks[XCS_WINDOW_US] == 5 * 80);
	assert_true(w.ticks[XCS_WINDOW_SY] == 5 * 20);
	assert_true(w.ticks[XCS_WINDOW_ID] == 0);
	assert_int_equal(w.n_cpus, 1);
	assert_int_equal(w.n_roles, 9);
	const struct xcs_window_role *x = xcs_window_role(&w, "server");
	assert_true(x->dt_ns == 5 * S);
	assert_true(x->delta[XCS_WINDOW_VOLUNTARY] == 50);
	assert_true(x->delta[XCS_WINDOW_INVOLUNTARY] == 1000);
	assert_true(x->delta[XCS_WINDOW_EXEC_NS] == 2 * S);
	assert_true(x->tick_ns == 5 * S / 2);
	assert_true(x->tick_exec_ns == 2 * S);
	assert_true(x->rchar_bytes == XCS_ABSENT);
	const struct xcs_window_role *clients = &w.classes[XCS_CLASS_CLIENT];
	assert_int_equal(clients->n_threads, 4);
	assert_true(clients->delta[XCS_WINDOW_VOLUNTARY] == 4 * 5 * 30);
	assert_true(clients->rchar_bytes == 4 * 5 * INT64_C(12000) * 81);
	assert_true(clients->counter[XCS_COUNTER_FRAMES] == 4 * 5 * 60);
	assert_true(w.classes[XCS_CLASS_FEEDER].counter[XCS_COUNTER_LINES] == 4 * 5 * 12000);
	assert_true(w.classes[XCS_CLASS_FEEDER].counter[XCS_COUNTER_FRAMES] == XCS_ABSENT);
	assert_int_equal(w.classes[XCS_CLASS_OTHER].n_threads, 0);
	assert_true(w.observer_cpu_ns == 2500000);
	assert_true(w.observer_switches == 10);
	assert_true(w.observer_wakeups == 5);
	assert_true(w.foreign_pct.known);
	assert_true(fabs(w.foreign_pct.v) < 1e-6);
	assert_int_equal(w.n_events, 0);
	xcs_window_fini(&w);
	xcs_trial_fini(&t);
}

static void foreign_is_what_is_neither_idle_nor_ours(void **state)
{
	struct xcs_trial_data t;
	struct xcs_window w;

	(void)state;
	/* 60 % watched; of the 40 % left, 25 are idle after this. */
	struct sample_rates r = full;
	r.client_cpu_pct = 0;
	sample_trial_init(&t, &r);
	for (size_t i = 0; i < t.tables[XCS_TRIAL_SYSTEM].n_rows; i++) {
		int64_t *row = t.tables[XCS_TRIAL_SYSTEM].cells + i * XCS_N_SYSTEM_COLUMNS;
		row[XCS_SYSTEM_SET_IDLE_TICKS] -= (int64_t)i * 15;
		row[XCS_SYSTEM_SET_SOFTIRQ_TICKS] += (int64_t)i * 15;
	}
	xcs_window_init(&w, &t);
	assert_true(fabs(w.foreign_pct.v - 15) < 1e-3);
	xcs_window_fini(&w);
	free(t.cpus);
	t.cpus = NULL;
	xcs_window_init(&w, &t);
	assert_false(w.foreign_pct.known);
	xcs_window_fini(&w);
	xcs_trial_fini(&t);
}

static void a_falling_counter_is_an_event_and_no_rate(void **state)
{
	struct xcs_trial_data t;
	struct xcs_window w;

	(void)state;
	sample_trial_init(&t, &full);
	t.tables[XCS_TRIAL_SYSTEM].cells[3 * XCS_N_SYSTEM_COLUMNS + XCS_SYSTEM_CTXT_TOTAL] = 7;
	xcs_window_init(&w, &t);
	assert_true(w.ctxt == XCS_ABSENT);
	assert_true(w.intr == 5000);
	assert_int_equal(w.n_events, 1);
	assert_non_null(strstr(w.events[0], "system: ctxt_total fell from 5002000 to 7"));
	xcs_window_fini(&w);
	xcs_trial_fini(&t);
}

/* A second thread of the server, seen from sample `from` to sample `to`. */
static void add_thread(struct xcs_trial_data *t, int64_t from, int64_t to, uint64_t start_ticks)
{
	struct xcs_trial_task task = {.pid = 500, .tid = 501, .role = "server"};

	task.start_ticks = start_ticks;
	size_t index = xcs_trial_add_task(t, &task);
	for (int64_t i = from; i <= to; i++) {
		int64_t *row = xcs_table_add_row(&t->tables[XCS_TRIAL_TASK]);
		row[XCS_TASK_MONO_NS] = 1000 * S + i * S;
		row[XCS_TASK_INDEX] = (int64_t)index;
		for (int c = XCS_TASK_SWITCHES_TOTAL; c <= XCS_TASK_MIGRATIONS_TOTAL; c++)
			row[c] = 1000 + i * 100;
	}
}

static int64_t switches_with_thread(int64_t from, int64_t to, uint64_t start_ticks, int *n_threads)
{
	struct xcs_trial_data t;
	struct xcs_window w;

	sample_trial_init(&t, &full);
	add_thread(&t, from, to, start_ticks);
	xcs_window_init(&w, &t);
	const struct xcs_window_role *x = xcs_window_role(&w, "server");
	int64_t switches = x->delta[XCS_WINDOW_SWITCHES];
	*n_threads = x->n_threads;
	assert_true(x->dt_ns == 5 * S);
	xcs_window_fini(&w);
	xcs_trial_fini(&t);
	return switches;
}

/* One without ticks at both ends would make the others look wrong. */
static void the_accounting_error_is_of_threads_with_both_times(void **state)
{
	struct xcs_trial_data t;
	struct xcs_window w;

	(void)state;
	sample_trial_init(&t, &full);
	add_thread(&t, 0, 3, 1);
	xcs_window_init(&w, &t);
	assert_true(w.classes[XCS_CLASS_SERVER].tick_ns == 5 * S / 2);
	assert_true(w.classes[XCS_CLASS_SERVER].tick_exec_ns == 2 * S);
	assert_true(w.classes[XCS_CLASS_SERVER].delta[XCS_WINDOW_EXEC_NS] == 2 * S + 300);
	assert_true(w.classes[XCS_CLASS_OTHER].tick_ns == XCS_ABSENT);
	xcs_window_fini(&w);
	for (size_t i = 0; i < t.tables[XCS_TRIAL_TASK].n_rows; i++)
		t.tables[XCS_TRIAL_TASK].cells[i * XCS_N_TASK_COLUMNS + XCS_TASK_TICK_NS] =
		        XCS_ABSENT;
	xcs_window_init(&w, &t);
	assert_true(w.classes[XCS_CLASS_SERVER].tick_ns == XCS_ABSENT);
	assert_true(w.classes[XCS_CLASS_SERVER].tick_exec_ns == XCS_ABSENT);
	xcs_window_fini(&w);
	xcs_trial_fini(&t);
}

static void threads_come_and_go(void **state)
{
	const int64_t main_thread = 5 * 210;
	int n;

	(void)state;
	/* There all the time: the difference. */
	assert_true(switches_with_thread(0, 5, 50, &n) == main_thread + 500);
	assert_int_equal(n, 2);
	/* Ended after sample 2: its last counts stay. */
	assert_true(switches_with_thread(0, 2, 50, &n) == main_thread + 200);
	/* Started at 1002.5 s, first seen at sample 3: counts from 0. */
	assert_true(switches_with_thread(3, 5, 100250, &n) == main_thread + 1500);
	/* First seen at sample 3 though it is older: only what was seen. */
	assert_true(switches_with_thread(3, 5, 50, &n) == main_thread + 200);
}

static void one_unknown_thread_makes_the_sum_unknown(void **state)
{
	struct xcs_trial_data t;
	struct xcs_window w;

	(void)state;
	sample_trial_init(&t, &full);
	add_thread(&t, 0, 5, 50);
	for (size_t i = 0; i < t.tables[XCS_TRIAL_TASK].n_rows; i++) {
		int64_t *row = t.tables[XCS_TRIAL_TASK].cells + i * XCS_N_TASK_COLUMNS;
		if (row[XCS_TASK_INDEX] == 9)
			row[XCS_TASK_VOLUNTARY_TOTAL] = XCS_ABSENT;
	}
	xcs_window_init(&w, &t);
	const struct xcs_window_role *x = &w.classes[XCS_CLASS_SERVER];
	assert_true(x->delta[XCS_WINDOW_VOLUNTARY] == XCS_ABSENT);
	assert_true(x->delta[XCS_WINDOW_SWITCHES] == 5 * 210 + 500);
	xcs_window_fini(&w);
	xcs_trial_fini(&t);
}

static void an_empty_trial_is_all_unknown(void **state)
{
	static const size_t hint[XCS_N_TRIAL_TABLES];
	struct xcs_trial_data t;
	struct xcs_window w;

	(void)state;
	xcs_trial_init(&t, hint);
	xcs_window_init(&w, &t);
	assert_true(w.dt_ns == XCS_ABSENT && w.ctxt == XCS_ABSENT);
	assert_int_equal(w.n_roles, 0);
	assert_false(w.foreign_pct.known);
	assert_false(w.running.known);
	assert_true(w.classes[XCS_CLASS_SERVER].delta[XCS_WINDOW_EXEC_NS] == XCS_ABSENT);
	xcs_window_fini(&w);
	xcs_trial_fini(&t);
}

/* A command's last sample is older than its end; wait4 knows better. */
static void an_ended_command_has_the_time_that_wait4_told(void **state)
{
	struct xcs_run_timing timing = {
	        .role = "client0", .user_ns = {true, 1.5e9},
                     .sys_ns = {true, 0.5e9}
        };
	const struct xcs_run_trial trial = {.timings = &timing, .n_timings = 1};
	struct xcs_trial_data t;
	struct xcs_window w;

	(void)state;
	sample_trial_init(&t, &full);
	for (size_t i = 0; i < t.n_tasks; i++)
		if (strcmp(t.tasks[i].role, "feeder0") == 0)
			strcpy(t.tasks[i].role, "command0");
	xcs_window_init(&w, &t);
	const struct xcs_window_role *command = xcs_window_role(&w, "command0");
	double foreign_pct = w.foreign_pct.v;
	assert_int_equal(command->class_id, XCS_CLASS_FEEDER);
	assert_true(command->delta[XCS_WINDOW_EXEC_NS] == S / 4);
	xcs_window_take_timings(&w, &trial);
	assert_true(command->delta[XCS_WINDOW_EXEC_NS] == 2 * S);
	assert_true(command->delta[XCS_WINDOW_VOLUNTARY] == XCS_ABSENT);
	assert_true(command->dt_ns == w.dt_ns);
	assert_true(w.classes[XCS_CLASS_FEEDER].delta[XCS_WINDOW_EXEC_NS] == 2 * S + 3 * (S / 4));
	/* 1.75 s of the 5 s were thought to be others'. */
	double want_pct = foreign_pct > 35 ? foreign_pct - 35 : 0;
	assert_true(w.foreign_pct.known && fabs(w.foreign_pct.v - want_pct) < 1e-6);
	timing.sys_ns.known = false;
	xcs_window_take_timings(&w, &trial);
	assert_false(w.foreign_pct.known);
	xcs_window_fini(&w);
	xcs_trial_fini(&t);
}

/* Cells of a damaged file hold any number; the sanitizer watches the arithmetic. */
static void extreme_cells_do_no_harm(void **state)
{
	static const int64_t extremes[] = {INT64_MIN, INT64_MAX, -1, 0};
	struct xcs_trial_data t;
	struct xcs_window w;

	(void)state;
	for (size_t e = 0; e < 64; e++) {
		sample_trial_init(&t, &full);
		t.tasks[0].start_ticks = UINT64_MAX - e;
		for (int table = 0; table < XCS_N_TRIAL_TABLES; table++) {
			struct xcs_table *x = &t.tables[table];
			for (size_t i = 0; i < x->n_rows * x->n_columns; i++)
				if (i % x->n_columns > 1 && i % 7 == e % 7)
					x->cells[i] = extremes[(i / 7 + e) % 4];
		}
		xcs_window_init(&w, &t);
		assert_true(!w.foreign_pct.known ||
		            (w.foreign_pct.v >= 0 && w.foreign_pct.v <= 100));
		xcs_window_fini(&w);
		xcs_trial_fini(&t);
	}
}

static void a_timers_children_are_known_by_its_call_only(void **state)
{
	struct xcs_run_timing timings[] = {
	        {.role = (char *)(uintptr_t) "run0",      .user_ns = {true, 4e9}, .sys_ns = {true, 4e9}},
	        {.role = (char *)(uintptr_t) "hyperfine",
	         .user_ns = {true, 0.2e9},
	         .sys_ns = {true, 0.1e9}	                                                       },
	};
	const struct xcs_run_trial trial = {.timings = timings, .n_timings = 2};
	const struct xcs_run_trial without = {.timings = timings, .n_timings = 1};
	struct sample_rates rates = full;
	struct xcs_trial_data t;
	struct xcs_window w;

	(void)state;
	rates.client_cpu_pct = 2; /* 68 % watched, 32 idle, and none idle after this */
	sample_trial_init(&t, &rates);
	for (size_t i = 0; i < t.n_tasks; i++)
		if (strcmp(t.tasks[i].role, "client0") == 0)
			snprintf(t.tasks[i].role, sizeof(t.tasks[i].role), "timer");
	for (size_t i = 0; i < t.tables[XCS_TRIAL_SYSTEM].n_rows; i++)
		t.tables[XCS_TRIAL_SYSTEM]
		        .cells[i * XCS_N_SYSTEM_COLUMNS + XCS_SYSTEM_SET_IDLE_TICKS] -=
		        (int64_t)i * 32;
	xcs_window_init(&w, &t);
	assert_false(w.foreign_pct.known);
	xcs_window_take_timings(&w, &without);
	assert_false(w.foreign_pct.known);
	/* The others use 66 % of five seconds; the call 0.3 s, with the 2 % of the timer itself. */
	xcs_window_take_timings(&w, &trial);
	assert_true(w.foreign_pct.known);
	assert_true(fabs(w.foreign_pct.v - 28) < 1e-6);
	xcs_window_fini(&w);
	xcs_trial_fini(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(rates_come_back),
	        cmocka_unit_test(foreign_is_what_is_neither_idle_nor_ours),
	        cmocka_unit_test(a_timers_children_are_known_by_its_call_only),
	        cmocka_unit_test(a_falling_counter_is_an_event_and_no_rate),
	        cmocka_unit_test(the_accounting_error_is_of_threads_with_both_times),
	        cmocka_unit_test(threads_come_and_go),
	        cmocka_unit_test(one_unknown_thread_makes_the_sum_unknown),
	        cmocka_unit_test(an_empty_trial_is_all_unknown),
	        cmocka_unit_test(an_ended_command_has_the_time_that_wait4_told),
	        cmocka_unit_test(extreme_cells_do_no_harm),
	};

	return cmocka_run_group_tests_name("record_window", tests, NULL, NULL);
}
