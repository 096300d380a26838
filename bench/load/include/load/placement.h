/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which cgroup the loads run in: --placement.
 */
#ifndef PLACEMENT_H
#define PLACEMENT_H

#include <common/env.h>
#include <common/paths.h>

#include <sys/types.h>

enum placement_kind {
	PLACEMENT_AS_FOUND,  /* where the runner is */
	PLACEMENT_SAME,      /* the X server's own */
	PLACEMENT_APP,       /* a scope each, in the slice where desktops start applications */
	PLACEMENT_BACKGROUND /* a scope each, in the slice for what may wait */
};

/* What every load's xcs_spawn takes: launcher, and descriptors of cgroup.procs to join by. */
struct placement {
	enum placement_kind kind;
	const char *launcher[12]; /* NULL-terminated; empty but for app and background */
	char *runtime_dir, *bus;  /* "NAME=value" words of the launcher, owned; or NULL */
	int join_fds[2];
	size_t n_join_fds;
};

/* "as-found", "same", "app", "background". */
const char *placement_word(enum placement_kind kind);

/*
 * Finds the way into the group of that kind and tries it with one process of `user`. A
 * zeroed placement is one as found. Returns 0, or -EPERM when there is no such group here or
 * no right to it, with the remedy. placement_close must follow in any case.
 */
int placement_open(struct placement *p, enum placement_kind kind, const struct xcs_env *env,
                   const struct xcs_user *user, pid_t server_pid,
                   struct xcs_err *err) XCS_MUST_CHECK;

/* Is that process of a load where it belongs? 0, or -EIO with the sentence. */
int placement_check(const struct placement *p, const struct xcs_env *env, pid_t pid,
                    pid_t server_pid, struct xcs_err *err) XCS_MUST_CHECK;

void placement_close(struct placement *p);

#endif
