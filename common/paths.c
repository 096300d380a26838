/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <common/env.h>
#include <common/paths.h>

#include <errno.h>
#include <grp.h>
#include <libgen.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int sudo_uid(uid_t *uid)
{
	const char *text = geteuid() == 0 ? getenv("SUDO_UID") : NULL;
	uint64_t v;

	if (!text || xcs_str_u64(xcs_str(text), &v) || v == 0 || v >= UINT32_MAX)
		return 0;
	*uid = (uid_t)v;
	return 1;
}

int xcs_user_find(struct xcs_user *user, struct xcs_err *err)
{
	*user = (struct xcs_user){.uid = getuid(), .gid = getgid()};
	user->via_sudo = sudo_uid(&user->uid);
	const struct passwd *pw = getpwuid(user->uid);

	if (!pw && user->via_sudo)
		return xcs_err_set(err, -ENOENT,
		                   "SUDO_UID=%u names no account; run without sudo or fix SUDO_UID",
		                   (unsigned)user->uid);
	if (pw && user->via_sudo)
		user->gid = pw->pw_gid;
	snprintf(user->name, sizeof(user->name), "%s", pw ? pw->pw_name : "?");
	const char *home = user->via_sudo ? NULL : getenv("HOME");
	if (!home || home[0] != '/')
		home = pw ? pw->pw_dir : "/";
	snprintf(user->home, sizeof(user->home), "%s", home);
	return 0;
}

int xcs_user_of(struct xcs_user *user, uid_t uid)
{
	const struct passwd *pw = getpwuid(uid);

	if (!pw)
		return -ENOENT;
	*user = (struct xcs_user){.uid = uid, .gid = pw->pw_gid, .via_sudo = uid != geteuid()};
	snprintf(user->name, sizeof(user->name), "%s", pw->pw_name);
	snprintf(user->home, sizeof(user->home), "%s", pw->pw_dir);
	return 0;
}

int xcs_user_enter(const struct xcs_user *user, struct xcs_err *err)
{
	if (!user->via_sudo)
		return 0;
	if (initgroups(user->name, user->gid) || setegid(user->gid) || seteuid(user->uid)) {
		int rc = -errno;
		xcs_user_leave(user);
		return xcs_err_sys(err, rc, "cannot act as %s", user->name);
	}
	return 0;
}

void xcs_user_leave(const struct xcs_user *user)
{
	if (user->via_sudo && (seteuid(0) || setegid(0) || initgroups("root", 0)))
		abort(); /* what follows would run with the wrong rights */
}

/* The prefix above bin/ or libexec/xcsbench/, in the build tree as in the installed one. */
static char *prefix_dup(void)
{
	char *exe = xcs_self_exe_dup();
	char *dir = exe ? dirname(exe) : NULL;
	const char *up = "..";

	if (!dir)
		return xcs_xstrdup("/usr");
	const char *base = strrchr(dir, '/');
	if (base && strcmp(base, "/xcsbench") == 0)
		up = "../..";
	char *prefix = xcs_xasprintf("%s/%s", dir, up);
	char *real = realpath(prefix, NULL);
	free(exe);
	if (!real)
		return prefix;
	free(prefix);
	return real;
}

char *xcs_path_program_dup(const char *name)
{
	char *prefix = prefix_dup();
	const char *folder = strcmp(name, "xcsbench") == 0 ? "bin" : "libexec/xcsbench";
	char *path = xcs_xasprintf("%s/%s/%s", prefix, folder, name);

	free(prefix);
	return path;
}

char *xcs_path_data_dup(const char *rel)
{
	char *prefix = prefix_dup();
	char *path = xcs_xasprintf("%s/share/xcsbench/%s", prefix, rel);

	free(prefix);
	return path;
}

static char *xdg_dup(const struct xcs_user *user, const char *variable, const char *fallback,
                     const char *rel)
{
	const char *base = user->via_sudo ? NULL : getenv(variable);

	if (base && base[0] == '/')
		return xcs_xasprintf("%s/%s", base, rel);
	return xcs_xasprintf("%s/%s/%s", user->home, fallback, rel);
}

char *xcs_path_runs_dup(const struct xcs_user *user)
{
	return xdg_dup(user, "XDG_DATA_HOME", ".local/share", "xcsbench/runs");
}

char *xcs_path_run_dup(const char *name, struct xcs_err *err)
{
	struct xcs_user user;

	if (strchr(name, '/') || access(name, F_OK) == 0)
		return xcs_xstrdup(name);
	if (xcs_user_find(&user, err))
		return NULL;
	char *runs = xcs_path_runs_dup(&user);
	char *dir = xcs_xasprintf("%s/%s", runs, name);
	free(runs);
	return dir;
}

char *xcs_path_trees_dup(const struct xcs_user *user)
{
	return xdg_dup(user, "XDG_CACHE_HOME", ".cache", "xcsbench/trees");
}

char *xcs_path_journals_dup(const struct xcs_user *user)
{
	if (geteuid() == 0)
		return xcs_xstrdup("/var/lib/xcsbench/undo");
	return xdg_dup(user, "XDG_STATE_HOME", ".local/state", "xcsbench/undo");
}
