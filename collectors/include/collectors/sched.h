/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The text of /proc/PID/sched and /proc/PID/task/TID/sched (kernel/sched/debug.c,
 * proc_sched_show_task) from 2.6.23 on. It always describes ONE thread. Fields carry the
 * prefix "se.", "se.statistics." or none, by release; here they have one name. What the
 * kernel does not say is XCS_ABSENT.
 */
#ifndef XCS_SCHED_H
#define XCS_SCHED_H

#include <common/str.h>
#include <record/table.h>

#ifdef __cplusplus
extern "C" {
#endif

enum xcs_sched_field {
	XCS_SCHED_EXEC_NS, /* sum_exec_runtime */
	XCS_SCHED_SWITCHES,
	XCS_SCHED_VOLUNTARY, /* from 2.6.24 */
	XCS_SCHED_INVOLUNTARY,
	XCS_SCHED_MIGRATIONS,
	XCS_SCHED_POLICY,
	XCS_SCHED_PRIO,        /* the kernel's: nice + 120 for SCHED_OTHER, BATCH, IDLE */
	XCS_SCHED_WAIT_SUM_NS, /* these two only with schedstats switched on */
	XCS_SCHED_WAKEUPS,
	XCS_N_SCHED_FIELDS
};

struct xcs_sched {
	char comm[64]; /* raw bytes; the kernel's names have at most 15 */
	int64_t tid;
	int64_t n_threads; /* of the whole process */
	int n_keys;        /* lines "key : number" seen; 0 under BMQ and PDS */
	int64_t v[XCS_N_SCHED_FIELDS];
};

/* Where a text had its fields, to read the next text of the same thread faster. */
struct xcs_sched_layout {
	uint32_t dashes_at; /* 0: unknown */
	struct {
		uint32_t name_at, colon_at; /* 0: the field is not there */
	} field[XCS_N_SCHED_FIELDS];
};

/*
 * Parses the whole text; *layout (or NULL) is set for xcs_sched_parse_again. Returns 0, or
 * -ENODATA when this kernel's scheduler provides nothing here (empty file of BFS and MuQSS,
 * header only of BMQ and PDS), or -EINVAL when it is no such text.
 */
int xcs_sched_parse(struct xcs_str text, struct xcs_sched *out, struct xcs_sched_layout *layout);

/*
 * Reads tid's fields at the places of `layout`, each verified by its name. Does not read
 * comm and tid. Returns false, leaving *out undefined, when anything stands elsewhere.
 */
bool xcs_sched_parse_again(struct xcs_str text, const struct xcs_sched_layout *layout,
                           struct xcs_sched *out);

/* The nice value behind prio, XCS_ABSENT for real-time and deadline policies. */
int64_t xcs_sched_nice(const struct xcs_sched *s);

#ifdef __cplusplus
}
#endif
#endif
