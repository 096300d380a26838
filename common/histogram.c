/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/histogram.h>

#include <stddef.h>

static size_t bucket_of(int64_t value)
{
	uint64_t v = value > 0 ? (uint64_t)value : 0;

	if (v < 2 * XCS_HISTOGRAM_STEPS)
		return (size_t)v;
	unsigned shift = 58 - (unsigned)__builtin_clzll(v); /* leaves 6 bits, the first of them 1 */
	return shift * XCS_HISTOGRAM_STEPS + (size_t)(v >> shift);
}

static double middle_of(size_t bucket)
{
	if (bucket < 2 * XCS_HISTOGRAM_STEPS)
		return (double)bucket;
	size_t shift = bucket / XCS_HISTOGRAM_STEPS - 1;
	uint64_t low = (uint64_t)(bucket - shift * XCS_HISTOGRAM_STEPS) << shift;
	return (double)low + (double)((UINT64_C(1) << shift) - 1) / 2;
}

void xcs_histogram_add(struct xcs_histogram *h, int64_t v)
{
	v = v > 0 ? v : 0;
	h->n[bucket_of(v)]++;
	if (h->n_all == 0 || v < h->min)
		h->min = v;
	if (v > h->max)
		h->max = v;
	h->n_all++;
}

void xcs_histogram_merge(struct xcs_histogram *into, const struct xcs_histogram *from)
{
	if (!from->n_all)
		return;
	for (size_t i = 0; i < XCS_HISTOGRAM_BUCKETS; i++)
		into->n[i] += from->n[i];
	if (into->n_all == 0 || from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
	into->n_all += from->n_all;
}

/* The least whole number that is not below v; a hair above one is rounding: 99.9 / 100 * 1000. */
static int64_t round_up(double v)
{
	int64_t whole = (int64_t)v;

	return (double)whole < v - 1e-6 ? whole + 1 : whole;
}

bool xcs_histogram_at(const struct xcs_histogram *h, double percent, int64_t n_needed, double *v)
{
	int64_t rank = round_up(percent / 100 * (double)h->n_all);
	uint64_t sum = 0;
	size_t i = 0;

	if (h->n_all == 0 || h->n_all < n_needed)
		return false;
	if (rank < 1)
		rank = 1;
	while (i + 1 < XCS_HISTOGRAM_BUCKETS && (sum += h->n[i]) < (uint64_t)rank)
		i++;
	double middle = middle_of(i);
	if (middle > (double)h->max)
		middle = (double)h->max;
	*v = middle < (double)h->min ? (double)h->min : middle;
	return true;
}

int64_t xcs_histogram_needs(double percent)
{
	if (percent <= 50)
		return 1;
	return percent < 100 ? round_up(10 / (1 - percent / 100)) : INT64_MAX;
}
