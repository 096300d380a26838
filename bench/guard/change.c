/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "change.h"

#include "kinds.h"

#include <common/task.h>

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* New threads inherit the value of a changed one, so a second look nearly always finds
 * nothing; this many mean a process that forks threads faster than we change them. */
#define MAX_PASSES 32

static void add_remedy(const struct undo_item *item, int needed_nice, struct xcs_buf *b)
{
	if (item->kind == UNDO_NICE || item->kind == UNDO_AUTOGROUP)
		xcs_buf_printf(b,
		               "that takes root, CAP_SYS_NICE or RLIMIT_NICE of at least %d; run "
		               "with sudo",
		               20 - needed_nice);
	else
		xcs_buf_puts(b, "that takes root; run with sudo");
}

/* "nice of thread 12 (Xorg) from 0 to -10" */
static void add_change(const struct change *c, const struct undo_item *item,
                       const struct undo_value *from, const struct undo_value *to,
                       struct xcs_buf *b)
{
	undo_item_name(c->env, item, b);
	xcs_buf_puts(b, " from ");
	undo_value_format(item->kind, from, b);
	xcs_buf_puts(b, " to ");
	undo_value_format(item->kind, to, b);
}

static int fail_change(const struct change *c, const struct undo_item *item, int rc,
                       struct xcs_err *err)
{
	struct xcs_buf b = {0};

	xcs_buf_puts(&b, "cannot change ");
	add_change(c, item, &item->was, &item->now, &b);
	xcs_buf_puts(&b, ": ");
	if (rc == -EPERM || rc == -EACCES)
		add_remedy(item, item->now.n, &b);
	else
		xcs_buf_puts(&b, rc == -EIO ? "it does not keep that" : strerror(-rc));
	xcs_err_set(err, rc, "%s", b.p);
	xcs_buf_fini(&b);
	return rc;
}

static int refuse_undoable(const struct change *c, const struct undo_item *item,
                           struct xcs_err *err)
{
	struct xcs_buf b = {0};

	xcs_buf_puts(&b, "did not change ");
	add_change(c, item, &item->was, &item->now, &b);
	xcs_buf_puts(&b, ", since it could not be put back to ");
	undo_value_format(item->kind, &item->before, &b);
	xcs_buf_puts(&b, ": ");
	add_remedy(item, item->before.n, &b);
	xcs_err_set(err, -EPERM, "%s", b.p);
	xcs_buf_fini(&b);
	return -EPERM;
}

static int check_rights(const struct change *c, const struct undo_item *item, struct xcs_err *err)
{
	if (!undo_value_may(item, &item->was, &item->now))
		return fail_change(c, item, -EPERM, err);
	if (!item->is_own && !undo_value_may(item, &item->now, &item->before))
		return refuse_undoable(c, item, err);
	return 0;
}

/*
 * Fills the three values of an item that is at `current`. What goes back is what we saw
 * first, unless somebody else has changed it since. A thread born after an earlier change
 * has inherited that and goes back to what its process had.
 */
static void fill_values(const struct change *c, struct undo_item *item,
                        const struct undo_value *current, const struct undo_value *target)
{
	const struct undo_item *old = undo_list_find(c->list, item);

	if (!old)
		old = undo_list_leader(c->list, item->kind, item->pid, item->pid_start_ticks);
	item->is_own = undo_list_owns(c->list, item->pid, item->pid_start_ticks);
	item->before = *current;
	if (old && (undo_value_same(item->kind, current, &old->now) ||
	            undo_value_same(item->kind, current, &old->was)))
		item->before = old->before;
	item->was = *current;
	item->now = *target;
}

int change_value(const struct change *c, struct undo_item *item, const struct undo_value *target,
                 struct xcs_err *err)
{
	struct undo_value current, after;
	int rc = undo_value_read(c->env, item, &current);

	if (rc == -ESRCH)
		return xcs_err_set(err, rc, "process %d has ended", (int)item->pid);
	if (rc && item->kind > UNDO_SYSCTL)
		return xcs_err_set(err, rc, "it cannot be read: %s",
		                   rc == -ENOENT ? "this machine has none" : strerror(-rc));
	if (rc == -ENODATA && item->kind == UNDO_AUTOGROUP)
		return xcs_err_set(err, rc,
		                   "process %d is in no autogroup, having stayed in the session of "
		                   "init; take --autogroup=off",
		                   (int)item->pid);
	if (rc)
		return xcs_err_set(err, rc, "this kernel has no autogroups (%s)", strerror(-rc));
	if (undo_value_same(item->kind, &current, target))
		return 0;
	fill_values(c, item, &current, target);
	if ((rc = check_rights(c, item, err)) || (rc = journal_add_items(c->journal, item, 1, err)))
		return rc;
	undo_list_put(c->list, item);
	rc = undo_value_write(c->env, item, target);
	if (rc == 0)
		rc = undo_value_read(c->env, item, &after);
	if (rc == 0 && !undo_value_same(item->kind, &after, target))
		rc = -EIO;
	return rc ? fail_change(c, item, rc, err) : 0;
}

struct job {
	const struct change *c;
	struct undo_item of; /* kind, process and target (in now) */
	struct undo_list failed;
	int n_changed;
};

struct survey {
	int n_threads, n_off_target, n_other_policy, min, max, first_tid;
};

static bool is_fair(int policy)
{
	return policy == SCHED_OTHER || policy == SCHED_BATCH;
}

/* The thread as an item and its value; false when it has ended. */
static bool look_at(const struct job *job, pid_t tid, struct undo_item *item,
                    struct undo_value *value)
{
	struct xcs_task_id id;

	if (xcs_task_id_read(job->c->env, job->of.pid, tid, &id))
		return false;
	*item = job->of;
	item->tid = tid;
	item->tid_start_ticks = id.start_ticks;
	int policy = sched_getscheduler(tid);
	item->policy = policy < 0 ? -1 : policy & ~SCHED_RESET_ON_FORK;
	return undo_value_read(job->c->env, item, value) == 0;
}

static void survey_threads(const struct job *job, struct survey *s)
{
	pid_t *tids = NULL;
	size_t cap = 0;
	struct undo_item item;
	struct undo_value value;
	int n = xcs_task_list(job->c->env, job->of.pid, &tids, &cap);

	*s = (struct survey){0};
	for (int i = 0; i < n; i++) {
		if (!look_at(job, tids[i], &item, &value))
			continue;
		s->min = s->n_threads && s->min < value.n ? s->min : value.n;
		s->max = s->n_threads && s->max > value.n ? s->max : value.n;
		s->n_threads++;
		s->n_other_policy += !is_fair(item.policy);
		if (undo_value_same(item.kind, &value, &job->of.now))
			continue;
		s->first_tid = s->n_off_target++ ? s->first_tid : tids[i];
	}
	free(tids);
}

/* The threads that are not at the target yet and have not refused it. */
static void collect(const struct job *job, struct undo_list *batch)
{
	pid_t *tids = NULL;
	size_t cap = 0;
	struct undo_item item;
	struct undo_value value;
	int n = xcs_task_list(job->c->env, job->of.pid, &tids, &cap);

	for (int i = 0; i < n; i++) {
		if (!look_at(job, tids[i], &item, &value) ||
		    undo_value_same(item.kind, &value, &job->of.now) ||
		    undo_list_find(&job->failed, &item))
			continue;
		fill_values(job->c, &item, &value, &job->of.now);
		undo_list_put(batch, &item);
	}
	free(tids);
}

static void apply(struct job *job, struct undo_item *item)
{
	undo_list_put(job->c->list, item);
	item->rc = undo_value_write(job->c->env, item, &item->now);
	if (item->rc == 0)
		job->n_changed++;
	else if (item->rc != -ESRCH)
		undo_list_put(&job->failed, item);
}

static int change_batch(struct job *job, struct undo_list *batch, struct xcs_err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < batch->n; i++)
		rc = check_rights(job->c, &batch->v[i], err);
	if (rc == 0)
		rc = journal_add_items(job->c->journal, batch->v, batch->n, err);
	for (size_t i = 0; rc == 0 && i < batch->n; i++)
		apply(job, &batch->v[i]);
	return rc;
}

static int change_until_stable(struct job *job, struct xcs_err *err)
{
	int rc = 0;
	bool more = true;

	for (int pass = 0; rc == 0 && more && pass < MAX_PASSES; pass++) {
		struct undo_list batch = {0};
		collect(job, &batch);
		more = batch.n > 0;
		if (more)
			rc = change_batch(job, &batch, err);
		undo_list_fini(&batch);
	}
	return rc;
}

static void fill_result(const struct job *job, const struct survey *before,
                        const struct survey *after, struct guard_nice_result *r)
{
	*r = (struct guard_nice_result){
	        .n_threads = after->n_threads,
	        .n_changed = job->n_changed,
	        .n_failed = after->n_off_target,
	        .n_other_policy = after->n_other_policy,
	        .old_min = before->min,
	        .old_max = before->max,
	        .nice_min = after->min,
	        .nice_max = after->max,
	        .failed_tid = after->first_tid,
	        .failed_errno = job->failed.n ? -job->failed.v[0].rc : 0,
	};
}

static int judge(const struct job *job, const struct survey *after, struct xcs_err *err)
{
	if (after->n_threads == 0)
		return xcs_err_set(err, -ESRCH, "process %d has ended", (int)job->of.pid);
	if (after->n_off_target == 0)
		return 0;
	if (job->failed.n == 0)
		return xcs_err_set(err, -EAGAIN,
		                   "process %d makes threads faster than they can be changed: %d "
		                   "of %d are not",
		                   (int)job->of.pid, after->n_off_target, after->n_threads);
	int rc = fail_change(job->c, &job->failed.v[0], job->failed.v[0].rc, err);
	xcs_err_prefix(err, "%d of %d threads of process %d are not as asked", after->n_off_target,
	               after->n_threads, (int)job->of.pid);
	return rc;
}

int change_threads(const struct change *c, enum undo_kind kind, pid_t pid, uint64_t start_ticks,
                   const struct undo_value *target, struct guard_nice_result *result,
                   struct xcs_err *err)
{
	struct survey before, after;
	struct job job = {
	        .c = c,
	        .of = {.kind = kind, .pid = pid, .pid_start_ticks = start_ticks, .now = *target}
        };

	*result = (struct guard_nice_result){0};
	if (!xcs_task_is_alive(c->env, pid, start_ticks))
		return xcs_err_set(err, -ESRCH,
		                   "process %d has ended (or its number belongs to another by now)",
		                   (int)pid);
	survey_threads(&job, &before);
	int rc = change_until_stable(&job, err);
	survey_threads(&job, &after);
	fill_result(&job, &before, &after, result);
	if (rc == 0)
		rc = judge(&job, &after, err);
	undo_list_fini(&job.failed);
	return rc;
}
