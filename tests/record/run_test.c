/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * run.json: what is saved is read back; what is foreign, newer, cut short or damaged is
 * refused with a sentence and never crashes.
 */
#include "sample_run.h"

#include <common/alloc.h>
#include <common/file.h>

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct folder {
	char path[64];
	struct xcs_buf text; /* of a good run.json */
};

static void put(const struct folder *f, const char *text, size_t n)
{
	/* Not xcs_file_write: thousands of fsyncs would take minutes. */
	char *path = xcs_xasprintf("%s/run.json", f->path);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(xcs_fd_write_all(fd, text, n), 0);
	close(fd);
	free(path);
}

static int setup(void **state)
{
	struct folder *f = xcs_xcalloc(1, sizeof(*f));
	struct xcs_run run;
	char *path;

	/* Thousands of small files: in memory where there is room for them. */
	snprintf(f->path, sizeof(f->path), "%s/xcs-run-test-XXXXXX",
	         access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	assert_non_null(mkdtemp(f->path));
	sample_run_init(&run);
	run.n_trials = 3; /* keeps the sweep over all lengths short */
	assert_int_equal(xcs_run_save(&run, f->path, NULL), 0);
	run.n_trials = 24;
	xcs_run_fini(&run);
	path = xcs_xasprintf("%s/run.json", f->path);
	assert_int_equal(xcs_file_read_at(AT_FDCWD, path, &f->text), 0);
	free(path);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct folder *f = *state;

	xcs_dir_remove(f->path);
	xcs_buf_fini(&f->text);
	free(f);
	return 0;
}

static void what_is_saved_is_read(void **state)
{
	struct folder *f = *state;
	struct xcs_run run;
	struct xcs_err err = {0};

	assert_int_equal(xcs_run_load(&run, f->path, &err), 0);
	assert_string_equal(run.id, "01JZZZZZZZZZZZZZZZZZZZZZZZ");
	assert_true(run.plan.seed == UINT64_MAX);
	assert_true(run.plan.one_cpu);
	assert_int_equal(run.n_cells, 6);
	assert_int_equal(run.cells[1].x_nice, -10);
	assert_int_equal(run.n_trials, 3);
	assert_true(run.cap_trials >= run.n_trials);
	assert_string_equal(run.trials[2].file, "trials/002.xcs");
	assert_true(run.trials[1].server_nice_after.known);
	assert_true(run.trials[1].server_nice_after.v == -10);
	assert_null(run.trials[0].reason);
	assert_int_equal(run.trials[0].windows[0].width_px, 484);
	assert_string_equal(run.loads[1].settings[0], "jumpScroll: true");
	assert_string_equal(xcs_facts_get(&run.host, "cpu.model"), "Example CPU 3000");
	assert_null(xcs_facts_get(&run.environment, "cpu.governor"));
	xcs_facts_set(&run.host, "cpu.model", xcs_facts_get(&run.host, "cpu.model"), "again");
	assert_string_equal(xcs_facts_get(&run.host, "cpu.model"), "Example CPU 3000");
	xcs_run_fini(&run);
}

static void saving_what_was_read_gives_the_same_bytes(void **state)
{
	struct folder *f = *state;
	struct xcs_run run;
	struct xcs_buf again = {0};
	char *path = xcs_xasprintf("%s/run.json", f->path);

	assert_int_equal(xcs_run_load(&run, f->path, NULL), 0);
	assert_int_equal(xcs_run_save(&run, f->path, NULL), 0);
	assert_int_equal(xcs_file_read_at(AT_FDCWD, path, &again), 0);
	assert_string_equal(again.p, f->text.p);
	xcs_run_fini(&run);
	xcs_buf_fini(&again);
	free(path);
}

static void a_loaded_run_can_grow(void **state)
{
	struct folder *f = *state;
	struct xcs_run run;

	assert_int_equal(xcs_run_load(&run, f->path, NULL), 0);
	for (int i = 0; i < 20; i++)
		xcs_run_add_trial(&run);
	xcs_run_add_note(&run, "one");
	xcs_run_add_note(&run, "one");
	assert_int_equal(run.n_notes, 1);
	for (int i = 0; i < 20; i++) {
		char key[16];
		snprintf(key, sizeof(key), "key%d", i);
		xcs_facts_set(&run.host, key, "v", NULL);
	}
	assert_string_equal(xcs_facts_get(&run.host, "key19"), "v");
	xcs_run_fini(&run);
}

/* The text with one part replaced. */
static void put_changed(const struct folder *f, const char *old, const char *new)
{
	char *at = strstr(f->text.p, old);
	struct xcs_buf out = {0};

	assert_non_null(at);
	xcs_buf_add(&out, f->text.p, (size_t)(at - f->text.p));
	xcs_buf_puts(&out, new);
	xcs_buf_puts(&out, at + strlen(old));
	put(f, out.p, out.n);
	xcs_buf_fini(&out);
}

static void bad_content_is_refused_by_name(void **state)
{
	static const struct {
		const char *old, *new, *sentence;
	} cases[] = {
	        {"xcsbench.run/1",       "xcsbench.run/2",         "reads xcsbench.run/1"                },
	        {"xcsbench.run/1",       "acme.run/1",             "not a run of xcsbench"               },
	        {"\"cell\": 1",          "\"cell\": 6",            "trials[1].cell is 6, but there are 6"},
	        {"\"cell\": 1",          "\"cell\": -1",           "trials[1].cell is -1"                },
	        {"\"cell\": 1",          "\"cell\": \"x\"",        "trials[1].cell is not a whole number"},
	        {"\"cell\": 1,",         "",                       "trials[1].cell is missing"           },
	        {"\"load\": 1",          "\"load\": 9",            "load is 9, but there are 2"          },
	        {"\"x_nice\": -10",      "\"x_nice\": -21",        "cells[1] has a nice value"           },
	        {"\"boot\": 0",          "\"boot\": 1",            "boot is 1"                           },
	        {"\"kind\": \"warmup\"", "\"kind\": \"cold\"",     "trials[0].kind is not a word"        },
	        {"trials/001.xcs",       "trials/../../x",         "outside the run's folder"            },
	        {"trials/001.xcs",       "/etc/passwd",            "outside the run's folder"            },
	        {"\"n_clients\": 4",     "\"n_clients\": 0",       "loads[0] lacks"                      },
	        {"18446744073709551615", "minus one",              "plan.seed is not a whole number"     },
	        {"\"one_cpu\": true",    "\"one_cpu\": 1",         "plan.one_cpu is not true or false"   },
	        {"\"id\": \"01JZ",       "\"id\": \"0000000001JZ", "id is missing or too long"           },
	};
	struct folder *f = *state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct xcs_run run;
		struct xcs_err err = {0};
		put_changed(f, cases[i].old, cases[i].new);
		assert_int_equal(xcs_run_load(&run, f->path, &err), -EINVAL);
		if (!strstr(err.text, cases[i].sentence) || !strstr(err.text, f->path))
			fail_msg("'%s' does not say '%s'", err.text, cases[i].sentence);
		xcs_run_fini(&run);
	}
}

/* tests/data/runs/v1 is a record of the first version, kept as it was written. */
static void a_record_of_the_first_version_is_still_read(void **state)
{
	struct xcs_run run;
	struct xcs_trial_data t;
	struct xcs_err err = {0};

	(void)state;
	if (xcs_run_load(&run, XCS_TEST_DATA "/runs/v1", &err))
		fail_msg("%s", err.text);
	assert_int_equal(run.n_trials, 2);
	assert_int_equal(run.cells[run.trials[1].cell].x_nice, -10);
	assert_string_equal(run.trials[1].file, "trials/007.xcs");
	if (xcs_trial_load(&t, XCS_TEST_DATA "/runs/v1/trials/007.xcs", &err))
		fail_msg("%s", err.text);
	assert_int_equal(t.n_tasks, 9);
	assert_int_equal(t.tables[XCS_TRIAL_SYSTEM].n_rows, 6);
	assert_true(xcs_table_get(&t.tables[XCS_TRIAL_SYSTEM], 5, XCS_SYSTEM_CTXT_TOTAL) ==
	            5000000 + 5 * 24750);
	xcs_trial_fini(&t);
	xcs_run_fini(&run);
}

static void unknown_fields_are_ignored(void **state)
{
	struct folder *f = *state;
	struct xcs_run run;
	struct xcs_err err = {0};

	put_changed(f, "\"cell\": 1,", "\"cell\": 1, \"colour\": {\"of\": [1, null]},");
	if (xcs_run_load(&run, f->path, &err))
		fail_msg("%s", err.text);
	xcs_run_fini(&run);
}

static void a_missing_file_says_what_to_give(void **state)
{
	struct xcs_run run;
	struct xcs_err err = {0};

	(void)state;
	assert_int_equal(xcs_run_load(&run, "/nonexistent", &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nonexistent holds no run.json"));
	xcs_run_fini(&run);
}

static void every_truncation_is_refused(void **state)
{
	struct folder *f = *state;

	/* Without the last newline and nothing else it is still whole. */
	for (size_t n = 0; n + 1 < f->text.n; n++) {
		struct xcs_run run;
		struct xcs_err err = {0};
		put(f, f->text.p, n);
		assert_int_equal(xcs_run_load(&run, f->path, &err), -EINVAL);
		assert_non_null(strstr(err.text, "run.json: "));
		xcs_run_fini(&run);
	}
}

static void no_flipped_bit_crashes(void **state)
{
	struct folder *f = *state;
	int n_refused = 0;

	for (size_t i = 0; i < f->text.n; i++) {
		struct xcs_run run;
		char bit = (char)(1 << i % 8);
		f->text.p[i] ^= bit;
		put(f, f->text.p, f->text.n);
		n_refused += xcs_run_load(&run, f->path, NULL) != 0;
		xcs_run_fini(&run);
		f->text.p[i] ^= bit;
	}
	assert_true(n_refused > 100);
}

static void bytes_that_are_not_utf8_survive(void **state)
{
	struct folder *f = *state;
	struct xcs_run run = {0}, back;
	struct xcs_err err = {0};

	xcs_facts_set(&run.host, "name", "caf\xe9", "raw");
	assert_int_equal(xcs_run_save(&run, f->path, &err), 0);
	assert_int_equal(xcs_run_load(&back, f->path, &err), 0);
	assert_string_equal(xcs_facts_get(&back.host, "name"), "caf\xc3\xa9");
	xcs_run_fini(&run);
	xcs_run_fini(&back);
}

static void a_folder_that_cannot_be_written_is_named(void **state)
{
	struct xcs_run run = {0};
	struct xcs_err err = {0};

	(void)state;
	assert_true(xcs_run_save(&run, "/nonexistent/run", &err) < 0);
	assert_non_null(strstr(err.text, "/nonexistent/run/run.json"));
	err = (struct xcs_err){0};
	assert_true(xcs_events_append("/nonexistent/run", "start", "x", &err) < 0);
	assert_non_null(strstr(err.text, "/nonexistent/run/events.jsonl"));
}

static void events_are_lines_behind_each_other(void **state)
{
	struct folder *f = *state;
	struct xcs_buf text = {0};
	char *path = xcs_xasprintf("%s/events.jsonl", f->path);
	struct xcs_str rest, line;
	int n = 0;

	assert_int_equal(xcs_events_append(f->path, "start", "a \"quoted\"\nline", NULL), 0);
	assert_int_equal(xcs_events_append(f->path, "end", NULL, NULL), 0);
	assert_int_equal(xcs_file_read_at(AT_FDCWD, path, &text), 0);
	rest = xcs_buf_str(&text);
	while (xcs_str_next_line(&rest, &line)) {
		assert_true(xcs_str_starts(line, "{\"wall_ns\": "));
		n++;
	}
	assert_int_equal(n, 2);
	assert_non_null(strstr(text.p, "\"a \\\"quoted\\\"\\nline\""));
	assert_non_null(strstr(text.p, "\"text\": null"));
	xcs_buf_fini(&text);
	free(path);
}

static void a_full_disk_is_an_error_of_the_append(void **state)
{
	struct folder *f = *state;
	struct xcs_err err = {0};
	char *path = xcs_xasprintf("%s/events.jsonl", f->path);

	assert_int_equal(symlink("/dev/full", path), 0);
	assert_int_equal(xcs_events_append(f->path, "start", "x", &err), -ENOSPC);
	assert_non_null(strstr(err.text, path));
	free(path);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(what_is_saved_is_read),
	        TEST(saving_what_was_read_gives_the_same_bytes),
	        TEST(a_loaded_run_can_grow),
	        TEST(bad_content_is_refused_by_name),
	        cmocka_unit_test(a_record_of_the_first_version_is_still_read),
	        TEST(unknown_fields_are_ignored),
	        cmocka_unit_test(a_missing_file_says_what_to_give),
	        TEST(every_truncation_is_refused),
	        TEST(no_flipped_bit_crashes),
	        TEST(bytes_that_are_not_utf8_survive),
	        cmocka_unit_test(a_folder_that_cannot_be_written_is_named),
	        TEST(events_are_lines_behind_each_other),
	        TEST(a_full_disk_is_an_error_of_the_append),
	};

	return cmocka_run_group_tests_name("record_run", tests, NULL, NULL);
}
