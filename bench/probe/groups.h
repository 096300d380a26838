/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Scheduling groups: finding them in kernel text and putting a process into one.
 */
#ifndef PROBE_GROUPS_H
#define PROBE_GROUPS_H

#include <common/env.h>

#include <stdbool.h>
#include <sys/types.h>

/* The path in a /proc/PID/cgroup text for that v1 controller, "" for the unified one. */
bool groups_find_line(struct xcs_str text, const char *controller, struct xcs_str *path);

/* Moves process pid into the cpu cgroup of `like`, if it is in another. 0 or -errno. */
int groups_join(const struct xcs_env *env, pid_t pid, pid_t like);

#endif
