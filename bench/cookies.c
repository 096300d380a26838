/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cookies.h"

#include <common/alloc.h>

#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* In /tmp anybody can put a file; a stranger's is not even read. */
static bool is_trusted(const char *path, uid_t uid)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       (st.st_uid == uid || st.st_uid == 0) && eaccess(path, R_OK) == 0;
}

static void look(struct cookies *out, uid_t uid, const char *dir, const char *pattern)
{
	char *full = xcs_xasprintf("%s/%s", dir, pattern);
	glob_t found = {0};

	if (glob(full, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc && out->n < COOKIES_MAX; i++)
			if (is_trusted(found.gl_pathv[i], uid))
				out->path[out->n++] = xcs_xstrdup(found.gl_pathv[i]);
	globfree(&found);
	free(full);
}

int cookies_find(struct cookies *out, const struct xcs_user *user, const char *runtime,
                 const char *tmp, struct xcs_err *err)
{
	const struct {
		const char *dir, *pattern;
	} places[] = {
	        {runtime,    "gdm/Xauthority"        },
	        {user->home, ".Xauthority"           },
	        {runtime,    "xauth_*"               },
	        {runtime,    ".mutter-Xwaylandauth.*"},
	        {tmp,        "xauth_*"               },
	        {tmp,        "serverauth.*"          },
	};

	*out = (struct cookies){0};
	int rc = xcs_user_enter(user, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		look(out, user->uid, places[i].dir, places[i].pattern);
	xcs_user_leave(user);
	return 0;
}

void cookies_fini(struct cookies *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->path[i]);
	*c = (struct cookies){0};
}
