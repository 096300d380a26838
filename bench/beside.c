/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "beside.h"

#include <guard/guard.h>

#include <common/alloc.h>
#include <common/paths.h>
#include <common/task.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The i-th CPU of the set, which starts over at its end. */
static struct xcs_cpuset one_cpu(const struct xcs_cpuset *set, size_t i)
{
	struct xcs_cpuset one;
	size_t left = i % (size_t)xcs_cpuset_count(set);

	CPU_ZERO(&one.mask);
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &set->mask))
			continue;
		if (left-- == 0) {
			CPU_SET(cpu, &one.mask);
			break;
		}
	}
	return one;
}

/* Ends with us even if we are killed, and is watched as the clients are. */
static int own(const struct load_spec *s, struct beside_task *t, struct xcs_err *err)
{
	struct xcs_task_id id;

	watch_add(s->watch, t->child.pidfd, WATCH_CLIENT_ENDED);
	if (xcs_task_id_read(s->env, t->child.pid, t->child.pid, &id))
		return 0; /* it has ended already, which the watch tells */
	t->start_ticks = id.start_ticks;
	return guard_own_child(s->guard, t->child.pid, t->start_ticks, err);
}

static int start_hog(const struct load_spec *s, struct beside_task *t, const char *program,
                     size_t i, struct xcs_err *err)
{
	const char *argv[] = {program, NULL};
	const struct xcs_cpuset cpu = one_cpu(s->cpus, i);
	const int nice = s->nice_shift < 19 ? s->nice_shift : 19;
	int in[2];

	snprintf(t->role, sizeof(t->role), "hog%zu", i);
	if (pipe2(in, O_CLOEXEC))
		return xcs_err_sys(err, -errno, "cannot start busy loop %zu", i);
	const struct xcs_spawn spawn = {.argv = argv,
	                                .stdin_fd = in[0],
	                                .new_session = true,
	                                .die_with_parent = true,
	                                .user = s->user,
	                                .cpus = &cpu,
	                                .nice = s->set_nice || nice ? &nice : NULL};
	int rc = xcs_child_start(&t->child, &spawn, err);
	close(in[0]);
	t->go_fd = in[1];
	return rc ? rc : own(s, t, err);
}

int beside_start(struct beside *b, const struct load_spec *spec, int n_hogs, struct xcs_err *err)
{
	char *program = xcs_path_program_dup("xcs-spin");
	int rc = 0;

	*b = (struct beside){.spec = spec};
	b->tasks = xcs_xcalloc((size_t)n_hogs + 1, sizeof(*b->tasks));
	for (size_t i = 0; rc == 0 && i < (size_t)n_hogs; i++) {
		b->tasks[b->n++] = (struct beside_task){.go_fd = -1};
		rc = start_hog(spec, &b->tasks[i], program, i, err);
	}
	free(program);
	return rc;
}

int beside_go(const struct beside *b, struct xcs_err *err)
{
	for (size_t i = 0; i < b->n; i++)
		if (write(b->tasks[i].go_fd, "\n", 1) != 1)
			return xcs_err_sys(err, -errno, "cannot start %s", b->tasks[i].role);
	return 0;
}

bool beside_ended(struct beside *b, struct xcs_buf *how)
{
	for (size_t i = 0; i < b->n; i++) {
		struct beside_task *t = &b->tasks[i];
		if (t->child.pid <= 0 || !xcs_child_wait(&t->child, 0))
			continue;
		xcs_buf_printf(how, "%s ", t->role);
		xcs_child_describe(&t->child, how);
		return true;
	}
	return false;
}

static void stop_task(const struct load_spec *s, struct beside_task *t)
{
	struct xcs_err ignored; /* the guard has died, which the watch tells */

	if (t->child.pid > 0 && t->child.pidfd >= 0)
		watch_forget(s->watch, t->child.pidfd);
	if (t->start_ticks)
		(void)!guard_disown_child(s->guard, t->child.pid, t->start_ticks, &ignored);
	xcs_child_stop(&t->child, XCS_NS_PER_S);
	if (t->go_fd >= 0)
		close(t->go_fd);
}

void beside_stop(struct beside *b)
{
	/* All at once: as long as one of many burns, the others end late. */
	for (size_t i = 0; i < b->n; i++)
		xcs_child_signal(&b->tasks[i].child, SIGKILL);
	for (size_t i = 0; i < b->n; i++)
		stop_task(b->spec, &b->tasks[i]);
	free(b->tasks);
	*b = (struct beside){0};
}
