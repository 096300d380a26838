/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * With the values of each block centred on the block's mean, the weighted difference is
 * (1/W) * sum over blocks of (sum of the values dealt to "new"): one number per block and
 * arrangement. Blocks are joined into groups while their common arrangements fit into a
 * table; all of them fit into one group: exact. Else each draw picks one row of each table.
 * A single block too large for a table is dealt anew for each draw.
 */
#include "permutation_deal.h"

#include <common/alloc.h>
#include <common/rng.h>
#include <reports/permutation.h>

#include <math.h>
#include <stdlib.h>

/* Differences of logarithms closer than this are ties: rounding, not measurement. */
#define TIE 1e-10

struct xcs_permutation {
	struct deal deal;
	size_t n; /* boots */
	bool *is_new;
	double weight;
	size_t n_all; /* arrangements; one more than are drawn, the observed one, if not exact */
	double *kept; /* per arrangement: difference of an indicator of "new"; 1 for the observed */
};

static double weight_of(const struct deal *d)
{
	double sum = 0;

	for (size_t b = 0; b < d->n_blocks; b++) {
		double n = (double)d->blocks[b].n, k = (double)d->blocks[b].k;
		sum += k * (n - k) / n;
	}
	return sum;
}

/* The differences of all arrangements looked at, and the observed one. */
static double differences(const struct xcs_permutation *p, const double *v, double *all)
{
	double *centred = xcs_xcalloc(p->n, sizeof(*centred));
	double observed = 0;

	deal_centre(&p->deal, v, centred);
	for (size_t b = 0; b < p->deal.n_blocks; b++)
		for (size_t i = 0; i < p->deal.blocks[b].n; i++) {
			size_t boot = p->deal.blocks[b].boots[i];
			observed += p->is_new[boot] ? centred[boot] / p->weight : 0;
		}
	deal_sums(&p->deal, centred, all);
	for (size_t a = 0; a < p->deal.n_sums; a++)
		all[a] /= p->weight;
	if (p->n_all > p->deal.n_sums)
		all[p->n_all - 1] = observed;
	free(centred);
	return observed;
}

static void keep_indicator(struct xcs_permutation *p)
{
	double *one = xcs_xcalloc(p->n, sizeof(*one));

	for (size_t i = 0; i < p->n; i++)
		one[i] = p->is_new[i] ? 1 : 0;
	p->kept = xcs_xcalloc(p->n_all, sizeof(*p->kept));
	differences(p, one, p->kept);
	free(one);
}

struct xcs_permutation *xcs_permutation_new(const int *block, const bool *is_new, size_t n,
                                            uint64_t seed)
{
	struct xcs_permutation *p = xcs_xcalloc(1, sizeof(*p));

	p->n = n;
	p->is_new = xcs_xcalloc(n, sizeof(*p->is_new));
	for (size_t i = 0; i < n; i++)
		p->is_new[i] = is_new[i];
	deal_init(&p->deal, block, is_new, n, XCS_PERMUTATION_EXACT, seed);
	if (!p->deal.n_blocks) {
		xcs_permutation_free(p);
		return NULL;
	}
	p->weight = weight_of(&p->deal);
	p->n_all = p->deal.n_sums + (p->deal.exact ? 0 : 1);
	keep_indicator(p);
	return p;
}

void xcs_permutation_free(struct xcs_permutation *p)
{
	if (!p)
		return;
	deal_fini(&p->deal);
	free(p->is_new);
	free(p->kept);
	free(p);
}

size_t xcs_permutation_count(const struct xcs_permutation *p)
{
	return p->n_all;
}

bool xcs_permutation_is_exact(const struct xcs_permutation *p)
{
	return p->deal.exact;
}

double xcs_permutation_weight(const struct xcs_permutation *p)
{
	return p->weight;
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * Moving all new boots by -s changes the difference of an arrangement from D to D - s k, k
 * its share of the indicator, and the observed one to O - s. |D - s k| >= |O - s| holds
 * exactly for s between (O - D) / (1 - k) and (O + D) / (1 + k), which O lies between. So
 * p(s) falls on either side of O, and the interval ends at the (alpha N + 1)th largest upper
 * and smallest lower end. (The set of arrangements is the same for all shifts, as in Nguyen,
 * Portland State Univ. 2009; no search as in Garthwaite, Biometrics 52, 1996.)
 */
static void ends_of(double observed, double d, double k, double *lower, double *upper)
{
	if (1 - fabs(k) < TIE) {
		*lower = -INFINITY;
		*upper = INFINITY;
		return;
	}
	double a = (observed - d) / (1 - k), b = (observed + d) / (1 + k);
	*lower = fmin(a, b);
	*upper = fmax(a, b);
}

static void invert(const struct xcs_permutation *p, const double *all, double observed,
                   double alpha, struct xcs_shift_test *out)
{
	double *lower = xcs_xcalloc(p->n_all, sizeof(*lower));
	double *upper = xcs_xcalloc(p->n_all, sizeof(*upper));
	size_t m = (size_t)floor(alpha * (double)p->n_all + 1e-9);

	for (size_t a = 0; a < p->n_all; a++)
		ends_of(observed, all[a], p->kept[a], &lower[a], &upper[a]);
	qsort(lower, p->n_all, sizeof(*lower), ascending);
	qsort(upper, p->n_all, sizeof(*upper), ascending);
	if (m < p->n_all) {
		out->lower = xcs_num_of(lower[m]);
		out->upper = xcs_num_of(upper[p->n_all - 1 - m]);
	}
	free(lower);
	free(upper);
}

void xcs_permutation_test(const struct xcs_permutation *p, const double *v, double alpha,
                          struct xcs_shift_test *out)
{
	double *all = xcs_xcalloc(p->n_all, sizeof(*all));
	double observed = differences(p, v, all);
	size_t n_as_large = 0;

	for (size_t a = 0; a < p->n_all; a++)
		n_as_large += fabs(all[a]) >= fabs(observed) - TIE;
	*out = (struct xcs_shift_test){
	        .p = xcs_num_of((double)n_as_large / (double)p->n_all),
	        .difference = xcs_num_of(observed),
	};
	invert(p, all, observed, alpha, out);
	free(all);
}
