/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "output.h"

#include <common/file.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int print(const struct xcs_buf *text, struct xcs_err *err)
{
	if (fwrite(text->p, 1, text->n, stdout) != text->n || fflush(stdout))
		return xcs_err_sys(err, -errno, "cannot write the report");
	return 0;
}

/* A device or a pipe; renaming would replace it. */
static int write_into(const char *path, const struct xcs_buf *text, struct xcs_err *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	int rc = fd < 0 ? -errno : xcs_fd_write_all(fd, text->p, text->n);

	if (fd >= 0 && close(fd) && rc == 0)
		rc = -errno;
	return rc ? xcs_err_sys(err, rc, "cannot write %s", path) : 0;
}

int output_write(const char *path, const struct xcs_buf *text, struct xcs_err *err)
{
	struct stat st;

	if (!path || strcmp(path, "-") == 0)
		return print(text, err);
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return write_into(path, text, err);
	return xcs_file_write(path, text->p, text->n, err);
}
