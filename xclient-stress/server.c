/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "server.h"
#include "crtc.h"
#include "display.h"
#include "identity.h"
#include "session.h"

#include <common/options.h>

#include <X11/Xlib.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct xcs_option rows[] = {
        {.name = "display",
         .type = XCS_OPT_STR,
         .offset = offsetof(struct server_options, display),
         .metavar = "DISPLAY",
         .help = "X server to use (default: $DISPLAY)"},
        {0},
};

static const struct xcs_command command = {
        .name = "xclient-stress server",
        .summary = "Says which process serves a display, and what it offers.",
        .operands = "",
        .options = rows,
};

int server_options_read(struct server_options *options, int argc, char **argv)
{
	struct xcs_strs operands;

	*options = (struct server_options){0};
	return xcs_options_main(&command, argc, argv, options, &operands);
}

static int describe_process(Display *dpy, struct xcs_buf *out, struct xcs_err *err)
{
	pid_t by_xres = identity_by_xres(dpy, None), by_peer = identity_by_peer(dpy);
	const char *how = by_xres ? "xres" : "peercred";

	if (!identity_describe("", by_xres ? by_xres : by_peer, out))
		return xcs_err_set(err, -ESRCH,
		                   "the X server of display %s is no process of this machine; use "
		                   "one that runs here and not in another container",
		                   DisplayString(dpy));
	xcs_buf_printf(out, "how %s\n", how);
	identity_describe("peer_", by_peer, out);
	return 0;
}

static void describe_screen(Display *dpy, struct xcs_buf *out)
{
	struct area areas[CRTC_MAX];
	size_t n = crtc_list(dpy, areas);
	int screen = DefaultScreen(dpy);

	xcs_buf_printf(out, "vendor %s\nrelease %d\n", ServerVendor(dpy), VendorRelease(dpy));
	xcs_buf_printf(out, "width_px %d\nheight_px %d\ndepth %d\n", DisplayWidth(dpy, screen),
	               DisplayHeight(dpy, screen), DefaultDepth(dpy, screen));
	for (size_t i = 0; i < n; i++)
		xcs_buf_printf(out, "crtc %d %d %d %d\n", areas[i].x, areas[i].y, areas[i].width,
		               areas[i].height);
}

static void describe_extensions(Display *dpy, struct xcs_buf *out)
{
	int n = 0;
	char **names = XListExtensions(dpy, &n);
	bool is_xwayland = crtc_is_xwayland(dpy);

	for (int i = 0; i < n; i++) {
		xcs_buf_printf(out, "extension %s\n", names[i]);
		is_xwayland = is_xwayland || strcmp(names[i], "XWAYLAND") == 0;
	}
	if (names)
		XFreeExtensionList(names);
	xcs_buf_printf(out, "xwayland %s\n", is_xwayland ? "yes" : "no");
}

int server_describe(const struct server_options *options, struct xcs_buf *out, struct xcs_err *err)
{
	Display *dpy = display_open(options->display, err);

	if (!dpy)
		return -ENOTCONN;
	describe_screen(dpy, out);
	int rc = describe_process(dpy, out, err);
	if (rc == 0) {
		describe_extensions(dpy, out);
		session_describe(dpy, out);
	}
	XCloseDisplay(dpy);
	return rc;
}
