/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <load/once.h>

#include <common/alloc.h>
#include <common/env.h>
#include <common/task.h>
#include <common/units.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
	NOT_EXECUTABLE = 126, /* as shells exit, and xcs-feed with them */
	NOT_FOUND = 127,
	SHOWN_BYTES = 120 /* of a command, in a sentence */
};

bool once_is(const struct xcs_run_load *load)
{
	return load->timer && strcmp(load->timer, "once") == 0;
}

static struct xcs_num nice_of(const struct load *l, pid_t pid)
{
	struct xcs_task_id id;

	if (xcs_task_id_read(l->spec->env, pid, pid, &id))
		return (struct xcs_num){0};
	return (struct xcs_num){true, id.nice};
}

static void make_timings(const struct load *l, struct xcs_num n_lines, struct xcs_run_trial *trial)
{
	trial->timings = xcs_xcalloc(l->n, sizeof(*trial->timings));
	trial->n_timings = l->n;
	for (size_t i = 0; i < l->n; i++)
		trial->timings[i] =
		        (struct xcs_run_timing){.role = xcs_xstrdup(l->clients[i].role),
		                                .n_lines = n_lines,
		                                .nice = nice_of(l, l->clients[i].command_pid)};
}

/* A number, or "n/a" for one that is not known. */
static struct xcs_num number(const char *word)
{
	int64_t v;

	if (xcs_str_i64(xcs_str(word), &v))
		return (struct xcs_num){0};
	return (struct xcs_num){true, (double)v};
}

/* As xcs-feed(1) has it. */
static int read_report(const char *text, struct xcs_run_timing *t)
{
	char real[24], user[24], sys[24], drained[24], drawn[24], status[24];

	if (sscanf(text,
	           "command real_ns %23s user_ns %23s sys_ns %23s drained_ns %23s drawn_ns %23s "
	           "exit %23s",
	           real, user, sys, drained, drawn, status) != 6)
		return -EPROTO;
	t->real_ns = number(real);
	t->user_ns = number(user);
	t->sys_ns = number(sys);
	t->drained_ns = number(drained);
	t->drawn_ns = number(drawn);
	t->exit_status = number(status);
	return 0;
}

static int hear(const struct load *l, size_t i, struct xcs_run_timing *t, struct xcs_err *err)
{
	char text[512];
	ssize_t n = recv(l->clients[i].feeder_fd, text, sizeof(text) - 1, 0);

	if (n <= 0)
		return xcs_err_set(err, -ECHILD,
		                   "load '%s': %s ended without a word on its command",
		                   l->spec->load->id, l->clients[i].feeder_role);
	text[n] = '\0';
	return read_report(text, t)
	               ? xcs_err_set(err, -EPROTO, "%s said '%s'", l->clients[i].feeder_role, text)
	               : 0;
}

int once_run(struct load *l, struct xcs_num n_lines, int64_t deadline_ns,
             struct xcs_run_trial *trial, enum watch_event *event, struct xcs_err *err)
{
	make_timings(l, n_lines, trial);
	const int64_t end_ns = xcs_mono_now_ns() + deadline_ns;
	int rc = load_go(l, err);

	*event = WATCH_READY;
	for (size_t i = 0; rc == 0 && i < l->n && *event == WATCH_READY; i++) {
		int64_t left_ns = end_ns - xcs_mono_now_ns();
		*event = watch_wait(l->spec->watch, l->clients[i].feeder_fd,
		                    left_ns > 0 ? left_ns : 0);
		if (*event == WATCH_READY)
			rc = hear(l, i, &trial->timings[i], err);
	}
	if (*event == WATCH_READY)
		*event = WATCH_DEADLINE;
	return rc;
}

bool once_is_done(const struct xcs_run_trial *trial)
{
	for (size_t i = 0; i < trial->n_timings; i++)
		if (!trial->timings[i].exit_status.known)
			return false;
	return trial->n_timings > 0;
}

static void add_command(struct xcs_buf *why, const struct load *l)
{
	const char *command = l->spec->load->command;

	xcs_buf_printf(why, "'%.*s%s'", SHOWN_BYTES, command,
	               strlen(command) > SHOWN_BYTES ? "..." : "");
}

static void add_how(struct xcs_buf *why, int status)
{
	if (status == NOT_FOUND)
		xcs_buf_puts(why, "was not found (status 127)");
	else if (status == NOT_EXECUTABLE)
		xcs_buf_puts(why, "could not be executed (status 126)");
	else if (status > 128)
		xcs_buf_printf(why, "was killed by signal %d (%s)", status - 128,
		               strsignal(status - 128));
	else
		xcs_buf_printf(why, "exited with status %d", status);
}

bool once_failed(const struct load *l, int64_t deadline_ns, const struct xcs_run_trial *trial,
                 struct xcs_buf *why)
{
	for (size_t i = 0; i < trial->n_timings; i++) {
		const struct xcs_run_timing *t = &trial->timings[i];
		if (t->exit_status.known && t->exit_status.v == 0 && t->drawn_ns.known)
			continue;
		xcs_buf_printf(why, "load '%s': the command of %s, ", l->spec->load->id, t->role);
		add_command(why, l);
		xcs_buf_puts(why, ", ");
		if (!t->exit_status.known)
			xcs_buf_printf(why, "had not ended after %g s (--deadline)",
			               xcs_ns_to_s(deadline_ns));
		else if (t->exit_status.v != 0)
			add_how(why, (int)t->exit_status.v);
		else
			xcs_buf_puts(why, "ended, and its terminal did not confirm its last line");
		return true;
	}
	return false;
}

void once_closed(const struct load *l, const char *how, struct xcs_buf *why)
{
	xcs_buf_printf(why, "load '%s': %s before its command, ", l->spec->load->id, how);
	add_command(why, l);
	xcs_buf_puts(why, ", had ended");
}
