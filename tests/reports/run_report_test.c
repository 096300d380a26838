/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whole reports: goldens of the text, and what must hold for any run whatever is in it.
 * XCS_GOLDEN_WRITE=1 in the environment writes the goldens anew.
 */
#include "../record/sample_run.h"
#include "golden.h"

#include <common/alloc.h>
#include <common/child.h>
#include <common/file.h>
#include <common/units.h>
#include <reports/run_report.h>

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void set(char **member, const char *text)
{
	free(*member);
	*member = xcs_xstrdup(text);
}

static void damage(const char *path)
{
	assert_int_equal(truncate(path, 1000), 0);
}

/* Everything that can go wrong in a run that is still worth a report. */
static void spoil(struct xcs_run *run)
{
	struct xcs_run_trial *t = run->trials;

	run->status = XCS_RUN_PARTIAL;
	set(&run->status_reason, "interrupted (Ctrl-C).");
	run->plan.quick = true;
	set(&run->plan.mode, "relative");
	set(&run->plan.server_kind, "xvfb");
	set(&run->probe.verdict, "ineffective (autogroup)");
	set(&run->probe.why, "Server and load are in autogroups of their own, and nice rules only "
	                     "inside one.");
	xcs_run_add_note(run, "Xorg with the dummy driver could not start here, so the server is "
	                      "Xvfb.");
	run->n_trials = 18;
	t[6].status = XCS_TRIAL_VOID;
	set(&t[6].reason, "12.5 % of the CPU went to others");
	t[6].foreign = xcs_xcalloc(1, sizeof(*t[6].foreign));
	t[6].n_foreign = 1;
	t[6].foreign[0] = (struct xcs_run_foreign){79, xcs_xstrdup("make"), 600000000};
	t[7].status = XCS_TRIAL_FAILED;
	set(&t[7].reason, "client2 ended");
	t[8].settled = false;
	t[9].windows[0].inside = false;
	t[9].windows[0].drew = false;
	t[10].foreign = xcs_xcalloc(2, sizeof(*t[10].foreign));
	t[10].n_foreign = 2;
	t[10].foreign[0] = (struct xcs_run_foreign){77, xcs_xstrdup("cc1"), 120000000};
	t[10].foreign[1] = (struct xcs_run_foreign){78, xcs_xstrdup("cron"), 20000000};
	t[11].lines_confirmed = (struct xcs_num){0};
	free(t[17].file);
	t[17].file = NULL;
}

static void unspoil(struct xcs_run *run)
{
	run->n_trials = 24; /* what spoil() hid is still owned */
	xcs_run_fini(run);
}

/* Trial 10: 3 of 100 ticks are neither idle nor ours; trial 9 has an event. */
static void spoil_samples(const struct xcs_run *run)
{
	struct sample_rates r = sample_rates_of(run, 10);
	struct xcs_trial_data t;

	r.client_cpu_pct = 9;
	sample_trial_init(&t, &r);
	for (size_t i = 0; i < t.tables[XCS_TRIAL_SYSTEM].n_rows; i++) {
		int64_t *row = t.tables[XCS_TRIAL_SYSTEM].cells + i * XCS_N_SYSTEM_COLUMNS;
		row[XCS_SYSTEM_SET_IDLE_TICKS] -= (int64_t)i * 3;
		row[XCS_SYSTEM_SET_IRQ_TICKS] += (int64_t)i * 3;
	}
	assert_int_equal(xcs_trial_save(&t, "run/trials/010.xcs", NULL), 0);
	xcs_trial_fini(&t);
	r = sample_rates_of(run, 9);
	sample_trial_init(&t, &r);
	t.tables[XCS_TRIAL_SYSTEM].cells[2 * XCS_N_SYSTEM_COLUMNS + XCS_SYSTEM_CTXT_TOTAL] = 5;
	assert_int_equal(xcs_trial_save(&t, "run/trials/009.xcs", NULL), 0);
	xcs_trial_fini(&t);
	assert_int_equal(unlink("run/trials/012.xcs"), 0);
	damage("run/trials/013.xcs");
}

static void report_of(struct xcs_buf *text, struct xcs_buf *json)
{
	struct xcs_summary s;
	struct xcs_doc doc;
	struct xcs_err err = {0};

	if (xcs_summary_load(&s, "run", &err))
		fail_msg("%s", err.text);
	xcs_run_report(&s, &doc);
	xcs_doc_write_text(&doc, text);
	xcs_doc_write_json(&doc, json);
	xcs_doc_fini(&doc);
	xcs_summary_fini(&s);
}

static void a_complete_run(void **state)
{
	struct xcs_run run;
	struct xcs_buf text = {0}, json = {0};

	(void)state;
	sample_run_init(&run);
	sample_run_write(&run, "run");
	report_of(&text, &json);
	golden_is_mailable(&text);
	golden_is("complete.txt", &text);
	assert_null(strstr(text.p, "PARTIAL"));
	assert_non_null(strstr(json.p, "\"schema\": \"xcsbench.report/1\""));
	xcs_run_fini(&run);
	xcs_buf_fini(&text);
	xcs_buf_fini(&json);
}

static void a_run_in_which_all_went_wrong(void **state)
{
	struct xcs_run run;
	struct xcs_buf text = {0}, json = {0};

	(void)state;
	sample_run_init(&run);
	spoil(&run);
	sample_run_write(&run, "run");
	spoil_samples(&run);
	report_of(&text, &json);
	golden_is_mailable(&text);
	golden_is("spoiled.txt", &text);
	assert_non_null(strstr(text.p, "PARTIAL: "));
	assert_non_null(strstr(text.p, "CANNOT SHOW AN EFFECT"));
	assert_null(strstr(text.p, "X nice"));
	unspoil(&run);
	xcs_buf_fini(&text);
	xcs_buf_fini(&json);
}

static void a_run_that_has_just_begun(void **state)
{
	struct xcs_run run = {.id = "01JZZZZZZZZZZZZZZZZZZZZZZZ"};
	struct xcs_buf text = {0}, json = {0};

	(void)state;
	sample_run_write(&run, "run");
	report_of(&text, &json);
	golden_is_mailable(&text);
	golden_is("empty.txt", &text);
	xcs_buf_fini(&text);
	xcs_buf_fini(&json);
}

/* Names of 64 characters that differ at their ends, and not in ASCII; numbers without end. */
static void make_hostile(struct xcs_run *run)
{
	struct xcs_buf far = {0};

	set(&run->loads[0].id, "load-\xc3\xa9\xc3\xa9-of-a-name-that-is-sixty-four-characters-long-"
	                       "indeed-1");
	set(&run->loads[1].id, "load-\xc3\xa8\xc3\xa8-of-a-name-that-is-sixty-four-characters-long-"
	                       "indeed-1");
	set(&run->loads[0].kind, "a generator of load that has a very long name \xf0\x9f\x90\xa7");
	set(&run->loads[0].scroll, "jump and line and back again");
	run->loads[0].columns = 2147483647;
	run->loads[1].rows = -2147483647 - 1;
	set(&run->plan.mode, "relative");
	set(&run->plan.title, "\x1b[31mA title with colours, which goes on for longer than any "
	                      "line of any mail would, and then some more");
	xcs_buf_fill(&far, 'x', 500);
	set(&run->plan.load_cpus, "0");
	set(&run->plan.command, far.p);
	set(&run->plan.autogroup_mode, far.p);
	xcs_run_add_note(run, far.p);
	set(&run->probe.verdict, far.p);
	run->probe.favoured_exec_ns = INT64_MAX;
	run->probe.other_exec_ns = 1;
	xcs_facts_set(&run->host, "cpu.model", far.p, "");
	xcs_facts_set(&run->environment, "server.vendor", "\xff\xfe\x01\x02\t\n", "");
	set(&run->trials[7].reason, far.p);
	run->trials[7].status = XCS_TRIAL_VOID;
	set(&run->trials[7].windows[0].role, far.p);
	run->trials[7].windows[0].inside = false;
	run->plan.sample_ns = INT64_MAX;
	run->created_wall_ns = INT64_MAX;
	xcs_buf_fini(&far);
}

static void write_huge(const struct xcs_run *run)
{
	for (size_t i = 0; i < run->n_trials; i++) {
		struct sample_rates r = {.cs = INT64_MAX / 8,
		                         .x_vol = INT64_MAX / 16,
		                         .x_invol = INT64_MAX / 32,
		                         .x_cpu_pct = 1000000,
		                         .client_cpu_pct = 1,
		                         .lines = INT64_MAX / 100000,
		                         .frames = 1,
		                         .n_clients = 4};
		struct xcs_trial_data t;
		char path[64];
		sample_trial_init(&t, &r);
		snprintf(path, sizeof(path), "run/%s", run->trials[i].file);
		assert_int_equal(xcs_trial_save(&t, path, NULL), 0);
		xcs_trial_fini(&t);
	}
}

static void nothing_breaks_the_lines(void **state)
{
	struct xcs_run run;
	struct xcs_buf text = {0}, json = {0};

	(void)state;
	sample_run_init(&run);
	make_hostile(&run);
	sample_run_write(&run, "run");
	write_huge(&run);
	report_of(&text, &json);
	golden_is_mailable(&text);
	assert_non_null(strstr(text.p, "\nload-?\?-of-a~1 "));
	assert_non_null(strstr(text.p, "\nload-?\?-of-a~2 "));
	xcs_run_fini(&run);
	xcs_buf_fini(&text);
	xcs_buf_fini(&json);
}

static struct xcs_run_knob policy_knob(char *name, char *after)
{
	static char before[] = "powersave", during[] = "performance";

	return (struct xcs_run_knob){
	        .name = name, .before = before, .during = during, .after = after};
}

/* Policies are one row while they are alike; one that did not come back has its own. */
static void settings_that_are_alike(void **state)
{
	char names[][48] = {"/sys/devices/system/cpu/cpufreq/policy7/x",
	                    "/sys/devices/system/cpu/cpufreq/policy12/x",
	                    "/sys/devices/system/cpu/cpufreq/policy13/x",
	                    "/sys/devices/system/cpu/cpufreq/policy14/y"};
	char back[] = "powersave", left[] = "performance", controlled[] = "controlled";
	struct xcs_run_knob knobs[] = {policy_knob(names[0], back), policy_knob(names[1], back),
	                               policy_knob(names[2], left), policy_knob(names[3], NULL)};
	struct xcs_summary s = {
	        .run = {.knobs = knobs, .n_knobs = 4, .plan.profile = controlled}
        };
	struct xcs_doc doc;
	struct xcs_buf text = {0};

	(void)state;
	xcs_run_report(&s, &doc);
	xcs_doc_write_text(&doc, &text);
	assert_non_null(strstr(text.p, "controlled: 4 of 4 settings changed"));
	assert_non_null(strstr(text.p, "policy7/x   2  powersave  "));
	assert_null(strstr(text.p, "policy12"));
	assert_non_null(strstr(text.p, "policy13/x  1  powersave  "));
	assert_non_null(strstr(text.p, "  performance  not put back"));
	assert_non_null(strstr(text.p, "  n/a  changed"));
	xcs_buf_fini(&text);
	xcs_doc_fini(&doc);
}

/* Trials whose samples hold nothing: not one figure may come out, 0 least of all. */
static void unknown_is_never_zero(void **state)
{
	static const size_t no_rows[XCS_N_TRIAL_TABLES];
	struct xcs_run run;
	struct xcs_summary s;
	struct xcs_doc doc;
	size_t n_cells = 0;

	(void)state;
	sample_run_init(&run);
	sample_run_write(&run, "run");
	for (size_t i = 0; i < run.n_trials; i++) {
		struct xcs_trial_data t;
		char path[64];
		xcs_trial_init(&t, no_rows);
		t.period_ns = t.ticks_per_s = 100;
		snprintf(path, sizeof(path), "run/%s", run.trials[i].file);
		assert_int_equal(xcs_trial_save(&t, path, NULL), 0);
		xcs_trial_fini(&t);
	}
	assert_int_equal(xcs_summary_load(&s, "run", NULL), 0);
	assert_int_equal(s.cells[0].n_counted, 3);
	xcs_run_report(&s, &doc);
	for (size_t i = 0; i < doc.n_sections; i++) {
		const struct xcs_section *section = &doc.sections[i];
		if (strcmp(section->id, "loads") == 0 || strcmp(section->id, "checks") == 0 ||
		    strcmp(section->id, "threads") == 0 ||
		    strcmp(section->id, "profile") == 0) /* not from samples */
			continue;
		for (size_t b = 0; b < section->n_blocks; b++) {
			const struct xcs_doc_table *t = &section->blocks[b].table;
			for (size_t c = 0; c < t->n_rows * t->n_columns; c++) {
				if (t->columns[c % t->n_columns].is_key)
					continue;
				assert_int_equal(t->cells[c].type, XCS_CELL_ABSENT);
				n_cells++;
			}
		}
	}
	assert_true(n_cells > 200);
	xcs_doc_fini(&doc);
	xcs_summary_fini(&s);
	xcs_run_fini(&run);
}

/* A German locale, made on the spot where the machine has its sources. */
static bool set_german(void)
{
	static const char *const argv[] = {"localedef",     "-i", "de_DE", "-f", "UTF-8",
	                                   "./de_DE.UTF-8", NULL};
	const struct xcs_spawn spawn = {.argv = argv};
	struct xcs_buf out = {0};
	char cwd[256];

	if (setlocale(LC_ALL, "de_DE.UTF-8"))
		return true;
	bool made = xcs_child_capture(&spawn, 60 * XCS_NS_PER_S, &out, NULL) == 0;
	xcs_buf_fini(&out);
	if (!made || !getcwd(cwd, sizeof(cwd)))
		return false;
	setenv("LOCPATH", cwd, 1);
	return setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

static void a_decimal_comma_changes_nothing(void **state)
{
	struct xcs_run run;
	struct xcs_buf text = {0}, json = {0};
	char probe[16];

	(void)state;
	if (!set_german()) {
		print_message("skipped: no locale de_DE.UTF-8, and localedef cannot make it\n");
		skip();
	}
	snprintf(probe, sizeof(probe), "%.1f", 1.5);
	assert_string_equal(probe, "1,5");
	sample_run_init(&run);
	sample_run_write(&run, "run");
	report_of(&text, &json);
	golden_is("complete.txt", &text);
	assert_non_null(strstr(json.p, "0.05"));
	snprintf(probe, sizeof(probe), "%.1f", 1.5);
	assert_string_equal(probe, "1,5"); /* and the caller's locale is as it was */
	setlocale(LC_ALL, "C");
	xcs_run_fini(&run);
	xcs_buf_fini(&text);
	xcs_buf_fini(&json);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, golden_setup, golden_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_complete_run),
	        TEST(a_run_in_which_all_went_wrong),
	        TEST(a_run_that_has_just_begun),
	        TEST(nothing_breaks_the_lines),
	        TEST(settings_that_are_alike),
	        TEST(unknown_is_never_zero),
	        TEST(a_decimal_comma_changes_nothing),
	};

	return cmocka_run_group_tests_name("reports_run_report", tests, NULL, NULL);
}
