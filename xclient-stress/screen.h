/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The verb screen: what darkens the screen when nobody types, and switching it.
 */
#ifndef XCS_SCREEN_H
#define XCS_SCREEN_H

#include <common/buf.h>
#include <common/err.h>

#include <X11/Xlib.h>

struct screen_options {
	const char *display;
	int screensaver_s; /* -1: left alone */
	int dpms;          /* index into "off", "on"; -1: left alone */
};

int screen_options_read(struct screen_options *options, int argc, char **argv);

/* Adds "screensaver_s N" and "dpms on|off", the latter where the server has DPMS. */
void screen_describe(Display *dpy, struct xcs_buf *out);

/* Switches what the options name, then describes. Returns 0 or -errno. */
int screen_run(const struct screen_options *options, struct xcs_buf *out, struct xcs_err *err);

#endif
