/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "permutation_deal.h"

#include <common/alloc.h>
#include <common/rng.h>

#include <gsl/gsl_combination.h>
#include <stdlib.h>

/* Tables that one draw picks from: small enough to stay in the cache. */
#define GROUP_WAYS 1024

/* n over k, or 0 when it is more than `limit`. */
static size_t choose(size_t n, size_t k, size_t limit)
{
	double ways = 1;

	k = k < n - k ? k : n - k;
	for (size_t i = 1; i <= k; i++) {
		ways = ways * (double)(n - k + i) / (double)i;
		if (ways > (double)limit + 0.5)
			return 0;
	}
	return (size_t)(ways + 0.5);
}

static void list_ways(struct deal_block *b)
{
	gsl_combination *c = gsl_combination_calloc(b->n, b->k);
	uint16_t *at;

	if (!c)
		abort(); /* out of memory */
	at = b->ways = xcs_xcalloc(b->n_ways * b->k, sizeof(*b->ways));
	do
		for (size_t i = 0; i < b->k; i++)
			*at++ = (uint16_t)gsl_combination_get(c, i);
	while (gsl_combination_next(c) == GSL_SUCCESS);
	gsl_combination_free(c);
}

/* The boots of the block that boot `first` is in; counted as done. */
static void take_block(struct deal_block *b, const int *block, const bool *is_new, size_t n,
                       size_t first, bool *done)
{
	*b = (struct deal_block){.boots = xcs_xcalloc(n - first, sizeof(*b->boots))};
	for (size_t i = first; i < n; i++) {
		if (block[i] != block[first])
			continue;
		done[i] = true;
		b->boots[b->n++] = i;
		b->k += is_new[i];
	}
}

static void find_blocks(struct deal *d, const int *block, const bool *is_new, size_t n,
                        size_t limit)
{
	bool *done = xcs_xcalloc(n, sizeof(*done));

	d->blocks = xcs_xcalloc(n, sizeof(*d->blocks));
	for (size_t i = 0; i < n; i++) {
		if (done[i])
			continue;
		struct deal_block *b = &d->blocks[d->n_blocks];
		take_block(b, block, is_new, n, i, done);
		if (b->k == 0 || b->k == b->n) {
			free(b->boots);
			continue;
		}
		b->n_ways = choose(b->n, b->k, limit);
		if (b->n_ways)
			list_ways(b);
		d->n_blocks++;
	}
	free(done);
}

/* All ways of all blocks, or more than `limit`. */
static size_t all_ways(const struct deal *d, size_t limit)
{
	size_t ways = 1;

	for (size_t b = 0; b < d->n_blocks && ways <= limit; b++)
		ways = d->blocks[b].n_ways ? ways * d->blocks[b].n_ways : limit + 1;
	return ways;
}

/* Joins neighbours while their ways together are at most `limit`. */
static void find_groups(struct deal *d, size_t limit)
{
	d->groups = xcs_xcalloc(d->n_blocks, sizeof(*d->groups));
	for (size_t b = 0; b < d->n_blocks; b++) {
		struct deal_group *last = d->n_groups ? &d->groups[d->n_groups - 1] : NULL;
		size_t ways = d->blocks[b].n_ways;
		if (last && last->n_ways && ways && last->n_ways * ways <= limit) {
			last->n_ways *= ways;
			last->n++;
			continue;
		}
		d->groups[d->n_groups++] = (struct deal_group){.first = b, .n = 1, .n_ways = ways};
	}
}

static void draw_positions(struct xcs_rng *rng, const struct deal_block *b, uint16_t *into)
{
	int *order = xcs_xcalloc(b->n, sizeof(*order));

	for (size_t i = 0; i < b->n; i++)
		order[i] = (int)i;
	xcs_rng_shuffle(rng, order, b->n);
	for (size_t i = 0; i < b->k; i++)
		into[i] = (uint16_t)order[i];
	free(order);
}

static void draw(struct deal *d, uint64_t seed)
{
	struct xcs_rng rng = {seed};

	for (size_t g = 0; g < d->n_groups; g++) {
		struct deal_group *group = &d->groups[g];
		const struct deal_block *b = &d->blocks[group->first];
		size_t n_each = group->n_ways ? 1 : b->k;
		group->drawn = xcs_xcalloc(d->n_sums * n_each, sizeof(*group->drawn));
		for (size_t a = 0; a < d->n_sums; a++) {
			if (group->n_ways)
				group->drawn[a] = (uint16_t)xcs_rng_below(&rng, group->n_ways);
			else
				draw_positions(&rng, b, group->drawn + a * n_each);
		}
	}
}

void deal_init(struct deal *d, const int *block, const bool *is_new, size_t n, size_t limit,
               uint64_t seed)
{
	*d = (struct deal){0};
	find_blocks(d, block, is_new, n, limit);
	if (!d->n_blocks)
		return;
	size_t ways = all_ways(d, limit);
	d->exact = ways <= limit;
	d->n_sums = d->exact ? ways : limit;
	find_groups(d, d->exact ? limit : GROUP_WAYS);
	if (!d->exact)
		draw(d, seed);
}

void deal_fini(struct deal *d)
{
	for (size_t b = 0; b < d->n_blocks; b++) {
		free(d->blocks[b].boots);
		free(d->blocks[b].ways);
	}
	for (size_t g = 0; g < d->n_groups; g++)
		free(d->groups[g].drawn);
	free(d->blocks);
	free(d->groups);
	*d = (struct deal){0};
}

void deal_centre(const struct deal *d, const double *v, double *centred)
{
	for (size_t b = 0; b < d->n_blocks; b++) {
		const struct deal_block *block = &d->blocks[b];
		double sum = 0;
		for (size_t i = 0; i < block->n; i++)
			sum += v[block->boots[i]];
		for (size_t i = 0; i < block->n; i++)
			centred[block->boots[i]] = v[block->boots[i]] - sum / (double)block->n;
	}
}

static double sum_of_way(const struct deal_block *b, const double *v, const uint16_t *way)
{
	double sum = 0;

	for (size_t i = 0; i < b->k; i++)
		sum += v[b->boots[way[i]]];
	return sum;
}

/* Sums of all ways of the group's blocks: each way of the next with each of those before. */
static void fill_table(const struct deal *d, const struct deal_group *g, const double *v,
                       double *table)
{
	size_t n = 1;

	table[0] = 0;
	for (size_t b = g->first; b < g->first + g->n; b++) {
		const struct deal_block *block = &d->blocks[b];
		for (size_t w = block->n_ways; w-- > 0;) {
			double sum = sum_of_way(block, v, block->ways + w * block->k);
			for (size_t i = 0; i < n; i++)
				table[w * n + i] = table[i] + sum;
		}
		n *= block->n_ways;
	}
}

static void add_draws(const struct deal *d, const struct deal_group *g, const double *v,
                      double *table, double *sums)
{
	const struct deal_block *b = &d->blocks[g->first];

	if (g->n_ways)
		fill_table(d, g, v, table);
	for (size_t a = 0; a < d->n_sums; a++)
		sums[a] += g->n_ways ? table[g->drawn[a]] : sum_of_way(b, v, g->drawn + a * b->k);
}

void deal_sums(const struct deal *d, const double *v, double *sums)
{
	if (d->exact) {
		fill_table(d, &d->groups[0], v, sums);
		return;
	}
	/* A block alone may have more ways than a group of several. */
	double *table = xcs_xcalloc(d->n_sums, sizeof(*table));
	for (size_t a = 0; a < d->n_sums; a++)
		sums[a] = 0;
	for (size_t g = 0; g < d->n_groups; g++)
		add_draws(d, &d->groups[g], v, table, sums);
	free(table);
}
