/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From boot values to a verdict on one metric: xcs_judge tests, the caller puts Holm's
 * adjusted p over all gate metrics (or a q) into p_adjusted, xcs_judge_verdict decides.
 */
#ifndef XCS_JUDGE_H
#define XCS_JUDGE_H

#include <record/metric.h>
#include <reports/permutation.h>

#ifdef __cplusplus
extern "C" {
#endif

#define XCS_ALPHA     0.05
#define XCS_GATES_MAX 5 /* with more, three blocks could not reach alpha after Holm */

enum xcs_verdict {
	XCS_VERDICT_REGRESSION,
	XCS_VERDICT_IMPROVEMENT,
	XCS_VERDICT_EQUIVALENT, /* the interval lies inside the margin */
	XCS_VERDICT_NOT_SHOWN,
	XCS_VERDICT_INVALID /* not comparable; never given by xcs_judge_verdict */
};

const char *xcs_verdict_name(enum xcs_verdict v); /* "not shown" */

/* The boots under test. */
struct xcs_layout {
	const int *block;
	const bool *is_new;
	size_t n;
	const struct xcs_permutation *permutation; /* of these; NULL: no block has both sides */
};

struct xcs_judgement {
	struct xcs_num shift_pct;            /* Hodges-Lehmann, new against base */
	struct xcs_num lower_pct, upper_pct; /* 95 % */
	struct xcs_num p, p_adjusted;
	double margin_pct; /* smaller shifts count as none: set before the data are seen */
	double floor_pct;  /* the margin, or what the baseline differs from itself if more */
	struct xcs_num detectable_pct; /* found 4 times in 5; never under the floor */
	struct xcs_num n_more_boots;   /* until the margin would be detectable */
	bool two_clusters;             /* the boots of a side fall into two heaps */
};

/* The least margin: 3 %, for a 99th percentile 10 % (its A/A differences are that large). */
double xcs_margin_pct(const char *metric_id);

/*
 * `v` holds one positive value per boot; if one is not, nothing but the margin is known.
 * `stored_floor`: a difference of logarithms from A/A campaigns, or unknown. n_gates: tests
 * that Holm will adjust for; 1 for none.
 */
void xcs_judge(const struct xcs_layout *l, const double *v, double margin_pct,
               struct xcs_num stored_floor, size_t n_gates, struct xcs_judgement *j);

enum xcs_verdict xcs_judge_verdict(const struct xcs_judgement *j, enum xcs_better better);

/*
 * True when n >= 6 ascending values fall into two heaps of at least two each, with a gap of
 * more than six times the wider heap and 5 % of the median: a mean or a median describes
 * neither (cores of two kinds, a mode that is on or off). *n_low: values in the lower one.
 */
bool xcs_two_clusters(const double *sorted, size_t n, size_t *n_low);

#ifdef __cplusplus
}
#endif
#endif
