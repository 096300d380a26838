/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Parts of a comparison. Private to reports/.
 */
#ifndef XCS_COMPARE_PRIVATE_H
#define XCS_COMPARE_PRIVATE_H

#include <reports/compare.h>

/* The boots of the base and one other group, in blocks. Base's come first. */
struct pair_boots {
	const struct xcs_campaign_boot **v; /* owned array of borrowed boots, as all below */
	bool *is_new;
	int *block;
	size_t n, n_base, n_blocks;
	struct xcs_permutation *permutation; /* of all of them; NULL as xcs_permutation_new says */
};

void pair_boots_init(struct pair_boots *p, const struct xcs_campaign *c, size_t group);
void pair_boots_fini(struct pair_boots *p);

/*
 * The values of one metric in cell (-1: all), and what the test makes of them. n_gates as in
 * xcs_judge; the row's metric and cell are set.
 */
void compare_row(struct xcs_compare_row *row, const struct xcs_campaign *c,
                 const struct pair_boots *boots, double margin_pct, struct xcs_num stored_floor,
                 size_t n_gates);

/* Fills x->hard and x->soft. */
void compare_facts(struct xcs_comparison *x);

/* What stands first in every report. The caller frees. */
char *compare_headline_dup(const struct xcs_comparison *x);
char *compare_sentence_dup(const struct xcs_comparison *x, const struct xcs_compare_pair *pair);

/* Parts of the document. */
void compare_remarks(const struct xcs_comparison *x, struct xcs_section *face);
void compare_environment(const struct xcs_comparison *x, struct xcs_doc *doc);
void compare_method(const struct xcs_comparison *x, struct xcs_doc *doc);

void compare_charts(const struct xcs_comparison *x, struct xcs_doc *doc);
void compare_imported(const struct xcs_comparison *x, struct xcs_doc *doc);
void compare_tables(const struct xcs_comparison *x, struct xcs_doc *doc);
void compare_boots(const struct xcs_comparison *x, struct xcs_doc *doc);
void compare_machine(const struct xcs_comparison *x, struct xcs_doc *doc);

#endif
