/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "find.h"

#include <X11/Xutil.h>
#include <stdbool.h>
#include <string.h>

/* Titles are STRING or UTF8_STRING, as the client likes. */
static bool has_title(Display *dpy, Window w, const char *name)
{
	XTextProperty title;

	if (!XGetWMName(dpy, w, &title))
		return false;
	bool same = title.value && strcmp((const char *)title.value, name) == 0;
	XFree(title.value);
	return same;
}

/* A terminal may let what runs in it change the title. */
static bool has_instance(Display *dpy, Window w, const char *name)
{
	XClassHint hint = {0};
	XWindowAttributes a;
	bool same =
	        XGetClassHint(dpy, w, &hint) && hint.res_name && strcmp(hint.res_name, name) == 0;

	if (hint.res_name)
		XFree(hint.res_name);
	if (hint.res_class)
		XFree(hint.res_class);
	/* Toolkits give the name to helpers that are never seen, too. */
	return same && XGetWindowAttributes(dpy, w, &a) && a.map_state == IsViewable;
}

typedef bool (*match_fn)(Display *dpy, Window w, const char *name);

static Window find_by(Display *dpy, Window top, const char *name, match_fn is_it, int depth)
{
	Window root, parent, *children = NULL, found = None;
	unsigned n = 0;

	if (!XQueryTree(dpy, top, &root, &parent, &children, &n))
		return None;
	for (unsigned i = 0; i < n && !found; i++) {
		if (is_it(dpy, children[i], name))
			found = children[i];
		else if (depth > 0)
			found = find_by(dpy, children[i], name, is_it, depth - 1);
	}
	if (children)
		XFree(children);
	return found;
}

Window find_window(Display *dpy, Window top, const char *name, int depth)
{
	Window found = find_by(dpy, top, name, has_title, depth);

	return found ? found : find_by(dpy, top, name, has_instance, depth);
}
