/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../common/cmocka_test.h"

#include <scenario/scenario.h>

#include <common/file.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOADS "loads = ( { id = \"a\"; kind = \"xterm\"; } );\n"

/* Writes a scenario file, reads it, and returns what came of it. */
static int load_text(const char *text, struct xcs_run *run, struct scenario *s, struct xcs_err *err)
{
	char path[] = "/tmp/xcs-scenario-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(xcs_file_write(path, text, strlen(text), err), 0);
	*run = (struct xcs_run){0};
	err->text[0] = '\0';
	int rc = scenario_load(path, run, s, err);
	unlink(path);
	return rc;
}

static void test_defaults(void **state)
{
	struct xcs_run run;
	struct scenario s;
	struct xcs_err err;

	(void)state;
	assert_int_equal(load_text("title = \"T\"; x_nice = [ 0, -10 ];\n" LOADS, &run, &s, &err),
	                 0);
	assert_int_equal(s.x_nice.n, 2);
	assert_int_equal(s.x_nice.v[1], -10);
	assert_int_equal(run.n_loads, 1);
	assert_string_equal(run.loads[0].feeder, "lines");
	assert_string_equal(run.loads[0].scroll, "jump");
	assert_int_equal(run.loads[0].n_clients, 4);
	assert_int_equal(run.plan.n_repetitions, 3);
	assert_true(run.plan.sample_ns == INT64_C(5000000000));
	xcs_run_fini(&run);
}

static void test_hogs(void **state)
{
	struct xcs_run run;
	struct scenario s;
	struct xcs_err err;

	(void)state;
	assert_int_equal(load_text("title = \"T\"; x_nice = [ 0 ]; hogs = [ 0, 2, 256 ];\n" LOADS,
	                           &run, &s, &err),
	                 0);
	assert_int_equal(s.hogs.n, 3);
	assert_int_equal(s.hogs.v[2], 256);
	xcs_run_fini(&run);
}

static void test_faults_name_line_and_reason(void **state)
{
	static const struct {
		const char *text, *where, *what;
	} rows[] = {
	        {"title = \"T\";\nx_nice = [ 0 ];\ncolour = 3;\n" LOADS,
	         ":3:",	                                                                                      "unknown key 'colour'"               },
	        {"title = \"T\";\nx_nice = [ 0, 30 ];\n" LOADS,                                               ":2:", "from -20 to 19"                     },
	        {"title = \"T\";\nx_nice = 0;\n" LOADS,                                                       ":2:", "a list such as"                     },
	        {"title = \"T\";\nx_nice = [ 0 ];\nhogs = [ 257 ];\n" LOADS,
	         ":3:",	                                                                                      "hogs must be numbers from 0 to 256" },
	        {"title = \"T\";\nx_nice = [ 0 ];\nsince_boot = 1;\n" LOADS,
	         ":3:",	                                                                                      "since_boot must be true or false"   },
	        {"title = \"T\"; x_nice = [ 0 ];\nloads = ( { id = \"a\"; kind = \"xterm\"; feeder "
	         "= \"yes\"; lines_per_s = 4; } );\n",	                               ":2:", "lines_per_s needs feeder"           },
	        {"title = \"T\";\nx_nice = [ 0 ];\nhogs = 2;\n" LOADS,
	         ":3:",	                                                                                      "a list such as [ 0, 10 ]"           },
	        {"title = 5;\nx_nice = [ 0 ];\n" LOADS,                                                       ":1:", "text in quotes"                     },
	        {"title = \"\";\nx_nice = [ 0 ];\n" LOADS,                                                    ":1:", "not empty"                          },
	        {"title = \"T\";\nx_nice = [ 0 ];\nsample_s = 1;\n" LOADS,                                    ":3:", "from 5"                             },
	        {"title = \"T\";\nx_nice = [ 0 ];\nsample_s = \"x\";\n" LOADS,                                ":3:", "seconds"                            },
	        {"title = \"T\";\nx_nice = [ 0 ];\nrepetitions = 0;\n" LOADS,                                 ":3:", "from 1"                             },
	        {"title = \"T\";\nx_nice = [ 0 ];\nloads = ( );\n",                                           ":3:", "1 to 32"                            },
	        {"title = \"T\";\nx_nice = [ 0 ];\nloads = ( 5 );\n",                                         ":3:", "must be a group"                    },
	        {"title = \"T\";\nx_nice = [ 0 ];\n",	                                                 ":",   "loads is missing"                   },
	        {"title = \"T\";\nx_nice = [ 0 ];\nloads = ( { id = \"a\"; } );\n",
	         ":3:",	                                                                                      "kind is missing"                    },
	        {"title = \"T\";\nx_nice = [ 0 ];\nloads = ( { id = \"a\"; kind = \"rxvt\"; } );\n",
	         ":3:",	                                                                                      "must be one of \"xterm\", \"flood\""},
	        {"title = \"T\";\nx_nice = [ 0 ];\n"
	         "loads = ( { id = \"A b\"; kind = \"xterm\"; } );\n",	               ":3:", "16 characters"                      },
	        {"title = \"T\";\nx_nice = [ 0 ];\nloads = ( { id = \"a\"; kind = \"xterm\"; },\n"
	         "{ id = \"a\"; kind = \"flood\"; } );\n",	                           ":4:", "same id"                            },
	        {"title = \"T\";\nx_nice = [ 0 ];\n"
	         "loads = ( { id = \"a\"; kind = \"xterm\"; clients = 65; } );\n",           ":3:", "from 1 to 64"                       },
	        {"title = \"T\"\nx_nice = = 4;\n",	                                                    ":2:", "syntax error"                       },
	        {"title = \"T\"; x_nice = [ 0 ];\n"
	         "loads = ( { id = \"a\"; kind = \"xterm\"; feeder = \"command\"; } );\n",   ":2:", "needs a command"                    },
	        {"title = \"T\"; x_nice = [ 0 ];\n"
	         "loads = ( { id = \"a\"; kind = \"xterm\"; timer = \"once\"; } );\n",       ":2:", "timer needs"                        },
	        {"title = \"T\"; x_nice = [ 0 ];\n"
	         "loads = ( { id = \"a\"; kind = \"xterm\"; command = \"ls {dir}\"; } );\n", ":2:", "need a tree"                        },
	        {"title = \"T\"; x_nice = [ 0 ];\n"
	         "loads = ( { id = \"a\"; kind = \"xterm\"; command = \"true\"; size = \"scaled\"; "
	         "} );\n",	                                                           ":2:", "needs {count}"                      },
	        {"title = \"T\"; x_nice = [ 0 ];\n"
	         "loads = ( { id = \"a\"; kind = \"xterm\"; command = \"true\"; pipe_of = \"b\"; } "
	         ");\n",	                                                             ":2:", "another load"                       },
	        {"title = \"T\"; x_nice = [ 0 ]; tree = 5;\n" LOADS,                                          ":1:", "must be a group"                    },
	        {"title = \"T\"; x_nice = [ 0 ]; tree = { kind = \"flat\"; entries = 5; name_bytes "
	         "= 256; };\n" LOADS,
	         ":1:",	                                                                                      "from 8 to 255"                      },
	        {"title = \"T\"; x_nice = [ 0 ]; tree = { kind = \"flat\"; };\n" LOADS,
	         ":1:",	                                                                                      "entries is missing"                 },
	        {"title = \"T\"; x_nice = [ 0 ]; deadline_s = 0;\n" LOADS,                                    ":1:", "from 1 to 3600"                     },
	        {"",	                                                                                  ":",   "title is missing"                   },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct xcs_run run;
		struct scenario s;
		struct xcs_err err;
		int rc = load_text(rows[i].text, &run, &s, &err);
		if (rc >= 0 || !strstr(err.text, rows[i].where) || !strstr(err.text, rows[i].what))
			fail_msg("row %zu: %d '%s'", i, rc, err.text);
		xcs_run_fini(&run);
	}
}

static void test_client_nice_in_turn(void **state)
{
	struct xcs_run run;
	struct scenario s;
	struct xcs_err err;

	(void)state;
	assert_int_equal(load_text("title = \"T\"; x_nice = [ 0 ];\nloads = ( { id = \"a\"; kind = "
	                           "\"xterm\"; client_nice = [ -20, 0, 19 ]; },\n{ id = \"b\"; "
	                           "kind = \"flood\"; client_nice = 5; } );\n",
	                           &run, &s, &err),
	                 0);
	assert_string_equal(run.loads[0].client_nices, "-20,0,19");
	assert_int_equal(scenario_client_nice(&run.loads[0], 1), 0);
	assert_int_equal(scenario_client_nice(&run.loads[0], 3), -20);
	assert_int_equal(scenario_client_nice(&run.loads[1], 3), 5);
	xcs_run_fini(&run);
	assert_true(load_text("title = \"T\"; x_nice = [ 0 ];\nloads = ( { id = \"a\"; kind = "
	                      "\"xterm\"; client_nice = [ 20 ]; } );\n",
	                      &run, &s, &err) < 0);
	xcs_run_fini(&run);
}

static void test_commands(void **state)
{
	struct xcs_run run;
	struct scenario s;
	struct xcs_err err;

	(void)state;
	assert_int_equal(
	        load_text("title = \"T\"; x_nice = [ 0 ]; deadline_s = 7; scaled_s = 3.5;\n"
	                  "tree = { kind = \"nested\"; entries = 500; name_bytes = 40; };\n"
	                  "loads = ( { id = \"a\"; kind = \"xterm\"; command = \"ls {dirs}\"; "
	                  "count = 2;\n"
	                  "size = \"scaled\"; label = \"ls\"; },\n"
	                  "{ id = \"b\"; kind = \"flood\"; command = \"ls {dirs}\"; pipe_of = "
	                  "\"a\"; },\n"
	                  "{ id = \"c\"; kind = \"flood\"; } );\n",
	                  &run, &s, &err),
	        0);
	assert_string_equal(run.loads[0].feeder, "command");
	assert_string_equal(run.loads[0].timer, "once");
	assert_string_equal(run.loads[0].command, "ls {dirs}");
	assert_int_equal(run.loads[0].count, 2);
	assert_int_equal(run.loads[0].line_bytes, 0);
	assert_int_equal(run.loads[1].count, 1);
	assert_string_equal(run.loads[1].pipe_of, "a");
	assert_null(run.loads[2].timer);
	assert_int_equal(s.tree.kind, TREE_NESTED);
	assert_int_equal(s.tree.n_entries, 500);
	assert_int_equal(s.tree.name_bytes, 40);
	assert_true(s.deadline_ns == INT64_C(7000000000));
	assert_true(s.scaled_ns == INT64_C(3500000000));
	xcs_run_fini(&run);
}

static void test_unknown_name(void **state)
{
	struct xcs_run run = {0};
	struct scenario s;
	struct xcs_err err;

	(void)state;
	assert_true(scenario_load("no-such-thing", &run, &s, &err) < 0);
	assert_non_null(strstr(err.text, "xcsbench list"));
	xcs_run_fini(&run);
	run = (struct xcs_run){0};
	assert_true(scenario_load("/nowhere/x.cfg", &run, &s, &err) < 0);
	assert_non_null(strstr(err.text, "/nowhere/x.cfg"));
	xcs_run_fini(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_defaults),
	        cmocka_unit_test(test_hogs),
	        cmocka_unit_test(test_faults_name_line_and_reason),
	        cmocka_unit_test(test_client_nice_in_turn),
	        cmocka_unit_test(test_commands),
	        cmocka_unit_test(test_unknown_name),
	};

	return cmocka_run_group_tests_name("bench scenario", tests, NULL, NULL);
}
