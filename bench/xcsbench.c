/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * xcsbench: the one visible command. It finds the program that serves a verb and becomes it.
 */
#include <common/alloc.h>
#include <common/err.h>
#include <common/main.h>
#include <common/paths.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct verb {
	const char *name, *program, *summary;
} verbs[] = {
        {"run",     "xcs-run",    "run a scenario and print its report"                },
        {"list",    "xcs-run",    "list scenarios, terminals or references"            },
        {"doctor",  "xcs-run",    "look whether numbers from here would mean something"},
        {"compare", "xcs-report", "compare kernels by their boots"                     },
        {"report",  "xcs-report", "print the report of a run again"                    },
        {"sample",  "xcs-sample", "sample context switches and CPU time, like vmstat"  },
        {"restore", "xcs-run",    "put back what a killed run had changed"             },
        {"import",  "xcs-report", "make run records of other people's measurements"    },
        {"schema",  "xcs-report", "print the JSON Schema of a run, report or reference"},
};

static void usage(FILE *to)
{
	fputs("Usage: xcsbench VERB [OPTION]...\n\n"
	      "Context switches and interactivity of a Linux desktop under load.\n\n",
	      to);
	for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
		fprintf(to, "  %-8s  %s\n", verbs[i].name, verbs[i].summary);
	fputs("\nxcsbench VERB --help tells the options of a verb.\n", to);
}

/* References are data of the report's program, scenarios and terminals of the runner. */
static const char *program_of(const struct verb *verb, char **argv)
{
	bool is_list = strcmp(verb->name, "list") == 0;

	for (size_t i = 2; is_list && argv[i]; i++)
		if (strcmp(argv[i], "references") == 0)
			return "xcs-report";
	return verb->program;
}

static int become(const struct verb *verb, char **argv)
{
	char *program = xcs_path_program_dup(program_of(verb, argv));

	execv(program, argv);
	fprintf(stderr, "xcsbench: cannot run %s: %s; install xcsbench whole\n", program,
	        strerror(errno));
	free(program);
	return XCS_EXIT_ERROR;
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : NULL;

	xcs_main_begin(); /* for the verb's program too */
	for (size_t i = 0; word && i < ARRAY_LEN(verbs); i++) {
		/* xcs-sample has one verb, so it takes none. */
		bool takes_verb = strcmp(verbs[i].program, "xcs-sample") != 0;
		if (strcmp(word, verbs[i].name) == 0)
			return become(&verbs[i], argv + (takes_verb ? 0 : 1));
	}
	if (word && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
		usage(stdout);
		return xcs_main_end("xcsbench", XCS_EXIT_OK);
	}
	if (word && strcmp(word, "--version") == 0) {
		puts("xcsbench " XCS_VERSION);
		return xcs_main_end("xcsbench", XCS_EXIT_OK);
	}
	if (word)
		fprintf(stderr, "xcsbench: '%s' is no verb\n\n", word);
	usage(stderr);
	return XCS_EXIT_ERROR;
}
