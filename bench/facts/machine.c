/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read.h"

#include <common/alloc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CPUS "devices/system/cpu"

static const struct read_row rows[] = {
        {"machine.vendor",      READ_SYS, "class/dmi/id/sys_vendor"               },
        {"machine.product",     READ_SYS, "class/dmi/id/product_name"             },
        {"machine.clocksource", READ_SYS,
         "devices/system/clocksource/clocksource0/current_clocksource"            },
        {"cpu.online",          READ_SYS, CPUS "/online"                          },
        {"cpu.smt",             READ_SYS, CPUS "/smt/active"                      },
        {"numa.nodes",          READ_SYS, "devices/system/node/online"            },
        {"memory.thp",          READ_SYS, "kernel/mm/transparent_hugepage/enabled"},
};

static void read_cpuinfo(const struct facts_world *w, struct xcs_facts *facts)
{
	struct xcs_buf text = {0};
	(void)!xcs_proc_read(w->env, "cpuinfo", &text);
	char *flags = read_value_dup(xcs_buf_str(&text), ':', "flags");

	xcs_facts_take(facts, "cpu.model", read_value_dup(xcs_buf_str(&text), ':', "model name"),
	               "proc:cpuinfo");
	xcs_facts_take(facts, "cpu.microcode", read_value_dup(xcs_buf_str(&text), ':', "microcode"),
	               "proc:cpuinfo");
	/* Bit 31 of CPUID.1:ECX, which hypervisors set and machines do not. */
	xcs_facts_set(facts, "machine.virtual",
	              !flags                         ? NULL
	              : strstr(flags, " hypervisor") ? "yes"
	                                             : "no",
	              "proc:cpuinfo");
	free(flags);
	xcs_buf_fini(&text);
}

static void read_memory(const struct facts_world *w, struct xcs_facts *facts)
{
	struct xcs_buf text = {0};

	(void)!xcs_proc_read(w->env, "meminfo", &text);
	xcs_facts_take(facts, "memory.total", read_value_dup(xcs_buf_str(&text), ':', "MemTotal"),
	               "proc:meminfo");
	xcs_buf_fini(&text);
}

/* How many different ids `leaf` holds over all CPUs that have one; 0: none tells. A core is
 * one only within its package, so its id goes with the package's. */
static size_t count_ids(const struct facts_world *w, const char *leaf)
{
	struct xcs_buf seen = {0};
	char **names;
	size_t n = read_names(w, CPUS, "cpu", &names), n_ids = 0;

	xcs_buf_puts(&seen, ";");
	for (size_t i = 0; i < n; i++) {
		char *path = xcs_xasprintf(CPUS "/%s/topology/%s", names[i], leaf);
		char *package = xcs_xasprintf(CPUS "/%s/topology/physical_package_id", names[i]);
		char *id = read_line_dup(w, READ_SYS, path);
		char *in = read_line_dup(w, READ_SYS, package);
		char *key = xcs_xasprintf(";%s/%s;", in ? in : "", id ? id : "");
		if (id && !strstr(seen.p, key)) {
			xcs_buf_puts(&seen, key + 1);
			n_ids++;
		}
		free(key);
		free(in);
		free(id);
		free(package);
		free(path);
	}
	read_names_free(names, n);
	xcs_buf_fini(&seen);
	return n_ids;
}

static char *topology_dup(const struct facts_world *w)
{
	size_t n_packages = count_ids(w, "physical_package_id"), n_cores = count_ids(w, "core_id");

	if (!n_packages || !n_cores)
		return NULL;
	return xcs_xasprintf("%zu package%s, %zu core%s", n_packages, n_packages == 1 ? "" : "s",
	                     n_cores, n_cores == 1 ? "" : "s");
}

/* Cores of different kinds: Intel names the sets, others give each CPU a capacity. */
static char *core_types_dup(const struct facts_world *w)
{
	char *performance = read_line_dup(w, READ_SYS, "devices/cpu_core/cpus");
	char *efficient = read_line_dup(w, READ_SYS, "devices/cpu_atom/cpus");
	char *capacities = read_each_dup(w, CPUS, "cpu", "cpu_capacity");
	char *result = NULL;

	if (performance && efficient)
		result = xcs_xasprintf("P cores %s, E cores %s", performance, efficient);
	else if (capacities && strchr(capacities, ','))
		result = xcs_xasprintf("capacities %s", capacities);
	else if (capacities || performance)
		result = xcs_xstrdup("all alike");
	free(performance);
	free(efficient);
	free(capacities);
	return result;
}

/* Each weakness that this CPU has, with what the kernel does about it. */
static char *mitigations_dup(const struct facts_world *w)
{
	struct xcs_buf list = {0};
	char **names;
	size_t n = read_names(w, CPUS "/vulnerabilities", "", &names);

	for (size_t i = 0; i < n; i++) {
		char *path = xcs_xasprintf(CPUS "/vulnerabilities/%s", names[i]);
		char *state = read_line_dup(w, READ_SYS, path);
		if (state && strcmp(state, "Not affected"))
			xcs_buf_printf(&list, "%s%s: %s", list.n ? " | " : "", names[i], state);
		free(state);
		free(path);
	}
	read_names_free(names, n);
	if (n && !list.n)
		xcs_buf_puts(&list, "not affected by any");
	return list.n ? xcs_buf_take(&list) : NULL;
}

/* "8086:46a6 (i915)" of each graphics card; the connectors beside them have a dash. */
static char *gpu_dup(const struct facts_world *w)
{
	struct xcs_buf list = {0};
	char **names, target[512];
	size_t n = read_names(w, "class/drm", "card", &names);

	for (size_t i = 0; i < n; i++) {
		char *base = xcs_xasprintf("class/drm/%s/device", names[i]);
		char *vendor_path = xcs_xasprintf("%s/vendor", base);
		char *device_path = xcs_xasprintf("%s/device", base);
		char *driver_path = xcs_xasprintf("%s/driver", base);
		char *vendor = read_line_dup(w, READ_SYS, vendor_path);
		char *device = read_line_dup(w, READ_SYS, device_path);
		ssize_t len = readlinkat(w->env->sys_fd, driver_path, target, sizeof(target) - 1);
		target[len > 0 ? len : 0] = '\0';
		const char *driver = strrchr(target, '/') ? strrchr(target, '/') + 1 : target;
		if (!strchr(names[i], '-') && (vendor || len > 0))
			xcs_buf_printf(&list, "%s%s:%s (%s)", list.n ? ", " : "",
			               vendor ? vendor : "?", device ? device : "?",
			               driver[0] ? driver : "no driver");
		free(vendor), free(device);
		free(driver_path), free(device_path), free(vendor_path);
		free(base);
	}
	read_names_free(names, n);
	return list.n ? xcs_buf_take(&list) : NULL;
}

void facts_machine(const struct facts_world *w, struct xcs_facts *facts)
{
	read_rows(w, rows, ARRAY_LEN(rows), facts);
	read_cpuinfo(w, facts);
	read_memory(w, facts);
	xcs_facts_take(facts, "cpu.topology", topology_dup(w), "sys:" CPUS "/cpu*/topology");
	xcs_facts_take(facts, "cpu.core_types", core_types_dup(w),
	               "sys:devices/cpu_core, sys:" CPUS "/cpu*/cpu_capacity");
	xcs_facts_take(facts, "cpu.mitigations", mitigations_dup(w),
	               "sys:" CPUS "/vulnerabilities");
	xcs_facts_take(facts, "gpu.cards", gpu_dup(w), "sys:class/drm");
}
