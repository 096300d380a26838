/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "restore.h"

#include "kinds.h"
#include "knob.h"
#include "screen.h"

#include <common/alloc.h>
#include <common/file.h>
#include <common/task.h>

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_PASSES 32

void restore_say(struct undo_item *item, enum undo_outcome outcome, const char *fmt, ...)
{
	struct xcs_buf b = {0};
	va_list ap;

	va_start(ap, fmt);
	xcs_buf_vprintf(&b, fmt, ap);
	va_end(ap);
	free(item->said);
	item->said = xcs_buf_take(&b);
	item->outcome = outcome;
}

bool restore_may_touch(const struct xcs_env *env, const struct restore_rules *rules, pid_t pid)
{
	char rel[32];
	struct stat st;

	if (!rules->limited)
		return true;
	snprintf(rel, sizeof(rel), "%d", (int)pid);
	return pid > 0 && fstatat(env->proc_fd, rel, &st, 0) == 0 && st.st_uid == rules->uid;
}

/*
 * A thread born after the change took the changed value from the thread that made it, and
 * no line of the journal names it.
 */
static void adopt_thread(const struct xcs_env *env, struct undo_list *list,
                         const struct undo_item *leader, pid_t tid)
{
	struct undo_item item = *leader;
	struct undo_value value;
	struct xcs_task_id id;

	if (xcs_task_id_read(env, leader->pid, tid, &id))
		return;
	item.tid = tid;
	item.tid_start_ticks = id.start_ticks;
	item.was = leader->now;
	item.said = NULL;
	if (undo_list_find(list, &item) || undo_value_read(env, &item, &value) ||
	    !undo_value_same(item.kind, &value, &leader->now))
		return;
	undo_list_put(list, &item);
}

static void adopt_threads(const struct xcs_env *env, struct undo_list *list,
                          const struct undo_item *of)
{
	const struct undo_item leader =
	        *undo_list_leader(list, of->kind, of->pid, of->pid_start_ticks);
	pid_t *tids = NULL;
	size_t cap = 0;
	int n = 0;

	if (xcs_task_is_alive(env, leader.pid, leader.pid_start_ticks))
		n = xcs_task_list(env, leader.pid, &tids, &cap);
	for (int i = 0; i < n; i++)
		adopt_thread(env, list, &leader, tids[i]);
	free(tids);
}

static void adopt_all(const struct xcs_env *env, struct undo_list *list)
{
	const size_t n = list->n;

	for (size_t i = 0; i < n; i++) {
		const struct undo_item item = list->v[i];
		if ((item.kind == UNDO_NICE || item.kind == UNDO_AFFINITY) &&
		    undo_list_leader(list, item.kind, item.pid, item.pid_start_ticks) ==
		            &list->v[i])
			adopt_threads(env, list, &item);
	}
}

static void say_failed(struct undo_item *item, const struct undo_list *list, int rc,
                       const char *from, const char *to)
{
	bool rights = rc == -EPERM || rc == -EACCES;

	item->rc = rc;
	if (rights && undo_list_owns(list, item->pid, item->pid_start_ticks))
		restore_say(item, UNDO_ENDS, "stays at %s: its process ends with the run", from);
	else
		restore_say(item, UNDO_FAILED, "cannot be put back from %s to %s: %s%s", from, to,
		            strerror(-rc), rights ? "; run: sudo xcsbench restore" : "");
}

static void put_back(const struct xcs_env *env, const struct undo_list *list,
                     struct undo_item *item, const struct undo_value *current, bool dry_run)
{
	struct xcs_buf from = {0}, to = {0};
	struct undo_value after;
	int rc = 0;

	undo_value_format(item->kind, current, &from);
	undo_value_format(item->kind, &item->before, &to);
	if (!dry_run)
		rc = undo_value_write(env, item, &item->before);
	if (rc == 0 && !dry_run)
		rc = undo_value_read(env, item, &after);
	if (rc == 0 && !dry_run && !undo_value_same(item->kind, &after, &item->before))
		rc = -EIO;
	if (rc == -ESRCH)
		restore_say(item, UNDO_GONE, "has ended");
	else if (rc)
		say_failed(item, list, rc, from.p, to.p);
	else
		restore_say(item, UNDO_RESTORED, "%s put back from %s to %s",
		            dry_run ? "would be" : "was", from.p, to.p);
	xcs_buf_fini(&from);
	xcs_buf_fini(&to);
}

static void say_foreign(struct undo_item *item, const struct undo_value *current)
{
	struct xcs_buf is = {0}, set = {0};

	undo_value_format(item->kind, current, &is);
	undo_value_format(item->kind, &item->now, &set);
	restore_say(item, UNDO_FOREIGN,
	            "is left at %s: somebody else changed it after the run had set %s", is.p,
	            set.p);
	xcs_buf_fini(&is);
	xcs_buf_fini(&set);
}

/* A setting of the machine is nobody's but root's, whatever process its line may name. */
static bool may_put_back(const struct xcs_env *env, const struct restore_rules *rules,
                         const struct undo_item *item)
{
	return !(rules->limited && knob_is(item->kind)) && restore_may_touch(env, rules, item->pid);
}

static void say_not_ours(struct undo_item *item)
{
	restore_say(item, UNDO_FOREIGN,
	            "is left alone: it is not of the user who wrote the journal");
}

static void restore_value(const struct xcs_env *env, const struct undo_list *list,
                          struct undo_item *item, const struct restore_rules *rules)
{
	struct undo_value current;

	if (rules->rebooted) {
		restore_say(item, UNDO_REBOOTED,
		            "needs no restoring: the machine has been rebooted since");
		return;
	}
	/* Even to read it would take a user's cookie to a server that the journal names. */
	if (rules->limited && screen_is(item->kind)) {
		say_not_ours(item);
		return;
	}
	int rc = undo_value_read(env, item, &current);
	if (rc == -ESRCH)
		restore_say(item, UNDO_GONE, "has ended");
	else if (rc)
		say_failed(item, list, rc, "an unreadable value", "what it was");
	else if (undo_value_same(item->kind, &current, &item->before))
		restore_say(item, UNDO_ALREADY, "is as it was");
	else if (!undo_value_same(item->kind, &current, &item->now) &&
	         !undo_value_same(item->kind, &current, &item->was))
		say_foreign(item, &current);
	else if (!may_put_back(env, rules, item))
		say_not_ours(item);
	else
		put_back(env, list, item, &current, rules->dry_run);
}

static void restore_values(const struct xcs_env *env, struct undo_list *list, size_t from,
                           const struct restore_rules *rules)
{
	for (size_t i = list->n; i-- > from;)
		if (list->v[i].kind < UNDO_N_VALUES)
			restore_value(env, list, &list->v[i], rules);
}

size_t restore_run(const struct xcs_env *env, struct undo_list *list,
                   const struct restore_rules *rules)
{
	size_t n_failed = 0, from = 0;

	if (!rules->values_only)
		restore_end_children(env, list, rules);
	/* Looks again for threads that a thread not yet put back has made meanwhile. */
	for (int pass = 0; pass < MAX_PASSES; pass++) {
		if (!rules->rebooted)
			adopt_all(env, list);
		if (pass > 0 && from == list->n)
			break;
		restore_values(env, list, from, rules);
		from = list->n;
	}
	if (!rules->values_only)
		restore_remove_dirs(list, rules);
	for (size_t i = 0; i < list->n; i++)
		n_failed += list->v[i].outcome == UNDO_FAILED;
	return n_failed;
}

int restore_complain(const struct xcs_env *env, const struct undo_list *list,
                     const char *journal_path, struct xcs_err *err)
{
	const struct undo_item *first = NULL;
	struct xcs_buf name = {0};
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		if (list->v[i].outcome != UNDO_FAILED)
			continue;
		first = first ? first : &list->v[i];
		n++;
	}
	if (!first)
		return 0;
	undo_item_name(env, first, &name);
	int rc = first->rc < 0 ? first->rc : -EIO;
	xcs_err_set(err, rc, "%zu change%s could not be undone, the first: %s %s (kept in %s)", n,
	            n == 1 ? "" : "s", name.p, first->said, journal_path);
	xcs_buf_fini(&name);
	return rc;
}

static int read_journal(const struct journal *j, struct journal_text *out, struct xcs_err *err)
{
	struct xcs_buf text = {0};
	int rc = xcs_fd_read_all(j->fd, &text);

	if (rc)
		xcs_err_sys(err, rc, "cannot read it");
	else
		rc = journal_parse(xcs_buf_str(&text), out, err);
	xcs_buf_fini(&text);
	if (rc)
		xcs_err_prefix(err, "%s", j->path);
	return rc;
}

static struct restore_rules find_rules(const struct xcs_env *env, const struct journal *j,
                                       const struct journal_head *head)
{
	struct restore_rules rules = {0};
	char boot_id[40];
	struct stat st;

	journal_boot_id(env, boot_id);
	rules.rebooted = strcmp(boot_id, head->boot_id) != 0;
	/* Root must not do for a user's file what the user may not do. */
	if (fstat(j->fd, &st) == 0 && st.st_uid != geteuid()) {
		rules.limited = true;
		rules.uid = st.st_uid;
	}
	return rules;
}

int restore_journal(const struct xcs_env *env, const char *path, bool dry_run,
                    struct journal_text *out, struct xcs_err *err)
{
	struct journal j;

	*out = (struct journal_text){0};
	int rc = journal_open(&j, path, err);
	if (rc)
		return rc;
	rc = read_journal(&j, out, err);
	if (rc) {
		journal_close(&j);
		return rc;
	}
	struct restore_rules rules = find_rules(env, &j, &out->head);
	rules.dry_run = dry_run;
	size_t n_failed = restore_run(env, &out->list, &rules);
	if (n_failed == 0 && !dry_run)
		journal_remove(&j);
	else
		journal_close(&j);
	return (int)n_failed;
}
