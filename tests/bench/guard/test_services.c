/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Services that a run stops, by a systemctl of our own that keeps the state of each in a file.
 */
#include "../../common/cmocka_test.h"
#include "world.h"

#include <common/alloc.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Places in the list of service.c, which journals rely on. */
enum {
	TUNED = 1,
	POWER_PROFILES = 2,
	IRQBALANCE = 4,
};

static const char script[] =
        "#!/bin/sh\n"
        "dir=$(dirname \"$0\")/units\n"
        "case $1 in\n"
        "show) unit=$3 ;;\n"
        "start | stop) echo $1 $3 >>\"$dir/../log\"; unit=$3; [ -e \"$dir/$unit\" ] || exit 5 ;;\n"
        "esac\n"
        "case $1 in\n"
        "start) echo active >\"$dir/$unit\" ;;\n"
        "stop) echo failed >\"$dir/$unit\" ;;\n"
        "show)\n"
        "\t[ -e \"$dir/$unit\" ] && echo LoadState=loaded || echo LoadState=not-found\n"
        "\techo ActiveState=$(cat \"$dir/$unit\" 2>/dev/null || echo inactive) ;;\n"
        "esac\n";

static int set_up(void **state)
{
	world_set_up(state);
	char *units = xcs_xasprintf("%s/units", w.dir),
	     *program = xcs_xasprintf("%s/systemctl", w.dir);
	char *path = xcs_xasprintf("%s:/usr/bin:/bin", w.dir);
	assert_int_equal(mkdir(units, 0755), 0);
	world_write(&w, "/systemctl", script);
	assert_int_equal(chmod(program, 0755), 0);
	world_write(&w, "/log", "");
	world_write(&w, "/units/tuned.service", "active\n");
	world_write(&w, "/units/irqbalance.service", "inactive\n");
	assert_int_equal(setenv("PATH", path, 1), 0);
	free(units);
	free(program);
	free(path);
	return 0;
}

static void test_stopped_and_started(void **state)
{
	(void)state;
	struct guard *g = start_guard();
	assert_ok(set_knob(g, GUARD_KNOB_SERVICE, TUNED));
	assert_ok(set_knob(g, GUARD_KNOB_GOVERNOR, 3));
	assert_world_file("/log", "stop tuned.service\n");
	assert_ok(guard_finish(g, &err));
	assert_world_file("/units/tuned.service", "active\n");
	assert_world_file("/log", "stop tuned.service\nstart tuned.service\n");
	assert_world_file(WORLD_GOVERNOR, "schedutil\n");
}

/* One that does not run is not started; one that is not there, or not in the list, is told. */
static void test_left_alone(void **state)
{
	(void)state;
	struct guard *g = start_guard();
	assert_ok(set_knob(g, GUARD_KNOB_SERVICE, IRQBALANCE));
	assert_int_equal(set_knob(g, GUARD_KNOB_SERVICE, POWER_PROFILES), -ENOENT);
	assert_int_equal(set_knob(g, GUARD_KNOB_SERVICE, guard_n_services()), -EINVAL);
	assert_ok(guard_finish(g, &err));
	assert_world_file("/log", "");
}

/* Somebody needs the service: D-Bus starts it anew, and it runs as it did before. */
static void test_started_by_others(void **state)
{
	(void)state;
	struct guard *g = start_guard();
	assert_ok(set_knob(g, GUARD_KNOB_SERVICE, TUNED));
	world_write(&w, "/units/tuned.service", "active\n");
	assert_ok(guard_finish(g, &err));
	assert_world_file("/log", "stop tuned.service\n");
}

static void test_after_guard(void **state)
{
	(void)state;
	struct guard *g = start_guard();
	assert_ok(set_knob(g, GUARD_KNOB_SERVICE, TUNED));
	assert_int_equal(kill(guard_pid(g), SIGKILL), 0);
	assert_ok(guard_finish(g, &err));
	assert_world_file("/units/tuned.service", "active\n");
	assert_int_equal(world_n_journals(&w), 0);
}

static void test_without_systemd(void **state)
{
	const struct guard_setting tuned = {.knob = GUARD_KNOB_SERVICE, .index = TUNED};
	struct xcs_buf text = {0};

	(void)state;
	assert_int_equal(guard_setting_read(&w.env, &tuned, &text), 0);
	assert_string_equal(text.p, "running");
	assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
	assert_int_equal(guard_setting_read(&w.env, &tuned, &text), -ENOTSUP);
	xcs_buf_fini(&text);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, world_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(test_stopped_and_started), TEST(test_left_alone),
	        TEST(test_started_by_others),   TEST(test_after_guard),
	        TEST(test_without_systemd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
