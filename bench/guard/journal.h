/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The undo journal: a text file, one per guard, that says before each change what was
 * there. Format 1, one record per line, words parted by blanks, every line ended by the
 * checksum of what stands before it (so a torn line is known):
 *
 *   xcs-undo 1 BOOT-ID GUARD-PID START OWNER-PID START #SUM     first line
 *   nice|affinity|service|... PID START TID START POLICY BEFORE WAS NOW #SUM
 *   screensaver|dpms PID START TID START POLICY BEFORE WAS NOW PATH #SUM
 *   child PID START #SUM            end it        unchild PID START #SUM      no longer
 *   dir DEV INODE PATH #SUM         remove it     undir DEV INODE #SUM        no longer
 *   restored #SUM                   all values above are back
 *
 * Start times are ticks since boot; PATH (of a folder, or
 * who speaks to the X server) has blanks, controls and % as %XX; SUM is FNV-1a,
 * 64 bits, 16 hex digits. A later line on the same object replaces the earlier one.
 */
#ifndef JOURNAL_H
#define JOURNAL_H

#include "undo.h"

struct journal {
	int fd;         /* locked by flock() for as long as its guard lives */
	char *path;     /* owned */
	off_t good_end; /* behind the last whole line */
};

struct journal_head {
	char boot_id[40];
	pid_t guard_pid, owner_pid;
	uint64_t guard_start_ticks, owner_start_ticks;
};

/* What a journal says. */
struct journal_text {
	struct journal_head head;
	struct undo_list list;
	size_t n_bad_lines; /* damaged lines before the last: ignored */
	bool torn;          /* the last line is not whole: its change was never made */
};

/* Makes a locked journal in that folder (made with mode 0700). Returns 0 or -errno. */
int journal_create(struct journal *j, const char *dir, const struct journal_head *head,
                   struct xcs_err *err) XCS_MUST_CHECK;

/*
 * Appends records and waits until they are on disk. On error (full disk) the file is as
 * before and the change must not be made.
 */
int journal_add_items(struct journal *j, const struct undo_item *items, size_t n,
                      struct xcs_err *err) XCS_MUST_CHECK;
int journal_add_undone(struct journal *j, const struct undo_item *item,
                       struct xcs_err *err) XCS_MUST_CHECK; /* a child or a folder */
int journal_add_restored(struct journal *j, struct xcs_err *err) XCS_MUST_CHECK;

/* Opens and locks an existing one. -EBUSY: its guard lives; -ENOENT: it is gone. */
int journal_open(struct journal *j, const char *path, struct xcs_err *err) XCS_MUST_CHECK;

void journal_remove(struct journal *j); /* deletes the file, too */
void journal_close(struct journal *j);  /* zeroed or closed is fine */

/* Reads the text of a journal; pure. -EINVAL: no journal, or of a newer format. */
int journal_parse(struct xcs_str text, struct journal_text *out,
                  struct xcs_err *err) XCS_MUST_CHECK;
void journal_text_fini(struct journal_text *t);

/* Boot id of this boot; "" when unknown. */
void journal_boot_id(const struct xcs_env *env, char out[40]);

#endif
