/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pieces of the text writer: plain ASCII in lines of at most TEXT_WIDTH. Private to reports/.
 */
#ifndef XCS_RENDER_TEXT_H
#define XCS_RENDER_TEXT_H

#include <reports/document.h>

enum {
	TEXT_WIDTH = 72
};

/* One '?' for each character that is not printable ASCII, a blank for white space. The
 * caller frees it. */
char *text_ascii_dup(const char *s);

/* Adds `text` in lines; the first begins with `first` (as it is), the others with `indent`
 * blanks. Words that no line holds are cut. */
void text_wrap(struct xcs_buf *out, const char *first, size_t indent, const char *text);

/* A shell command in lines that can be pasted as they are. */
void text_command(struct xcs_buf *out, const char *command);

/* "n/a", or the number in the C locale; 1e12 and more in scientific form. */
void text_number(struct xcs_buf *out, double v, int digits);

/* A table, in as many parts as its width asks for; each part repeats the key columns. */
void text_table(struct xcs_buf *out, const struct xcs_doc_table *t);

#endif
