/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fabricated campaigns: runs of two kernels whose truth is known, one run a boot.
 */
#ifndef CAMPAIGN_H
#define CAMPAIGN_H

#include "simulate.h"

#include <stdint.h>

struct campaign_spec {
	const char *base, *new;  /* kernel releases, and names of the folders */
	struct simulation world; /* its trial SD 0 gives trials alike to the last digit */
	uint64_t seed;
	bool sequential; /* all of the base before all of the new, not dealt in blocks */
	bool quick;
};

/*
 * Writes runs DIR/base/NN and DIR/new/NN, of n_blocks times two boots each, an hour apart.
 * Loads and figures are those of tests/record/sample_run.h, two cells of it.
 */
void campaign_write(const struct campaign_spec *spec, const char *dir);

#endif
