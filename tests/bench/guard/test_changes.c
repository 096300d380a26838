/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The guard alive: what it changes, and that all is as before when its owner finishes.
 */
#include "../../common/cmocka_test.h"
#include "world.h"

#include <common/alloc.h>
#include <common/file.h>

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Case 092: setpriority(PRIO_PROCESS) acts on one thread only. */
static void test_all_threads(void **state)
{
	struct guard_nice_result r;

	(void)state;
	need_rights();
	struct victim v = victim_start(&w, 3, false, getuid());
	struct guard *g = start_guard();
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
	struct guard *g = start_guard();
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
	struct guard *g = start_guard();
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
	struct guard *g = start_guard();
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
	struct guard *g = start_guard();
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
	struct guard *g = start_guard();
	assert_ok(guard_set_autogroup_enabled(g, false, &err));
	assert_int_equal(world_sysctl(&w), 0);
	assert_ok(guard_set_autogroup_enabled(g, false, &err));
	assert_ok(guard_finish(g, &err));
	assert_int_equal(world_sysctl(&w), 1);
}

static void test_one_switches_at_a_time(void **state)
{
	(void)state;
	struct guard *first = start_guard(), *second = start_guard();
	assert_ok(guard_set_autogroup_enabled(first, false, &err));
	assert_int_equal(guard_set_autogroup_enabled(second, false, &err), -EBUSY);
	assert_says("another run");
	assert_ok(guard_finish(first, &err));
	assert_int_equal(world_sysctl(&w), 1);
	assert_ok(guard_set_autogroup_enabled(second, false, &err));
	assert_ok(guard_finish(second, &err));
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
	struct guard *g = start_guard();
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
	struct guard *g = start_guard();
	assert_ok(guard_set_affinity(g, v.pid, v.start_ticks, &one, &err));
	assert_int_equal(sched_getaffinity(v.pid, sizeof(now.mask), &now.mask), 0);
	assert_true(CPU_EQUAL(&now.mask, &one.mask));
	assert_ok(guard_finish(g, &err));
	assert_int_equal(sched_getaffinity(v.pid, sizeof(now.mask), &now.mask), 0);
	assert_true(CPU_EQUAL(&now.mask, &all.mask));
	victim_stop(&v);
}

static void test_knobs(void **state)
{
	(void)state;
	struct guard *g = start_guard();
	assert_ok(set_knob(g, GUARD_KNOB_NMI_WATCHDOG, 0));
	assert_ok(set_knob(g, GUARD_KNOB_EPP, 3));
	assert_ok(set_knob(g, GUARD_KNOB_GOVERNOR, 3));
	assert_int_equal(set_knob(g, GUARD_KNOB_GOVERNOR, 0), -ENOENT);
	assert_int_equal(set_knob(g, GUARD_KNOB_BOOST, 0), -ENOENT);
	assert_int_equal(set_knob(g, GUARD_N_KNOBS, 0), -EINVAL);
	assert_int_equal(set_knob(g, GUARD_KNOB_GOVERNOR, -1), -EINVAL);
	assert_world_file(WORLD_WATCHDOG, "0\n");
	assert_world_file(WORLD_GOVERNOR, "performance\n");
	assert_world_file(WORLD_PREFERENCE, "performance\n");
	assert_ok(guard_finish(g, &err));
	assert_world_file(WORLD_PREFERENCE, "128\n");
	assert_world_file(WORLD_WATCHDOG, "1\n");
	assert_world_file(WORLD_GOVERNOR, "schedutil\n");
}

/* The guard dies too: its owner puts all back from the journal. */
static void test_knobs_after_guard(void **state)
{
	(void)state;
	struct guard *g = start_guard();
	assert_ok(set_knob(g, GUARD_KNOB_NMI_WATCHDOG, 0));
	assert_ok(set_knob(g, GUARD_KNOB_GOVERNOR, 3));
	assert_int_equal(kill(guard_pid(g), SIGKILL), 0);
	assert_ok(guard_finish(g, &err));
	assert_world_file(WORLD_WATCHDOG, "1\n");
	assert_world_file(WORLD_GOVERNOR, "schedutil\n");
}

/* What somebody else sets during the run is his. */
static void test_knob_changed_by_others(void **state)
{
	(void)state;
	struct guard *g = start_guard();
	assert_ok(set_knob(g, GUARD_KNOB_GOVERNOR, 3));
	world_write(&w, WORLD_GOVERNOR, "ondemand\n");
	assert_ok(guard_finish(g, &err));
	assert_world_file(WORLD_GOVERNOR, "ondemand\n");
}

static void test_one_holds_knobs_at_a_time(void **state)
{
	(void)state;
	struct guard *first = start_guard(), *second = start_guard();
	assert_ok(set_knob(first, GUARD_KNOB_NMI_WATCHDOG, 0));
	assert_int_equal(set_knob(second, GUARD_KNOB_GOVERNOR, 3), -EBUSY);
	assert_int_equal(guard_set_autogroup_enabled(second, false, &err), -EBUSY);
	assert_ok(guard_finish(first, &err));
	assert_ok(set_knob(second, GUARD_KNOB_GOVERNOR, 3));
	assert_ok(guard_finish(second, &err));
	assert_world_file(WORLD_GOVERNOR, "schedutil\n");
}

static void test_ignores_terminal_signals(void **state)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

	(void)state;
	struct guard *g = start_guard();
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		assert_int_equal(kill(guard_pid(g), signals[i]), 0);
	assert_int_not_equal(getsid(guard_pid(g)), getsid(0));
	assert_ok(guard_set_autogroup_enabled(g, false, &err));
	assert_ok(guard_finish(g, &err));
	assert_int_equal(world_sysctl(&w), 1);
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
	struct guard *g = start_guard();
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
	struct guard *g = start_guard();
	assert_ok(guard_own_child(g, mine.pid, mine.start_ticks, &err));
	assert_ok(guard_own_child(g, kept.pid, kept.start_ticks, &err));
	assert_ok(guard_disown_child(g, kept.pid, kept.start_ticks, &err));
	assert_ok(guard_finish(g, &err));
	assert_int_equal(waitpid(mine.pid, NULL, WNOHANG), mine.pid);
	assert_int_equal(waitpid(kept.pid, NULL, WNOHANG), 0);
	victim_stop(&mine);
	victim_stop(&kept);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(test_all_threads, world_set_up, world_tear_down),
	        cmocka_unit_test_setup_teardown(test_sweep_and_late_threads, world_set_up,
	                                        world_tear_down),
	        cmocka_unit_test_setup_teardown(test_restore_all_goes_on, world_set_up,
	                                        world_tear_down),
	        cmocka_unit_test_setup_teardown(test_changed_meanwhile, world_set_up,
	                                        world_tear_down),
	        cmocka_unit_test_setup_teardown(test_wrong_identity, world_set_up, world_tear_down),
	        cmocka_unit_test_setup_teardown(test_one_switches_at_a_time, world_set_up,
	                                        world_tear_down),
	        cmocka_unit_test_setup_teardown(test_knobs, world_set_up, world_tear_down),
	        cmocka_unit_test_setup_teardown(test_knob_changed_by_others, world_set_up,
	                                        world_tear_down),
	        cmocka_unit_test_setup_teardown(test_one_holds_knobs_at_a_time, world_set_up,
	                                        world_tear_down),
	        cmocka_unit_test_setup_teardown(test_knobs_after_guard, world_set_up,
	                                        world_tear_down),
	        cmocka_unit_test_setup_teardown(test_autogroup_switch, world_set_up,
	                                        world_tear_down),
	        cmocka_unit_test_setup_teardown(test_autogroup_nice, world_set_up, world_tear_down),
	        cmocka_unit_test_setup_teardown(test_affinity, world_set_up, world_tear_down),
	        cmocka_unit_test_setup_teardown(test_ignores_terminal_signals, world_set_up,
	                                        world_tear_down),
	        cmocka_unit_test_setup_teardown(test_folders, world_set_up, world_tear_down),
	        cmocka_unit_test_setup_teardown(test_children, world_set_up, world_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
