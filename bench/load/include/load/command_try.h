/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs the command of a load once before it is timed, into a pipe: its lines are counted, and
 * one that fails is found, which a terminal would hide.
 */
#ifndef COMMAND_TRY_H
#define COMMAND_TRY_H

#include <load/load.h>

struct command_try {
	struct xcs_num n_lines; /* unknown when it did not succeed */
	char *why;              /* how it failed: a sentence, owned; NULL: it did not */
};

/* Tries it as the user, on the CPUs and in the folder of `place`, for that long at most. When
 * the watch cut it short, neither is known. */
void command_try(const struct load_spec *place, int64_t deadline_ns, struct command_try *out);

/* "'LABEL' did not end within 5 s and was stopped"; the caller frees it. */
char *command_too_long_dup(const struct xcs_run_load *load, int64_t deadline_ns);

/* What sentences and tables call the load's command. */
const char *command_name(const struct xcs_run_load *load);

/* Appends ": " and the last line that says anything, up to its first full stop, since advice
 * follows that; nothing when there is no such line. */
void command_add_last_words(struct xcs_str text, struct xcs_buf *into);

#endif
