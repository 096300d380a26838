/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Tables in 72 columns: own layout and not a library's, because a table that is too wide
 * goes on below itself with its key columns repeated.
 */
#include "text.h"

#include <common/alloc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LABEL_WIDTH = 14, /* longest text in a cell, unless its column says otherwise */
	GAP = 2
};

/* A column of the printed table: a median and its range are two of them. */
struct strip {
	const char *heading, *unit;
	char **texts; /* one per row; owned */
	size_t width;
	bool is_key, to_left;
};

struct layout {
	struct strip *strips;
	size_t n_strips, n_rows;
	struct xcs_buf legend; /* of labels that were shortened */
};

static char *cell_text(const struct xcs_cell *c, int digits, bool range)
{
	struct xcs_buf out = {0};

	if (c->type == XCS_CELL_TEXT && !range)
		return text_ascii_dup(c->text);
	if (range && (c->type != XCS_CELL_SPREAD || c->spread.n < 2)) {
		xcs_buf_puts(&out, "-"); /* one value has no range */
	} else if (range) {
		text_number(&out, c->spread.min, digits);
		xcs_buf_puts(&out, "..");
		text_number(&out, c->spread.max, digits);
	} else if (c->type == XCS_CELL_ABSENT) {
		xcs_buf_puts(&out, "n/a");
	} else {
		text_number(&out, c->type == XCS_CELL_NUM ? c->num : c->spread.median, digits);
	}
	return xcs_buf_take(&out);
}

/* The text of a cell, "" of any other type. */
static const char *original(const struct xcs_doc_table *t, size_t row, size_t column)
{
	const struct xcs_cell *c = &t->cells[row * t->n_columns + column];

	return c->type == XCS_CELL_TEXT ? c->text : "";
}

static const struct xcs_cell *cell_at(const struct xcs_doc_table *t, size_t row, size_t column)
{
	return &t->cells[row * t->n_columns + column];
}

/* True when the original of row r differs from that of an earlier row whose ASCII is alike. */
static bool is_ambiguous(const struct xcs_doc_table *t, size_t column, char *const *ascii, size_t r)
{
	for (size_t i = 0; i < t->n_rows; i++)
		if (strcmp(ascii[i], ascii[r]) == 0 &&
		    strcmp(original(t, i, column), original(t, r, column)) != 0)
			return true;
	return false;
}

/* Number of the row's text among the distinct texts of the column, from 1. */
static int number_of(const struct xcs_doc_table *t, size_t column, size_t r)
{
	int n = 1;

	for (size_t i = 0; i < r; i++) {
		const char *text = original(t, i, column);
		bool again = false;
		if (strcmp(text, original(t, r, column)) == 0)
			return n;
		for (size_t k = 0; k < i; k++)
			again = again || strcmp(original(t, k, column), text) == 0;
		n += !again;
	}
	return n;
}

static int label_width(const struct xcs_doc_table *t, size_t column)
{
	int width = t->columns[column].text_width;

	return width > LABEL_WIDTH ? width : LABEL_WIDTH;
}

static char *short_label(const char *ascii, int number, int width)
{
	char tail[16];
	int n = snprintf(tail, sizeof(tail), "~%d", number);

	return xcs_xasprintf("%.*s%s", width - n, ascii, tail);
}

static void shorten_labels(struct layout *l, struct strip *s, const struct xcs_doc_table *t,
                           size_t column)
{
	char **labels = xcs_xcalloc(t->n_rows, sizeof(*labels));
	int width = label_width(t, column);

	for (size_t r = 0; r < t->n_rows; r++) {
		bool fits = strlen(s->texts[r]) <= (size_t)width;
		bool is_text = cell_at(t, r, column)->type == XCS_CELL_TEXT;
		if (!is_text || (fits && !is_ambiguous(t, column, s->texts, r)))
			continue;
		labels[r] = short_label(s->texts[r], number_of(t, column, r), width);
		bool told = false;
		for (size_t i = 0; i < r; i++)
			told = told || (labels[i] && strcmp(labels[i], labels[r]) == 0);
		if (told)
			continue;
		char *whole = text_escaped_dup(original(t, r, column));
		char *line = xcs_xasprintf("%s = %s", labels[r], whole);
		text_wrap(&l->legend, "  ", 6, line);
		free(whole);
		free(line);
	}
	for (size_t r = 0; r < t->n_rows; r++) {
		if (!labels[r])
			continue;
		free(s->texts[r]);
		s->texts[r] = labels[r];
	}
	free(labels);
}

static bool is_all_text(const struct xcs_doc_table *t, size_t column)
{
	for (size_t r = 0; r < t->n_rows; r++)
		if (cell_at(t, r, column)->type != XCS_CELL_TEXT)
			return false;
	return true;
}

static void add_strip(struct layout *l, const struct xcs_doc_table *t, size_t column, bool range)
{
	const struct xcs_column *c = &t->columns[column];
	struct strip *s = &l->strips[l->n_strips++];

	*s = (struct strip){.heading = range ? "min..max" : c->heading,
	                    .unit = c->unit,
	                    .texts = xcs_xcalloc(t->n_rows, sizeof(*s->texts)),
	                    .is_key = c->is_key,
	                    .to_left = is_all_text(t, column)};
	for (size_t r = 0; r < t->n_rows; r++)
		s->texts[r] = cell_text(cell_at(t, r, column), c->digits, range);
	if (!range)
		shorten_labels(l, s, t, column);
	s->width = strlen(s->heading) > strlen(s->unit) ? strlen(s->heading) : strlen(s->unit);
	for (size_t r = 0; r < t->n_rows; r++)
		if (strlen(s->texts[r]) > s->width)
			s->width = strlen(s->texts[r]);
}

static void lay_out(struct layout *l, const struct xcs_doc_table *t)
{
	*l = (struct layout){.strips = xcs_xcalloc(t->n_columns * 2, sizeof(*l->strips)),
	                     .n_rows = t->n_rows};
	for (size_t c = 0; c < t->n_columns; c++) {
		add_strip(l, t, c, false);
		if (t->columns[c].with_range)
			add_strip(l, t, c, true);
	}
}

static void put_padded(struct xcs_buf *line, const struct strip *s, const char *text)
{
	size_t n = strlen(text), pad = s->width > n ? s->width - n : 0;

	if (line->n)
		xcs_buf_fill(line, ' ', GAP);
	xcs_buf_fill(line, ' ', s->to_left ? 0 : pad);
	xcs_buf_puts(line, text);
	xcs_buf_fill(line, ' ', s->to_left ? pad : 0);
}

/* What a line shows of a strip: row r, or heading and unit. */
enum {
	LINE_HEADING = -2,
	LINE_UNIT = -1
};

static const char *text_of(const struct strip *s, int r)
{
	return r == LINE_HEADING ? s->heading : r == LINE_UNIT ? s->unit : s->texts[r];
}

static bool has_units(const struct layout *l)
{
	for (size_t i = 0; i < l->n_strips; i++)
		if (l->strips[i].unit[0])
			return true;
	return false;
}

static void put_line(struct xcs_buf *out, const struct layout *l, size_t from, size_t to, int r)
{
	struct xcs_buf line = {0};

	for (size_t i = 0; i < l->n_strips; i++)
		if (l->strips[i].is_key || (i >= from && i < to))
			put_padded(&line, &l->strips[i], text_of(&l->strips[i], r));
	while (line.n && line.p[line.n - 1] == ' ')
		line.n--;
	xcs_buf_add(out, line.p ? line.p : "", line.n);
	xcs_buf_putc(out, '\n');
	xcs_buf_fini(&line);
}

/* The first strip behind `from` that does not fit any more; at least one does. */
static size_t fits_until(const struct layout *l, size_t from)
{
	size_t used = 0, to = from;

	for (size_t i = 0; i < l->n_strips; i++)
		if (l->strips[i].is_key)
			used += l->strips[i].width + GAP;
	while (to < l->n_strips && used + l->strips[to].width <= TEXT_WIDTH)
		used += l->strips[to++].width + GAP;
	return to > from ? to : from + 1;
}

void text_table(struct xcs_buf *out, const struct xcs_doc_table *t)
{
	struct layout l;
	size_t from = 0;

	lay_out(&l, t);
	while (from < l.n_strips && l.strips[from].is_key)
		from++;
	while (from < l.n_strips) {
		size_t to = fits_until(&l, from);
		for (int r = LINE_HEADING; r < (int)l.n_rows; r++)
			if (r != LINE_UNIT || has_units(&l))
				put_line(out, &l, from, to, r);
		from = to;
		if (from < l.n_strips)
			xcs_buf_putc(out, '\n');
	}
	if (l.legend.n)
		xcs_buf_add(out, l.legend.p, l.legend.n);
	for (size_t i = 0; i < l.n_strips; i++) {
		for (size_t r = 0; r < l.n_rows; r++)
			free(l.strips[i].texts[r]);
		free(l.strips[i].texts);
	}
	free(l.strips);
	xcs_buf_fini(&l.legend);
}
