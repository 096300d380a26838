/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pieces of the text writer: plain ASCII in lines of at most TEXT_WIDTH. Private to reports/.
 */
#ifndef XCS_RENDER_TEXT_H
#define XCS_RENDER_TEXT_H

#include <common/err.h>
#include <reports/document.h>

enum {
	TEXT_WIDTH = 72,
	TEXT_NUMBER_WIDTH = 11
};

/* One '?' for each character that is not printable ASCII, a blank for white space. The
 * caller frees it. */
char *text_ascii_dup(const char *s);

/* The same, with nothing lost: \u00e9, and \xff where it is no UTF-8. The caller frees it. */
char *text_escaped_dup(const char *s);

/* Adds `text` in lines; the first begins with `first` (as it is), the others with `indent`
 * blanks. Words that no line holds are cut. */
void text_wrap(struct xcs_buf *out, const char *first, size_t indent, const char *text);

/* A shell command in lines that can be pasted as they are. */
void text_command(struct xcs_buf *out, const char *command);

/* In the C locale; what is wider than TEXT_NUMBER_WIDTH comes in scientific form. */
void text_number(struct xcs_buf *out, double v, int digits);

/* The whole document; charts only with `plots`, and not at all without gnuplot, which is said. */
void text_document(struct xcs_buf *out, const struct xcs_doc *doc, bool plots);

/* True when a block has a place in text. */
bool text_shows(const struct xcs_block *b, bool plots);
bool text_has_content(const struct xcs_section *s, bool plots); /* any of its blocks has one */

/* A chart in ASCII with its legend; *failed is the reason why no chart can be drawn, set by the
 * first that fails and then kept. */
void text_plot(struct xcs_buf *out, const struct xcs_chart *c, struct xcs_err *failed);

/* A table, in as many parts as its width asks for; each part repeats the key columns. */
void text_table(struct xcs_buf *out, const struct xcs_doc_table *t);

#endif
