/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The file of a trial: round trip, columns by name, refusal of what is cut, flipped or
 * foreign; and the tables and metrics under it.
 */
#include "sample_run.h"

#include <common/alloc.h>
#include <common/counters.h>
#include <common/file.h>
#include <record/metric.h>

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct one_file {
	char path[64];
	struct xcs_buf text;
};

static void put(const struct one_file *f, const char *text, size_t n)
{
	int fd = open(f->path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(xcs_fd_write_all(fd, text, n), 0);
	close(fd);
}

static int setup(void **state)
{
	static const struct sample_rates rates = {
	        .cs = 1000, .lines = 50, .frames = 5, .n_clients = 1};
	struct one_file *f = xcs_xcalloc(1, sizeof(*f));
	struct xcs_trial_data t;

	/* Thousands of small files: in memory where there is room for them. */
	snprintf(f->path, sizeof(f->path), "%s/xcs-trial-test-XXXXXX",
	         access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	int fd = mkstemp(f->path);
	assert_true(fd >= 0);
	close(fd);
	sample_trial_init(&t, &rates);
	xcs_trial_add_event(&t, "client0: thread 600 ended");
	assert_int_equal(xcs_trial_save(&t, f->path, NULL), 0);
	xcs_trial_fini(&t);
	assert_int_equal(xcs_file_read_at(AT_FDCWD, f->path, &f->text), 0);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct one_file *f = *state;

	unlink(f->path);
	xcs_buf_fini(&f->text);
	free(f);
	return 0;
}

static void what_is_saved_is_read(void **state)
{
	struct one_file *f = *state;
	struct xcs_trial_data t;
	struct xcs_err err = {0};

	if (xcs_trial_load(&t, f->path, &err))
		fail_msg("%s", err.text);
	assert_true(t.period_ns == 1000000000);
	assert_true(t.ticks_per_s == 100);
	assert_string_equal(t.cpus, "1");
	assert_string_equal(t.observer_class, "SCHED_FIFO 1");
	assert_int_equal(t.n_tasks, 3);
	assert_string_equal(t.tasks[2].role, "feeder0");
	assert_true(t.tasks[2].start_ticks == 90000);
	assert_int_equal(t.n_page_roles, 2);
	assert_string_equal(t.page_roles[1], "client0");
	assert_string_equal(t.events[0], "client0: thread 600 ended");
	assert_int_equal(t.tables[XCS_TRIAL_SYSTEM].n_rows, 6);
	assert_int_equal(t.tables[XCS_TRIAL_TASK].n_rows, 18);
	assert_true(xcs_table_get(&t.tables[XCS_TRIAL_SYSTEM], 5, XCS_SYSTEM_CTXT_TOTAL) ==
	            5005000);
	assert_true(xcs_table_get(&t.tables[XCS_TRIAL_SYSTEM], 5, XCS_SYSTEM_USER_TICKS) ==
	            XCS_ABSENT);
	xcs_trial_fini(&t);
}

static void every_truncation_is_refused(void **state)
{
	struct one_file *f = *state;

	for (size_t n = 0; n < f->text.n; n++) {
		struct xcs_trial_data t;
		struct xcs_err err = {0};
		put(f, f->text.p, n);
		assert_int_equal(xcs_trial_load(&t, f->path, &err), -EINVAL);
		assert_non_null(strstr(err.text, f->path));
		xcs_trial_fini(&t);
	}
}

static void no_flipped_bit_crashes(void **state)
{
	struct one_file *f = *state;
	int n_refused = 0;

	for (size_t i = 0; i < f->text.n; i++) {
		struct xcs_trial_data t;
		char bit = (char)(1 << i % 8);
		f->text.p[i] ^= bit;
		put(f, f->text.p, f->text.n);
		n_refused += xcs_trial_load(&t, f->path, NULL) != 0;
		xcs_trial_fini(&t);
		f->text.p[i] ^= bit;
	}
	assert_true(n_refused > 100);
}

/* A file whose header is `header` and whose cells follow. */
static void put_file(const struct one_file *f, const char *header, const int64_t *cells, size_t n)
{
	struct xcs_buf out = {0};

	xcs_buf_printf(&out, "xcsbench.trial/1\n%010zu\n%s", strlen(header), header);
	xcs_buf_add(&out, cells, n * sizeof(*cells));
	xcs_buf_puts(&out, "end\n");
	put(f, out.p, out.n);
	xcs_buf_fini(&out);
}

#define HEAD "{\"period_ns\": 5, \"ticks_per_s\": 100, \"tasks\": [], \"tables\": ["

static void columns_are_found_by_name(void **state)
{
	/* An unknown table, an unknown column, another order, most columns missing. */
	static const int64_t cells[] = {1, 2, 3, 77, 8, 9};
	struct one_file *f = *state;
	struct xcs_trial_data t;
	struct xcs_err err = {0};

	put_file(f,
	         HEAD "{\"name\": \"moon\", \"columns\": [\"phase\"], \"n_rows\": 3},"
	              "{\"name\": \"system\", \"columns\": [\"ctxt_total\", \"tide\", \"mono_ns\"],"
	              " \"n_rows\": 1}], \"later\": true}",
	         cells, ARRAY_LEN(cells));
	if (xcs_trial_load(&t, f->path, &err))
		fail_msg("%s", err.text);
	assert_int_equal(t.tables[XCS_TRIAL_SYSTEM].n_rows, 1);
	assert_true(xcs_table_get(&t.tables[XCS_TRIAL_SYSTEM], 0, XCS_SYSTEM_MONO_NS) == 9);
	assert_true(xcs_table_get(&t.tables[XCS_TRIAL_SYSTEM], 0, XCS_SYSTEM_CTXT_TOTAL) == 77);
	assert_true(xcs_table_get(&t.tables[XCS_TRIAL_SYSTEM], 0, XCS_SYSTEM_INTR_TOTAL) ==
	            XCS_ABSENT);
	xcs_trial_fini(&t);
}

static void bad_content_is_refused_by_name(void **state)
{
	static const struct {
		const char *header, *sentence;
	} cases[] = {
	        {"{}",	                                                                                "period or the tick rate"},
	        {"[]",	                                                                                "period or the tick rate"},
	        {HEAD "]}",	                                                                           "names no table"         },
	        {HEAD "{\"name\": \"system\", \"columns\": [], \"n_rows\": 1}]}",                             "lacks its name"         },
	        {HEAD "{\"name\": \"system\", \"columns\": [1], \"n_rows\": 1}]}",
	         "lacks its name"	                                                                                              },
	        {HEAD "{\"name\": \"system\", \"columns\": [\"mono_ns\"], \"n_rows\": -1}]}",
	         "lacks its name"	                                                                                              },
	        {HEAD "{\"name\": \"system\", \"columns\": [\"mono_ns\"],"
	              " \"n_rows\": 4611686018427387904}]}",	                         "cut short"              },
	        {HEAD "{\"name\": \"system\", \"columns\": [\"mono_ns\"], \"n_rows\": 1}]}",
	         "more in it"	                                                                                                  },
	        {HEAD "{\"name\": \"system\", \"columns\": [\"mono_ns\"], \"n_rows\": 1},"
	              "{\"name\": \"system\", \"columns\": [\"mono_ns\"], \"n_rows\": 1}]}", "a table twice"          },
	        {HEAD "{\"name\": \"task\", \"columns\": [\"mono_ns\", \"task\"], \"n_rows\": 1}]}",
	         "a task or a page that is not there"	                                                                          },
	        {HEAD "{\"name\": \"system\", \"columns\": [\"ctxt_total\"], \"n_rows\": 2}]}",
	         "a row has no time"	                                                                                           },
	};
	static const int64_t cells[] = {1, 2};
	struct one_file *f = *state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct xcs_trial_data t;
		struct xcs_err err = {0};
		put_file(f, cases[i].header, cells, ARRAY_LEN(cells));
		assert_int_equal(xcs_trial_load(&t, f->path, &err), -EINVAL);
		if (!strstr(err.text, cases[i].sentence) || !strstr(err.text, f->path))
			fail_msg("%zu: '%s' does not say '%s'", i, err.text, cases[i].sentence);
		xcs_trial_fini(&t);
	}
}

static void foreign_and_newer_files_are_told_apart(void **state)
{
	static const struct {
		const char *text, *sentence;
	} cases[] = {
	        {"\x7f"
	         "ELF and so on",        "not a trial of xcsbench"},
	        {"xcsbench.trial/2\n0000000002\n{}end\n", "reads xcsbench.trial/1" },
	        {"xcsbench.trial/x\n0000000002\n{}end\n", "not a number"           },
	        {"xcsbench.trial/1\n000000000x\n{}end\n", "length of its header"   },
	        {"xcsbench.trial/1\n0000000002\n{{end\n", "not JSON"               },
	};
	struct one_file *f = *state;
	struct xcs_trial_data t;
	struct xcs_err err = {0};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		put(f, cases[i].text, strlen(cases[i].text));
		assert_int_equal(xcs_trial_load(&t, f->path, &err), -EINVAL);
		if (!strstr(err.text, cases[i].sentence))
			fail_msg("'%s' does not say '%s'", err.text, cases[i].sentence);
	}
	assert_int_equal(xcs_trial_load(&t, "/nonexistent.xcs", &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nonexistent.xcs"));
}

static void a_table_grows_and_unknown_is_absent(void **state)
{
	static const char *const columns[] = {"mono_ns", "b", NULL};
	static const struct xcs_table_spec spec = {"t", columns};
	struct xcs_table t;

	(void)state;
	xcs_table_init(&t, &spec, 0);
	for (int64_t i = 0; i < 100; i++)
		xcs_table_add_row(&t)[0] = i;
	assert_int_equal(t.n_rows, 100);
	assert_int_equal(xcs_table_column(&t, "b"), 1);
	assert_int_equal(xcs_table_column(&t, "c"), -1);
	assert_true(xcs_table_get(&t, 99, 0) == 99);
	assert_true(xcs_table_get(&t, 99, 1) == XCS_ABSENT);
	assert_true(xcs_table_get(&t, 99, -1) == XCS_ABSENT);
	assert_true(xcs_table_get(&t, 100, 0) == XCS_ABSENT);
	xcs_table_fini(&t);
	xcs_table_fini(&t);
}

static void counter_columns_are_the_counters(void **state)
{
	const struct xcs_table_spec *spec = xcs_trial_table_spec(XCS_TRIAL_COUNTER);

	(void)state;
	for (int c = 0; c < XCS_N_COUNTERS; c++)
		assert_string_equal(spec->columns[XCS_COUNTER_FIRST + c],
		                    xcs_counter_name((enum xcs_counter)c));
}

static void every_metric_is_whole_and_unique(void **state)
{
	(void)state;
	for (int i = 0; i < XCS_N_METRICS; i++) {
		const struct xcs_metric *m = xcs_metric((enum xcs_metric_id)i);
		assert_non_null(m->id);
		assert_int_equal(xcs_metric_find(m->id), i);
		assert_true(m->title[0] && m->unit[0] && m->definition[0]);
		assert_true(m->digits >= 0 && m->digits <= 3);
		for (const char *p = m->definition; *p; p++)
			assert_true(isprint((unsigned char)*p));
	}
	assert_int_equal(xcs_metric_find("no such"), -1);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(what_is_saved_is_read),
	        TEST(every_truncation_is_refused),
	        TEST(no_flipped_bit_crashes),
	        TEST(columns_are_found_by_name),
	        TEST(bad_content_is_refused_by_name),
	        TEST(foreign_and_newer_files_are_told_apart),
	        cmocka_unit_test(a_table_grows_and_unknown_is_absent),
	        cmocka_unit_test(counter_columns_are_the_counters),
	        cmocka_unit_test(every_metric_is_whole_and_unique),
	};

	return cmocka_run_group_tests_name("record_trial", tests, NULL, NULL);
}
