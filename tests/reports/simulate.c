/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "simulate.h"

#include <reports/shift.h>

#include <math.h>

#define TRIALS_MAX 64

/* Above 0 and below 1. */
static double uniform(struct xcs_rng *rng)
{
	return ((double)(xcs_rng_next(rng) >> 11) + 0.5) / 0x1p53;
}

double simulate_normal(struct xcs_rng *rng)
{
	double radius = sqrt(-2 * log(uniform(rng)));

	return radius * cos(2 * 3.14159265358979323846 * uniform(rng)); /* Box and Muller, 1958 */
}

static double boot_value(struct xcs_rng *rng, const struct simulation *s, double boot)
{
	double trials[TRIALS_MAX];

	for (int i = 0; i < s->n_trials; i++)
		trials[i] = 1000 * exp(boot + s->trial_sd_pct / 100 * simulate_normal(rng));
	return xcs_median(trials, (size_t)s->n_trials).v;
}

void simulate_boots(struct xcs_rng *rng, const struct simulation *s, int *block, bool *is_new,
                    double *v)
{
	for (int b = 0; b < s->n_blocks; b++) {
		double level = s->block_sd_pct / 100 * simulate_normal(rng);
		int sides[] = {0, 0, 1, 1};
		xcs_rng_shuffle(rng, sides, 4);
		for (int i = 0; i < 4; i++, block++, is_new++, v++) {
			double boot = level + s->boot_sd_pct / 100 * simulate_normal(rng);
			*block = b;
			*is_new = sides[i];
			boot += *is_new ? log1p(s->shift_pct / 100) : 0;
			*v = boot_value(rng, s, boot);
		}
	}
}
