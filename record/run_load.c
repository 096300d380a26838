/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fields.h"

#include <common/alloc.h>
#include <common/file.h>
#include <common/ulid.h>
#include <record/run.h>

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SCHEMA_NAME "xcsbench.run/"

static int check_schema(const json_t *top, struct xcs_err *err)
{
	const char *schema = json_string_value(json_object_get(top, "schema"));
	size_t n = strlen(SCHEMA_NAME);
	uint64_t version;

	if (!schema || strncmp(schema, SCHEMA_NAME, n) ||
	    xcs_str_u64(xcs_str(schema + n), &version))
		return xcs_err_set(err, -EINVAL,
		                   "not a run of xcsbench (no schema " SCHEMA_NAME
		                   "1 in it); give the folder that `xcsbench run` printed");
	if (version != 1)
		return xcs_err_set(err, -EINVAL,
		                   "its schema is %.60s, this xcsbench reads " SCHEMA_NAME
		                   "1; use the xcsbench that wrote it or a newer one",
		                   schema);
	return 0;
}

/* A record may come from anybody: the name must stay inside the run's folder. */
static bool is_inside(const char *file)
{
	struct xcs_str rest = xcs_str(file), part;

	if (file[0] == '/' || !file[0])
		return false;
	while (xcs_str_next_part(&rest, '/', &part))
		if (xcs_str_is(part, ".."))
			return false;
	return true;
}

static int out_of_range(struct xcs_err *err, const char *what, size_t i, const char *index, int v,
                        size_t n)
{
	return xcs_err_set(err, -EINVAL, "%s[%zu].%s is %d, but there are %zu; the file is damaged",
	                   what, i, index, v, n);
}

static bool is_index(int v, size_t n)
{
	return v >= 0 && (size_t)v < n;
}

static int check_trial(const struct xcs_run *run, size_t i, struct xcs_err *err)
{
	const struct xcs_run_trial *t = &run->trials[i];

	if (!is_index(t->cell, run->n_cells))
		return out_of_range(err, "trials", i, "cell", t->cell, run->n_cells);
	if (!is_index(t->boot, run->n_boots))
		return out_of_range(err, "trials", i, "boot", t->boot, run->n_boots);
	if (t->file && !is_inside(t->file))
		return xcs_err_set(err, -EINVAL,
		                   "trials[%zu].file points outside the run's folder; the file is "
		                   "damaged or forged",
		                   i);
	return 0;
}

static int check_load(const struct xcs_run *run, size_t i, struct xcs_err *err)
{
	const struct xcs_run_load *l = &run->loads[i];

	if (!l->id || !l->kind || l->n_clients < 1 || l->n_clients > 4096)
		return xcs_err_set(err, -EINVAL,
		                   "loads[%zu] lacks its id, its kind or a sane number of clients; "
		                   "the file is damaged",
		                   i);
	return 0;
}

static bool is_nice(int v)
{
	return v >= -20 && v <= 19;
}

static int check_cell(const struct xcs_run *run, size_t i, struct xcs_err *err)
{
	const struct xcs_run_cell *c = &run->cells[i];

	if (!is_index(c->load, run->n_loads))
		return out_of_range(err, "cells", i, "load", c->load, run->n_loads);
	if (!is_nice(c->x_nice) || !is_nice(c->load_nice))
		return xcs_err_set(err, -EINVAL,
		                   "cells[%zu] has a nice value that is none; the file is damaged",
		                   i);
	return 0;
}

static int check_facts(const struct xcs_facts *facts, const char *name, struct xcs_err *err)
{
	for (size_t i = 0; i < facts->n; i++)
		if (!facts->v[i].key)
			return xcs_err_set(err, -EINVAL, "%s[%zu] has no key; the file is damaged",
			                   name, i);
	return 0;
}

static int check(const struct xcs_run *run, struct xcs_err *err)
{
	int rc = check_facts(&run->host, "host", err);

	if (rc == 0)
		rc = check_facts(&run->environment, "environment", err);
	for (size_t i = 0; rc == 0 && i < run->n_loads; i++)
		rc = check_load(run, i, err);
	for (size_t i = 0; rc == 0 && i < run->n_cells; i++)
		rc = check_cell(run, i, err);
	for (size_t i = 0; rc == 0 && i < run->n_trials; i++)
		rc = check_trial(run, i, err);
	return rc;
}

static int load_id(struct xcs_run *run, const json_t *top, struct xcs_err *err)
{
	const char *id = json_string_value(json_object_get(top, "id"));

	if (!id || strlen(id) > XCS_ULID_LEN)
		return xcs_err_set(err, -EINVAL, "id is missing or too long; the file is damaged");
	memcpy(run->id, id, strlen(id) + 1);
	return 0;
}

/* A large file of somebody else is not worth a parser's seconds. */
#define LARGE_BYTES (1 << 20)

static bool is_foreign(const struct xcs_buf *text)
{
	return text->n > LARGE_BYTES && !memmem(text->p, text->n, SCHEMA_NAME, strlen(SCHEMA_NAME));
}

static int load_text(struct xcs_run *run, const struct xcs_buf *text, struct xcs_err *err)
{
	json_error_t why;

	if (is_foreign(text))
		return xcs_err_set(err, -EINVAL,
		                   "not a run of xcsbench (%zu bytes and no schema " SCHEMA_NAME
		                   "1 in them); give the folder that `xcsbench run` printed",
		                   text->n);
	json_t *top = json_loadb(text->p, text->n, 0, &why);

	if (!top)
		return xcs_err_set(err, -EINVAL,
		                   "not JSON from line %d on (%.80s): it is damaged, cut short or "
		                   "foreign; give the folder of another run",
		                   why.line, why.text);
	int rc = check_schema(top, err);
	if (rc == 0)
		rc = load_id(run, top, err);
	if (rc == 0)
		rc = xcs_fields_load(xcs_run_fields, run, top, "", err);
	if (rc == 0)
		rc = check(run, err);
	json_decref(top);
	return rc;
}

/* 0 for a plain file and for none; a link may lead out of the folder, a pipe blocks. */
static int check_plain(const char *dir, const char *file, struct xcs_err *err)
{
	char *path = xcs_xasprintf("%s/%s", dir, file);
	char *end = path + strlen(dir);
	struct stat st;
	bool good = true;

	while (good && end) {
		end = strchr(end + 1, '/');
		if (end)
			*end = '\0';
		if (lstat(path, &st) == 0)
			good = S_ISREG(st.st_mode) || (end && S_ISDIR(st.st_mode));
		if (end)
			*end = '/';
	}
	int rc = good ? 0
	              : xcs_err_set(err, -EINVAL,
	                            "%s is a link or no plain file, so it may lead outside the "
	                            "run's folder; copy the run with its files",
	                            path);
	free(path);
	return rc;
}

static int check_files(const struct xcs_run *run, const char *dir, struct xcs_err *err)
{
	int rc = 0;

	for (size_t i = 0; i < run->n_trials && rc == 0; i++)
		if (run->trials[i].file)
			rc = check_plain(dir, run->trials[i].file, err);
	return rc;
}

static int read_file(const char *path, const char *dir, struct xcs_buf *text, struct xcs_err *err)
{
	int rc = xcs_file_read_at(AT_FDCWD, path, text);

	if (rc == -ENOENT || rc == -ENOTDIR)
		return xcs_err_set(err, rc,
		                   "%s holds no run.json; give the folder that `xcsbench run` "
		                   "printed",
		                   dir);
	return rc ? xcs_err_sys(err, rc, "cannot read %s", path) : 0;
}

int xcs_run_load(struct xcs_run *run, const char *dir, struct xcs_err *err)
{
	char *path = xcs_xasprintf("%s/run.json", dir);
	struct xcs_buf text = {0};
	int rc = check_plain(dir, "run.json", err);

	if (rc == 0)
		rc = read_file(path, dir, &text, err);
	*run = (struct xcs_run){0};
	if (rc == 0) {
		xcs_buf_reserve(&text, 1); /* an empty file has no buffer */
		rc = load_text(run, &text, err);
		if (rc)
			xcs_err_prefix(err, "%s", path);
	}
	if (rc == 0)
		rc = check_files(run, dir, err);
	if (rc)
		xcs_run_fini(run);
	xcs_buf_fini(&text);
	free(path);
	return rc;
}
