/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A run of each published experiment next to the published rows: goldens of those sections.
 * XCS_GOLDEN_WRITE=1 in the environment writes the goldens anew.
 */
#include "../record/sample_commands.h"
#include "../record/sample_run.h"
#include "golden.h"

#include <common/alloc.h>
#include <reports/run_report.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SET_PATH XCS_TEST_DATA "/../../reports/references/lkml-2007.json"

/* Writes only the sections that stand beside; the others have goldens of their own. */
static void beside_of(const struct xcs_run *run, struct xcs_buf *text)
{
	struct xcs_reference set;
	struct xcs_summary s;
	struct xcs_doc doc, part;
	struct xcs_err err = {0};

	sample_run_write(run, "run");
	if (xcs_summary_load(&s, "run", &err) || xcs_reference_load(&set, SET_PATH, &err))
		fail_msg("%s", err.text);
	xcs_run_report_beside(&s, &set, &doc);
	part = doc;
	part.sections = xcs_xcalloc(doc.n_sections, sizeof(*part.sections));
	part.n_sections = 0;
	for (size_t i = 0; i < doc.n_sections; i++)
		if (strncmp(doc.sections[i].id, "beside", 6) == 0)
			part.sections[part.n_sections++] = doc.sections[i];
	xcs_doc_write_text(&part, text);
	free(part.sections);
	xcs_doc_fini(&doc);
	xcs_summary_fini(&s);
	xcs_reference_fini(&set);
}

static void beside_is(struct xcs_run *run, const char *golden)
{
	struct xcs_buf text = {0};

	beside_of(run, &text);
	golden_is_mailable(&text);
	golden_is(golden, &text);
	xcs_buf_fini(&text);
	xcs_run_fini(run);
}

static void a_flood(void **state)
{
	struct xcs_run run;

	(void)state;
	sample_run_init(&run);
	beside_is(&run, "beside-flood.txt");
}

static void b_desktop_at_rest(void **state)
{
	struct xcs_run run;

	(void)state;
	sample_idle_run_init(&run);
	beside_is(&run, "beside-idle.txt");
}

static void c_three_terminals(void **state)
{
	struct xcs_run run;

	(void)state;
	sample_ls_run_init(&run);
	beside_is(&run, "beside-ls.txt");
}

static void d_single_commands(void **state)
{
	struct xcs_run run;

	(void)state;
	sample_scroll_run_init(&run);
	beside_is(&run, "beside-scroll.txt");
}

static void holds(struct xcs_run *run, const char *want)
{
	struct xcs_buf text = {0};

	beside_of(run, &text);
	if (!strstr(text.p, want))
		fail_msg("no '%s' in:\n%s", want, text.p);
	assert_null(strstr(text.p, "Then and now"));
	xcs_buf_fini(&text);
	xcs_run_fini(run);
}

static void other_experiments_compare_with_nothing(void **state)
{
	struct xcs_run run;

	(void)state;
	sample_run_init(&run);
	free(run.plan.experiment);
	run.plan.experiment = xcs_xstrdup("E (today)");
	holds(&run, "its experiment is E\n(today), the set holds A (April 2007)");
	sample_run_init(&run);
	free(run.plan.experiment);
	run.plan.experiment = NULL;
	holds(&run, "experiment is not\nnamed");
}

/* A run that says it is an experiment, but has other loads: all rows are published ones. */
static void a_run_with_other_loads(void **state)
{
	static const char *const experiments[] = {"A", "B", "C", "D"};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct xcs_run run;
		struct xcs_buf text = {0};
		if (i < 2)
			sample_scroll_run_init(&run);
		else
			sample_run_init(&run);
		free(run.plan.experiment);
		run.plan.experiment = xcs_xstrdup(experiments[i]);
		beside_of(&run, &text);
		golden_is_mailable(&text);
		assert_non_null(strstr(text.p, "Then and now"));
		xcs_buf_fini(&text);
		xcs_run_fini(&run);
	}
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, golden_setup, golden_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_flood),
	        TEST(b_desktop_at_rest),
	        TEST(c_three_terminals),
	        TEST(d_single_commands),
	        TEST(other_experiments_compare_with_nothing),
	        TEST(a_run_with_other_loads),
	};

	return cmocka_run_group_tests_name("reports_published", tests, NULL, NULL);
}
