/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Boots of two kernels as the model of docs/statistics.md has them: a value is made of
 * block, boot and trial, each with its own spread.
 */
#ifndef SIMULATE_H
#define SIMULATE_H

#include <common/rng.h>

#include <stdbool.h>

struct simulation {
	int n_blocks; /* of 2+2 boots */
	int n_trials; /* per boot; the boot's value is their median */
	double block_sd_pct, boot_sd_pct, trial_sd_pct;
	double shift_pct; /* of the new kernel */
};

double simulate_normal(struct xcs_rng *rng); /* mean 0, SD 1 */

/* Fills 4 * n_blocks boots, dealt at random within each block. */
void simulate_boots(struct xcs_rng *rng, const struct simulation *s, int *block, bool *is_new,
                    double *v);

#endif
