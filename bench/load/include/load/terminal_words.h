/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Templates of command lines: words parted by blanks, quotes as a shell has them, and
 * placeholders in braces. No shell is involved:
 *
 *   {geometry}        -geometry 80x24+0+0, two words
 *   {columns} {rows}  size in characters        {x} {y}  place in pixels
 *   {name}            name of the window        {scroll} -j (jump) or +j (line by line)
 *   {command}         what to run, as words     {command_string}  the same, as one for sh
 */
#ifndef TERMINAL_WORDS_H
#define TERMINAL_WORDS_H

#include <common/buf.h>
#include <common/err.h>

#include <stdbool.h>

enum {
	TERMINAL_WORDS_MAX = 64 /* of a template, the command's own not counted */
};

/* What the placeholders stand for. */
struct terminal_values {
	int columns, rows, x_px, y_px;
	const char *name;
	bool line_scroll;
	const char *const *command; /* NULL-terminated */
};

struct terminal_words {
	char **v; /* owned, NULL-terminated */
	size_t n, cap;
};

/*
 * Splits and fills in. Returns 0, or -EINVAL with the sentence: no words, too many, an
 * unbalanced quote, an unknown placeholder, {geometry} or {command} inside a word, a
 * template without a command. terminal_words_fini in any case.
 */
int terminal_words_make(struct terminal_words *w, const char *pattern,
                        const struct terminal_values *values, struct xcs_err *err) XCS_MUST_CHECK;
void terminal_words_fini(struct terminal_words *w);

#endif
