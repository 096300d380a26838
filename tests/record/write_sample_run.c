/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * write_sample_run DIR [flood|ls|scroll|idle]: leaves a sample run in DIR, for the tests of
 * the command line.
 */
#include "sample_commands.h"
#include "sample_run.h"

#include <common/alloc.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*init)(struct xcs_run *run);
	} kinds[] = {
	        {"flood",  sample_run_init       },
	        {"ls",     sample_ls_run_init    },
	        {"scroll", sample_scroll_run_init},
	        {"idle",   sample_idle_run_init  },
	};
	const char *name = argc > 2 ? argv[2] : kinds[0].name;

	for (size_t i = 0; argc > 1 && i < ARRAY_LEN(kinds); i++) {
		struct xcs_run run;
		if (strcmp(kinds[i].name, name) != 0)
			continue;
		kinds[i].init(&run);
		sample_run_write(&run, argv[1]);
		xcs_run_fini(&run);
		return 0;
	}
	fprintf(stderr, "usage: write_sample_run DIR [flood|ls|scroll|idle]\n");
	return 2;
}
