/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Verdicts in words.
 */
#include "compare_private.h"

#include <common/alloc.h>
#include <common/buf.h>

#include <stdlib.h>
#include <string.h>

static const struct xcs_metric *metric_of(const struct xcs_compare_row *row)
{
	return xcs_metric((enum xcs_metric_id)row->metric);
}

static void put_name(struct xcs_buf *b, const struct xcs_comparison *x,
                     const struct xcs_compare_row *row)
{
	xcs_buf_puts(b, metric_of(row)->id);
	if (row->cell >= 0)
		xcs_buf_printf(b, " (%s)", x->campaign->cells[row->cell]);
}

/* "lines -8.1 % (-10.2 to -6.0; p 0.009)" */
static void put_shift(struct xcs_buf *b, const struct xcs_comparison *x,
                      const struct xcs_compare_row *row, bool tested)
{
	const struct xcs_judgement *j = &row->judged;

	put_name(b, x, row);
	if (j->shift_pct.known)
		xcs_buf_printf(b, " %+.1f %%", j->shift_pct.v);
	else
		xcs_buf_puts(b, " n/a");
	if (!tested || !j->p_adjusted.known)
		return;
	xcs_buf_puts(b, " (");
	if (j->lower_pct.known && j->upper_pct.known)
		xcs_buf_printf(b, "%+.1f to %+.1f; ", j->lower_pct.v, j->upper_pct.v);
	xcs_buf_printf(b, "p %.2g)", j->p_adjusted.v);
}

/* All gates with that verdict; returns how many. */
static size_t put_gates(struct xcs_buf *b, const struct xcs_comparison *x,
                        const struct xcs_compare_pair *pair, enum xcs_verdict v)
{
	size_t n = 0;

	for (size_t i = 0; i < pair->n_gates; i++) {
		if (pair->gates[i].verdict != v)
			continue;
		xcs_buf_puts(b, n++ ? ", " : "");
		put_shift(b, x, &pair->gates[i], true);
	}
	return n;
}

static void put_all_shifts(struct xcs_buf *b, const struct xcs_comparison *x,
                           const struct xcs_compare_pair *pair)
{
	for (size_t i = 0; i < pair->n_gates; i++) {
		xcs_buf_puts(b, i ? ", " : " As measured: ");
		put_shift(b, x, &pair->gates[i], false);
	}
	xcs_buf_puts(b, pair->n_gates ? "." : "");
}

static void put_not_shown(struct xcs_buf *b, const struct xcs_comparison *x,
                          const struct xcs_compare_row *row)
{
	const struct xcs_judgement *j = &row->judged;

	xcs_buf_puts(b, " ");
	put_shift(b, x, row, true);
	if (j->two_clusters)
		xcs_buf_puts(b, ": its boots fall into two heaps, which no median describes.");
	else if (!j->p.known)
		xcs_buf_puts(b, ": without values above 0 on both sides there is no test.");
	else if (!j->detectable_pct.known)
		xcs_buf_puts(b, ": what could have been found is not known with one boot a block.");
	else
		xcs_buf_printf(b, ": %.1f %% would have been found 4 times in 5",
		               j->detectable_pct.v);
	if (!j->p.known || j->two_clusters || !j->detectable_pct.known)
		return;
	if (j->n_more_boots.known && j->n_more_boots.v > 0)
		xcs_buf_printf(b, "; for %g %% run %.0f more boots.", j->margin_pct,
		               j->n_more_boots.v);
	else
		xcs_buf_puts(b, ".");
}

static void put_judged(struct xcs_buf *b, const struct xcs_comparison *x,
                       const struct xcs_compare_pair *pair)
{
	static const struct {
		enum xcs_verdict v;
		const char *word;
	} told[] = {
	        {XCS_VERDICT_REGRESSION,  "Regression: " },
	        {XCS_VERDICT_IMPROVEMENT, "Improvement: "},
	        {XCS_VERDICT_EQUIVALENT,  "Equivalent: " },
	};

	for (size_t i = 0; i < ARRAY_LEN(told); i++) {
		struct xcs_buf list = {0};
		if (put_gates(&list, x, pair, told[i].v))
			xcs_buf_printf(b, "%s%s%s.", b->n ? " " : "", told[i].word, list.p);
		xcs_buf_fini(&list);
	}
	bool first = true;
	for (size_t i = 0; i < pair->n_gates; i++) {
		if (pair->gates[i].verdict != XCS_VERDICT_NOT_SHOWN)
			continue;
		if (first)
			xcs_buf_printf(b, "%sNot shown:", b->n ? " " : "");
		first = false;
		put_not_shown(b, x, &pair->gates[i]);
	}
}

char *compare_sentence_dup(const struct xcs_comparison *x, const struct xcs_compare_pair *pair)
{
	struct xcs_buf all = {0}, b = {0};
	const struct xcs_campaign *c = x->campaign;

	switch (pair->standing) {
	case XCS_STANDING_JUDGED:
		put_judged(&b, x, pair);
		break;
	case XCS_STANDING_SUGGESTIVE:
		xcs_buf_puts(&b, "Suggestive at most: one boot on a side. Trials of one boot do "
		                 "not tell how boots differ, so nothing is tested.");
		put_all_shifts(&b, x, pair);
		break;
	case XCS_STANDING_DESCRIPTIVE:
		xcs_buf_printf(&b, "Description only (%s): nothing is tested.", pair->why);
		put_all_shifts(&b, x, pair);
		break;
	case XCS_STANDING_INVALID:
		xcs_buf_printf(&b, "Invalid: %s. Nothing is concluded.", pair->why);
		break;
	}
	xcs_buf_printf(&all, "%s against %s: %s", c->groups[pair->group].key, c->groups[0].key,
	               b.p);
	xcs_buf_fini(&b);
	return xcs_buf_take(&all);
}

static const char *standing_word(const struct xcs_compare_pair *pair)
{
	if (pair->standing == XCS_STANDING_SUGGESTIVE)
		return "suggestive at most (one boot a side)";
	if (pair->standing == XCS_STANDING_DESCRIPTIVE)
		return "description only";
	return xcs_verdict_name(pair->verdict);
}

char *compare_headline_dup(const struct xcs_comparison *x)
{
	const struct xcs_campaign *c = x->campaign;
	struct xcs_buf b = {0};

	for (size_t i = 0; i < x->n_pairs; i++)
		xcs_buf_printf(&b, "%s%s: %s", i ? "; " : "", c->groups[x->pairs[i].group].key,
		               standing_word(&x->pairs[i]));
	if (!x->n_pairs)
		xcs_buf_puts(&b, "nothing to compare");
	xcs_buf_printf(&b, "; against %s (%s)", c->n_groups ? c->groups[0].key : "nothing",
	               c->scenario ? c->scenario : "no run");
	return xcs_buf_take(&b);
}

static void remark_heaps(const struct xcs_comparison *x, const struct xcs_compare_pair *pair,
                         struct xcs_section *face)
{
	for (size_t i = 0; i < pair->n_gates; i++)
		for (int side = 0; side < 2; side++) {
			const struct xcs_compare_row *row = &pair->gates[i];
			const struct xcs_compare_heaps *h = &row->heaps[side];
			size_t group = side ? pair->group : 0;
			if (h->n_low && (side || pair == x->pairs))
				xcs_doc_item(face,
				             "%s of %s: two clusters, about %.*f in %zu boots and "
				             "%.*f in %zu. Look for what differs between them "
				             "(kinds of cores, a mode that is on or off).",
				             metric_of(row)->id, x->campaign->groups[group].key,
				             metric_of(row)->digits, h->low, h->n_low,
				             metric_of(row)->digits, h->high, h->n_high);
		}
}

static void remark_constants(const struct xcs_compare_pair *pair, struct xcs_section *face)
{
	for (size_t i = 0; i < pair->n_gates; i++)
		if (pair->gates[i].constant)
			xcs_doc_item(face,
			             "%s is suspiciously constant: three trials or more of a boot "
			             "agree to the last digit. Does something else than the "
			             "kernel, a timer perhaps, set it?",
			             metric_of(&pair->gates[i])->id);
}

static void remark_pair(const struct xcs_comparison *x, const struct xcs_compare_pair *pair,
                        struct xcs_section *face)
{
	const char *key = x->campaign->groups[pair->group].key;

	if (pair->n_rebooted)
		xcs_doc_item(face,
		             "%s: the machine went down under %zu of its runs. That is a result "
		             "of its own, and no pass.",
		             key, pair->n_rebooted);
	if (!pair->are_mixed && pair->standing == XCS_STANDING_JUDGED)
		xcs_doc_item(face,
		             "The boots of %s and of the base do not alternate in time: a drift of "
		             "the machine would look the same as a shift of the kernel.",
		             key);
	remark_heaps(x, pair, face);
	remark_constants(pair, face);
}

/* Of one run nobody knows what the next would have given. */
static void remark_single_runs(const struct xcs_campaign *c, struct xcs_section *face)
{
	for (size_t g = 0; g < c->n_groups; g++) {
		const struct xcs_known_fact *f =
		        xcs_campaign_fact(&c->groups[g], "imported.samples");
		if (f && f->n_values == 1 && strcmp(f->values[0], "1") == 0)
			xcs_doc_item(face, "%s: single run, so its spread is unknown.",
			             c->groups[g].key);
	}
}

static void remark_left_out(const struct xcs_campaign *c, struct xcs_section *face)
{
	size_t n = 0, n_unreadable = 0;

	for (size_t g = 0; g < c->n_groups; g++)
		for (size_t i = 0; i < c->groups[g].n_runs; i++) {
			n += c->groups[g].runs[i].left_out != NULL;
			n_unreadable += c->groups[g].runs[i].n_unreadable;
		}
	if (n)
		xcs_doc_item(face, "%zu runs take no part; see Kernels and boots.", n);
	if (n_unreadable)
		xcs_doc_item(face, "%zu trials have no readable samples and are left out.",
		             n_unreadable);
}

void compare_remarks(const struct xcs_comparison *x, struct xcs_section *face)
{
	for (size_t i = 0; i < x->n_pairs; i++)
		remark_pair(x, &x->pairs[i], face);
	remark_single_runs(x->campaign, face);
	remark_left_out(x->campaign, face);
}
