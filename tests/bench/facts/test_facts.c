/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The facts of saved machines: which source answers, what is unknown, and the forms that
 * kernels and patch sets have.
 */
#include "../../common/cmocka_test.h"

#include <facts/facts.h>

#include <common/alloc.h>
#include <common/file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct xcs_err err;
static char root[] = "/tmp/xcs-facts-test.XXXXXX";

static void put_bytes(const char *rel, const void *p, size_t n)
{
	char *path = xcs_xasprintf("%s/%s", root, rel);
	char *dir = xcs_xstrdup(path);

	*strrchr(dir, '/') = '\0';
	assert_int_equal(xcs_dir_make(dir, 0755, &err), 0);
	assert_int_equal(xcs_file_write(path, p, n, &err), 0);
	free(path);
	free(dir);
}

static void put(const char *rel, const char *text)
{
	put_bytes(rel, text, strlen(text));
}

static int make_root(void **state)
{
	(void)state;
	memcpy(root + sizeof(root) - 7, "XXXXXX", 6);
	if (!mkdtemp(root))
		return -1;
	put("proc/version", "Linux version 6.9.0 (a@b) (cc (D 1) 2, ld 3) #1\n");
	put("sys/kernel/x", "");
	return 0;
}

static int remove_root(void **state)
{
	(void)state;
	return xcs_dir_remove(root);
}

/* Reads everything of the saved machine into host and now. */
static void read_all(struct xcs_facts *host, struct xcs_facts *now)
{
	struct xcs_env env;
	char *proc = xcs_xasprintf("%s/proc", root), *sys = xcs_xasprintf("%s/sys", root);

	assert_int_equal(xcs_env_open_at(&env, proc, sys, &err), 0);
	const struct facts_world w = {.env = &env, .root = root, .is_saved = true};
	*host = *now = (struct xcs_facts){0};
	facts_kernel(&w, host);
	facts_config(&w, host);
	facts_machine(&w, host);
	facts_scheduler(&w, host, now);
	facts_power(&w, now);
	facts_software(&w, NULL, now);
	xcs_env_close(&env);
	free(proc);
	free(sys);
}

static void drop(struct xcs_facts *f)
{
	struct xcs_run run = {.host = *f};

	xcs_run_fini(&run);
}

/* One fact of a saved machine, and the source that gave it. */
static void expect(const char *key, const char *value, const char *source)
{
	struct xcs_facts host, now;
	bool found = false;

	read_all(&host, &now);
	const struct xcs_facts *both[] = {&host, &now};
	for (size_t b = 0; b < 2; b++) {
		for (size_t i = 0; i < both[b]->n; i++) {
			const struct xcs_fact *f = &both[b]->v[i];
			if (strcmp(f->key, key))
				continue;
			found = true;
			if (value)
				assert_string_equal(f->value, value);
			else
				assert_null(f->value);
			if (source)
				assert_string_equal(f->source, source);
		}
	}
	assert_true(found);
	drop(&host);
	drop(&now);
}

static void a_bare_machine_knows_little_and_says_so(void **state)
{
	(void)state;
	expect("kernel.release", NULL, "proc:sys/kernel/osrelease");
	expect("kernel.build_id", NULL, NULL);
	expect("kernel.hz", NULL, "no configuration of this kernel was found");
	expect("sched.preempt", NULL, "no source answered");
	expect("sched.base_slice_ns", NULL, "no source answered");
	expect("sched.class", NULL, NULL);
	expect("cpu.mitigations", NULL, NULL);
	expect("power.supply", NULL, NULL);
	expect("gpu.cards", NULL, NULL);
	expect("memory.swap_used", NULL, NULL);
	expect("distribution", NULL, "/etc/os-release");
}

static void the_compiler_comes_without_the_builder(void **state)
{
	static const struct {
		const char *banner, *compiler;
	} rows[] = {
	        {"Linux version 6.18.44 (me@host) (gcc (GCC) 15.3.0, GNU ld (GNU Binutils) 2.46) "
	         "#1 SMP",	                                            "gcc (GCC) 15.3.0, GNU ld (GNU Binutils) 2.46"},
	        {"Linux version 4.19.0 (me@host) (gcc version 8.3.0 (Debian 8.3.0-6)) #1 SMP",
	         "gcc version 8.3.0 (Debian 8.3.0-6)"	                                                                                },
	        {"Linux version 4.19.0 (me@host) (gcc version 8.3.0",                          ""                                            },
	        {"Linux version 4.19.0",	                                               ""	                                    },
	        {"",	                                                                   ""	                                    },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct xcs_str got = facts_compiler(xcs_str(rows[i].banner));
		assert_true(xcs_str_is(got, rows[i].compiler));
	}
}

static void the_chosen_one_is_marked(void **state)
{
	(void)state;
	assert_true(xcs_str_is(facts_chosen(xcs_str("none voluntary (full) lazy")), "full"));
	assert_true(xcs_str_is(facts_chosen(xcs_str("always [madvise] never\n")), "madvise"));
	assert_int_equal(facts_chosen(xcs_str("none full")).n, 0);
	assert_int_equal(facts_chosen(xcs_str("() []")).n, 0);
	assert_int_equal(facts_chosen(xcs_str("")).n, 0);
}

static void a_build_id_is_the_gnu_note_and_no_other(void **state)
{
	/* A note of Linux (type 6), then one of GNU (type 3) with four bytes. */
	static const unsigned char notes[] = {6, 0,   0,   0,   4,   0,   0, 0,    6,    0, 0,
	                                      0, 'L', 'i', 'n', 'u', 'x', 0, 0,    0,    1, 2,
	                                      3, 4,   4,   0,   0,   0,   4, 0,    0,    0, 3,
	                                      0, 0,   0,   'G', 'N', 'U', 0, 0xab, 0xcd, 0, 0x12};
	(void)state;
	put_bytes("sys/kernel/notes", notes, sizeof(notes));
	expect("kernel.build_id", "abcd0012", "sys:kernel/notes");
	put_bytes("sys/kernel/notes", notes, sizeof(notes) - 2);
	expect("kernel.build_id", NULL, NULL);
	put_bytes("sys/kernel/notes", "\377\377\377\377\377\377\377\377\003\0\0\0GNU", 16);
	expect("kernel.build_id", NULL, NULL);
}

static void the_configuration_is_summed_up(void **state)
{
	(void)state;
	put("proc/sys/kernel/osrelease", "6.12.1-a\n");
	put("boot/config-6.12.1-a", "# comment\nCONFIG_HZ=250\nCONFIG_HZ_250=y\n"
	                            "# CONFIG_PREEMPT is not set\nCONFIG_PREEMPT_VOLUNTARY=y\n"
	                            "CONFIG_EXT4_FS=y\nCONFIG_SCHED_AUTOGROUP=y\n");
	expect("kernel.hz", "250", "/boot/config-6.12.1-a");
	expect("kernel.preempt_config", "voluntary", NULL);
	expect("kernel.autogroup", "y", NULL);
	expect("kernel.config_subset", "HZ=250 HZ_250 PREEMPT_VOLUNTARY SCHED_AUTOGROUP", NULL);
	expect("sched.preempt", "voluntary", "kernel configuration");

	struct xcs_facts host, now;
	read_all(&host, &now);
	char *before = xcs_xstrdup(xcs_facts_get(&host, "kernel.config_hash"));
	drop(&host);
	drop(&now);
	put("boot/config-6.12.1-a", "CONFIG_HZ=1000\n");
	read_all(&host, &now);
	assert_string_not_equal(before, xcs_facts_get(&host, "kernel.config_hash"));
	drop(&host);
	drop(&now);
	free(before);
}

static void preemption_is_told_by_the_best_source(void **state)
{
	(void)state;
	put("proc/sys/kernel/osrelease", "6.12.1-a\n");
	put("boot/config-6.12.1-a", "CONFIG_PREEMPT=y\n");
	expect("sched.preempt", "full", "kernel configuration");
	put("proc/cmdline", "ro preempt=none quiet preempt=lazy -- preempt=full\n");
	expect("sched.preempt", "lazy", "proc:cmdline");
	put("proc/sys/kernel/version", "#1 SMP PREEMPT_RT Mon\n");
	expect("sched.preempt", "rt", "proc:sys/kernel/version");
	put("sys/kernel/debug/sched/preempt", "none (voluntary) full\n");
	expect("sched.preempt", "voluntary", "sys:kernel/debug/sched/preempt");
}

static void the_slice_needs_no_root(void **state)
{
	(void)state;
	put("proc/self/sched", "cat (7, #threads: 1)\n---\npolicy : 0\nse.slice  :   2800000\n");
	expect("sched.base_slice_ns", "2800000", "proc:self/sched se.slice");
	put("proc/sys/kernel/sched_min_granularity_ns", "750000\n");
	expect("sched.base_slice_ns", "750000", "proc:sys/kernel/sched_min_granularity_ns");
	put("sys/kernel/debug/sched/base_slice_ns", "3000000\n");
	expect("sched.base_slice_ns", "3000000", "sys:kernel/debug/sched/base_slice_ns");
}

static void schedulers_are_told_apart(void **state)
{
	static const struct {
		const char *file, *text, *name;
	} rows[] = {
	        {"proc/sys/kernel/osrelease",     "2.6.24\n",             "CFS"                      },
	        {"proc/sys/kernel/osrelease",     "6.5.0-rc1\n",          "CFS"                      },
	        {"proc/sys/kernel/osrelease",     "6.6.0\n",              "EEVDF"                    },
	        {"proc/sys/kernel/osrelease",     "10.0.0\n",             "EEVDF"                    },
	        {"boot/config-10.0.0",            "CONFIG_SCHED_PDS=y\n", "PDS"                      },
	        {"boot/config-10.0.0",            "CONFIG_SCHED_BMQ=y\n", "BMQ"                      },
	        {"boot/config-10.0.0",            "CONFIG_X=y\n",         "EEVDF"                    },
	        {"proc/sys/kernel/yield_type",    "1\n",                  "BMQ or PDS"               },
	        {"proc/sys/kernel/rr_interval",   "6\n",                  "MuQSS"                    },
	        {"proc/sys/kernel/sched_bore",    "1\n",                  "BORE"                     },
	        {"sys/kernel/sched_ext/state",    "disabled\n",           "BORE"                     },
	        {"sys/kernel/sched_ext/state",    "enabled\n",            "sched_ext of unknown name"},
	        {"sys/kernel/sched_ext/root/ops", "lavd_1.0\n",           "sched_ext lavd_1.0"       },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		put(rows[i].file, rows[i].text);
		expect("sched.class", rows[i].name, NULL);
	}
}

static void a_machine_is_described(void **state)
{
	(void)state;
	for (int cpu = 0; cpu < 4; cpu++) {
		char path[128], id[8];
		snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/topology/core_id", cpu);
		snprintf(id, sizeof(id), "%d\n", cpu / 2);
		put(path, id);
		snprintf(path, sizeof(path),
		         "sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu);
		put(path, "0\n");
		snprintf(path, sizeof(path),
		         "sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu);
		put(path, cpu == 3 ? "performance\n" : "powersave\n");
		snprintf(path, sizeof(path),
		         "sys/devices/system/cpu/cpu%d/thermal_throttle/core_throttle_count", cpu);
		put(path, "3\n");
	}
	put("sys/devices/system/cpu/vulnerabilities/l1tf", "Not affected\n");
	expect("cpu.mitigations", "not affected by any", NULL);
	put("sys/devices/system/cpu/vulnerabilities/mds", "Mitigation: Clear buffers\n");
	expect("cpu.mitigations", "mds: Mitigation: Clear buffers", NULL);
	expect("cpu.topology", "1 package, 2 cores", NULL);
	expect("cpu.governor", "powersave, performance", NULL);
	expect("thermal.throttles", "12", NULL);
	put("sys/devices/cpu_core/cpus", "0-1\n");
	expect("cpu.core_types", "all alike", NULL);
	put("sys/devices/cpu_atom/cpus", "2-3\n");
	expect("cpu.core_types", "P cores 0-1, E cores 2-3", NULL);
	put("sys/class/power_supply/AC/type", "Mains\n");
	put("sys/class/power_supply/AC/online", "0\n");
	put("sys/class/power_supply/BAT0/type", "Battery\n");
	put("sys/class/power_supply/BAT0/status", "Discharging\n");
	expect("power.supply", "AC not connected, BAT0 Discharging", NULL);
	put("sys/class/drm/card0/device/vendor", "0x8086\n");
	put("sys/class/drm/card0-DP-1/status", "connected\n");
	expect("gpu.cards", "0x8086:? (no driver)", NULL);
	put("proc/meminfo", "MemTotal: 8000 kB\nSwapTotal: 100 kB\nSwapFree: 60 kB\n");
	expect("memory.swap_used", "40 kB", NULL);
	expect("memory.total", "8000 kB", NULL);
	put("etc/os-release", "NAME=x\nPRETTY_NAME=\"Some Linux 3\"\n");
	expect("distribution", "Some Linux 3", NULL);
}

static char *mesa_dup(const char *maps, const char *status)
{
	struct xcs_env env;
	struct xcs_facts facts = {0};
	char *proc = xcs_xasprintf("%s/proc", root), *sys = xcs_xasprintf("%s/sys", root);

	if (maps)
		put("proc/77/maps", maps);
	put("var/lib/dpkg/status", status);
	assert_int_equal(xcs_env_open_at(&env, proc, sys, &err), 0);
	const struct facts_world w = {.env = &env, .root = root, .is_saved = true};
	facts_mesa(&w, 77, &facts);
	assert_non_null(xcs_facts_find(&facts, "mesa.version"));
	const char *value = xcs_facts_get(&facts, "mesa.version");
	char *copy = value ? xcs_xstrdup(value) : NULL;
	for (size_t i = 0; i < facts.n; i++) {
		free(facts.v[i].key);
		free(facts.v[i].value);
		free(facts.v[i].source);
	}
	free(facts.v);
	xcs_env_close(&env);
	free(proc);
	free(sys);
	return copy;
}

static void mesa_is(const char *maps, const char *status, const char *want)
{
	char *got = mesa_dup(maps, status);

	if (want)
		assert_string_equal(got, want);
	else
		assert_null(got);
	free(got);
}

static void mesa_of_the_server(void **state)
{
	static const char status[] = "Package: libgl1\nVersion: 1.6.0-1\n\n"
	                             "Package: libgl1-mesa-dri\nStatus: install ok installed\n"
	                             "Version: 22.3.6-1+deb12u1\n";

	(void)state;
	mesa_is(NULL, status, NULL);
	mesa_is("55a0-55b0 r-xp 00000000 fe:00 12 /usr/bin/Xvfb\n", status,
	        "not used by the server");
	mesa_is("7f00-7f10 r-xp 00000000 fe:00 13 /usr/lib/libgallium-24.2.4.so\n7f20-7f30 r\n",
	        status, "24.2.4");
	mesa_is("7f00-7f10 r-xp 00000000 fe:00 13 /usr/lib/libgallium-25.0.7-2.so", "", "25.0.7-2");
	mesa_is("7f00-7f10 r-xp 00000000 fe:00 13 /usr/lib/dri/swrast_dri.so\n", status,
	        "22.3.6-1+deb12u1");
	mesa_is("7f00-7f10 r-xp 00000000 fe:00 13 /usr/lib/dri/swrast_dri.so\n", "", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define IN_ROOT(test) cmocka_unit_test_setup_teardown(test, make_root, remove_root)
	        IN_ROOT(a_bare_machine_knows_little_and_says_so),
	        cmocka_unit_test(the_compiler_comes_without_the_builder),
	        cmocka_unit_test(the_chosen_one_is_marked),
	        IN_ROOT(a_build_id_is_the_gnu_note_and_no_other),
	        IN_ROOT(the_configuration_is_summed_up),
	        IN_ROOT(preemption_is_told_by_the_best_source),
	        IN_ROOT(the_slice_needs_no_root),
	        IN_ROOT(schedulers_are_told_apart),
	        IN_ROOT(a_machine_is_described),
	        IN_ROOT(mesa_of_the_server),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
