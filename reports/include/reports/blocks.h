/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Blocks of boots, where the record does not name them: the order in which they ran.
 */
#ifndef XCS_BLOCKS_H
#define XCS_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Walks the boots in the order of their times and closes a block as soon as it holds two of
 * each side; what is left over joins the last block. The values of the boots play no part.
 * Boots that were dealt in fours give the fours; one kernel all before the other gives one
 * block. Fills block[n], numbered from 0; returns how many there are.
 */
size_t xcs_blocks_form(const int64_t *wall_ns, const bool *is_new, size_t n, int *block);

/* False when all boots of one side ran before all of the other, and there are over four: a
 * drift of the machine then looks like a shift of the kernel. */
bool xcs_blocks_are_mixed(const int64_t *wall_ns, const bool *is_new, size_t n);

#ifdef __cplusplus
}
#endif
#endif
