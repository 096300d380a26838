/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The stratified permutation test: two kernels, boots in blocks, one value per boot.
 *
 * Within a block the boots of the two kernels came in random order. If the kernels do not
 * differ, any other way to deal the block's boots to the two was as likely, so the p-value is
 * the share of arrangements whose difference is at least as large, in either direction, as
 * the observed one, which is among them (Fisher, The Design of Experiments, 1935, ch. III;
 * Ernst, Statist. Sci. 19(4), 2004). With at most XCS_PERMUTATION_EXACT arrangements all are
 * looked at and the test is exact; else that many are drawn and the observed one is counted
 * too, so that p is never 0 (Phipson and Smyth, SAGMB 9(1), art. 39, 2010).
 *
 * Three blocks of 2+2 boots give 6^3 = 216 arrangements and p in steps of 2/216 = 0.93 %. A
 * test at 5 % so errs in 10/216 = 4.6 % of all cases where nothing differs, never more.
 */
#ifndef XCS_PERMUTATION_H
#define XCS_PERMUTATION_H

#include <reports/stats.h>

#ifdef __cplusplus
extern "C" {
#endif

#define XCS_PERMUTATION_EXACT 20000

struct xcs_permutation; /* the arrangements of one layout of boots, for any number of tests */

/*
 * n boots; block[i] numbers the block of boot i in any way, is_new[i] its side. A block with
 * boots of one side only says nothing and is left out. The caller frees it; NULL when no
 * block has boots of both sides.
 */
struct xcs_permutation *xcs_permutation_new(const int *block, const bool *is_new, size_t n,
                                            uint64_t seed);
void xcs_permutation_free(struct xcs_permutation *p);

size_t xcs_permutation_count(const struct xcs_permutation *p); /* arrangements looked at */
bool xcs_permutation_is_exact(const struct xcs_permutation *p);

/* Sum over blocks of n_base n_new / (n_base + n_new): one boot value of variance s^2 gives a
 * difference of variance s^2 / weight. 1 for a block of 2+2. */
double xcs_permutation_weight(const struct xcs_permutation *p);

struct xcs_shift_test {
	struct xcs_num p;            /* two-sided */
	struct xcs_num difference;   /* new less base: block differences weighted as above */
	struct xcs_num lower, upper; /* shifts that the same test does not reject at alpha */
};

/*
 * Tests the values of the n boots (logarithms, where ratios are meant). The bounds are
 * unknown where the arrangements are too few to exclude any shift at `alpha`.
 */
void xcs_permutation_test(const struct xcs_permutation *p, const double *v, double alpha,
                          struct xcs_shift_test *out);

#ifdef __cplusplus
}
#endif
#endif
