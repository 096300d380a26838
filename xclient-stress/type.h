/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The verb type: keys for exactly one window, evenly spaced.
 */
#ifndef XCS_TYPE_H
#define XCS_TYPE_H

#include <common/err.h>

#include <stdint.h>

struct type_options {
	const char *display, *page;
	int keys_per_s;
	uint64_t n_keys; /* 0: until standard input is closed */
	int64_t timeout_ns;
	const char *name; /* of the window */
};

int type_options_read(struct type_options *options, int argc, char **argv);

/*
 * Finds the named top-level window, says "ready", and from a line on standard input on
 * sends it a press and a release of the keys a to z in turn, until standard input is closed
 * or n_keys are sent. They go to the client that made the window, by XSendEvent: whatever
 * has the focus gets none. Returns 0 or -errno.
 */
int type_run(const struct type_options *options, struct xcs_err *err);

#endif
