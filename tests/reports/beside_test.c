/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Figures of what runs beside a load, on windows whose counters are known.
 */
#include <common/alloc.h>
#include <reports/figures.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define S INT64_C(1000000000)

static void is_about(struct xcs_num got, double want)
{
	if (got.known && fabs(got.v - want) <= 1e-9 * fabs(want) + 1e-9)
		return;
	print_message("got %s%g, want %g\n", got.known ? "" : "unknown ", got.v, want);
	fail();
}

/* A trial of one row pair per role, 10 s long. */
static void add_role(struct xcs_trial_data *t, const char *role, int64_t exec_ns, int64_t delay_ns,
                     int64_t nice)
{
	struct xcs_trial_task task = {.pid = 100 + (pid_t)t->n_tasks};

	task.tid = task.pid;
	snprintf(task.role, sizeof(task.role), "%s", role);
	int64_t index = (int64_t)xcs_trial_add_task(t, &task);
	for (int64_t end = 0; end < 2; end++) {
		int64_t *row = xcs_table_add_row(&t->tables[XCS_TRIAL_TASK]);
		row[XCS_TASK_MONO_NS] = 1000 * S + end * 10 * S;
		row[XCS_TASK_INDEX] = index;
		row[XCS_TASK_EXEC_NS] = 5 * S + end * exec_ns;
		row[XCS_TASK_RUN_DELAY_NS] = 7 * S + end * delay_ns;
		row[XCS_TASK_NICE] = nice;
	}
}

/* Ten loops share a CPU with a server that is always runnable and a client that is so for
 * half of the time. */
static void ten_loops(struct xcs_trial_data *t, int64_t server_nice)
{
	static const size_t hint[XCS_N_TRIAL_TABLES] = {2, 32, 2, 2, 2};
	char role[16];

	xcs_trial_init(t, hint);
	t->period_ns = S;
	t->ticks_per_s = 100;
	t->cpus = xcs_xstrdup("1");
	add_role(t, "server", 1 * S, 9 * S, server_nice);
	add_role(t, "client0", 1 * S, 4 * S, 0);
	for (int i = 0; i < 10; i++) {
		snprintf(role, sizeof(role), "hog%d", i);
		add_role(t, role, i ? 800 * S / 1000 : 700 * S / 1000, 9 * S, 0);
	}
}

static struct xcs_figures figures_of(struct xcs_trial_data *t, struct xcs_run *run, int x_nice)
{
	const struct xcs_run_load load = {.n_clients = 1};
	const struct xcs_run_cell cell = {.x_nice = x_nice, .n_hogs = 10};
	struct xcs_window w;
	struct xcs_figures f;

	xcs_window_init(&w, t);
	xcs_figures_of(&f, &w, &load);
	xcs_figures_expect_hogs(&f, &w, run, &cell);
	xcs_window_fini(&w);
	return f;
}

static void each_loop_must_get_its_weight_of_all_that_is_runnable(void **state)
{
	struct xcs_run run = {0};
	struct xcs_trial_data t;

	(void)state;
	ten_loops(&t, 0);
	struct xcs_figures f = figures_of(&t, &run, 0);
	is_about(f.v[XCS_METRIC_HOG_CPU], (7 + 9 * 8) / 10.0);
	is_about(f.v[XCS_METRIC_HOG_CPU_MIN], 7);
	is_about(f.v[XCS_METRIC_HOG_CPU_MAX], 8);
	is_about(f.v[XCS_METRIC_HOG_EXPECTED], 100 / (10 + 1 + 0.5));
	is_about(f.v[XCS_METRIC_HOG_FAIRNESS], 79.0 * 79 / (10 * (49 + 9 * 64)));
	xcs_trial_fini(&t);

	/* A server at -10 weighs as much as 1.25^10 loops. */
	ten_loops(&t, -10);
	f = figures_of(&t, &run, -10);
	is_about(f.v[XCS_METRIC_HOG_EXPECTED], 100 / (10 + pow(1.25, 10) + 0.5));
	xcs_trial_fini(&t);
}

static void with_autogroup_a_session_weighs_one(void **state)
{
	struct xcs_run run = {0};
	struct xcs_trial_data t;

	(void)state;
	xcs_facts_set(&run.environment, "sched.autogroup", "1", "proc");
	ten_loops(&t, -10);
	struct xcs_figures f = figures_of(&t, &run, -10);
	is_about(f.v[XCS_METRIC_HOG_EXPECTED], 100 / (10 + 1 + 0.5));
	run.plan.autogroup_mode = xcs_xstrdup("nice");
	f = figures_of(&t, &run, -10);
	is_about(f.v[XCS_METRIC_HOG_EXPECTED], 100 / (10 + pow(1.25, 10) + 0.5));
	xcs_trial_fini(&t);
	xcs_run_fini(&run);
}

static void a_build_competes_with_all_its_jobs(void **state)
{
	struct xcs_run_load load = {.n_compile_jobs = 4};
	struct xcs_run run = {.loads = &load, .n_loads = 1};
	struct xcs_trial_data t;

	(void)state;
	ten_loops(&t, 0);
	add_role(&t, "build", S / 1000, 0, 0);
	struct xcs_figures f = figures_of(&t, &run, 0);
	is_about(f.v[XCS_METRIC_HOG_EXPECTED], 100 / (10 + 1 + 0.5 + 4));
	xcs_facts_set(&run.environment, "sched.autogroup", "1", "proc");
	f = figures_of(&t, &run, 0);
	is_about(f.v[XCS_METRIC_HOG_EXPECTED], 100 / (10 + 1 + 0.5 + 1));
	xcs_trial_fini(&t);
	run.loads = NULL;
	run.n_loads = 0;
	xcs_run_fini(&run);
}

static void what_is_not_known_makes_no_share(void **state)
{
	struct xcs_run run = {0};
	struct xcs_trial_data t;

	(void)state;
	ten_loops(&t, 0);
	/* The server's nice changed inside the window, and one loop's time is unknown. */
	struct xcs_table *tasks = &t.tables[XCS_TRIAL_TASK];
	tasks->cells[XCS_TASK_NICE] = -5;
	for (size_t row = 6; row < 8; row++)
		tasks->cells[row * tasks->n_columns + XCS_TASK_EXEC_NS] = XCS_ABSENT;
	struct xcs_figures f = figures_of(&t, &run, 0);
	assert_false(f.v[XCS_METRIC_HOG_EXPECTED].known);
	assert_false(f.v[XCS_METRIC_HOG_CPU].known);
	assert_false(f.v[XCS_METRIC_HOG_CPU_MAX].known);
	xcs_trial_fini(&t);
}

/* The server and a build; the tick gave the server 2 s of its 4, so the build got the rest. */
static void a_build_has_its_compilers_time_and_what_the_tick_gave_nobody_else(void **state)
{
	static const size_t hint[XCS_N_TRIAL_TABLES] = {2, 8, 2, 4, 2};
	const struct xcs_run_load load = {.n_clients = 1, .n_compile_jobs = 2};
	struct xcs_trial_data t;
	struct xcs_window w;
	struct xcs_figures f;

	(void)state;
	xcs_trial_init(&t, hint);
	t.period_ns = 10 * S;
	t.ticks_per_s = 100;
	t.cpus = xcs_xstrdup("1");
	add_role(&t, "server", 4 * S, 0, 0);
	add_role(&t, "build", S / 10, 0, 0);
	struct xcs_table *tasks = &t.tables[XCS_TRIAL_TASK];
	for (size_t row = 0; row < tasks->n_rows; row++) {
		tasks->cells[row * tasks->n_columns + XCS_TASK_TICK_NS] =
		        (int64_t)(row % 2) * (row < 2 ? 2 * S : 0);
		tasks->cells[row * tasks->n_columns + XCS_TASK_SWITCHES_TOTAL] =
		        (int64_t)(row % 2) * 100;
	}
	int64_t page = (int64_t)xcs_trial_add_page(&t, "build");
	for (int64_t end = 0; end < 2; end++) {
		int64_t *row = xcs_table_add_row(&t.tables[XCS_TRIAL_COUNTER]);
		row[XCS_COUNTER_MONO_NS] = 1000 * S + end * 10 * S;
		row[XCS_COUNTER_PAGE] = page;
		row[XCS_COUNTER_FIRST + XCS_COUNTER_FILES] = 7 + end * 40;
		row[XCS_COUNTER_FIRST + XCS_COUNTER_CHILD_CPU_NS] = end * 5 * S;
		row[XCS_COUNTER_FIRST + XCS_COUNTER_CHILD_SWITCHES] = end * 300;
		row = xcs_table_add_row(&t.tables[XCS_TRIAL_SYSTEM]);
		row[XCS_SYSTEM_MONO_NS] = 1000 * S + end * 10 * S;
		row[XCS_SYSTEM_SET_USER_TICKS] = 5000 + end * 800;
		row[XCS_SYSTEM_SET_SYSTEM_TICKS] = end * 100;
		row[XCS_SYSTEM_SET_NICE_TICKS] = 0;
		row[XCS_SYSTEM_SET_IDLE_TICKS] = end * 100;
		row[XCS_SYSTEM_SET_RUN_NS] = end * 92 * S / 10;
	}
	xcs_window_init(&w, &t);
	xcs_figures_of(&f, &w, &load);
	is_about(f.acct[XCS_CLASS_SERVER].tick_s, 2);
	is_about(f.acct[XCS_CLASS_SERVER].exact_s, 4);
	is_about(f.acct[XCS_CLASS_BUILD].tick_s, 9 - 2);
	is_about(f.acct[XCS_CLASS_BUILD].exact_s, 5.1);
	is_about(f.acct[XCS_ACCT_SUM].tick_s, 9);
	is_about(f.acct[XCS_ACCT_SUM].exact_s, 9.1);
	is_about(f.acct[XCS_ACCT_CPUS].tick_s, 9);
	is_about(f.acct[XCS_ACCT_CPUS].exact_s, 9.2);
	assert_false(f.acct[XCS_CLASS_HOG].exact_s.known);
	is_about(f.v[XCS_METRIC_BUILD_FILES], 4);
	is_about(f.v[XCS_METRIC_BUILD_CPU], 51);
	is_about(f.v[XCS_METRIC_BUILD_CPU_PER_FILE], 125);
	is_about(f.v[XCS_METRIC_CS_TASK], 50); /* 100 of the server, 100 + 300 of the build */
	assert_false(f.v[XCS_METRIC_KEYS].known);
	xcs_window_fini(&w);
	xcs_trial_fini(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(each_loop_must_get_its_weight_of_all_that_is_runnable),
	        cmocka_unit_test(with_autogroup_a_session_weighs_one),
	        cmocka_unit_test(a_build_competes_with_all_its_jobs),
	        cmocka_unit_test(what_is_not_known_makes_no_share),
	        cmocka_unit_test(a_build_has_its_compilers_time_and_what_the_tick_gave_nobody_else),
	};

	return cmocka_run_group_tests_name("reports_beside", tests, NULL, NULL);
}
