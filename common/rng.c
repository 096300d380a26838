/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/rng.h>

#include <stdlib.h>
#include <sys/random.h>

uint64_t xcs_rng_next(struct xcs_rng *r)
{
	uint64_t z = (r->state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

uint64_t xcs_rng_below(struct xcs_rng *r, uint64_t n)
{
	uint64_t limit = UINT64_MAX - UINT64_MAX % n;
	uint64_t v;

	do
		v = xcs_rng_next(r);
	while (v >= limit);
	return v % n;
}

void xcs_rng_shuffle(struct xcs_rng *r, int *items, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = (size_t)xcs_rng_below(r, i);
		int t = items[i - 1];
		items[i - 1] = items[j];
		items[j] = t;
	}
}

uint64_t xcs_rng_new_seed(void)
{
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), 0) != (ssize_t)sizeof(seed))
		abort();
	/* Seeds are typed by hand from a report: 32 bits are enough and short. */
	return seed & 0xffffffffu;
}
