/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The text of /proc/stat (fs/proc/stat.c, proc(5)) of any kernel: cpu lines of 4 numbers
 * (2.4) to 10, an intr line of any length. What the kernel does not say is XCS_ABSENT.
 */
#ifndef XCS_STAT_H
#define XCS_STAT_H

#include <common/cpuset.h>
#include <common/str.h>
#include <record/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In the order of the kernel's columns. guest is inside user, guest_nice inside nice. */
enum xcs_stat_ticks {
	XCS_STAT_USER,
	XCS_STAT_NICE,
	XCS_STAT_SYSTEM,
	XCS_STAT_IDLE,
	XCS_STAT_IOWAIT,
	XCS_STAT_IRQ,
	XCS_STAT_SOFTIRQ,
	XCS_STAT_STEAL,
	XCS_STAT_GUEST,
	XCS_STAT_GUEST_NICE,
	XCS_N_STAT_TICKS
};

struct xcs_cpu_ticks {
	int64_t v[XCS_N_STAT_TICKS]; /* since boot, in ticks of 1/CLK_TCK s */
};

struct xcs_stat {
	struct xcs_cpu_ticks all; /* the "cpu" line; of two (lxcfs 4.0) the larger one */
	int n_total_lines;        /* "cpu" lines seen: 1, unless something is wrong */
	int n_cpus;               /* cpuN lines, so CPUs online */
	int64_t ctxt_total;       /* switches of all CPUs, those to and from idle included */
	int64_t intr_total;
	int64_t btime_s; /* wall clock at boot, as the kernel believes now */
	int64_t forks_total;
	int64_t procs_running; /* gauges */
	int64_t procs_blocked;
};

const char *xcs_stat_ticks_name(enum xcs_stat_ticks kind); /* "user", "guest_nice", ... */

/*
 * Parses the whole text. A last line without newline was cut off and is not believed.
 * Returns 0, or -EINVAL when it holds neither a cpu nor a ctxt line.
 */
int xcs_stat_parse(struct xcs_str text, struct xcs_stat *out);

/* As above, and adds up the ticks of the CPUs in `set` (absent while one of them is offline). */
int xcs_stat_parse_set(struct xcs_str text, const struct xcs_cpuset *set, struct xcs_stat *out,
                       struct xcs_cpu_ticks *set_ticks);

/* Takes lines off *rest up to and including the next cpuN line. Returns false at the end. */
bool xcs_stat_next_cpu(struct xcs_str *rest, int *cpu, struct xcs_cpu_ticks *out);

#ifdef __cplusplus
}
#endif
#endif
