/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "references.h"
#include "verbs.h"

#include <common/alloc.h>
#include <common/options.h>
#include <record/json.h>

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list_options {
	bool json;
};

static const struct xcs_option option_rows[] = {
        {.name = "json",
         .type = XCS_OPT_FLAG,
         .offset = offsetof(struct list_options, json),
         .help = "print the list as JSON"},
        {0},
};

static const struct xcs_command command = {
        .name = "xcsbench list",
        .summary = "Explains the reference results that xcsbench report --beside knows.",
        .operands = "references",
        .min_operands = 1,
        .max_operands = 1,
        .options = option_rows,
};

static void explain_all(const struct xcs_reference *sets, size_t n, struct xcs_buf *text)
{
	struct xcs_doc doc;

	xcs_doc_init(&doc, "Reference results");
	for (size_t i = 0; i < n; i++)
		references_explain(&sets[i], &doc);
	xcs_doc_write_text(&doc, text);
	xcs_doc_fini(&doc);
}

static void all_as_json(const struct xcs_reference *sets, size_t n, struct xcs_buf *text)
{
	struct json_t *array = xcs_json_array();

	for (size_t i = 0; i < n; i++)
		xcs_json_append(array, xcs_reference_json(&sets[i]));
	xcs_json_write(array, 1, text);
	xcs_json_free(array);
}

static int list(const struct list_options *o, struct xcs_buf *text, struct xcs_err *err)
{
	char **names;
	size_t n;
	int rc = xcs_reference_names(&names, &n, err);

	if (rc)
		return rc;
	struct xcs_reference *sets = xcs_xcalloc(n, sizeof(*sets));
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = xcs_reference_load(&sets[i], names[i], err);
	if (rc == 0 && o->json)
		all_as_json(sets, n, text);
	else if (rc == 0)
		explain_all(sets, n, text);
	for (size_t i = 0; i < n; i++)
		xcs_reference_fini(&sets[i]);
	free(sets);
	xcs_reference_names_free(names, n);
	return rc;
}

int verb_list(int argc, char **argv)
{
	struct list_options options = {0};
	struct xcs_strs operands;
	struct xcs_buf text = {0};
	struct xcs_err err = {0};
	int status = xcs_options_main(&command, argc, argv, &options, &operands);

	if (status >= 0)
		return status;
	int rc = strcmp(operands.v[0], "references") == 0
	                 ? list(&options, &text, &err)
	                 : xcs_err_set(&err, -EINVAL,
	                               "there is no list of '%.100s' here, only of %s",
	                               operands.v[0], command.operands);
	if (rc == 0 && (fwrite(text.p, 1, text.n, stdout) != text.n || fflush(stdout)))
		rc = xcs_err_sys(&err, -errno, "cannot write the list");
	if (rc)
		fprintf(stderr, "xcsbench list: %s\n", err.text);
	xcs_buf_fini(&text);
	return rc ? XCS_EXIT_ERROR : XCS_EXIT_OK;
}
