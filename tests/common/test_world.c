/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The injected world, who a task is, and where things are.
 */
#include "cmocka_test.h"

#include <common/alloc.h>
#include <common/env.h>
#include <common/file.h>
#include <common/paths.h>
#include <common/task.h>
#include <common/units.h>

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define REST \
	" S 1 42 42 0 -1 4194560 1 2 3 4 5 6 7 8 20 -10 1 0 98765 1000 200 18446744073709551615"

static void a_task_is_read_whatever_its_name(void **state)
{
	static const char *const names[] = {"Xorg", "a b", "x) S 9 (y", ")", "((", "", "new\nline"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char *text = xcs_xasprintf("1234 (%s)" REST "\n", names[i]);
		struct xcs_task_id id;
		assert_int_equal(xcs_task_id_parse(xcs_str(text), &id), 0);
		assert_string_equal(id.comm, names[i]);
		assert_int_equal(id.tid, 1234);
		assert_int_equal(id.ppid, 1);
		assert_int_equal(id.nice, -10);
		assert_int_equal(id.start_ticks, 98765);
		assert_int_equal(id.state, 'S');
		free(text);
	}
}

static void the_driver_of_the_terminal_is_read(void **state)
{
	static const struct {
		const char *tty_nr;
		int major;
	} rows[] = {
	        {"0",        0              },
                {"1025",     4              },
                {"34816",    136            },
                {"66561",    260 /* not 4 */},
                {"-1048576", 0              }
        };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *text = xcs_xasprintf("7 (a) S 1 2 3 4) S 1 7 7 %s -1 0 1 2 3 4 5 6 7 8 9 20 "
		                           "0 1 0 98765",
		                           rows[i].tty_nr);
		struct xcs_task_id id;
		assert_int_equal(xcs_task_id_parse(xcs_str(text), &id), 0);
		assert_int_equal(id.tty_major, rows[i].major);
		free(text);
	}
}

static void a_long_name_is_cut(void **state)
{
	struct xcs_buf text = {0};
	struct xcs_task_id id;

	(void)state;
	xcs_buf_puts(&text, "7 (");
	xcs_buf_fill(&text, 'k', 100); /* kernel threads may show up to 64 bytes */
	xcs_buf_puts(&text, ")" REST);
	assert_int_equal(xcs_task_id_parse(xcs_buf_str(&text), &id), 0);
	assert_int_equal(strlen(id.comm), sizeof(id.comm) - 1);
	xcs_buf_fini(&text);
}

static void every_truncation_is_refused(void **state)
{
	const char *whole = "1234 (Xorg) S 1 42 42 0 -1 4194560 1 2 3 4 5 6 7 8 20 -10 1 0 98765";
	size_t to_start = strlen(whole) - strlen("98765");
	struct xcs_task_id id;

	(void)state;
	for (size_t n = 0; n <= to_start; n++) {
		char *part = xcs_xmalloc(n); /* exact size: ASan sees any read behind it */
		memcpy(part, whole, n);
		if (xcs_task_id_parse((struct xcs_str){part, n}, &id) != -EINVAL)
			fail_msg("taken: %.*s", (int)n, whole);
		free(part);
	}
	assert_int_equal(xcs_task_id_parse(xcs_str("x (a)" REST), &id), -EINVAL);
	assert_int_equal(xcs_task_id_parse(xcs_str(")1(" REST), &id), -EINVAL);
	assert_int_equal(xcs_task_id_parse(xcs_str("1 (a) S one"), &id), -EINVAL);
}

static void we_are_alive_with_our_start_time_only(void **state)
{
	struct xcs_env env;
	struct xcs_task_id me;

	(void)state;
	assert_int_equal(xcs_env_open(&env, NULL), 0);
	assert_int_equal(xcs_task_id_read(&env, getpid(), getpid(), &me), 0);
	assert_int_equal(me.tid, getpid());
	assert_int_equal(me.ppid, getppid());
	assert_true(xcs_task_is_alive(&env, getpid(), me.start_ticks));
	assert_false(xcs_task_is_alive(&env, getpid(), me.start_ticks + 1));
	xcs_env_close(&env);
}

static void a_zombie_is_not_alive(void **state)
{
	struct xcs_env env;
	struct xcs_task_id id;
	siginfo_t info;
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(xcs_env_open(&env, NULL), 0);
	assert_int_equal(xcs_task_id_read(&env, pid, pid, &id), 0);
	assert_int_equal(id.state, 'Z');
	assert_false(xcs_task_is_alive(&env, pid, id.start_ticks));
	waitpid(pid, NULL, 0);
	assert_true(xcs_task_id_read(&env, pid, pid, &id) < 0);
	xcs_env_close(&env);
}

static void *tell_tid_and_wait(void *data)
{
	int *fds = data;
	pid_t tid = (pid_t)syscall(SYS_gettid);
	char c;

	(void)!write(fds[1], &tid, sizeof(tid));
	(void)!read(fds[2], &c, 1);
	return NULL;
}

static void the_users_of_a_process_are_read_by_name(void **state)
{
	uid_t uid = 9, euid = 9;

	(void)state;
	assert_true(xcs_task_uids_parse(xcs_str("Name:\tX\nUid:\t1000\t0\t0\t0\n"), &uid, &euid));
	assert_int_equal(uid, 1000);
	assert_int_equal(euid, 0);
	assert_false(xcs_task_uids_parse(xcs_str("Name:\tUid: 5\nUid:\tx\n"), &uid, &euid));
	assert_false(xcs_task_uids_parse(xcs_str("Uid:\t99999999999\t0\n"), &uid, &euid));
	assert_false(xcs_task_uids_parse(xcs_str(""), &uid, &euid));
}

static void every_thread_is_listed(void **state)
{
	int tell[2], hold[2];
	pid_t tid, *tids = NULL;
	size_t cap = 0;
	pthread_t thread;
	struct xcs_env env;

	(void)state;
	assert_int_equal(pipe(tell), 0);
	assert_int_equal(pipe(hold), 0);
	int fds[3] = {tell[0], tell[1], hold[0]};
	assert_int_equal(pthread_create(&thread, NULL, tell_tid_and_wait, fds), 0);
	assert_int_equal(read(tell[0], &tid, sizeof(tid)), sizeof(tid));
	assert_int_equal(xcs_env_open(&env, NULL), 0);
	int n = xcs_task_list(&env, getpid(), &tids, &cap), seen = 0;
	for (int i = 0; i < n; i++)
		seen += tids[i] == tid || tids[i] == getpid();
	assert_int_equal(seen, 2);
	assert_true(xcs_task_list(&env, 0x3ffffffe, &tids, &cap) < 0);
	close(hold[1]);
	pthread_join(thread, NULL);
	close(hold[0]);
	close(tell[0]);
	close(tell[1]);
	free(tids);
	xcs_env_close(&env);
}

static int64_t false_clock(void *clock)
{
	return *(int64_t *)clock;
}

static void a_saved_tree_and_a_false_clock_are_a_world(void **state)
{
	char dir[] = "/tmp/xcs-world-XXXXXX";
	struct xcs_env env;
	struct xcs_buf b = {0};
	struct xcs_err err = {0};
	int64_t now_ns = 12345;

	(void)state;
	assert_non_null(mkdtemp(dir));
	char *path = xcs_xasprintf("%s/stat", dir);
	assert_int_equal(xcs_file_write(path, "ctxt 1\n", 7, NULL), 0);
	assert_int_equal(xcs_env_open_at(&env, dir, NULL, &err), 0);
	assert_true(env.ticks_per_s > 0);
	assert_int_equal(xcs_proc_read(&env, "stat", &b), 0);
	assert_string_equal(b.p, "ctxt 1\n");
	assert_int_equal(xcs_proc_read(&env, "schedstat", &b), -ENOENT);
	assert_int_equal(xcs_sys_read(&env, "kernel", &b), -ENOENT);
	env.mono_ns = false_clock;
	env.clock = &now_ns;
	assert_int_equal(xcs_env_mono_ns(&env), 12345);
	xcs_env_close(&env);
	xcs_env_close(&env);
	xcs_buf_fini(&b);
	assert_int_equal(xcs_env_open_at(&env, path, NULL, &err), -ENOTDIR);
	assert_non_null(strstr(err.text, path));
	free(path);
	assert_int_equal(xcs_dir_remove(dir), 0);
}

static void clocks_run(void **state)
{
	int64_t a = xcs_mono_now_ns(), b = xcs_mono_now_ns();

	(void)state;
	assert_true(b >= a);
	assert_true(xcs_wall_now_ns() > INT64_C(1600000000) * XCS_NS_PER_S);
}

static void siblings_are_found_beside_this_program(void **state)
{
	char *exe = xcs_self_exe_dup(), *name = xcs_path_program_dup("xcs-sample");
	char *visible = xcs_path_program_dup("xcsbench"), *data = xcs_path_data_dup("x.cfg");

	(void)state;
	assert_non_null(exe);
	assert_int_equal(name[0], '/');
	assert_non_null(strstr(name, "/libexec/xcsbench/xcs-sample"));
	assert_non_null(strstr(visible, "/bin/xcsbench"));
	assert_non_null(strstr(data, "/share/xcsbench/x.cfg"));
	free(exe);
	free(name);
	free(visible);
	free(data);
}

static void runs_go_where_the_user_keeps_data(void **state)
{
	struct xcs_user user = {.uid = 1000, .home = "/h/u"};
	char *path;

	(void)state;
	unsetenv("XDG_DATA_HOME");
	path = xcs_path_runs_dup(&user);
	assert_string_equal(path, "/h/u/.local/share/xcsbench/runs");
	free(path);
	setenv("XDG_DATA_HOME", "/data", 1);
	path = xcs_path_runs_dup(&user);
	assert_string_equal(path, "/data/xcsbench/runs");
	free(path);
	setenv("XDG_DATA_HOME", "relative", 1); /* the specification: ignore these */
	path = xcs_path_runs_dup(&user);
	assert_string_equal(path, "/h/u/.local/share/xcsbench/runs");
	free(path);
	/* Under sudo the variables are root's. */
	setenv("XDG_DATA_HOME", "/data", 1);
	user.via_sudo = true;
	path = xcs_path_runs_dup(&user);
	assert_string_equal(path, "/h/u/.local/share/xcsbench/runs");
	free(path);
	unsetenv("XDG_DATA_HOME");
}

static void journals_are_roots_or_the_users(void **state)
{
	struct xcs_user user = {.uid = 1000, .home = "/h/u"};
	char *path;

	(void)state;
	unsetenv("XDG_STATE_HOME");
	path = xcs_path_journals_dup(&user);
	assert_string_equal(path, geteuid() ? "/h/u/.local/state/xcsbench/undo"
	                                    : "/var/lib/xcsbench/undo");
	free(path);
}

static void without_sudo_the_user_is_us(void **state)
{
	struct xcs_user user;

	(void)state;
	unsetenv("SUDO_UID");
	assert_int_equal(xcs_user_find(&user, NULL), 0);
	assert_int_equal(user.uid, getuid());
	assert_false(user.via_sudo);
	assert_int_equal(user.home[0], '/');
}

static void under_sudo_the_user_is_who_called_it(void **state)
{
	struct xcs_user user;
	struct xcs_err err = {0};

	(void)state;
	setenv("SUDO_UID", "65534", 1);
	if (geteuid()) {
		/* Anybody can set the variable: without root it means nothing. */
		assert_int_equal(xcs_user_find(&user, NULL), 0);
		assert_false(user.via_sudo);
		unsetenv("SUDO_UID");
		return;
	}
	assert_int_equal(xcs_user_find(&user, &err), 0);
	assert_true(user.via_sudo);
	assert_int_equal(user.uid, 65534);
	assert_int_equal(user.gid, 65534);
	assert_string_equal(user.name, "nobody");
	setenv("SUDO_UID", "4000000000", 1);
	assert_int_equal(xcs_user_find(&user, &err), -ENOENT);
	assert_non_null(strstr(err.text, "SUDO_UID=4000000000"));
	setenv("SUDO_UID", "0", 1);
	assert_int_equal(xcs_user_find(&user, &err), 0);
	assert_false(user.via_sudo);
	unsetenv("SUDO_UID");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_task_is_read_whatever_its_name),
	        cmocka_unit_test(the_driver_of_the_terminal_is_read),
	        cmocka_unit_test(a_long_name_is_cut),
	        cmocka_unit_test(every_truncation_is_refused),
	        cmocka_unit_test(we_are_alive_with_our_start_time_only),
	        cmocka_unit_test(a_zombie_is_not_alive),
	        cmocka_unit_test(the_users_of_a_process_are_read_by_name),
	        cmocka_unit_test(every_thread_is_listed),
	        cmocka_unit_test(a_saved_tree_and_a_false_clock_are_a_world),
	        cmocka_unit_test(clocks_run),
	        cmocka_unit_test(siblings_are_found_beside_this_program),
	        cmocka_unit_test(runs_go_where_the_user_keeps_data),
	        cmocka_unit_test(journals_are_roots_or_the_users),
	        cmocka_unit_test(without_sudo_the_user_is_us),
	        cmocka_unit_test(under_sudo_the_user_is_who_called_it),
	};

	return cmocka_run_group_tests_name("common: world", tests, NULL, NULL);
}
