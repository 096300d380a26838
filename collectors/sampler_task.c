/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sampler_private.h"

#include <collectors/schedstat.h>
#include <collectors/status.h>
#include <collectors/task_stat.h>
#include <common/alloc.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* One pread is the whole file as long as the buffer is larger: all these files are made in
 * one piece (single_open). Only a full buffer asks for more. */
struct xcs_str xcs_read_kept(int fd, struct xcs_read_buf *b, int *rc)
{
	size_t n = 0;

	*rc = 0;
	for (;;) {
		ssize_t got = pread(fd, b->p + n, b->cap - n, (off_t)n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			*rc = -errno;
			return (struct xcs_str){b->p, 0};
		}
		n += (size_t)got;
		if (got == 0 || n < b->cap)
			return (struct xcs_str){b->p, n};
		b->cap *= 2;
		b->p = xcs_xrealloc(b->p, b->cap);
	}
}

static int open_file(const struct xcs_env *env, pid_t pid, pid_t tid, const char *name)
{
	char rel[64];

	snprintf(rel, sizeof(rel), "%d/task/%d/%s", (int)pid, (int)tid, name);
	int fd = openat(env->proc_fd, rel, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Keeps sched only if it says how often the thread was switched. */
static bool probe_sched(struct xcs_task_files *f, struct xcs_read_buf *b, bool *has_split)
{
	struct xcs_sched v;
	int rc;

	struct xcs_str text = xcs_read_kept(f->sched_fd, b, &rc);
	bool useful = rc == 0 && xcs_sched_parse(text, &v, &f->layout) == 0 &&
	              v.v[XCS_SCHED_SWITCHES] != XCS_ABSENT;
	*has_split = useful && v.v[XCS_SCHED_VOLUNTARY] != XCS_ABSENT;
	return useful;
}

static void drop(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static bool probe_schedstat(int fd, struct xcs_read_buf *b)
{
	struct xcs_schedstat v;
	int rc;

	struct xcs_str text = xcs_read_kept(fd, b, &rc);
	return rc == 0 && xcs_schedstat_parse(text, &v) == 0;
}

static void open_counters(const struct xcs_env *env, pid_t pid, pid_t tid, unsigned reads,
                          struct xcs_read_buf *b, struct xcs_task_files *f)
{
	bool has_split = false;

	if (reads & XCS_READ_SCHED) {
		f->sched_fd = open_file(env, pid, tid, "sched");
		if (f->sched_fd >= 0 && !probe_sched(f, b, &has_split))
			drop(&f->sched_fd);
		if (!has_split)
			f->status_fd = open_file(env, pid, tid, "status");
	}
	if (reads & XCS_READ_SCHEDSTAT || f->sched_fd < 0) {
		f->schedstat_fd = open_file(env, pid, tid, "schedstat");
		if (f->schedstat_fd >= 0 && !probe_schedstat(f->schedstat_fd, b))
			drop(&f->schedstat_fd);
	}
	/* nice, policy and the number of threads are in sched, else in stat. */
	if (f->sched_fd < 0 && (reads & XCS_READ_SCHED || f->schedstat_fd < 0))
		f->stat_fd = open_file(env, pid, tid, "stat");
}

int xcs_task_files_open(const struct xcs_env *env, pid_t pid, pid_t tid, unsigned reads,
                        struct xcs_read_buf *b, struct xcs_task_files *f)
{
	*f = (struct xcs_task_files){-1, -1, -1, -1, {0}};
	open_counters(env, pid, tid, reads, b, f);
	int fds[] = {f->sched_fd, f->status_fd, f->schedstat_fd, f->stat_fd};
	int n = 0;
	for (size_t i = 0; i < ARRAY_LEN(fds); i++) {
		if (fds[i] == -EMFILE || fds[i] == -ENFILE) {
			int rc = fds[i];
			xcs_task_files_close(f);
			return rc;
		}
		n += fds[i] >= 0;
	}
	return n ? n : -ESRCH;
}

void xcs_task_files_close(struct xcs_task_files *f)
{
	drop(&f->sched_fd);
	drop(&f->status_fd);
	drop(&f->schedstat_fd);
	drop(&f->stat_fd);
}

/* Where reads of one thread end up. */
struct reader {
	const struct xcs_env *env;
	struct xcs_read_buf *b;
	int64_t *row, *n_threads;
	int64_t source;
	bool gone;
};

static struct xcs_str read_one(struct reader *r, int fd)
{
	int rc;

	struct xcs_str text = xcs_read_kept(fd, r->b, &rc);
	if (rc == -ESRCH || rc == -ENOENT)
		r->gone = true;
	if (r->row[XCS_TASK_MONO_NS] == XCS_ABSENT)
		r->row[XCS_TASK_MONO_NS] = xcs_env_mono_ns(r->env);
	return text;
}

static void read_sched(struct reader *r, struct xcs_task_files *f)
{
	struct xcs_str text = read_one(r, f->sched_fd);
	struct xcs_sched v;

	if (!text.n ||
	    (!xcs_sched_parse_again(text, &f->layout, &v) && xcs_sched_parse(text, &v, &f->layout)))
		return;
	r->row[XCS_TASK_SWITCHES_TOTAL] = v.v[XCS_SCHED_SWITCHES];
	r->row[XCS_TASK_VOLUNTARY_TOTAL] = v.v[XCS_SCHED_VOLUNTARY];
	r->row[XCS_TASK_INVOLUNTARY_TOTAL] = v.v[XCS_SCHED_INVOLUNTARY];
	r->row[XCS_TASK_EXEC_NS] = v.v[XCS_SCHED_EXEC_NS];
	r->row[XCS_TASK_MIGRATIONS_TOTAL] = v.v[XCS_SCHED_MIGRATIONS];
	r->row[XCS_TASK_POLICY] = v.v[XCS_SCHED_POLICY];
	r->row[XCS_TASK_NICE] = xcs_sched_nice(&v);
	*r->n_threads = v.n_threads;
	r->source |= XCS_SOURCE_SCHED;
}

static void read_status(struct reader *r, const struct xcs_task_files *f)
{
	struct xcs_str text = read_one(r, f->status_fd);
	struct xcs_status v;

	if (!text.n || xcs_status_parse(text, &v))
		return;
	r->row[XCS_TASK_VOLUNTARY_TOTAL] = v.voluntary_total;
	r->row[XCS_TASK_INVOLUNTARY_TOTAL] = v.involuntary_total;
	if (r->row[XCS_TASK_SWITCHES_TOTAL] == XCS_ABSENT && v.voluntary_total != XCS_ABSENT &&
	    v.involuntary_total != XCS_ABSENT)
		r->row[XCS_TASK_SWITCHES_TOTAL] = v.voluntary_total + v.involuntary_total;
	*r->n_threads = v.n_threads;
	r->source |= XCS_SOURCE_STATUS;
}

static void read_schedstat(struct reader *r, const struct xcs_task_files *f)
{
	struct xcs_str text = read_one(r, f->schedstat_fd);
	struct xcs_schedstat v;

	if (!text.n || xcs_schedstat_parse(text, &v))
		return;
	r->row[XCS_TASK_EXEC_NS] = v.exec_ns;
	r->row[XCS_TASK_RUN_DELAY_NS] = v.run_delay_ns;
	r->row[XCS_TASK_TIMESLICES_TOTAL] = v.timeslices;
	r->source |= XCS_SOURCE_SCHEDSTAT;
}

static void read_stat(struct reader *r, const struct xcs_task_files *f)
{
	struct xcs_str text = read_one(r, f->stat_fd);
	struct xcs_task_stat v;

	if (!text.n || xcs_task_stat_parse(text, &v))
		return;
	r->row[XCS_TASK_NICE] = v.nice;
	r->row[XCS_TASK_POLICY] = v.policy;
	/* The last resort for CPU time: ticks. */
	if (r->row[XCS_TASK_EXEC_NS] == XCS_ABSENT)
		r->row[XCS_TASK_EXEC_NS] =
		        (v.user_ticks + v.system_ticks) * (1000000000 / r->env->ticks_per_s);
	*r->n_threads = v.n_threads;
	r->source |= XCS_SOURCE_STAT;
}

int xcs_task_files_read(const struct xcs_env *env, struct xcs_task_files *f, unsigned reads,
                        struct xcs_read_buf *b, int64_t *now, int64_t *n_threads)
{
	int64_t row[XCS_N_TASK_COLUMNS];
	struct reader r = {env, b, row, n_threads, 0, false};

	for (int i = 0; i < XCS_N_TASK_COLUMNS; i++)
		row[i] = XCS_ABSENT;
	if (f->sched_fd >= 0 && reads & XCS_READ_SCHED)
		read_sched(&r, f);
	if (f->status_fd >= 0 && reads & XCS_READ_SCHED && !r.gone)
		read_status(&r, f);
	if (f->schedstat_fd >= 0 && reads & XCS_READ_SCHEDSTAT && !r.gone)
		read_schedstat(&r, f);
	if (f->stat_fd >= 0 && !r.gone)
		read_stat(&r, f);
	if (r.gone)
		return -ESRCH;
	row[XCS_TASK_INDEX] = now[XCS_TASK_INDEX];
	row[XCS_TASK_SOURCE] = r.source;
	for (int i = 0; i < XCS_N_TASK_COLUMNS; i++)
		now[i] = row[i];
	return 0;
}
