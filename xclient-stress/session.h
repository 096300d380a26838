/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What else lives on a display and changes what a load costs: the window manager, a
 * compositor, the monitor's rate, the screen saver and power saving.
 */
#ifndef XCS_SESSION_H
#define XCS_SESSION_H

#include <common/buf.h>

#include <X11/Xlib.h>

/* Writes lines "wm NAME", "compositor yes|no", "refresh_hz 59.95", "screensaver_s N" and
 * "dpms on|off"; what the server does not tell is left out. */
void session_describe(Display *dpy, struct xcs_buf *out);

#endif
