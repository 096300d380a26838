/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <reports/document.h>

#include <stdlib.h>
#include <string.h>

void xcs_doc_init(struct xcs_doc *doc, const char *title)
{
	*doc = (struct xcs_doc){.title = xcs_xstrdup(title)};
}

static void table_fini(struct xcs_doc_table *t)
{
	for (size_t i = 0; i < t->n_rows * t->n_columns; i++)
		free(t->cells[i].text);
	free(t->cells);
	free(t->columns);
}

static void section_fini(struct xcs_section *s)
{
	for (size_t i = 0; i < s->n_blocks; i++) {
		struct xcs_block *b = &s->blocks[i];
		free(b->id);
		free(b->label);
		free(b->text);
		free(b->value.text);
		table_fini(&b->table);
	}
	free(s->blocks);
	free(s->id);
	free(s->heading);
}

void xcs_doc_fini(struct xcs_doc *doc)
{
	for (size_t i = 0; i < doc->n_sections; i++)
		section_fini(&doc->sections[i]);
	free(doc->sections);
	free(doc->title);
	*doc = (struct xcs_doc){0};
}

struct xcs_section *xcs_doc_section(struct xcs_doc *doc, const char *id, const char *heading)
{
	doc->sections = xcs_xgrow(doc->sections, doc->n_sections, &doc->cap_sections,
	                          sizeof(*doc->sections));
	struct xcs_section *s = &doc->sections[doc->n_sections++];
	*s = (struct xcs_section){.id = xcs_xstrdup(id), .heading = xcs_xstrdup(heading)};
	return s;
}

static struct xcs_block *add_block(struct xcs_section *s, enum xcs_block_type type)
{
	s->blocks = xcs_xgrow(s->blocks, s->n_blocks, &s->cap_blocks, sizeof(*s->blocks));
	struct xcs_block *b = &s->blocks[s->n_blocks++];
	*b = (struct xcs_block){.type = type};
	return b;
}

void xcs_doc_paragraph(struct xcs_section *s, const char *fmt, ...)
{
	struct xcs_buf text = {0};
	va_list ap;

	va_start(ap, fmt);
	xcs_buf_vprintf(&text, fmt, ap);
	va_end(ap);
	add_block(s, XCS_BLOCK_PARAGRAPH)->text = xcs_buf_take(&text);
}

void xcs_doc_item(struct xcs_section *s, const char *fmt, ...)
{
	struct xcs_buf text = {0};
	va_list ap;

	va_start(ap, fmt);
	xcs_buf_vprintf(&text, fmt, ap);
	va_end(ap);
	add_block(s, XCS_BLOCK_ITEM)->text = xcs_buf_take(&text);
}

void xcs_doc_fact(struct xcs_section *s, const char *id, const char *label, const char *text)
{
	struct xcs_block *b = add_block(s, XCS_BLOCK_FACT);

	b->id = xcs_xstrdup(id);
	b->label = xcs_xstrdup(label);
	xcs_cell_set_text(&b->value, text);
}

void xcs_doc_fact_num(struct xcs_section *s, const char *id, const char *label, struct xcs_num v,
                      int digits, const char *unit)
{
	struct xcs_block *b = add_block(s, XCS_BLOCK_FACT);

	b->id = xcs_xstrdup(id);
	b->label = xcs_xstrdup(label);
	b->digits = digits;
	b->unit = unit;
	xcs_cell_set_num(&b->value, v);
}

void xcs_doc_command(struct xcs_section *s, const char *text)
{
	add_block(s, XCS_BLOCK_COMMAND)->text = xcs_xstrdup(text);
}

struct xcs_doc_table *xcs_doc_table(struct xcs_section *s, const char *id,
                                    const struct xcs_column *columns, size_t n_columns)
{
	struct xcs_block *b = add_block(s, XCS_BLOCK_TABLE);

	b->id = xcs_xstrdup(id);
	b->table = (struct xcs_doc_table){.columns = xcs_xcalloc(n_columns, sizeof(*columns)),
	                                  .n_columns = n_columns};
	memcpy(b->table.columns, columns, n_columns * sizeof(*columns));
	return &b->table;
}

struct xcs_cell *xcs_doc_row(struct xcs_doc_table *t)
{
	t->cells = xcs_xgrow(t->cells, t->n_rows, &t->cap_rows, t->n_columns * sizeof(*t->cells));
	struct xcs_cell *row = t->cells + t->n_rows++ * t->n_columns;
	for (size_t i = 0; i < t->n_columns; i++)
		row[i] = (struct xcs_cell){0};
	return row;
}

void xcs_cell_set_text(struct xcs_cell *c, const char *text)
{
	if (text)
		*c = (struct xcs_cell){.type = XCS_CELL_TEXT, .text = xcs_xstrdup(text)};
}

void xcs_cell_set_num(struct xcs_cell *c, struct xcs_num v)
{
	if (v.known)
		*c = (struct xcs_cell){.type = XCS_CELL_NUM, .num = v.v};
}

void xcs_cell_set_spread(struct xcs_cell *c, const struct xcs_spread *v)
{
	if (v->n)
		*c = (struct xcs_cell){.type = XCS_CELL_SPREAD, .spread = *v};
}
