/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The verb windows: are these windows wholly on a screen, and do they draw?
 */
#ifndef XCS_WINDOWS_H
#define XCS_WINDOWS_H

#include <common/buf.h>
#include <common/err.h>
#include <common/options.h>

#include <stdint.h>

struct windows_options {
	const char *display;
	int64_t timeout_ns;
	bool hold;
	struct xcs_strs names;
};

int windows_options_read(struct windows_options *options, int argc, char **argv);

/* Says that the first look is done and waits for the word to look again; 0, or -errno. */
typedef int (*windows_hold_fn)(void);

/*
 * Without hold: waits until all named windows are mapped and have drawn, or for the
 * timeout. With hold: looks when they are mapped and at rest, calls `held`, and looks
 * again, so that nothing is asked of the server in between. Writes one line per window.
 * Returns 0 when all are inside a CRTC and drew, XCS_EXIT_CANNOT_JUDGE when not, or -errno.
 */
int windows_check(const struct windows_options *options, windows_hold_fn held, struct xcs_buf *out,
                  struct xcs_err *err);

#endif
