/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The character cells of a terminal's screen and its cursor. Pure memory: no drawing.
 */
#ifndef XCS_GRID_H
#define XCS_GRID_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct grid {
	int n_rows, n_columns;
	int row, column;   /* of the cursor, from 0 */
	bool wrap_pending; /* the last column was written; the next character goes below */
	int top;           /* private: the rows are a ring */
	char *cells;       /* private, owned */
};

/* A blank screen; both sizes at least 1. grid_fini of a zeroed grid is fine, twice is fine. */
void grid_init(struct grid *g, int n_rows, int n_columns);
void grid_fini(struct grid *g);

/* Gives it another size, keeping the lower left text; the cursor stays on its text. */
void grid_resize(struct grid *g, int n_rows, int n_columns);

/* The n_columns characters of a row, borrowed until the grid changes. */
const char *grid_row(const struct grid *g, int row);

/*
 * Writes as many of n characters as fit into the cursor's row, moves the cursor behind
 * them and returns how many. The caller wraps first if wrap_pending is set.
 */
int grid_put(struct grid *g, const char *run, size_t n);

void grid_carriage_return(struct grid *g);
void grid_backspace(struct grid *g);
void grid_tab(struct grid *g); /* to the next multiple of 8 */

/* Moves the cursor down; true when that moved all text up by a row instead. */
bool grid_line_feed(struct grid *g);

#ifdef __cplusplus
}
#endif
#endif
