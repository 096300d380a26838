/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read.h"

#include <common/alloc.h>

#include <stdlib.h>
#include <string.h>

#define CPUS "devices/system/cpu"

static const struct read_row rows[] = {
        {"cpu.no_turbo",         READ_SYS,  CPUS "/intel_pstate/no_turbo"      },
        {"cpu.boost",            READ_SYS,  CPUS "/cpufreq/boost"              },
        {"cpu.idle_driver",      READ_SYS,  CPUS "/cpuidle/current_driver"     },
        {"cpu.idle_governor",    READ_SYS,  CPUS "/cpuidle/current_governor_ro"},
        {"power.profile",        READ_SYS,  "firmware/acpi/platform_profile"   },
        {"load.average",         READ_PROC, "loadavg"                          },
        {"kernel.watchdog",      READ_PROC, "sys/kernel/nmi_watchdog"          },
        {"sched.numa_balancing", READ_PROC, "sys/kernel/numa_balancing"        },
};

/* What all CPUs say; several values when they differ. */
static void read_cpufreq(const struct facts_world *w, struct xcs_facts *facts)
{
	static const char *const leaves[][2] = {
	        {"cpu.governor",          "cpufreq/scaling_governor"             },
	        {"cpu.driver",            "cpufreq/scaling_driver"               },
	        {"cpu.energy_preference", "cpufreq/energy_performance_preference"},
	        {"cpu.max_khz",           "cpufreq/cpuinfo_max_freq"             },
	};

	for (size_t i = 0; i < ARRAY_LEN(leaves); i++) {
		char *source = xcs_xasprintf("sys:" CPUS "/cpu*/%s", leaves[i][1]);
		xcs_facts_take(facts, leaves[i][0], read_each_dup(w, CPUS, "cpu", leaves[i][1]),
		               source);
		free(source);
	}
}

/* Mains tell whether they are connected, batteries whether they lose charge. */
static char *supply_dup(const struct facts_world *w)
{
	struct xcs_buf list = {0};
	char **names;
	size_t n = read_names(w, "class/power_supply", "", &names);

	for (size_t i = 0; i < n; i++) {
		char *type_path = xcs_xasprintf("class/power_supply/%s/type", names[i]);
		char *online_path = xcs_xasprintf("class/power_supply/%s/online", names[i]);
		char *status_path = xcs_xasprintf("class/power_supply/%s/status", names[i]);
		char *type = read_line_dup(w, READ_SYS, type_path);
		char *online = read_line_dup(w, READ_SYS, online_path);
		char *status = read_line_dup(w, READ_SYS, status_path);
		if (type && strcmp(type, "Mains") == 0 && online)
			xcs_buf_printf(&list, "%s%s %s", list.n ? ", " : "", names[i],
			               strcmp(online, "1") ? "not connected" : "connected");
		else if (type && strcmp(type, "Battery") == 0 && status)
			xcs_buf_printf(&list, "%s%s %s", list.n ? ", " : "", names[i], status);
		free(type), free(online), free(status);
		free(type_path), free(online_path), free(status_path);
	}
	read_names_free(names, n);
	return list.n ? xcs_buf_take(&list) : NULL;
}

/* Times that heat slowed a core down since boot: drivers/thermal/intel/therm_throt.c. */
static char *throttles_dup(const struct facts_world *w)
{
	char **names;
	size_t n = read_names(w, CPUS, "cpu", &names), n_known = 0;
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t v;
		char *path =
		        xcs_xasprintf(CPUS "/%s/thermal_throttle/core_throttle_count", names[i]);
		char *text = read_line_dup(w, READ_SYS, path);
		if (text && xcs_str_u64(xcs_str(text), &v) == 0) {
			sum += v;
			n_known++;
		}
		free(text);
		free(path);
	}
	read_names_free(names, n);
	return n_known ? xcs_xasprintf("%llu", (unsigned long long)sum) : NULL;
}

/* In kB, as the kernel has it. */
static char *swap_used_dup(const struct facts_world *w)
{
	struct xcs_buf text = {0};
	uint64_t total, unused;
	char *result = NULL;

	(void)!xcs_proc_read(w->env, "meminfo", &text);
	char *a = read_value_dup(xcs_buf_str(&text), ':', "SwapTotal");
	char *b = read_value_dup(xcs_buf_str(&text), ':', "SwapFree");
	struct xcs_str ra = xcs_str(a), rb = xcs_str(b), wa, wb;
	if (xcs_str_next_word(&ra, &wa) && xcs_str_next_word(&rb, &wb) &&
	    xcs_str_u64(wa, &total) == 0 && xcs_str_u64(wb, &unused) == 0 && unused <= total)
		result = xcs_xasprintf("%llu kB", (unsigned long long)(total - unused));
	free(a);
	free(b);
	xcs_buf_fini(&text);
	return result;
}

void facts_power(const struct facts_world *w, struct xcs_facts *facts)
{
	read_rows(w, rows, ARRAY_LEN(rows), facts);
	read_cpufreq(w, facts);
	xcs_facts_take(facts, "power.supply", supply_dup(w), "sys:class/power_supply");
	xcs_facts_take(facts, "thermal.throttles", throttles_dup(w),
	               "sys:" CPUS "/cpu*/thermal_throttle/core_throttle_count");
	xcs_facts_take(facts, "memory.swap_used", swap_used_dup(w), "proc:meminfo");
}
