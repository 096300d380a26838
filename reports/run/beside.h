/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A run next to the published rows of the same experiment. Private to reports/.
 */
#ifndef XCS_REPORT_BESIDE_H
#define XCS_REPORT_BESIDE_H

#include "report.h"

#include <record/reference.h>

struct beside {
	const struct xcs_summary *s;
	const struct xcs_reference_experiment *e;
	struct xcs_doc *doc;
};

/* A metric that both have, as a column. */
struct beside_column {
	enum xcs_metric_id metric;
	const char *heading;
	bool with_range;
};

/* Appends n columns and returns their number. */
size_t beside_columns(struct xcs_column *into, const struct beside_column *columns, size_t n);

/* Sets the cells of these columns from a published row, or from a cell's summary. */
void beside_set_then(struct xcs_cell *row, const struct beside_column *columns, size_t n,
                     const struct xcs_reference_row *from);
void beside_set_now(struct xcs_cell *row, const struct beside_column *columns, size_t n,
                    const struct xcs_summary *s, size_t cell);

/* Values of a metric that a row gives: their number, median and range; n = 0 without. */
struct xcs_spread beside_spread(const struct xcs_reference_row *row, const char *metric);

/* What the first column calls a row: the short name of the kernel, or "now, LOAD". */
const char *beside_then_name(const struct xcs_reference_row *row);
char *beside_now_name_dup(const struct xcs_summary *s, size_t cell);

struct xcs_column beside_name_column(void);
struct xcs_column beside_nice_column(const struct xcs_summary *s);

/* Loads that are sampled, without busy loops beside them, have their place in A and B. */
bool beside_is_sampled(const struct xcs_summary *s, size_t cell);

/* Single samples as vmstat would print them, published ones first. */
void beside_samples(const struct beside *b, struct xcs_section *section, bool whole_machine);

/* The experiments' layouts; each adds its sections. */
void beside_flood(const struct beside *b);     /* A */
void beside_idle(const struct beside *b);      /* B */
void beside_terminals(const struct beside *b); /* C */
void beside_commands(const struct beside *b);  /* D */

#endif
