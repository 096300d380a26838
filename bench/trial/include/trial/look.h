/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Looks at the threads of the display chain: what the scheduler goes by for each, and what
 * somebody else changed of it between two looks.
 */
#ifndef LOOK_H
#define LOOK_H

#include <load/load.h>

#include <common/env.h>
#include <record/run.h>

/* A process of the chain. Borrowed. */
struct look_task {
	const char *role; /* "server", "compositor", "client0", "feeder0" */
	pid_t pid;
};

/*
 * Adds a look named `when` to the run, with every thread of the tasks that is still there.
 * When a trial is repeated, its look replaces that of the same name since index `first`, but
 * the "start" stays the first one. Policy, priority and nice are from task/TID/stat, the rest
 * from task/TID/cgroup, autogroup and cpu.weight.
 */
void look_take(const struct xcs_env *env, const struct look_task *tasks, size_t n, const char *when,
               struct xcs_run *run, size_t first);

/* The same for a server, its compositor if one is known, and a load: never in a window. */
void look_chain(const struct xcs_env *env, const struct xserver *server, const struct load *load,
                const char *when, struct xcs_run *run, size_t first);

/*
 * Adds to the run's notes what changed between the looks since index `first`: threads of
 * server and compositor by their id, the first thread of a client or feeder by its role; one
 * note for the threads of a process that changed alike. Nice values, which the run itself
 * sets and trials are judged by, are left out, and autogroups' nice where the run sets that;
 * so is what is unknown on either side. Server threads whose policy nice does not move are
 * noted too.
 */
void look_note(struct xcs_run *run, size_t first);

#endif
