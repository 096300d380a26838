/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <reports/judge.h>
#include <reports/shift.h>

#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLUSTER_BOOTS 6
#define CLUSTER_GAP   6.0
#define CLUSTER_SHARE 0.05

const char *xcs_verdict_name(enum xcs_verdict v)
{
	static const char *const names[] = {"regression", "improvement", "equivalent", "not shown",
	                                    "invalid"};

	return names[v];
}

double xcs_margin_pct(const char *metric_id)
{
	return strstr(metric_id, "p99") ? 10 : 3;
}

bool xcs_two_clusters(const double *sorted, size_t n, size_t *n_low)
{
	size_t at = 2;

	if (n < CLUSTER_BOOTS)
		return false;
	for (size_t i = 2; i + 2 <= n; i++)
		if (sorted[i] - sorted[i - 1] > sorted[at] - sorted[at - 1])
			at = i;
	double gap = sorted[at] - sorted[at - 1];
	double width = fmax(sorted[at - 1] - sorted[0], sorted[n - 1] - sorted[at]);
	*n_low = at;
	return gap > CLUSTER_GAP * width && gap > CLUSTER_SHARE * fabs(sorted[n / 2]);
}

static bool side_has_clusters(const struct xcs_layout *l, const double *v, bool is_new)
{
	double *side = xcs_xcalloc(l->n + 1, sizeof(*side));
	size_t n = 0, n_low;

	for (size_t i = 0; i < l->n; i++)
		if (l->is_new[i] == is_new)
			side[n++] = v[i];
	gsl_sort(side, 1, n);
	bool found = xcs_two_clusters(side, n, &n_low);
	free(side);
	return found;
}

static struct xcs_num pct(struct xcs_num log_ratio)
{
	return log_ratio.known ? xcs_num_of(xcs_pct_of_log(log_ratio.v)) : log_ratio;
}

static void raise_floor(struct xcs_judgement *j, struct xcs_num to)
{
	if (to.known)
		j->floor_pct = fmax(j->floor_pct, xcs_pct_of_log(to.v));
}

static void shift_of(const struct xcs_layout *l, const double *logs, struct xcs_judgement *j)
{
	struct xcs_shift_test test;
	struct xcs_num shift = xcs_hodges_lehmann(logs, l->block, l->is_new, l->n);

	xcs_permutation_test(l->permutation, logs, XCS_ALPHA, &test);
	j->p = test.p;
	j->shift_pct = pct(shift);
	/* The interval is that of the means, the estimate a median of differences: where a far
	 * value parts them, the interval is drawn out to hold the estimate. */
	if (test.lower.known)
		j->lower_pct = xcs_num_of(xcs_pct_of_log(fmin(test.lower.v, shift.v)));
	if (test.upper.known)
		j->upper_pct = xcs_num_of(xcs_pct_of_log(fmax(test.upper.v, shift.v)));
}

static void sensitivity_of(const struct xcs_layout *l, const double *logs, size_t n_gates,
                           struct xcs_judgement *j)
{
	double weight = xcs_permutation_weight(l->permutation);
	double alpha = XCS_ALPHA / (double)(n_gates ? n_gates : 1);
	struct xcs_pooled baseline = xcs_pool(logs, l->block, l->is_new, l->n, 0);
	struct xcs_pooled both = xcs_pool(logs, l->block, l->is_new, l->n, -1);

	raise_floor(j, xcs_aa_floor(&baseline, weight));
	j->detectable_pct = pct(xcs_detectable(&both, weight, alpha));
	if (j->detectable_pct.known)
		j->detectable_pct.v = fmax(j->detectable_pct.v, j->floor_pct);
	size_t needed = 4 * xcs_blocks_needed(&both, xcs_log_of_pct(j->margin_pct), alpha);
	if (needed)
		j->n_more_boots = xcs_num_of(needed > l->n ? (double)(needed - l->n) : 0);
}

void xcs_judge(const struct xcs_layout *l, const double *v, double margin_pct,
               struct xcs_num stored_floor, size_t n_gates, struct xcs_judgement *j)
{
	*j = (struct xcs_judgement){.margin_pct = margin_pct, .floor_pct = margin_pct};
	bool positive = l->permutation != NULL;
	double *logs = xcs_xcalloc(l->n + 1, sizeof(*logs));

	for (size_t i = 0; i < l->n; i++) {
		positive = positive && v[i] > 0 && isfinite(v[i]);
		logs[i] = positive ? log(v[i]) : 0;
	}
	if (positive) {
		raise_floor(j, stored_floor);
		shift_of(l, logs, j);
		sensitivity_of(l, logs, n_gates, j);
		j->two_clusters = side_has_clusters(l, v, false) || side_has_clusters(l, v, true);
	}
	free(logs);
}

static bool inside_margin(const struct xcs_judgement *j)
{
	double margin = xcs_log_of_pct(j->margin_pct);

	return j->lower_pct.known && j->upper_pct.known &&
	       fabs(xcs_log_of_pct(j->lower_pct.v)) <= margin &&
	       fabs(xcs_log_of_pct(j->upper_pct.v)) <= margin;
}

enum xcs_verdict xcs_judge_verdict(const struct xcs_judgement *j, enum xcs_better better)
{
	if (!j->p_adjusted.known || !j->shift_pct.known || j->two_clusters)
		return XCS_VERDICT_NOT_SHOWN;
	bool large = fabs(xcs_log_of_pct(j->shift_pct.v)) >= xcs_log_of_pct(j->floor_pct);
	bool more = j->shift_pct.v > 0;

	if (j->p_adjusted.v <= XCS_ALPHA && large && better != XCS_BETTER_NONE)
		return more == (better == XCS_BETTER_MORE) ? XCS_VERDICT_IMPROVEMENT
		                                           : XCS_VERDICT_REGRESSION;
	return inside_margin(j) ? XCS_VERDICT_EQUIVALENT : XCS_VERDICT_NOT_SHOWN;
}
