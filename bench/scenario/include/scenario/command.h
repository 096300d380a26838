/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The commands of a run's loads: from the text of the scenario, with its placeholders, to
 * one that a shell can run.
 *
 *   {dir}    the folder of the run's tree, quoted for a shell where it must be
 *   {dirs}   the same, `count` times, with blanks between
 *   {count}  the number
 *
 * A word of its own each; other braces are the command's own.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <common/buf.h>
#include <record/run.h>

/* Does the text name the tree? */
bool command_needs_tree(const char *text);

/* Does the text grow with its count? */
bool command_has_count(const char *text);

/* The caller frees it. `dir` may be NULL when the text does not name it. */
char *command_expand_dup(const char *text, const char *dir, int count);

/* Appends an expanded text for one who splits words as a shell does but is none: as it is,
 * or behind `sh -c` when it holds more than words. */
void command_add_words(struct xcs_buf *b, const char *text);

/* The texts as the scenario has them: what stands in run->loads[i].command is expanded. */
struct commands {
	char **texts;  /* owned, one per load; NULL where a load has no command */
	char **labels; /* owned; a {dir} in them becomes DIR */
	size_t n;
};

/* Takes the texts out of the run's loads and leaves copies there. */
void commands_init(struct commands *c, const struct xcs_run *run);
void commands_fini(struct commands *c);

/* Expands the command of load i for its count and the run's tree. */
void commands_expand(const struct commands *c, struct xcs_run *run, size_t i);

/*
 * Gives load i, and all loads that are this command into a pipe (pipe_of), that count and
 * expands them again. Calibration ends with it.
 */
void commands_set_count(const struct commands *c, struct xcs_run *run, size_t i, int count);

/* How long that command would be. */
size_t commands_bytes(const struct commands *c, const struct xcs_run *run, size_t i, int count);

/* The count that should take at least want_ns, when `count` took took_ns; at most 1000
 * times as many, so that one wild measurement does no harm. */
int command_scale(int count, int64_t took_ns, int64_t want_ns);

#endif
