/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <load/command_try.h>

#include <guard/guard.h>

#include <common/alloc.h>
#include <common/env.h>
#include <common/file.h>
#include <common/paths.h>
#include <common/task.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	STOP_S = 2
};

struct trying {
	struct xcs_child child;
	uint64_t start_ticks; /* 0: not known to the guard */
	int out_fd, err_fd;   /* pipe, memory */
	int64_t n_lines;
};

const char *command_name(const struct xcs_run_load *load)
{
	return load->label ? load->label : load->id;
}

char *command_too_long_dup(const struct xcs_run_load *load, int64_t deadline_ns)
{
	return xcs_xasprintf("'%.200s' did not end within %g s and was stopped", command_name(load),
	                     xcs_ns_to_s(deadline_ns));
}

void command_add_last_words(struct xcs_str text, struct xcs_buf *into)
{
	struct xcs_str line, last = {0};

	while (xcs_str_next_line(&text, &line))
		if (xcs_str_trim(line).n)
			last = xcs_str_trim(line);
	const char *stop = last.n ? memmem(last.p, last.n, ". ", 2) : NULL;
	if (stop)
		last.n = (size_t)(stop - last.p);
	if (last.n)
		xcs_buf_printf(into, ": %.*s", (int)(last.n < 300 ? last.n : 300), last.p);
}

/* If we die, the guard ends it with its whole group: what a shell started does not die with
 * the shell. */
static int own(struct trying *t, const struct load_spec *place, struct xcs_err *err)
{
	struct xcs_task_id id;

	if (!place->guard || xcs_task_id_read(place->env, t->child.pid, t->child.pid, &id))
		return 0; /* it has ended already */
	int rc = guard_own_child(place->guard, t->child.pid, id.start_ticks, err);
	if (rc == 0)
		t->start_ticks = id.start_ticks;
	return rc == -ESRCH ? 0 : rc; /* short commands end meanwhile */
}

static int start(struct trying *t, const struct load_spec *place, struct xcs_err *err)
{
	const struct xcs_user *user = place->user;
	int out[2];

	*t = (struct trying){.out_fd = -1, .err_fd = memfd_create("stderr", MFD_CLOEXEC)};
	if (t->err_fd < 0 || pipe2(out, O_CLOEXEC))
		return xcs_err_sys(err, -errno, "cannot try '%.200s'", command_name(place->load));
	const struct xcs_spawn spawn = {
	        .argv = (const char *[]){"/bin/sh", "-c", place->load->command, NULL},
	        .env_add = (const char *[]){"LC_ALL=C",         "LANG=C",    NULL       },
	        .stdout_fd = out[1],
	        .stderr_fd = t->err_fd,
	        .launcher = place->placement->launcher,
	        .join_fds = place->placement->join_fds,
	        .n_join_fds = place->placement->n_join_fds,
	        .new_session = true,
	        .die_with_parent = !place->guard, /* which ends it as a group */
	        .user = user,
	        .cpus = place->cpus,
	        .cwd = place->cwd
        };
	int rc = xcs_child_start(&t->child, &spawn, err);
	close(out[1]);
	t->out_fd = out[0];
	return rc ? rc : own(t, place, err);
}

/* With the jobs that it left in the background, as long as it is not reaped. */
static void end(struct trying *t, const struct load_spec *place)
{
	struct xcs_err ignored; /* the guard has died, which the watch tells */

	xcs_child_stop_group(&t->child, STOP_S * XCS_NS_PER_S);
	if (t->start_ticks)
		(void)!guard_disown_child(place->guard, t->child.pid, t->start_ticks, &ignored);
	t->start_ticks = 0;
}

static void stop(struct trying *t, const struct load_spec *place)
{
	end(t, place);
	if (t->out_fd >= 0)
		close(t->out_fd);
	if (t->err_fd >= 0)
		close(t->err_fd);
}

/* Reads the output to its end; returns what ended that, WATCH_READY when all is read. */
static enum watch_event count(struct trying *t, struct watch *watch, int64_t end_mono_ns)
{
	char chunk[65536];

	for (;;) {
		int64_t left_ns = end_mono_ns - xcs_mono_now_ns();
		enum watch_event event =
		        left_ns > 0 ? watch_wait(watch, t->out_fd, left_ns) : WATCH_DEADLINE;
		if (event != WATCH_READY)
			return event;
		ssize_t n = read(t->out_fd, chunk, sizeof(chunk));
		if (n == 0 || (n < 0 && errno != EINTR))
			return WATCH_READY;
		for (ssize_t i = 0; i < n; i++)
			t->n_lines += chunk[i] == '\n';
	}
}

static bool succeeded(const struct xcs_child *child)
{
	return WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0;
}

static char *failure_dup(const struct trying *t, const struct xcs_run_load *load)
{
	struct xcs_buf why = {0}, text = {0};

	xcs_buf_printf(&why, "'%.200s' ", command_name(load));
	xcs_child_describe(&t->child, &why);
	if (lseek(t->err_fd, 0, SEEK_SET) == 0 && xcs_fd_read_all(t->err_fd, &text) == 0)
		command_add_last_words(xcs_buf_str(&text), &why);
	xcs_buf_fini(&text);
	return xcs_buf_take(&why);
}

void command_try(const struct load_spec *place, int64_t deadline_ns, struct command_try *out)
{
	const int64_t end_ns = xcs_mono_now_ns() + deadline_ns;
	struct trying t;
	struct xcs_err err;

	*out = (struct command_try){0};
	if (start(&t, place, &err)) {
		out->why = xcs_xstrdup(err.text);
		stop(&t, place);
		return;
	}
	enum watch_event event = count(&t, place->watch, end_ns);
	int64_t left_ns = end_ns - xcs_mono_now_ns();
	if (event == WATCH_READY)
		event = left_ns > 0 ? watch_wait(place->watch, t.child.pidfd, left_ns)
		                    : WATCH_DEADLINE;
	end(&t, place);
	if (event == WATCH_DEADLINE)
		out->why = command_too_long_dup(place->load, deadline_ns);
	else if (event == WATCH_READY && !succeeded(&t.child))
		out->why = failure_dup(&t, place->load);
	else if (event == WATCH_READY)
		out->n_lines = (struct xcs_num){true, (double)t.n_lines};
	stop(&t, place);
}
