/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * xcsbench-nice as a last resort: where an administrator has given it the right, it renices
 * the threads of a display server for who has none.
 */
#ifndef NICE_HELPER_H
#define NICE_HELPER_H

#include "undo.h"

/* Has the program beside ours a file capability, or sudo a rule for it? Says nothing about a
 * target. */
bool nice_helper_has_right(void);

/* Sets the thread of the item. Returns 0, or -EPERM when the program is not there, has no
 * right, or refuses the target. */
int nice_helper_set(const struct undo_item *item, int nice);

#endif
