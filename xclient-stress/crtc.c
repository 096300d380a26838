/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "crtc.h"

#include <X11/extensions/Xrandr.h>
#include <string.h>

static XRRScreenResources *resources_of(Display *dpy)
{
	int event, error, major = 0, minor = 0;

	if (!XRRQueryExtension(dpy, &event, &error) || !XRRQueryVersion(dpy, &major, &minor) ||
	    major < 1 || (major == 1 && minor < 3))
		return NULL;
	/* "Current": ask no monitor, as the older request does; that takes up to a second. */
	return XRRGetScreenResourcesCurrent(dpy, DefaultRootWindow(dpy));
}

static size_t list_active(Display *dpy, XRRScreenResources *r, struct area areas[CRTC_MAX])
{
	size_t n = 0;

	for (int i = 0; i < r->ncrtc && n < CRTC_MAX; i++) {
		XRRCrtcInfo *c = XRRGetCrtcInfo(dpy, r, r->crtcs[i]);
		if (c && c->mode != None && c->noutput > 0)
			areas[n++] = (struct area){c->x, c->y, (int)c->width, (int)c->height};
		if (c)
			XRRFreeCrtcInfo(c);
	}
	return n;
}

size_t crtc_list(Display *dpy, struct area areas[CRTC_MAX])
{
	XRRScreenResources *r = resources_of(dpy);
	int screen = DefaultScreen(dpy);
	size_t n = r ? list_active(dpy, r, areas) : 0;

	if (r)
		XRRFreeScreenResources(r);
	if (n == 0)
		areas[n++] =
		        (struct area){0, 0, DisplayWidth(dpy, screen), DisplayHeight(dpy, screen)};
	return n;
}

/* Pixels per second over pixels per frame; an interlaced mode shows two fields a frame. */
static double mode_hz(const XRRScreenResources *r, RRMode id)
{
	for (int i = 0; i < r->nmode; i++) {
		const XRRModeInfo *m = &r->modes[i];
		if (m->id != id || !m->hTotal || !m->vTotal)
			continue;
		double hz = (double)m->dotClock / ((double)m->hTotal * (double)m->vTotal);
		return m->modeFlags & RR_Interlace    ? hz * 2
		       : m->modeFlags & RR_DoubleScan ? hz / 2
		                                      : hz;
	}
	return 0;
}

double crtc_refresh_hz(Display *dpy)
{
	XRRScreenResources *r = resources_of(dpy);
	double hz = 0;

	for (int i = 0; r && i < r->ncrtc && hz <= 0; i++) {
		XRRCrtcInfo *c = XRRGetCrtcInfo(dpy, r, r->crtcs[i]);
		if (c && c->mode != None && c->noutput > 0)
			hz = mode_hz(r, c->mode);
		if (c)
			XRRFreeCrtcInfo(c);
	}
	if (r)
		XRRFreeScreenResources(r);
	return hz;
}

bool crtc_is_xwayland(Display *dpy)
{
	XRRScreenResources *r = resources_of(dpy);
	bool is = false;

	for (int i = 0; r && i < r->noutput && !is; i++) {
		XRROutputInfo *o = XRRGetOutputInfo(dpy, r, r->outputs[i]);
		is = o && strncmp(o->name, "XWAYLAND", 8) == 0;
		if (o)
			XRRFreeOutputInfo(o);
	}
	if (r)
		XRRFreeScreenResources(r);
	return is;
}

bool area_contains(struct area outer, struct area inner)
{
	return inner.x >= outer.x && inner.y >= outer.y &&
	       inner.x + inner.width <= outer.x + outer.width &&
	       inner.y + inner.height <= outer.y + outer.height;
}

struct area area_meet(struct area a, struct area b)
{
	int x = a.x > b.x ? a.x : b.x, y = a.y > b.y ? a.y : b.y;
	int right_a = a.x + a.width, right_b = b.x + b.width;
	int below_a = a.y + a.height, below_b = b.y + b.height;
	int width = (right_a < right_b ? right_a : right_b) - x;
	int height = (below_a < below_b ? below_a : below_b) - y;

	if (width <= 0 || height <= 0)
		return (struct area){0};
	return (struct area){x, y, width, height};
}
