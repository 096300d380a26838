/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario.h"
#include "verbs.h"

#include <stdio.h>

static const struct xcs_option no_options[] = {{0}};

static const struct xcs_command command = {
        .name = "xcsbench list",
        .summary = "Lists the scenarios that xcsbench run knows by name.",
        .operands = "",
        .options = no_options,
};

int verb_list(int argc, char **argv)
{
	struct xcs_strs operands = {0};
	struct xcs_buf text = {0};
	struct xcs_err err = {""};
	char nothing;
	int status = xcs_options_main(&command, argc, argv, &nothing, &operands);

	if (status >= 0)
		return status;
	int rc = scenario_list(&text, &err);
	if (rc)
		fprintf(stderr, "xcsbench list: %s\n", err.text);
	else if (text.n)
		fputs(text.p, stdout);
	xcs_buf_fini(&text);
	return rc ? XCS_EXIT_ERROR : XCS_EXIT_OK;
}
