/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which right is found: each case is a process of its own that first gives rights away.
 */
#include "../../common/cmocka_test.h"

#include "right.h"

#include <common/alloc.h>
#include <guard/guard.h>

#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	NOBODY = 65534,
	SKIPPED = 77
};

static bool stay(void)
{
	return true;
}

static bool become_nobody(void)
{
	return setresgid(NOBODY, NOBODY, NOBODY) == 0 && setresuid(NOBODY, NOBODY, NOBODY) == 0;
}

/* As an ordinary user to whose programs somebody gave CAP_SYS_NICE. */
static bool keep_sys_nice(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};

	data[0].effective = data[0].permitted = data[0].inheritable = CAP_TO_MASK(CAP_SYS_NICE);
	return prctl(PR_SET_KEEPCAPS, 1) == 0 && become_nobody() &&
	       syscall(SYS_capset, &head, data) == 0;
}

static bool hand_on_sys_nice(void)
{
	return keep_sys_nice() &&
	       prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_NICE, 0, 0) == 0;
}

static const struct row {
	const char *what;
	bool (*become)(void);
	rlim_t limit;
	int wanted_nice;
	const char *name;
	int lowest_nice;
} rows[] = {
        {"root",                              stay,             0,             -20, "root",         -20},
        {"no right",                          become_nobody,    0,             0,   NULL,           0  },
        {"a limit that reaches",              become_nobody,    30,            -5,  "RLIMIT_NICE",  -10},
        {"the best that there is",            become_nobody,    30,            -20, "RLIMIT_NICE",  -10},
        {"the way back to 0",                 become_nobody,    20,            0,   "RLIMIT_NICE",  0  },
        {"no limit",                          become_nobody,    RLIM_INFINITY, -20, "RLIMIT_NICE",  -20},
        {"a capability that the guard gets",  hand_on_sys_nice, 0,             -20, "CAP_SYS_NICE", -20},
        {"a capability that it does not get", keep_sys_nice,    0,             -20, NULL,           0  },
};

/* In a process of its own. A container may keep root from raising limits. */
static int find_right(const struct row *row)
{
	const struct rlimit limit = {row->limit, row->limit};

	if (setrlimit(RLIMIT_NICE, &limit))
		return SKIPPED;
	if (!row->become())
		return 1;
	const struct guard_right r = guard_right_find(row->wanted_nice, false);
	bool same_name = row->name && r.name ? strcmp(row->name, r.name) == 0 : row->name == r.name;
	return same_name && r.lowest_nice == row->lowest_nice && !r.servers_only && r.source ? 0
	                                                                                     : 1;
}

static void rights_are_found(void **state)
{
	(void)state;
	if (geteuid() != 0) {
		print_message("skipped: only root has all rights to give away\n");
		skip();
	}
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int status;
		fflush(NULL);
		pid_t pid = fork();
		if (pid == 0)
			_exit(find_right(&rows[i]));
		waitpid(pid, &status, 0);
		if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED)
			print_message("skipped: %s\n", rows[i].what);
		else if (!WIFEXITED(status) || WEXITSTATUS(status))
			fail_msg("%s: another right was found", rows[i].what);
	}
}

static void limits_are_read_as_the_kernel_does(void **state)
{
	static const struct {
		rlim_t limit;
		int lowest;
	} limits[] = {
	        {0,             20 },
                {1,             19 },
                {20,            0  },
                {30,            -10},
                {40,            -20},
                {RLIM_INFINITY, -20}
        };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(limits); i++)
		assert_int_equal(right_lowest_nice(limits[i].limit), limits[i].lowest);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(rights_are_found),
	                                   cmocka_unit_test(limits_are_read_as_the_kernel_does)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
