/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a dry run says of the profile "controlled", on a machine of files.
 */
#include "../common/cmocka_test.h"

#include "profile.h"

#include <common/file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char top[] = "/tmp/xcs-profile-test.XXXXXX";

static void put(const char *dir, const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", top, dir);
	assert_int_equal(xcs_dir_make(path, 0755, NULL), 0);
	snprintf(path, sizeof(path), "%s/%s/%s", top, dir, name);
	assert_int_equal(xcs_file_write(path, text, strlen(text), NULL), 0);
}

static int set_up(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(top));
	put("proc/sys/kernel", "nmi_watchdog", "0\n");
	put("proc/sys/kernel", "soft_watchdog", "1\n");
	put("sys/devices/system/cpu/intel_pstate", "no_turbo", "0\n");
	put("sys/devices/system/cpu/cpufreq/policy0", "scaling_governor", "powersave\n");
	put("sys/devices/system/cpu/cpufreq/policy4", "scaling_governor", "performance\n");
	put("sys/devices/system/cpu/cpufreq/policy4", "energy_performance_preference", "power\n");
	return setenv("PATH", "/nowhere", 1); /* no systemctl */
}

static int tear_down(void **state)
{
	(void)state;
	return xcs_dir_remove(top);
}

static void test_describe(void **state)
{
	struct xcs_env env;
	struct xcs_buf text = {0};
	char proc[64], sys[64];

	(void)state;
	snprintf(proc, sizeof(proc), "%s/proc", top);
	snprintf(sys, sizeof(sys), "%s/sys", top);
	assert_int_equal(xcs_env_open_at(&env, proc, sys, NULL), 0);
	profile_describe(&env, &text);
	assert_string_equal(
	        text.p,
	        "cannot set services: no systemd\n"
	        "/proc/sys/kernel/nmi_watchdog is 0 already\n"
	        "would set /proc/sys/kernel/soft_watchdog from 1 to 0\n"
	        "would set /sys/devices/system/cpu/intel_pstate/no_turbo from 0 to 1\n"
	        "cannot set /sys/devices/system/cpu/cpufreq/boost: there is none\n"
	        "would set /sys/devices/system/cpu/cpufreq/policy4/energy_performance_preference "
	        "from power to performance\n"
	        "would set /sys/devices/system/cpu/cpufreq/policy0/scaling_governor from powersave "
	        "to performance\n"
	        "/sys/devices/system/cpu/cpufreq/policy4/scaling_governor is performance already\n"
	        "would set screensaver and dpms of the X server to 0 and off\n");
	xcs_buf_fini(&text);
	xcs_env_close(&env);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_describe)};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
