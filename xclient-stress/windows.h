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
	struct xcs_strs names;
};

int windows_options_read(struct windows_options *options, int argc, char **argv);

/*
 * Waits until all named windows are mapped and have drawn, or for the timeout; writes one
 * line per window. Returns 0 when all are inside a CRTC and drew, XCS_EXIT_CANNOT_JUDGE
 * when not, or -errno.
 */
int windows_check(const struct windows_options *options, struct xcs_buf *out, struct xcs_err *err);

#endif
