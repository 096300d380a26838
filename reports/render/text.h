/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pieces of the text writer: plain ASCII in lines of at most TEXT_WIDTH. Private to reports/.
 */
#ifndef XCS_RENDER_TEXT_H
#define XCS_RENDER_TEXT_H

#include <reports/document.h>

enum {
	TEXT_WIDTH = 72,
	TEXT_NUMBER_WIDTH = 11
};

/* One '?' for each character that is not printable ASCII, a blank for white space. The
 * caller frees it. */
char *text_ascii_dup(const char *s);

/* Adds `text` in lines; the first begins with `first` (as it is), the others with `indent`
 * blanks. Words that no line holds are cut. */
void text_wrap(struct xcs_buf *out, const char *first, size_t indent, const char *text);

/* A shell command in lines that can be pasted as they are. */
void text_command(struct xcs_buf *out, const char *command);

/* In the C locale; what is wider than TEXT_NUMBER_WIDTH comes in scientific form. */
void text_number(struct xcs_buf *out, double v, int digits);

/* A table, in as many parts as its width asks for; each part repeats the key columns. */
void text_table(struct xcs_buf *out, const struct xcs_doc_table *t);

#endif
