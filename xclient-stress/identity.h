/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which process is behind a display or a window: by the server's word, not by properties
 * that a client may set as it likes.
 */
#ifndef IDENTITY_H
#define IDENTITY_H

#include <common/buf.h>

#include <X11/Xlib.h>
#include <stdbool.h>
#include <sys/types.h>

/* The local process that owns that resource, None: the server itself; by XRes 1.2
 * (QueryClientIds). 0: not known. */
pid_t identity_by_xres(Display *dpy, XID resource);

/* Who listened on the display's socket (SO_PEERCRED): the server, or what started it with
 * the socket open. 0: not known. */
pid_t identity_by_peer(Display *dpy);

/* Lines <prefix>pid, <prefix>comm and <prefix>start_ticks; false if that is no process here. */
bool identity_describe(const char *prefix, pid_t pid, struct xcs_buf *out);

#endif
