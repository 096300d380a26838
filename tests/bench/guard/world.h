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

void world_init(struct world *w);
void world_fini(struct world *w);
int world_n_journals(const struct world *w);
char *world_journal_dup(const struct world *w);    /* path of the only one; caller frees */
int world_sysctl(const struct world *w);           /* the fake autogroup switch */
void world_give(const struct world *w, uid_t uid); /* chowns it all to that user */

struct victim {
	pid_t pid;
	uint64_t start_ticks;
	int command_fd, answer_fd;
};

/* A process of 1 + n_threads threads that waits; its own session when asked. */
struct victim victim_start(struct world *w, int n_threads, bool new_session, uid_t uid);
void victim_add_thread(struct victim *v);
void victim_stop(struct victim *v);

/* Nice of all threads: the value when all are alike, else 99. */
int victim_nice(const struct victim *v);
void victim_set_nice(const struct victim *v, int nice);

bool wait_for_end(int pidfd); /* up to 10 s; closes it */
int open_pidfd(pid_t pid);

#endif
