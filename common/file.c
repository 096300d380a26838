/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <common/file.h>

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <libgen.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int xcs_fd_read_all(int fd, struct xcs_buf *into)
{
	for (;;) {
		xcs_buf_reserve(into, 4096);
		ssize_t n = read(fd, into->p + into->n, into->cap - into->n - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		into->n += (size_t)n;
		into->p[into->n] = '\0';
		if (n == 0)
			return 0;
	}
}

int xcs_file_read_at(int dir_fd, const char *rel, struct xcs_buf *into)
{
	xcs_buf_clear(into);
	int fd = openat(dir_fd, rel, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	int rc = xcs_fd_read_all(fd, into);
	close(fd);
	return rc;
}

int xcs_fd_write_all(int fd, const void *p, size_t n_bytes)
{
	const char *at = p;

	while (n_bytes) {
		ssize_t n = write(fd, at, n_bytes);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		at += n;
		n_bytes -= (size_t)n;
	}
	return 0;
}

int xcs_file_sync_parent(const char *path)
{
	char *copy = xcs_xstrdup(path);
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = fd < 0 || fsync(fd) ? -errno : 0;

	if (fd >= 0)
		close(fd);
	free(copy);
	return rc;
}

static int write_synced(int fd, const void *p, size_t n_bytes)
{
	int rc = fchmod(fd, 0644) ? -errno : 0;

	if (rc == 0)
		rc = xcs_fd_write_all(fd, p, n_bytes);
	if (rc == 0 && fsync(fd))
		rc = -errno;
	if (close(fd) && rc == 0)
		rc = -errno;
	return rc;
}

int xcs_file_write(const char *path, const void *p, size_t n_bytes, struct xcs_err *err)
{
	char *temp = xcs_xasprintf("%s.XXXXXX", path);
	int fd = mkostemp(temp, O_CLOEXEC);
	int rc = fd < 0 ? -errno : write_synced(fd, p, n_bytes);

	if (rc == 0 && rename(temp, path))
		rc = -errno;
	if (rc && fd >= 0)
		unlink(temp);
	if (rc == 0)
		rc = xcs_file_sync_parent(path);
	free(temp);
	return rc ? xcs_err_sys(err, rc, "cannot write %s", path) : 0;
}

int xcs_dir_make(const char *path, mode_t mode, struct xcs_err *err)
{
	char *copy = xcs_xstrdup(path);
	int rc = path[0] ? 0 : -ENOENT;

	for (char *slash = copy; rc == 0 && slash;) {
		slash = strchr(slash + 1, '/');
		if (slash)
			*slash = '\0';
		if (mkdir(copy, mode) && errno != EEXIST)
			rc = -errno;
		if (slash)
			*slash = '/';
	}
	struct stat st;
	if (rc == 0 && (stat(path, &st) || !S_ISDIR(st.st_mode)))
		rc = -ENOTDIR;
	free(copy);
	return rc ? xcs_err_sys(err, rc, "cannot make the folder %s", path) : 0;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path) ? -errno : 0;
}

int xcs_dir_remove(const char *path)
{
	int rc = nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);

	return rc == -1 ? -errno : rc;
}
