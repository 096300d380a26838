/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <terminal/grid.h>

#include <stdlib.h>
#include <string.h>

enum {
	TAB_COLUMNS = 8
};

static char *cells_of(const struct grid *g, int row)
{
	return g->cells + (size_t)((g->top + row) % g->n_rows) * (size_t)g->n_columns;
}

void grid_init(struct grid *g, int n_rows, int n_columns)
{
	size_t n = (size_t)n_rows * (size_t)n_columns;

	*g = (struct grid){.n_rows = n_rows, .n_columns = n_columns, .cells = xcs_xmalloc(n)};
	memset(g->cells, ' ', n);
}

void grid_fini(struct grid *g)
{
	free(g->cells);
	g->cells = NULL;
}

void grid_resize(struct grid *g, int n_rows, int n_columns)
{
	struct grid old = *g;
	int n_keep = old.n_rows < n_rows ? old.n_rows : n_rows;
	int n_wide = old.n_columns < n_columns ? old.n_columns : n_columns;
	/* The rows that fall off are those above the cursor's, as far as there are any. */
	int skip = old.row >= n_rows ? old.row - n_rows + 1 : 0;

	grid_init(g, n_rows, n_columns);
	for (int i = 0; i < n_keep && skip + i < old.n_rows; i++)
		memcpy(cells_of(g, i), cells_of(&old, skip + i), (size_t)n_wide);
	g->row = old.row - skip;
	g->column = old.column < n_columns ? old.column : n_columns - 1;
	grid_fini(&old);
}

const char *grid_row(const struct grid *g, int row)
{
	return cells_of(g, row);
}

int grid_put(struct grid *g, const char *run, size_t n)
{
	size_t room = (size_t)(g->n_columns - g->column);
	size_t n_put = n < room ? n : room;

	memcpy(cells_of(g, g->row) + g->column, run, n_put);
	g->column += (int)n_put;
	g->wrap_pending = g->column == g->n_columns;
	if (g->wrap_pending)
		g->column--;
	return (int)n_put;
}

void grid_carriage_return(struct grid *g)
{
	g->column = 0;
	g->wrap_pending = false;
}

void grid_backspace(struct grid *g)
{
	g->wrap_pending = false;
	if (g->column > 0)
		g->column--;
}

void grid_tab(struct grid *g)
{
	g->column += TAB_COLUMNS - g->column % TAB_COLUMNS;
	if (g->column >= g->n_columns)
		g->column = g->n_columns - 1;
}

bool grid_line_feed(struct grid *g)
{
	g->wrap_pending = false;
	if (g->row < g->n_rows - 1) {
		g->row++;
		return false;
	}
	g->top = (g->top + 1) % g->n_rows;
	memset(cells_of(g, g->n_rows - 1), ' ', (size_t)g->n_columns);
	return true;
}
