/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario.h"
#include "verbs.h"

#include <common/alloc.h>
#include <record/json.h>

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct list_options {
	bool json;
};

static const struct xcs_option options[] = {
        {.name = "json",
         .type = XCS_OPT_FLAG,
         .offset = offsetof(struct list_options, json),
         .help = "print the list as JSON"},
        {0},
};

static const struct xcs_command command = {
        .name = "xcsbench list",
        .summary = "Lists the scenarios that xcsbench run knows by name, or what else it knows.",
        .operands = "[scenarios|references]",
        .max_operands = 1,
        .options = options,
};

/* What is being listed: lines of text, or an array. */
struct list {
	struct xcs_buf text;
	struct json_t *json; /* NULL: text is wanted */
};

static void add_scenario(const struct xcs_run_plan *plan, void *data)
{
	struct list *l = data;

	if (!l->json) {
		xcs_buf_printf(&l->text, "%-24s  %s\n", plan->scenario, plan->title);
		return;
	}
	struct json_t *row = xcs_json_object();
	xcs_json_set_str(row, "name", plan->scenario);
	xcs_json_set_str(row, "title", plan->title);
	xcs_json_set_str(row, "experiment", plan->experiment);
	xcs_json_append(l->json, row);
}

static int list_scenarios(struct list *l, struct xcs_err *err)
{
	return scenario_each(add_scenario, l, err);
}

static const struct {
	const char *word;
	int (*list)(struct list *l, struct xcs_err *err);
} lists[] = {
        {"scenarios", list_scenarios},
};

static int list_of(const char *word, struct list *l, struct xcs_err *err)
{
	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		if (strcmp(lists[i].word, word) == 0)
			return lists[i].list(l, err);
	return xcs_err_set(err, -EINVAL, "there is no list of '%s', only of %s", word,
	                   command.operands);
}

int verb_list(int argc, char **argv)
{
	struct list_options o = {0};
	struct xcs_strs operands = {0};
	struct xcs_err err = {""};
	struct list l = {0};
	int status = xcs_options_main(&command, argc, argv, &o, &operands);

	if (status >= 0)
		return status;
	l.json = o.json ? xcs_json_array() : NULL;
	int rc = list_of(operands.n ? operands.v[0] : lists[0].word, &l, &err);
	if (l.json) {
		xcs_json_write(l.json, 2, &l.text);
		xcs_json_free(l.json);
	}
	if (rc)
		fprintf(stderr, "xcsbench list: %s\n", err.text);
	else if (l.text.n)
		fputs(l.text.p, stdout);
	xcs_buf_fini(&l.text);
	return rc ? XCS_EXIT_ERROR : XCS_EXIT_OK;
}
