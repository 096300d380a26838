/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * xcsbench-nice as a last resort: where an administrator has given it the right, it renices
 * the threads of a display server for who has none.
 */
#ifndef NICE_HELPER_H
#define NICE_HELPER_H

#include "undo.h"

/* "xcsbench-nice" when the program beside ours has a file capability, "sudo" when there is a
 * rule for it, else NULL; *source: what told. Says nothing about a target. All static. */
const char *nice_helper_right(const char **source);

/* Sets the thread of the item. Returns 0, or -EPERM when the program is not there, has no
 * right, or refuses the target. */
int nice_helper_set(const struct undo_item *item, int nice);

#endif
