/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "type.h"
#include "display.h"
#include "find.h"

#include <common/counters.h>
#include <common/env.h>
#include <common/options.h>
#include <common/units.h>

#include <X11/Xlib.h>
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#define LOOK_EVERY_NS (20 * XCS_NS_PER_MS)
#define AT(member)    .offset = offsetof(struct type_options, member)

enum {
	N_KEYS = 26,
	DEPTH_MAX = 8
};

static const struct xcs_option rows[] = {
        {.name = "display",
         .type = XCS_OPT_STR,
         AT(display),
         .metavar = "DISPLAY",
         .help = "X server to use (default: $DISPLAY)"},
        {.name = "rate",
         .type = XCS_OPT_INT,
         AT(keys_per_s),
         .metavar = "N",
         .min = 1,
         .max = 1000,
         .help = "keys per second (default: 10)"},
        {.name = "keys",
         .type = XCS_OPT_U64,
         AT(n_keys),
         .metavar = "N",
         .help = "stop behind that many keys (default: at the end of standard input)"},
        {.name = "page",
         .type = XCS_OPT_STR,
         AT(page),
         .metavar = "FILE",
         .help = "counter page to keep up to date"},
        {.name = "timeout",
         .type = XCS_OPT_DURATION,
         AT(timeout_ns),
         .metavar = "TIME",
         .help = "how long to wait for the window (default: 10s)"},
        {0                                     },
};

static const struct xcs_command command = {
        .name = "xclient-stress type",
        .summary = "Types into one window, whatever has the focus.",
        .operands = "NAME",
        .min_operands = 1,
        .max_operands = 1,
        .options = rows,
        .notes = "Says 'ready' when the window is there, and begins at a line on standard input. "
                 "An xterm takes such keys only with the resource allowSendEvents.",
};

int type_options_read(struct type_options *options, int argc, char **argv)
{
	struct xcs_strs operands;

	*options = (struct type_options){.keys_per_s = 10, .timeout_ns = 10 * XCS_NS_PER_S};
	int status = xcs_options_main(&command, argc, argv, options, &operands);
	if (status < 0)
		options->name = operands.v[0];
	return status;
}

struct typist {
	Display *dpy;
	Window window; /* that the keys go to */
	KeyCode codes[N_KEYS];
	struct xcs_counters_page *page; /* or NULL */
	uint64_t n_sent;
};

/* A toolkit reads keys in the innermost window: xterm's text widget fills its shell. */
static Window innermost(Display *dpy, Window w)
{
	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		Window root, parent, *children = NULL;
		unsigned n = 0;
		if (!XQueryTree(dpy, w, &root, &parent, &children, &n))
			return w;
		Window first = n ? children[0] : None;
		if (children)
			XFree(children);
		if (!first)
			return w;
		w = first;
	}
	return w;
}

static bool is_viewable(Display *dpy, Window w)
{
	XWindowAttributes a;

	return XGetWindowAttributes(dpy, w, &a) && a.map_state == IsViewable;
}

static int find_it(struct typist *t, const struct type_options *o, struct xcs_err *err)
{
	static const struct timespec pause = {.tv_nsec = LOOK_EVERY_NS};
	const int64_t deadline_ns = xcs_mono_now_ns() + o->timeout_ns;

	for (;;) {
		Window top = find_window(t->dpy, DefaultRootWindow(t->dpy), o->name, 3);
		if (top && is_viewable(t->dpy, top)) {
			t->window = innermost(t->dpy, top);
			return 0;
		}
		if (xcs_mono_now_ns() >= deadline_ns)
			return xcs_err_set(err, -ETIMEDOUT, "no window named '%s' is on the screen",
			                   o->name);
		ppoll(NULL, 0, &pause, NULL);
	}
}

static int find_keys(struct typist *t, struct xcs_err *err)
{
	for (int i = 0; i < N_KEYS; i++) {
		t->codes[i] = XKeysymToKeycode(t->dpy, (KeySym)('a' + i));
		if (!t->codes[i])
			return xcs_err_set(err, -ENOENT,
			                   "the keyboard of display %s has no key for '%c'",
			                   DisplayString(t->dpy), 'a' + i);
	}
	return 0;
}

/* Without an event mask, an event goes to the client that made the window, and to no other
 * (XSendEvent(3)). */
static void send_key(const struct typist *t, int type, KeyCode code)
{
	XEvent event = {
	        .xkey = {.type = type,
	                 .display = t->dpy,
	                 .window = t->window,
	                 .root = DefaultRootWindow(t->dpy),
	                 .time = CurrentTime,
	                 .x = 1,
	                 .y = 1,
	                 .same_screen = True,
	                 .keycode = code}
        };

	XSendEvent(t->dpy, t->window, False, NoEventMask, &event);
}

static void type_one(struct typist *t)
{
	KeyCode code = t->codes[t->n_sent % N_KEYS];

	send_key(t, KeyPress, code);
	send_key(t, KeyRelease, code);
	XFlush(t->dpy);
	t->n_sent++;
	if (t->page)
		xcs_counters_add(t->page, XCS_COUNTER_KEYS, 1);
}

/* Waits for standard input at most that long; true when it has ended. A server that dies
 * is seen at the next key. */
static bool has_ended(int64_t until_mono_ns)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	char c;

	for (;;) {
		int64_t left_ns = until_mono_ns - xcs_mono_now_ns();
		struct timespec wait = {0};
		if (left_ns > 0)
			wait = (struct timespec){left_ns / XCS_NS_PER_S, left_ns % XCS_NS_PER_S};
		int n = ppoll(&p, 1, &wait, NULL);
		if (n > 0 && read(STDIN_FILENO, &c, 1) < 1)
			return true;
		if (n == 0)
			return false;
	}
}

/* Evenly: each key is due at its own time from the first, so that no rounding adds up. */
static void type_on(struct typist *t, const struct type_options *o)
{
	const int64_t start_ns = xcs_mono_now_ns();

	if (t->page)
		xcs_counters_add(t->page, XCS_COUNTER_KEYS, 0);
	while (!o->n_keys || t->n_sent < o->n_keys) {
		int64_t due_ns = start_ns + (int64_t)(t->n_sent * XCS_NS_PER_S) / o->keys_per_s;
		if (has_ended(due_ns))
			return;
		type_one(t);
	}
}

static int hold(struct xcs_err *err)
{
	char line[16];

	puts("ready");
	fflush(stdout);
	return fgets(line, sizeof(line), stdin)
	               ? 0
	               : xcs_err_set(err, -EPIPE, "nobody said when to begin");
}

int type_run(const struct type_options *options, struct xcs_err *err)
{
	struct typist t = {.dpy = display_open(options->display, err)};
	int rc = 0;

	if (!t.dpy)
		return -ENOTCONN;
	if (options->page)
		rc = xcs_counters_open(options->page, true, &t.page, err);
	if (rc == 0)
		rc = find_keys(&t, err);
	if (rc == 0)
		rc = find_it(&t, options, err);
	if (rc == 0)
		rc = hold(err);
	if (rc == 0) {
		type_on(&t, options);
		XSync(t.dpy, False);
	}
	xcs_counters_close(t.page);
	XCloseDisplay(t.dpy);
	return rc;
}
