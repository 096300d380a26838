/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <common/buf.h>
#include <reports/import/series.h>

#include <stdlib.h>
#include <string.h>

static void strings_free(char **v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(v[i]);
	free(v);
}

void xcs_series_fini(struct xcs_import_series *s)
{
	free(s->label);
	free(s->heading);
	free(s->command);
	free(s->kernel);
	free(s->boot_id);
	free(s->exit_codes);
	free(s->cells);
	strings_free(s->columns, s->n_columns);
	strings_free(s->notes, s->n_notes);
	*s = (struct xcs_import_series){0};
}

void xcs_import_fini(struct xcs_import *import)
{
	for (size_t i = 0; i < import->n; i++)
		xcs_series_fini(&import->v[i]);
	free(import->v);
	*import = (struct xcs_import){0};
}

struct xcs_import_series *xcs_import_add(struct xcs_import *import)
{
	import->v = xcs_xgrow(import->v, import->n, &import->cap, sizeof(*import->v));
	struct xcs_import_series *s = &import->v[import->n++];
	*s = (struct xcs_import_series){0};
	return s;
}

void xcs_series_add_column(struct xcs_import_series *s, struct xcs_str name)
{
	s->columns = xcs_xrealloc(s->columns, (s->n_columns + 1) * sizeof(*s->columns));
	s->columns[s->n_columns++] = xcs_xasprintf("%.*s", (int)name.n, name.p);
}

struct xcs_num *xcs_series_add_row(struct xcs_import_series *s)
{
	s->cells = xcs_xgrow(s->cells, s->n_rows, &s->cap_rows, s->n_columns * sizeof(*s->cells));
	struct xcs_num *row = s->cells + s->n_rows++ * s->n_columns;
	for (size_t i = 0; i < s->n_columns; i++)
		row[i] = (struct xcs_num){0};
	return row;
}

void xcs_series_drop_first_row(struct xcs_import_series *s)
{
	if (!s->n_rows)
		return;
	s->n_rows--;
	memmove(s->cells, s->cells + s->n_columns, s->n_rows * s->n_columns * sizeof(*s->cells));
	s->n_dropped_since_boot++;
}

int xcs_series_column(const struct xcs_import_series *s, const char *name)
{
	for (size_t i = 0; i < s->n_columns; i++)
		if (strcmp(s->columns[i], name) == 0)
			return (int)i;
	return -1;
}

struct xcs_num xcs_series_get(const struct xcs_import_series *s, size_t row, int column)
{
	return column < 0 ? (struct xcs_num){0} : s->cells[row * s->n_columns + (size_t)column];
}

void xcs_series_note(struct xcs_import_series *s, const char *fmt, ...)
{
	struct xcs_buf text = {0};
	va_list ap;

	va_start(ap, fmt);
	xcs_buf_vprintf(&text, fmt, ap);
	va_end(ap);
	char *note = xcs_buf_take(&text);
	for (size_t i = 0; i < s->n_notes; i++)
		if (strcmp(s->notes[i], note) == 0) {
			free(note);
			return;
		}
	s->notes = xcs_xgrow(s->notes, s->n_notes, &s->cap_notes, sizeof(*s->notes));
	s->notes[s->n_notes++] = note;
}

void xcs_import_label(struct xcs_import *import)
{
	bool quoted = false;

	for (size_t i = 0; i < import->n; i++)
		quoted |= import->v[i].quote_depth > 0;
	for (size_t i = 0; i < import->n; i++) {
		struct xcs_import_series *s = &import->v[i];
		if (s->label)
			continue;
		s->label = quoted ? xcs_xasprintf("series %zu (quoted depth %d)", i + 1,
		                                  s->quote_depth)
		                  : xcs_xasprintf("series %zu", i + 1);
	}
}
