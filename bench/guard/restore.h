/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Undoing a list of changes: in the guard, in a runner whose guard was killed, and in
 * `xcsbench restore`.
 */
#ifndef RESTORE_H
#define RESTORE_H

#include "journal.h"

struct restore_rules {
	bool dry_run;     /* say what would be done */
	bool rebooted;    /* the changes were made in another boot */
	bool values_only; /* leave children and folders */
	bool limited;     /* touch only what belongs to `uid`: the journal is that user's */
	uid_t uid;
};

/*
 * Ends children, puts values back in reverse order (also of threads born after the change),
 * removes folders; sets outcome and said of each item. Returns how many failed.
 */
size_t restore_run(const struct xcs_env *env, struct undo_list *list,
                   const struct restore_rules *rules);

/* Puts "3 changes could not be undone, the first: ..." into err; returns the item's -errno. */
int restore_complain(const struct xcs_env *env, const struct undo_list *list,
                     const char *journal_path, struct xcs_err *err);

/*
 * restore_run of a journal file whose guard is dead; deletes it when nothing failed (not in
 * a dry run). rules.rebooted, limited and uid are found here. Returns how many failed, or
 * -errno: -EBUSY its guard lives, -EINVAL it is no journal. *out is the caller's to fini.
 */
int restore_journal(const struct xcs_env *env, const char *path, bool dry_run,
                    struct journal_text *out, struct xcs_err *err) XCS_MUST_CHECK;

/* Steps of restore_run. */
void restore_end_children(const struct xcs_env *env, struct undo_list *list,
                          const struct restore_rules *rules);
void restore_remove_dirs(struct undo_list *list, const struct restore_rules *rules);

/* Sets outcome and the clause of an item. */
void restore_say(struct undo_item *item, enum undo_outcome outcome, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

/* True when the rules let us touch this process. */
bool restore_may_touch(const struct xcs_env *env, const struct restore_rules *rules, pid_t pid);

#endif
