/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * xcs-run: the runner. The user calls it as xcsbench VERB.
 */
#include "verbs.h"
#include <guard/verb_restore.h>

#include <common/alloc.h>
#include <common/err.h>
#include <common/main.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} verbs[] = {
        {"run",     verb_run    },
        {"list",    verb_list   },
        {"doctor",  verb_doctor },
        {"restore", verb_restore},
};

int main(int argc, char **argv)
{
	xcs_main_begin();
	/* A child that died, or a reader that left, is an error to handle, not our end. */
	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; argc > 1 && i < ARRAY_LEN(verbs); i++)
		if (strcmp(argv[1], verbs[i].name) == 0)
			return xcs_main_end("xcsbench", verbs[i].run(argc - 1, argv + 1));
	fprintf(stderr, "xcs-run: '%s' is no verb of it; use xcsbench\n", argc > 1 ? argv[1] : "");
	return XCS_EXIT_ERROR;
}
