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

static void table_init(struct xcs_doc_table *t, const struct xcs_column *columns, size_t n_columns)
{
	*t = (struct xcs_doc_table){.columns = xcs_xcalloc(n_columns, sizeof(*columns)),
	                            .n_columns = n_columns};
	memcpy(t->columns, columns, n_columns * sizeof(*columns));
}

static void block_fini(struct xcs_block *b)
{
	free(b->id);
	free(b->label);
	free(b->text);
	free(b->value.text);
	table_fini(&b->table);
	xcs_chart_fini(&b->chart);
}

static void section_fini(struct xcs_section *s)
{
	for (size_t i = 0; i < s->n_blocks; i++)
		block_fini(&s->blocks[i]);
	for (size_t i = 0; i < s->n_kept; i++)
		free(s->kept[i]);
	free(s->kept);
	free(s->blocks);
	free(s->id);
	free(s->heading);
}

void xcs_doc_fini(struct xcs_doc *doc)
{
	for (size_t i = 0; i < doc->n_sections; i++)
		section_fini(&doc->sections[i]);
	for (size_t i = 0; i < doc->n_samples; i++)
		xcs_samples_fini(&doc->samples[i]);
	free(doc->sections);
	free(doc->samples);
	free(doc->title);
	free(doc->subject);
	free(doc->verdict.introduced);
	*doc = (struct xcs_doc){0};
}

void xcs_doc_set_subject(struct xcs_doc *doc, const char *subject)
{
	free(doc->subject);
	doc->subject = xcs_xstrdup(subject);
}

void xcs_doc_set_verdict(struct xcs_doc *doc, const struct xcs_doc_verdict *verdict)
{
	free(doc->verdict.introduced);
	doc->verdict = *verdict;
	if (verdict->introduced)
		doc->verdict.introduced = xcs_xstrdup(verdict->introduced);
}

const char *xcs_doc_verdict_name(enum xcs_doc_verdict_kind kind)
{
	static const char *const names[] = {
	        [XCS_DOC_VERDICT_NONE] = NULL,
	        [XCS_DOC_VERDICT_REGRESSION] = "regression",
	        [XCS_DOC_VERDICT_IMPROVEMENT] = "improvement",
	        [XCS_DOC_VERDICT_EQUIVALENT] = "equivalent",
	        [XCS_DOC_VERDICT_NOT_SHOWN] = "not shown",
	        [XCS_DOC_VERDICT_INVALID] = "invalid",
	};

	return names[kind];
}

struct xcs_samples *xcs_doc_samples(struct xcs_doc *doc)
{
	doc->samples =
	        xcs_xgrow(doc->samples, doc->n_samples, &doc->cap_samples, sizeof(*doc->samples));
	struct xcs_samples *s = &doc->samples[doc->n_samples++];
	*s = (struct xcs_samples){0};
	return s;
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
	table_init(&b->table, columns, n_columns);
	return &b->table;
}

struct xcs_chart *xcs_doc_chart(struct xcs_section *s, const char *id, enum xcs_chart_kind kind,
                                const char *title)
{
	struct xcs_block *b = add_block(s, XCS_BLOCK_CHART);

	b->id = xcs_xstrdup(id);
	b->chart = (struct xcs_chart){.kind = kind, .title = xcs_xstrdup(title)};
	return &b->chart;
}

/* What the points of a chart have beside x and y. */
struct chart_extras {
	bool has_interval, has_label;
};

static struct chart_extras extras_of(const struct xcs_chart *c)
{
	struct chart_extras e = {0};

	for (size_t s = 0; s < c->n_series; s++) {
		for (size_t i = 0; i < c->series[s].n_points; i++) {
			const struct xcs_point *p = &c->series[s].points[i];
			e.has_interval = e.has_interval || p->low.known || p->high.known;
			e.has_label = e.has_label || p->label;
		}
	}
	return e;
}

enum {
	CHART_COLUMNS_MAX = 6
};

static size_t chart_columns(const struct xcs_chart *c, const struct chart_extras *e,
                            struct xcs_column *columns)
{
	const struct xcs_column low = {
	        .id = "low", .heading = "low", .unit = c->y.unit, .digits = c->y.digits};
	const struct xcs_column label = {.id = "label", .heading = "of", .unit = ""};
	size_t n = 0;

	columns[n++] = (struct xcs_column){
	        .id = "series", .heading = "series", .unit = "", .is_key = true};
	columns[n++] = (struct xcs_column){.id = "x",
	                                   .heading = c->x.title,
	                                   .unit = c->x.unit,
	                                   .digits = c->x.digits,
	                                   .is_key = true};
	columns[n++] = (struct xcs_column){
	        .id = "y", .heading = c->y.title, .unit = c->y.unit, .digits = c->y.digits};
	if (e->has_interval) {
		columns[n++] = low;
		columns[n] = low;
		columns[n].id = columns[n].heading = "high";
		n++;
	}
	if (e->has_label)
		columns[n++] = label;
	return n;
}

static void chart_row(struct xcs_doc_table *t, const struct xcs_chart *c,
                      const struct chart_extras *e, const struct xcs_series *s,
                      const struct xcs_point *p)
{
	struct xcs_cell *cell = xcs_doc_row(t);

	xcs_cell_set_text(cell++, s->name);
	if (c->n_ticks && p->x >= 0 && p->x < (double)c->n_ticks)
		xcs_cell_set_text(cell++, c->ticks[(size_t)p->x]);
	else
		xcs_cell_set_num(cell++, xcs_num_of(p->x));
	xcs_cell_set_num(cell++, xcs_num_of(p->y));
	if (e->has_interval) {
		xcs_cell_set_num(cell++, p->low);
		xcs_cell_set_num(cell++, p->high);
	}
	if (e->has_label)
		xcs_cell_set_text(cell, p->label);
}

void xcs_doc_chart_done(struct xcs_section *s)
{
	struct xcs_block *b = &s->blocks[s->n_blocks - 1];
	struct chart_extras extras = extras_of(&b->chart);
	struct xcs_column columns[CHART_COLUMNS_MAX];

	xcs_chart_drop_empty(&b->chart);
	if (!xcs_chart_n_points(&b->chart)) {
		block_fini(b);
		s->n_blocks--;
		return;
	}
	table_init(&b->table, columns, chart_columns(&b->chart, &extras, columns));
	for (size_t i = 0; i < b->chart.n_series; i++)
		for (size_t k = 0; k < b->chart.series[i].n_points; k++)
			chart_row(&b->table, &b->chart, &extras, &b->chart.series[i],
			          &b->chart.series[i].points[k]);
}

const char *xcs_doc_keep(struct xcs_section *s, char *text)
{
	s->kept = xcs_xgrow(s->kept, s->n_kept, &s->cap_kept, sizeof(*s->kept));
	s->kept[s->n_kept++] = text;
	return text;
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
