/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The record of a run under way: its folder, its saves, and the room that the last save
 * will need. Under sudo all of it is done with the user's rights, so that it is the user's.
 */
#ifndef RUNNER_RECORD_H
#define RUNNER_RECORD_H

#include "runner.h"

/* Holds the record against other runs until this process ends; -EBUSY: one is under way. */
int runner_lock_record(const char *dir, struct xcs_err *err) XCS_MUST_CHECK;

/* Opens the record in `dir` again (locked before) and saves. Returns 0 or -errno. */
int runner_reopen_record(struct runner *r, const char *dir, struct xcs_err *err) XCS_MUST_CHECK;

/* Makes the folder, takes room on its disk and saves. Sets r->run_dir once there is something
 * to remove again. Returns 0 or -errno, as all of these. */
int runner_begin_record(struct runner *r, struct xcs_err *err) XCS_MUST_CHECK;

int runner_save(struct runner *r, struct xcs_err *err) XCS_MUST_CHECK; /* run.json */
int runner_tell(struct runner *r, const char *event, const char *text,
                struct xcs_err *err) XCS_MUST_CHECK; /* events.jsonl */

/* Before the last save, which may need that room to say why a run ended. */
void runner_give_back_reserve(const struct runner *r);

/* A record without a trial says nothing; it would only be the newest for `report`. */
void runner_remove_record(struct runner *r);

#endif
