/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The counter page: how a load generator tells what it has done without costing a context
 * switch. The runner makes a small file, the load maps it and adds to its counters, the
 * sampler maps it and reads them at its own time stamps. Counters only grow.
 */
#ifndef XCS_COUNTERS_H
#define XCS_COUNTERS_H

#include <common/err.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum xcs_counter {
	XCS_COUNTER_LINES,           /* feeder: lines written; flood: lines drawn */
	XCS_COUNTER_BYTES_IN,        /* flood: bytes read from the pty */
	XCS_COUNTER_BYTES_OUT,       /* feeder: bytes written to the pty */
	XCS_COUNTER_FRAMES,          /* flood: redraws of the screen */
	XCS_COUNTER_REQUESTS,        /* flood: X requests sent */
	XCS_COUNTER_X_BYTES,         /* flood: bytes of X requests sent */
	XCS_COUNTER_ROUND_TRIPS,     /* flood: waits for a reply of the server */
	XCS_COUNTER_ROUND_TRIP_NS,   /* flood: time spent in these waits */
	XCS_COUNTER_SCROLLS,         /* flood: XCopyArea scrolls */
	XCS_COUNTER_CONFIRMED_LINES, /* feeder: lines that a device status reply confirmed */
	XCS_COUNTER_FILES,           /* storm: files compiled */
	XCS_COUNTER_CHILDREN,        /* storm: child processes reaped */
	XCS_COUNTER_CHILD_CPU_NS,    /* storm: CPU time of these and of what they reaped */
	XCS_COUNTER_CHILD_SWITCHES,  /* storm: their context switches */
	XCS_COUNTER_KEYS,            /* typist: keys sent; echo feeder: keys echoed */
	XCS_N_COUNTERS
};

struct xcs_counters_page; /* mapped; layout private to counters.c */

const char *xcs_counter_name(enum xcs_counter c); /* "lines", "frames", ... */

/* Makes a new page file at `path`, all counters unknown. Returns 0 or -errno. */
int xcs_counters_create(const char *path, struct xcs_err *err) XCS_MUST_CHECK;

/*
 * Maps a page, writable for its load or not. A file that is no counter page gives -EINVAL.
 * Returns 0 or -errno; *out is unmapped by xcs_counters_close (NULL is fine).
 */
int xcs_counters_open(const char *path, bool writable, struct xcs_counters_page **out,
                      struct xcs_err *err) XCS_MUST_CHECK;
void xcs_counters_close(struct xcs_counters_page *page);

/* Adds to a counter and so makes it known; one writer per page, no lock, no system call. */
void xcs_counters_add(struct xcs_counters_page *page, enum xcs_counter c, uint64_t n);

/* Reads a counter; false when its load does not keep it. */
bool xcs_counters_get(const struct xcs_counters_page *page, enum xcs_counter c, uint64_t *out);

#ifdef __cplusplus
}
#endif
#endif
