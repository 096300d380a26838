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

/* Where the scheduler has put a process: facts ROLE.nice, ROLE.autogroup, ROLE.cgroup. */
void environment_place(const struct xcs_env *env, const char *role, pid_t pid,
                       struct xcs_facts *facts);

/* Who measures: fact "runner.user". */
void environment_user(const struct xcs_user *user, struct xcs_facts *facts);

#endif
