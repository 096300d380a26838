/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <collectors/lateness.h>

/* Up to 64 ns a bucket holds one value; from there on each power of two has 32 of them. */
static size_t bucket_of(int64_t ns)
{
	uint64_t v = ns > 0 ? (uint64_t)ns : 0;

	if (v < 2 * XCS_LATENESS_STEPS)
		return (size_t)v;
	unsigned shift = 58 - (unsigned)__builtin_clzll(v); /* leaves 6 bits, the first of them 1 */
	size_t bucket = shift * XCS_LATENESS_STEPS + (size_t)(v >> shift);
	return bucket < XCS_LATENESS_BUCKETS ? bucket : XCS_LATENESS_BUCKETS - 1;
}

static double middle_ns(size_t bucket)
{
	if (bucket < 2 * XCS_LATENESS_STEPS)
		return (double)bucket;
	size_t shift = bucket / XCS_LATENESS_STEPS - 1;
	uint64_t low = (uint64_t)(bucket - shift * XCS_LATENESS_STEPS) << shift;
	return (double)low + (double)(UINT64_C(1) << shift) / 2;
}

void xcs_lateness_add(struct xcs_lateness *l, int64_t late_ns)
{
	l->n[bucket_of(late_ns)]++;
	l->n_all++;
	if (late_ns > l->max_ns)
		l->max_ns = late_ns;
}

struct xcs_num xcs_lateness_us(const struct xcs_lateness *l, double percent, int64_t n_needed)
{
	double rank = percent / 100 * (double)l->n_all;
	int64_t sum = 0;

	if (l->n_all == 0 || l->n_all < n_needed)
		return (struct xcs_num){0};
	size_t i = 0;
	while (i + 1 < XCS_LATENESS_BUCKETS && (double)(sum += l->n[i]) < rank)
		i++;
	double ns = middle_ns(i);
	return (struct xcs_num){true, (ns < (double)l->max_ns ? ns : (double)l->max_ns) / 1e3};
}

struct xcs_num xcs_lateness_max_us(const struct xcs_lateness *l)
{
	return (struct xcs_num){l->n_all > 0, (double)l->max_ns / 1e3};
}
