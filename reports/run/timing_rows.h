/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the tables of timed commands share. Private to reports/.
 */
#ifndef XCS_REPORT_TIMING_ROWS_H
#define XCS_REPORT_TIMING_ROWS_H

#include <reports/document.h>
#include <reports/timings.h>

struct timing_column {
	enum xcs_metric_id metric; /* one of "command.*" */
	const char *heading;
	bool with_range;
};

/* Nice level that the run's plan gives to a client of that load. */
int timing_client_nice(const struct xcs_run_load *load, int client);

/* Appends one cell to the list of those whose elapsed times do not differ at all, if it is
 * one; `who` is a terminal's role, or NULL. And the sentence about that list. */
void timing_add_constant(const struct xcs_summary *s, size_t cell, const char *who,
                         struct xcs_buf *list);
void timing_flag_constant(struct xcs_buf *list, struct xcs_section *section);

/* One sentence when a cell of these loads rests on one run. */
void timing_flag_single(const struct xcs_summary *s, bool (*is_of)(const struct xcs_run_load *),
                        struct xcs_section *section);

/* The cell of a load at a level of the server, without busy loops if there is such; or -1. */
int timing_cell_at(const struct xcs_summary *s, int load, int x_nice);

/* "0.548/0.267/0.052": real, user and system time of a cell, or why it has none. */
void timing_set_triple(struct xcs_cell *into, const struct xcs_summary *s, size_t cell);

#endif
