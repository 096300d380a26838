/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read.h"

#include <common/alloc.h>
#include <common/file.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *read_line_dup(const struct facts_world *w, enum read_root root, const char *rel)
{
	struct xcs_buf text = {0};
	struct xcs_str line = {"", 0}, rest;
	int rc = root == READ_PROC ? xcs_proc_read(w->env, rel, &text)
	                           : xcs_sys_read(w->env, rel, &text);

	rest = xcs_buf_str(&text);
	xcs_str_next_line(&rest, &line);
	line = xcs_str_trim(line);
	char *value = rc || !line.n ? NULL : xcs_xasprintf("%.*s", (int)line.n, line.p);
	xcs_buf_fini(&text);
	return value;
}

void read_rows(const struct facts_world *w, const struct read_row *rows, size_t n,
               struct xcs_facts *facts)
{
	for (size_t i = 0; i < n; i++) {
		const struct read_row *r = &rows[i];
		char *source =
		        xcs_xasprintf("%s:%s", r->root == READ_PROC ? "proc" : "sys", r->rel);
		xcs_facts_take(facts, r->key, read_line_dup(w, r->root, r->rel), source);
		free(source);
	}
}

int read_path(const struct facts_world *w, const char *path, struct xcs_buf *into)
{
	char *full = xcs_xasprintf("%s%s", w->root ? w->root : "", path);
	int rc = xcs_file_read_at(AT_FDCWD, full, into);

	free(full);
	return rc;
}

char *read_value_dup(struct xcs_str text, char sep, const char *key)
{
	struct xcs_str line, name;

	while (xcs_str_next_line(&text, &line)) {
		if (!xcs_str_next_part(&line, sep, &name) || !xcs_str_is(xcs_str_trim(name), key))
			continue;
		line = xcs_str_trim(line);
		if (line.n >= 2 && line.p[0] == '"' && line.p[line.n - 1] == '"')
			line = (struct xcs_str){line.p + 1, line.n - 2};
		return xcs_xasprintf("%.*s", (int)line.n, line.p);
	}
	return NULL;
}

static int by_name(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

size_t read_names(const struct facts_world *w, const char *rel, const char *prefix, char ***names)
{
	int fd = w->env->sys_fd < 0 ? -1 : openat(w->env->sys_fd, rel, O_RDONLY | O_DIRECTORY);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *e;
	size_t n = 0;

	*names = NULL;
	if (!dir && fd >= 0)
		close(fd);
	while (dir && (e = readdir(dir))) {
		if (e->d_name[0] == '.' || strncmp(e->d_name, prefix, strlen(prefix)))
			continue;
		*names = xcs_xrealloc(*names, (n + 1) * sizeof(**names));
		(*names)[n++] = xcs_xstrdup(e->d_name);
	}
	if (dir)
		closedir(dir);
	if (n)
		qsort(*names, n, sizeof(**names), by_name);
	return n;
}

void read_names_free(char **names, size_t n)
{
	while (n)
		free(names[--n]);
	free(names);
}

static bool is_listed(struct xcs_str list, const char *value)
{
	struct xcs_str part;

	while (xcs_str_next_part(&list, ',', &part))
		if (xcs_str_is(xcs_str_trim(part), value))
			return true;
	return false;
}

char *read_each_dup(const struct facts_world *w, const char *rel, const char *prefix,
                    const char *leaf)
{
	struct xcs_buf list = {0};
	char **names;
	size_t n = read_names(w, rel, prefix, &names);

	for (size_t i = 0; i < n; i++) {
		char *path = xcs_xasprintf("%s/%s/%s", rel, names[i], leaf);
		char *value = read_line_dup(w, READ_SYS, path);
		if (value && !is_listed(xcs_buf_str(&list), value))
			xcs_buf_printf(&list, "%s%s", list.n ? ", " : "", value);
		free(value);
		free(path);
	}
	read_names_free(names, n);
	return list.n ? xcs_buf_take(&list) : NULL;
}
