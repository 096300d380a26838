/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The kinds of value that the guard changes: how each is read, changed and written down.
 */
#ifndef KINDS_H
#define KINDS_H

#include "undo.h"

const char *undo_kind_word(enum undo_kind kind);
bool undo_value_same(enum undo_kind kind, const struct undo_value *a, const struct undo_value *b);
void undo_value_format(enum undo_kind kind, const struct undo_value *v, struct xcs_buf *into);
int undo_value_parse(enum undo_kind kind, struct xcs_str text, struct undo_value *out);

/* Reads the object's value. Returns 0, -ESRCH when it has ended or is another one, -errno. */
int undo_value_read(const struct xcs_env *env, const struct undo_item *item,
                    struct undo_value *out);

/* Sets it. Returns 0 or -errno; the caller reads back. */
int undo_value_write(const struct xcs_env *env, const struct undo_item *item,
                     const struct undo_value *v);

/* True when we have the rights to change the object's value from `from` to `to`. */
bool undo_value_may(const struct undo_item *item, const struct undo_value *from,
                    const struct undo_value *to);

#endif
