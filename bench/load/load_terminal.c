/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <load/load_terminal.h>

#include <guard/guard.h>

#include <common/env.h>
#include <common/task.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
	ANCESTORS_MAX = 64
};

pid_t load_client_pid(const struct load_client *c)
{
	return c->terminal_pid ? c->terminal_pid : c->child.pid;
}

/* 0 when it has ended. */
static pid_t parent_of(const struct xcs_env *env, pid_t pid)
{
	struct xcs_task_id id;

	return xcs_task_id_read(env, pid, pid, &id) ? 0 : id.ppid;
}

/* A terminal makes a session for what runs in it, a shell in between included. So the first
 * ancestor in another session is the one that holds the other end of the pty. */
static pid_t first_outside(const struct xcs_env *env, pid_t feeder)
{
	pid_t session = getsid(feeder), pid = feeder;

	for (int i = 0; i < ANCESTORS_MAX && pid > 1 && getsid(pid) == session; i++)
		pid = parent_of(env, pid);
	return pid;
}

/* Descends from the child, or was left behind in the session that the child began. */
static bool is_of_child(const struct xcs_env *env, pid_t pid, pid_t child)
{
	if (getsid(pid) == child)
		return true;
	for (int i = 0; i < ANCESTORS_MAX && pid > 1; i++, pid = parent_of(env, pid))
		if (pid == child)
			return true;
	return false;
}

static int refuse(const struct load *l, const struct load_client *c, pid_t pid, struct xcs_err *err)
{
	struct xcs_task_id id;

	if (pid <= 1 || xcs_task_id_read(l->spec->env, pid, pid, &id))
		return xcs_err_set(err, -EINVAL, "nobody knows which process draws %s", c->role);
	return xcs_err_set(err, -EINVAL,
	                   "%s is drawn by process %d (%s), which it did not start: a terminal "
	                   "that hands its windows to a running server is not ours to renice or "
	                   "end; tell it to draw itself",
	                   c->role, (int)pid, id.comm);
}

static int refuse_shared(const struct load_client *c, const struct load_client *other,
                         struct xcs_err *err)
{
	return xcs_err_set(err, -EINVAL,
	                   "%s and %s are windows of one process, %d; tell the terminal to start "
	                   "one for each window",
	                   other->role, c->role, (int)load_client_pid(other));
}

int load_find_terminal(const struct load *l, struct load_client *c, struct xcs_err *err)
{
	pid_t pid = first_outside(l->spec->env, c->feeder_pid);
	struct xcs_task_id id;

	for (size_t i = 0; i < l->n; i++)
		if (&l->clients[i] != c && load_client_pid(&l->clients[i]) == pid)
			return refuse_shared(c, &l->clients[i], err);
	if (pid <= 1 || !is_of_child(l->spec->env, pid, c->child.pid))
		return refuse(l, c, pid, err);
	if (pid == c->child.pid)
		return 0;
	if (xcs_task_id_read(l->spec->env, pid, pid, &id))
		return xcs_err_set(err, -ECHILD, "the terminal of %s has ended", c->role);
	c->terminal_pid = pid;
	c->terminal_start_ticks = id.start_ticks;
	return guard_own_child(l->spec->guard, pid, id.start_ticks, err);
}

void load_end_group(const struct load_client *c, int64_t grace_ns)
{
	struct pollfd p = {.fd = c->child.pidfd, .events = POLLIN};

	if (c->child.pid <= 0 || c->child.ended)
		return;
	poll(&p, 1, (int)(grace_ns / XCS_NS_PER_MS));
	/* The child, dead or not, is not reaped yet: nobody else can have its number. */
	kill(-c->child.pid, SIGKILL);
}

/* The feeder's standard output is the pty; opened anew, it tells its size. */
static bool read_size(const struct xcs_env *env, pid_t feeder, struct winsize *size)
{
	char path[32];

	snprintf(path, sizeof(path), "%d/fd/1", (int)feeder);
	int fd = openat(env->proc_fd, path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	bool known = isatty(fd) && ioctl(fd, TIOCGWINSZ, size) == 0;
	close(fd);
	return known;
}

void load_check_size(const struct load *l, struct xcs_run *run)
{
	const struct xcs_run_load *load = l->spec->load;
	struct winsize size;
	char note[160];

	for (size_t i = 0; load->terminal && i < l->n; i++) {
		if (!read_size(l->spec->env, l->clients[i].feeder_pid, &size) ||
		    (size.ws_col == load->columns && size.ws_row == load->rows))
			continue;
		snprintf(note, sizeof(note),
		         "Load '%s': its terminal has %dx%d characters where %dx%d were asked for.",
		         load->id, size.ws_col, size.ws_row, load->columns, load->rows);
		xcs_run_add_note(run, note);
	}
}
