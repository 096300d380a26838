/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The ways to deal the boots of blocks to two sides. Private to reports/stats.
 */
#ifndef XCS_PERMUTATION_DEAL_H
#define XCS_PERMUTATION_DEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct deal_block {
	size_t *boots;  /* indices */
	size_t n, k;    /* boots; of them dealt to "new" */
	size_t n_ways;  /* to do so, or 0: too many for a table */
	uint16_t *ways; /* n_ways times k positions in the block, while there is a table */
};

struct deal_group {
	size_t first, n; /* blocks */
	size_t n_ways;   /* of all of them together; 0: one large block, dealt for each draw */
	uint16_t *drawn; /* per draw: a way, or for a large block k positions */
};

struct deal {
	struct deal_block *blocks;
	size_t n_blocks;
	struct deal_group *groups;
	size_t n_groups;
	bool exact;
	size_t n_sums; /* arrangements: all of them, or the draws */
};

/* At most `limit` arrangements: all, or so many draws. n_blocks is 0 when no block has both. */
void deal_init(struct deal *d, const int *block, const bool *is_new, size_t n, size_t limit,
               uint64_t seed);
void deal_fini(struct deal *d);

/* Each boot's value less the mean of its block. */
void deal_centre(const struct deal *d, const double *v, double *centred);

/* Per arrangement the sum of the values dealt to "new". */
void deal_sums(const struct deal *d, const double *v, double *sums);

#ifdef __cplusplus
}
#endif
#endif
