/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Making changes: check the rights to make and to undo, journal, change, read back.
 */
#ifndef CHANGE_H
#define CHANGE_H

#include "journal.h"

#include <guard/guard.h>

struct change {
	const struct xcs_env *env;
	struct journal *journal;
	struct undo_list *list;
};

/* Gives all threads of the process that value (UNDO_NICE or UNDO_AFFINITY). */
int change_threads(const struct change *c, enum undo_kind kind, pid_t pid, uint64_t start_ticks,
                   const struct undo_value *target, struct guard_nice_result *result,
                   struct xcs_err *err) XCS_MUST_CHECK;

/* Changes the one value that the item names (UNDO_AUTOGROUP or UNDO_SYSCTL). */
int change_value(const struct change *c, struct undo_item *item, const struct undo_value *target,
                 struct xcs_err *err) XCS_MUST_CHECK;

#endif
