/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "right.h"

#include "nice_helper.h"
#include "rtkit.h"

#include <common/alloc.h>
#include <guard/guard.h>

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ASKED "capget, getrlimit, security.capability of xcsbench-nice, sudo -n"

bool right_has_sys_nice(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};

	if (syscall(SYS_capget, &head, data))
		return false;
	return data[CAP_TO_INDEX(CAP_SYS_NICE)].effective & CAP_TO_MASK(CAP_SYS_NICE);
}

int right_lowest_nice(rlim_t limit)
{
	return limit >= 40 ? -20 : 20 - (int)limit;
}

/* The kernel's can_nice(): the limit is the one of the process that is changed. */
bool right_limit_allows(pid_t pid, int nice)
{
	struct rlimit limit;

	return prlimit(pid, RLIMIT_NICE, NULL, &limit) == 0 &&
	       right_lowest_nice(limit.rlim_cur) <= nice;
}

/* The guard is another program: what a capability of ours is worth there, an ordinary user
 * keeps over exec only in the ambient set (capabilities(7)). */
static struct guard_right by_capability(void)
{
	if (geteuid() == 0 && right_has_sys_nice())
		return (struct guard_right){"root", "geteuid, capget", -20, false};
	if (geteuid() != 0 && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, CAP_SYS_NICE, 0, 0) == 1)
		return (struct guard_right){"CAP_SYS_NICE", "PR_CAP_AMBIENT_IS_SET", -20, false};
	return (struct guard_right){0};
}

static struct guard_right by_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NICE, &limit) || right_lowest_nice(limit.rlim_cur) > 0)
		return (struct guard_right){0};
	return (struct guard_right){"RLIMIT_NICE", "getrlimit", right_lowest_nice(limit.rlim_cur),
	                            false};
}

static struct guard_right by_helper(void)
{
	const char *source, *name = nice_helper_right(&source);

	return name ? (struct guard_right){name, source, -20, true} : (struct guard_right){0};
}

static struct guard_right by_rtkit(void)
{
	int lowest;

	return rtkit_has_right(&lowest) ? (struct guard_right){"rtkit", RTKIT_NAME, lowest, true}
	                                : (struct guard_right){0};
}

struct guard_right guard_right_find(int wanted_nice, bool own_server)
{
	static struct guard_right (*const ways[])(void) = {by_capability, by_limit, by_helper,
	                                                   by_rtkit};
	const size_t n_ways = own_server ? ARRAY_LEN(ways) : ARRAY_LEN(ways) - 1;
	struct guard_right best = {.source = own_server ? ASKED ", " RTKIT_NAME : ASKED};

	for (size_t i = 0; i < n_ways; i++) {
		struct guard_right right = ways[i]();
		if (right.name && right.lowest_nice <= wanted_nice)
			return right;
		if (right.name && !best.name)
			best = right;
	}
	return best;
}
