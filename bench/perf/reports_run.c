/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports.h"

#include <common/env.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static int count_lines(int fd)
{
	char bytes[4096];
	int n_lines = 0;
	ssize_t n;

	lseek(fd, 0, SEEK_SET);
	while ((n = read(fd, bytes, sizeof(bytes))) > 0)
		for (ssize_t i = 0; i < n; i++)
			n_lines += bytes[i] == '\n';
	return n_lines;
}

/* Standard error goes to `said`, the rest to nothing. */
static int start(const char *const *argv, int said, pid_t *pid)
{
	posix_spawn_file_actions_t to;

	posix_spawn_file_actions_init(&to);
	posix_spawn_file_actions_addopen(&to, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&to, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&to, said, STDERR_FILENO);
	int rc = posix_spawn(pid, argv[0], &to, NULL, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&to);
	return -rc;
}

int perf_run(const char *const *argv, struct perf_usage *usage, struct xcs_err *err)
{
	int said = memfd_create("said", MFD_CLOEXEC), status;
	int64_t start_ns = xcs_mono_now_ns();
	struct rusage used;
	pid_t pid;
	int rc = said < 0 ? -errno : start(argv, said, &pid);

	if (rc == 0 && wait4(pid, &status, 0, &used) != pid)
		rc = -errno;
	if (rc == 0)
		*usage = (struct perf_usage){
		        .real_s = xcs_ns_to_s(xcs_mono_now_ns() - start_ns),
		        .cpu_s = seconds(used.ru_utime) + seconds(used.ru_stime),
		        .rss_mb = (double)used.ru_maxrss / 1024,
		        .status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
		        .n_sentences = count_lines(said)};
	else
		xcs_err_sys(err, rc, "cannot run %s", argv[0]);
	if (said >= 0)
		close(said);
	return rc;
}
