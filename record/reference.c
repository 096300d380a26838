/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rows.h"

#include <common/alloc.h>
#include <common/file.h>
#include <common/paths.h>
#include <record/reference.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "xcsbench.reference/1"
#define SUFFIX ".json"

static const struct field figure_rows[] = {
        ROW(xcs_reference_figure, metric, FIELD_STR),
        ROW(xcs_reference_figure, unit, FIELD_STR),
        ROW(xcs_reference_figure, text, FIELD_STR),
        ROW_LATER(xcs_reference_figure, about, FIELD_BOOL),
        ROW_NUMS(xcs_reference_figure, values, n_values),
        {0},
};

static const struct field reference_row_rows[] = {
        ROW(xcs_reference_row, kernel, FIELD_STR),
        ROW(xcs_reference_row, variant, FIELD_STR),
        ROW(xcs_reference_row, command, FIELD_STR),
        ROW(xcs_reference_row, span, FIELD_STR),
        ROW(xcs_reference_row, note, FIELD_STR),
        ROW(xcs_reference_row, x_nice, FIELD_NUM),
        ROW(xcs_reference_row, client_nice, FIELD_NUM),
        ROW(xcs_reference_row, n_hogs, FIELD_NUM),
        ROW(xcs_reference_row, n_lines, FIELD_NUM),
        ROW_OBJECTS(xcs_reference_row, figures, n_figures, xcs_reference_figure, figure_rows),
        {0},
};

static const struct field experiment_rows[] = {
        ROW(xcs_reference_experiment, id, FIELD_STR),
        ROW(xcs_reference_experiment, title, FIELD_STR),
        ROW(xcs_reference_experiment, date, FIELD_STR),
        ROW(xcs_reference_experiment, source, FIELD_STR),
        ROW(xcs_reference_experiment, kernels, FIELD_STR),
        ROW(xcs_reference_experiment, machine, FIELD_STR),
        ROW(xcs_reference_experiment, workload, FIELD_STR),
        ROW(xcs_reference_experiment, method, FIELD_STR),
        ROW_STRS(xcs_reference_experiment, claims, n_claims),
        ROW_STRS(xcs_reference_experiment, comparable, n_comparable),
        ROW_STRS(xcs_reference_experiment, not_comparable, n_not_comparable),
        ROW_OBJECTS(xcs_reference_experiment, rows, n_rows, xcs_reference_row, reference_row_rows),
        {0},
};

static const struct field set_rows[] = {
        ROW(xcs_reference, name, FIELD_STR),
        ROW(xcs_reference, title, FIELD_STR),
        ROW(xcs_reference, explanation, FIELD_STR),
        ROW_OBJECTS(xcs_reference, experiments, n_experiments, xcs_reference_experiment,
                    experiment_rows),
        {0},
};

static int check_row(const struct xcs_reference_experiment *e, size_t i, struct xcs_err *err)
{
	const struct xcs_reference_row *row = &e->rows[i];

	if (!row->kernel || !row->span)
		return xcs_err_set(err, -EINVAL,
		                   "row %zu of experiment %s lacks its kernel or its span", i,
		                   e->id);
	for (size_t f = 0; f < row->n_figures; f++)
		if (!row->figures[f].metric || !row->figures[f].unit ||
		    (!row->figures[f].n_values && !row->figures[f].text))
			return xcs_err_set(err, -EINVAL,
			                   "figure %zu in row %zu of experiment %s lacks its "
			                   "metric, its unit or its values",
			                   f, i, e->id);
	return 0;
}

static int check(const struct xcs_reference *set, struct xcs_err *err)
{
	int rc = 0;

	if (!set->name || !set->title)
		return xcs_err_set(err, -EINVAL, "the set lacks its name or its title");
	for (size_t i = 0; i < set->n_experiments; i++) {
		const struct xcs_reference_experiment *e = &set->experiments[i];
		if (!e->id || !e->title || !e->source)
			return xcs_err_set(err, -EINVAL,
			                   "experiment %zu lacks its id, its title or its source",
			                   i);
		for (size_t r = 0; rc == 0 && r < e->n_rows; r++)
			rc = check_row(e, r, err);
	}
	return rc;
}

static int load_text(struct xcs_reference *set, const struct xcs_buf *text, struct xcs_err *err)
{
	json_error_t why;
	json_t *top = json_loadb(text->p, text->n, 0, &why);

	if (!top)
		return xcs_err_set(err, -EINVAL, "not JSON from line %d on (%.80s)", why.line,
		                   why.text);
	const char *schema = json_string_value(json_object_get(top, "schema"));
	int rc = schema && strcmp(schema, SCHEMA) == 0
	                 ? xcs_fields_load(set_rows, set, top, "", err)
	                 : xcs_err_set(err, -EINVAL,
	                               "no reference results: its schema is not " SCHEMA);
	if (rc == 0)
		rc = check(set, err);
	json_decref(top);
	return rc;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "lkml-2007" of "lkml-2007.json"; NULL for what is no set. */
static char *name_of(const char *file)
{
	size_t n = strlen(file), n_suffix = strlen(SUFFIX);

	if (n <= n_suffix || strcmp(file + n - n_suffix, SUFFIX) != 0)
		return NULL;
	return xcs_xasprintf("%.*s", (int)(n - n_suffix), file);
}

int xcs_reference_names(char ***names, size_t *n, struct xcs_err *err)
{
	char *folder = xcs_path_data_dup("references");
	DIR *dir = opendir(folder);
	size_t cap = 0;
	struct dirent *entry;

	*names = NULL;
	*n = 0;
	if (!dir) {
		int rc = xcs_err_sys(err, -errno, "cannot list %s; install xcsbench again", folder);
		free(folder);
		return rc;
	}
	while ((entry = readdir(dir))) {
		char *name = name_of(entry->d_name);
		if (!name)
			continue;
		*names = xcs_xgrow(*names, *n, &cap, sizeof(**names));
		(*names)[(*n)++] = name;
	}
	closedir(dir);
	free(folder);
	if (*n)
		qsort(*names, *n, sizeof(**names), by_name);
	return 0;
}

void xcs_reference_names_free(char **names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

static int unknown_name(const char *name, struct xcs_err *err)
{
	struct xcs_buf known = {0};
	char **names;
	size_t n;
	int rc = xcs_reference_names(&names, &n, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < n; i++)
		xcs_buf_printf(&known, "%s%s", i ? ", " : "", names[i]);
	rc = xcs_err_set(err, -ENOENT,
	                 "there are no reference results named '%.100s'; there are: %s "
	                 "(`xcsbench list references` explains them)",
	                 name, known.n ? known.p : "none");
	xcs_buf_fini(&known);
	xcs_reference_names_free(names, n);
	return rc;
}

static char *path_of(const char *name)
{
	if (strchr(name, '/'))
		return xcs_xstrdup(name);
	char *rel = xcs_xasprintf("references/%s" SUFFIX, name);
	char *path = xcs_path_data_dup(rel);

	free(rel);
	return path;
}

int xcs_reference_load(struct xcs_reference *set, const char *name, struct xcs_err *err)
{
	char *path = path_of(name);
	struct xcs_buf text = {0};
	int rc = xcs_file_read_at(AT_FDCWD, path, &text);

	*set = (struct xcs_reference){0};
	if (rc == -ENOENT && !strchr(name, '/')) {
		rc = unknown_name(name, err);
	} else if (rc) {
		rc = xcs_err_sys(err, rc, "cannot read %s", path);
	} else {
		xcs_buf_reserve(&text, 1); /* an empty file has no buffer */
		rc = load_text(set, &text, err);
		if (rc)
			xcs_err_prefix(err, "%s", path);
	}
	if (rc)
		xcs_reference_fini(set);
	xcs_buf_fini(&text);
	free(path);
	return rc;
}

void xcs_reference_fini(struct xcs_reference *set)
{
	xcs_fields_fini(set_rows, set);
	*set = (struct xcs_reference){0};
}

struct json_t *xcs_reference_json(const struct xcs_reference *set)
{
	struct json_t *j = xcs_json_object();

	xcs_json_set_str(j, "schema", SCHEMA);
	xcs_fields_save(set_rows, set, j);
	return j;
}

const struct xcs_reference_experiment *xcs_reference_find(const struct xcs_reference *set,
                                                          const char *experiment)
{
	struct xcs_str rest = xcs_str(experiment), word;

	if (!experiment || !xcs_str_next_word(&rest, &word))
		return NULL;
	for (size_t i = 0; i < set->n_experiments; i++)
		if (xcs_str_is(word, set->experiments[i].id))
			return &set->experiments[i];
	return NULL;
}

const struct xcs_reference_figure *xcs_reference_figure(const struct xcs_reference_row *row,
                                                        const char *metric)
{
	for (size_t i = 0; i < row->n_figures; i++)
		if (strcmp(row->figures[i].metric, metric) == 0)
			return &row->figures[i];
	return NULL;
}
