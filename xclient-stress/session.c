/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session.h"
#include "crtc.h"
#include "identity.h"
#include "screen.h"

#include <X11/Xatom.h>
#include <X11/Xutil.h>
#include <stdio.h>
#include <string.h>

/* The windows asked about belong to others and may be gone. */
static int ignore_error(Display *dpy, XErrorEvent *event)
{
	(void)dpy;
	(void)event;
	return 0;
}

static unsigned char *property(Display *dpy, Window window, const char *name, unsigned long *n)
{
	Atom type;
	int format;
	unsigned long rest;
	unsigned char *data = NULL;

	*n = 0;
	if (XGetWindowProperty(dpy, window, XInternAtom(dpy, name, False), 0, 64, False,
	                       AnyPropertyType, &type, &format, n, &rest, &data) != Success)
		return NULL;
	return data;
}

/* EWMH: _NET_SUPPORTING_WM_CHECK of the root names a window that bears the manager's name. */
static void describe_manager(Display *dpy, struct xcs_buf *out)
{
	unsigned long n = 0;
	Window *check = (Window *)(void *)property(dpy, DefaultRootWindow(dpy),
	                                           "_NET_SUPPORTING_WM_CHECK", &n);
	Window window = check && n == 1 ? check[0] : None;
	unsigned char *name = window ? property(dpy, window, "_NET_WM_NAME", &n) : NULL;

	if (name && n) {
		int len = (int)strcspn((const char *)name, "\r\n");
		xcs_buf_printf(out, "wm %.*s\n", len, (const char *)name);
	}
	if (name)
		XFree(name);
	if (check)
		XFree(check);
}

/*
 * A compositing manager owns this selection (EWMH, _NET_WM_CM_Sn), a Wayland compositor that
 * of its Xwayland too. XRes knows the owner; without it, who made Xwayland's socket is the
 * compositor, or a wrapper of it.
 */
static void describe_compositor(Display *dpy, struct xcs_buf *out)
{
	char name[32];
	int major, event, error;

	snprintf(name, sizeof(name), "_NET_WM_CM_S%d", DefaultScreen(dpy));
	Window owner = XGetSelectionOwner(dpy, XInternAtom(dpy, name, False));
	xcs_buf_printf(out, "compositor %s\n", owner == None ? "no" : "yes");
	if (owner != None && identity_describe("compositor_", identity_by_xres(dpy, owner), out))
		xcs_buf_puts(out, "compositor_how X-Resource: owner of _NET_WM_CM_Sn\n");
	else if ((crtc_is_xwayland(dpy) ||
	          XQueryExtension(dpy, "XWAYLAND", &major, &event, &error)) &&
	         identity_describe("compositor_", identity_by_peer(dpy), out))
		xcs_buf_puts(out, "compositor_how SO_PEERCRED of Xwayland's socket\n");
}

void session_describe(Display *dpy, struct xcs_buf *out)
{
	int (*before)(Display *, XErrorEvent *) = XSetErrorHandler(ignore_error);
	double hz = crtc_refresh_hz(dpy);

	describe_manager(dpy, out);
	describe_compositor(dpy, out);
	screen_describe(dpy, out);
	if (hz > 0)
		xcs_buf_printf(out, "refresh_hz %.2f\n", hz);
	XSync(dpy, False);
	XSetErrorHandler(before);
}
