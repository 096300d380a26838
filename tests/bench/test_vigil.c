/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What makes a trial void that no process of ours did.
 */
#include "../common/cmocka_test.h"
#include <trial/vigil.h>

#include <common/alloc.h>
#include <common/buf.h>
#include <common/file.h>
#include <common/units.h>
#include <record/table.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct vigil quiet = {.slept_ns = 5,
                                   .wall_offset_ns = 7,
                                   .taint = 0,
                                   .ext_enable_seq = 2,
                                   .throttles = 4,
                                   .cpus_online = "0-3",
                                   .ext_state = "disabled"};

static void expect(const struct vigil *after, const char *says)
{
	struct xcs_buf why = {0};

	assert_int_equal(vigil_broken(&quiet, after, &why), says != NULL);
	if (says)
		assert_non_null(strstr(why.p, says));
	xcs_buf_fini(&why);
}

static void a_quiet_trial_stands(void **state)
{
	struct vigil after = quiet;

	(void)state;
	expect(&after, NULL);
	after.slept_ns += 9 * XCS_NS_PER_MS; /* the clocks are not read at once */
	after.taint = 1 | 4096;              /* a module was loaded, no warning */
	after.wall_offset_ns += 50 * XCS_NS_PER_MS;
	expect(&after, NULL);
	assert_int_equal(vigil_clock_step_ns(&quiet, &after), 0);
}

static void what_happened_is_told(void **state)
{
	struct vigil after = quiet;

	(void)state;
	after.slept_ns += 3 * XCS_NS_PER_S;
	expect(&after, "suspended for 3.0 s");
	after = quiet;
	strcpy(after.cpus_online, "0-2");
	expect(&after, "from 0-3 to 0-2");
	after = quiet;
	after.ext_enable_seq++;
	expect(&after, "sched_ext");
	after = quiet;
	strcpy(after.ext_state, "enabled");
	expect(&after, "sched_ext");
	after = quiet;
	after.taint = 1 << 9;
	expect(&after, "warning");
	after = quiet;
	after.throttles += 12;
	expect(&after, "12 times");
}

static void unknown_is_no_event(void **state)
{
	struct vigil after = quiet;

	(void)state;
	after.taint = after.ext_enable_seq = after.throttles = XCS_ABSENT;
	expect(&after, NULL);
}

static void a_clock_that_was_set_is_measured(void **state)
{
	struct vigil after = quiet;

	(void)state;
	after.wall_offset_ns -= 60 * XCS_NS_PER_S;
	assert_int_equal(vigil_clock_step_ns(&quiet, &after), -60 * XCS_NS_PER_S);
	expect(&after, NULL);
}

static void put(const char *root, const char *rel, const char *text)
{
	struct xcs_err err;
	char *path = xcs_xasprintf("%s/%s", root, rel);
	char *dir = xcs_xstrdup(path);

	*strrchr(dir, '/') = '\0';
	assert_int_equal(xcs_dir_make(dir, 0755, &err), 0);
	assert_int_equal(xcs_file_write(path, text, strlen(text), &err), 0);
	free(path);
	free(dir);
}

static void a_look_reads_the_machine(void **state)
{
	char root[] = "/tmp/xcs-vigil-test.XXXXXX";
	struct xcs_env env;
	struct xcs_err err;
	struct vigil v;

	(void)state;
	assert_non_null(mkdtemp(root));
	put(root, "proc/sys/kernel/tainted", "512\n");
	put(root, "proc/version", "x\n");
	put(root, "sys/kernel/sched_ext/enable_seq", "7\n");
	put(root, "sys/kernel/sched_ext/state", "enabled\n");
	put(root, "sys/devices/system/cpu/online", "0,2-3\n");
	put(root, "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "2\n");
	put(root, "sys/devices/system/cpu/cpu2/thermal_throttle/core_throttle_count", "5\n");
	char *proc = xcs_xasprintf("%s/proc", root), *sys = xcs_xasprintf("%s/sys", root);
	assert_int_equal(xcs_env_open_at(&env, proc, sys, &err), 0);
	vigil_look(&env, &v);
	xcs_env_close(&env);
	assert_int_equal(v.taint, 512);
	assert_int_equal(v.ext_enable_seq, 7);
	assert_int_equal(v.throttles, 7);
	assert_string_equal(v.ext_state, "enabled");
	assert_string_equal(v.cpus_online, "0,2-3");
	assert_true(v.slept_ns > -XCS_NS_PER_MS);
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	assert_true(v.wall_offset_ns < t.tv_sec * XCS_NS_PER_S);
	assert_int_equal(xcs_dir_remove(root), 0);
	free(proc);
	free(sys);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_quiet_trial_stands),
	        cmocka_unit_test(what_happened_is_told),
	        cmocka_unit_test(unknown_is_no_event),
	        cmocka_unit_test(a_clock_that_was_set_is_measured),
	        cmocka_unit_test(a_look_reads_the_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
