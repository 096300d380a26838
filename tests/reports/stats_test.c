/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pure numbers, and the metrics that are made of a trial's differences.
 */
#include "../record/sample_run.h"

#include <common/alloc.h>
#include <reports/figures.h>
#include <reports/stats.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void is_about(struct xcs_num got, double want)
{
	if (!got.known || fabs(got.v - want) > 1e-6 * (1 + fabs(want)))
		fail_msg("%s %.9g, wanted %.9g", got.known ? "got" : "unknown", got.v, want);
}

static void rates_of_unknown_are_unknown(void **state)
{
	(void)state;
	is_about(xcs_rate_per_s(5000, 5000000000), 1000);
	is_about(xcs_rate_per_s(0, 1), 0);
	assert_false(xcs_rate_per_s(XCS_ABSENT, 1).known);
	assert_false(xcs_rate_per_s(1, XCS_ABSENT).known);
	assert_false(xcs_rate_per_s(1, 0).known);
	assert_false(xcs_num_ratio(xcs_num_of(1), xcs_num_of(0)).known);
	assert_false(xcs_num_plus(xcs_num_of(1), (struct xcs_num){0}).known);
	assert_false(xcs_num_minus((struct xcs_num){0}, xcs_num_of(1)).known);
	assert_false(xcs_num_times((struct xcs_num){0}, 2).known);
	assert_false(xcs_num_of(NAN).known);
	assert_false(xcs_num_of(INFINITY).known);
}

static void a_spread_leaves_out_the_unknown(void **state)
{
	struct xcs_num odd[] = {
	        {true,  9 },
                {false, 0 },
                {true,  1 },
                {true,  -3}
        };
	struct xcs_num even[] = {
	        {true, 4},
                {true, 1},
                {true, 3},
                {true, 2}
        };
	struct xcs_num none[] = {
	        {false, 7}
        };
	struct xcs_spread s = xcs_spread_of(odd, 4);

	(void)state;
	assert_int_equal(s.n, 3);
	assert_true(s.median == 1 && s.min == -3 && s.max == 9);
	s = xcs_spread_of(even, 4);
	assert_true(s.median == 2.5 && s.min == 1 && s.max == 4);
	s = xcs_spread_of(none, 1);
	assert_int_equal(s.n, 0);
	assert_false(xcs_spread_median(&s).known);
	s = xcs_spread_of(NULL, 0);
	assert_int_equal(s.n, 0);
}

static void fairness_is_jains_index(void **state)
{
	static const double alike[] = {5, 5, 5, 5}, one[] = {8, 0, 0, 0}, zero[] = {0, 0};

	(void)state;
	is_about(xcs_jain(alike, 4), 1);
	is_about(xcs_jain(one, 4), 0.25);
	assert_false(xcs_jain(zero, 2).known);
	assert_false(xcs_jain(NULL, 0).known);
}

static void a_percentile_needs_its_samples(void **state)
{
	int64_t v[1000];

	(void)state;
	for (int i = 0; i < 1000; i++)
		v[i] = i + 1;
	is_about(xcs_percentile(v, 1000, 50, 1), 500);
	is_about(xcs_percentile(v, 1000, 99, 1000), 990);
	is_about(xcs_percentile(v, 1000, 100, 1), 1000);
	is_about(xcs_percentile(v, 1, 50, 1), 1);
	assert_false(xcs_percentile(v, 999, 99, 1000).known);
	assert_false(xcs_percentile(v, 0, 50, 0).known);
}

static const struct sample_rates rates = {
        .cs = 25000,
        .x_vol = 12000,
        .x_invol = 20,
        .x_cpu_pct = 40,
        .client_cpu_pct = 10,
        .feeder_cpu_pct = 5,
        .lines = 9000,
        .frames = 3000,
        .n_clients = 4,
};

static struct xcs_figures figures_of(const struct sample_rates *r, const char *feeder)
{
	struct xcs_run_load load = {.n_clients = r->n_clients};
	struct xcs_trial_data t;
	struct xcs_window w;
	struct xcs_figures f;

	load.feeder = xcs_xstrdup(feeder);
	sample_trial_init(&t, r);
	xcs_window_init(&w, &t);
	xcs_figures_of(&f, &w, &load);
	xcs_window_fini(&w);
	xcs_trial_fini(&t);
	free(load.feeder);
	return f;
}

static void metrics_are_the_rates_that_went_in(void **state)
{
	struct xcs_figures f = figures_of(&rates, "lines");

	(void)state;
	is_about(f.v[XCS_METRIC_CS], 25000);
	is_about(f.v[XCS_METRIC_CS_NET], 24996);
	is_about(f.v[XCS_METRIC_CS_TASK], 12020 + 4 * 50 + 4 * 15);
	is_about(f.v[XCS_METRIC_INTR], 1000);
	is_about(f.v[XCS_METRIC_INTR_NET], 999);
	is_about(f.v[XCS_METRIC_RUNNABLE], 4);
	is_about(f.v[XCS_METRIC_US], 80);
	is_about(f.v[XCS_METRIC_SY], 20);
	is_about(f.v[XCS_METRIC_NI], 0);
	is_about(f.v[XCS_METRIC_SERVER_VCS], 12000);
	is_about(f.v[XCS_METRIC_SERVER_ICS], 20);
	is_about(f.v[XCS_METRIC_SERVER_CPU], 40);
	is_about(f.v[XCS_METRIC_SERVER_RUN_DELAY], 1e5 / 12020);
	is_about(f.v[XCS_METRIC_SERVER_RUN_DELAY_PCT], 10);
	is_about(f.v[XCS_METRIC_SERVER_TIMESLICES], 12020);
	is_about(f.v[XCS_METRIC_SERVER_MIGRATIONS], 0);
	is_about(f.v[XCS_METRIC_CLIENT_VCS], 120);
	is_about(f.v[XCS_METRIC_CLIENT_CPU], 10);
	is_about(f.v[XCS_METRIC_FEEDER_ICS], 20);
	is_about(f.v[XCS_METRIC_FEEDER_CPU], 5);
	is_about(f.v[XCS_METRIC_LINES], 36000);
	is_about(f.v[XCS_METRIC_LINES_PER_CLIENT], 9000);
	is_about(f.v[XCS_METRIC_FRAMES], 12000);
	is_about(f.v[XCS_METRIC_LINES_PER_FRAME], 3);
	is_about(f.v[XCS_METRIC_REQUESTS], 36000);
	is_about(f.v[XCS_METRIC_REQUESTS_PER_WAKEUP], 36000.0 / 12020);
	is_about(f.v[XCS_METRIC_ROUND_TRIP], 150);
	is_about(f.v[XCS_METRIC_FAIRNESS], 1);
	is_about(f.v[XCS_METRIC_WATCHED_CPU], 100);
	is_about(f.v[XCS_METRIC_FOREIGN_CPU], 0);
	is_about(f.v[XCS_METRIC_OBSERVER_CPU], 0.05);
	is_about(f.v[XCS_METRIC_OBSERVER_CS], 2);
	is_about(f.v[XCS_METRIC_SERVER_ACCT_ERROR], 25);
	is_about(f.v[XCS_METRIC_CLIENT_ACCT_ERROR], -10);
	is_about(f.v[XCS_METRIC_FEEDER_ACCT_ERROR], -10);
	is_about(f.v[XCS_METRIC_ACCT_ERROR], (25 * 40 - 10 * 60) / 100.0);
	assert_int_equal(f.lines_source, XCS_LINES_CLIENT);
	is_about(f.lines_read, 36000);
	is_about(f.lines_fed, 36000);
}

static void frames_that_nobody_counts_are_unknown(void **state)
{
	struct sample_rates r = rates;

	(void)state;
	r.frames = 0;
	struct xcs_figures f = figures_of(&r, "lines");
	is_about(f.v[XCS_METRIC_LINES], 36000);
	assert_false(f.v[XCS_METRIC_FRAMES].known);
	assert_false(f.v[XCS_METRIC_LINES_PER_FRAME].known);
	assert_false(f.v[XCS_METRIC_REQUESTS].known);
	assert_false(f.v[XCS_METRIC_ROUND_TRIP].known);
}

static void lines_of_yes_come_from_the_bytes_read(void **state)
{
	struct sample_rates r = rates;
	struct xcs_run_load load = {.n_clients = 4};
	struct xcs_trial_data t;
	struct xcs_window w;
	struct xcs_figures f;

	(void)state;
	/* No pages: 81 bytes per "line" of the fixture are 27 lines of "y\r\n". */
	r.frames = 0;
	load.feeder = xcs_xstrdup("yes");
	sample_trial_init(&t, &r);
	t.tables[XCS_TRIAL_COUNTER].n_rows = 0;
	xcs_window_init(&w, &t);
	xcs_figures_of(&f, &w, &load);
	assert_int_equal(f.lines_source, XCS_LINES_READ);
	is_about(f.v[XCS_METRIC_LINES], 36000 * 27);
	is_about(f.v[XCS_METRIC_FAIRNESS], 1);
	xcs_window_fini(&w);
	/* One client whose bytes are unknown makes the sum unknown. */
	t.tables[XCS_TRIAL_IO].n_rows = 3;
	xcs_window_init(&w, &t);
	xcs_figures_of(&f, &w, &load);
	assert_int_equal(f.lines_source, XCS_LINES_UNKNOWN);
	assert_false(f.v[XCS_METRIC_LINES].known);
	xcs_window_fini(&w);
	xcs_trial_fini(&t);
	free(load.feeder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(rates_of_unknown_are_unknown),
	        cmocka_unit_test(a_spread_leaves_out_the_unknown),
	        cmocka_unit_test(fairness_is_jains_index),
	        cmocka_unit_test(a_percentile_needs_its_samples),
	        cmocka_unit_test(metrics_are_the_rates_that_went_in),
	        cmocka_unit_test(frames_that_nobody_counts_are_unknown),
	        cmocka_unit_test(lines_of_yes_come_from_the_bytes_read),
	};

	return cmocka_run_group_tests_name("reports_stats", tests, NULL, NULL);
}
