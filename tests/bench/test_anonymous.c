/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names that must not stand in a published record, and words that only look like them.
 */
#include "../common/cmocka_test.h"
#include "anonymous.h"

#include <common/alloc.h>

#include <stdlib.h>
#include <string.h>

static struct anonymous names = {.home = "/srv/al", .user = "al", .host = "box"};

static void names_are_replaced_as_whole_words(void **state)
{
	static const char *const rows[][2] = {
	        {"/srv/al/runs",             "(home)/runs"          },
	        {"/srv/alice/runs",          NULL                   },
	        {"xcsbench run /srv/al",     "xcsbench run (home)"  },
	        {"total of al",              "total of (user)"      },
	        {"al@box: box",              "(user)@(host): (host)"},
	        {"boxes in al_dente, final", NULL                   },
	        {"al",	               NULL                   },
	        {"box",                      NULL                   },
	        {"/srv/al",                  "(home)"               },
	        {"",	                 NULL                   },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *got = anonymous_edit(rows[i][0], &names);
		if (rows[i][1])
			assert_string_equal(got, rows[i][1]);
		else
			assert_null(got);
		free(got);
	}
}

static void nobodys_names_hide_nothing(void **state)
{
	struct anonymous a;
	struct xcs_user root = {.name = "root", .home = "/"};

	(void)state;
	anonymous_init(&a, &root);
	a.host[0] = '\0';
	assert_null(anonymous_edit("/ root /root", &a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(names_are_replaced_as_whole_words),
	        cmocka_unit_test(nobodys_names_hide_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
