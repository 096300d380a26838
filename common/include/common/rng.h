/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Seeded pseudo-random numbers: the same seed gives the same plan on every machine.
 * Generator: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
 */
#ifndef XCS_RNG_H
#define XCS_RNG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_rng {
	uint64_t state; /* the seed, to begin with */
};

uint64_t xcs_rng_next(struct xcs_rng *r);
uint64_t xcs_rng_below(struct xcs_rng *r, uint64_t n); /* uniform in 0..n-1; n > 0 */
void xcs_rng_shuffle(struct xcs_rng *r, int *items, size_t n);
uint64_t xcs_rng_new_seed(void); /* from the kernel */

#ifdef __cplusplus
}
#endif
#endif
