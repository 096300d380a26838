/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What every import parser makes of a foreign text: series of rows with named columns, and
 * sentences about what was done to read them.
 */
#ifndef XCS_IMPORT_SERIES_H
#define XCS_IMPORT_SERIES_H

#include <common/str.h>
#include <record/table.h>

#ifdef __cplusplus
extern "C" {
#endif

enum xcs_first_row { /* vmstat's first row is an average since boot */
	XCS_FIRST_ROW_AUTO,
	XCS_FIRST_ROW_DROP,
	XCS_FIRST_ROW_KEEP
};

struct xcs_import_series {
	char *label;      /* what tables call it; owned, as are all strings here */
	char *heading;    /* the text right above it; NULL: none, as below */
	char *command;    /* the command line that made it, where the text shows one */
	char *kernel;     /* release, where the text says it */
	char *boot_id;    /* of the machine, likewise */
	char *exit_codes; /* of a timed command: "0", "0, 1", "not recorded"; NULL: not timed */
	int quote_depth;  /* of a mail: how often it was quoted */
	char **columns;
	size_t n_columns;
	struct xcs_num *cells; /* row after row */
	size_t n_rows, cap_rows;
	/* Of the first column, where the text has no rows but says these. */
	struct xcs_num stated_mean, stated_spread, stated_min, stated_max;
	int n_dropped_since_boot;
	int64_t interval_ns;   /* between rows; 0: rows are not in time */
	bool interval_assumed; /* nothing in the text says it */
	bool rows_are_runs;    /* each row is a run of its own, with rates in it */
	bool incomplete;       /* the text ends before the measurement did */
	bool rebooted;         /* incomplete, since the machine went down under it */
	char **notes;
	size_t n_notes, cap_notes;
};

struct xcs_import {
	struct xcs_import_series *v; /* owned, in the order of the text */
	size_t n, cap;
};

void xcs_import_fini(struct xcs_import *import); /* a zeroed import is a valid empty one */

/* A new empty series at the end; valid until the next one. */
struct xcs_import_series *xcs_import_add(struct xcs_import *import);
void xcs_series_fini(struct xcs_import_series *s);

void xcs_series_add_column(struct xcs_import_series *s, struct xcs_str name); /* before rows */

/* A row of unknown cells at the end, valid until the next one. */
struct xcs_num *xcs_series_add_row(struct xcs_import_series *s);
void xcs_series_drop_first_row(struct xcs_import_series *s);

int xcs_series_column(const struct xcs_import_series *s, const char *name); /* or -1 */

/* A cell; unknown for column -1. */
struct xcs_num xcs_series_get(const struct xcs_import_series *s, size_t row, int column);

/* Keeps a sentence, once. */
void xcs_series_note(struct xcs_import_series *s, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/* Gives every series without a label "series N", with its quote depth where one is quoted. */
void xcs_import_label(struct xcs_import *import);

#ifdef __cplusplus
}
#endif
#endif
