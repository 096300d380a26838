/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * write_campaign DIR [NAME=VALUE]...: a fabricated campaign for the tests of the command line.
 */
#include "campaign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int set(struct campaign_spec *s, const char *name, const char *value)
{
	double v = strtod(value, NULL);

	if (strcmp(name, "base") == 0)
		s->base = value;
	else if (strcmp(name, "new") == 0)
		s->new = value;
	else if (strcmp(name, "blocks") == 0)
		s->world.n_blocks = (int)v;
	else if (strcmp(name, "trials") == 0)
		s->world.n_trials = (int)v;
	else if (strcmp(name, "boot_sd") == 0)
		s->world.boot_sd_pct = v;
	else if (strcmp(name, "trial_sd") == 0)
		s->world.trial_sd_pct = v;
	else if (strcmp(name, "shift") == 0)
		s->world.shift_pct = v;
	else if (strcmp(name, "seed") == 0)
		s->seed = (uint64_t)v;
	else if (strcmp(name, "sequential") == 0)
		s->sequential = v != 0;
	else if (strcmp(name, "quick") == 0)
		s->quick = v != 0;
	else
		return -1;
	return 0;
}

int main(int argc, char **argv)
{
	struct campaign_spec spec = {
	        .base = "6.12.0", .new = "6.13.0", .world = {3, 3, 2, 1, 1, 0},
                        .seed = 1
        };

	for (int i = 2; i < argc; i++) {
		char *equals = strchr(argv[i], '=');
		if (!equals)
			return 2;
		*equals = '\0';
		if (set(&spec, argv[i], equals + 1)) {
			fprintf(stderr, "write_campaign: no setting %s\n", argv[i]);
			return 2;
		}
	}
	if (argc < 2)
		return 2;
	campaign_write(&spec, argv[1]);
	return 0;
}
