/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <record/table.h>

#include <stdlib.h>
#include <string.h>

static size_t cells_bytes(size_t n_rows, size_t n_columns)
{
	size_t n;

	if (__builtin_mul_overflow(n_rows, n_columns, &n) ||
	    __builtin_mul_overflow(n, sizeof(int64_t), &n))
		return SIZE_MAX; /* no allocator has that much: ends as out of memory */
	return n;
}

void xcs_table_init(struct xcs_table *t, const struct xcs_table_spec *spec, size_t cap_rows)
{
	*t = (struct xcs_table){.name = xcs_xstrdup(spec->name), .cap_rows = cap_rows};
	while (spec->columns[t->n_columns])
		t->n_columns++;
	t->columns = xcs_xcalloc(t->n_columns, sizeof(*t->columns));
	for (size_t i = 0; i < t->n_columns; i++)
		t->columns[i] = xcs_xstrdup(spec->columns[i]);
	if (cap_rows)
		t->cells = xcs_xmalloc(cells_bytes(cap_rows, t->n_columns));
}

void xcs_table_fini(struct xcs_table *t)
{
	for (size_t i = 0; i < t->n_columns; i++)
		free(t->columns[i]);
	free(t->columns);
	free(t->name);
	free(t->cells);
	*t = (struct xcs_table){0};
}

int64_t *xcs_table_add_row(struct xcs_table *t)
{
	if (t->n_rows == t->cap_rows) {
		t->cap_rows = t->cap_rows ? t->cap_rows * 2 : 16;
		t->cells = xcs_xrealloc(t->cells, cells_bytes(t->cap_rows, t->n_columns));
	}
	int64_t *row = t->cells + t->n_rows++ * t->n_columns;
	for (size_t i = 0; i < t->n_columns; i++)
		row[i] = XCS_ABSENT;
	return row;
}

int xcs_table_column(const struct xcs_table *t, const char *name)
{
	for (size_t i = 0; i < t->n_columns; i++)
		if (strcmp(t->columns[i], name) == 0)
			return (int)i;
	return -1;
}

int64_t xcs_table_get(const struct xcs_table *t, size_t row, int column)
{
	if (row >= t->n_rows || column < 0 || (size_t)column >= t->n_columns)
		return XCS_ABSENT;
	return t->cells[row * t->n_columns + (size_t)column];
}
