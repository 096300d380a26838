/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One page that needs nothing else: no script, no network (which its policy forbids to it),
 * light and dark as the reader's system is, and printable.
 */
#include "html.h"
#include "formats.h"

#include <common/alloc.h>

#include <stdlib.h>
#include <string.h>

void html_text(struct xcs_buf *out, const char *text)
{
	char *utf8 = format_utf8_dup(text);

	for (const char *p = utf8; *p; p++) {
		if (*p == '<')
			xcs_buf_puts(out, "&lt;");
		else if (*p == '>')
			xcs_buf_puts(out, "&gt;");
		else if (*p == '&')
			xcs_buf_puts(out, "&amp;");
		else if (*p == '"')
			xcs_buf_puts(out, "&quot;");
		else
			xcs_buf_putc(out, *p);
	}
	free(utf8);
}

static void tagged(struct xcs_buf *out, const char *tag, const char *text)
{
	xcs_buf_printf(out, "<%s>", tag);
	html_text(out, text);
	xcs_buf_printf(out, "</%s>\n", tag);
}

static bool holds_text(const struct xcs_doc_table *t, size_t column)
{
	for (size_t r = 0; r < t->n_rows; r++)
		if (t->cells[r * t->n_columns + column].type == XCS_CELL_TEXT)
			return true;
	return false;
}

static void table_head(struct xcs_buf *out, const struct xcs_doc_table *t)
{
	xcs_buf_puts(out, "<thead><tr>");
	for (size_t c = 0; c < t->n_columns; c++) {
		const struct xcs_column *column = &t->columns[c];
		xcs_buf_printf(out, "<th scope=\"col\"%s", holds_text(t, c) ? " class=\"t\"" : "");
		if (column->definition) {
			xcs_buf_puts(out, " title=\"");
			html_text(out, column->definition);
			xcs_buf_putc(out, '"');
		}
		xcs_buf_putc(out, '>');
		html_text(out, column->heading);
		if (column->unit[0]) {
			xcs_buf_puts(out, " <small>");
			html_text(out, column->unit);
			xcs_buf_puts(out, "</small>");
		}
		xcs_buf_puts(out, "</th>");
	}
	xcs_buf_puts(out, "</tr></thead>\n");
}

static const char *class_of(const struct xcs_cell *c)
{
	enum {
		LONG_BYTES = 32 /* longer text may wrap */
	};

	if (c->type == XCS_CELL_ABSENT)
		return " class=\"na\"";
	if (c->type != XCS_CELL_TEXT)
		return "";
	return strlen(c->text) > LONG_BYTES ? " class=\"t long\"" : " class=\"t\"";
}

static void cell(struct xcs_buf *out, const struct xcs_cell *c, const struct xcs_column *column)
{
	const char *tag = column->is_key ? "th" : "td";
	struct xcs_buf text = {0};

	format_cell(&text, c, column->digits);
	xcs_buf_printf(out, "<%s%s%s>", tag, column->is_key ? " scope=\"row\"" : "", class_of(c));
	html_text(out, text.p ? text.p : "");
	xcs_buf_clear(&text);
	if (column->with_range && c->spread.n > 1)
		format_range(&text, c, column->digits);
	if (text.n)
		xcs_buf_printf(out, " <small>%s</small>", text.p);
	xcs_buf_printf(out, "</%s>", tag);
	xcs_buf_fini(&text);
}

void html_table(struct xcs_buf *out, const struct xcs_doc_table *t, const char *label)
{
	xcs_buf_puts(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
	html_text(out, label);
	xcs_buf_puts(out, "\"><table>\n");
	table_head(out, t);
	xcs_buf_puts(out, "<tbody>\n");
	for (size_t r = 0; r < t->n_rows; r++) {
		xcs_buf_puts(out, "<tr>");
		for (size_t c = 0; c < t->n_columns; c++)
			cell(out, &t->cells[r * t->n_columns + c], &t->columns[c]);
		xcs_buf_puts(out, "</tr>\n");
	}
	xcs_buf_puts(out, "</tbody></table></div>\n");
}

static void fact(struct xcs_buf *out, const struct xcs_block *b)
{
	struct xcs_buf text = {0};

	xcs_buf_puts(out, "<div><dt>");
	html_text(out, b->label);
	xcs_buf_printf(out, "</dt><dd%s>", b->value.type == XCS_CELL_ABSENT ? " class=\"na\"" : "");
	format_cell(&text, &b->value, b->digits);
	html_text(out, text.p ? text.p : "");
	if (b->unit && b->unit[0] && b->value.type == XCS_CELL_NUM) {
		xcs_buf_putc(out, ' ');
		html_text(out, b->unit);
	}
	xcs_buf_puts(out, "</dd></div>\n");
	xcs_buf_fini(&text);
}

static const char *list_of(enum xcs_block_type type)
{
	return type == XCS_BLOCK_ITEM ? "ul" : type == XCS_BLOCK_FACT ? "dl" : NULL;
}

static void block(struct xcs_buf *out, const struct xcs_section *s, const struct xcs_block *b,
                  struct xcs_err *failed)
{
	switch (b->type) {
	case XCS_BLOCK_PARAGRAPH:
		tagged(out, "p", b->text);
		break;
	case XCS_BLOCK_ITEM:
		tagged(out, "li", b->text);
		break;
	case XCS_BLOCK_FACT:
		fact(out, b);
		break;
	case XCS_BLOCK_TABLE:
		html_table(out, &b->table, s->heading[0] ? s->heading : b->id);
		break;
	case XCS_BLOCK_COMMAND:
		xcs_buf_puts(out, "<div class=\"scroll\" tabindex=\"0\"><pre>");
		html_text(out, b->text);
		xcs_buf_puts(out, "</pre></div>\n");
		break;
	case XCS_BLOCK_CHART:
		html_chart(out, b, failed);
		break;
	}
}

static void blocks(struct xcs_buf *out, const struct xcs_section *s, struct xcs_err *failed)
{
	const char *list = NULL;

	for (size_t i = 0; i < s->n_blocks; i++) {
		const char *wanted = list_of(s->blocks[i].type);
		if (list && list != wanted)
			xcs_buf_printf(out, "</%s>\n", list);
		if (wanted && list != wanted)
			xcs_buf_printf(out, "<%s>\n", wanted);
		list = wanted;
		block(out, s, &s->blocks[i], failed);
	}
	if (list)
		xcs_buf_printf(out, "</%s>\n", list);
}

static void section(struct xcs_buf *out, const struct xcs_section *s, struct xcs_err *failed)
{
	xcs_buf_puts(out, "<section id=\"");
	html_text(out, s->id);
	xcs_buf_puts(out, "\">\n");
	if (s->is_aside)
		xcs_buf_puts(out, "<details open><summary>");
	if (s->heading[0])
		tagged(out, "h2", s->heading);
	if (s->is_aside)
		xcs_buf_puts(out, "</summary>\n");
	blocks(out, s, failed);
	if (s->is_aside)
		xcs_buf_puts(out, "</details>\n");
	xcs_buf_puts(out, "</section>\n");
}

static void contents(struct xcs_buf *out, const struct xcs_doc *doc)
{
	xcs_buf_puts(out, "<nav aria-label=\"Contents\"><ul>\n");
	for (size_t i = 0; i < doc->n_sections; i++) {
		const struct xcs_section *s = &doc->sections[i];
		if (!s->n_blocks || !s->heading[0])
			continue;
		xcs_buf_puts(out, "<li><a href=\"#");
		html_text(out, s->id);
		xcs_buf_puts(out, "\">");
		html_text(out, s->heading);
		xcs_buf_puts(out, "</a></li>\n");
	}
	xcs_buf_puts(out, "</ul></nav>\n");
}

static void head(struct xcs_buf *out, const struct xcs_doc *doc)
{
	xcs_buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	                  "<meta http-equiv=\"Content-Security-Policy\" "
	                  "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
	                  "<meta name=\"viewport\" content=\"width=device-width, "
	                  "initial-scale=1\">\n"
	                  "<meta name=\"color-scheme\" content=\"light dark\">\n");
	tagged(out, "title", doc->title);
	xcs_buf_printf(out, "<style>\n%s</style>\n</head>\n<body>\n<header>\n", html_style);
	tagged(out, "h1", doc->title);
	if (doc->verdict.kind)
		xcs_buf_printf(out, "<p class=\"verdict\">%s</p>\n",
		               xcs_doc_verdict_name(doc->verdict.kind));
	xcs_buf_puts(out, "</header>\n");
}

void format_html(const struct xcs_doc *doc, const struct xcs_write_options *options,
                 struct xcs_buf *out)
{
	locale_t before = format_enter_c_locale();
	struct xcs_err failed = {0};

	(void)options;
	head(out, doc);
	xcs_buf_puts(out, "<main>\n");
	for (size_t i = 0; i < doc->n_sections; i++) {
		if (doc->sections[i].n_blocks)
			section(out, &doc->sections[i], &failed);
		if (i == 0)
			contents(out, doc);
	}
	if (failed.text[0]) {
		xcs_buf_puts(out, "<p class=\"missing\">No charts: ");
		html_text(out, failed.text);
		xcs_buf_puts(out, "</p>\n");
	}
	xcs_buf_puts(out, "</main>\n</body>\n</html>\n");
	format_leave_c_locale(before);
}
