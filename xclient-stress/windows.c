/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "windows.h"
#include "crtc.h"
#include "display.h"
#include "find.h"

#include <common/alloc.h>
#include <common/env.h>
#include <common/units.h>

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/Xdamage.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_EVERY_NS (20 * XCS_NS_PER_MS)

enum {
	/* A window that only appears changes too: by its Expose, by its first text, by its
	 * cursor. One under load changes between any two looks. */
	CHANGES_WANTED = 4
};

static const struct xcs_option rows[] = {
        {.name = "display",
         .type = XCS_OPT_STR,
         .offset = offsetof(struct windows_options, display),
         .metavar = "DISPLAY",
         .help = "X server to use (default: $DISPLAY)"},
        {.name = "timeout",
         .type = XCS_OPT_DURATION,
         .offset = offsetof(struct windows_options, timeout_ns),
         .metavar = "TIME",
         .help = "how long to wait for the windows to draw (default: 5s)"},
        {.name = "hold",
         .type = XCS_OPT_FLAG,
         .offset = offsetof(struct windows_options, hold),
         .help = "look once the windows are there, print 'ready', and look again at a line on "
                 "standard input"},
        {0                                        },
};

static const struct xcs_command command = {
        .name = "xclient-stress windows",
        .summary = "Says whether windows lie wholly inside a CRTC and draw.",
        .operands = "NAME[@X,Y]...",
        .min_operands = 1,
        .max_operands = XCS_OPTION_LIST_MAX,
        .options = rows,
        .notes = "A window is known by its title, else by its instance name. With @X,Y it is "
                 "moved there first. Exit status: 0 when all do, 3 when one does not, 2 on an "
                 "error.",
};

int windows_options_read(struct windows_options *options, int argc, char **argv)
{
	*options = (struct windows_options){.timeout_ns = 5 * XCS_NS_PER_S};
	return xcs_options_main(&command, argc, argv, options, &options->names);
}

struct look {
	char *name; /* owned */
	bool is_to_move;
	int x_px, y_px; /* where to */
	Window window;  /* None: not found yet */
	struct area area;
	bool is_mapped, has_drawn, has_hash;
	bool has_changed; /* since the last look */
	int n_changes;    /* looks that found a change */
	uint64_t hash;    /* of its pixels at the last look */
	Damage damage;    /* None: not watched */
};

/* The windows under watch, and where their events begin. */
struct watch {
	Display *dpy;
	int damage_event; /* 0: the server has no DAMAGE, or we do not want it */
	struct look *looks;
	size_t n;
};

/* A window may go while we look at it: its requests then fail, and that is an answer. */
static int ignore_error(Display *dpy, XErrorEvent *e)
{
	(void)dpy, (void)e;
	return 0;
}

/* FNV-1a over the pixels: equal content has equal hashes, and that is all we ask. */
static uint64_t hash_image(const XImage *image)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	size_t n = (size_t)image->bytes_per_line * (size_t)image->height;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)image->data[i]) * UINT64_C(0x100000001b3);
	return h;
}

static void look_at_pixels(Display *dpy, struct look *k)
{
	int screen = DefaultScreen(dpy);
	struct area all = {0, 0, DisplayWidth(dpy, screen), DisplayHeight(dpy, screen)};
	struct area seen = area_meet(k->area, all); /* of what is off the screen there are none */

	if (seen.width == 0)
		return;
	XImage *image = XGetImage(dpy, k->window, seen.x - k->area.x, seen.y - k->area.y,
	                          (unsigned)seen.width, (unsigned)seen.height, AllPlanes, ZPixmap);
	if (!image)
		return;
	uint64_t hash = hash_image(image);
	XDestroyImage(image);
	k->has_changed = k->has_changed || (k->has_hash && hash != k->hash);
	k->hash = hash;
	k->has_hash = true;
}

static void forget_window(const struct watch *w, struct look *k)
{
	if (k->damage)
		XDamageDestroy(w->dpy, k->damage);
	*k = (struct look){.name = k->name,
	                   .is_to_move = k->is_to_move,
	                   .x_px = k->x_px,
	                   .y_px = k->y_px,
	                   .has_drawn = k->has_drawn};
}

static void find_it(const struct watch *w, struct look *k)
{
	k->window = find_window(w->dpy, DefaultRootWindow(w->dpy), k->name, 3);
	if (k->window && w->damage_event)
		k->damage = XDamageCreate(w->dpy, k->window, XDamageReportNonEmpty);
}

static void look_once(const struct watch *w, struct look *k)
{
	XWindowAttributes a;
	Window child;

	if (!k->window)
		find_it(w, k);
	if (!k->window)
		return;
	if (!XGetWindowAttributes(w->dpy, k->window, &a) ||
	    !XTranslateCoordinates(w->dpy, k->window, a.root, 0, 0, &k->area.x, &k->area.y,
	                           &child)) {
		forget_window(w, k);
		return;
	}
	k->area.width = a.width;
	k->area.height = a.height;
	k->is_mapped = a.map_state == IsViewable;
	if (k->is_mapped && k->is_to_move) {
		XMoveWindow(w->dpy, k->window, k->x_px, k->y_px);
		k->is_to_move = false; /* once: a window manager may know better */
		return;
	}
	if (k->is_mapped && !k->has_drawn)
		look_at_pixels(w->dpy, k);
	k->n_changes += k->has_changed;
	k->has_changed = false;
	k->has_drawn = k->has_drawn || k->n_changes >= CHANGES_WANTED;
}

/*
 * yes(1) fills a screen with equal lines: its pixels never change, however much is drawn.
 * So drawing that the server reports counts as well.
 */
static void take_damage(const struct watch *w)
{
	XEvent event;

	XSync(w->dpy, False);
	while (XPending(w->dpy) > 0) {
		XNextEvent(w->dpy, &event);
		if (!w->damage_event || event.type != w->damage_event)
			continue;
		Damage damage = ((const XDamageNotifyEvent *)&event)->damage;
		XDamageSubtract(w->dpy, damage, None, None);
		for (size_t i = 0; i < w->n; i++) {
			if (w->looks[i].damage == damage)
				w->looks[i].has_changed = true;
		}
	}
}

static bool look_at_all(const struct watch *w)
{
	bool all = true;

	for (size_t i = 0; i < w->n; i++) {
		look_once(w, &w->looks[i]);
		all = all && w->looks[i].is_mapped && w->looks[i].has_drawn;
	}
	return all;
}

/* Pixels change without an event, so we look again after a while, up to the deadline. */
static void watch_until(const struct watch *w, int64_t deadline_mono_ns)
{
	static const struct timespec pause = {.tv_nsec = LOOK_EVERY_NS};

	while (!look_at_all(w) && xcs_mono_now_ns() < deadline_mono_ns) {
		ppoll(NULL, 0, &pause, NULL);
		take_damage(w);
	}
}

/* True once each window is there and looks as it did at the last look. */
static bool all_rest(const struct watch *w)
{
	bool all = true;

	for (size_t i = 0; i < w->n; i++) {
		struct look *k = &w->looks[i];
		bool had_hash = k->has_hash;
		uint64_t hash = k->hash;
		look_once(w, k);
		all = all && k->is_mapped && had_hash && k->hash == hash;
		k->n_changes = 0;
	}
	return all;
}

/* A picture taken while a client draws may show it between its clearing and its text. */
static void await_rest(const struct watch *w, int64_t timeout_ns)
{
	static const struct timespec pause = {.tv_nsec = LOOK_EVERY_NS};
	const int64_t deadline_mono_ns = xcs_mono_now_ns() + timeout_ns;

	while (!all_rest(w) && xcs_mono_now_ns() < deadline_mono_ns)
		ppoll(NULL, 0, &pause, NULL);
}

/* What is seen now against what will be seen after the hold. */
static int hold(const struct watch *w, int64_t timeout_ns, windows_hold_fn held,
                struct xcs_err *err)
{
	uint64_t *before = xcs_xcalloc(w->n + 1, sizeof(*before));

	await_rest(w, timeout_ns);
	for (size_t i = 0; i < w->n; i++)
		before[i] = w->looks[i].hash;
	int rc = held() ? xcs_err_set(err, -EPIPE, "nobody said when to look again") : 0;
	if (rc == 0)
		await_rest(w, timeout_ns);
	for (size_t i = 0; i < w->n; i++)
		w->looks[i].has_drawn = w->looks[i].has_hash && w->looks[i].hash != before[i];
	free(before);
	return rc;
}

static bool is_inside(const struct area *crtcs, size_t n, struct area window)
{
	for (size_t i = 0; i < n; i++)
		if (area_contains(crtcs[i], window))
			return true;
	return false;
}

static int judge(Display *dpy, const struct look *looks, size_t n, struct xcs_buf *out)
{
	struct area crtcs[CRTC_MAX];
	size_t n_crtcs = crtc_list(dpy, crtcs);
	int rc = XCS_EXIT_OK;

	for (size_t i = 0; i < n; i++) {
		const struct look *k = &looks[i];
		bool inside = k->is_mapped && is_inside(crtcs, n_crtcs, k->area);
		xcs_buf_printf(out, "%s %d %d %d %d %s %s\n", k->name, k->area.x, k->area.y,
		               k->area.width, k->area.height, inside ? "inside" : "outside",
		               k->has_drawn ? "drew" : "still");
		if (!inside || !k->has_drawn)
			rc = XCS_EXIT_CANNOT_JUDGE;
	}
	return rc;
}

/* NAME, or NAME@X,Y. */
static void take_operand(struct look *k, const char *operand)
{
	const char *at = strrchr(operand, '@');
	struct xcs_str rest = xcs_str(at ? at + 1 : NULL), x_text = {0};
	int64_t x, y;

	bool placed = xcs_str_next_part(&rest, ',', &x_text) && xcs_str_i64(x_text, &x) == 0 &&
	              xcs_str_i64(rest, &y) == 0 && x >= -32768 && x < 32768 && y >= -32768 &&
	              y < 32768;
	k->name = xcs_xstrdup(operand);
	if (!placed)
		return;
	k->name[at - operand] = '\0';
	k->is_to_move = true;
	k->x_px = (int)x;
	k->y_px = (int)y;
}

int windows_check(const struct windows_options *options, windows_hold_fn held, struct xcs_buf *out,
                  struct xcs_err *err)
{
	Display *dpy = display_open(options->display, err);
	size_t n = options->names.n;
	int event, error, rc = 0;

	if (!dpy)
		return -ENOTCONN;
	struct watch w = {.dpy = dpy, .looks = xcs_xcalloc(n, sizeof(*w.looks)), .n = n};
	if (!options->hold && XDamageQueryExtension(dpy, &event, &error))
		w.damage_event = event + XDamageNotify;
	for (size_t i = 0; i < n; i++)
		take_operand(&w.looks[i], options->names.v[i]);
	XSetErrorHandler(ignore_error);
	if (options->hold)
		rc = hold(&w, options->timeout_ns, held, err);
	else
		watch_until(&w, xcs_mono_now_ns() + options->timeout_ns);
	rc = rc ? rc : judge(dpy, w.looks, n, out);
	for (size_t i = 0; i < n; i++)
		free(w.looks[i].name);
	free(w.looks);
	XCloseDisplay(dpy); /* and with it what watches damage */
	return rc;
}
