/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/err.h>
#include <common/main.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void xcs_main_begin(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGCHLD, SIG_DFL); /* ignored, it would take the exit status of our children */
}

int xcs_main_end(const char *name, int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	fprintf(stderr, "%s: cannot write standard output: %s\n", name, strerror(errno));
	return XCS_EXIT_ERROR;
}
