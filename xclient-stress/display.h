/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Opening the display that a verb works on.
 */
#ifndef DISPLAY_H
#define DISPLAY_H

#include <common/err.h>

#include <X11/Xlib.h>

/* Opens `name`, or $DISPLAY when it is NULL. NULL: err names DISPLAY and XAUTHORITY, which
 * decide, since Xlib tells no reason. The caller closes it. */
Display *display_open(const char *name, struct xcs_err *err);

#endif
