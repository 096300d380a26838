/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A table of int64 cells with named columns: the form of all samples, in memory and on
 * disk. Readers find a column by name, so a column can be added without a new format.
 */
#ifndef XCS_TABLE_H
#define XCS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A cell that the kernel or the load did not say. Never 0. */
#define XCS_ABSENT INT64_MIN

/* A value that may be unknown; {0} is unknown. */
struct xcs_num {
	bool known;
	double v;
};

struct xcs_table_spec {
	const char *name;           /* "system", "task", ... */
	const char *const *columns; /* NULL-terminated, with units in the names */
};

struct xcs_table {
	char *name; /* owned, as are the columns and the cells */
	char **columns;
	size_t n_columns, n_rows, cap_rows;
	int64_t *cells; /* row after row */
};

/* Makes an empty table with room for that many rows before it allocates again. */
void xcs_table_init(struct xcs_table *t, const struct xcs_table_spec *spec, size_t cap_rows);
void xcs_table_fini(struct xcs_table *t);

/* Adds a row of n_columns cells, all XCS_ABSENT, and returns it; valid until the next add. */
int64_t *xcs_table_add_row(struct xcs_table *t);

/* Index of a column, or -1 when this table has none of that name. */
int xcs_table_column(const struct xcs_table *t, const char *name);

/* A cell by row and column index; XCS_ABSENT for column -1. */
int64_t xcs_table_get(const struct xcs_table *t, size_t row, int column);

#ifdef __cplusplus
}
#endif
#endif
