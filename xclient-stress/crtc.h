/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The parts of the screen that something shows: the active CRTCs of RandR, or the whole
 * screen where there is no RandR.
 */
#ifndef XCS_CRTC_H
#define XCS_CRTC_H

#include <X11/Xlib.h>
#include <stdbool.h>
#include <stddef.h>

enum {
	CRTC_MAX = 16
};

struct area {
	int x, y, width, height;
};

/* Fills areas (room for CRTC_MAX) and returns how many, at least 1. */
size_t crtc_list(Display *dpy, struct area areas[CRTC_MAX]);

/* Refresh rate of the first CRTC that is on, from its mode line; 0 when the server does not
 * tell, as one without monitor. */
double crtc_refresh_hz(Display *dpy);

/* True when an output is named as those of Xwayland are, which before 23.1 has no
 * extension that tells. */
bool crtc_is_xwayland(Display *dpy);

bool area_contains(struct area outer, struct area inner);
struct area area_meet(struct area a, struct area b); /* width 0 when they do not meet */

#endif
