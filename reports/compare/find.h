/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Run directories that an operand names. Private to reports/.
 */
#ifndef XCS_COMPARE_FIND_H
#define XCS_COMPARE_FIND_H

#include <common/err.h>

#include <stdbool.h>
#include <stddef.h>

struct found_run {
	char *dir;
	bool named; /* the user named this very run: if it cannot be read, that is an error */
};

struct found_runs {
	struct found_run *v;
	size_t n, cap;
};

/*
 * Adds the runs of `path`, sorted by name: a run itself, the runs in that folder, or what the
 * pattern matches. -ENOENT or -EINVAL with the sentence when there is none.
 */
int find_runs(const char *path, struct found_runs *into, struct xcs_err *err) XCS_MUST_CHECK;
void find_runs_fini(struct found_runs *f);

#endif
