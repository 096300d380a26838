/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where things are: our own programs and data, the user's runs, the undo journals; and who
 * the user is when we run under sudo.
 */
#ifndef XCS_PATHS_H
#define XCS_PATHS_H

#include <common/err.h>

#include <stdbool.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Who measures and draws. */
struct xcs_user {
	uid_t uid;
	gid_t gid;
	bool via_sudo; /* we are root, the user is SUDO_UID */
	char name[64];
	char home[512];
};

/*
 * The user behind this process: SUDO_UID when we are root under sudo, else our own uid.
 * Returns 0 or -errno (a SUDO_UID that no account has).
 */
int xcs_user_find(struct xcs_user *user, struct xcs_err *err) XCS_MUST_CHECK;

/* The account of that number, for children to run as. Returns 0 or -ENOENT: there is none. */
int xcs_user_of(struct xcs_user *user, uid_t uid) XCS_MUST_CHECK;

/*
 * Under sudo, files are touched with the user's rights between these two, so that what is
 * made is the user's and no link of the user's leads root astray; else they do nothing.
 * xcs_user_enter returns 0 or -errno; xcs_user_leave ends the program if it cannot return.
 */
int xcs_user_enter(const struct xcs_user *user, struct xcs_err *err) XCS_MUST_CHECK;
void xcs_user_leave(const struct xcs_user *user);

/* Path of our program `name` (bin/xcsbench or libexec/xcsbench/NAME); the caller frees it. */
char *xcs_path_program_dup(const char *name);

/* Path of our installed data file; the caller frees it. */
char *xcs_path_data_dup(const char *rel);

/* $XDG_DATA_HOME/xcsbench/runs of that user: where runs go unless told. Caller frees. */
char *xcs_path_runs_dup(const struct xcs_user *user);

/* The folder of the run that a user names: a path (with a slash, or one that exists), else a
 * run in xcs_path_runs_dup. NULL: err tells why the user is unknown. Caller frees. */
char *xcs_path_run_dup(const char *name, struct xcs_err *err);

/* $XDG_CACHE_HOME/xcsbench/trees of that user: trees of files kept between runs. Caller frees. */
char *xcs_path_trees_dup(const struct xcs_user *user);

/* Folder of undo journals: /var/lib/xcsbench/undo for root, else below the user's state home. */
char *xcs_path_journals_dup(const struct xcs_user *user);

#ifdef __cplusplus
}
#endif
#endif
