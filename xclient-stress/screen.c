/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen.h"
#include "display.h"

#include <common/options.h>

#include <X11/Xutil.h>
#include <X11/extensions/dpms.h>
#include <errno.h>
#include <stddef.h>

static const char *const switch_words[] = {"off", "on", NULL};

static const struct xcs_option rows[] = {
        {.name = "display",
         .type = XCS_OPT_STR,
         .offset = offsetof(struct screen_options, display),
         .metavar = "DISPLAY",
         .help = "X server to use (default: $DISPLAY)"},
        {.name = "screensaver",
         .type = XCS_OPT_INT,
         .offset = offsetof(struct screen_options, screensaver_s),
         .metavar = "SECONDS",
         .max = 32767,
         .help = "idle time after which the screen saver starts; 0: never"},
        {.name = "dpms",
         .type = XCS_OPT_CHOICE,
         .offset = offsetof(struct screen_options, dpms),
         .choices = switch_words,
         .help = "power saving of the monitor"},
        {0                                       },
};

static const struct xcs_command command = {
        .name = "xclient-stress screen",
        .summary = "Says when a screen goes dark, or switches that.",
        .operands = "",
        .options = rows,
};

int screen_options_read(struct screen_options *options, int argc, char **argv)
{
	struct xcs_strs operands;

	*options = (struct screen_options){.screensaver_s = -1, .dpms = -1};
	return xcs_options_main(&command, argc, argv, options, &operands);
}

static bool has_dpms(Display *dpy)
{
	int event, error;

	return DPMSQueryExtension(dpy, &event, &error) && DPMSCapable(dpy);
}

void screen_describe(Display *dpy, struct xcs_buf *out)
{
	int timeout_s, interval_s, prefer, expose;
	CARD16 level;
	BOOL on;

	XGetScreenSaver(dpy, &timeout_s, &interval_s, &prefer, &expose);
	xcs_buf_printf(out, "screensaver_s %d\n", timeout_s);
	if (has_dpms(dpy) && DPMSInfo(dpy, &level, &on))
		xcs_buf_printf(out, "dpms %s\n", on ? "on" : "off");
}

/* What else belongs to the screen saver stays: its period, whether it blanks or draws. */
static void set_screensaver(Display *dpy, int timeout_s)
{
	int was_s, interval_s, prefer, expose;

	XGetScreenSaver(dpy, &was_s, &interval_s, &prefer, &expose);
	XSetScreenSaver(dpy, timeout_s, interval_s, prefer, expose);
}

int screen_run(const struct screen_options *options, struct xcs_buf *out, struct xcs_err *err)
{
	Display *dpy = display_open(options->display, err);
	int rc = 0;

	if (!dpy)
		return -ENOTCONN;
	if (options->dpms >= 0 && !has_dpms(dpy))
		rc = xcs_err_set(err, -ENOTSUP,
		                 "the X server of display %s has no DPMS, so power saving of the "
		                 "monitor cannot be switched",
		                 DisplayString(dpy));
	if (rc == 0 && options->screensaver_s >= 0)
		set_screensaver(dpy, options->screensaver_s);
	if (rc == 0 && options->dpms == 0)
		DPMSDisable(dpy);
	if (rc == 0 && options->dpms == 1)
		DPMSEnable(dpy);
	if (rc == 0)
		screen_describe(dpy, out);
	XCloseDisplay(dpy);
	return rc;
}
