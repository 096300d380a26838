/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reports of commands timed to their end: goldens of the text, and the figures behind it.
 * XCS_GOLDEN_WRITE=1 in the environment writes the goldens anew.
 */
#include "../record/sample_commands.h"
#include "../record/sample_run.h"
#include "golden.h"

#include <common/alloc.h>
#include <common/file.h>
#include <reports/run_report.h>
#include <reports/timings.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void report_of(const struct xcs_run *run, struct xcs_buf *text, struct xcs_buf *json)
{
	struct xcs_summary s;
	struct xcs_doc doc;
	struct xcs_err err = {0};

	sample_run_write(run, "run");
	if (xcs_summary_load(&s, "run", &err))
		fail_msg("%s", err.text);
	xcs_run_report(&s, &doc);
	xcs_doc_write_text(&doc, text);
	xcs_doc_write_json(&doc, json);
	xcs_doc_fini(&doc);
	xcs_summary_fini(&s);
}

static void report_is(struct xcs_run *run, const char *golden)
{
	struct xcs_buf text = {0}, json = {0};

	report_of(run, &text, &json);
	golden_is_mailable(&text);
	golden_is(golden, &text);
	xcs_buf_fini(&text);
	xcs_buf_fini(&json);
	xcs_run_fini(run);
}

static void three_terminals(void **state)
{
	struct xcs_run run;

	(void)state;
	sample_ls_run_init(&run);
	report_is(&run, "ls.txt");
}

static void single_commands(void **state)
{
	struct xcs_run run;

	(void)state;
	sample_scroll_run_init(&run);
	report_is(&run, "scroll.txt");
}

static void desktop_at_rest(void **state)
{
	struct xcs_run run;

	(void)state;
	sample_idle_run_init(&run);
	report_is(&run, "idle.txt");
}

static void close_to(const struct xcs_spread *v, size_t n, double median, double min, double max)
{
	assert_int_equal(v->n, n);
	assert_true(v->median - median < 1e-9 && median - v->median < 1e-9);
	assert_true(v->min - min < 1e-9 && min - v->min < 1e-9);
	assert_true(v->max - max < 1e-9 && max - v->max < 1e-9);
}

static void figures_of_a_terminal(void **state)
{
	struct xcs_run run;
	struct xcs_summary s;
	struct xcs_timings t;

	(void)state;
	sample_ls_run_init(&run);
	sample_run_write(&run, "run");
	assert_int_equal(xcs_summary_load(&s, "run", NULL), 0);
	xcs_timings_of(&t, &s, 0, "client1");
	close_to(&t.v[XCS_METRIC_COMMAND_REAL], 3, 3.12, 3.11, 3.13);
	close_to(&t.v[XCS_METRIC_COMMAND_USER], 3, 0.2, 0.2, 0.2);
	close_to(&t.v[XCS_METRIC_COMMAND_DRAWN], 3, 3.17, 3.16, 3.18);
	close_to(&t.v[XCS_METRIC_COMMAND_CPU], 3, 30 / 3.12, 30 / 3.13, 30 / 3.11);
	close_to(&t.v[XCS_METRIC_COMMAND_LINES], 3, 10001 / 3.17, 10001 / 3.18, 10001 / 3.16);
	assert_int_equal(t.n_runs, 3);
	assert_true(t.nice.known && t.nice.v == 0);
	assert_false(t.constant);
	/* All terminals together: of each trial the median of three, which is that of client 1. */
	close_to(&s.cells[0].v[XCS_METRIC_COMMAND_REAL], 3, 3.12, 3.11, 3.13);
	xcs_timings_of(&t, &s, 0, NULL);
	assert_int_equal(t.n_runs, 9);
	assert_false(t.nice.known);
	xcs_timings_of(&t, &s, 2, "client1"); /* failed */
	assert_int_equal(t.n_runs, 0);
	assert_int_equal(t.v[XCS_METRIC_COMMAND_REAL].n, 0);
	xcs_summary_fini(&s);
	xcs_run_fini(&run);
}

static void figures_of_hyperfine(void **state)
{
	struct xcs_run run;
	struct xcs_summary s;
	struct xcs_timings t;

	(void)state;
	sample_scroll_run_init(&run);
	sample_run_write(&run, "run");
	assert_int_equal(xcs_summary_load(&s, "run", NULL), 0);
	xcs_timings_of(&t, &s, 0, NULL);
	assert_int_equal(t.n_runs, 12); /* the row of the whole call is no run */
	close_to(&t.v[XCS_METRIC_COMMAND_REAL], 3, 0.5215, 0.5115, 0.5315);
	assert_false(t.constant);
	xcs_timings_of(&t, &s, 4, NULL);
	assert_true(t.constant);
	xcs_summary_fini(&s);
	xcs_run_fini(&run);
}

/* With one trial the spread is that of its runs; with one run there is none. */
static void spread_of_a_single_trial(void **state)
{
	struct xcs_run run;
	struct xcs_summary s;
	struct xcs_timings t;

	(void)state;
	sample_scroll_run_init(&run);
	for (size_t i = 20; i < run.n_trials - 2; i++)
		run.trials[i].status = XCS_TRIAL_FAILED;
	sample_run_write(&run, "run");
	assert_int_equal(xcs_summary_load(&s, "run", NULL), 0);
	xcs_timings_of(&t, &s, 0, NULL);
	close_to(&t.v[XCS_METRIC_COMMAND_REAL], 4, 0.5115, 0.510, 0.513);
	xcs_timings_of(&t, &s, 22, NULL);
	close_to(&t.v[XCS_METRIC_COMMAND_REAL], 1, 23, 23, 23);
	xcs_summary_fini(&s);
	xcs_run_fini(&run);
}

static void data_has_the_tables(void **state)
{
	static const char *const want[] = {
	        "\"commands_historic\"", "\"commands_scaled\"", "\"x_nice_-10\"",
	        "\"command.real\"",      "\"slowdown\"",        "\"command_cpu\"",
	        "\"net_slowdown\"",
	};
	struct xcs_run run;
	struct xcs_buf text = {0}, json = {0};

	(void)state;
	sample_scroll_run_init(&run);
	report_of(&run, &text, &json);
	for (size_t i = 0; i < ARRAY_LEN(want); i++)
		if (!strstr(json.p, want[i]))
			fail_msg("no %s", want[i]);
	xcs_buf_fini(&text);
	xcs_buf_fini(&json);
	xcs_run_fini(&run);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, golden_setup, golden_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(three_terminals),          TEST(single_commands),
	        TEST(desktop_at_rest),          TEST(figures_of_a_terminal),
	        TEST(figures_of_hyperfine),     TEST(data_has_the_tables),
	        TEST(spread_of_a_single_trial),
	};

	return cmocka_run_group_tests_name("reports_commands", tests, NULL, NULL);
}
