/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "environment.h"

#include <common/alloc.h>
#include <common/child.h>
#include <common/cpuset.h>
#include <common/file.h>
#include <common/task.h>
#include <common/units.h>
#include <probe/probe.h>

#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#define AUTOGROUP_FACT "sched.autogroup"
#define AUTOGROUP_FILE "sys/kernel/sched_autogroup_enabled"

enum root {
	ROOT_PROC,
	ROOT_SYS
};

/* A fact that is the first line of one small file. */
struct file_fact {
	const char *key;
	enum root root;
	const char *rel;
};

static const struct file_fact host_files[] = {
        {"kernel.release",      ROOT_PROC, "sys/kernel/osrelease"         },
        {"kernel.version",      ROOT_PROC, "sys/kernel/version"           },
        {"kernel.boot_id",      ROOT_PROC, "sys/kernel/random/boot_id"    },
        {"kernel.cmdline",      ROOT_PROC, "cmdline"                      },
        {"kernel.tainted",      ROOT_PROC, "sys/kernel/tainted"           },
        {"machine.vendor",      ROOT_SYS,  "class/dmi/id/sys_vendor"      },
        {"machine.product",     ROOT_SYS,  "class/dmi/id/product_name"    },
        {"cpu.online",          ROOT_SYS,  "devices/system/cpu/online"    },
        {"cpu.smt",             ROOT_SYS,  "devices/system/cpu/smt/active"},
        {"machine.clocksource", ROOT_SYS,
         "devices/system/clocksource/clocksource0/current_clocksource"    },
};

static const struct file_fact now_files[] = {
        {AUTOGROUP_FACT,        ROOT_PROC, AUTOGROUP_FILE                                    },
        {"sched.schedstats",    ROOT_PROC, "sys/kernel/sched_schedstats"                     },
        {"sched.base_slice_ns", ROOT_SYS,  "kernel/debug/sched/base_slice_ns"                },
        {"sched.preempt",       ROOT_SYS,  "kernel/debug/sched/preempt"                      },
        {"sched.ext",           ROOT_SYS,  "kernel/sched_ext/state"                          },
        {"sched.ext_ops",       ROOT_SYS,  "kernel/sched_ext/root/ops"                       },
        {"cpu.governor",        ROOT_SYS,  "devices/system/cpu/cpu0/cpufreq/scaling_governor"},
        {"cpu.driver",          ROOT_SYS,  "devices/system/cpu/cpu0/cpufreq/scaling_driver"  },
        {"cpu.no_turbo",        ROOT_SYS,  "devices/system/cpu/intel_pstate/no_turbo"        },
        {"load.average",        ROOT_PROC, "loadavg"                                         },
        {"runner.cgroup",       ROOT_PROC, "self/cgroup"                                     },
        {"runner.autogroup",    ROOT_PROC, "self/autogroup"                                  },
};

static void read_files(const struct xcs_env *env, const struct file_fact *rows, size_t n,
                       struct xcs_facts *facts)
{
	struct xcs_buf text = {0};

	for (size_t i = 0; i < n; i++) {
		const struct file_fact *f = &rows[i];
		struct xcs_str rest, line = {"", 0};
		bool proc = f->root == ROOT_PROC;
		int rc =
		        proc ? xcs_proc_read(env, f->rel, &text) : xcs_sys_read(env, f->rel, &text);
		char *source = xcs_xasprintf("%s:%s", proc ? "proc" : "sys", f->rel);
		rest = xcs_buf_str(&text);
		xcs_str_next_line(&rest, &line);
		line = xcs_str_trim(line);
		char *value = rc || !line.n ? NULL : xcs_xasprintf("%.*s", (int)line.n, line.p);
		xcs_facts_set(facts, f->key, value, source);
		free(value);
		free(source);
	}
	xcs_buf_fini(&text);
}

/* The value behind "KEY<blank>:" of the first line that has it; the caller frees; or NULL. */
static char *colon_value_dup(struct xcs_str text, const char *key)
{
	struct xcs_str line, name;

	while (xcs_str_next_line(&text, &line)) {
		if (!xcs_str_next_part(&line, ':', &name) || !xcs_str_is(xcs_str_trim(name), key))
			continue;
		line = xcs_str_trim(line);
		return xcs_xasprintf("%.*s", (int)line.n, line.p);
	}
	return NULL;
}

static void set_owned(struct xcs_facts *facts, const char *key, char *value, const char *source)
{
	xcs_facts_set(facts, key, value, source);
	free(value);
}

static void read_cpu(const struct xcs_env *env, struct xcs_facts *facts)
{
	struct xcs_buf text = {0};
	(void)!xcs_proc_read(env, "cpuinfo", &text);
	char *flags = colon_value_dup(xcs_buf_str(&text), "flags");

	set_owned(facts, "cpu.model", colon_value_dup(xcs_buf_str(&text), "model name"),
	          "proc:cpuinfo");
	set_owned(facts, "cpu.microcode", colon_value_dup(xcs_buf_str(&text), "microcode"),
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

static void read_memory(const struct xcs_env *env, struct xcs_facts *facts)
{
	struct xcs_buf text = {0};
	(void)!xcs_proc_read(env, "meminfo", &text);

	set_owned(facts, "memory.total", colon_value_dup(xcs_buf_str(&text), "MemTotal"),
	          "proc:meminfo");
	xcs_buf_fini(&text);
}

/* HZ, the preemption model and the like, where the distribution ships the configuration. */
static void read_config(struct xcs_facts *facts)
{
	static const char *const keys[][2] = {
	        {"kernel.hz",             "CONFIG_HZ"             },
	        {"kernel.preempt_config", "CONFIG_PREEMPT"        },
	        {"kernel.autogroup",      "CONFIG_SCHED_AUTOGROUP"},
	};
	struct utsname u;
	struct xcs_buf text = {0};
	uname(&u);
	char *path = xcs_xasprintf("/boot/config-%s", u.release);
	int rc = xcs_file_read_at(AT_FDCWD, path, &text);

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		struct xcs_str rest = xcs_buf_str(&text), line, name;
		char *value = NULL;
		while (rc == 0 && !value && xcs_str_next_line(&rest, &line))
			if (xcs_str_next_part(&line, '=', &name) && xcs_str_is(name, keys[i][1]))
				value = xcs_xasprintf("%.*s", (int)line.n, line.p);
		set_owned(facts, keys[i][0], value, path);
	}
	free(path);
	xcs_buf_fini(&text);
}

static void read_distribution(struct xcs_facts *facts)
{
	struct xcs_buf text = {0};
	struct xcs_str rest, line, name;
	char *value = NULL;

	if (xcs_file_read_at(AT_FDCWD, "/etc/os-release", &text) == 0) {
		rest = xcs_buf_str(&text);
		while (!value && xcs_str_next_line(&rest, &line)) {
			if (!xcs_str_next_part(&line, '=', &name) ||
			    !xcs_str_is(name, "PRETTY_NAME"))
				continue;
			if (line.n >= 2 && line.p[0] == '"')
				line = (struct xcs_str){line.p + 1, line.n - 2};
			value = xcs_xasprintf("%.*s", (int)line.n, line.p);
		}
	}
	set_owned(facts, "distribution", value, "/etc/os-release");
	xcs_facts_set(facts, "glibc", gnu_get_libc_version(), "gnu_get_libc_version");
	xcs_buf_fini(&text);
}

/* The id that the linker gave this kernel: the ELF note "GNU" of type 3 in the notes. */
static char *build_id_dup(const struct xcs_env *env)
{
	struct xcs_buf notes = {0}, hex = {0};
	uint32_t head[3]; /* name size, description size, type */
	char *id = NULL;
	int rc = xcs_sys_read(env, "kernel/notes", &notes);

	for (size_t at = 0; rc == 0 && !id && at + sizeof(head) <= notes.n;) {
		memcpy(head, notes.p + at, sizeof(head));
		size_t name = (head[0] + 3U) & ~(size_t)3, desc = (head[1] + 3U) & ~(size_t)3;
		at += sizeof(head);
		if (name > notes.n - at || desc > notes.n - at - name)
			break;
		bool is_id = head[2] == 3 && head[0] == 4 && memcmp(notes.p + at, "GNU", 4) == 0;
		for (size_t i = 0; is_id && i < head[1]; i++)
			xcs_buf_printf(&hex, "%02x", (unsigned char)notes.p[at + name + i]);
		if (is_id)
			id = xcs_buf_take(&hex);
		at += name + desc;
	}
	xcs_buf_fini(&hex);
	xcs_buf_fini(&notes);
	return id;
}

static char *xterm_version_dup(const struct xcs_user *user)
{
	const struct xcs_spawn spawn = {
	        .argv = (const char *[]){"xterm", "-version", NULL},
                    .user = user
        };
	struct xcs_buf out = {0};
	char *value = NULL;

	if (xcs_child_capture(&spawn, 5 * XCS_NS_PER_S, &out, NULL) == 0 && out.n)
		value = xcs_xasprintf("%.*s", (int)strcspn(out.p, "\n"), out.p);
	xcs_buf_fini(&out);
	return value;
}

void environment_host(const struct xcs_env *env, struct xcs_facts *facts)
{
	struct utsname u;

	read_files(env, host_files, ARRAY_LEN(host_files), facts);
	set_owned(facts, "kernel.build_id", build_id_dup(env), "sys:kernel/notes");
	xcs_facts_set(facts, "machine.arch", uname(&u) ? NULL : u.machine, "uname");
	read_cpu(env, facts);
	read_memory(env, facts);
	read_config(facts);
	read_distribution(facts);
}

void environment_now(const struct xcs_env *env, const struct xcs_user *user,
                     struct xcs_facts *facts)
{
	char nice[16];

	read_files(env, now_files, ARRAY_LEN(now_files), facts);
	set_owned(facts, "xterm.version", xterm_version_dup(user), "xterm -version");
	snprintf(nice, sizeof(nice), "%d", getpriority(PRIO_PROCESS, 0));
	xcs_facts_set(facts, "runner.nice", nice, "getpriority");
}

bool environment_autogroup_changed(const struct xcs_env *env, const struct xcs_facts *facts)
{
	const char *then = xcs_facts_get(facts, AUTOGROUP_FACT);
	struct xcs_buf now = {0};
	bool changed = then && xcs_proc_read(env, AUTOGROUP_FILE, &now) == 0 &&
	               !xcs_str_is(xcs_str_trim(xcs_buf_str(&now)), then);

	xcs_buf_fini(&now);
	return changed;
}

void environment_place(const struct xcs_env *env, const char *role, pid_t pid,
                       struct xcs_facts *facts)
{
	char *keys[] = {xcs_xasprintf("%s.nice", role), xcs_xasprintf("%s.autogroup", role),
	                xcs_xasprintf("%s.cgroup", role)};
	struct xcs_task_id id;
	bool known = xcs_task_id_read(env, pid, pid, &id) == 0;

	set_owned(facts, keys[0], known ? xcs_xasprintf("%d", id.nice) : NULL, "proc:PID/stat");
	set_owned(facts, keys[1], probe_autogroup_dup(env, pid), "proc:PID/autogroup");
	set_owned(facts, keys[2], probe_cgroup_dup(env, pid), "proc:PID/cgroup");
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		free(keys[i]);
}

void environment_user(const struct xcs_user *user, struct xcs_facts *facts)
{
	const char *who = "an ordinary user";

	if (user->via_sudo)
		who = "the user behind sudo";
	else if (geteuid() == 0)
		who = "root, without a user behind it";
	xcs_facts_set(facts, "runner.user", who, "geteuid, SUDO_UID");
}
