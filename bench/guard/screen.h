/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Settings of an X server's screen. The guard never speaks X: xclient-stress reads and sets
 * them, as the user of the session. An item names the server by pid and start time, and in
 * path the client: "UID DISPLAY=... XAUTHORITY=...".
 */
#ifndef SCREEN_H
#define SCREEN_H

#include "undo.h"

/* Is this kind one of them? */
bool screen_is(enum undo_kind kind);

/* 0, -ESRCH when the server has ended, -ENOENT when it has no such setting, -ECONNREFUSED
 * when it takes no client of that user. */
int screen_read(const struct xcs_env *env, const struct undo_item *item, struct undo_value *out);
int screen_write(const struct xcs_env *env, const struct undo_item *item,
                 const struct undo_value *v);

#endif
