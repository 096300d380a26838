/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <load/load.h>

#include "announce.h"
#include "load_argv.h"
#include <guard/guard.h>
#include <load/load_terminal.h>
#include <probe/probe.h>

#include <common/alloc.h>
#include <common/env.h>
#include <common/file.h>
#include <common/task.h>
#include <common/units.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	ANNOUNCE_S = 30, /* 64 xterms on one busy CPU */
	CONFIRM_S = 3,   /* a device status reply through a full pty and a starved terminal */
	STOP_S = 2
};

int load_make_page(const struct load_spec *s, const char *role, char **path, struct xcs_err *err)
{
	*path = xcs_xasprintf("%s/%s.page", s->dir, role);
	int rc = xcs_user_enter(s->user, err);

	if (rc)
		return rc;
	unlink(*path);
	rc = xcs_counters_create(*path, err);
	xcs_user_leave(s->user);
	return rc;
}

static int make_pages(const struct load_spec *s, struct load_client *c, struct xcs_err *err)
{
	bool typed = strcmp(c->role, LOAD_TYPED) == 0;
	int rc = 0;

	if (typed || strcmp(s->load->feeder, "lines") == 0) {
		rc = load_make_page(s, c->feeder_role, &c->feeder_page, err);
		if (rc == 0)
			rc = xcs_counters_open(c->feeder_page, false, &c->counters, err);
	}
	if (rc == 0 && !typed && strcmp(s->load->kind, "flood") == 0)
		rc = load_make_page(s, c->role, &c->client_page, err);
	return rc;
}

/* The kernel's word on when a task started; 0 when it has ended. */
static uint64_t start_ticks(const struct xcs_env *env, pid_t pid)
{
	struct xcs_task_id id;

	return xcs_task_id_read(env, pid, pid, &id) ? 0 : id.start_ticks;
}

int load_nice(const struct load_spec *s, int i)
{
	int nice = scenario_client_nice(s->load, i) + s->nice_shift;

	/* The kernel ends the scale at 19. */
	return nice < 19 ? nice : 19;
}

/* The one behind the clients of the load is typed into. */
static void name_client(struct load_client *c, size_t i, size_t n_clients)
{
	if (i >= n_clients) {
		snprintf(c->role, sizeof(c->role), LOAD_TYPED);
		snprintf(c->feeder_role, sizeof(c->feeder_role), "echo");
		return;
	}
	snprintf(c->role, sizeof(c->role), "client%u", (unsigned)i);
	snprintf(c->feeder_role, sizeof(c->feeder_role), "feeder%u", (unsigned)i);
	snprintf(c->command_role, sizeof(c->command_role), "command%u", (unsigned)i);
}

/* Clients that the load is made of, of those that have been started. */
static size_t n_scrolling(const struct load *l)
{
	size_t n = (size_t)l->spec->load->n_clients;

	return l->n < n ? l->n : n;
}

static int start_client(struct load *l, size_t i, struct xcs_err *err)
{
	const struct load_spec *s = l->spec;
	struct load_client *c = &l->clients[i];
	struct load_argv args;

	*c = (struct load_client){.feeder_fd = -1};
	l->n = i + 1;
	name_client(c, i, (size_t)s->load->n_clients);
	int rc = make_pages(s, c, err);
	if (rc)
		return rc;
	rc = load_argv_make(&args, s, c, (int)i, l->socket_path, err);
	int nice = load_nice(s, (int)i);
	const struct xcs_spawn spawn = {.argv = args.argv,
	                                .launcher = s->placement->launcher,
	                                .join_fds = s->placement->join_fds,
	                                .n_join_fds = s->placement->n_join_fds,
	                                .env_add = args.env,
	                                .new_session = true,
	                                .die_with_parent = true,
	                                .user = s->user,
	                                .cpus = s->cpus,
	                                .nice = s->set_nice || nice ? &nice : NULL};
	if (rc == 0)
		rc = xcs_child_start(&c->child, &spawn, err);
	load_argv_fini(&args);
	if (rc)
		return rc;
	watch_add(s->watch, c->child.pidfd, WATCH_CLIENT_ENDED);
	c->client_start_ticks = start_ticks(s->env, c->child.pid);
	if (!c->client_start_ticks)
		return 0; /* it has ended already, which the watch tells */
	return guard_own_child(s->guard, c->child.pid, c->client_start_ticks, err);
}

static struct load_client *find_feeder(struct load *l, const char *role)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->clients[i].feeder_role, role) == 0 && l->clients[i].feeder_fd < 0)
			return &l->clients[i];
	return NULL;
}

static struct load_client *find_command(struct load *l, const char *role)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->clients[i].command_role, role) == 0 && !l->clients[i].command_pid)
			return &l->clients[i];
	return NULL;
}

/* The process of a command announces itself before its feeder does, which speaks for it. */
static int take_command(struct load *l, const struct announce *a, struct xcs_err *err)
{
	struct load_client *c = find_command(l, a->role);
	uint64_t start = c ? start_ticks(l->spec->env, a->pid) : 0;

	close(a->fd);
	if (!start)
		return 0;
	c->command_pid = a->pid;
	c->command_start_ticks = start;
	return guard_own_child(l->spec->guard, a->pid, start, err);
}

/* Takes one announcement; strangers on the socket are turned away. */
static int take_feeder(struct load *l, bool *taken, struct xcs_err *err)
{
	struct announce a;

	*taken = false;
	if (announce_accept(l->listen_fd, &a))
		return 0;
	if (find_command(l, a.role))
		return take_command(l, &a, err);
	struct load_client *c = find_feeder(l, a.role);
	uint64_t start = c ? start_ticks(l->spec->env, a.pid) : 0;
	if (!start) {
		close(a.fd);
		return 0;
	}
	c->feeder_fd = a.fd;
	c->feeder_pid = a.pid;
	c->feeder_start_ticks = start;
	*taken = true;
	int rc = guard_own_child(l->spec->guard, a.pid, start, err);
	return rc || !l->spec->load->terminal ? rc : load_find_terminal(l, c, err);
}

/* Why a wait ended that should have gone on; the sentence for those that name a client. */
static int wait_failed(struct load *l, enum watch_event event, size_t n_there, struct xcs_err *err)
{
	struct xcs_buf how = {0};
	int rc = -EINTR;

	if (event == WATCH_DEADLINE)
		rc = xcs_err_set(err, -ETIMEDOUT,
		                 "only %zu of %zu clients of load '%s' were up after %d s", n_there,
		                 l->n, l->spec->load->id, ANNOUNCE_S);
	else if (event == WATCH_CLIENT_ENDED && load_ended(l, &how))
		rc = xcs_err_set(err, -ECHILD, "%s (load '%s') before its feeder was up", how.p,
		                 l->spec->load->id);
	else
		xcs_err_set(err, rc, "interrupted");
	xcs_buf_fini(&how);
	return rc;
}

int load_level_group(const struct load_spec *s, pid_t pid, int nice, struct xcs_err *err)
{
	if (!s->by_autogroup || nice == 0 || pid <= 0)
		return 0;
	int rc = probe_autogroup_renice(s->env, pid, nice);
	if (rc == 0 || !start_ticks(s->env, pid))
		return 0;
	return xcs_err_sys(err, rc,
	                   "cannot set the nice value of the autogroup of process %d to %d",
	                   (int)pid, nice);
}

/* Terminals begin a session for what they run, and with it an autogroup. */
static int level_groups(const struct load *l, struct xcs_err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < l->n; i++) {
		const struct load_client *c = &l->clients[i];
		const pid_t pids[] = {c->child.pid, c->feeder_pid, c->command_pid};
		for (size_t k = 0; rc == 0 && k < ARRAY_LEN(pids); k++)
			rc = load_level_group(l->spec, pids[k], load_nice(l->spec, (int)i), err);
	}
	return rc;
}

int load_start(struct load *l, const struct load_spec *spec, struct xcs_err *err)
{
	*l = (struct load){.listen_fd = -1, .spec = spec};
	l->socket_path = xcs_xasprintf("%s/announce", spec->dir);
	int rc = announce_listen(l->socket_path, spec->user, &l->listen_fd, err);

	int n = spec->load->n_clients + (spec->load->keys_per_s > 0);
	for (int i = 0; rc == 0 && i < n; i++)
		rc = start_client(l, (size_t)i, err);
	const int64_t deadline_ns = xcs_mono_now_ns() + ANNOUNCE_S * XCS_NS_PER_S;
	for (size_t n_there = 0; rc == 0 && n_there < l->n;) {
		int64_t left_ns = deadline_ns - xcs_mono_now_ns();
		enum watch_event event = watch_wait(spec->watch, l->listen_fd, left_ns);
		bool taken = false;
		if (event == WATCH_READY)
			rc = take_feeder(l, &taken, err);
		else
			rc = wait_failed(l, event, n_there, err);
		n_there += taken;
	}
	return rc ? rc : level_groups(l, err);
}

int load_go(struct load *l, struct xcs_err *err)
{
	for (size_t i = 0; i < l->n; i++)
		if (send(l->clients[i].feeder_fd, "go", 2, MSG_NOSIGNAL) != 2)
			return xcs_err_sys(err, -errno, "cannot start %s",
			                   l->clients[i].feeder_role);
	return 0;
}

static void signal_feeders(const struct load *l, int signo)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->clients[i].feeder_start_ticks)
			announce_signal(l->spec->env, l->clients[i].feeder_pid,
			                l->clients[i].feeder_start_ticks, signo);
}

void load_pause(const struct load *l)
{
	signal_feeders(l, SIGSTOP);
}

bool load_lines(const struct load *l, uint64_t *lines)
{
	uint64_t sum = 0, v;

	for (size_t i = 0; i < n_scrolling(l); i++) {
		const struct load_client *c = &l->clients[i];
		if (!c->counters || !xcs_counters_get(c->counters, XCS_COUNTER_LINES, &v))
			return false;
		sum += v;
	}
	*lines = sum;
	return l->n > 0;
}

bool load_keys(const struct load *l, uint64_t *keys)
{
	for (size_t i = n_scrolling(l); i < l->n; i++)
		if (l->clients[i].counters)
			return xcs_counters_get(l->clients[i].counters, XCS_COUNTER_KEYS, keys);
	return false;
}

bool load_ended(struct load *l, struct xcs_buf *how)
{
	for (size_t i = 0; i < l->n; i++) {
		struct load_client *c = &l->clients[i];
		if (c->child.pid <= 0 || !xcs_child_wait(&c->child, 0))
			continue;
		xcs_buf_printf(how, "%s ", c->role);
		xcs_child_describe(&c->child, how);
		return true;
	}
	return false;
}

/* The terminal still shows the last line while its feeder asks for the reply. */
static void stop_feeders(struct load *l, struct xcs_num *written, struct xcs_num *confirmed)
{
	const int64_t deadline_ns = xcs_mono_now_ns() + CONFIRM_S * XCS_NS_PER_S;
	size_t n_told = 0;

	*written = *confirmed = (struct xcs_num){0};
	signal_feeders(l, SIGTERM);
	signal_feeders(l, SIGCONT);
	for (size_t i = 0; i < n_scrolling(l); i++) {
		struct announce_totals t;
		if (l->clients[i].feeder_fd < 0 ||
		    !announce_wait_totals(l->clients[i].feeder_fd, deadline_ns, &t))
			continue;
		n_told++;
		written->v += (double)t.lines_written;
		confirmed->v += (double)t.lines_confirmed;
	}
	written->known = confirmed->known = n_told > 0 && n_told == n_scrolling(l);
}

/* Ends one that is no child of ours. */
static void stop_stranger(const struct load_spec *s, pid_t pid, uint64_t start_ticks)
{
	struct xcs_err ignored; /* the guard has died, which the watch tells */

	if (!start_ticks)
		return;
	announce_signal(s->env, pid, start_ticks, SIGKILL);
	(void)!guard_disown_child(s->guard, pid, start_ticks, &ignored);
}

static void stop_client(struct load *l, struct load_client *c)
{
	const struct load_spec *s = l->spec;
	struct xcs_err ignored; /* as above */

	if (c->child.pid > 0 && c->child.pidfd >= 0)
		watch_forget(s->watch, c->child.pidfd);
	if (c->client_start_ticks)
		(void)!guard_disown_child(s->guard, c->child.pid, c->client_start_ticks, &ignored);
	if (s->load->terminal)
		load_end_group(c, STOP_S * XCS_NS_PER_S);
	xcs_child_stop(&c->child, STOP_S * XCS_NS_PER_S);
	stop_stranger(s, c->terminal_pid, c->terminal_start_ticks);
	stop_stranger(s, c->feeder_pid, c->feeder_start_ticks);
	stop_stranger(s, c->command_pid, c->command_start_ticks);
	if (c->feeder_fd >= 0)
		close(c->feeder_fd);
	xcs_counters_close(c->counters);
	free(c->client_page);
	free(c->feeder_page);
}

void load_stop(struct load *l, struct xcs_num *written, struct xcs_num *confirmed)
{
	if (!l->spec)
		return;
	stop_feeders(l, written, confirmed);
	for (size_t i = 0; i < l->n; i++)
		xcs_child_signal(&l->clients[i].child, SIGTERM);
	for (size_t i = 0; i < l->n; i++)
		stop_client(l, &l->clients[i]);
	if (l->listen_fd >= 0)
		close(l->listen_fd);
	if (l->socket_path)
		unlink(l->socket_path);
	free(l->socket_path);
	*l = (struct load){.listen_fd = -1};
}
