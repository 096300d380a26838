/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The difference of two snapshots. A counter that fell is an event and no difference; a
 * reboot or another process of the same number ends the comparison.
 */
#ifndef XCS_DELTA_H
#define XCS_DELTA_H

#include <collectors/snapshot.h>

#ifdef __cplusplus
extern "C" {
#endif

enum xcs_counter_change {
	XCS_CHANGE_OK,
	XCS_CHANGE_UNKNOWN, /* absent on one side */
	XCS_CHANGE_WRAPPED, /* passed 2^32, as counters of 32-bit kernels do; difference is good */
	XCS_CHANGE_FELL,
};

/*
 * after - before into *out, XCS_ABSENT unless OK or WRAPPED. A fall counts as a wrap only
 * when `before` stood in the upper half of 32 bits and at most max_step lies between.
 */
enum xcs_counter_change xcs_counter_delta(int64_t before, int64_t after, int64_t max_step,
                                          int64_t *out);

/*
 * Tickless kernels estimate idle and iowait anew at each read, so one of two differences may
 * be negative: time that moved to the other. It is taken back from there, so that the sum of
 * all ticks stays right. Returns true when it had to.
 */
bool xcs_delta_join_idle(int64_t *idle, int64_t *iowait);

struct xcs_delta_process {
	bool comparable; /* false: it is another process, or the machine was rebooted */
	int64_t delta[XCS_N_COUNTS];
	size_t n_started, n_ended; /* threads; with ended ones delta is a lower bound */
};

struct xcs_delta {
	bool rebooted;
	int64_t ctxt, intr, forks;
	int64_t ticks[XCS_N_STAT_TICKS];     /* idle times that stepped back count as 0 */
	int64_t total_ticks;                 /* without guest, which is inside user */
	struct xcs_delta_process *processes; /* owned; in the order of `after` */
	size_t n_processes;
};

/*
 * Computes what changed in interval_ns. Events are added to `after`. The caller frees *out
 * with xcs_delta_fini.
 */
void xcs_delta_init(struct xcs_delta *out, const struct xcs_snapshot *before,
                    struct xcs_snapshot *after, int64_t interval_ns);
void xcs_delta_fini(struct xcs_delta *d);

#ifdef __cplusplus
}
#endif
#endif
