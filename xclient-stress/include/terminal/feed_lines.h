/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A block of numbered lines that is written again and again: making the next one costs
 * nanoseconds per line, so that the feeder's CPU time is the kernel's, as with yes(1).
 */
#ifndef XCS_FEED_LINES_H
#define XCS_FEED_LINES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
	FEED_BLOCK_BYTES = 4096, /* as a pty takes and a terminal reads them */
	FEED_COLUMNS_MIN = 2,
	FEED_COLUMNS_MAX = 1000,
};

/*
 * Each line is its number from 1, zero-padded to columns - 1 digits, and a newline: so a
 * byte count tells how many lines were written whole. A number too long for its line
 * loses its first digits.
 */
struct feed_lines {
	size_t n_columns; /* bytes per line, with the newline */
	size_t n_lines;   /* lines in the block */
	char block[FEED_BLOCK_BYTES];
};

void feed_lines_init(struct feed_lines *f, size_t n_columns); /* lines 1, 2, 3, ... */
void feed_lines_next(struct feed_lines *f); /* the lines behind those in the block */
size_t feed_lines_bytes(const struct feed_lines *f);

#ifdef __cplusplus
}
#endif
#endif
