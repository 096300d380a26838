/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wire.h"

#include <X11/Xlibint.h>

struct wire {
	uint64_t bytes;
	unsigned long first_request;
};

static struct wire *find(Display *dpy, int extension)
{
	XEDataObject object = {.display = dpy};
	XExtData *data = XFindOnExtensionList(XEHeadOfExtensionList(object), extension);

	return data ? (struct wire *)(void *)data->private_data : NULL;
}

/* Xlib calls this for every piece that it hands over: its buffer, then data too long for it. */
static void before_flush(Display *dpy, XExtCodes *codes, _Xconst char *data, long n_bytes)
{
	struct wire *wire = find(dpy, codes->extension);

	(void)data;
	if (wire && n_bytes > 0)
		wire->bytes += (uint64_t)n_bytes;
}

const struct wire *wire_watch(Display *dpy)
{
	XExtCodes *codes = XAddExtension(dpy); /* local to this client: nothing is sent */
	XExtData *data = codes ? Xcalloc(1, sizeof(*data)) : NULL;
	struct wire *wire = data ? Xcalloc(1, sizeof(*wire)) : NULL;
	XEDataObject object = {.display = dpy};

	if (!wire) {
		Xfree(data);
		return NULL;
	}
	wire->first_request = XNextRequest(dpy);
	data->number = codes->extension;
	data->private_data = (XPointer)wire; /* XCloseDisplay frees both */
	XAddToExtensionList(XEHeadOfExtensionList(object), data);
	XESetBeforeFlush(dpy, codes->extension, before_flush);
	return wire;
}

uint64_t wire_bytes(const struct wire *wire)
{
	return wire->bytes;
}

uint64_t wire_requests(const struct wire *wire, Display *dpy)
{
	return XNextRequest(dpy) - wire->first_request;
}
