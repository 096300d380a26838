/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The guard alive: what it changes, and what it undoes when its owner finishes, is killed,
 * or it is killed itself.
 */
#include "fixture.h"

#include <guard/verb_restore.h>

#include <common/alloc.h>
#include <common/file.h>

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- what it changes ---- */

/* Case 092: setpriority(PRIO_PROCESS) acts on one thread only. */
static void test_all_threads(void **state)
{
	struct guard_nice_result r;

	(void)state;
	need_rights();
	struct victim v = victim_start(&w, 3, false, getuid());
	struct guard *g = start();
	assert_ok(guard_set_nice(g, v.pid, v.start_ticks, -7, &r, &err));
	assert_int_equal(r.n_threads, 4);
	assert_int_equal(r.n_changed, 4);
	assert_int_equal(r.n_failed, 0);
	assert_int_equal(r.old_min, 0);
	assert_int_equal(r.old_max, 0);
	assert_int_equal(r.nice_min, -7);
	assert_int_equal(r.nice_max, -7);
	assert_int_equal(victim_nice(&v), -7);
	assert_ok(guard_finish(g, &err));
	assert_int_equal(victim_nice(&v), 0);
	assert_int_equal(world_n_journals(&w), 0);
	victim_stop(&v);
}

static void test_sweep_and_late_threads(void **state)
{
	struct guard_nice_result r;

	(void)state;
	need_rights();
	struct victim v = victim_start(&w, 1, false, getuid());
	struct guard *g = start();
	assert_ok(guard_set_nice(g, v.pid, v.start_ticks, -10, &r, &err));
	victim_add_thread(&v); /* born at -10, and no journal line names it yet */
	assert_ok(guard_set_nice(g, v.pid, v.start_ticks, 10, &r, &err));
	assert_int_equal(r.n_threads, 3);
	victim_add_thread(&v); /* no journal line ever names this one */
	assert_int_equal(victim_nice(&v), 10);
	assert_ok(guard_finish(g, &err));
	assert_int_equal(victim_nice(&v), 0);
	victim_stop(&v);
}

static void test_restore_all_goes_on(void **state)
{
	(void)state;
	need_rights();
	struct victim v = victim_start(&w, 1, false, getuid());
	struct guard *g = start();
	assert_ok(guard_set_nice(g, v.pid, v.start_ticks, 3, NULL, &err));
	assert_ok(guard_restore_all(g, &err));
	assert_int_equal(victim_nice(&v), 0);
	assert_ok(guard_set_nice(g, v.pid, v.start_ticks, 4, NULL, &err));
	assert_int_equal(victim_nice(&v), 4);
	assert_ok(guard_finish(g, &err));
	assert_int_equal(victim_nice(&v), 0);
	victim_stop(&v);
}

static void test_changed_meanwhile(void **state)
{
	(void)state;
	need_rights();
	struct victim v = victim_start(&w, 0, false, getuid());
	struct guard *g = start();
	assert_ok(guard_set_nice(g, v.pid, v.start_ticks, 5, NULL, &err));
	victim_set_nice(&v, 8);
	assert_ok(guard_finish(g, &err));
	assert_int_equal(victim_nice(&v), 8);
	victim_stop(&v);
}

static void test_wrong_identity(void **state)
{
	(void)state;
	struct victim v = victim_start(&w, 0, false, getuid());
	struct guard *g = start();
	assert_int_equal(guard_set_nice(g, v.pid, v.start_ticks + 1, 5, NULL, &err), -ESRCH);
	assert_int_equal(guard_own_child(g, v.pid, v.start_ticks + 1, &err), -ESRCH);
	assert_int_equal(guard_set_nice(g, v.pid, v.start_ticks, 20, NULL, &err), -EINVAL);
	assert_int_equal(victim_nice(&v), 0);
	assert_ok(guard_finish(g, &err));
	victim_stop(&v);
}

static void test_autogroup_switch(void **state)
{
	(void)state;
	struct guard *g = start();
	assert_ok(guard_set_autogroup_enabled(g, false, &err));
	assert_int_equal(world_sysctl(&w), 0);
	assert_ok(guard_set_autogroup_enabled(g, false, &err));
	assert_ok(guard_finish(g, &err));
	assert_int_equal(world_sysctl(&w), 1);
}

static int autogroup_nice(pid_t pid)
{
	char rel[32];
	struct xcs_buf text = {0};
	int nice = 99;

	snprintf(rel, sizeof(rel), "%d/autogroup", (int)pid);
	if (xcs_proc_read(&w.env, rel, &text) == 0)
		sscanf(text.p, "/autogroup-%*d nice %d", &nice);
	xcs_buf_fini(&text);
	return nice;
}

static void test_autogroup_nice(void **state)
{
	(void)state;
	need_rights();
	struct victim v = victim_start(&w, 0, true, getuid());
	if (autogroup_nice(v.pid) == 99) {
		print_message("skipped: this kernel has no autogroups\n");
		victim_stop(&v);
		skip();
	}
	struct guard *g = start();
	assert_ok(guard_set_autogroup_nice(g, v.pid, v.start_ticks, -5, &err));
	assert_int_equal(autogroup_nice(v.pid), -5);
	assert_ok(guard_finish(g, &err));
	assert_int_equal(autogroup_nice(v.pid), 0);
	victim_stop(&v);
}

static void test_affinity(void **state)
{
	struct xcs_cpuset all, one, now;

	(void)state;
	assert_ok(xcs_cpuset_allowed(&all, &err));
	if (xcs_cpuset_count(&all) < 2) {
		print_message("skipped: there is one CPU only\n");
		skip();
	}
	struct victim v = victim_start(&w, 2, false, getuid());
	CPU_ZERO(&one.mask);
	CPU_SET((size_t)xcs_cpuset_last(&all), &one.mask);
	struct guard *g = start();
	assert_ok(guard_set_affinity(g, v.pid, v.start_ticks, &one, &err));
	assert_int_equal(sched_getaffinity(v.pid, sizeof(now.mask), &now.mask), 0);
	assert_true(CPU_EQUAL(&now.mask, &one.mask));
	assert_ok(guard_finish(g, &err));
	assert_int_equal(sched_getaffinity(v.pid, sizeof(now.mask), &now.mask), 0);
	assert_true(CPU_EQUAL(&now.mask, &all.mask));
	victim_stop(&v);
}

static void test_ignores_terminal_signals(void **state)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

	(void)state;
	struct guard *g = start();
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		assert_int_equal(kill(guard_pid(g), signals[i]), 0);
	assert_int_not_equal(getsid(guard_pid(g)), getsid(0));
	assert_ok(guard_set_autogroup_enabled(g, false, &err));
	assert_ok(guard_finish(g, &err));
	assert_int_equal(world_sysctl(&w), 1);
}

/* ---- folders and children ---- */

static char *make_temp(const char *name)
{
	char *path = xcs_xasprintf("%s/%s", w.temp, name);
	char *below = xcs_xasprintf("%s/a/b", path);
	char *file = xcs_xasprintf("%s/file", below);

	assert_ok(xcs_dir_make(below, 0700, &err));
	assert_ok(xcs_file_write(file, "x", 1, &err));
	free(below);
	free(file);
	return path;
}

static bool exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static void test_folders(void **state)
{
	(void)state;
	char *mine = make_temp("xcsbench-1 mine"), *kept = make_temp("xcsbench-2");
	char *other = make_temp("other"), *deep = xcs_xasprintf("%s/a", mine);
	char *outside = xcs_xasprintf("%s/xcsbench-outside", w.dir);
	char *link = xcs_xasprintf("%s/xcsbench-link", w.temp);
	assert_ok(xcs_dir_make(outside, 0700, &err));
	assert_int_equal(symlink(outside, link), 0);
	struct guard *g = start();
	assert_int_equal(guard_own_dir(g, other, &err), -EINVAL);
	assert_int_equal(guard_own_dir(g, deep, &err), -EINVAL);
	assert_int_equal(guard_own_dir(g, outside, &err), -EINVAL);
	assert_int_equal(guard_own_dir(g, link, &err), -ENOTDIR);
	assert_ok(guard_own_dir(g, mine, &err));
	assert_ok(guard_own_dir(g, kept, &err));
	assert_ok(guard_disown_dir(g, kept, &err));
	assert_ok(guard_finish(g, &err));
	assert_false(exists(mine));
	assert_true(exists(kept) && exists(other) && exists(outside));
	free(mine), free(kept), free(other), free(deep), free(outside), free(link);
}

static void test_children(void **state)
{
	(void)state;
	struct victim mine = victim_start(&w, 1, true, getuid());
	struct victim kept = victim_start(&w, 0, false, getuid());
	struct guard *g = start();
	assert_ok(guard_own_child(g, mine.pid, mine.start_ticks, &err));
	assert_ok(guard_own_child(g, kept.pid, kept.start_ticks, &err));
	assert_ok(guard_disown_child(g, kept.pid, kept.start_ticks, &err));
	assert_ok(guard_finish(g, &err));
	assert_int_equal(waitpid(mine.pid, NULL, WNOHANG), mine.pid);
	assert_int_equal(waitpid(kept.pid, NULL, WNOHANG), 0);
	victim_stop(&mine);
	victim_stop(&kept);
}

/* ---- violent ends ---- */

/* An owner in a process of its own, with everything changed that there is. */
struct owner {
	pid_t pid, guard;
	struct victim server, child;
	char *dir;
};

static _Noreturn void own(const struct owner *o, int out)
{
	struct guard *g = NULL;
	int rc = guard_start(&g, &w.env, &w.spec, &err);

	if (rc == 0 && may_lower_nice())
		rc = guard_set_nice(g, o->server.pid, o->server.start_ticks, -6, NULL, &err);
	if (rc == 0)
		rc = guard_set_autogroup_enabled(g, false, &err);
	if (rc == 0)
		rc = guard_own_child(g, o->child.pid, o->child.start_ticks, &err);
	if (rc == 0)
		rc = guard_own_dir(g, o->dir, &err);
	pid_t guard = rc ? -1 : guard_pid(g);
	if (rc)
		fprintf(stderr, "owner: %s\n", err.text);
	(void)!write(out, &guard, sizeof(guard));
	for (;;)
		pause();
}

static struct owner start_owner(void)
{
	struct owner o = {.server = victim_start(&w, 2, false, getuid()),
	                  .child = victim_start(&w, 0, true, getuid()),
	                  .dir = make_temp("xcsbench-owned")};
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	o.pid = fork();
	if (o.pid == 0)
		own(&o, fds[1]);
	assert_int_equal(read(fds[0], &o.guard, sizeof(o.guard)), sizeof(o.guard));
	close(fds[0]);
	close(fds[1]);
	assert_true(o.guard > 0);
	assert_int_equal(world_sysctl(&w), 0);
	assert_int_equal(victim_nice(&o.server), may_lower_nice() ? -6 : 0);
	return o;
}

static void assert_undone(struct owner *o)
{
	assert_int_equal(victim_nice(&o->server), 0);
	assert_int_equal(world_sysctl(&w), 1);
	assert_true(wait_for_end(open_pidfd(o->child.pid)));
	assert_false(exists(o->dir));
	assert_int_equal(world_n_journals(&w), 0);
}

static void free_owner(struct owner *o)
{
	victim_stop(&o->server);
	victim_stop(&o->child);
	free(o->dir);
}

static void end(pid_t pid)
{
	int fd = open_pidfd(pid);

	kill(pid, SIGKILL);
	assert_true(wait_for_end(fd));
	waitpid(pid, NULL, 0);
}

static void test_owner_killed(void **state)
{
	(void)state;
	struct owner o = start_owner();
	int guard = open_pidfd(o.guard);
	end(o.pid);
	assert_true(wait_for_end(guard));
	assert_undone(&o);
	free_owner(&o);
}

static void test_guard_killed(void **state)
{
	(void)state;
	struct victim v = victim_start(&w, 2, false, getuid());
	struct guard *g = start();
	struct pollfd p = {.fd = guard_fd(g), .events = POLLIN};
	if (may_lower_nice())
		assert_ok(guard_set_nice(g, v.pid, v.start_ticks, -6, NULL, &err));
	assert_ok(guard_set_autogroup_enabled(g, false, &err));
	assert_int_equal(poll(&p, 1, 0), 0);
	kill(guard_pid(g), SIGKILL);
	assert_int_equal(poll(&p, 1, 10000), 1);
	assert_int_equal(guard_set_autogroup_enabled(g, true, &err), -EPIPE);
	assert_says("xcs-guard has ended");
	assert_int_equal(world_sysctl(&w), 0);
	assert_ok(guard_finish(g, &err));
	assert_int_equal(world_sysctl(&w), 1);
	assert_int_equal(victim_nice(&v), 0);
	assert_int_equal(world_n_journals(&w), 0);
	victim_stop(&v);
}

/* The verb as the user runs it; its standard output and error, and its status. */
static char *run_verb(const char *option, int *status)
{
	char *argv[] = {"restore", "--journals", w.journals, (char *)(uintptr_t)option, NULL};
	struct xcs_buf text = {0};
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		dup2(fds[1], STDOUT_FILENO);
		dup2(fds[1], STDERR_FILENO);
		close(fds[0]);
		close(fds[1]);
		int rc = verb_restore(option ? 4 : 3, argv);
		fflush(NULL);
		_exit(rc);
	}
	close(fds[1]);
	assert_int_equal(xcs_fd_read_all(fds[0], &text), 0);
	close(fds[0]);
	waitpid(pid, status, 0);
	*status = WEXITSTATUS(*status);
	return text.p ? text.p : xcs_xstrdup("");
}

static void assert_verb(const char *option, int want, const char *part)
{
	int status;
	char *text = run_verb(option, &status);

	if (status != want || !strstr(text, part))
		fail_msg("restore: status %d, said:\n%s", status, text);
	free(text);
}

/* The verb knows the real /proc only, so the fake switch is not among what is left here. */
static void test_both_killed(void **state)
{
	(void)state;
	struct victim v = victim_start(&w, 2, false, getuid());
	struct victim child = victim_start(&w, 0, false, getuid());
	char *dir = make_temp("xcsbench-left");
	struct guard *g = start();
	bool root = may_lower_nice();
	if (root)
		assert_ok(guard_set_nice(g, v.pid, v.start_ticks, -6, NULL, &err));
	assert_ok(guard_own_child(g, child.pid, child.start_ticks, &err));
	assert_ok(guard_own_dir(g, dir, &err));
	assert_verb(NULL, XCS_EXIT_ERROR, "its run is still going on");
	kill(guard_pid(g), SIGKILL);
	assert_true(wait_for_end(open_pidfd(guard_pid(g))));
	/* The owner does nothing: it stands for one that was killed as well. */
	assert_verb("--dry-run", XCS_EXIT_OK, "would be ended");
	assert_int_equal(victim_nice(&v), root ? -6 : 0);
	assert_true(exists(dir));
	assert_verb(NULL, XCS_EXIT_OK, root ? "was put back from -6 to 0" : "was ended");
	assert_int_equal(victim_nice(&v), 0);
	assert_false(exists(dir));
	assert_int_equal(waitpid(child.pid, NULL, 0), child.pid);
	assert_int_equal(world_n_journals(&w), 0);
	assert_verb(NULL, XCS_EXIT_OK, "nothing to restore");
	assert_ok(guard_finish(g, &err)); /* somebody was faster: nothing is left to do */
	victim_stop(&v);
	victim_stop(&child);
	free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(test_all_threads, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_sweep_and_late_threads, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_restore_all_goes_on, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_changed_meanwhile, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_wrong_identity, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_autogroup_switch, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_autogroup_nice, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_affinity, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_ignores_terminal_signals, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_folders, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_children, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_owner_killed, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_guard_killed, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(test_both_killed, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
