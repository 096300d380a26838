/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Numbers at a cursor, for parsers that run a hundred times a second.
 */
#ifndef XCS_DIGITS_H
#define XCS_DIGITS_H

#include <common/str.h>

/*
 * Reads blanks (space, tab) and a decimal number at p, with '-' if it has one. Returns what
 * follows it, or NULL when there is no number or it does not fit an int64.
 */
const char *xcs_scan_i64(const char *p, const char *end, int64_t *out);

/*
 * Reads a time of kernel/sched/debug.c: "ms.nanoseconds", six digits behind the point (from
 * 2.6.24), or plain nanoseconds (2.6.23). Digits are kept, no double: 2^53 ns is 104 days.
 * Returns as above.
 */
const char *xcs_scan_ms_ns(const char *p, const char *end, int64_t *out_ns);

/* Finds line "NAME<value>" by its start and reads its number into *out, if there is one. */
bool xcs_line_i64(struct xcs_str line, const char *name, int64_t *out);

#endif
