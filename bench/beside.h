/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What runs beside the load of a trial and is watched with it: busy loops ("hogs"), each in
 * a session of its own as one in a terminal of its own would be, and bound to one CPU.
 */
#ifndef BESIDE_H
#define BESIDE_H

#include "load.h"

struct beside_task {
	struct xcs_child child;
	uint64_t start_ticks;
	int go_fd; /* its standard input: a line lets it begin; -1: none */
	char role[24];
};

struct beside {
	struct beside_task *tasks; /* owned */
	size_t n;
	const struct load_spec *spec; /* borrowed */
};

/*
 * Starts n_hogs busy loops, hog i on the i-th of the load's CPUs in turn, at nice 0 (in
 * relative mode shifted as the load is). They hold until beside_go, so that the load comes
 * up unhindered. Returns 0 or -errno; beside_stop must follow in any case.
 */
int beside_start(struct beside *b, const struct load_spec *spec, int n_hogs,
                 struct xcs_err *err) XCS_MUST_CHECK;

/* Lets all of them begin. Returns 0 or -errno. */
int beside_go(const struct beside *b, struct xcs_err *err) XCS_MUST_CHECK;

/* Which of them has ended and how; false: none. */
bool beside_ended(struct beside *b, struct xcs_buf *how);

/* Ends all of them; a zeroed or stopped one is fine. */
void beside_stop(struct beside *b);

#endif
