/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Counts what a client puts on its connection: requests by their sequence numbers, bytes
 * by the hook that Xlib offers extensions for every flush of its buffer. Both are exact,
 * and the hook costs no system call.
 */
#ifndef XCS_WIRE_H
#define XCS_WIRE_H

#include <X11/Xlib.h>
#include <stdint.h>

/* Starts counting; what it returns lives as long as the display. NULL: out of memory. */
const struct wire *wire_watch(Display *dpy);

uint64_t wire_bytes(const struct wire *wire);                  /* handed to the kernel so far */
uint64_t wire_requests(const struct wire *wire, Display *dpy); /* made since wire_watch */

#endif
