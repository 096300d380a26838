/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <reports/shift.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#define POWER          0.8
#define MOST_BLOCKS    1000
#define NORMAL_95      1.959963984540054 /* a normal value lies within this 19 times in 20 */
#define PERCENTILE_MIN 20                /* values before a 95th percentile is one */

double xcs_pct_of_log(double log_ratio)
{
	return 100 * expm1(log_ratio);
}

double xcs_log_of_pct(double pct)
{
	return log1p(pct / 100);
}

struct xcs_num xcs_median(double *v, size_t n)
{
	if (!n)
		return (struct xcs_num){0};
	return xcs_num_of(gsl_stats_median(v, 1, n));
}

/* Boots by block, so that each block is a run of neighbours. */
struct placed {
	int block;
	bool is_new;
	double v;
};

static int by_block(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->block != y->block)
		return x->block < y->block ? -1 : 1;
	return (int)x->is_new - (int)y->is_new;
}

static struct placed *place(const double *v, const int *block, const bool *is_new, size_t n)
{
	struct placed *p = xcs_xcalloc(n + 1, sizeof(*p));

	for (size_t i = 0; i < n; i++)
		p[i] = (struct placed){block[i], is_new[i], v[i]};
	if (n)
		qsort(p, n, sizeof(*p), by_block);
	return p;
}

/* The end of the run that starts at `from`: same block, and same side if so wished. */
static size_t run_end(const struct placed *p, size_t n, size_t from, bool same_side)
{
	size_t i = from;

	while (i < n && p[i].block == p[from].block &&
	       (!same_side || p[i].is_new == p[from].is_new))
		i++;
	return i;
}

static size_t block_pairs(const struct placed *p, size_t n_base, size_t n, double *into)
{
	size_t n_pairs = 0;

	for (size_t i = 0; i < n_base; i++)
		for (size_t j = n_base; j < n; j++)
			into[n_pairs++] = p[j].v - p[i].v;
	return n_pairs;
}

static size_t base_of(const struct placed *p, size_t n)
{
	size_t n_base = 0;

	while (n_base < n && !p[n_base].is_new)
		n_base++;
	return n_base;
}

struct xcs_num xcs_hodges_lehmann(const double *v, const int *block, const bool *is_new, size_t n)
{
	struct placed *p = place(v, block, is_new, n);
	size_t n_pairs = 0, end;

	for (size_t at = 0; at < n; at = end) {
		end = run_end(p, n, at, false);
		size_t n_base = base_of(p + at, end - at);
		n_pairs += n_base * (end - at - n_base);
	}
	double *pairs = xcs_xcalloc(n_pairs + 1, sizeof(*pairs));
	n_pairs = 0;
	for (size_t at = 0; at < n; at = end) {
		end = run_end(p, n, at, false);
		n_pairs +=
		        block_pairs(p + at, base_of(p + at, end - at), end - at, pairs + n_pairs);
	}
	struct xcs_num median = xcs_median(pairs, n_pairs);
	free(pairs);
	free(p);
	return median;
}

static double sum_of_squares(const struct placed *p, size_t n)
{
	double mean = 0, sum = 0;

	for (size_t i = 0; i < n; i++)
		mean += p[i].v / (double)n;
	for (size_t i = 0; i < n; i++)
		sum += (p[i].v - mean) * (p[i].v - mean);
	return sum;
}

struct xcs_pooled xcs_pool(const double *v, const int *block, const bool *is_new, size_t n,
                           int side)
{
	struct placed *p = place(v, block, is_new, n);
	struct xcs_pooled pooled = {0};
	size_t end;

	for (size_t at = 0; at < n; at = end) {
		end = run_end(p, n, at, true);
		if (side >= 0 && p[at].is_new != (side == 1))
			continue;
		pooled.sum_sq += sum_of_squares(p + at, end - at);
		pooled.freedom += end - at - 1;
	}
	free(p);
	return pooled;
}

static double deviation(const struct xcs_pooled *s)
{
	return sqrt(s->sum_sq / (double)s->freedom);
}

struct xcs_num xcs_aa_floor(const struct xcs_pooled *baseline, double weight)
{
	if (!baseline->freedom || !(weight > 0))
		return (struct xcs_num){0};
	return xcs_num_of(NORMAL_95 * deviation(baseline) / sqrt(weight));
}

struct xcs_num xcs_aa_floor_stored(double *shifts, size_t n)
{
	if (!n)
		return (struct xcs_num){0};
	for (size_t i = 0; i < n; i++)
		shifts[i] = fabs(shifts[i]);
	gsl_sort(shifts, 1, n);
	size_t rank = n < PERCENTILE_MIN ? n : (95 * n + 99) / 100;
	return xcs_num_of(shifts[rank - 1]);
}

static double detectable(double s, double freedom, double weight, double alpha)
{
	double t = gsl_cdf_tdist_Qinv(alpha / 2, freedom) + gsl_cdf_tdist_Pinv(POWER, freedom);

	return t * s / sqrt(weight);
}

struct xcs_num xcs_detectable(const struct xcs_pooled *both, double weight, double alpha)
{
	if (!both->freedom || !(weight > 0))
		return (struct xcs_num){0};
	return xcs_num_of(detectable(deviation(both), (double)both->freedom, weight, alpha));
}

size_t xcs_blocks_needed(const struct xcs_pooled *both, double shift, double alpha)
{
	double ways = 1;

	for (size_t blocks = 1; both->freedom && blocks <= MOST_BLOCKS; blocks++) {
		ways *= 6;
		double freedom = 2 * (double)blocks;
		if (2 / ways <= alpha &&
		    detectable(deviation(both), freedom, (double)blocks, alpha) <= shift)
			return blocks;
	}
	return 0;
}
