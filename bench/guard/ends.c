/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What ends with the run: own children and own folders.
 */
#include "restore.h"

#include <common/alloc.h>
#include <common/task.h>
#include <common/units.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define GRACE_NS  (2 * XCS_NS_PER_S) /* between SIGTERM and SIGKILL */
#define MAX_DEPTH 64

#ifndef PIDFD_SIGNAL_PROCESS_GROUP
#define PIDFD_SIGNAL_PROCESS_GROUP (1U << 2) /* Linux 6.9 */
#endif

static int send(int pidfd, int signo)
{
	return syscall(SYS_pidfd_send_signal, pidfd, signo, NULL, 0) ? -errno : 0;
}

/*
 * A child that leads a process group started all that is in it: hyperfine its terminals. The
 * group goes by pidfd where the kernel can, else by the number, right behind the look that
 * it is still the leader's.
 */
static int send_group(pid_t pid, int pidfd, int signo)
{
	if (getpgid(pid) != pid)
		return send(pidfd, signo);
	if (syscall(SYS_pidfd_send_signal, pidfd, signo, NULL, PIDFD_SIGNAL_PROCESS_GROUP) == 0)
		return 0;
	if (errno == EINVAL)
		kill(-pid, signo);
	return send(pidfd, signo);
}

/* A pidfd of that very process, or -1 with its outcome said. */
static int open_child(const struct xcs_env *env, struct undo_item *item,
                      const struct restore_rules *rules)
{
	int fd = rules->rebooted ? -1 : (int)syscall(SYS_pidfd_open, item->pid, 0);

	/* The pidfd comes first: what it holds can no longer become another process. */
	if (fd < 0 || !xcs_task_is_alive(env, item->pid, item->pid_start_ticks))
		restore_say(item, UNDO_GONE, "has ended");
	else if (!restore_may_touch(env, rules, item->pid))
		restore_say(item, UNDO_FOREIGN,
		            "is left alone: it is not of the user who wrote the journal");
	else if (rules->dry_run)
		restore_say(item, UNDO_RESTORED, "would be ended");
	else
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static void signal_child(struct undo_item *item, int pidfd, int signo)
{
	int rc = send_group(item->pid, pidfd, signo);

	if (rc == 0 || rc == -ESRCH)
		return;
	item->rc = rc;
	restore_say(item, UNDO_FAILED, "cannot be ended: %s", strerror(-rc));
}

/* Waits until all have ended or the time is over; those that ended get fd -1. */
static void wait_children(struct undo_list *list, struct pollfd *fds, int64_t timeout_ns)
{
	const int64_t deadline_ns = xcs_mono_now_ns() + timeout_ns;

	for (;;) {
		size_t n_left = 0;
		int64_t left_ns = deadline_ns - xcs_mono_now_ns();
		int left_ms = left_ns > 0 ? (int)(left_ns / XCS_NS_PER_MS) + 1 : 0;
		for (size_t i = 0; i < list->n; i++)
			n_left += fds[i].fd >= 0;
		if (n_left == 0 || (poll(fds, list->n, left_ms) <= 0 && left_ms == 0))
			return;
		for (size_t i = 0; i < list->n; i++) {
			if (fds[i].fd < 0 || !fds[i].revents)
				continue;
			close(fds[i].fd);
			fds[i].fd = -1;
			restore_say(&list->v[i], UNDO_RESTORED, "was ended");
		}
	}
}

static void signal_all(struct undo_list *list, const struct pollfd *fds, int signo)
{
	for (size_t i = 0; i < list->n; i++)
		if (fds[i].fd >= 0)
			signal_child(&list->v[i], fds[i].fd, signo);
}

void restore_end_children(const struct xcs_env *env, struct undo_list *list,
                          const struct restore_rules *rules)
{
	struct pollfd *fds = xcs_xcalloc(list->n + 1, sizeof(*fds));

	for (size_t i = 0; i < list->n; i++) {
		bool child = list->v[i].kind == UNDO_CHILD;
		fds[i] = (struct pollfd){.fd = child ? open_child(env, &list->v[i], rules) : -1,
		                         .events = POLLIN};
	}
	signal_all(list, fds, SIGTERM);
	signal_all(list, fds, SIGCONT);
	wait_children(list, fds, GRACE_NS);
	signal_all(list, fds, SIGKILL);
	wait_children(list, fds, GRACE_NS);
	for (size_t i = 0; i < list->n; i++) {
		if (fds[i].fd < 0)
			continue;
		close(fds[i].fd);
		if (list->v[i].outcome != UNDO_FAILED)
			restore_say(&list->v[i], UNDO_FAILED, "does not end, not even by SIGKILL");
	}
	free(fds);
}

static int remove_tree(int parent_fd, const char *name, int depth);

static int remove_entry(int dir_fd, const char *name, int depth)
{
	if (unlinkat(dir_fd, name, 0) == 0)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return -errno;
	return depth < MAX_DEPTH ? remove_tree(dir_fd, name, depth + 1) : -ELOOP;
}

static int empty_dir(DIR *dir, int depth)
{
	struct dirent *e;
	int first = 0;

	while ((e = readdir(dir))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		int rc = remove_entry(dirfd(dir), e->d_name, depth);
		if (first == 0)
			first = rc;
	}
	return first;
}

/* By descriptors and without following links: a user who swaps a folder for a link while
 * root removes it gains nothing. */
static int remove_tree(int parent_fd, const char *name, int depth)
{
	int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir)
		return -errno;
	int rc = empty_dir(dir, depth);
	closedir(dir);
	if (rc == 0 && unlinkat(parent_fd, name, AT_REMOVEDIR))
		rc = -errno;
	return rc;
}

static int open_parent(const char *path, char **name)
{
	char *copy = xcs_xstrdup(path);
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	free(copy);
	*name = strrchr(path, '/') ? strrchr(path, '/') + 1 : (char *)(uintptr_t)path;
	return fd;
}

static void remove_dir(struct undo_item *item, const struct restore_rules *rules)
{
	struct stat st;
	char *name;
	int parent = open_parent(item->path, &name);
	bool there = parent >= 0 && fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	             S_ISDIR(st.st_mode) && st.st_ino == item->ino &&
	             (rules->rebooted || st.st_dev == item->dev) &&
	             strncmp(name, "xcsbench-", 9) == 0;

	if (!there)
		restore_say(item, UNDO_GONE, "is gone");
	else if (rules->limited && st.st_uid != rules->uid)
		restore_say(item, UNDO_FOREIGN,
		            "is left alone: it is not of the user who wrote the journal");
	else if (rules->dry_run)
		restore_say(item, UNDO_RESTORED, "would be removed");
	else if ((item->rc = remove_tree(parent, name, 0)))
		restore_say(item, UNDO_FAILED, "cannot be removed: %s", strerror(-item->rc));
	else
		restore_say(item, UNDO_RESTORED, "was removed");
	if (parent >= 0)
		close(parent);
}

void restore_remove_dirs(struct undo_list *list, const struct restore_rules *rules)
{
	for (size_t i = list->n; i-- > 0;)
		if (list->v[i].kind == UNDO_DIR)
			remove_dir(&list->v[i], rules);
}
