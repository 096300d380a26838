/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Waits until a load runs steadily: the rates of context switches and of lines have stopped
 * to change, or the deadline has passed.
 */
#ifndef SETTLE_H
#define SETTLE_H

#include "load.h"

struct settle_result {
	enum watch_event event; /* WATCH_DEADLINE: went to its end; else what cut it short */
	bool settled;           /* steady before the deadline */
	int64_t settle_ns;      /* how long it took */
};

/*
 * Looks every 250 ms; steady is when the last three rates of each counter lie within 15 %
 * of their mean. deadline_ns counts from now.
 */
struct settle_result settle(const struct xcs_env *env, const struct load *load, struct watch *watch,
                            int64_t deadline_ns);

#endif
