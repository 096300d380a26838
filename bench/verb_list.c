/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "verbs.h"
#include <load/terminal.h>
#include <scenario/scenario.h>

#include <common/alloc.h>
#include <record/json.h>

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
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
        .operands = "[scenarios|terminals|references]",
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

enum {
	NAME_COLUMNS = 16,
	LINE_COLUMNS = 72
};

/* Words behind the name's column, on as many lines as they need. */
static void add_wrapped(struct xcs_buf *out, const char *text)
{
	struct xcs_str rest = xcs_str(text), word;
	size_t column = 0;

	while (xcs_str_next_word(&rest, &word)) {
		if (column && column + 1 + word.n > LINE_COLUMNS) {
			xcs_buf_putc(out, '\n');
			column = 0;
		}
		if (column == 0)
			xcs_buf_fill(out, ' ', NAME_COLUMNS);
		else
			xcs_buf_putc(out, ' ');
		xcs_buf_add(out, word.p, word.n);
		column = (column ? column + 1 : NAME_COLUMNS) + word.n;
	}
	xcs_buf_putc(out, '\n');
}

static void add_terminal_text(struct xcs_buf *out, const struct terminal *t, const char *path,
                              const char *version)
{
	char *open = xcs_xasprintf("%s: %s", t->refused ? "cannot be used" : "not pinned",
	                           t->refused ? t->refused : t->unpinned);

	xcs_buf_printf(out, "%-*s", NAME_COLUMNS, t->name);
	if (!path) {
		xcs_buf_printf(out, "not installed (package %s)\n", t->package);
	} else {
		xcs_buf_printf(out, "%s\n", path);
		add_wrapped(out, version ? version : "does not tell its version");
		add_wrapped(out, open);
	}
	free(open);
}

static void add_terminal_json(struct json_t *list, const struct terminal *t, const char *path,
                              const char *version)
{
	struct json_t *row = xcs_json_object();

	xcs_json_set_str(row, "name", t->name);
	xcs_json_set_str(row, "package", t->package);
	xcs_json_set_bool(row, "installed", path);
	xcs_json_set_str(row, "path", path);
	xcs_json_set_str(row, "version", version);
	xcs_json_set_str(row, "template", t->pattern);
	xcs_json_set_str(row, "not_pinned", t->unpinned);
	xcs_json_set_str(row, "refused", t->refused);
	xcs_json_append(list, row);
}

/* Each is asked for its version, with the user's rights. */
static int list_terminals(struct list *l, struct xcs_err *err)
{
	struct xcs_user user;
	const struct terminal *t;
	int rc = xcs_user_find(&user, err);

	for (size_t i = 0; rc == 0 && (t = terminal_row(i)); i++) {
		char *path = terminal_path_dup(t->program);
		char *version = path ? terminal_version_dup(t, &user) : NULL;
		if (l->json)
			add_terminal_json(l->json, t, path, version);
		else
			add_terminal_text(&l->text, t, path, version);
		free(version);
		free(path);
	}
	return rc;
}

static const struct {
	const char *word;
	int (*list)(struct list *l, struct xcs_err *err);
} lists[] = {
        {"scenarios", list_scenarios},
        {"terminals", list_terminals},
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
