/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the guard's tests stand on: a temp folder with journals and a process tree of its
 * own, and victims: processes with threads that wait.
 */
#ifndef GUARD_TEST_WORLD_H
#define GUARD_TEST_WORLD_H

#include <guard/guard.h>

#include <common/env.h>

#include <sys/types.h>

struct world {
	char dir[64];       /* of the test; under /tmp, removed by world_fini */
	char journals[96];  /* folder of undo journals */
	char temp[96];      /* parent of temporary folders */
	struct xcs_env env; /* the real machine, but for kernel.sched_autogroup_enabled */
	struct guard_spec spec;
};

extern struct world w; /* of the test that runs */
extern struct xcs_err err;

int world_set_up(void **state);
int world_tear_down(void **state);
struct guard *start_guard(void);
int set_knob(struct guard *g, enum guard_knob knob, int index); /* guard_set_knob, err into err */
void assert_ok(int rc);                                         /* else fails with err */
void assert_says(const char *part);                             /* err does */
bool may_lower_nice(void);
void need_rights(void);            /* skips the test where a nice value may not be lowered */
char *make_temp(const char *name); /* a filled folder in the temp parent; caller frees */
bool exists(const char *path);

void world_init(struct world *world);
void world_fini(struct world *world);
int world_n_journals(const struct world *world);
char *world_journal_dup(const struct world *world);    /* path of the only one; caller frees */
int world_sysctl(const struct world *world);           /* the fake autogroup switch */
void world_give(const struct world *world, uid_t uid); /* chowns it all to that user */

/* Files of the world that hold "schedutil" and "1" at first. */
#define WORLD_GOVERNOR "/sys/devices/system/cpu/cpufreq/policy3/scaling_governor"
#define WORLD_PREFERENCE \
	"/sys/devices/system/cpu/cpufreq/policy3/energy_performance_preference" /* "128" */
#define WORLD_WATCHDOG "/proc/sys/kernel/nmi_watchdog"

void world_write(const struct world *world, const char *rel, const char *text);
void assert_world_file(const char *rel, const char *want); /* byte for byte */

struct victim {
	pid_t pid;
	uint64_t start_ticks;
	int command_fd, answer_fd;
};

/* A process of 1 + n_threads threads that waits; its own session when asked. */
struct victim victim_start(struct world *world, int n_threads, bool new_session, uid_t uid);
void victim_add_thread(struct victim *v);
void victim_stop(struct victim *v);

/* Nice of all threads: the value when all are alike, else 99. */
int victim_nice(const struct victim *v);
void victim_set_nice(const struct victim *v, int nice);

bool wait_for_end(int pidfd); /* up to 10 s; closes it */
int open_pidfd(pid_t pid);

#endif
