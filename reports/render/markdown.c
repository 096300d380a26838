/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Markdown as GitHub and GitLab render it, short enough to be pasted into an issue: those
 * take about 65,000 characters. What does not fit is counted, not silently lost.
 */
#include "formats.h"

#include <common/alloc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SIZE_MAX_BYTES = 60000,
	CELL_MAX_BYTES = 2000 /* of one cell or paragraph when space is short */
};

/* How much of a long list is written; the loosest that fits is taken. */
struct limits {
	size_t n_rows, n_items, n_bytes;
};

/* Cuts at a character's start. */
static void cut(char *text, size_t n_bytes)
{
	size_t n = strlen(text);

	if (n <= n_bytes)
		return;
	while (n_bytes && ((unsigned char)text[n_bytes] & 0xc0) == 0x80)
		n_bytes--;
	text[n_bytes] = '\0';
}

/* One character in which nothing is markup. The comment keeps "#1" of a kernel's version from
 * becoming a link to issue 1, and "@name" from notifying somebody. */
static void put_escaped(struct xcs_buf *out, const char *p)
{
	if (*p == '<')
		xcs_buf_puts(out, "&lt;");
	else if (*p == '>')
		xcs_buf_puts(out, "&gt;");
	else if (*p == '&')
		xcs_buf_puts(out, "&amp;");
	else if (*p == '@' || (*p == '#' && p[1] >= '0' && p[1] <= '9'))
		xcs_buf_printf(out, "%c<!-- -->", *p);
	else if (strchr("\\`*_{}[]|#~$!", *p))
		xcs_buf_printf(out, "\\%c", *p);
	else
		xcs_buf_putc(out, *p);
}

static void escaped(struct xcs_buf *out, const char *text, const struct limits *l)
{
	char *utf8 = format_utf8_dup(text);
	bool was_cut = strlen(utf8) > l->n_bytes;

	cut(utf8, l->n_bytes);
	for (const char *p = utf8; *p; p++)
		put_escaped(out, p);
	if (was_cut)
		xcs_buf_puts(out, " ...");
	free(utf8);
}

static void cell(struct xcs_buf *out, const struct xcs_cell *c, const struct xcs_column *column,
                 const struct limits *l)
{
	struct xcs_buf text = {0};

	format_cell(&text, c, column->digits);
	if (column->with_range && c->type == XCS_CELL_SPREAD && c->spread.n > 1) {
		xcs_buf_puts(&text, " (");
		format_range(&text, c, column->digits);
		xcs_buf_putc(&text, ')');
	}
	xcs_buf_puts(out, " ");
	escaped(out, text.p ? text.p : "", l);
	xcs_buf_puts(out, " |");
	xcs_buf_fini(&text);
}

static bool is_text(const struct xcs_doc_table *t, size_t column)
{
	for (size_t r = 0; r < t->n_rows; r++)
		if (t->cells[r * t->n_columns + column].type == XCS_CELL_TEXT)
			return true;
	return false;
}

static void table_head(struct xcs_buf *out, const struct xcs_doc_table *t, const struct limits *l)
{
	xcs_buf_putc(out, '|');
	for (size_t c = 0; c < t->n_columns; c++) {
		xcs_buf_putc(out, ' ');
		escaped(out, t->columns[c].heading, l);
		if (t->columns[c].unit[0]) {
			xcs_buf_puts(out, ", ");
			escaped(out, t->columns[c].unit, l);
		}
		xcs_buf_puts(out, " |");
	}
	xcs_buf_puts(out, "\n|");
	for (size_t c = 0; c < t->n_columns; c++)
		xcs_buf_puts(out, is_text(t, c) ? " :-- |" : " --: |");
	xcs_buf_putc(out, '\n');
}

static void table(struct xcs_buf *out, const struct xcs_doc_table *t, const struct limits *l)
{
	size_t n = t->n_rows < l->n_rows ? t->n_rows : l->n_rows;

	table_head(out, t, l);
	for (size_t r = 0; r < n; r++) {
		xcs_buf_putc(out, '|');
		for (size_t c = 0; c < t->n_columns; c++)
			cell(out, &t->cells[r * t->n_columns + c], &t->columns[c], l);
		xcs_buf_putc(out, '\n');
	}
	if (n < t->n_rows)
		xcs_buf_printf(out, "\n%zu of %zu rows were left out to keep this short.\n",
		               t->n_rows - n, t->n_rows);
}

static void fact(struct xcs_buf *out, const struct xcs_block *b, const struct limits *l)
{
	struct xcs_buf text = {0};

	xcs_buf_puts(out, "- ");
	escaped(out, b->label, l);
	xcs_buf_puts(out, ": ");
	format_cell(&text, &b->value, b->digits);
	escaped(out, text.p ? text.p : "", l);
	if (b->unit && b->unit[0] && b->value.type == XCS_CELL_NUM) {
		xcs_buf_putc(out, ' ');
		escaped(out, b->unit, l);
	}
	xcs_buf_putc(out, '\n');
	xcs_buf_fini(&text);
}

/* A fence that is longer than any run of backquotes in the text. */
static void fenced(struct xcs_buf *out, const char *text, const struct limits *l)
{
	char *utf8 = format_utf8_dup(text);
	size_t longest = 2, run = 0;

	cut(utf8, l->n_bytes * 4);
	for (const char *p = utf8; *p; p++) {
		run = *p == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	xcs_buf_fill(out, '`', longest + 1);
	xcs_buf_printf(out, "sh\n%s\n", utf8);
	xcs_buf_fill(out, '`', longest + 1);
	xcs_buf_putc(out, '\n');
	free(utf8);
}

static void block(struct xcs_buf *out, const struct xcs_block *b, const struct limits *l)
{
	switch (b->type) {
	case XCS_BLOCK_PARAGRAPH:
		escaped(out, b->text, l);
		xcs_buf_putc(out, '\n');
		break;
	case XCS_BLOCK_ITEM:
		xcs_buf_puts(out, "- ");
		escaped(out, b->text, l);
		xcs_buf_putc(out, '\n');
		break;
	case XCS_BLOCK_FACT:
		fact(out, b, l);
		break;
	case XCS_BLOCK_TABLE:
		table(out, &b->table, l);
		break;
	case XCS_BLOCK_COMMAND:
		fenced(out, b->text, l);
		break;
	case XCS_BLOCK_CHART:
		break;
	}
}

static bool is_list(const struct xcs_block *b)
{
	return b->type == XCS_BLOCK_ITEM || b->type == XCS_BLOCK_FACT;
}

/* Blocks of one section; of a run of items those behind the limit are counted. */
static void blocks(struct xcs_buf *out, const struct xcs_section *s, const struct limits *l)
{
	size_t n_items = 0, n_left = 0;

	for (size_t i = 0; i < s->n_blocks; i++) {
		const struct xcs_block *b = &s->blocks[i];
		if (b->type == XCS_BLOCK_CHART)
			continue;
		if (i && !(is_list(b) && is_list(&s->blocks[i - 1])))
			xcs_buf_putc(out, '\n');
		if (b->type == XCS_BLOCK_ITEM && n_items++ >= l->n_items)
			n_left++;
		else
			block(out, b, l);
	}
	if (n_left)
		xcs_buf_printf(out, "- %zu more such lines were left out to keep this short.\n",
		               n_left);
}

static bool has_content(const struct xcs_section *s)
{
	for (size_t i = 0; i < s->n_blocks; i++)
		if (s->blocks[i].type != XCS_BLOCK_CHART)
			return true;
	return false;
}

static void section(struct xcs_buf *out, const struct xcs_section *s, const struct limits *l)
{
	xcs_buf_putc(out, '\n');
	if (s->is_aside) {
		xcs_buf_puts(out, "<details>\n<summary>");
		escaped(out, s->heading, l);
		xcs_buf_puts(out, "</summary>\n\n");
	} else if (s->heading[0]) {
		xcs_buf_puts(out, "### ");
		escaped(out, s->heading, l);
		xcs_buf_puts(out, "\n\n");
	}
	blocks(out, s, l);
	if (s->is_aside)
		xcs_buf_puts(out, "\n</details>\n");
}

/* False when it got too long; `whole` sections are left out then, but not by half. */
static bool document(const struct xcs_doc *doc, const struct limits *l, bool whole,
                     struct xcs_buf *out)
{
	enum {
		ROOM_FOR_NOTE = 200
	};
	size_t n_left = 0;

	xcs_buf_clear(out);
	xcs_buf_puts(out, "## ");
	escaped(out, doc->title, l);
	xcs_buf_putc(out, '\n');
	for (size_t i = 0; i < doc->n_sections; i++) {
		size_t before = out->n;
		if (!has_content(&doc->sections[i]))
			continue;
		section(out, &doc->sections[i], l);
		if (whole && out->n > SIZE_MAX_BYTES - ROOM_FOR_NOTE) {
			out->n = before;
			out->p[out->n] = '\0';
			n_left++;
		}
	}
	if (n_left)
		xcs_buf_printf(out, "\n%zu sections were left out to keep this short.\n", n_left);
	return out->n < SIZE_MAX_BYTES;
}

void format_markdown(const struct xcs_doc *doc, const struct xcs_write_options *options,
                     struct xcs_buf *out)
{
	static const struct limits steps[] = {
	        {SIZE_MAX, SIZE_MAX, SIZE_MAX      },
                {200,      100,      SIZE_MAX      },
                {100,      50,       SIZE_MAX      },
	        {50,       20,       CELL_MAX_BYTES},
                {20,       10,       500           },
                {10,       5,        200           },
	};
	locale_t before = format_enter_c_locale();
	bool fits = false;

	(void)options;
	for (size_t i = 0; i < ARRAY_LEN(steps) && !fits; i++)
		fits = document(doc, &steps[i], i + 1 == ARRAY_LEN(steps), out);
	format_leave_c_locale(before);
}
