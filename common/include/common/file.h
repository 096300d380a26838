/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whole files: read to the end, write so that a crash leaves the old or the new content
 * and nothing between.
 */
#ifndef XCS_FILE_H
#define XCS_FILE_H

#include <common/buf.h>
#include <common/err.h>

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reads `rel` below `dir_fd` (AT_FDCWD works) to the end into `into`, cleared first. 0 or -errno.
 */
int xcs_file_read_at(int dir_fd, const char *rel, struct xcs_buf *into);

/* Reads the rest of an open descriptor behind what `into` holds. Returns 0 or -errno. */
int xcs_fd_read_all(int fd, struct xcs_buf *into);

/* Writes all bytes, going on after short writes and EINTR. Returns 0 or -errno. */
int xcs_fd_write_all(int fd, const void *p, size_t n_bytes) XCS_MUST_CHECK;

/*
 * Makes file `path` appear whole: temp name beside it, fsync, rename, fsync of the folder.
 * On error the old file is still there and no temp file is left. Returns 0 or -errno.
 */
int xcs_file_write(const char *path, const void *p, size_t n_bytes,
                   struct xcs_err *err) XCS_MUST_CHECK;

/* Makes a name that was just added to or removed from path's folder last. 0 or -errno. */
int xcs_file_sync_parent(const char *path);

/* Makes the folder and its missing parents. Returns 0 (also when it is there) or -errno. */
int xcs_dir_make(const char *path, mode_t mode, struct xcs_err *err) XCS_MUST_CHECK;

/* Removes a folder and all below it, following no links. Returns 0, or the first -errno. */
int xcs_dir_remove(const char *path);

#ifdef __cplusplus
}
#endif
#endif
