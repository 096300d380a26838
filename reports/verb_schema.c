/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "verbs.h"

#include <common/file.h>
#include <common/options.h>
#include <common/paths.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

static const struct xcs_option no_options[] = {{0}};

static const struct xcs_command command = {
        .name = "xcsbench schema",
        .summary = "Print the JSON Schema of run.json.",
        .operands = "",
        .options = no_options,
};

int verb_schema(int argc, char **argv)
{
	struct xcs_strs operands;
	struct xcs_buf text = {0};
	char nothing;
	int status = xcs_options_main(&command, argc, argv, &nothing, &operands);

	if (status >= 0)
		return status;
	char *path = xcs_path_data_dup("schema/xcsbench.run-1.schema.json");
	struct xcs_err err = {0};
	int rc = xcs_file_read_at(AT_FDCWD, path, &text);
	if (rc)
		xcs_err_sys(&err, rc, "cannot read %s; install xcsbench again", path);
	else if (fwrite(text.p ? text.p : "", 1, text.n, stdout) != text.n || fflush(stdout))
		rc = xcs_err_sys(&err, -errno, "cannot write the schema");
	if (rc)
		fprintf(stderr, "xcsbench schema: %s\n", err.text);
	free(path);
	xcs_buf_fini(&text);
	return rc ? XCS_EXIT_ERROR : XCS_EXIT_OK;
}
