/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What runs beside the load of a trial and is watched with it: busy loops ("hogs"), each in
 * a session of its own as one in a terminal of its own would be and bound to one CPU, a
 * build ("build"), and who types into the load's extra terminal ("typist").
 */
#ifndef BESIDE_H
#define BESIDE_H

#include <load/load.h>

struct beside_task {
	struct xcs_child child;
	uint64_t start_ticks;
	int go_fd;          /* its standard input: a line lets it begin; -1: none */
	int out_fd, err_fd; /* -1: nobody reads them */
	char role[24];
	char *page;                         /* path; NULL: it keeps no counters */
	struct xcs_counters_page *counters; /* the page, mapped; or NULL */
};

struct beside {
	struct beside_task *tasks; /* owned */
	size_t n;
	const struct load_spec *spec; /* borrowed */
};

/*
 * Starts n_hogs busy loops, hog i on the i-th of the load's CPUs in turn, and the load's
 * build, all at nice 0 (in relative mode shifted as the load is). They hold until
 * beside_go, so that the load comes up unhindered. Returns 0 or -errno (-ECHILD: the build
 * cannot begin, and says why); beside_stop must follow in any case.
 */
int beside_start(struct beside *b, const struct load_spec *spec, int n_hogs,
                 struct xcs_err *err) XCS_MUST_CHECK;

/* Starts who types, for which the load's windows must be there, and lets all begin. Returns
 * 0 or -errno. */
int beside_go(struct beside *b, struct xcs_err *err) XCS_MUST_CHECK;

/* Which of them has ended and how, with its last words; false: none. *failed: of itself. */
bool beside_ended(struct beside *b, struct xcs_buf *how, bool *failed);

/* Ends the typing, waits until the last key had time to arrive, and compares. Returns true
 * when keys got lost, and says so in `why`. */
bool beside_lost_keys(struct beside *b, const struct load *load, struct xcs_buf *why);

/* Ends all of them; a zeroed or stopped one is fine. */
void beside_stop(struct beside *b);

#endif
