/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The nice-efficacy probe: two spinners placed as the server and as a load, on one CPU, at
 * nice 0 and 10. Their CPU time tells whether renice can have an effect between the two.
 */
#ifndef PROBE_H
#define PROBE_H

#include <common/env.h>
#include <record/run.h>

#include <stdbool.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_user;

/* How a process is placed before the scheduler. */
struct probe_place {
	bool new_session;            /* setsid(), so with autogroup a group of its own */
	bool by_autogroup;           /* renice its autogroup, not the process (--autogroup=nice) */
	bool by_both;                /* with by_autogroup: the process as well (a load's levels) */
	pid_t like_pid;              /* join this process's cpu cgroup; 0: that of the caller */
	const struct xcs_user *user; /* run as that user, or NULL */
	const char *const *launcher; /* both as in struct xcs_spawn */
	const int *join_fds;
	size_t n_join_fds;
	const char *spinner; /* path of xcs-spin; NULL: beside our own program */
};

/*
 * Runs the probe on that CPU (about 1 s) and fills *out (whose old strings are not freed:
 * pass a zeroed one; xcs_run_fini frees them). Two windows: server at nice 0 against load at
 * 10, then both at 10. Verdict: "effective" when the ratio of CPU times in the first, and
 * what renicing the server made of it in the second, are as logarithms at least half of
 * what the weights promise (3.05 for 9.31), else the cause that was found. A probe that
 * cannot run here says "not probed" and why, and returns 0. Returns -errno when xcs-spin
 * cannot be started at all or there is no such CPU.
 */
int probe_nice(const struct xcs_env *env, const struct probe_place *server,
               const struct probe_place *load, int cpu, struct xcs_run_probe *out,
               struct xcs_err *err) XCS_MUST_CHECK;

/*
 * The verdict alone, from what *out holds (exec times, autogroups, cgroups; the strings
 * verdict and why are replaced), the ratio seen with both at nice 10, and the switches in
 * env's trees.
 */
void probe_judge(const struct xcs_env *env, double even_ratio, struct xcs_run_probe *out);

/* "/autogroup-123 nice 0" of a process; "none" where its file is empty, as for what never left
 * the session of init, whose group is the root group (kernel/sched/autogroup.c,
 * proc_sched_autogroup_show_task); NULL when the kernel has no autogroups. The caller frees. */
char *probe_autogroup_dup(const struct xcs_env *env, pid_t pid);

/* Sets the nice value of a process's autogroup, for all that are in it. Waits up to 1 s for
 * the kernel to take it of an ordinary user. Returns 0 or -errno (-ENOENT: no such process, or
 * the kernel has no autogroups; -EPERM: no right to a value below 0). */
int probe_autogroup_renice(const struct xcs_env *env, pid_t pid, int nice);

/* Path of the cgroup whose cpu controller rules the process (v1: the cpu hierarchy, v2: the
 * unified one); NULL when unknown. The caller frees. */
char *probe_cgroup_dup(const struct xcs_env *env, pid_t pid);

/*
 * The cgroup of one thread as the kernel names it (v2: the unified hierarchy, v1: that of
 * cpu), and cpu.weight of each folder on that path, "user.slice 100, user-1000.slice n/a";
 * NULL where unknown. The caller frees both.
 */
void probe_thread_cgroup(const struct xcs_env *env, pid_t pid, pid_t tid, char **path,
                         char **weights);

/* Its folder in the unified hierarchy, ruling or not; NULL when unknown. The caller frees. */
char *probe_unified_dup(const struct xcs_env *env, pid_t pid);

/*
 * Opens cgroup.procs of the groups that the process is in, in the unified hierarchy and that
 * of cpu, as far as they are not the caller's own. Returns 0 or -errno; the caller closes.
 */
int probe_open_groups(const struct xcs_env *env, pid_t pid, int fds[2], size_t *n);

/* The weight ratio of two nice values: kernel/sched/core.c, sched_prio_to_weight[]. */
double probe_weight_ratio(int favoured_nice, int other_nice);

#ifdef __cplusplus
}
#endif
#endif
