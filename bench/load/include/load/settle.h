/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Waits until a load runs steadily: the rates of context switches and of lines have stopped
 * to change, or the deadline has passed.
 */
#ifndef SETTLE_H
#define SETTLE_H

#include <load/load.h>

struct settle_result {
	enum watch_event event; /* WATCH_DEADLINE: went to its end; else what cut it short */
	bool settled;           /* steady before the deadline */
	int64_t settle_ns;      /* how long it took */
};

enum {
	SETTLE_N_LOOKS = 3
};

/* The last looks at a counter. */
struct settle_counter {
	double n[SETTLE_N_LOOKS], dt_s[SETTLE_N_LOOKS]; /* growth, and in what time */
	uint64_t last;
	int n_looks; /* so far; the first only sets `last` */
};

void settle_counter_look(struct settle_counter *c, uint64_t value, double dt_s);

/*
 * True when the last three rates lie within 15 % of their mean, or within three times the
 * square root of the number that was to be counted: of few events that come by themselves,
 * so many more or less are chance. A counter that stands still is not steady.
 */
bool settle_counter_is_steady(const struct settle_counter *c);

/*
 * Looks every 250 ms until context switches and lines are steady; of a load that writes a
 * fixed number of lines per second it is enough that it has begun. deadline_ns counts from
 * now.
 */
struct settle_result settle(const struct xcs_env *env, const struct load *load, struct watch *watch,
                            int64_t deadline_ns);

#endif
