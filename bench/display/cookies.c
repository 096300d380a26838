/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <display/cookies.h>
#include <display/displays.h>

#include <common/alloc.h>

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In /tmp anybody can put a file; a stranger's is not even read. */
static bool is_trusted(const char *path, uid_t uid)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       (st.st_uid == uid || st.st_uid == 0) && eaccess(path, R_OK) == 0;
}

static void add(struct cookies *out, uid_t uid, const char *path)
{
	for (size_t i = 0; i < out->n; i++)
		if (strcmp(out->path[i], path) == 0)
			return;
	if (out->n < COOKIES_MAX && is_trusted(path, uid))
		out->path[out->n++] = xcs_xstrdup(path);
}

static void look(struct cookies *out, uid_t uid, const char *dir, const char *pattern)
{
	char *full = xcs_xasprintf("%s/%s", dir, pattern);
	glob_t found = {0};

	if (glob(full, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			add(out, uid, found.gl_pathv[i]);
	globfree(&found);
	free(full);
}

/* The value of `name` ("DISPLAY=") in the text of an environ file, where a NUL ends each row
 * (proc(5)); NULL: it has none. */
static char *value_dup(struct xcs_str environ_text, const char *name)
{
	const size_t n = strlen(name);
	struct xcs_str row;

	while (xcs_str_next_part(&environ_text, '\0', &row))
		if (xcs_str_starts(row, name))
			return xcs_xasprintf("%.*s", (int)(row.n - n), row.p + n);
	return NULL;
}

/* What the process was started with; that of another user the kernel does not show. */
static void look_at_process(struct cookies *out, uid_t uid, const struct cookies_places *places,
                            const char *pid)
{
	char *rel = xcs_xasprintf("%s/environ", pid);
	struct xcs_buf text = {0};

	if (xcs_proc_read(places->env, rel, &text) == 0) {
		char *display = value_dup(xcs_buf_str(&text), "DISPLAY=");
		char *path = value_dup(xcs_buf_str(&text), "XAUTHORITY=");
		if (display && path && displays_number(display) >= 0 &&
		    displays_number(display) == displays_number(places->display))
			add(out, uid, path);
		free(display);
		free(path);
	}
	xcs_buf_fini(&text);
	free(rel);
}

/* Eldest first, as far as the numbers tell: a session's leader and its compositor. */
static void look_at_processes(struct cookies *out, uid_t uid, const struct cookies_places *places)
{
	struct dirent **names = NULL;
	int n = scandirat(places->env->proc_fd, ".", &names, NULL, versionsort);
	struct stat st;

	for (int i = 0; i < n; i++) {
		const char *name = names[i]->d_name;
		if (isdigit((unsigned char)name[0]) &&
		    fstatat(places->env->proc_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    st.st_uid == uid)
			look_at_process(out, uid, places, name);
		free(names[i]);
	}
	free(names);
}

int cookies_find(struct cookies *out, const struct xcs_user *user,
                 const struct cookies_places *places, struct xcs_err *err)
{
	const struct {
		const char *dir, *pattern;
	} kept[] = {
	        {places->runtime, "gdm/Xauthority"        },
	        {user->home,      ".Xauthority"           },
	        {places->runtime, "xauth_*"               },
	        {places->runtime, ".mutter-Xwaylandauth.*"},
	        {places->tmp,     "xauth_*"               },
	        {places->tmp,     "serverauth.*"          },
	};

	*out = (struct cookies){0};
	int rc = xcs_user_enter(user, err);
	if (rc)
		return rc;
	look_at_processes(out, user->uid, places);
	for (size_t i = 0; i < ARRAY_LEN(kept); i++)
		look(out, user->uid, kept[i].dir, kept[i].pattern);
	xcs_user_leave(user);
	return 0;
}

void cookies_fini(struct cookies *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->path[i]);
	*c = (struct cookies){0};
}
