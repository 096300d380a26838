/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How far two kernels lie apart, how far one lies from itself, and what could be seen.
 * Values are logarithms, one per boot; block and side as in permutation.h. Results are
 * differences of logarithms; xcs_pct_of_log makes per cent of them.
 */
#ifndef XCS_SHIFT_H
#define XCS_SHIFT_H

#include <reports/stats.h>

#ifdef __cplusplus
extern "C" {
#endif

double xcs_pct_of_log(double log_ratio); /* 0.0953 -> 10 */
double xcs_log_of_pct(double pct);       /* 10 -> 0.0953; above -100 */

/* Of n values, which it reorders; unknown for none. The boot value is this of its trials. */
struct xcs_num xcs_median(double *v, size_t n);

/*
 * The median of all differences new - base of boots of the same block (Hodges and Lehmann,
 * Ann. Math. Statist. 34, 1963, within strata). Unknown when no block has both.
 */
struct xcs_num xcs_hodges_lehmann(const double *v, const int *block, const bool *is_new, size_t n);

/* Spread between boots of one kernel within one block, pooled. */
struct xcs_pooled {
	double sum_sq;  /* of the distances to the mean of block and side */
	size_t freedom; /* degrees of; 0: nothing is known */
};

/* side 0: baseline's boots only, 1: those of the new, -1: both. */
struct xcs_pooled xcs_pool(const double *v, const int *block, const bool *is_new, size_t n,
                           int side);

/*
 * The A/A floor from the baseline's own boots: the shift that a comparison of this weight
 * (xcs_permutation_weight) of the baseline with itself stays below 19 times in 20. It is made
 * of differences between baseline boots of the same block: what drifts from block to block
 * cancels, as it does in the test, and all boots serve, which a split into halves of three
 * would not allow. Unknown when no block has two.
 */
struct xcs_num xcs_aa_floor(const struct xcs_pooled *baseline, double weight);

/*
 * The floor from stored A/A campaigns: the 95th percentile of their |shifts|, or with fewer
 * than 20 of them the largest. `shifts` is reordered. Unknown for none.
 */
struct xcs_num xcs_aa_floor_stored(double *shifts, size_t n);

/*
 * The smallest shift that a test at `alpha` would have found four times in five, by the t
 * distribution that the permutation test approaches: (t(1 - alpha/2) + t(0.8)) s / sqrt(weight).
 */
struct xcs_num xcs_detectable(const struct xcs_pooled *both, double weight, double alpha);

/*
 * Blocks of 2+2 boots after which xcs_detectable would be at most `shift` and 6^blocks
 * arrangements allow a p of alpha; 0 when spread is unknown or over 1000 would be needed.
 */
size_t xcs_blocks_needed(const struct xcs_pooled *both, double shift, double alpha);

#ifdef __cplusplus
}
#endif
#endif
