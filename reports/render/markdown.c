/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Markdown as GitHub and GitLab render it, short enough to be pasted into an issue: those
 * take about 65,000 characters. What does not fit is counted, not silently lost.
 */
#include "formats.h"
#include "text.h"

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

struct writing {
	const struct limits *limits;
	bool plots;
	bool may_drop;         /* leave out sections that do not fit */
	struct xcs_err failed; /* why there are no charts */
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

static void plot(struct xcs_buf *out, const struct xcs_chart *c, struct writing *w)
{
	xcs_buf_puts(out, "```text\n");
	text_plot(out, c, &w->failed);
	xcs_buf_puts(out, "```\n");
}

static void block(struct xcs_buf *out, const struct xcs_block *b, struct writing *w)
{
	switch (b->type) {
	case XCS_BLOCK_PARAGRAPH:
		escaped(out, b->text, w->limits);
		xcs_buf_putc(out, '\n');
		break;
	case XCS_BLOCK_ITEM:
		xcs_buf_puts(out, "- ");
		escaped(out, b->text, w->limits);
		xcs_buf_putc(out, '\n');
		break;
	case XCS_BLOCK_FACT:
		fact(out, b, w->limits);
		break;
	case XCS_BLOCK_TABLE:
		table(out, &b->table, w->limits);
		break;
	case XCS_BLOCK_COMMAND:
		fenced(out, b->text, w->limits);
		break;
	case XCS_BLOCK_CHART:
		plot(out, &b->chart, w);
		break;
	}
}

/* Items and facts of one kind are lines of one list. */
static bool stand_together(const struct xcs_block *a, const struct xcs_block *b)
{
	return a->type == b->type && (a->type == XCS_BLOCK_ITEM || a->type == XCS_BLOCK_FACT);
}

/* Blocks of one section; of its items those behind the limit are counted. */
static void blocks(struct xcs_buf *out, const struct xcs_section *s, struct writing *w)
{
	const struct xcs_block *last = NULL;
	size_t n_items = 0, n_left = 0;

	for (size_t i = 0; i < s->n_blocks; i++) {
		const struct xcs_block *b = &s->blocks[i];
		if (!text_shows(b, w->plots && !w->failed.text[0]))
			continue;
		if (b->type == XCS_BLOCK_ITEM && n_items++ >= w->limits->n_items) {
			n_left++;
			continue;
		}
		if (last && !stand_together(last, b))
			xcs_buf_putc(out, '\n');
		last = b;
		block(out, b, w);
	}
	if (n_left)
		xcs_buf_printf(out, "\n%zu more such lines were left out to keep this short.\n",
		               n_left);
}

static void section(struct xcs_buf *out, const struct xcs_section *s, struct writing *w)
{
	xcs_buf_putc(out, '\n');
	if (s->is_aside) {
		xcs_buf_puts(out, "<details>\n<summary>");
		escaped(out, s->heading, w->limits);
		xcs_buf_puts(out, "</summary>\n\n");
	} else if (s->heading[0]) {
		xcs_buf_puts(out, "### ");
		escaped(out, s->heading, w->limits);
		xcs_buf_puts(out, "\n\n");
	}
	blocks(out, s, w);
	if (s->is_aside)
		xcs_buf_puts(out, "\n</details>\n");
}

/* Writes all, or of sections that do not fit only how many they are. True when it is short enough.
 */
static bool document(const struct xcs_doc *doc, struct writing *w, struct xcs_buf *out)
{
	enum {
		ROOM_FOR_NOTE = 200
	};
	size_t n_left = 0;

	xcs_buf_clear(out);
	xcs_buf_puts(out, "## ");
	escaped(out, doc->title, w->limits);
	xcs_buf_putc(out, '\n');
	for (size_t i = 0; i < doc->n_sections; i++) {
		size_t before = out->n;
		if (!text_has_content(&doc->sections[i], w->plots))
			continue;
		section(out, &doc->sections[i], w);
		if (w->may_drop && out->n > SIZE_MAX_BYTES - ROOM_FOR_NOTE) {
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

	for (size_t i = 0; i < ARRAY_LEN(steps) && !fits; i++) {
		struct writing w = {.limits = &steps[i],
		                    .plots = options->plots,
		                    .may_drop = i + 1 == ARRAY_LEN(steps)};
		fits = document(doc, &w, out);
	}
	format_leave_c_locale(before);
}
