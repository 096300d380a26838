/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "server.h"
#include "crtc.h"
#include "session.h"

#include <common/options.h>
#include <common/task.h>

#include <X11/Xlib.h>
#include <X11/extensions/XRes.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

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

static bool has_xres(Display *dpy)
{
	int event, error, major = 0, minor = 0;

	return XResQueryExtension(dpy, &event, &error) && XResQueryVersion(dpy, &major, &minor) &&
	       (major > 1 || (major == 1 && minor >= 2));
}

/*
 * The X server is its own client 0, and XRes 1.2 tells the pid of every local client. An
 * empty resource id asks for all of them (X Resource extension protocol, QueryClientIds).
 */
static pid_t pid_by_xres(Display *dpy)
{
	XResClientIdSpec spec = {.client = None, .mask = XRES_CLIENT_ID_PID_MASK};
	XResClientIdValue *ids = NULL;
	long n = 0;
	pid_t pid = 0;

	if (!has_xres(dpy) || XResQueryClientIds(dpy, 1, &spec, &n, &ids) != Success)
		return 0;
	for (long i = 0; i < n && !pid; i++)
		if (ids[i].spec.client == None &&
		    XResGetClientIdType(&ids[i]) == XRES_CLIENT_ID_PID)
			pid = XResGetClientPid(&ids[i]);
	XResClientIdsDestroy(n, ids);
	return pid > 0 ? pid : 0;
}

/* Who listened on the socket: the server, or under Xwayland the compositor. */
static pid_t pid_by_peer(Display *dpy)
{
	struct ucred peer;
	socklen_t n = sizeof(peer);

	if (getsockopt(ConnectionNumber(dpy), SOL_SOCKET, SO_PEERCRED, &peer, &n))
		return 0;
	return peer.pid > 0 ? peer.pid : 0;
}

/* Lines <prefix>pid, <prefix>comm and <prefix>start_ticks; false if that is no process here. */
static bool describe_task(const char *prefix, pid_t pid, struct xcs_buf *out)
{
	struct xcs_env env;
	struct xcs_task_id id;

	if (pid == 0 || xcs_env_open(&env, NULL))
		return false;
	int rc = xcs_task_id_read(&env, pid, pid, &id);
	xcs_env_close(&env);
	if (rc)
		return false;
	xcs_buf_printf(out, "%spid %d\n%scomm %s\n%sstart_ticks %llu\n", prefix, (int)pid, prefix,
	               id.comm, prefix, (unsigned long long)id.start_ticks);
	return true;
}

static int describe_process(Display *dpy, struct xcs_buf *out, struct xcs_err *err)
{
	pid_t by_xres = pid_by_xres(dpy), by_peer = pid_by_peer(dpy);
	const char *how = by_xres ? "xres" : "peercred";

	if (!describe_task("", by_xres ? by_xres : by_peer, out))
		return xcs_err_set(err, -ESRCH,
		                   "the X server of display %s is no process of this machine; use "
		                   "one that runs here and not in another container",
		                   DisplayString(dpy));
	xcs_buf_printf(out, "how %s\n", how);
	describe_task("peer_", by_peer, out);
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

/* Xlib tells no reason: the two variables that decide are named with what they hold. */
static int cannot_open(const char *display, struct xcs_err *err)
{
	const char *file = getenv("XAUTHORITY");

	return xcs_err_set(err, -ENOTCONN,
	                   "cannot use the X server of DISPLAY=%s with XAUTHORITY%s%s: start it, "
	                   "or set XAUTHORITY to the cookie file of that session",
	                   XDisplayName(display), file ? "=" : " not set",
	                   file ? file : " (~/.Xauthority)");
}

int server_describe(const struct server_options *options, struct xcs_buf *out, struct xcs_err *err)
{
	Display *dpy = XOpenDisplay(options->display);

	if (!dpy)
		return cannot_open(options->display, err);
	int rc = describe_process(dpy, out, err);
	if (rc == 0) {
		describe_screen(dpy, out);
		describe_extensions(dpy, out);
		session_describe(dpy, out);
	}
	XCloseDisplay(dpy);
	return rc;
}
