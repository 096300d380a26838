/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The world of a feeder under test: this program is its runner and its terminal.
 */
#ifndef FEED_WORLD_H
#define FEED_WORLD_H

#include "cmocka_test.h"

#include <common/buf.h>
#include <common/units.h>
#include <stdbool.h>
#include <terminal/emu.h>
#include <terminal/pty.h>

#define FEED    XCS_LIBEXEC_DIR "/xcs-feed"
#define WAIT_NS (20 * XCS_NS_PER_S)

struct world {
	char dir[64];
	char socket[128], page[128];
	int listen_fd, runner_fd;
	struct pty pty;
	uint64_t n_lines, n_bytes; /* that the terminal has read, of lines and CR LF */
	struct emu emu;
	bool is_asked;        /* the terminal has seen ESC [ 6 n */
	bool is_silent;       /* the terminal does not answer */
	struct xcs_buf heard; /* what the feeder told last */
};

int make_world(void **state);
int end_world(void **state);

bool is_ready(int fd, int timeout_ms);
void start(struct world *w, const char *const *argv);

/* Takes the next call and its hello, which must be that. */
void meet(struct world *w, const char *hello);
void go(struct world *w);

/* The terminal reads once; counts lines, answers the question. False at the end. */
bool terminal_reads(struct world *w);

/* Adds what the feeder tells the runner to w->heard. */
void hear_total(struct world *w);

/* Waits for its end before the terminal hangs up: a hang-up in the middle of the leak
 * sanitizer's last look stops that for ever. */
int exit_status(struct world *w);

#endif
