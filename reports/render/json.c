/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The document as data, schema xcsbench.report/1: sections by id, facts by id, tables as
 * columns (with unit and definition) and rows (by column id), charts as their series. Unknown
 * is null.
 */
#include <record/json.h>
#include <reports/document.h>

#include <math.h>

static struct json_t *spread_json(const struct xcs_spread *s)
{
	struct json_t *j = xcs_json_object();

	xcs_json_set_num(j, "median", xcs_num_of(s->median));
	xcs_json_set_num(j, "min", xcs_num_of(s->min));
	xcs_json_set_num(j, "max", xcs_num_of(s->max));
	xcs_json_set_i64(j, "n", (int64_t)s->n);
	return j;
}

static void set_cell(struct json_t *object, const char *key, const struct xcs_cell *c, int digits)
{
	bool whole = digits == 0 && fabs(c->num) < 9e15 && c->num == floor(c->num);

	if (c->type == XCS_CELL_SPREAD)
		xcs_json_set(object, key, spread_json(&c->spread));
	else if (c->type == XCS_CELL_NUM && whole)
		xcs_json_set_i64(object, key, (int64_t)c->num);
	else if (c->type == XCS_CELL_NUM)
		xcs_json_set_num(object, key, xcs_num_of(c->num));
	else
		xcs_json_set_str(object, key, c->type == XCS_CELL_TEXT ? c->text : NULL);
}

static struct json_t *columns_json(const struct xcs_doc_table *t)
{
	struct json_t *array = xcs_json_array();

	for (size_t i = 0; i < t->n_columns; i++) {
		const struct xcs_column *c = &t->columns[i];
		struct json_t *j = xcs_json_object();
		xcs_json_set_str(j, "id", c->id);
		xcs_json_set_str(j, "unit", c->unit[0] ? c->unit : NULL);
		xcs_json_set_str(j, "definition", c->definition);
		xcs_json_append(array, j);
	}
	return array;
}

static struct json_t *table_json(const struct xcs_doc_table *t)
{
	struct json_t *j = xcs_json_object(), *rows = xcs_json_array();

	for (size_t r = 0; r < t->n_rows; r++) {
		struct json_t *row = xcs_json_object();
		for (size_t c = 0; c < t->n_columns; c++)
			set_cell(row, t->columns[c].id, &t->cells[r * t->n_columns + c],
			         t->columns[c].digits);
		xcs_json_append(rows, row);
	}
	xcs_json_set(j, "columns", columns_json(t));
	xcs_json_set(j, "rows", rows);
	return j;
}

static struct json_t *axis_json(const struct xcs_axis *a)
{
	struct json_t *j = xcs_json_object();

	xcs_json_set_str(j, "title", a->title);
	xcs_json_set_str(j, "unit", a->unit && a->unit[0] ? a->unit : NULL);
	xcs_json_set_bool(j, "log", a->is_log);
	return j;
}

static struct json_t *point_json(const struct xcs_chart *c, const struct xcs_point *p)
{
	struct json_t *j = xcs_json_object();

	if (p->x >= 0 && p->x < (double)c->n_ticks)
		xcs_json_set_str(j, "x", c->ticks[(size_t)p->x]);
	else
		xcs_json_set_num(j, "x", xcs_num_of(p->x));
	xcs_json_set_num(j, "y", xcs_num_of(p->y));
	if (p->low.known || p->high.known) {
		xcs_json_set_num(j, "low", p->low);
		xcs_json_set_num(j, "high", p->high);
	}
	if (p->label)
		xcs_json_set_str(j, "label", p->label);
	return j;
}

static struct json_t *series_json(const struct xcs_chart *c)
{
	struct json_t *array = xcs_json_array();

	for (size_t i = 0; i < c->n_series; i++) {
		struct json_t *j = xcs_json_object(), *points = xcs_json_array();
		for (size_t k = 0; k < c->series[i].n_points; k++)
			xcs_json_append(points, point_json(c, &c->series[i].points[k]));
		xcs_json_set_str(j, "name", c->series[i].name);
		xcs_json_set(j, "points", points);
		xcs_json_append(array, j);
	}
	return array;
}

static struct json_t *chart_json(const struct xcs_chart *c)
{
	static const char *const kinds[] = {
	        [XCS_CHART_SWEEP] = "sweep", [XCS_CHART_STRIP] = "strip",
	        [XCS_CHART_TAIL] = "tail",   [XCS_CHART_TIMELINE] = "timeline",
	        [XCS_CHART_TREND] = "trend",
	};
	struct json_t *j = xcs_json_object(), *events = xcs_json_array();

	for (size_t i = 0; i < c->n_events; i++) {
		struct json_t *event = xcs_json_object();
		xcs_json_set_num(event, "x", xcs_num_of(c->events[i].x));
		xcs_json_set_str(event, "text", c->events[i].text);
		xcs_json_append(events, event);
	}
	xcs_json_set_str(j, "kind", kinds[c->kind]);
	xcs_json_set_str(j, "title", c->title);
	xcs_json_set_str(j, "caption", c->caption);
	xcs_json_set(j, "x", axis_json(&c->x));
	xcs_json_set(j, "y", axis_json(&c->y));
	xcs_json_set(j, "series", series_json(c));
	xcs_json_set(j, "events", events);
	return j;
}

static struct json_t *verdict_json(const struct xcs_doc_verdict *v)
{
	struct json_t *j = xcs_json_object();

	xcs_json_set_str(j, "kind", xcs_doc_verdict_name(v->kind));
	xcs_json_set_bool(j, "gate_regressed", v->gate_regressed);
	xcs_json_set_bool(j, "broad_regressed", v->broad_regressed);
	xcs_json_set_str(j, "introduced", v->introduced);
	return j;
}

static struct json_t *texts_json(const struct xcs_section *s, enum xcs_block_type type)
{
	struct json_t *array = xcs_json_array();

	for (size_t i = 0; i < s->n_blocks; i++)
		if (s->blocks[i].type == type)
			xcs_json_append_str(array, s->blocks[i].text);
	return array;
}

static struct json_t *section_json(const struct xcs_section *s)
{
	struct json_t *j = xcs_json_object();
	struct json_t *facts = xcs_json_object(), *tables = xcs_json_object();
	struct json_t *charts = xcs_json_object();

	for (size_t i = 0; i < s->n_blocks; i++) {
		const struct xcs_block *b = &s->blocks[i];
		if (b->type == XCS_BLOCK_FACT)
			set_cell(facts, b->id, &b->value, b->digits);
		if (b->type == XCS_BLOCK_TABLE)
			xcs_json_set(tables, b->id, table_json(&b->table));
		if (b->type == XCS_BLOCK_CHART)
			xcs_json_set(charts, b->id, chart_json(&b->chart));
	}
	xcs_json_set_str(j, "heading", s->heading);
	xcs_json_set(j, "facts", facts);
	xcs_json_set(j, "tables", tables);
	xcs_json_set(j, "charts", charts);
	xcs_json_set(j, "text", texts_json(s, XCS_BLOCK_PARAGRAPH));
	xcs_json_set(j, "items", texts_json(s, XCS_BLOCK_ITEM));
	xcs_json_set(j, "commands", texts_json(s, XCS_BLOCK_COMMAND));
	return j;
}

void xcs_doc_write_json(const struct xcs_doc *doc, struct xcs_buf *out)
{
	struct json_t *top = xcs_json_object(), *sections = xcs_json_object();

	xcs_json_set_str(top, "schema", "xcsbench.report/1");
	xcs_json_set_str(top, "title", doc->title);
	if (doc->verdict.kind)
		xcs_json_set(top, "verdict", verdict_json(&doc->verdict));
	else
		xcs_json_set_str(top, "verdict", NULL);
	for (size_t i = 0; i < doc->n_sections; i++)
		xcs_json_set(sections, doc->sections[i].id, section_json(&doc->sections[i]));
	xcs_json_set(top, "sections", sections);
	xcs_json_write(top, 1, out);
	xcs_json_free(top);
}
