/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Borrowed strings, buffers, durations, CPU lists: all that reads or writes text.
 */
#include "cmocka_test.h"

#include <common/alloc.h>
#include <common/buf.h>
#include <common/cpuset.h>
#include <common/units.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void lines_keep_blank_ones_and_end_without_newline(void **state)
{
	struct xcs_str rest = xcs_str("one\n\nthree"), line;

	(void)state;
	assert_true(xcs_str_next_line(&rest, &line));
	assert_true(xcs_str_is(line, "one"));
	assert_true(xcs_str_next_line(&rest, &line));
	assert_int_equal(line.n, 0);
	assert_true(xcs_str_next_line(&rest, &line));
	assert_true(xcs_str_is(line, "three"));
	assert_false(xcs_str_next_line(&rest, &line));
	assert_true(xcs_str_is(line, "three"));
}

static void words_skip_all_blanks(void **state)
{
	struct xcs_str rest = xcs_str(" \t a\r\nbb  "), word;

	(void)state;
	assert_true(xcs_str_next_word(&rest, &word));
	assert_true(xcs_str_is(word, "a"));
	assert_true(xcs_str_next_word(&rest, &word));
	assert_true(xcs_str_is(word, "bb"));
	assert_false(xcs_str_next_word(&rest, &word));
}

static void text_needs_no_nul(void **state)
{
	char *three = xcs_xmalloc(3);
	struct xcs_str s = {three, 3}, word;
	uint64_t v;

	(void)state;
	memcpy(three, "123", 3);
	assert_int_equal(xcs_str_u64(s, &v), 0);
	assert_int_equal(v, 123);
	assert_true(xcs_str_next_word(&s, &word));
	assert_int_equal(word.n, 3);
	assert_false(xcs_str_starts((struct xcs_str){three, 2}, "123"));
	free(three);
}

static void numbers_at_their_limits(void **state)
{
	static const struct {
		const char *text;
		int rc;
		int64_t v;
	} rows[] = {
	        {"0",                    0,       0        },
	        {"-0",                   0,       0        },
	        {"+7",                   0,       7        },
	        {"9223372036854775807",  0,       INT64_MAX},
	        {"-9223372036854775808", 0,       INT64_MIN},
	        {"9223372036854775808",  -ERANGE, 0        },
	        {"-9223372036854775809", -ERANGE, 0        },
	        {"18446744073709551616", -ERANGE, 0        },
	        {"",	             -EINVAL, 0        },
	        {"-",                    -EINVAL, 0        },
	        {"+-5",                  -EINVAL, 0        },
	        {" 5",                   -EINVAL, 0        },
	        {"5 ",                   -EINVAL, 0        },
	        {"0x10",                 -EINVAL, 0        },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int64_t v = 0;
		int rc = xcs_str_i64(xcs_str(rows[i].text), &v);
		if (rc != rows[i].rc || v != rows[i].v)
			fail_msg("'%s' gave %d and %jd", rows[i].text, rc, (intmax_t)v);
	}
	uint64_t u;
	assert_int_equal(xcs_str_u64(xcs_str("18446744073709551615"), &u), 0);
	assert_true(u == UINT64_MAX);
	assert_int_equal(xcs_str_u64(xcs_str("-1"), &u), -EINVAL);
}

static void a_null_string_is_empty(void **state)
{
	(void)state;
	assert_int_equal(xcs_str(NULL).n, 0);
	assert_int_equal(xcs_str_trim(xcs_str(" \n\t ")).n, 0);
}

static void a_buffer_is_always_terminated(void **state)
{
	struct xcs_buf b = {0};

	(void)state;
	assert_string_equal(xcs_buf_str(&b).p, "");
	for (int i = 0; i < 1000; i++)
		xcs_buf_printf(&b, "%d,", i);
	assert_int_equal(strlen(b.p), b.n);
	assert_string_equal(b.p + b.n - 8, "998,999,");
	xcs_buf_fill(&b, '-', 3);
	xcs_buf_putc(&b, '!');
	assert_string_equal(b.p + b.n - 5, ",---!");
	xcs_buf_clear(&b);
	assert_string_equal(b.p, "");
	xcs_buf_add(&b, "a\0b", 3);
	assert_int_equal(b.n, 3);
	xcs_buf_fini(&b);
	xcs_buf_fini(&b);
}

static void taking_an_unused_buffer_gives_an_empty_string(void **state)
{
	struct xcs_buf b = {0};
	char *p = xcs_buf_take(&b);

	(void)state;
	assert_string_equal(p, "");
	free(p);
	xcs_buf_puts(&b, "text");
	p = xcs_buf_take(&b);
	assert_string_equal(p, "text");
	assert_null(b.p);
	free(p);
}

static void durations(void **state)
{
	static const struct {
		const char *text;
		int64_t ns; /* 0: refused */
	} rows[] = {
	        {"1ns",         1                    },
	        {"500us",       500 * XCS_NS_PER_US  },
	        {"10.007ms",    10007 * XCS_NS_PER_US},
	        {"1.0007s",     1000700000           },
	        {"3",           3 * XCS_NS_PER_S     },
	        {"1.5m",        90 * XCS_NS_PER_S    },
	        {"240h",        864000 * XCS_NS_PER_S},
	        {"241h",        0                    },
	        {"0",           0                    },
	        {"0.0s",        0                    },
	        {"-1s",         0                    },
	        {"s",           0                    },
	        {".5s",         0                    },
	        {"",            0                    },
	        {"1 s",         0                    },
	        {"1e3s",        0                    },
	        {"1.5.5s",      0                    },
	        {"99999999999", 0                    },
	        {"5parsecs",    0                    },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct xcs_err err = {0};
		int64_t ns = 0;
		int rc = xcs_duration_parse(xcs_str(rows[i].text), &ns, &err);
		if (ns != rows[i].ns || (rc == 0) != (rows[i].ns > 0))
			fail_msg("'%s' gave %d and %jd ns", rows[i].text, rc, (intmax_t)ns);
		if (rc)
			assert_non_null(strstr(err.text, rows[i].text));
	}
	assert_true(xcs_ns_to_s(1500 * XCS_NS_PER_MS) == 1.5);
}

static void cpu_lists_read_and_write_back(void **state)
{
	static const char *const lists[][2] = {
	        {"0",           "0"        },
	        {"0,2-3",       "0,2-3"    },
	        {"3,2,0",       "0,2-3"    },
	        {"1-1",         "1"        },
	        {"1-2\n",       "1-2"      },
	        {"1022-1023",   "1022-1023"},
	        {"0-5,4-9,100", "0-9,100"  },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
		struct xcs_cpuset set;
		struct xcs_buf text = {0};
		assert_int_equal(xcs_cpuset_parse(xcs_str(lists[i][0]), &set, NULL), 0);
		xcs_cpuset_format(&set, &text);
		assert_string_equal(text.p, lists[i][1]);
		xcs_buf_fini(&text);
	}
}

static void bad_cpu_lists_are_refused(void **state)
{
	static const char *const bad[] = {"", " ", "x", "1-", "-1", "3-2", "1024", "1,,2", "0-1-2"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct xcs_cpuset set;
		struct xcs_err err = {0};
		if (xcs_cpuset_parse(xcs_str(bad[i]), &set, &err) != -EINVAL)
			fail_msg("'%s' was taken", bad[i]);
		assert_true(err.text[0]);
	}
}

static void cpu_sets_subtract(void **state)
{
	struct xcs_cpuset all, some, left, none;
	struct xcs_buf text = {0};

	(void)state;
	assert_int_equal(xcs_cpuset_parse(xcs_str("0-3"), &all, NULL), 0);
	assert_int_equal(xcs_cpuset_parse(xcs_str("1,9"), &some, NULL), 0);
	left = xcs_cpuset_minus(&all, &some);
	xcs_cpuset_format(&left, &text);
	assert_string_equal(text.p, "0,2-3");
	assert_int_equal(xcs_cpuset_count(&left), 3);
	assert_int_equal(xcs_cpuset_last(&left), 3);
	none = xcs_cpuset_minus(&all, &all);
	assert_int_equal(xcs_cpuset_last(&none), -1);
	xcs_buf_fini(&text);
}

static void we_may_use_a_cpu(void **state)
{
	struct xcs_cpuset set;

	(void)state;
	assert_int_equal(xcs_cpuset_allowed(&set, NULL), 0);
	assert_true(xcs_cpuset_count(&set) > 0);
}

static void an_error_is_one_sentence(void **state)
{
	struct xcs_err err = {0};

	(void)state;
	assert_int_equal(xcs_err_set(&err, -EINVAL, "%s is odd", "it"), -EINVAL);
	assert_string_equal(err.text, "it is odd");
	assert_int_equal(xcs_err_sys(&err, -ENOENT, "cannot open %s", "x"), -ENOENT);
	assert_string_equal(err.text, "cannot open x: No such file or directory");
	xcs_err_prefix(&err, "trial %d", 3);
	assert_string_equal(err.text, "trial 3: cannot open x: No such file or directory");
	assert_int_equal(xcs_err_sys(NULL, -EIO, "dropped"), -EIO);
	xcs_err_prefix(NULL, "dropped");
}

static void a_long_error_is_cut_not_overrun(void **state)
{
	struct xcs_err err = {0};
	struct xcs_buf b = {0};

	(void)state;
	xcs_buf_fill(&b, 'x', 2000);
	xcs_err_sys(&err, -EIO, "%s", b.p);
	xcs_err_prefix(&err, "%s", b.p);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	xcs_buf_fini(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(lines_keep_blank_ones_and_end_without_newline),
	        cmocka_unit_test(words_skip_all_blanks),
	        cmocka_unit_test(text_needs_no_nul),
	        cmocka_unit_test(numbers_at_their_limits),
	        cmocka_unit_test(a_null_string_is_empty),
	        cmocka_unit_test(a_buffer_is_always_terminated),
	        cmocka_unit_test(taking_an_unused_buffer_gives_an_empty_string),
	        cmocka_unit_test(durations),
	        cmocka_unit_test(cpu_lists_read_and_write_back),
	        cmocka_unit_test(bad_cpu_lists_are_refused),
	        cmocka_unit_test(cpu_sets_subtract),
	        cmocka_unit_test(we_may_use_a_cpu),
	        cmocka_unit_test(an_error_is_one_sentence),
	        cmocka_unit_test(a_long_error_is_cut_not_overrun),
	};

	return cmocka_run_group_tests_name("common: text", tests, NULL, NULL);
}
