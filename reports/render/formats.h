/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The writers behind the table of formats, and what they share. Private to reports/.
 */
#ifndef XCS_RENDER_FORMATS_H
#define XCS_RENDER_FORMATS_H

#include <reports/writer.h>

#include <locale.h>

void format_text(const struct xcs_doc *doc, const struct xcs_write_options *options,
                 struct xcs_buf *out);
void format_mbox(const struct xcs_doc *doc, const struct xcs_write_options *options,
                 struct xcs_buf *out);
void format_markdown(const struct xcs_doc *doc, const struct xcs_write_options *options,
                     struct xcs_buf *out);
void format_csv(const struct xcs_doc *doc, const struct xcs_write_options *options,
                struct xcs_buf *out);
void format_html(const struct xcs_doc *doc, const struct xcs_write_options *options,
                 struct xcs_buf *out);

/* A decimal comma would make two columns of one, and two reports of one run. */
locale_t format_enter_c_locale(void);
void format_leave_c_locale(locale_t before);

/* Valid UTF-8 without control characters (newline and tab become blanks); a byte that is none
 * of it becomes U+FFFD. The caller frees it. */
char *format_utf8_dup(const char *s);

/* A number as the text of a cell; "n/a" where absent, "min..max" for the range of a spread. */
void format_cell(struct xcs_buf *out, const struct xcs_cell *c, int digits);
void format_range(struct xcs_buf *out, const struct xcs_cell *c, int digits);

#endif
