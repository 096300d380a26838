/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The feeder's side of a terminal: modes, size, and the question whether the terminal has
 * read everything.
 */
#ifndef XCS_FEED_TTY_H
#define XCS_FEED_TTY_H

#include <common/err.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>

#ifdef __cplusplus
extern "C" {
#endif

struct feed_tty {
	bool is_tty; /* both standard input and output are one */
	struct termios saved;
};

/*
 * Turns echo and line input off, so that the terminal's answers are neither shown nor
 * held back; output stays as it is. Without a terminal only notes that there is none.
 * Returns 0 or -errno; feed_tty_close puts the modes back.
 */
int feed_tty_open(struct feed_tty *tty, struct xcs_err *err) XCS_MUST_CHECK;
void feed_tty_close(const struct feed_tty *tty);

size_t feed_tty_columns(size_t otherwise); /* the terminal's width, if it tells */

/*
 * Finds "ESC [ row ; column R" in an input of several reads. Start with *state 0; returns true once
 * the answer was complete. Other input is passed over.
 */
bool feed_tty_is_answer(unsigned *state, const char *bytes, size_t n_bytes);

/*
 * Asks the terminal for its cursor and waits for the answer, which comes only when it has
 * read all that was written before. Returns 0, -ETIMEDOUT, -ENOTTY or -errno.
 */
int feed_tty_confirm(const struct feed_tty *tty, int64_t deadline_mono_ns);

#ifdef __cplusplus
}
#endif
#endif
