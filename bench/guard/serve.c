/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "serve.h"

#include "change.h"
#include "knob.h"
#include "restore.h"
#include "wire.h"

#include <common/alloc.h>
#include <common/task.h>

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct state {
	const struct xcs_env *env;
	const struct serve_spec *spec;
	struct journal journal;
	struct undo_list list;
	int switch_lock_fd; /* held while a switch of the whole machine is ours; -1: not */
	bool finished;      /* undone and told so */
};

static struct change change_of(struct state *s)
{
	return (struct change){s->env, &s->journal, &s->list};
}

static int set_nice(struct state *s, const struct guard_request *q, struct guard_reply *r,
                    struct xcs_err *err)
{
	const struct change c = change_of(s);
	const struct undo_value target = {.n = q->value};

	if (q->value < -20 || q->value > 19)
		return xcs_err_set(err, -EINVAL, "nice %d is not within -20..19", q->value);
	return change_threads(&c, UNDO_NICE, q->pid, q->start_ticks, &target, &r->nice, err);
}

static int set_affinity(struct state *s, const struct guard_request *q, struct guard_reply *r,
                        struct xcs_err *err)
{
	const struct change c = change_of(s);
	const struct undo_value target = {.cpus = q->cpus};

	if (xcs_cpuset_count(&q->cpus) == 0)
		return xcs_err_set(err, -EINVAL, "an empty set of CPUs runs nothing");
	return change_threads(&c, UNDO_AFFINITY, q->pid, q->start_ticks, &target, &r->nice, err);
}

static int set_autogroup_nice(struct state *s, const struct guard_request *q, struct guard_reply *r,
                              struct xcs_err *err)
{
	const struct change c = change_of(s);
	const struct undo_value target = {.n = q->value};
	struct undo_item item = {
	        .kind = UNDO_AUTOGROUP, .pid = q->pid, .pid_start_ticks = q->start_ticks};

	(void)r;
	if (q->value < -20 || q->value > 19)
		return xcs_err_set(err, -EINVAL, "nice %d is not within -20..19", q->value);
	return change_value(&c, &item, &target, err);
}

/* Two runs that both switch, and overlap, would leave the machine as the first one set it:
 * the second takes that for the value to go back to. */
static int lock_switch(struct state *s, struct xcs_err *err)
{
	if (s->switch_lock_fd >= 0)
		return 0;
	int fd = open(s->spec->journals, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = fd < 0 || flock(fd, LOCK_EX | LOCK_NB) ? -errno : 0;
	if (rc == 0)
		s->switch_lock_fd = fd;
	else if (fd >= 0)
		close(fd);
	if (rc == -EWOULDBLOCK)
		return xcs_err_set(err, -EBUSY,
		                   "another run of xcsbench holds a switch of the machine, "
		                   "kernel.sched_autogroup_enabled or one of --profile; "
		                   "wait until it has ended");
	return rc ? xcs_err_sys(err, rc, "cannot lock %s", s->spec->journals) : 0;
}

static int set_autogroup_enabled(struct state *s, const struct guard_request *q,
                                 struct guard_reply *r, struct xcs_err *err)
{
	const struct change c = change_of(s);
	const struct undo_value target = {.n = q->value != 0};
	struct undo_item item = {.kind = UNDO_SYSCTL};
	int rc = lock_switch(s, err);

	(void)r;
	return rc ? rc : change_value(&c, &item, &target, err);
}

static int set_knob(struct state *s, const struct guard_request *q, struct guard_reply *r,
                    struct xcs_err *err)
{
	const struct change c = change_of(s);
	const struct guard_setting what = {.knob = (enum guard_knob)q->value,
	                                   .index = q->index,
	                                   .pid = q->pid,
	                                   .start_ticks = q->start_ticks,
	                                   .client = q->path[0] ? xcs_xstrdup(q->path) : NULL};
	int rc = lock_switch(s, err);

	(void)r;
	if (q->value < 0 || q->value >= GUARD_N_KNOBS || q->index < 0)
		rc = xcs_err_set(err, -EINVAL, "there is no setting %d", q->value);
	if (rc == 0) {
		struct undo_item item = knob_item(&what);
		const struct undo_value target = knob_target(item.kind);
		rc = change_value(&c, &item, &target, err);
	}
	if (!undo_list_has_path(&s->list, what.client))
		free(what.client);
	return rc;
}

static int add_end(struct state *s, const struct undo_item *item, struct xcs_err *err)
{
	int rc = journal_add_items(&s->journal, item, 1, err);

	if (rc)
		free(item->path);
	else
		undo_list_put(&s->list, item);
	return rc;
}

static int drop_end(struct state *s, const struct undo_item *item, struct xcs_err *err)
{
	if (!undo_list_find(&s->list, item))
		return 0;
	int rc = journal_add_undone(&s->journal, item, err);
	if (rc == 0)
		undo_list_drop(&s->list, item);
	return rc;
}

static int own_child(struct state *s, const struct guard_request *q, struct guard_reply *r,
                     struct xcs_err *err)
{
	const struct undo_item item = {
	        .kind = UNDO_CHILD, .pid = q->pid, .pid_start_ticks = q->start_ticks};

	(void)r;
	if (q->pid <= 1 || !xcs_task_is_alive(s->env, q->pid, q->start_ticks))
		return xcs_err_set(err, -ESRCH, "process %d has ended", q->pid);
	return add_end(s, &item, err);
}

static int disown_child(struct state *s, const struct guard_request *q, struct guard_reply *r,
                        struct xcs_err *err)
{
	const struct undo_item item = {
	        .kind = UNDO_CHILD, .pid = q->pid, .pid_start_ticks = q->start_ticks};

	(void)r;
	return drop_end(s, &item, err);
}

/* True when path is a direct xcsbench-* entry of the folder parent. */
static bool is_temp(const char *path, const char *parent)
{
	char *copy = xcs_xstrdup(path);
	const char *slash = strrchr(path, '/');
	char *have = realpath(dirname(copy), NULL), *want = realpath(parent, NULL);
	bool yes = slash && strncmp(slash + 1, "xcsbench-", 9) == 0 && have && want &&
	           strcmp(have, want) == 0;

	free(copy);
	free(have);
	free(want);
	return yes;
}

static int own_dir(struct state *s, const struct guard_request *q, struct guard_reply *r,
                   struct xcs_err *err)
{
	struct stat st;

	(void)r;
	if (q->path[0] != '/' ||
	    !(is_temp(q->path, s->spec->temp_parent) ||
	      (s->spec->tree_parent && is_temp(q->path, s->spec->tree_parent))))
		return xcs_err_set(err, -EINVAL, "%s is no folder named xcsbench-* in %s", q->path,
		                   s->spec->temp_parent);
	if (lstat(q->path, &st))
		return xcs_err_sys(err, -errno, "cannot own the folder %s", q->path);
	if (!S_ISDIR(st.st_mode))
		return xcs_err_set(err, -ENOTDIR, "%s is no folder", q->path);
	const struct undo_item item = {
	        .kind = UNDO_DIR, .dev = st.st_dev, .ino = st.st_ino, .path = xcs_xstrdup(q->path)};
	return add_end(s, &item, err);
}

/* By its path, since the folder may be removed already. */
static int disown_dir(struct state *s, const struct guard_request *q, struct guard_reply *r,
                      struct xcs_err *err)
{
	(void)r;
	for (size_t i = 0; i < s->list.n; i++) {
		const struct undo_item item = s->list.v[i];
		if (item.kind == UNDO_DIR && strcmp(item.path, q->path) == 0)
			return drop_end(s, &item, err);
	}
	return 0;
}

static int restore_all(struct state *s, const struct guard_request *q, struct guard_reply *r,
                       struct xcs_err *err)
{
	const struct restore_rules rules = {.values_only = true};

	(void)q, (void)r;
	if (restore_run(s->env, &s->list, &rules))
		return restore_complain(s->env, &s->list, s->journal.path, err);
	int rc = journal_add_restored(&s->journal, err);
	if (rc == 0)
		undo_list_drop_values(&s->list);
	return rc;
}

/* The end of every run, good or bad. */
static int undo_all(struct state *s, struct xcs_err *err)
{
	const struct restore_rules rules = {0};

	if (restore_run(s->env, &s->list, &rules))
		return restore_complain(s->env, &s->list, s->journal.path, err);
	journal_remove(&s->journal);
	return 0;
}

static int finish(struct state *s, const struct guard_request *q, struct guard_reply *r,
                  struct xcs_err *err)
{
	(void)q, (void)r;
	s->finished = true;
	return undo_all(s, err);
}

typedef int (*command_fn)(struct state *, const struct guard_request *, struct guard_reply *,
                          struct xcs_err *);

static const command_fn commands[GUARD_N_COMMANDS] = {
        [GUARD_SET_NICE] = set_nice,
        [GUARD_SET_AUTOGROUP_NICE] = set_autogroup_nice,
        [GUARD_SET_AUTOGROUP_ENABLED] = set_autogroup_enabled,
        [GUARD_SET_KNOB] = set_knob,
        [GUARD_SET_AFFINITY] = set_affinity,
        [GUARD_OWN_CHILD] = own_child,
        [GUARD_DISOWN_CHILD] = disown_child,
        [GUARD_OWN_DIR] = own_dir,
        [GUARD_DISOWN_DIR] = disown_dir,
        [GUARD_RESTORE_ALL] = restore_all,
        [GUARD_FINISH] = finish,
};

static void reply(const struct state *s, struct guard_reply *r, int rc, const char *text)
{
	r->rc = rc;
	snprintf(r->text, sizeof(r->text), "%s", text);
	/* An owner that no longer listens is noticed by the next poll. */
	(void)!send(s->spec->socket_fd, r, sizeof(*r), MSG_NOSIGNAL);
}

static void handle(struct state *s, struct guard_request *q, ssize_t n)
{
	struct guard_reply r = {0};
	struct xcs_err err = {""};
	int rc;

	if (n != (ssize_t)sizeof(*q) || q->version != GUARD_WIRE_VERSION ||
	    q->command >= GUARD_N_COMMANDS) {
		rc = xcs_err_set(&err, -EPROTO, "xcs-guard is of another version of xcsbench");
	} else {
		q->path[sizeof(q->path) - 1] = '\0';
		rc = commands[q->command](s, q, &r, &err);
	}
	reply(s, &r, rc, err.text);
}

/* Until the owner closes its end, dies, or has said finish. */
static void converse(struct state *s, int owner_fd)
{
	struct guard_request q;
	struct pollfd p[2] = {
	        {.fd = s->spec->socket_fd, .events = POLLIN},
	        {.fd = owner_fd,           .events = POLLIN},
	};

	while (!s->finished) {
		if (poll(p, 2, -1) < 0) {
			if (errno == EINTR)
				continue;
			return;
		}
		/* A request that is there is older than the owner's death. */
		if (p[0].revents) {
			ssize_t n = recv(p[0].fd, &q, sizeof(q), 0);
			if (n < 0 && errno == EINTR)
				continue;
			if (n <= 0)
				return;
			handle(s, &q, n);
		} else if (p[1].revents) {
			return;
		}
	}
}

static void fill_head(const struct xcs_env *env, struct journal_head *head)
{
	struct xcs_task_id id = {0};

	*head = (struct journal_head){.guard_pid = getpid(), .owner_pid = getppid()};
	journal_boot_id(env, head->boot_id);
	if (xcs_task_id_read(env, head->guard_pid, head->guard_pid, &id) == 0)
		head->guard_start_ticks = id.start_ticks;
	if (xcs_task_id_read(env, head->owner_pid, head->owner_pid, &id) == 0)
		head->owner_start_ticks = id.start_ticks;
}

int serve(const struct xcs_env *env, const struct serve_spec *spec, struct xcs_err *err)
{
	struct state s = {.env = env, .spec = spec, .journal = {.fd = -1}, .switch_lock_fd = -1};
	struct journal_head head;
	struct guard_reply hello = {0};
	struct xcs_err told = {""}; /* to the owner, who prints it */

	/* The end of file on the socket says the same; a descriptor that leaked into some
	 * other process would hide it. */
	int owner_fd = (int)syscall(SYS_pidfd_open, getppid(), 0);
	fill_head(env, &head);
	int rc = journal_create(&s.journal, spec->journals, &head, &told);
	reply(&s, &hello, rc, rc ? told.text : s.journal.path);
	if (rc == 0) {
		converse(&s, owner_fd);
		if (!s.finished)
			rc = undo_all(&s, err);
	}
	if (owner_fd >= 0)
		close(owner_fd);
	if (s.switch_lock_fd >= 0)
		close(s.switch_lock_fd);
	journal_close(&s.journal);
	undo_list_fini(&s.list);
	return rc;
}
