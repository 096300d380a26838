/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "find.h"

#include <common/alloc.h>

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void add(struct found_runs *f, char *dir, bool named)
{
	f->v = xcs_xgrow(f->v, f->n, &f->cap, sizeof(*f->v));
	f->v[f->n++] = (struct found_run){dir, named};
}

void find_runs_fini(struct found_runs *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->v[i].dir);
	free(f->v);
	*f = (struct found_runs){0};
}

static bool is_run(const char *dir)
{
	char *path = xcs_xasprintf("%s/run.json", dir);
	bool is = access(path, F_OK) == 0;

	free(path);
	return is;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int by_name(const void *a, const void *b)
{
	const struct found_run *x = a, *y = b;

	return strcmp(x->dir, y->dir);
}

/* Those of the folder's entries that are runs; other things may lie there too. */
static void add_runs_in(struct found_runs *f, const char *folder)
{
	DIR *dir = opendir(folder);
	const struct dirent *e;
	size_t first = f->n;

	while (dir && (e = readdir(dir))) {
		char *path = xcs_xasprintf("%s/%s", folder, e->d_name);
		if (e->d_name[0] != '.' && is_run(path))
			add(f, path, false);
		else
			free(path);
	}
	if (dir)
		closedir(dir);
	if (f->n > first)
		qsort(f->v + first, f->n - first, sizeof(*f->v), by_name);
}

static int add_folder(struct found_runs *f, const char *path, struct xcs_err *err)
{
	size_t before = f->n;

	if (!is_folder(path))
		return xcs_err_set(err, -EINVAL,
		                   "%s is no folder; give the folder of a run, or one that holds "
		                   "runs",
		                   path);
	if (is_run(path))
		add(f, xcs_xstrdup(path), true);
	else
		add_runs_in(f, path);
	if (f->n == before)
		return xcs_err_set(err, -ENOENT,
		                   "%s holds no run.json, nor does a folder in it; give the "
		                   "folder that `xcsbench run` printed, or one that holds runs",
		                   path);
	return 0;
}

int find_runs(const char *path, struct found_runs *into, struct xcs_err *err)
{
	glob_t matches = {0};
	size_t before = into->n;
	int rc = 0;

	if (access(path, F_OK) == 0)
		return add_folder(into, path, err);
	if (glob(path, 0, NULL, &matches))
		return xcs_err_set(err, -ENOENT,
		                   "%s: there is no such folder, nor does the "
		                   "pattern match one",
		                   path);
	for (size_t i = 0; rc == 0 && i < matches.gl_pathc; i++) {
		/* A pattern takes what is there: other files beside the runs do no harm. */
		if (is_run(matches.gl_pathv[i]))
			add(into, xcs_xstrdup(matches.gl_pathv[i]), true);
		else if (is_folder(matches.gl_pathv[i]))
			add_runs_in(into, matches.gl_pathv[i]);
	}
	globfree(&matches);
	if (into->n == before)
		rc = xcs_err_set(err, -ENOENT,
		                 "%s matches no run; give folders that hold a "
		                 "run.json",
		                 path);
	return rc;
}
