/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What xcsbench-nice refuses: words that are no request, and targets that are not the
 * caller's display server.
 */
#include "../../common/cmocka_test.h"
#include "rules.h"

#include <common/alloc.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct xcs_err err;

static int read_words(const char *pid, const char *start, const char *nice, const char *tids,
                      struct nice_request *r)
{
	char words[5][64];
	char *argv[5];
	const char *texts[] = {"xcsbench-nice", pid, start, nice, tids};

	for (int i = 0; i < 5; i++) {
		snprintf(words[i], sizeof(words[i]), "%s", texts[i]);
		argv[i] = words[i];
	}
	return nice_request_read(r, 5, argv, &err);
}

static void a_request_is_four_words(void **state)
{
	struct nice_request r;
	char name[] = "xcsbench-nice", *argv[] = {name, name, name};

	(void)state;
	assert_int_equal(read_words("77", "123456", "-10", "77,78,90", &r), 0);
	assert_int_equal(r.pid, 77);
	assert_int_equal(r.start_ticks, 123456);
	assert_int_equal(r.nice, -10);
	assert_int_equal(r.n_tids, 3);
	assert_int_equal(r.tids[2], 90);
	assert_int_equal(nice_request_read(&r, 3, argv, &err), -EINVAL);
	assert_int_equal(nice_request_read(&r, 0, argv, &err), -EINVAL);
}

static void other_words_are_refused(void **state)
{
	static const char *const rows[][4] = {
	        {"1",	               "5",  "0",   "1"   },
                {"0",                       "5",  "0",   "1"   },
	        {"-7",                      "5",  "0",   "1"   },
                {"7x",                      "5",  "0",   "7"   },
	        {" 7",                      "5",  "0",   "7"   },
                {"",                        "5",  "0",   "7"   },
	        {"4194305",                 "5",  "0",   "7"   },
                {"99999999999999999999999", "5",  "0",   "7"   },
	        {"7",	               "0",  "0",   "7"   },
                {"7",                       "-5", "0",   "7"   },
	        {"7",	               "5",  "-21", "7"   },
                {"7",                       "5",  "20",  "7"   },
	        {"7",	               "5",  "+5",  "7"   },
                {"7",                       "5",  "",    "7"   },
	        {"7",	               "5",  "ten", "7"   },
                {"7",                       "5",  "0",   ""    },
	        {"7",	               "5",  "0",   "7,,8"},
                {"7",                       "5",  "0",   "7,"  },
	        {"7",	               "5",  "0",   "7;8" },
                {"7",                       "5",  "0",   "0"   },
	        {"7",	               "5",  "0",   "7,x" },
	};
	struct nice_request r;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (read_words(rows[i][0], rows[i][1], rows[i][2], rows[i][3], &r) != -EINVAL)
			fail_msg("row %zu was taken", i);
}

static const struct nice_request request = {.pid = 77, .start_ticks = 5, .n_tids = 1};
static const struct nice_caller user = {.uid = 1000}, at_seat = {.uid = 1000, .owns_seat = true};

static void a_server_of_ones_own_is_allowed(void **state)
{
	struct nice_target t = {.comm = "Xvfb",
	                        .start_ticks = 5,
	                        .uid = 1000,
	                        .euid = 1000,
	                        .exe = "/usr/bin/Xvfb",
	                        .exe_is_roots = true};

	(void)state;
	assert_int_equal(nice_check(&request, &t, &user, &err), 0);
	t.start_ticks = 6;
	assert_int_equal(nice_check(&request, &t, &user, &err), -ESRCH);
	t.start_ticks = 5;
	t.exe_is_roots = false; /* a copy that the user made, or may write */
	assert_int_equal(nice_check(&request, &t, &at_seat, &err), -EPERM);
	t.exe_is_roots = true;
	strcpy(t.exe, "/usr/bin/yes"); /* a name that it gave itself does not count */
	assert_int_equal(nice_check(&request, &t, &at_seat, &err), -EPERM);
	strcpy(t.exe, "/srv/x/Xvfb"); /* a link to a file of root's */
	assert_int_equal(nice_check(&request, &t, &at_seat, &err), -EPERM);
	strcpy(t.exe, "/usr/bin/../../srv/x/Xvfb");
	assert_int_equal(nice_check(&request, &t, &at_seat, &err), -EPERM);
	strcpy(t.exe, "/usr/bin/Xvfb");
	t.uid = t.euid = 1001;
	assert_int_equal(nice_check(&request, &t, &at_seat, &err), -EPERM);
	t.exe[0] = '\0';
	t.uid = t.euid = 1000;
	assert_int_equal(nice_check(&request, &t, &at_seat, &err), -EPERM);
}

static void the_seats_server_is_its_active_users(void **state)
{
	struct nice_target t = {.comm = "Xorg", .start_ticks = 5, .tty_major = 4};

	(void)state;
	assert_int_equal(nice_check(&request, &t, &at_seat, &err), 0);
	assert_int_equal(nice_check(&request, &t, &user, &err), -EPERM);
	t.tty_major = 136; /* a pty, which anybody has */
	assert_int_equal(nice_check(&request, &t, &at_seat, &err), -EPERM);
	t.tty_major = 4;
	t.uid = 1000; /* a set-user-ID program under a server's name */
	assert_int_equal(nice_check(&request, &t, &at_seat, &err), -EPERM);
	t.uid = 0;
	strcpy(t.comm, "sshd");
	assert_int_equal(nice_check(&request, &t, &at_seat, &err), -EPERM);
}

static void texts_of_the_kernel_are_read_from_the_right(void **state)
{
	(void)state;
	assert_true(nice_seat_is_of(xcs_str("IS_SEAT0=1\nACTIVE=2\nACTIVE_UID=1000\n"), 1000));
	assert_false(nice_seat_is_of(xcs_str("XACTIVE_UID=1000\nACTIVE_UID=10\n"), 1000));
	assert_false(nice_seat_is_of(xcs_str("ACTIVE_UID=\n"), 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_request_is_four_words),
	        cmocka_unit_test(other_words_are_refused),
	        cmocka_unit_test(a_server_of_ones_own_is_allowed),
	        cmocka_unit_test(the_seats_server_is_its_active_users),
	        cmocka_unit_test(texts_of_the_kernel_are_read_from_the_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
