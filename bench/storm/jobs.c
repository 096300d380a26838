/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jobs.h"

#include <common/alloc.h>
#include <common/file.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char *path_dup(const struct storm *s, const char *kind, int k, const char *suffix)
{
	return xcs_xasprintf("%s/%s%d%s", s->dir, kind, k, suffix);
}

static int launch(struct storm *s, int k, const char *source, const char *object,
                  const char *tmpdir, int log_fd, struct xcs_err *err)
{
	const char *argv[] = {s->compiler, "-O1", "-w", "-c", "-o", object, source, NULL};
	/* Temporary files go where we remove them, and nothing is to come from a cache. */
	const char *env[] = {tmpdir, "LC_ALL=C", "CCACHE_DISABLE=1", NULL};
	const struct xcs_spawn spawn = {
	        .argv = argv, .env_add = env, .stderr_fd = log_fd, .die_with_parent = true};

	return xcs_child_start(&s->jobs[k].child, &spawn, err);
}

int storm_start_job(struct storm *s, int k, struct xcs_err *err)
{
	char *source = path_dup(s, "file", s->next_file, ".c");
	char *object = path_dup(s, "job", k, ".o"), *log = path_dup(s, "job", k, ".log");
	char *tmpdir = xcs_xasprintf("TMPDIR=%s", s->dir);
	int log_fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int rc = log_fd < 0 ? xcs_err_sys(err, -errno, "cannot write %s", log) : 0;

	s->jobs[k].file = s->next_file;
	s->next_file = (s->next_file + 1) % s->n_files;
	if (rc == 0)
		rc = launch(s, k, source, object, tmpdir, log_fd, err);
	if (log_fd >= 0)
		close(log_fd);
	free(source);
	free(object);
	free(log);
	free(tmpdir);
	return rc;
}

static int64_t ns_of(struct timeval t)
{
	return t.tv_sec * XCS_NS_PER_S + t.tv_usec * XCS_NS_PER_US;
}

static void count(const struct storm *s, const struct rusage *used)
{
	if (!s->page)
		return;
	xcs_counters_add(s->page, XCS_COUNTER_CHILDREN, 1);
	xcs_counters_add(s->page, XCS_COUNTER_CHILD_CPU_NS,
	                 (uint64_t)(ns_of(used->ru_utime) + ns_of(used->ru_stime)));
	xcs_counters_add(s->page, XCS_COUNTER_CHILD_SWITCHES,
	                 (uint64_t)(used->ru_nvcsw + used->ru_nivcsw));
}

/* The compiler's own first line, or how it ended when it gave none. */
static int blame(const struct storm *s, int k, struct xcs_err *err)
{
	const struct storm_job *job = &s->jobs[k];
	char *log = path_dup(s, "job", k, ".log");
	struct xcs_buf text = {0}, how = {0};
	struct xcs_str rest, line = {0};

	if (xcs_file_read_at(AT_FDCWD, log, &text) == 0) {
		rest = xcs_buf_str(&text);
		(void)xcs_str_next_line(&rest, &line);
	}
	xcs_child_describe(&job->child, &how);
	int rc = xcs_err_set(err, -EIO, "the compiler %s %s on file%d.c%s%.*s", s->compiler, how.p,
	                     job->file, line.n ? ": " : "", (int)line.n, line.n ? line.p : "");
	xcs_buf_fini(&text);
	xcs_buf_fini(&how);
	free(log);
	return rc;
}

int storm_judge(const struct storm *s, int k, struct xcs_err *err)
{
	int status = s->jobs[k].child.status;

	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : blame(s, k, err);
}

static int job_of(const struct storm *s, pid_t pid)
{
	for (int k = 0; k < s->n_jobs; k++)
		if (s->jobs[k].child.pid == pid && !s->jobs[k].child.ended)
			return k;
	return -1;
}

static int end_job(struct storm *s, int k, int status, bool go_on, struct xcs_err *err)
{
	struct xcs_child *child = &s->jobs[k].child;

	child->ended = true;
	child->status = status;
	xcs_child_stop(child, 0); /* closes its pidfd */
	if (!go_on)
		return 0;
	int rc = storm_judge(s, k, err);
	if (rc)
		return rc;
	if (s->page)
		xcs_counters_add(s->page, XCS_COUNTER_FILES, 1);
	return storm_start_job(s, k, err);
}

int storm_reap(struct storm *s, bool go_on, struct xcs_err *err)
{
	struct rusage used;
	int status, rc = 0;
	pid_t pid;

	while (rc == 0 && (pid = wait4(-1, &status, WNOHANG, &used)) > 0) {
		int k = job_of(s, pid);
		count(s, &used);
		if (k >= 0)
			rc = end_job(s, k, status, go_on, err);
	}
	return rc;
}

bool storm_has_children(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}
