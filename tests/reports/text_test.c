/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The text writer alone: lines, commands, numbers, tables.
 */
#include "../../reports/render/text.h"

#include <common/alloc.h>
#include <common/child.h>
#include <common/units.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void fits(const struct xcs_buf *text)
{
	struct xcs_str rest = xcs_buf_str(text), line;

	while (xcs_str_next_line(&rest, &line)) {
		if (line.n > TEXT_WIDTH)
			fail_msg("%zu columns: %.*s", line.n, (int)line.n, line.p);
		for (size_t i = 0; i < line.n; i++)
			assert_true(line.p[i] >= ' ' && line.p[i] <= '~');
	}
}

static void what_is_not_ascii_becomes_a_question_mark(void **state)
{
	static const char *const cases[][2] = {
	        {"plain",                "plain"       },
	        {"caf\xc3\xa9",          "caf?"        },
	        {"\xf0\x9f\x90\xa7 tux", "? tux"       },
	        {"tab\tnew\nline",       "tab new line"},
	        {"esc\x1b[31m",          "esc?[31m"    },
	        {"latin \xe9",           "latin ?"     },
	        {"",	             ""            },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *ascii = text_ascii_dup(cases[i][0]);
		assert_string_equal(ascii, cases[i][1]);
		free(ascii);
	}
}

static void text_wraps_and_long_words_are_cut(void **state)
{
	struct xcs_buf out = {0}, word = {0};

	(void)state;
	text_wrap(&out, "- ", 2, "a b");
	assert_string_equal(out.p, "- a b\n");
	xcs_buf_clear(&out);
	for (int i = 0; i < 40; i++)
		xcs_buf_puts(&word, "word ");
	text_wrap(&out, "- ", 2, word.p);
	fits(&out);
	assert_non_null(strstr(out.p, "\n  word"));
	xcs_buf_clear(&word);
	xcs_buf_clear(&out);
	xcs_buf_fill(&word, 'x', 300);
	text_wrap(&out, "label  ", 7, word.p);
	fits(&out);
	int n = 0;
	for (const char *p = out.p; *p; p++)
		n += *p == 'x';
	assert_int_equal(n, 300);
	xcs_buf_fini(&word);
	xcs_buf_fini(&out);
}

/* Asks a real shell for the words of a command. */
static void words_of(const char *command, struct xcs_buf *out)
{
	char *script = xcs_xasprintf("printf '<%%s>\\n' %s", command);
	const char *const argv[] = {"sh", "-c", script, NULL};
	const struct xcs_spawn spawn = {.argv = argv};
	struct xcs_err err = {0};

	if (xcs_child_capture(&spawn, 10 * XCS_NS_PER_S, out, &err))
		fail_msg("%s", err.text);
	free(script);
}

static void a_broken_command_is_the_same_command(void **state)
{
	static const char *const commands[] = {
	        "xcsbench run a-four-xterm-flood --one-cpu --autogroup=off --server=xorg-dummy "
	        "--seed=18446744073709551615 --output=some/folder/that/is/long",
	        "run 'one single-quoted word with blanks that is far longer than one line of a "
	        "mail "
	        "may ever be' end",
	        "run \"double quoted $HOME that goes on and on and on and on and on and on and on "
	        "and on\" end",
	        "run /a/path/without/any/blank/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa "
	        "b",
	        "run it\\'s\\ escaped\\ \\ \\ \\ \\ \\ \\ \\ \\ \\ \\ \\ \\ \\ \\ \\ \\ \\ \\ \\ "
	        "\\ \\ "
	        "\\ \\ \\ \\ \\ x",
	        "run 'it'\\''s' --a=b",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
		struct xcs_buf text = {0}, want = {0}, got = {0};
		text_command(&text, commands[i]);
		fits(&text);
		words_of(commands[i], &want);
		words_of(text.p, &got);
		assert_string_equal(got.p, want.p);
		xcs_buf_fini(&text);
		xcs_buf_fini(&want);
		xcs_buf_fini(&got);
	}
}

static void numbers_stay_short(void **state)
{
	static const struct {
		double v;
		int digits;
		const char *text;
	} cases[] = {
	        {25000,         0, "25000"      },
                {-0.2,          0, "0"          },
	        {0.04,          1, "0.0"        },
                {-1.25,         2, "-1.25"      },
	        {1e300,         0, "1.000e+300" },
                {12345678901.0, 0, "12345678901"},
	        {-9.9e15,       3, "-9.900e+15" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct xcs_buf out = {0};
		text_number(&out, cases[i].v, cases[i].digits);
		assert_string_equal(out.p, cases[i].text);
		xcs_buf_fini(&out);
	}
}

static const struct xcs_column columns[] = {
        {.id = "load",                             .heading = "load",                       .unit = "", .is_key = true},
        {.id = "a",                                        .heading = "a",                                                                       .unit = "1/s",                            .with_range = true},
        {.id = "b",                      .heading = "b",                                                             .unit = "%",                                    .digits = 1},
        {.id = "c",                             .heading = "a long heading of a column",.unit = "1"},
        {.id = "d",.heading = "another long heading here",     .unit = "1"                                           },
};

static void put_row(struct xcs_doc_table *t, const char *label, double v)
{
	struct xcs_cell *row = xcs_doc_row(t);
	const struct xcs_spread spread = {3, v, v - 1, v + 1};

	xcs_cell_set_text(&row[0], label);
	xcs_cell_set_spread(&row[1], &spread);
	xcs_cell_set_num(&row[2], xcs_num_of(v));
	xcs_cell_set_num(&row[3], (struct xcs_num){0});
}

static void table_of(const char *const *labels, size_t n, double v, struct xcs_buf *out)
{
	struct xcs_doc doc;

	xcs_doc_init(&doc, "t");
	struct xcs_doc_table *t =
	        xcs_doc_table(xcs_doc_section(&doc, "s", "s"), "t", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < n; i++)
		put_row(t, labels[i], v);
	text_table(out, t);
	fits(out);
	xcs_doc_fini(&doc);
}

static void a_wide_table_goes_on_below_itself(void **state)
{
	static const char *const labels[] = {"x", "y"};
	struct xcs_buf out = {0};

	(void)state;
	table_of(labels, 2, 10, &out);
	assert_string_equal(out.p, "load    a  min..max     b  a long heading of a column\n"
	                           "      1/s       1/s     %                           1\n"
	                           "x      10     9..11  10.0                         n/a\n"
	                           "y      10     9..11  10.0                         n/a\n"
	                           "\n"
	                           "load  another long heading here\n"
	                           "                              1\n"
	                           "x                           n/a\n"
	                           "y                           n/a\n");
	xcs_buf_fini(&out);
}

static void labels_that_look_alike_are_told_apart(void **state)
{
	static const char *const labels[] = {
	        "a-name-of-64-characters-that-has-no-room-in-a-table-of-a-mail--1",
	        "a-name-of-64-characters-that-has-no-room-in-a-table-of-a-mail--2",
	        "caf\xc3\xa9",
	        "caf\xc3\xa8",
	        "short",
	        "a-name-of-64-characters-that-has-no-room-in-a-table-of-a-mail--1"};
	struct xcs_buf out = {0};

	(void)state;
	table_of(labels, ARRAY_LEN(labels), 1e15, &out);
	assert_non_null(strstr(out.p, "\na-name-of-64~1 "));
	assert_non_null(strstr(out.p, "\na-name-of-64~2 "));
	assert_non_null(strstr(out.p, "\ncaf?~3 "));
	assert_non_null(strstr(out.p, "\ncaf?~4 "));
	assert_non_null(strstr(out.p, "\nshort "));
	assert_non_null(strstr(out.p, "  a-name-of-64~2 ="));
	assert_non_null(strstr(out.p, "\n  caf?~3 = caf\\u00e9\n"));
	assert_non_null(strstr(out.p, "\n  caf?~4 = caf\\u00e8\n"));
	xcs_buf_fini(&out);
}

/* Releases that differ behind the 14th character, or only there; each has a legend in full. */
static void kernels_are_never_cut_to_one_name(void **state)
{
	static const char *const labels[] = {
	        "5.14.0-503.el9.x86_64",
	        "5.14.0-503.11.1.el9.x86_64",
	        "5.14.0-503.11.2.el9.x86_64",
	        "6.17.0-rc2-next-20250905-00042-g0123456789ab-slice-experiment-v3-a",
	        "6.17.0-rc2-next-20250905-00042-g0123456789ab-slice-experiment-v3-b",
	};
	struct xcs_buf out = {0};

	(void)state;
	table_of(labels, ARRAY_LEN(labels), 10, &out);
	for (size_t i = 0; i < ARRAY_LEN(labels); i++) {
		char *shown = xcs_xasprintf("%.12s~%zu ", labels[i], i + 1);
		char *legend = xcs_xasprintf("= %s\n", labels[i]);
		assert_non_null(strstr(out.p, shown));
		if (strlen(legend) < 50)
			assert_non_null(strstr(out.p, legend));
		free(shown);
		free(legend);
	}
	assert_non_null(strstr(out.p, "\n      6.17.0-rc2-next-20250905-00042-g0123456789ab-slice-"
	                              "experiment-v3-b\n"));
	xcs_buf_fini(&out);
}

/* Wide and combining characters take no column or two on a terminal; escaped they take what
 * they are counted as. */
static void wide_characters_shift_no_column(void **state)
{
	static const char *const labels[] = {"ab", "\xe6\xbc\xa2\xe5\xad\x97", "e\xcc\x81",
	                                     "\xf0\x9f\x90\xa7"};
	struct xcs_buf out = {0};

	(void)state;
	table_of(labels, ARRAY_LEN(labels), 10, &out);
	struct xcs_str rest = xcs_buf_str(&out), line;
	for (int i = 0; i < 2 + (int)ARRAY_LEN(labels); i++) {
		assert_true(xcs_str_next_line(&rest, &line));
		if (i >= 2)
			assert_memory_equal(line.p + 4, "   10     9..11  10.0", 21);
	}
	xcs_buf_fini(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_is_not_ascii_becomes_a_question_mark),
	        cmocka_unit_test(text_wraps_and_long_words_are_cut),
	        cmocka_unit_test(a_broken_command_is_the_same_command),
	        cmocka_unit_test(numbers_stay_short),
	        cmocka_unit_test(a_wide_table_goes_on_below_itself),
	        cmocka_unit_test(labels_that_look_alike_are_told_apart),
	        cmocka_unit_test(kernels_are_never_cut_to_one_name),
	        cmocka_unit_test(wide_characters_shift_no_column),
	};

	return cmocka_run_group_tests_name("reports_text", tests, NULL, NULL);
}
