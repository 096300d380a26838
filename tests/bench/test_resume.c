/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A command line comes back as the words that it was made of.
 */
#include "../common/cmocka_test.h"
#include "resume.h"

#include <common/alloc.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void words_come_back(void **state)
{
	static const struct {
		const char *command;
		const char *words[5];
	} rows[] = {
	        {"xcsbench run a --quick",                 {"xcsbench", "run", "a", "--quick"}},
	        {"xcsbench run 'my dir/s.cfg'",            {"xcsbench", "run", "my dir/s.cfg"}},
	        {"a 'it'\\''s' b",                         {"a", "it's", "b"}                 },
	        {"--terminal 'x {geometry} -e {command}'",
	         {"--terminal", "x {geometry} -e {command}"}                                  },
	        {"  a   b ",	                       {"a", "b"}                         },
	        {"",	                               {NULL}	                     },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *words[8];
		int n = resume_split(rows[i].command, words, 8), want = 0;
		while (rows[i].words[want])
			want++;
		assert_int_equal(n, want);
		for (int w = 0; w < n; w++) {
			assert_string_equal(words[w], rows[i].words[w]);
			free(words[w]);
		}
	}
}

static void what_cannot_be_split_is_refused(void **state)
{
	char *words[4];

	(void)state;
	assert_int_equal(resume_split("a 'b", words, 4), -EINVAL);
	assert_int_equal(resume_split("a b c d e", words, 4), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(words_come_back),
	        cmocka_unit_test(what_cannot_be_split_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
