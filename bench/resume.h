/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A run that was cut short, to be gone on with: the same plan on the same machine and
 * kernel, only the trials that are missing.
 */
#ifndef RESUME_H
#define RESUME_H

#include "runner.h"

enum {
	RESUME_WORDS_MAX = 256
};

struct resume {
	struct xcs_run old; /* as it was found; its trials go over to the new run */
	char *dir;          /* owned, as the words */
	char *words[RESUME_WORDS_MAX];
	int n_words;
};

/*
 * Finds the run (a folder, or a name among the user's runs) and splits the command line that
 * it was started with. Returns 0, or -errno when there is none, it is complete, imported or
 * still under way, or was measured by another version.
 */
int resume_open(struct resume *rs, const char *name, struct xcs_err *err) XCS_MUST_CHECK;
void resume_close(struct resume *rs);

/*
 * Behind runner_prepare: takes over name, trials and boots, and leaves in the plan what is
 * still to do (a cell with trials left is warmed up again). Refuses (-EPERM, naming what
 * differs) when the command line gives another plan today.
 */
int resume_take_plan(struct runner *r, struct resume *rs, struct xcs_err *err) XCS_MUST_CHECK;

/* Behind the survey and before anything is saved: refuses (-EPERM) another kernel, machine,
 * server or mode; then opens the record again. Returns 0 or -errno. */
int resume_begin(struct runner *r, struct xcs_err *err) XCS_MUST_CHECK;

/* Sets the counts that the run was calibrated to. False: it had not come so far. */
bool resume_set_counts(struct runner *r);

/* Splits a command line as xcsbench writes it: plain words, and 'quoted ones' in which
 * '\'' stands for a quote. Returns how many words, each owned by the caller; -EINVAL when
 * there are too many or a quote is not closed (nothing is then left). */
int resume_split(const char *command, char **words, int max);

#endif
