/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * RealtimeKit: a system service that lowers the nice value of a thread for a user of the
 * desktop. It also leaves SCHED_RESET_ON_FORK on the thread, which only CAP_SYS_NICE can
 * clear, so it is asked for nothing but processes that end with the run.
 */
#ifndef RTKIT_H
#define RTKIT_H

#include <stdbool.h>
#include <sys/types.h>

#define RTKIT_NAME "org.freedesktop.RealtimeKit1"

/* Sets the thread. Returns 0, or -EPERM when there is no service or it refuses: the user has
 * no session, the value is too low, or there were 25 requests in 20 seconds. */
int rtkit_set(pid_t pid, pid_t tid, int nice);

/* Is there a service that gave its lowest nice value to a process that was started to try it?
 * *lowest_nice is what it said and what was read back. */
bool rtkit_has_right(int *lowest_nice);

#endif
