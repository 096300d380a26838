/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plot.h"

#include <common/child.h>
#include <common/file.h>
#include <common/units.h>

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

void perf_plot(const struct xcs_buf *script, const char *path)
{
	/* Data blocks are read from a file or a pipe only, so the script is one in memory. */
	int fd = memfd_create("growth.gp", MFD_CLOEXEC);
	const struct xcs_spawn spawn = {
	        .argv = (const char *[]){"gnuplot", "-", NULL},
                    .stdin_fd = fd
        };
	struct xcs_buf out = {0};
	struct xcs_err err;

	if (fd < 0 || xcs_fd_write_all(fd, script->p, script->n) || lseek(fd, 0, SEEK_SET))
		fprintf(stderr, "no plot: no memory for its script\n");
	else if (xcs_child_capture(&spawn, 30 * XCS_NS_PER_S, &out, &err))
		fprintf(stderr, "no plot: %s\n", err.text);
	else
		printf("plotted to %s\n", path);
	if (fd >= 0)
		close(fd);
	xcs_buf_fini(&out);
}
