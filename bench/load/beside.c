/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <load/beside.h>

#include <guard/guard.h>

#include <common/alloc.h>
#include <common/env.h>
#include <common/file.h>
#include <common/paths.h>
#include <common/task.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	READY_S = 90, /* a build compiles one file first, on what may be one busy CPU */
	STOP_S = 5,
	KEYS_S = 2,
	N_SPEAKING = 2 /* build and typist, beside the loops */
};

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

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Room for one more; its role is set. */
static struct beside_task *add_task(struct beside *b, const char *role, int number)
{
	struct beside_task *t = &b->tasks[b->n++];

	*t = (struct beside_task){.go_fd = -1, .out_fd = -1, .err_fd = -1};
	if (number < 0)
		snprintf(t->role, sizeof(t->role), "%s", role);
	else
		snprintf(t->role, sizeof(t->role), "%s%d", role, number);
	return t;
}

/* What all of them have in common; `spawn` says the rest. */
static int start_task(const struct load_spec *s, struct beside_task *t, struct xcs_spawn *spawn,
                      struct xcs_err *err)
{
	const int nice = s->nice_shift < 19 ? s->nice_shift : 19;
	int in[2];

	if (pipe2(in, O_CLOEXEC))
		return xcs_err_sys(err, -errno, "cannot start %s", t->role);
	spawn->stdin_fd = in[0];
	spawn->new_session = true;
	spawn->user = s->user;
	spawn->launcher = s->placement->launcher;
	spawn->join_fds = s->placement->join_fds;
	spawn->n_join_fds = s->placement->n_join_fds;
	spawn->nice = s->set_nice || nice ? &nice : NULL;
	int rc = xcs_child_start(&t->child, spawn, err);
	close(in[0]);
	t->go_fd = in[1];
	rc = rc ? rc : own(s, t, err);
	return rc ? rc : load_level_group(s, t->child.pid, nice, err);
}

static int start_hog(struct beside *b, const char *program, int i, struct xcs_err *err)
{
	const char *argv[] = {program, NULL};
	const struct xcs_cpuset cpu = one_cpu(b->spec->cpus, (size_t)i);
	struct xcs_spawn spawn = {.argv = argv, .die_with_parent = true, .cpus = &cpu};

	return start_task(b->spec, add_task(b, "hog", i), &spawn, err);
}

/* The last line of what a task said on its standard error, behind a separator. */
static void add_last_words(const struct beside_task *t, const char *separator, struct xcs_buf *into)
{
	struct xcs_buf text = {0};
	struct xcs_str rest, line, last = {0};

	if (t->err_fd >= 0)
		xcs_fd_read_all(t->err_fd, &text);
	rest = xcs_buf_str(&text);
	while (xcs_str_next_line(&rest, &line))
		if (line.n)
			last = line;
	if (last.n)
		xcs_buf_printf(into, "%s%.*s", separator, (int)last.n, last.p);
	xcs_buf_fini(&text);
}

/* It did not come to its "ready": in its own words, or how it ended. */
static int blame(struct beside_task *t, struct xcs_err *err)
{
	struct xcs_buf why = {0};

	xcs_child_stop(&t->child, XCS_NS_PER_S);
	add_last_words(t, "", &why);
	if (!why.n)
		xcs_child_describe(&t->child, &why);
	int rc = xcs_err_set(err, -ECHILD, "%s cannot begin: %s", t->role, why.p);
	xcs_buf_fini(&why);
	return rc;
}

static int await_ready(const struct beside *b, struct beside_task *t, struct xcs_err *err)
{
	char line[16] = "";
	/* Its end is told by its output, and better. */
	watch_forget(b->spec->watch, t->child.pidfd);
	enum watch_event event = watch_wait(b->spec->watch, t->out_fd, READY_S * XCS_NS_PER_S);

	if (event != WATCH_READY)
		return watch_error(event, t->role, err);
	if (read(t->out_fd, line, sizeof(line) - 1) < 5 || strncmp(line, "ready", 5))
		return blame(t, err);
	watch_add(b->spec->watch, t->child.pidfd, WATCH_CLIENT_ENDED);
	return 0;
}

static int make_page(const struct load_spec *s, struct beside_task *t, struct xcs_err *err)
{
	int rc = load_make_page(s, t->role, &t->page, err);

	return rc ? rc : xcs_counters_open(t->page, false, &t->counters, err);
}

/* One that says "ready" when it could begin, or why not. */
static int start_speaking(const struct beside *b, struct beside_task *t, struct xcs_spawn *spawn,
                          struct xcs_err *err)
{
	int out[2] = {-1, -1}, text[2] = {-1, -1}, rc = 0;

	if (pipe2(out, O_CLOEXEC) || pipe2(text, O_CLOEXEC | O_NONBLOCK))
		rc = xcs_err_sys(err, -errno, "cannot start %s", t->role);
	spawn->stdout_fd = out[1];
	spawn->stderr_fd = text[1];
	t->out_fd = out[0];
	t->err_fd = text[0];
	if (rc == 0)
		rc = start_task(b->spec, t, spawn, err);
	close_fd(&out[1]);
	close_fd(&text[1]);
	return rc ? rc : await_ready(b, t, err);
}

/* It is not killed with us: it sees the end of its input and then ends its compilers, which
 * a killed one would leave behind. */
static int start_build(struct beside *b, struct xcs_err *err)
{
	const struct load_spec *s = b->spec;
	struct beside_task *t = add_task(b, "build", -1);
	char *program = xcs_path_program_dup("xcs-storm");
	char *dir = xcs_xasprintf("%s/build", s->dir);
	char *jobs = xcs_xasprintf("%d", s->load->n_compile_jobs);
	int rc = make_page(s, t, err);
	const char *argv[] = {program, "--dir", dir, "--jobs", jobs, "--page", t->page, NULL};
	struct xcs_spawn spawn = {.argv = argv, .cpus = s->cpus};

	if (rc == 0)
		rc = start_speaking(b, t, &spawn, err);
	free(program);
	free(dir);
	free(jobs);
	return rc;
}

static int start_typist(struct beside *b, struct xcs_err *err)
{
	const struct load_spec *s = b->spec;
	struct beside_task *t = add_task(b, "typist", -1);
	char *program = xcs_path_program_dup("xclient-stress");
	char *rate = xcs_xasprintf("%d", s->load->keys_per_s);
	int rc = make_page(s, t, err);
	const char *argv[] = {program, "type", "--rate", rate, "--page", t->page, LOAD_TYPED, NULL};
	struct xcs_spawn spawn = {
	        .argv = argv, .env_add = s->server->env, .die_with_parent = true, .cpus = s->cpus};

	if (rc == 0)
		rc = start_speaking(b, t, &spawn, err);
	free(program);
	free(rate);
	return rc;
}

int beside_start(struct beside *b, const struct load_spec *spec, int n_hogs, struct xcs_err *err)
{
	char *program = xcs_path_program_dup("xcs-spin");
	int rc = 0;

	*b = (struct beside){.spec = spec};
	b->tasks = xcs_xcalloc((size_t)n_hogs + N_SPEAKING, sizeof(*b->tasks));
	for (int i = 0; rc == 0 && i < n_hogs; i++)
		rc = start_hog(b, program, i, err);
	if (rc == 0 && spec->load->n_compile_jobs)
		rc = start_build(b, err);
	free(program);
	return rc;
}

int beside_go(struct beside *b, struct xcs_err *err)
{
	int rc = b->spec->load->keys_per_s ? start_typist(b, err) : 0;

	for (size_t i = 0; rc == 0 && i < b->n; i++)
		if (write(b->tasks[i].go_fd, "\n", 1) != 1)
			rc = xcs_err_sys(err, -errno, "cannot start %s", b->tasks[i].role);
	return rc;
}

bool beside_ended(struct beside *b, struct xcs_buf *how, bool *failed)
{
	for (size_t i = 0; i < b->n; i++) {
		struct beside_task *t = &b->tasks[i];
		if (t->child.pid <= 0 || !xcs_child_wait(&t->child, 0))
			continue;
		xcs_buf_printf(how, "%s ", t->role);
		xcs_child_describe(&t->child, how);
		add_last_words(t, ": ", how);
		*failed = WIFEXITED(t->child.status);
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
	t->start_ticks = 0;
	close_fd(&t->go_fd);
	xcs_child_stop(&t->child, STOP_S * XCS_NS_PER_S);
	close_fd(&t->out_fd);
	close_fd(&t->err_fd);
}

static struct beside_task *find(const struct beside *b, const char *role)
{
	for (size_t i = 0; i < b->n; i++)
		if (strcmp(b->tasks[i].role, role) == 0)
			return &b->tasks[i];
	return NULL;
}

bool beside_lost_keys(struct beside *b, const struct load *load, struct xcs_buf *why)
{
	static const struct timespec pause = {.tv_nsec = 10 * XCS_NS_PER_MS};
	const int64_t deadline_ns = xcs_mono_now_ns() + KEYS_S * XCS_NS_PER_S;
	struct beside_task *t = find(b, "typist");
	uint64_t n_sent = 0, n_echoed = 0;

	if (!t)
		return false;
	stop_task(b->spec, t);
	if (!xcs_counters_get(t->counters, XCS_COUNTER_KEYS, &n_sent))
		return false;
	while (load_keys(load, &n_echoed) && n_echoed < n_sent && xcs_mono_now_ns() < deadline_ns)
		ppoll(NULL, 0, &pause, NULL);
	if (n_echoed == n_sent)
		return false;
	xcs_buf_printf(why, "of %llu keys typed, %llu were echoed", (unsigned long long)n_sent,
	               (unsigned long long)n_echoed);
	return true;
}

void beside_stop(struct beside *b)
{
	/* All at once: as long as one of many burns, the others end late. */
	for (size_t i = 0; i < b->n; i++)
		if (b->tasks[i].out_fd < 0)
			xcs_child_signal(&b->tasks[i].child, SIGKILL);
	for (size_t i = 0; i < b->n; i++) {
		stop_task(b->spec, &b->tasks[i]);
		xcs_counters_close(b->tasks[i].counters);
		free(b->tasks[i].page);
	}
	free(b->tasks);
	*b = (struct beside){0};
}
