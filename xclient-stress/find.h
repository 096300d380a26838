/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Windows by their names.
 */
#ifndef XCS_FIND_H
#define XCS_FIND_H

#include <X11/Xlib.h>

/* The first window below `top` with that title, else the first one in sight with that
 * instance name, or None. Under a window manager, a client's window lies in frames of its
 * own: looks up to `depth` windows deeper. */
Window find_window(Display *dpy, Window top, const char *name, int depth);

#endif
