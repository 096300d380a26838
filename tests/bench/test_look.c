/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Looks at the threads of a made-up server and client, and what is told of their changes.
 */
#include "../common/cmocka_test.h"
#include <trial/look.h>

#include <common/alloc.h>
#include <common/file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char root[] = "/tmp/xcs-look-test.XXXXXX";
static struct xcs_err err;

static void put(const char *rel, const char *text)
{
	char *path = xcs_xasprintf("%s/%s", root, rel);
	char *dir = xcs_xstrdup(path);

	*strrchr(dir, '/') = '\0';
	assert_int_equal(xcs_dir_make(dir, 0755, &err), 0);
	assert_int_equal(xcs_file_write(path, text, strlen(text), &err), 0);
	free(path);
	free(dir);
}

static void put_thread(int pid, int tid, const char *comm, int nice, int rt, int policy,
                       const char *cgroup)
{
	char *stat = xcs_xasprintf("%d (%s) S 1 1 1 0 -1 0 0 0 0 0 5 5 0 0 20 %d 1 0 77 0 0 0 0 0 "
	                           "0 0 0 0 0 0 0 0 0 0 17 0 %d %d 0 0 0\n",
	                           tid, comm, nice, rt, policy);
	char *at = xcs_xasprintf("proc/%d/task/%d/stat", pid, tid);
	char *group = xcs_xasprintf("proc/%d/task/%d/cgroup", pid, tid);

	put(at, stat);
	put(group, cgroup);
	free(stat);
	free(at);
	free(group);
}

/* A server of two threads below user.slice, and a client in the root. */
static int make_root(void **state)
{
	(void)state;
	memcpy(root + sizeof(root) - 7, "XXXXXX", 6);
	if (!mkdtemp(root))
		return -1;
	put_thread(40, 40, "Xorg", -10, 0, 0, "0::/user.slice/x.scope\n");
	put_thread(40, 41, "Xorg:in put", -10, 0, 0, "0::/user.slice/x.scope\n");
	put_thread(50, 50, "xterm", 0, 0, 0, "0::/\n");
	put("proc/40/autogroup", "/autogroup-7 nice 0\n");
	put("proc/50/autogroup", "/autogroup-8 nice 0\n");
	put("sys/fs/cgroup/user.slice/cpu.weight", "100\n");
	return 0;
}

static int remove_root(void **state)
{
	(void)state;
	return xcs_dir_remove(root);
}

static void take(struct xcs_run *run, const char *when, pid_t client)
{
	const struct look_task tasks[] = {
	        {"server",  40    },
                {"client0", client},
                {"feeder0", 0     }
        };
	char *proc = xcs_xasprintf("%s/proc", root), *sys = xcs_xasprintf("%s/sys", root);
	struct xcs_env env;

	assert_int_equal(xcs_env_open_at(&env, proc, sys, &err), 0);
	look_take(&env, tasks, ARRAY_LEN(tasks), when, run, 0);
	xcs_env_close(&env);
	free(proc);
	free(sys);
}

static void a_look_reads_every_thread(void **state)
{
	struct xcs_run run = {0};

	(void)state;
	take(&run, "start", 50);
	take(&run, "start", 0); /* its trial was repeated: the first stays */
	assert_int_equal(run.n_looks, 1);
	assert_int_equal(run.looks[0].n_threads, 3);
	const struct xcs_run_thread *t = run.looks[0].threads;
	assert_string_equal(t[1].comm, "Xorg:in put");
	assert_string_equal(t[1].policy, "other");
	assert_true(t[1].nice.known && (int)t[1].nice.v == -10);
	assert_string_equal(t[1].autogroup, "/autogroup-7 nice 0");
	assert_string_equal(t[1].cgroup, "/user.slice/x.scope");
	assert_string_equal(t[1].cpu_weights, "user.slice 100, x.scope n/a");
	assert_string_equal(t[2].cgroup, "/");
	assert_null(t[2].cpu_weights);
	xcs_run_fini(&run);
}

static void version_1_has_a_path_and_no_weight(void **state)
{
	struct xcs_run run = {0};

	(void)state;
	put("proc/50/task/50/cgroup", "4:cpu,cpuacct:/user.slice\n0::/elsewhere\n");
	take(&run, "start", 50);
	assert_string_equal(run.looks[0].threads[2].cgroup, "/user.slice");
	assert_null(run.looks[0].threads[2].cpu_weights);
	xcs_run_fini(&run);
}

static void expect_note(const struct xcs_run *run, const char *says)
{
	for (size_t i = 0; i < run->n_notes; i++)
		if (strstr(run->notes[i], says))
			return;
	fail_msg("no note says: %s", says);
}

static void changes_of_others_are_told(void **state)
{
	struct xcs_run run = {0};

	(void)state;
	take(&run, "start", 50);
	put_thread(40, 41, "Xorg:in put", -10, 5, 2, "0::/user.slice/x.scope\n");
	put("sys/fs/cgroup/user.slice/cpu.weight", "50\n");
	put_thread(60, 60, "xterm", 0, 0, 0, "0::/moved\n");
	take(&run, "end", 50);
	take(&run, "end", 60); /* its trial was repeated: the last stays */
	assert_int_equal(run.n_looks, 2);
	look_note(&run, 0);
	expect_note(&run, "the policy of server (Xorg:in put, thread 41): other at the start of "
	                  "the run, rr 5 at its end.");
	expect_note(&run, "Thread 41 of the server (Xorg:in put) has the policy rr 5");
	expect_note(&run, "cpu.weight of server (Xorg, thread 40 and 1 more): user.slice 100, ");
	expect_note(&run, "the cgroup of client0 (xterm, thread 60): / at the start of the run, "
	                  "/moved at its end.");
	assert_int_equal(run.n_notes, 4);
	xcs_run_fini(&run);
}

/* The run renices the server for each cell, and loads have new groups in each trial. */
static void what_the_run_does_is_no_change(void **state)
{
	struct xcs_run run = {.plan.autogroup_mode = xcs_xstrdup("nice")};

	(void)state;
	take(&run, "start", 50);
	put_thread(40, 40, "Xorg", 5, 0, 0, "0::/user.slice/x.scope\n");
	put_thread(60, 60, "xterm", 0, 0, 0, "0::/\n");
	put("proc/40/autogroup", "/autogroup-7 nice -10\n");
	put("proc/60/autogroup", "/autogroup-9 nice 0\n");
	take(&run, "end", 60);
	look_note(&run, 0);
	assert_int_equal(run.n_notes, 0);
	xcs_run_fini(&run);
}

static void a_level_of_an_autogroup_is_told(void **state)
{
	struct xcs_run run = {.plan.autogroup_mode = xcs_xstrdup("off")};

	(void)state;
	take(&run, "start", 50);
	put("proc/40/autogroup", "/autogroup-7 nice -10\n");
	take(&run, "end", 50);
	look_note(&run, 0);
	expect_note(&run, "the nice of the autogroup of server (Xorg, thread 40 and 1 more): 0 at");
	assert_int_equal(run.n_notes, 1);
	xcs_run_fini(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(a_look_reads_every_thread, make_root, remove_root),
	        cmocka_unit_test_setup_teardown(version_1_has_a_path_and_no_weight, make_root,
	                                        remove_root),
	        cmocka_unit_test_setup_teardown(changes_of_others_are_told, make_root, remove_root),
	        cmocka_unit_test_setup_teardown(what_the_run_does_is_no_change, make_root,
	                                        remove_root),
	        cmocka_unit_test_setup_teardown(a_level_of_an_autogroup_is_told, make_root,
	                                        remove_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
