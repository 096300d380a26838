/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * same-pixels NAME NAME: exits with 0 as soon as both windows show the same picture, and
 * not a blank one; with 1 when they do not within 10 s.
 */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static Window find(Display *dpy, const char *name)
{
	Window root, parent, *children = NULL, found = None;
	unsigned n = 0;

	if (!XQueryTree(dpy, DefaultRootWindow(dpy), &root, &parent, &children, &n))
		return None;
	for (unsigned i = 0; i < n; i++) {
		char *its_name = NULL;
		if (XFetchName(dpy, children[i], &its_name) && strcmp(its_name, name) == 0)
			found = children[i];
		if (its_name)
			XFree(its_name);
	}
	if (children)
		XFree(children);
	return found;
}

static XImage *picture(Display *dpy, const char *name)
{
	Window w = find(dpy, name);
	XWindowAttributes a;

	if (!w || !XGetWindowAttributes(dpy, w, &a) || a.map_state != IsViewable)
		return NULL;
	return XGetImage(dpy, w, 0, 0, (unsigned)a.width, (unsigned)a.height, AllPlanes, ZPixmap);
}

static bool is_blank(const XImage *i)
{
	return memcmp(i->data, i->data + 4, (size_t)(i->bytes_per_line * i->height) - 4) == 0;
}

static bool are_same(XImage *a, XImage *b)
{
	return a && b && a->width == b->width && a->height == b->height && !is_blank(a) &&
	       memcmp(a->data, b->data, (size_t)(a->bytes_per_line * a->height)) == 0;
}

int main(int argc, char **argv)
{
	Display *dpy = XOpenDisplay(NULL);
	bool same = false;

	if (argc != 3 || !dpy)
		return 2;
	for (time_t end = time(NULL) + 10; !same && time(NULL) <= end;) {
		XImage *a = picture(dpy, argv[1]), *b = picture(dpy, argv[2]);
		same = are_same(a, b);
		if (a)
			XDestroyImage(a);
		if (b)
			XDestroyImage(b);
		poll(NULL, 0, 20);
	}
	XCloseDisplay(dpy);
	printf("%s and %s show %s\n", argv[1], argv[2], same ? "the same" : "different pictures");
	return same ? 0 : 1;
}
