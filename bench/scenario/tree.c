/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <scenario/tree.h>

#include <common/alloc.h>
#include <common/file.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
	DIGITS_MIN = 5,
	INODE_BYTES = 512, /* of XFS, among the largest */
	STOP_EVERY = 512,  /* entries between two looks whether to stop */
	DEPTH_MAX = 8
};

#define MARKER "complete"
#define REMEDY "set TMPDIR or take --tree-dir=DIR, with a folder of a file system that has"

/* A tree in the making. */
struct growing {
	const struct tree_spec *spec;
	const struct tree_place *place;
	const char *path;
	int n_made;
};

int tree_total(const struct tree_spec *spec)
{
	return spec->kind == TREE_FLAT ? spec->n_entries + 1 : spec->n_entries;
}

/* "ddddddd00042": as long as the spec says, so that every line of a listing is. */
static void name_make(char name[NAME_MAX + 1], const struct tree_spec *spec, bool folder, int i)
{
	static const char stem[] = "a-name-as-long-as-its-scenario-says-";
	int n_digits = snprintf(NULL, 0, "%0*d", DIGITS_MIN, i);
	int n_stem = spec->name_bytes - n_digits;

	name[0] = folder ? 'd' : 'f';
	for (int c = 1; c < n_stem; c++)
		name[c] = stem[(size_t)(c - 1) % (sizeof(stem) - 1)];
	snprintf(name + n_stem, (size_t)n_digits + 1, "%0*d", DIGITS_MIN, i);
}

static int made_one(struct growing *g)
{
	const struct tree_place *p = g->place;

	g->n_made++;
	return g->n_made % STOP_EVERY == 0 && p->is_stopped && p->is_stopped(p->data) ? -EINTR : 0;
}

static int add_files(struct growing *g, int dir_fd, int n)
{
	char name[NAME_MAX + 1];
	int rc = 0;

	for (int i = 1; i <= n && rc == 0; i++) {
		name_make(name, g->spec, false, i);
		int fd = openat(dir_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		                0644);
		if (fd < 0)
			return -errno;
		close(fd);
		rc = made_one(g);
	}
	return rc;
}

static int add_below(struct growing *g, int dir_fd, int n);

static int add_folder(struct growing *g, int dir_fd, int i, int n_below)
{
	char name[NAME_MAX + 1];

	name_make(name, g->spec, true, i);
	if (mkdirat(dir_fd, name, 0755))
		return -errno;
	int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int rc = fd < 0 ? -errno : made_one(g);
	if (rc == 0)
		rc = add_below(g, fd, n_below);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* Adds n entries below a folder: files, or as few folders as will do, filled evenly. */
static int add_below(struct growing *g, int dir_fd, int n)
{
	const int full = TREE_FOLDER_ENTRIES;
	int rc = 0;

	if (n <= full)
		return add_files(g, dir_fd, n);
	int n_folders = (n + full) / (full + 1);
	if (n_folders > full)
		n_folders = full;
	for (int i = 1, left = n; i <= n_folders && rc == 0; i++) {
		int n_here = left / (n_folders - i + 1);
		rc = add_folder(g, dir_fd, i, n_here - 1);
		left -= n_here;
	}
	return rc;
}

static int grow_failed(const struct growing *g, int rc, struct xcs_err *err)
{
	if (rc == -EINTR)
		return xcs_err_set(err, rc, "interrupted while making files in %s", g->path);
	if (rc == -ENOSPC || rc == -EDQUOT)
		return xcs_err_sys(err, rc,
		                   "file %d of %d in %s could not be made (" REMEDY " room)",
		                   g->n_made + 1, tree_total(g->spec), g->path);
	return xcs_err_sys(err, rc, "file %d of %d in %s could not be made", g->n_made + 1,
	                   tree_total(g->spec), g->path);
}

/* Makes path and all below it; nothing is left of it on error. */
static int grow(const char *path, const struct tree_spec *spec, const struct tree_place *place,
                struct xcs_err *err)
{
	struct growing g = {spec, place, path, 0};

	if (mkdir(path, 0755))
		return xcs_err_sys(err, -errno, "cannot make the folder %s", path);
	g.n_made = 1;
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int rc = fd < 0 ? -errno : 0;
	if (rc == 0)
		rc = spec->kind == TREE_FLAT ? add_files(&g, fd, spec->n_entries)
		                             : add_below(&g, fd, spec->n_entries - 1);
	if (fd >= 0)
		close(fd);
	if (rc) {
		grow_failed(&g, rc, err);
		xcs_dir_remove(path);
	}
	return rc;
}

static int no_room(const char *dir, const char *what, unsigned long long need,
                   unsigned long long have, struct xcs_err *err)
{
	return xcs_err_set(err, -ENOSPC,
	                   "%s has no room for the files of this scenario: %llu %s are needed and "
	                   "%llu are free; " REMEDY " them",
	                   dir, need, what, have);
}

int tree_check_room(const struct tree_spec *spec, const char *dir, struct xcs_err *err)
{
	unsigned long long n = (unsigned long long)tree_total(spec);
	unsigned long long need = n * (unsigned long long)(INODE_BYTES + spec->name_bytes);
	struct statvfs st;

	if (statvfs(dir, &st))
		return xcs_err_sys(err, -errno, "cannot tell how much room %s has", dir);
	if ((unsigned long)spec->name_bytes > st.f_namemax)
		return xcs_err_set(err, -ENAMETOOLONG,
		                   "%s takes names of %lu bytes and this scenario needs %d; " REMEDY
		                   " longer ones",
		                   dir, st.f_namemax, spec->name_bytes);
	/* No number of files at all: the file system makes inodes as it needs them (btrfs). */
	if (st.f_files && st.f_favail < n)
		return no_room(dir, "inodes", n, st.f_favail, err);
	unsigned long long have = (unsigned long long)st.f_bavail * st.f_frsize;
	return have < need ? no_room(dir, "bytes", need, have, err) : 0;
}

static int count_below(int fd, int depth)
{
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;
	int n = 0;

	if (!dir || depth > DEPTH_MAX) {
		int rc = dir ? -ELOOP : -errno;
		if (dir)
			closedir(dir);
		else if (fd >= 0)
			close(fd);
		return rc;
	}
	while (n >= 0 && (e = readdir(dir))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		int below = openat(dirfd(dir), e->d_name,
		                   O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		int n_below = below < 0 ? 0 : count_below(below, depth + 1);
		n = n_below < 0 ? n_below : n + 1 + n_below;
	}
	closedir(dir);
	return n;
}

int tree_count(const char *path)
{
	int n = count_below(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), 0);

	return n < 0 ? n : n + 1;
}

char *tree_filesystem_dup(const char *path)
{
	static const struct {
		unsigned long magic;
		const char *name;
	} known[] = {
	        {TMPFS_MAGIC,           "tmpfs"  },
	        {EXT4_SUPER_MAGIC,      "ext4"   },
	        {BTRFS_SUPER_MAGIC,     "btrfs"  },
	        {XFS_SUPER_MAGIC,       "xfs"    },
	        {OVERLAYFS_SUPER_MAGIC, "overlay"},
	        {NFS_SUPER_MAGIC,       "nfs"    },
	        {F2FS_SUPER_MAGIC,      "f2fs"   },
	        {FUSE_SUPER_MAGIC,      "fuse"   },
	        {V9FS_MAGIC,            "9p"     },
	        {0x2fc12fc1,            "zfs"    }, /* include/sys/fs/zfs.h */
	};
	struct statfs st;

	if (statfs(path, &st))
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if ((unsigned long)st.f_type == known[i].magic)
			return xcs_xstrdup(known[i].name);
	return xcs_xasprintf("0x%lx", (unsigned long)st.f_type);
}

static void fill(struct xcs_run_tree *out, const struct tree_spec *spec, char *path, bool cached)
{
	*out = (struct xcs_run_tree){.path = path,
	                             .filesystem = tree_filesystem_dup(path),
	                             .n_entries = tree_total(spec),
	                             .name_bytes = spec->name_bytes,
	                             .cached = cached};
}

static int make_in(const char *parent, const struct tree_spec *spec, const struct tree_place *place,
                   struct xcs_run_tree *out, struct xcs_err *err)
{
	int rc = tree_check_room(spec, parent, err);

	if (rc)
		return rc;
	char *path = xcs_xasprintf("%s/files", parent);
	rc = grow(path, spec, place, err);
	if (rc == 0)
		fill(out, spec, path, false);
	else
		free(path);
	return rc;
}

/* The marker is written last, so a tree without it was never finished. */
static bool is_complete(const char *dir, const struct tree_spec *spec)
{
	char *marker = xcs_xasprintf("%s/" MARKER, dir), *files = xcs_xasprintf("%s/files", dir);
	bool yes = access(marker, F_OK) == 0 && tree_count(files) == tree_total(spec);

	free(marker);
	free(files);
	return yes;
}

static int make_cached(const char *dir, const struct tree_spec *spec,
                       const struct tree_place *place, struct xcs_run_tree *out,
                       struct xcs_err *err)
{
	if (is_complete(dir, spec)) {
		fill(out, spec, xcs_xasprintf("%s/files", dir), true);
		return 0;
	}
	if (access(dir, F_OK) == 0 && xcs_dir_remove(dir))
		return xcs_err_sys(err, -errno, "cannot remove the unfinished tree %s", dir);
	int rc = xcs_dir_make(dir, 0755, err);
	if (rc == 0)
		rc = make_in(dir, spec, place, out, err);
	char *marker = xcs_xasprintf("%s/" MARKER, dir);
	if (rc == 0)
		rc = xcs_file_write(marker, "", 0, err);
	free(marker);
	if (rc)
		xcs_dir_remove(dir);
	return rc;
}

/* Another run may want the same tree at this moment: one makes it, the other waits. */
static int lock_cache(const char *cache, const char *dir, int *fd, struct xcs_err *err)
{
	char *path = xcs_xasprintf("%s.lock", dir);
	int rc = xcs_dir_make(cache, 0755, err);

	*fd = -1;
	if (rc == 0) {
		*fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (*fd < 0 || flock(*fd, LOCK_EX))
			rc = xcs_err_sys(err, -errno, "cannot lock %s", path);
	}
	free(path);
	return rc;
}

static int take_cached(const struct tree_spec *spec, const struct tree_place *place,
                       struct xcs_run_tree *out, struct xcs_err *err)
{
	char *dir = xcs_xasprintf("%s/%s-%d-%d", place->cache,
	                          spec->kind == TREE_FLAT ? "flat" : "nested", spec->n_entries,
	                          spec->name_bytes);
	int fd;
	int rc = lock_cache(place->cache, dir, &fd, err);

	if (rc == 0)
		rc = make_cached(dir, spec, place, out, err);
	if (fd >= 0)
		close(fd);
	free(dir);
	return rc;
}

int tree_make(const struct tree_spec *spec, const struct tree_place *place,
              struct xcs_run_tree *out, struct xcs_err *err)
{
	*out = (struct xcs_run_tree){0};
	int rc = xcs_user_enter(place->user, err);

	if (rc)
		return rc;
	rc = place->cache ? take_cached(spec, place, out, err)
	                  : make_in(place->parent, spec, place, out, err);
	xcs_user_leave(place->user);
	return rc;
}
