/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The option table: what is read, what is refused with which words, and that help, man
 * page and completion list the same rows.
 */
#include "cmocka_test.h"

#include <common/alloc.h>
#include <common/cpuset.h>
#include <common/options.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct values {
	bool quick;
	const char *out;
	struct xcs_strs watch;
	int count, server;
	uint64_t seed;
	struct xcs_ints nice;
	int64_t period_ns;
	struct xcs_cpuset cpus;
};

#define AT(member) .offset = offsetof(struct values, member)

static const char *const servers[] = {"auto", "xorg-dummy", "x_y", NULL};
static const struct xcs_option rows[] = {
        {"quick",             'q', XCS_OPT_FLAG, AT(quick), .help = "be quick"},
        {"out",       'o', XCS_OPT_STR, AT(out), .metavar = "DIR", .help = "write to DIR"},
        {"watch", 0, XCS_OPT_STRS, AT(watch), .metavar = "ROLE=PID", .help = "watch it"},
        {"count",               'n', XCS_OPT_INT, AT(count), .metavar = "N", .help = "how many", .min = 1,
         .max = 64},
        {"seed",        0, XCS_OPT_U64, AT(seed), .metavar = "N", .help = "seed of the plan"},
        {"x-nice",   0, XCS_OPT_INTS, AT(nice), .metavar = "LIST",
         .help = "nice levels of the server (default 0,-10,10)", .min = -20, .max = 19},
        {"period",                   'i', XCS_OPT_DURATION, AT(period_ns), .metavar = "TIME", .help = "period"},
        {"server",                  0, XCS_OPT_CHOICE, AT(server), .help = "the X_server", .choices = servers},
        {"cpus",          0, XCS_OPT_CPUS, AT(cpus), .metavar = "LIST", .help = "CPUs of the load"},
        {0},
};
static const struct xcs_command command = {
        .name = "xcsbench try",
        .summary = "Try the table.",
        .operands = "[SCENARIO]",
        .max_operands = 1,
        .options = rows,
        .notes = "A note.",
};

struct parsed {
	struct values v;
	struct xcs_strs operands;
	struct xcs_buf text;
	struct xcs_err err;
	int rc;
};

/* Parses a command line of blank-separated words, which must outlive the result. */
static struct parsed parse(char *words)
{
	struct parsed p = {.v.count = 4};
	char *argv[32] = {(char *)(uintptr_t) "xcsbench"}, *save;
	int argc = 1;

	for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	p.rc = xcs_options_parse(&command, argc, argv, &p.v, &p.operands, &p.text, &p.err);
	return p;
}

static void every_type_is_read(void **state)
{
	char words[] = "-q flood --out=/a/b --watch server=1 --watch=client0=2 -n 64 "
	               "--seed=18446744073709551615 --x-nice=0,-20,19 -i 1.5ms "
	               "--server xorg-dummy --cpus=0,2-3";
	struct parsed p = parse(words);

	(void)state;
	assert_string_equal(p.err.text, "");
	assert_int_equal(p.rc, 0);
	assert_true(p.v.quick);
	assert_string_equal(p.v.out, "/a/b");
	assert_int_equal(p.v.watch.n, 2);
	assert_string_equal(p.v.watch.v[1], "client0=2");
	assert_int_equal(p.v.count, 64);
	assert_true(p.v.seed == UINT64_MAX);
	assert_int_equal(p.v.nice.n, 3);
	assert_int_equal(p.v.nice.v[1], -20);
	assert_int_equal(p.v.period_ns, 1500000);
	assert_int_equal(p.v.server, 1);
	assert_int_equal(xcs_cpuset_count(&p.v.cpus), 3);
	assert_int_equal(p.operands.n, 1);
	assert_string_equal(p.operands.v[0], "flood");
}

static void what_is_not_given_keeps_its_default(void **state)
{
	char words[] = "-q";
	struct parsed p = parse(words);

	(void)state;
	assert_int_equal(p.rc, 0);
	assert_int_equal(p.v.count, 4);
	assert_int_equal(p.operands.n, 0);
}

static void a_repeated_list_starts_afresh(void **state)
{
	char words[] = "--x-nice=1,2,3 --x-nice=5";
	struct parsed p = parse(words);

	(void)state;
	assert_int_equal(p.v.nice.n, 1);
	assert_int_equal(p.v.nice.v[0], 5);
}

static void behind_two_dashes_all_are_operands(void **state)
{
	char words[] = "-- --quick";
	struct parsed p = parse(words);

	(void)state;
	assert_int_equal(p.rc, 0);
	assert_false(p.v.quick);
	assert_string_equal(p.operands.v[0], "--quick");
}

static void errors_name_the_option_and_the_remedy(void **state)
{
	static const char *const cases[][3] = {
	        {"--bogus",           "--bogus",  "--help"          },
	        {"flood --bogus",     "--bogus",  "--help"          },
	        {"flood -z",          "-z",       "--help"          },
	        {"flood -quick",      "-quick",   "--help"          },
	        {"flood -qn",         "-qn",      "needs a value"   },
	        {"--out",             "--out",    "needs a value"   },
	        {"--out=",            "--out",    "is empty"        },
	        {"--count=0",         "--count",  "from 1 to 64"    },
	        {"--count=65",        "--count",  "from 1 to 64"    },
	        {"--count=4x",        "4x",       "from 1 to 64"    },
	        {"--count=",          "--count",  "from 1 to 64"    },
	        {"--x-nice=-21",      "--x-nice", "from -20 to 19"  },
	        {"--x-nice=0,,1",     "--x-nice", "from -20 to 19"  },
	        {"--x-nice=",         "--x-nice", "0,-10,10"        },
	        {"--seed=-1",         "--seed",   "whole number"    },
	        {"--period=fast",     "--period", "10ms"            },
	        {"--server=xfree86",  "xfree86",  "auto, xorg-dummy"},
	        {"--cpus=a",          "--cpus",   "0,2-3"           },
	        {"one two",           "'two'",    "--help"          },
	        {"--options-as=html", "html",     "scdoc or words"  },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *words = xcs_xstrdup(cases[i][0]);
		struct parsed p = parse(words);
		if (p.rc != -EINVAL || !strstr(p.err.text, cases[i][1]) ||
		    !strstr(p.err.text, cases[i][2]))
			fail_msg("'%s' gave %d, '%s'", cases[i][0], p.rc, p.err.text);
		xcs_buf_fini(&p.text);
		free(words);
	}
}

static void a_missing_operand_is_named(void **state)
{
	struct xcs_command needs = command;
	struct parsed p = {0};
	char *argv[] = {(char *)(uintptr_t) "x", NULL};

	(void)state;
	needs.operands = "SCENARIO";
	needs.min_operands = 1;
	p.rc = xcs_options_parse(&needs, 1, argv, &p.v, &p.operands, &p.text, &p.err);
	assert_int_equal(p.rc, -EINVAL);
	assert_non_null(strstr(p.err.text, "needs SCENARIO"));
}

static void more_strings_than_fit_are_refused(void **state)
{
	char *argv[XCS_OPTION_LIST_MAX + 3];
	struct parsed p = {0};
	int argc = 0;

	(void)state;
	argv[argc++] = (char *)(uintptr_t) "x";
	for (int i = 0; i <= XCS_OPTION_LIST_MAX; i++)
		argv[argc++] = (char *)(uintptr_t) "--watch=a=1";
	argv[argc] = NULL;
	p.rc = xcs_options_parse(&command, argc, argv, &p.v, &p.operands, &p.text, &p.err);
	assert_int_equal(p.rc, -EINVAL);
	assert_int_equal(p.v.watch.n, XCS_OPTION_LIST_MAX);
}

static void help_has_usage_rows_and_notes(void **state)
{
	char words[] = "--help";
	struct parsed p = parse(words);

	(void)state;
	assert_int_equal(p.rc, 1);
	assert_true(xcs_str_starts(xcs_buf_str(&p.text),
	                           "Usage: xcsbench try [OPTION]... [SCENARIO]\n"
	                           "Try the table.\n\n"));
	assert_non_null(strstr(p.text.p, "  -q, --quick                 be quick\n"));
	assert_non_null(strstr(p.text.p, "      --server=auto|xorg-dummy|x_y\n"));
	assert_non_null(strstr(p.text.p, "  -h, --help                  print this help\n"));
	assert_non_null(strstr(p.text.p, "\nA note.\n"));
	xcs_buf_fini(&p.text);
}

static void version_is_printed(void **state)
{
	char words[] = "--version";
	struct parsed p = parse(words);

	(void)state;
	assert_int_equal(p.rc, 1);
	assert_string_equal(p.text.p, "xcsbench " XCS_VERSION "\n");
	xcs_buf_fini(&p.text);
}

static void man_page_and_completion_list_the_same_rows(void **state)
{
	char man_words[] = "--options-as=scdoc", list_words[] = "--options-as=words";
	struct parsed man = parse(man_words), list = parse(list_words);

	(void)state;
	assert_int_equal(man.rc, 1);
	assert_int_equal(list.rc, 1);
	for (const struct xcs_option *o = rows; o->name; o++) {
		char *row = xcs_xasprintf("*--%s*", o->name);
		assert_non_null(strstr(man.text.p, row));
		free(row);
		row = xcs_xasprintf("--%s%s\n", o->name, o->type == XCS_OPT_FLAG ? "" : "=");
		assert_non_null(strstr(list.text.p, row));
		free(row);
	}
	assert_non_null(strstr(list.text.p, "--server=\n--server=auto\n"));
	/* An underscore would start underlined text. */
	assert_non_null(strstr(man.text.p, "auto|xorg-dummy|x\\_y\n\tthe X\\_server.\n"));
	xcs_buf_fini(&man.text);
	xcs_buf_fini(&list.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_type_is_read),
	        cmocka_unit_test(what_is_not_given_keeps_its_default),
	        cmocka_unit_test(a_repeated_list_starts_afresh),
	        cmocka_unit_test(behind_two_dashes_all_are_operands),
	        cmocka_unit_test(errors_name_the_option_and_the_remedy),
	        cmocka_unit_test(a_missing_operand_is_named),
	        cmocka_unit_test(more_strings_than_fit_are_refused),
	        cmocka_unit_test(help_has_usage_rows_and_notes),
	        cmocka_unit_test(version_is_printed),
	        cmocka_unit_test(man_page_and_completion_list_the_same_rows),
	};

	return cmocka_run_group_tests_name("common: options", tests, NULL, NULL);
}
