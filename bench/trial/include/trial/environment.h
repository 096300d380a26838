/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the numbers depend on: machine, kernel and scheduler, each fact with its source.
 */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include <common/env.h>
#include <common/paths.h>
#include <record/run.h>

/* Facts that stay while this kernel runs on this machine: run->host. */
void environment_host(const struct xcs_env *env, struct xcs_facts *facts);

/* Facts that anyone may change meanwhile: run->environment. `host` is environment_host's. */
void environment_now(const struct xcs_env *env, const struct xcs_user *user,
                     const struct xcs_facts *host, struct xcs_facts *facts);

/* Has somebody switched the autogroups since environment_now? */
bool environment_autogroup_changed(const struct xcs_env *env, const struct xcs_facts *facts);

/*
 * Reads sched_ext again, as facts sched.ext_after, sched.ext_ops_after and
 * sched.ext_enable_seq_after. True, with a clause in `why`, when a scheduler was loaded or
 * unloaded since environment_now; what is unknown on either side is no change.
 */
bool environment_ext_changed(const struct xcs_env *env, struct xcs_facts *facts,
                             struct xcs_buf *why);

/* Where the scheduler has put a process: facts ROLE.nice, ROLE.autogroup, ROLE.cgroup. */
void environment_place(const struct xcs_env *env, const char *role, pid_t pid,
                       struct xcs_facts *facts);

/* Which Mesa the X server draws by: fact "mesa.version". */
void environment_mesa(const struct xcs_env *env, pid_t server_pid, struct xcs_facts *facts);

/* Who measures: fact "runner.user". */
void environment_user(const struct xcs_user *user, struct xcs_facts *facts);

#endif
