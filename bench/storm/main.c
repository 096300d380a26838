/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * xcs-storm: a parallel build that does not end. Makes its C files, tries the compiler on
 * one, says "ready", and from a line on standard input on keeps so many compilers running
 * until that is closed or SIGTERM comes. Then it ends all of them.
 */
#include "jobs.h"

#include <common/alloc.h>
#include <common/env.h>
#include <common/file.h>
#include <common/loop.h>
#include <common/options.h>
#include <common/units.h>
#include <storm/source.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	TRY_S = 60, /* one file on a starved machine */
	END_S = 3,
	STOPPED = 1 /* of the loop: told to end */
};

struct options {
	const char *dir, *page, *compiler;
	int n_jobs, n_files;
	uint64_t seed;
};

/* What the callbacks of the loop share. */
struct build {
	struct storm storm;
	bool goes; /* has had its line */
	struct xcs_err err;
};

#define AT(member) .offset = offsetof(struct options, member)

static const struct xcs_option rows[] = {
        {.name = "dir",
         .type = XCS_OPT_STR,
         AT(dir),
         .metavar = "DIR",
         .help = "folder to make for the files (required)"},
        {.name = "jobs",
         .short_name = 'j',
         .type = XCS_OPT_INT,
         AT(n_jobs),
         .metavar = "N",
         .min = 1,
         .max = STORM_JOBS_MAX,
         .help = "compilers at a time (default 2)"},
        {.name = "files",
         .type = XCS_OPT_INT,
         AT(n_files),
         .metavar = "N",
         .min = 1,
         .max = STORM_FILES_MAX,
         .help = "number of source files, compiled in turn (default 48)"},
        {.name = "seed",
         .type = XCS_OPT_U64,
         AT(seed),
         .metavar = "N",
         .help = "seed of the files' content (default 1)"},
        {.name = "page",
         .type = XCS_OPT_STR,
         AT(page),
         .metavar = "FILE",
         .help = "counter page to keep up to date"},
        {.name = "compiler",
         .type = XCS_OPT_STR,
         AT(compiler),
         .metavar = "PROGRAM",
         .help = "C compiler (default cc)"},
        {0                            },
};

static const struct xcs_command command = {
        .name = "xcs-storm",
        .summary = "Compiles generated C files in parallel until told to stop.",
        .operands = "",
        .options = rows,
        .notes = "Says 'ready', begins at a line on standard input, and ends when that is "
                 "closed.",
};

static int write_file(const char *dir, const char *kind, int i, const char *suffix,
                      struct xcs_buf *text, struct xcs_err *err)
{
	char *path = xcs_xasprintf("%s/%s%d%s", dir, kind, i, suffix);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int rc = fd < 0 ? -errno : xcs_fd_write_all(fd, text->p, text->n);

	if (fd >= 0 && close(fd) && rc == 0)
		rc = -errno;
	if (rc)
		xcs_err_sys(err, rc, "cannot write %s", path);
	free(path);
	xcs_buf_fini(text);
	return rc;
}

static int make_files(const struct options *o, struct xcs_err *err)
{
	int rc = xcs_dir_make(o->dir, 0700, err);
	struct xcs_buf text = {0};

	for (int i = 0; rc == 0 && i < STORM_N_HEADERS; i++) {
		storm_header(o->seed, i, &text);
		rc = write_file(o->dir, "header", i, ".h", &text, err);
	}
	for (int i = 0; rc == 0 && i < o->n_files; i++) {
		storm_source(o->seed, i, &text);
		rc = write_file(o->dir, "file", i, ".c", &text, err);
	}
	return rc;
}

static int on_signal(int signo, void *data)
{
	struct build *b = data;

	return signo == SIGCHLD && b->goes ? storm_reap(&b->storm, true, &b->err) : STOPPED;
}

static int begin(struct build *b)
{
	int rc = 0;

	b->goes = true;
	for (int k = 0; rc == 0 && k < b->storm.n_jobs; k++)
		rc = storm_start_job(&b->storm, k, &b->err);
	return rc;
}

/* A line lets it begin; the end of the input, which the death of its owner is too, ends it. */
static int on_input(int fd, void *data)
{
	struct build *b = data;
	char line[16];
	ssize_t n = read(fd, line, sizeof(line));

	if (n <= 0)
		return n < 0 && (errno == EINTR || errno == EAGAIN) ? 0 : STOPPED;
	return b->goes ? 0 : begin(b);
}

/* Compiles one file before anybody counts: a compiler that cannot do it is told here. */
static int try_compiler(struct storm *s, struct xcs_err *err)
{
	int rc = storm_start_job(s, 0, err);

	if (rc == -ENOENT)
		return xcs_err_set(err, rc,
		                   "there is no C compiler: %s is not in PATH (package gcc)",
		                   s->compiler);
	if (rc)
		return rc;
	bool in_time = xcs_child_wait(&s->jobs[0].child, TRY_S * XCS_NS_PER_S);
	xcs_child_stop(&s->jobs[0].child, 0);
	if (!in_time)
		return xcs_err_set(err, -ETIMEDOUT,
		                   "the compiler %s took over %d s for one file of %s", s->compiler,
		                   TRY_S, s->dir);
	return storm_judge(s, 0, err);
}

/* Compilers remove their temporary files on SIGTERM; ours is blocked and not read any more. */
static void end_all(struct build *b, struct xcs_loop *loop)
{
	const int64_t deadline_ns = xcs_mono_now_ns() + END_S * XCS_NS_PER_S;
	struct xcs_err ignored;

	b->goes = false;
	kill(0, SIGTERM);
	while (storm_has_children() && xcs_mono_now_ns() < deadline_ns) {
		(void)!storm_reap(&b->storm, false, &ignored);
		(void)xcs_loop_run(loop, deadline_ns); /* until a child or a signal comes */
	}
	if (storm_has_children())
		kill(0, SIGKILL); /* and us with them */
}

static int build(struct build *b, struct xcs_loop *loop)
{
	static const int signals[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP, 0};
	int rc = try_compiler(&b->storm, &b->err);

	if (rc == 0)
		rc = xcs_loop_signals(loop, signals, on_signal, b, &b->err);
	if (rc)
		return rc;
	xcs_loop_watch(loop, STDIN_FILENO, on_input, b);
	if (xcs_fd_write_all(STDOUT_FILENO, "ready\n", 6))
		return xcs_err_set(&b->err, -EPIPE, "nobody waits for the storm");
	do
		rc = xcs_loop_run(loop, xcs_mono_now_ns() + 3600 * XCS_NS_PER_S);
	while (rc == 0);
	xcs_loop_unwatch(loop, STDIN_FILENO);
	end_all(b, loop);
	return rc == STOPPED ? 0 : rc;
}

/* A group of its own, so that all can be ended at once; and what a killed compiler leaves
 * behind is ours to reap. */
static int own_children(struct xcs_err *err)
{
	if (getpgrp() != getpid() && setpgid(0, 0))
		return xcs_err_sys(err, -errno, "cannot make a process group");
	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		return xcs_err_sys(err, -errno, "cannot become the parent of orphans");
	return 0;
}

static int storm_main(const struct options *o, struct xcs_err *err)
{
	struct build *b = xcs_xcalloc(1, sizeof(*b));
	struct xcs_loop *loop = xcs_loop_new();
	struct xcs_counters_page *page = NULL;

	b->storm = (struct storm){
	        .dir = o->dir, .compiler = o->compiler, .n_files = o->n_files, .n_jobs = o->n_jobs};
	int rc = o->dir ? own_children(&b->err)
	                : xcs_err_set(&b->err, -EINVAL, "--dir: a folder for the files is needed");
	if (rc == 0 && o->page)
		rc = xcs_counters_open(o->page, true, &page, &b->err);
	b->storm.page = page;
	if (rc == 0)
		rc = make_files(o, &b->err);
	if (rc == 0) {
		rc = build(b, loop);
		xcs_dir_remove(o->dir);
	}
	*err = b->err;
	xcs_loop_free(loop);
	xcs_counters_close(page);
	free(b);
	return rc;
}

int main(int argc, char **argv)
{
	struct options o = {.n_jobs = 2, .n_files = 48, .seed = 1, .compiler = "cc"};
	struct xcs_strs operands;
	struct xcs_err err = {0};
	int status = xcs_options_main(&command, argc, argv, &o, &operands);

	if (status >= 0)
		return status;
	if (storm_main(&o, &err) == 0)
		return XCS_EXIT_OK;
	fprintf(stderr, "xcs-storm: %s\n", err.text);
	return XCS_EXIT_ERROR;
}
