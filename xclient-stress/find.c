/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "find.h"

#include <stdbool.h>
#include <string.h>

static bool has_name(Display *dpy, Window w, const char *name)
{
	char *found = NULL;
	bool same = XFetchName(dpy, w, &found) && found && strcmp(found, name) == 0;

	if (found)
		XFree(found);
	return same;
}

Window find_window(Display *dpy, Window top, const char *name, int depth)
{
	Window root, parent, *children = NULL, found = None;
	unsigned n = 0;

	if (!XQueryTree(dpy, top, &root, &parent, &children, &n))
		return None;
	for (unsigned i = 0; i < n && !found; i++) {
		if (has_name(dpy, children[i], name))
			found = children[i];
		else if (depth > 0)
			found = find_window(dpy, children[i], name, depth - 1);
	}
	if (children)
		XFree(children);
	return found;
}
