/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The files that the commands of a run list: made before the run, removed after it.
 */
#ifndef TREE_H
#define TREE_H

#include <common/paths.h>
#include <record/run.h>

enum tree_kind {
	TREE_NONE,
	TREE_FLAT,  /* n_entries empty files in one folder */
	TREE_NESTED /* n_entries in all, the folder itself included: what `find DIR` prints */
};

struct tree_spec {
	enum tree_kind kind;
	int n_entries;
	int name_bytes; /* of every name: a stem, and at its end a number of 5 digits or more */
};

enum {
	TREE_ENTRIES_MAX = 10000000,
	TREE_FOLDER_ENTRIES = 100, /* at most, in a folder of a nested tree */
	TREE_NAME_BYTES_MIN = 8
};

/* Where it goes; all borrowed. */
struct tree_place {
	const char *parent; /* folder that is removed after the run; the tree is made in it */
	const char *cache;  /* or NULL; else the tree stays below this folder, for other runs */
	const struct xcs_user *user;    /* whose it is */
	bool (*is_stopped)(void *data); /* asked now and then while it is made; or NULL */
	void *data;
};

/* Entries that `ls DIR` or `find DIR` would meet, the folder itself included. */
int tree_total(const struct tree_spec *spec);

/*
 * Makes the tree, or takes the complete one that the cache holds, and fills *out (owned by
 * the run). Before it makes anything it looks for room: bytes, inodes and the length of
 * names, and refuses with path, need and have (-ENOSPC, -ENAMETOOLONG). What was made is
 * removed again on any error. Returns 0 or -errno; -EINTR when stopped.
 */
int tree_make(const struct tree_spec *spec, const struct tree_place *place,
              struct xcs_run_tree *out, struct xcs_err *err) XCS_MUST_CHECK;

/* Is there room for it in this folder? Returns 0 or -errno, as above. */
int tree_check_room(const struct tree_spec *spec, const char *dir,
                    struct xcs_err *err) XCS_MUST_CHECK;

/* Entries below `path` and itself, links not followed; or -errno. */
int tree_count(const char *path);

/* "tmpfs", "ext4" ...: what the folder is on; the caller frees it. NULL: unknown. */
char *tree_filesystem_dup(const char *path);

#endif
