/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <reports/stats.h>

#include <math.h>
#include <stdlib.h>

struct xcs_num xcs_num_of(double v)
{
	return isfinite(v) ? (struct xcs_num){true, v} : (struct xcs_num){0};
}

struct xcs_num xcs_rate_per_s(int64_t delta, int64_t dt_ns)
{
	if (delta == XCS_ABSENT || dt_ns == XCS_ABSENT || dt_ns <= 0)
		return (struct xcs_num){0};
	return xcs_num_of((double)delta * 1e9 / (double)dt_ns);
}

struct xcs_num xcs_num_ratio(struct xcs_num a, struct xcs_num b)
{
	return a.known && b.known && b.v != 0 ? xcs_num_of(a.v / b.v) : (struct xcs_num){0};
}

struct xcs_num xcs_num_plus(struct xcs_num a, struct xcs_num b)
{
	return a.known && b.known ? xcs_num_of(a.v + b.v) : (struct xcs_num){0};
}

struct xcs_num xcs_num_minus(struct xcs_num a, struct xcs_num b)
{
	return a.known && b.known ? xcs_num_of(a.v - b.v) : (struct xcs_num){0};
}

struct xcs_num xcs_num_times(struct xcs_num a, double factor)
{
	return a.known ? xcs_num_of(a.v * factor) : a;
}

/* Known before unknown, then ascending. */
static int by_value(const void *a, const void *b)
{
	const struct xcs_num *x = a, *y = b;

	if (x->known != y->known)
		return x->known ? -1 : 1;
	return (x->v > y->v) - (x->v < y->v);
}

struct xcs_spread xcs_spread_of(struct xcs_num *v, size_t n)
{
	struct xcs_spread s = {0};

	if (n)
		qsort(v, n, sizeof(*v), by_value);
	while (s.n < n && v[s.n].known)
		s.n++;
	if (!s.n)
		return s;
	s.min = v[0].v;
	s.max = v[s.n - 1].v;
	s.median = (v[(s.n - 1) / 2].v + v[s.n / 2].v) / 2;
	return s;
}

struct xcs_num xcs_spread_median(const struct xcs_spread *s)
{
	return s->n ? xcs_num_of(s->median) : (struct xcs_num){0};
}

struct xcs_num xcs_jain(const double *v, size_t n)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		sum += v[i];
		squares += v[i] * v[i];
	}
	return squares > 0 ? xcs_num_of(sum * sum / ((double)n * squares)) : (struct xcs_num){0};
}

struct xcs_num xcs_percentile(const int64_t *sorted, size_t n, double percent, size_t n_needed)
{
	if (n == 0 || n < n_needed)
		return (struct xcs_num){0};
	size_t rank = (size_t)ceil(percent / 100 * (double)n);
	return xcs_num_of((double)sorted[rank ? rank - 1 : 0]);
}
