/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "latest.h"

#include <common/alloc.h>

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool holds_run(const char *runs, const char *name)
{
	char *path = xcs_xasprintf("%s/%s/run.json", runs, name);
	bool holds = name[0] != '.' && access(path, F_OK) == 0;

	free(path);
	return holds;
}

char *report_latest_dup(const char *runs, struct xcs_err *err)
{
	DIR *dir = opendir(runs);
	char *best = NULL;
	const struct dirent *e;

	/* ULIDs sort by the time at which they were made. */
	while (dir && (e = readdir(dir))) {
		if ((best && strcmp(e->d_name, best) <= 0) || !holds_run(runs, e->d_name))
			continue;
		free(best);
		best = xcs_xstrdup(e->d_name);
	}
	if (dir)
		closedir(dir);
	if (!best) {
		xcs_err_set(err, -ENOENT,
		            "there is no run in %s; make one with `xcsbench run`, or name the "
		            "folder of one",
		            runs);
		return NULL;
	}
	char *path = xcs_xasprintf("%s/%s", runs, best);
	free(best);
	return path;
}
