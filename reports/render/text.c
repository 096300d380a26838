/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text.h"
#include "formats.h"

#include <common/alloc.h>

#include <stdlib.h>
#include <string.h>

enum {
	LABEL_MAX = 20 /* of facts */
};

static void underlined(struct xcs_buf *out, const char *text, char line)
{
	size_t before = out->n;

	text_wrap(out, "", 0, text);
	size_t n = out->n - before - 1;
	xcs_buf_fill(out, line, n < TEXT_WIDTH ? n : TEXT_WIDTH);
	xcs_buf_putc(out, '\n');
}

/* Width of the labels of the run of facts that block i is in. */
static size_t label_width(const struct xcs_section *s, size_t i)
{
	size_t width = 0;

	while (i > 0 && s->blocks[i - 1].type == XCS_BLOCK_FACT)
		i--;
	for (; i < s->n_blocks && s->blocks[i].type == XCS_BLOCK_FACT; i++)
		if (strlen(s->blocks[i].label) > width)
			width = strlen(s->blocks[i].label);
	return width < LABEL_MAX ? width : LABEL_MAX;
}

static char *value_dup(const struct xcs_block *b)
{
	struct xcs_buf out = {0};

	if (b->value.type == XCS_CELL_TEXT)
		return xcs_xstrdup(b->value.text);
	text_number(&out, b->value.num, b->digits);
	if (b->unit && b->unit[0])
		xcs_buf_printf(&out, " %s", b->unit);
	return xcs_buf_take(&out);
}

static bool is_unknown(const struct xcs_section *s, size_t i)
{
	return s->blocks[i].type == XCS_BLOCK_FACT && s->blocks[i].value.type == XCS_CELL_ABSENT;
}

/* What is not known stands in one line behind the run of facts that ends at block i. */
static void unknown_facts(struct xcs_buf *out, const struct xcs_section *s, size_t i)
{
	char *label = xcs_xasprintf("%-*s  ", (int)label_width(s, i), "n/a");
	struct xcs_buf names = {0};
	size_t first = i;

	while (first > 0 && s->blocks[first - 1].type == XCS_BLOCK_FACT)
		first--;
	for (; first <= i; first++)
		if (is_unknown(s, first))
			xcs_buf_printf(&names, "%s%s", names.n ? ", " : "", s->blocks[first].label);
	if (names.n)
		text_wrap(out, label, strlen(label), names.p);
	xcs_buf_fini(&names);
	free(label);
}

static void fact(struct xcs_buf *out, const struct xcs_section *s, size_t i)
{
	size_t width = label_width(s, i);

	if (is_unknown(s, i))
		return;
	char *label = xcs_xasprintf("%-*.*s  ", (int)width, (int)width, s->blocks[i].label);
	char *value = value_dup(&s->blocks[i]);

	text_wrap(out, label, width + 2, value);
	free(label);
	free(value);
}

/* What the document is written with. */
struct writing {
	bool plots;
	struct xcs_err failed; /* why there are no charts */
};

static void block(struct xcs_buf *out, const struct xcs_section *s, size_t i, struct writing *w)
{
	const struct xcs_block *b = &s->blocks[i];

	switch (b->type) {
	case XCS_BLOCK_PARAGRAPH:
		text_wrap(out, "", 0, b->text);
		break;
	case XCS_BLOCK_ITEM:
		text_wrap(out, "- ", 2, b->text);
		break;
	case XCS_BLOCK_FACT:
		fact(out, s, i);
		if (i + 1 == s->n_blocks || s->blocks[i + 1].type != XCS_BLOCK_FACT)
			unknown_facts(out, s, i);
		break;
	case XCS_BLOCK_TABLE:
		text_table(out, &b->table);
		break;
	case XCS_BLOCK_COMMAND:
		text_command(out, b->text);
		break;
	case XCS_BLOCK_CHART:
		text_plot(out, &b->chart, &w->failed);
		break;
	}
}

/* Items and facts of one kind stand together, all else is set apart. */
static bool stand_together(const struct xcs_block *a, const struct xcs_block *b)
{
	return a->type == b->type && (a->type == XCS_BLOCK_ITEM || a->type == XCS_BLOCK_FACT);
}

static void section(struct xcs_buf *out, const struct xcs_section *s, struct writing *w)
{
	const struct xcs_block *last = NULL;

	xcs_buf_putc(out, '\n');
	if (s->heading[0])
		underlined(out, s->heading, '-');
	for (size_t i = 0; i < s->n_blocks; i++) {
		const struct xcs_block *b = &s->blocks[i];
		if (!text_shows(b, w->plots && !w->failed.text[0]))
			continue;
		if (last && !stand_together(last, b))
			xcs_buf_putc(out, '\n');
		last = b;
		block(out, s, i, w);
	}
}

void text_document(struct xcs_buf *out, const struct xcs_doc *doc, bool plots)
{
	/* A decimal comma would make two columns of one for whoever reads the mail with awk. */
	locale_t before = format_enter_c_locale();
	struct writing w = {.plots = plots};

	underlined(out, doc->title, '=');
	for (size_t i = 0; i < doc->n_sections; i++)
		if (text_has_content(&doc->sections[i], plots))
			section(out, &doc->sections[i], &w);
	format_leave_c_locale(before);
}

void xcs_doc_write_text(const struct xcs_doc *doc, struct xcs_buf *out)
{
	text_document(out, doc, false);
}

void format_text(const struct xcs_doc *doc, const struct xcs_write_options *options,
                 struct xcs_buf *out)
{
	text_document(out, doc, options->plots);
}
