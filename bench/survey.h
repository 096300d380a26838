/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Facts that must be tried or counted rather than read: rights, steal, pressure, daemons
 * that interfere, room on the disk.
 */
#ifndef SURVEY_H
#define SURVEY_H

#include <collectors/stat.h>
#include <common/env.h>
#include <guard/guard.h>
#include <record/run.h>

/*
 * rights.backend: the right that moves the server, or none; rights.lowest_nice: the lowest
 * nice value that a process of ours could be given and led back from; rights.server_nice: the
 * same of the server (pid 0: none), by the guard; rights.server: "yes", or why it cannot be set.
 */
void survey_rights(const struct xcs_env *env, struct guard *guard, const struct guard_right *right,
                   pid_t server_pid, struct xcs_facts *facts);

/* daemons.running: those that retune or renice. */
void survey_daemons(struct xcs_facts *facts);

/* pressure.cpu_pct; disk.free_bytes of the file system of `dir`, or of its first parent that
 * exists. */
void survey_machine(const struct xcs_env *env, const char *dir, struct xcs_facts *facts);

/* CPU time that the host took between two looks: cpu.steal_pct. */
struct survey_ticks {
	bool known;
	struct xcs_stat stat;
};
struct survey_ticks survey_ticks_now(const struct xcs_env *env);
void survey_steal(const struct xcs_env *env, const struct survey_ticks *before,
                  struct xcs_facts *facts);

#endif
