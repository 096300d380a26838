/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Services of the machine that a controlled run stops, by systemctl: a fixed list, of which an
 * item names one by its number in tid.
 */
#ifndef SERVICE_H
#define SERVICE_H

#include "undo.h"

/* "service tuned"; of a number that is not in the list "service ?". */
void service_name(int index, char out[128]);

/* "running" or "stopped". 0, -ENOENT when it is not installed, -ENOTSUP when systemd does not
 * answer, -EINVAL when the list has no such number. */
int service_read(const struct xcs_env *env, const struct undo_item *item, struct undo_value *out);

/* Starts or stops it and waits until that is done. */
int service_write(const struct xcs_env *env, const struct undo_item *item,
                  const struct undo_value *v);

#endif
