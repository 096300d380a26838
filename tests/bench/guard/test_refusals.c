/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the guard refuses: changes without rights, changes that could not be undone, and
 * changes that could not be journalled.
 */
#include "../../common/cmocka_test.h"
#include "world.h"

#include <common/file.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534

/* Runs as a user without rights, in a process of its own; true when all held. */
static bool holds_as_nobody(bool (*fn)(struct victim *), struct victim *v)
{
	const struct rlimit none = {0, 0};
	int status;

	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		bool ok = setrlimit(RLIMIT_NICE, &none) == 0;
		if (geteuid() == 0)
			ok = ok && setresgid(NOBODY, NOBODY, NOBODY) == 0 &&
			     setresuid(NOBODY, NOBODY, NOBODY) == 0;
		_exit(ok && fn(v) ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Below /root, say, root's tests build programs that nobody else can start. */
static bool may_start(struct victim *v)
{
	(void)v;
	return access(w.spec.program, X_OK) == 0;
}

static void need_reachable_program(void)
{
	if (!holds_as_nobody(may_start, NULL)) {
		print_message("skipped: others may not enter the build tree\n");
		skip();
	}
}

static bool said(int rc, int want, const char *part)
{
	bool ok = rc == want && strstr(err.text, part);

	if (!ok)
		fprintf(stderr, "%d: '%s', not %d: '%s'\n", rc, err.text, want, part);
	return ok;
}

/* Case 094. */
static bool refuses(struct victim *v)
{
	struct guard *g;

	if (guard_start(&g, &w.env, &w.spec, &err))
		return said(-1, 0, "started");
	bool ok = said(guard_set_nice(g, v->pid, v->start_ticks, -10, NULL, &err), -EPERM,
	               "RLIMIT_NICE of at least 30; run with sudo") &&
	          said(guard_set_nice(g, v->pid, v->start_ticks, 10, NULL, &err), -EPERM,
	               "could not be put back to 0") &&
	          victim_nice(v) == 0;
	/* An own child ends with the run, so nothing has to be put back. */
	ok = ok && guard_own_child(g, v->pid, v->start_ticks, &err) == 0 &&
	     guard_set_nice(g, v->pid, v->start_ticks, 10, NULL, &err) == 0 && victim_nice(v) == 10;
	return guard_finish(g, &err) == 0 && ok && world_n_journals(&w) == 0;
}

static void test_no_rights(void **state)
{
	(void)state;
	uid_t uid = geteuid() == 0 ? NOBODY : getuid();
	need_reachable_program();
	struct victim v = victim_start(&w, 1, false, uid);
	world_give(&w, uid);
	assert_true(holds_as_nobody(refuses, &v));
	assert_int_equal(waitpid(v.pid, NULL, 0), v.pid);
	victim_stop(&v);
}

static bool refuses_journal(struct victim *v)
{
	struct guard *g;

	(void)v;
	return said(guard_start(&g, &w.env, &w.spec, &err), -EACCES, "cannot make") && !g;
}

static void test_journals_not_writable(void **state)
{
	(void)state;
	if (geteuid()) {
		print_message("skipped: the test has to be root to become another user\n");
		skip();
	}
	need_reachable_program();
	assert_true(holds_as_nobody(refuses_journal, NULL));
}

/* Changes the switch to and fro until the journal is full; the refused change is not made. */
static void assert_refused_when_full(struct guard *g)
{
	bool on = true;
	int rc = 0, n = 0;

	while (rc == 0 && n++ < 4000) {
		on = !on;
		rc = guard_set_autogroup_enabled(g, on, &err);
	}
	assert_true(rc == -ENOSPC || rc == -EFBIG);
	assert_says("so nothing was changed");
	assert_int_equal(world_sysctl(&w), !on);
	assert_ok(guard_finish(g, &err));
	assert_int_equal(world_sysctl(&w), 1);
	assert_int_equal(world_n_journals(&w), 0);
}

static void test_file_size_limit(void **state)
{
	struct rlimit old, small;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = (struct rlimit){2000, old.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	struct guard *g = start_guard();
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_refused_when_full(g);
}

static void test_disk_full(void **state)
{
	(void)state;
	assert_ok(xcs_dir_make(w.journals, 0700, &err));
	if (mount("xcs-guard-test", w.journals, "tmpfs", 0, "size=8k")) {
		print_message("skipped: cannot mount a small tmpfs: %s\n", strerror(errno));
		skip();
	}
	struct guard *g = start_guard();
	assert_refused_when_full(g);
	assert_int_equal(umount(w.journals), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(test_no_rights, world_set_up, world_tear_down),
	        cmocka_unit_test_setup_teardown(test_journals_not_writable, world_set_up,
	                                        world_tear_down),
	        cmocka_unit_test_setup_teardown(test_file_size_limit, world_set_up,
	                                        world_tear_down),
	        cmocka_unit_test_setup_teardown(test_disk_full, world_set_up, world_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
