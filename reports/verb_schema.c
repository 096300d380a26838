/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "verbs.h"

#include <common/alloc.h>
#include <common/file.h>
#include <common/options.h>
#include <common/paths.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct xcs_option no_options[] = {{0}};

static const struct xcs_command command = {
        .name = "xcsbench schema",
        .summary =
                "Print the JSON Schema of run.json, of a report as JSON, or of reference results.",
        .operands = "[run|report|reference]",
        .max_operands = 1,
        .options = no_options,
};

/* The name of the schema's file; the caller frees it. NULL with the sentence. */
static char *schema_dup(const char *what, struct xcs_err *err)
{
	static const char *const known[] = {"run", "report", "reference"};

	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		if (strcmp(what, known[i]))
			continue;
		char *rel = xcs_xasprintf("schema/xcsbench.%s-1.schema.json", known[i]);
		char *path = xcs_path_data_dup(rel);
		free(rel);
		return path;
	}
	xcs_err_set(err, -EINVAL, "there is no schema '%s'; there are run, report and reference",
	            what);
	return NULL;
}

static int print_schema(const char *what, struct xcs_err *err)
{
	struct xcs_buf text = {0};
	char *path = schema_dup(what, err);

	if (!path)
		return -EINVAL;
	int rc = xcs_file_read_at(AT_FDCWD, path, &text);
	if (rc)
		xcs_err_sys(err, rc, "cannot read %s; install xcsbench again", path);
	else if (fwrite(text.p ? text.p : "", 1, text.n, stdout) != text.n || fflush(stdout))
		rc = xcs_err_sys(err, -errno, "cannot write the schema");
	free(path);
	xcs_buf_fini(&text);
	return rc;
}

int verb_schema(int argc, char **argv)
{
	struct xcs_strs operands;
	struct xcs_err err = {0};
	char nothing;
	int status = xcs_options_main(&command, argc, argv, &nothing, &operands);

	if (status >= 0)
		return status;
	int rc = print_schema(operands.n ? operands.v[0] : "run", &err);
	if (rc)
		fprintf(stderr, "xcsbench schema: %s\n", err.text);
	return rc ? XCS_EXIT_ERROR : XCS_EXIT_OK;
}
