/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read.h"

#include <common/alloc.h>
#include <common/child.h>
#include <common/units.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Options that concern scheduling, preemption and time: by how their names begin. */
static const char *const subset[] = {
        "HZ",           "NO_HZ",          "HIGH_RES_TIMERS",  "PREEMPT",   "SCHED_",
        "FAIR_GROUP",   "CFS_BANDWIDTH",  "RT_GROUP_SCHED",   "UCLAMP",    "NUMA_BALANCING",
        "IRQ_TIME_ACC", "VIRT_CPU_ACC",   "TICK_CPU_ACC",     "PSI",       "CPU_FREQ_DEFAULT_GOV",
        "RCU_NOCB",     "RCU_BOOST",      "ENERGY_MODEL",     "SMP",       "RT_MUTEXES",
        "SCHEDSTATS",   "PARAVIRT_TIME_", "CC_OPTIMIZE_FOR_", "LTO_CLANG",
};

/* Unpacked by gzip(1), which every distribution has. */
static int read_config_gz(const struct facts_world *w, struct xcs_buf *into)
{
	struct xcs_err ignored; /* no such file, mostly */
	int fd = w->is_saved ? -1 : openat(w->env->proc_fd, "config.gz", O_RDONLY | O_CLOEXEC);
	const struct xcs_spawn spawn = {
	        .argv = (const char *[]){"gzip", "-dc", NULL},
                    .stdin_fd = fd
        };

	if (fd < 0)
		return -1;
	int rc = xcs_child_capture(&spawn, 5 * XCS_NS_PER_S, into, &ignored);
	close(fd);
	return rc;
}

/* The text, and the file that it came from (NULL: none was found); the caller frees both. */
static char *find_config_dup(const struct facts_world *w, const char *release, struct xcs_buf *text)
{
	static const char *const places[][2] = {
	        {"/boot/config-",                ""              },
	        {"/lib/modules/",                "/config"       },
	        {"/lib/modules/",                "/build/.config"},
	        {"/usr/lib/ostree-boot/config-", ""              },
	};

	if (read_config_gz(w, text) == 0 && text->n)
		return xcs_xstrdup("proc:config.gz");
	for (size_t i = 0; release && i < ARRAY_LEN(places); i++) {
		char *path = xcs_xasprintf("%s%s%s", places[i][0], release, places[i][1]);
		if (read_path(w, path, text) == 0 && text->n)
			return path;
		free(path);
	}
	xcs_buf_clear(text);
	return NULL;
}

/* Fowler, Noll, Vo: FNV-1a with 64 bits (draft-eastlake-fnv). */
static uint64_t fnv1a(uint64_t hash, struct xcs_str s)
{
	for (size_t i = 0; i < s.n; i++)
		hash = (hash ^ (unsigned char)s.p[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static bool is_in_subset(struct xcs_str name)
{
	for (size_t i = 0; i < ARRAY_LEN(subset); i++)
		if (xcs_str_starts(name, subset[i]))
			return true;
	return false;
}

/* "CONFIG_HZ=250" gives "HZ=250"; options that are =y, only their name. */
static void add_to_subset(struct xcs_str line, struct xcs_buf *list)
{
	struct xcs_str option = {line.p + 7, line.n - 7}, name;
	struct xcs_str value = option;

	xcs_str_next_part(&value, '=', &name);
	if (!is_in_subset(name))
		return;
	xcs_buf_printf(list, "%s%.*s", list->n ? " " : "", (int)name.n, name.p);
	if (!xcs_str_is(value, "y"))
		xcs_buf_printf(list, "=%.*s", (int)value.n, value.p);
}

static void sum_up(struct xcs_str text, const char *source, struct xcs_facts *facts)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	struct xcs_buf list = {0};
	struct xcs_str line;
	bool any = false;

	while (xcs_str_next_line(&text, &line)) {
		line = xcs_str_trim(line);
		if (!xcs_str_starts(line, "CONFIG_") || line.n == 7)
			continue;
		hash = fnv1a(fnv1a(hash, line), xcs_str("\n"));
		add_to_subset(line, &list);
		any = true;
	}
	xcs_facts_take(facts, "kernel.config_hash", any ? xcs_xasprintf("%016" PRIx64, hash) : NULL,
	               source);
	xcs_facts_set(facts, "kernel.config_subset", list.n ? list.p : NULL, source);
	xcs_buf_fini(&list);
}

/* The preemption model that was built in; PREEMPT_DYNAMIC lets the boot choose another. */
static char *preempt_dup(struct xcs_str text)
{
	static const char *const models[][2] = {
	        {"CONFIG_PREEMPT_RT",        "rt"       },
                {"CONFIG_PREEMPT_LAZY",      "lazy"     },
	        {"CONFIG_PREEMPT",           "full"     },
                {"CONFIG_PREEMPT_VOLUNTARY", "voluntary"},
	        {"CONFIG_PREEMPT_NONE",      "none"     },
	};
	char *found = NULL;

	for (size_t i = 0; i < ARRAY_LEN(models) && !found; i++) {
		char *value = read_value_dup(text, '=', models[i][0]);
		if (value && strcmp(value, "y") == 0)
			found = xcs_xstrdup(models[i][1]);
		free(value);
	}
	return found;
}

void facts_config(const struct facts_world *w, struct xcs_facts *facts)
{
	static const char *const keys[][2] = {
	        {"kernel.hz",              "CONFIG_HZ"             },
	        {"kernel.autogroup",       "CONFIG_SCHED_AUTOGROUP"},
	        {"kernel.preempt_dynamic", "CONFIG_PREEMPT_DYNAMIC"},
	        {"kernel.bore",            "CONFIG_SCHED_BORE"     },
	        {"kernel.bmq",             "CONFIG_SCHED_BMQ"      },
	        {"kernel.pds",             "CONFIG_SCHED_PDS"      },
	        {"kernel.muqss",           "CONFIG_SCHED_MUQSS"    },
	};
	struct xcs_buf text = {0};
	char *source = find_config_dup(w, xcs_facts_get(facts, "kernel.release"), &text);
	const char *from = source ? source : "no configuration of this kernel was found";

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		xcs_facts_take(facts, keys[i][0],
		               read_value_dup(xcs_buf_str(&text), '=', keys[i][1]), from);
	xcs_facts_take(facts, "kernel.preempt_config", preempt_dup(xcs_buf_str(&text)), from);
	sum_up(xcs_buf_str(&text), from, facts);
	free(source);
	xcs_buf_fini(&text);
}
