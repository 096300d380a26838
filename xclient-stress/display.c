/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "display.h"

#include <errno.h>
#include <stdlib.h>

Display *display_open(const char *name, struct xcs_err *err)
{
	Display *dpy = XOpenDisplay(name);
	const char *file = getenv("XAUTHORITY");

	if (!dpy)
		xcs_err_set(err, -ENOTCONN,
		            "cannot use the X server of DISPLAY=%s with XAUTHORITY%s%s: start it, "
		            "or set XAUTHORITY to the cookie file of that session",
		            XDisplayName(name), file ? "=" : " not set",
		            file ? file : " (~/.Xauthority)");
	return dpy;
}
