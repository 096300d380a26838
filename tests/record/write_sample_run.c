/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * write_sample_run DIR: leaves the sample run in DIR, for the tests of the command line.
 */
#include "sample_run.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	struct xcs_run run;

	if (argc < 2) {
		fprintf(stderr, "usage: write_sample_run DIR\n");
		return 2;
	}
	sample_run_init(&run);
	sample_run_write(&run, argv[1]);
	xcs_run_fini(&run);
	return 0;
}
