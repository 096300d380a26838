/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Samples of counters as others' scripts keep them in JSON:
 *   {"kernel": "6.18.0", "complete": true, "samples": [{"t": 0.0, "ctxt": 1000}, ...]}
 */
#ifndef XCS_SAMPLE_LIST_H
#define XCS_SAMPLE_LIST_H

#include <common/err.h>
#include <common/str.h>
#include <record/table.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_sample_list {
	char *kernel, *boot_id; /* owned, as all here; NULL: not told */
	bool incomplete;        /* the list says so of itself */
	char **names;           /* of the counters */
	size_t n_names;
	struct xcs_num *t_s; /* seconds, from anywhere; unknown: rows are not in time */
	struct xcs_num *v;   /* row after row, n_names each */
	size_t n_rows, cap_t, cap_v;
};

void xcs_sample_list_fini(struct xcs_sample_list *l); /* a zeroed one is fine */

/* For parsers: the index of a counter, added if need be and if no row is there yet; else -1. */
int xcs_sample_list_name(struct xcs_sample_list *l, struct xcs_str name);

/* A row of unknown values; valid until the next. */
struct xcs_num *xcs_sample_list_row(struct xcs_sample_list *l, struct xcs_num t_s);

/*
 * Reads the JSON form. A file that is cut short is refused as a whole: a number at its end
 * may lack digits. Returns 0 or -EINVAL with the sentence and nothing to end.
 */
int xcs_sample_list_parse(struct xcs_sample_list *l, struct xcs_str text,
                          struct xcs_err *err) XCS_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
