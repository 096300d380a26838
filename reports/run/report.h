/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The parts of a run's report, in the order in which they stand. Private to reports/.
 */
#ifndef XCS_REPORT_PARTS_H
#define XCS_REPORT_PARTS_H

#include <reports/run_report.h>

void report_face(const struct xcs_summary *s, struct xcs_doc *doc);
void report_conditions(const struct xcs_summary *s, struct xcs_doc *doc);
void report_renice(const struct xcs_summary *s, struct xcs_doc *doc);
void report_beside(const struct xcs_summary *s, const struct xcs_reference *set,
                   struct xcs_doc *doc);
void report_looks(const struct xcs_summary *s, struct xcs_doc *doc);
void report_profile(const struct xcs_summary *s, struct xcs_doc *doc);
void report_face_profile(const struct xcs_summary *s, struct xcs_section *face); /* one line */
void report_loads(const struct xcs_summary *s, struct xcs_doc *doc);
void report_settings(const struct xcs_summary *s, struct xcs_doc *doc);
void report_charts(const struct xcs_summary *s, struct xcs_doc *doc);
void report_tables(const struct xcs_summary *s, struct xcs_doc *doc);
void report_timings(const struct xcs_summary *s, struct xcs_doc *doc);
void report_commands(const struct xcs_summary *s, struct xcs_doc *doc);
void report_averages(const struct xcs_summary *s, struct xcs_doc *doc);
void report_ratios(const struct xcs_summary *s, struct xcs_doc *doc);
void report_account(const struct xcs_summary *s, struct xcs_doc *doc);
void report_hogs(const struct xcs_summary *s, struct xcs_doc *doc);
void report_checks(const struct xcs_summary *s, struct xcs_doc *doc);
void report_trials(const struct xcs_summary *s, struct xcs_doc *doc);
void report_not_measured(const struct xcs_summary *s, struct xcs_doc *doc);
void report_observer(const struct xcs_summary *s, struct xcs_doc *doc);
/* All of it, for a run that was imported. */
void report_imported(const struct xcs_summary *s, struct xcs_doc *doc);
void report_reproduce(const struct xcs_summary *s, struct xcs_doc *doc);

bool report_is_relative(const struct xcs_summary *s);

/* Did the probe find that renice has no effect between server and load? */
bool report_renice_is_null(const struct xcs_summary *s);

/* Of what a column of levels is the nice: "X nice", "X nice*" where that is without effect. */
const char *report_nice_heading(const struct xcs_summary *s);

/* Says what the "*" means, if the headings have one. */
void report_nice_note(const struct xcs_summary *s, struct xcs_section *section);

bool report_has_hogs(const struct xcs_summary *s); /* beside the load of any cell */

/* Appends what a sentence calls a cell: "xterm, X nice -10, 2 hogs". */
void report_name_cell(const struct xcs_summary *s, size_t cell, struct xcs_buf *into);

/* A metric as a column: title, unit, digits and definition are its own. */
struct xcs_column report_metric_column(enum xcs_metric_id id, const char *heading, bool with_range);

/* Why a cell has no figures, in a word for its row ("failed"); NULL when it has some. */
const char *report_hole(const struct xcs_summary *s, size_t cell);

/* One item for each such cell, of the loads that are timed or of those that are sampled. */
void report_hole_reasons(const struct xcs_summary *s, bool timed, struct xcs_section *section);

/* The columns that name a row of cells, and their values. `columns` holds REPORT_KEYS_MAX;
 * returns how many are used. */
enum {
	REPORT_KEYS_MAX = 5
};
size_t report_key_columns(const struct xcs_summary *s, struct xcs_column *columns);
size_t report_set_keys(const struct xcs_summary *s, size_t cell, struct xcs_cell *row);

#endif
