/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the kernel lets this process do with nice values.
 */
#ifndef RIGHT_H
#define RIGHT_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

/* CAP_SYS_NICE, effective: any nice value of any process. */
bool right_has_sys_nice(void);

/* The lowest nice value that a limit of RLIMIT_NICE leaves: 20 - limit (getrlimit(2)). */
int right_lowest_nice(rlim_t limit);

/* Does RLIMIT_NICE of that process (0: of this one) reach down to that nice value? */
bool right_limit_allows(pid_t pid, int nice);

#endif
