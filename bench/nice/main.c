/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * xcsbench-nice: sets the nice value of the threads of a display server, for a user who has
 * no right to. It is installed without any right; an administrator may give it CAP_SYS_NICE
 * or a sudo rule (SECURITY.md). It reads four words, SUDO_UID when root calls, starts nothing.
 */
#include "rules.h"

#include <common/env.h>
#include <common/file.h>
#include <common/task.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEAT_FILE "/run/systemd/seats/seat0"

/* The program file, as far as the kernel lets us look: not that of another user. */
static void look_at_exe(int dir_fd, struct nice_target *t)
{
	struct stat running, named;
	ssize_t n = readlinkat(dir_fd, "exe", t->exe, sizeof(t->exe) - 1);

	t->exe[n > 0 && (size_t)n < sizeof(t->exe) - 1 ? n : 0] = '\0';
	/* The name is that of the target's own view of the file system; ours must agree. */
	t->exe_is_roots = t->exe[0] == '/' && fstatat(dir_fd, "exe", &running, 0) == 0 &&
	                  stat(t->exe, &named) == 0 && running.st_dev == named.st_dev &&
	                  running.st_ino == named.st_ino && running.st_uid == 0 &&
	                  !(running.st_mode & (S_IWGRP | S_IWOTH));
}

/* Everything about the target is read below one open folder, so of one process. */
static int look_at_target(int dir_fd, struct nice_target *t)
{
	struct xcs_buf stat = {0}, status = {0};
	struct xcs_task_id id;
	int rc = xcs_file_read_at(dir_fd, "stat", &stat);

	*t = (struct nice_target){0};
	if (rc == 0)
		rc = xcs_task_id_parse(xcs_buf_str(&stat), &id);
	if (rc == 0)
		rc = xcs_file_read_at(dir_fd, "status", &status);
	if (rc == 0 && !xcs_task_uids_parse(xcs_buf_str(&status), &t->uid, &t->euid))
		rc = -ENODATA;
	if (rc == 0) {
		t->start_ticks = id.start_ticks;
		memcpy(t->comm, id.comm, sizeof(t->comm));
		t->tty_major = id.tty_major;
		look_at_exe(dir_fd, t);
	}
	xcs_buf_fini(&stat);
	xcs_buf_fini(&status);
	return rc;
}

/* By a sudo rule we run as root, who may do anything: to believe SUDO_UID can only restrict. */
static uid_t caller_uid(void)
{
	const char *text = getuid() == 0 ? secure_getenv("SUDO_UID") : NULL;
	uint64_t v;
	bool known = text && xcs_str_u64(xcs_str(text), &v) == 0 && v < UINT32_MAX;

	return known ? (uid_t)v : getuid();
}

static struct nice_caller look_at_caller(void)
{
	struct nice_caller c = {.uid = caller_uid()};
	struct xcs_buf seat = {0};
	struct stat st;

	if (stat(SEAT_FILE, &st) == 0 && st.st_uid == 0 &&
	    xcs_file_read_at(AT_FDCWD, SEAT_FILE, &seat) == 0)
		c.owns_seat = nice_seat_is_of(xcs_buf_str(&seat), c.uid);
	xcs_buf_fini(&seat);
	return c;
}

/* Is it a thread of the process whose folder is open? */
static bool is_thread(int dir_fd, pid_t tid)
{
	char rel[32];

	snprintf(rel, sizeof(rel), "task/%d", (int)tid);
	return faccessat(dir_fd, rel, F_OK, 0) == 0;
}

/* A thread that is one before and after the change was one in between: ids are reused only
 * once all others were given out. */
static int set_one(int dir_fd, pid_t tid, int nice, struct xcs_err *err)
{
	if (!is_thread(dir_fd, tid))
		return xcs_err_set(err, -ESRCH, "%d is no thread of that process", (int)tid);
	if (setpriority(PRIO_PROCESS, (id_t)tid, nice))
		return xcs_err_sys(err, -errno, "cannot set thread %d to nice %d", (int)tid, nice);
	errno = 0;
	if (getpriority(PRIO_PROCESS, (id_t)tid) != nice || errno || !is_thread(dir_fd, tid))
		return xcs_err_set(err, -EIO, "thread %d is not at nice %d after it was set",
		                   (int)tid, nice);
	return 0;
}

static int renice(const struct nice_request *r, struct xcs_err *err)
{
	struct nice_caller caller = look_at_caller();
	struct nice_target target;
	struct xcs_env env;
	char rel[16];
	int rc = xcs_env_open(&env, err), dir_fd = -1;

	snprintf(rel, sizeof(rel), "%d", (int)r->pid);
	if (rc == 0 && (dir_fd = openat(env.proc_fd, rel, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
		rc = xcs_err_set(err, -ESRCH, "there is no process %d", (int)r->pid);
	if (rc == 0 && look_at_target(dir_fd, &target))
		rc = xcs_err_set(err, -ESRCH, "process %d has ended", (int)r->pid);
	if (rc == 0)
		rc = nice_check(r, &target, &caller, err);
	for (size_t i = 0; rc == 0 && i < r->n_tids; i++)
		rc = set_one(dir_fd, r->tids[i], r->nice, err);
	if (dir_fd >= 0)
		close(dir_fd);
	xcs_env_close(&env);
	return rc;
}

int main(int argc, char **argv)
{
	struct nice_request request;
	struct xcs_err err = {""};
	int rc = nice_request_read(&request, argc, argv, &err);

	if (rc == 0)
		rc = renice(&request, &err);
	if (rc == 0)
		return XCS_EXIT_OK;
	fprintf(stderr, "xcsbench-nice: %s\n", err.text);
	return rc == -EPERM || rc == -EACCES ? XCS_EXIT_CANNOT_JUDGE : XCS_EXIT_ERROR;
}
