/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Violent ends: the owner, the guard, or both are killed, and all is put back.
 */
#include "../../common/cmocka_test.h"
#include "restore.h"
#include "world.h"

#include <guard/verb_restore.h>

#include <common/alloc.h>
#include <common/file.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
		rc = set_knob(g, GUARD_KNOB_NMI_WATCHDOG, 0);
	if (rc == 0)
		rc = set_knob(g, GUARD_KNOB_GOVERNOR, 3);
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
	assert_world_file(WORLD_WATCHDOG, "0\n");
	assert_world_file(WORLD_GOVERNOR, "performance\n");
	assert_int_equal(victim_nice(&o.server), may_lower_nice() ? -6 : 0);
	return o;
}

static void assert_undone(struct owner *o)
{
	assert_int_equal(victim_nice(&o->server), 0);
	assert_int_equal(world_sysctl(&w), 1);
	assert_world_file(WORLD_WATCHDOG, "1\n");
	assert_world_file(WORLD_GOVERNOR, "schedutil\n");
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
	struct guard *g = start_guard();
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

static void test_guard_then_owner_killed(void **state)
{
	struct journal_text t;

	(void)state;
	struct owner o = start_owner();
	end(o.guard);
	end(o.pid);
	assert_int_equal(world_sysctl(&w), 0);
	char *path = world_journal_dup(&w);
	assert_int_equal(restore_journal(&w.env, path, false, &t, &err), 0);
	assert_int_equal(t.head.guard_pid, o.guard);
	assert_int_equal(t.head.owner_pid, o.pid);
	journal_text_fini(&t);
	assert_undone(&o);
	free_owner(&o);
	free(path);
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
	struct guard *g = start_guard();
	bool root = may_lower_nice();
	if (root)
		assert_ok(guard_set_nice(g, v.pid, v.start_ticks, -6, NULL, &err));
	assert_ok(guard_own_child(g, child.pid, child.start_ticks, &err));
	assert_ok(guard_own_dir(g, dir, &err));
	assert_verb(NULL, XCS_EXIT_OK, "its run is still going on");
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
	        cmocka_unit_test_setup_teardown(test_owner_killed, world_set_up, world_tear_down),
	        cmocka_unit_test_setup_teardown(test_guard_killed, world_set_up, world_tear_down),
	        cmocka_unit_test_setup_teardown(test_guard_then_owner_killed, world_set_up,
	                                        world_tear_down),
	        cmocka_unit_test_setup_teardown(test_both_killed, world_set_up, world_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
