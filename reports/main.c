/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * xcs-report: reads runs, writes reports. No X, no rights. Started by xcsbench.
 */
#include "verbs.h"

#include <common/alloc.h>
#include <common/err.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(int argc, char **argv);
	} verbs[] = {
	        {"compare", verb_compare},
                {"list",    verb_list   },
                {"report",  verb_report },
	        {"import",  verb_import },
                {"schema",  verb_schema },
	};

	for (size_t i = 0; argc > 1 && i < ARRAY_LEN(verbs); i++)
		if (strcmp(argv[1], verbs[i].name) == 0)
			return verbs[i].run(argc - 1, argv + 1);
	fprintf(stderr, "xcs-report: give a verb, as xcsbench does for you; see xcsbench --help\n");
	return XCS_EXIT_ERROR;
}
