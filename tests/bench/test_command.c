/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../common/cmocka_test.h"

#include <scenario/command.h>

#include <common/alloc.h>

#include <stdlib.h>
#include <string.h>

static void test_expansion(void **state)
{
	static const struct {
		const char *text, *dir;
		int count;
		const char *want;
	} rows[] = {
	        {"seq 1 {count}",      NULL,        5000, "seq 1 5000"         },
	        {"ls -l {dirs}",       "/tmp/a",    2,    "ls -l /tmp/a /tmp/a"},
	        {"ls -l {dir}",        "/tmp/a b",  2,    "ls -l '/tmp/a b'"   },
	        {"ls {dirs}",          "/tmp/it's", 1,    "ls '/tmp/it'\\''s'" },
	        {"ls {dirs}",          "/t",        0,    "ls /t"              },
	        {"{count}{count}",     NULL,        7,    "77"                 },
	        {"awk '{print}' {dir", "/t",        7,    "awk '{print}' {dir" },
	        {"",                   NULL,        0,    ""                   },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *got = command_expand_dup(rows[i].text, rows[i].dir, rows[i].count);
		assert_string_equal(got, rows[i].want);
		free(got);
	}
}

static void test_questions(void **state)
{
	(void)state;
	assert_true(command_needs_tree("ls {dirs}") && command_needs_tree("ls {dir}"));
	assert_false(command_needs_tree("seq 1 {count}") || command_needs_tree(NULL));
	assert_true(command_has_count("ls {dirs}") && command_has_count("seq {count}"));
	assert_false(command_has_count("ls {dir}") || command_has_count(NULL));
}

static void test_words(void **state)
{
	static const char *const rows[][2] = {
	        {"seq 1 5000",             "seq 1 5000"                            },
	        {"sh -c \"ls -l /a /a\"",  "sh -c \"ls -l /a /a\""                 },
	        {"find /a | wc -l",        "sh -c 'find /a | wc -l'"               },
	        {"echo $HOME 'x'; exit 1", "sh -c 'echo $HOME '\\''x'\\''; exit 1'"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct xcs_buf b = {0};
		command_add_words(&b, rows[i][0]);
		assert_string_equal(b.p, rows[i][1]);
		xcs_buf_fini(&b);
	}
}

static void test_scale(void **state)
{
	(void)state;
	assert_int_equal(command_scale(5000, 500, 2500), 25001);
	assert_int_equal(command_scale(5000, 2500, 2500), 5000);
	assert_int_equal(command_scale(5000, 9999, 2500), 5000); /* never smaller */
	assert_int_equal(command_scale(2, 1, 1000000000), 2001);
	assert_int_equal(command_scale(5, 0, 2500), 5001);
	assert_int_equal(command_scale(900000000, 1, 100), 1000000000);
}

static void test_count_reaches_the_pipe(void **state)
{
	struct xcs_run run = {.n_loads = 3, .loads = xcs_xcalloc(3, sizeof(*run.loads))};
	struct commands c;

	(void)state;
	run.loads[0] = (struct xcs_run_load){.id = xcs_xstrdup("seq"),
	                                     .command = xcs_xstrdup("seq {count}"),
	                                     .label = xcs_xstrdup("xterm -e seq {count}, {dirs}"),
	                                     .count = 2};
	run.loads[1] = (struct xcs_run_load){.id = xcs_xstrdup("seq-pipe"),
	                                     .pipe_of = xcs_xstrdup("seq"),
	                                     .command = xcs_xstrdup("seq {count}"),
	                                     .count = 5};
	run.loads[2] = (struct xcs_run_load){
	        .id = xcs_xstrdup("b"), .command = xcs_xstrdup("ls {dir}"), .count = 5};
	run.tree.path = xcs_xstrdup("/t");
	commands_init(&c, &run);
	for (size_t i = 0; i < run.n_loads; i++)
		commands_expand(&c, &run, i);
	assert_string_equal(run.loads[0].command, "seq 2");
	assert_string_equal(run.loads[0].label, "xterm -e seq 2, DIR DIR");
	assert_string_equal(run.loads[2].command, "ls /t");
	commands_set_count(&c, &run, 0, 40);
	assert_string_equal(run.loads[0].command, "seq 40");
	assert_string_equal(run.loads[1].command, "seq 40");
	assert_memory_equal(run.loads[0].label, "xterm -e seq 40,", 16);
	assert_int_equal(run.loads[1].count, 40);
	assert_int_equal(run.loads[2].count, 5);
	commands_fini(&c);
	xcs_run_fini(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_expansion),
	        cmocka_unit_test(test_questions),
	        cmocka_unit_test(test_words),
	        cmocka_unit_test(test_scale),
	        cmocka_unit_test(test_count_reaches_the_pipe),
	};

	return cmocka_run_group_tests_name("bench command", tests, NULL, NULL);
}
