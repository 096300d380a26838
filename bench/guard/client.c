/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "restore.h"
#include "wire.h"

#include <common/alloc.h>
#include <common/child.h>
#include <common/paths.h>
#include <common/units.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Longer than the guard may take to end stubborn children and to wait for a slow disk. */
#define REPLY_DEADLINE_NS (60 * XCS_NS_PER_S)

struct guard {
	const struct xcs_env *env; /* borrowed; must outlive the guard */
	struct xcs_child child;
	int socket_fd;
	char *journal_path;
};

static int lost(struct xcs_err *err)
{
	return xcs_err_set(err, -EPIPE,
	                   "xcs-guard has ended unexpectedly, so nothing more will be changed");
}

static int receive(struct guard *g, struct guard_reply *r, struct xcs_err *err)
{
	const int64_t deadline_ns = xcs_mono_now_ns() + REPLY_DEADLINE_NS;
	struct pollfd p = {.fd = g->socket_fd, .events = POLLIN};

	for (;;) {
		int64_t left_ns = deadline_ns - xcs_mono_now_ns();
		if (left_ns <= 0)
			return xcs_err_set(err, -ETIMEDOUT, "xcs-guard does not answer");
		int ready = poll(&p, 1, (int)(left_ns / XCS_NS_PER_MS) + 1);
		if (ready < 0 && errno != EINTR)
			return xcs_err_sys(err, -errno, "cannot listen to xcs-guard");
		if (ready <= 0)
			continue;
		ssize_t n = recv(g->socket_fd, r, sizeof(*r), 0);
		if (n < 0 && errno == EINTR)
			continue;
		return n == (ssize_t)sizeof(*r) ? 0 : lost(err);
	}
}

static int ask(struct guard *g, struct guard_request *q, struct guard_reply *r, struct xcs_err *err)
{
	q->version = GUARD_WIRE_VERSION;
	if (send(g->socket_fd, q, sizeof(*q), MSG_NOSIGNAL) != (ssize_t)sizeof(*q))
		return lost(err);
	int rc = receive(g, r, err);
	if (rc == 0 && r->rc < 0)
		rc = xcs_err_set(err, r->rc, "%s", r->text);
	return rc;
}

static int command(struct guard *g, enum guard_command what, pid_t pid, uint64_t start_ticks,
                   int value, struct xcs_err *err)
{
	struct guard_request q = {
	        .command = what, .pid = pid, .start_ticks = start_ticks, .value = value};
	struct guard_reply r;

	return ask(g, &q, &r, err);
}

/* Asks q with that path. */
static int ask_path(struct guard *g, struct guard_request *q, const char *path, struct xcs_err *err)
{
	struct guard_reply r;

	if (strlen(path) >= sizeof(q->path))
		return xcs_err_set(err, -ENAMETOOLONG, "the path %.80s... is too long", path);
	memcpy(q->path, path, strlen(path));
	return ask(g, q, &r, err);
}

static int path_command(struct guard *g, enum guard_command what, const char *path,
                        struct xcs_err *err)
{
	struct guard_request q = {.command = what};

	return ask_path(g, &q, path, err);
}

static int default_journals(char **out, struct xcs_err *err)
{
	struct xcs_user user;
	int rc = xcs_user_find(&user, err);

	if (rc == 0)
		*out = xcs_path_journals_dup(&user);
	return rc;
}

static const char *default_temp(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && dir[0] == '/' ? dir : "/tmp";
}

static int spawn(struct guard *g, int their_fd, const char *program, const char *journals,
                 const char *temp, const char *tree, struct xcs_err *err)
{
	char socket_text[16], proc_text[16], sys_text[16];
	const bool has_sys = g->env->sys_fd >= 0;
	const int keep[] = {their_fd, g->env->proc_fd, g->env->sys_fd};
	const char *const argv[] = {program,   "--socket", socket_text, "--proc",
	                            proc_text, "--sys",    sys_text,    "--journals",
	                            journals,  "--temp",   temp,        tree ? "--tree" : NULL,
	                            tree,      NULL};
	const struct xcs_spawn how = {.argv = argv,
	                              .stderr_fd = STDERR_FILENO,
	                              .keep_fds = keep,
	                              .n_keep_fds = has_sys ? 3 : 2,
	                              .new_session = true,
	                              .cwd = "/"};

	snprintf(socket_text, sizeof(socket_text), "%d", their_fd);
	snprintf(sys_text, sizeof(sys_text), "%d", has_sys ? g->env->sys_fd : -1);
	snprintf(proc_text, sizeof(proc_text), "%d", g->env->proc_fd);
	return xcs_child_start(&g->child, &how, err);
}

/* The guard's first message: the path of its journal. */
static int hear_hello(struct guard *g, struct xcs_err *err)
{
	struct guard_reply r;
	int rc = receive(g, &r, err);

	if (rc == 0 && r.rc < 0)
		rc = xcs_err_set(err, r.rc, "%s", r.text);
	if (rc == 0)
		g->journal_path = xcs_xstrdup(r.text);
	return rc;
}

static void guard_free(struct guard *g)
{
	if (g->socket_fd >= 0)
		close(g->socket_fd);
	xcs_child_stop(&g->child, 0);
	free(g->journal_path);
	free(g);
}

static int start(struct guard *g, const struct guard_spec *spec, struct xcs_err *err)
{
	char *program =
	        spec->program ? xcs_xstrdup(spec->program) : xcs_path_program_dup("xcs-guard");
	char *journals = spec->journals ? xcs_xstrdup(spec->journals) : NULL;
	int pair[2] = {-1, -1};
	int rc = journals ? 0 : default_journals(&journals, err);

	if (rc == 0 && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		rc = xcs_err_sys(err, -errno, "cannot make a socket for xcs-guard");
	g->socket_fd = pair[0];
	if (rc == 0)
		rc = spawn(g, pair[1], program, journals,
		           spec->temp_parent ? spec->temp_parent : default_temp(),
		           spec->tree_parent, err);
	if (pair[1] >= 0)
		close(pair[1]);
	if (rc == 0)
		rc = hear_hello(g, err);
	free(program);
	free(journals);
	return rc;
}

int guard_start(struct guard **out, const struct xcs_env *env, const struct guard_spec *spec,
                struct xcs_err *err)
{
	static const struct guard_spec usual = {0};
	struct guard *g = xcs_xcalloc(1, sizeof(*g));

	*g = (struct guard){.env = env, .socket_fd = -1};
	int rc = start(g, spec ? spec : &usual, err);
	if (rc) {
		guard_free(g);
		g = NULL;
	}
	*out = g;
	return rc;
}

int guard_fd(const struct guard *g)
{
	return g->child.pidfd;
}

pid_t guard_pid(const struct guard *g)
{
	return g->child.pid;
}

/* The guard is dead: do its work from its journal. */
static int recover(struct guard *g, struct xcs_err *err)
{
	struct journal_text text;

	xcs_child_signal(&g->child, SIGKILL); /* one that hangs must not wake up again */
	xcs_child_wait(&g->child, -1);
	int rc = restore_journal(g->env, g->journal_path, false, &text, err);
	if (rc == -ENOENT)
		rc = 0; /* it was done with, or somebody ran `xcsbench restore` */
	else if (rc > 0)
		rc = restore_complain(g->env, &text.list, g->journal_path, err);
	journal_text_fini(&text);
	return rc;
}

int guard_finish(struct guard *g, struct xcs_err *err)
{
	if (!g)
		return 0;
	int rc = command(g, GUARD_FINISH, 0, 0, 0, err);
	if (rc == -EPIPE || rc == -ETIMEDOUT) {
		*err = (struct xcs_err){""}; /* that it died; what matters is what is left */
		rc = recover(g, err);
	} else
		xcs_child_wait(&g->child, REPLY_DEADLINE_NS);
	guard_free(g);
	return rc;
}

int guard_set_nice(struct guard *g, pid_t pid, uint64_t start_ticks, int nice,
                   struct guard_nice_result *result, struct xcs_err *err)
{
	struct guard_request q = {
	        .command = GUARD_SET_NICE, .pid = pid, .start_ticks = start_ticks, .value = nice};
	struct guard_reply r = {0};
	int rc = ask(g, &q, &r, err);

	if (result)
		*result = r.nice;
	return rc;
}

int guard_set_affinity(struct guard *g, pid_t pid, uint64_t start_ticks,
                       const struct xcs_cpuset *cpus, struct xcs_err *err)
{
	struct guard_request q = {.command = GUARD_SET_AFFINITY,
	                          .pid = pid,
	                          .start_ticks = start_ticks,
	                          .cpus = *cpus};
	struct guard_reply r;

	return ask(g, &q, &r, err);
}

int guard_set_autogroup_nice(struct guard *g, pid_t pid, uint64_t start_ticks, int nice,
                             struct xcs_err *err)
{
	return command(g, GUARD_SET_AUTOGROUP_NICE, pid, start_ticks, nice, err);
}

int guard_set_autogroup_enabled(struct guard *g, bool on, struct xcs_err *err)
{
	return command(g, GUARD_SET_AUTOGROUP_ENABLED, 0, 0, on, err);
}

int guard_set_knob(struct guard *g, const struct guard_setting *s, struct xcs_err *err)
{
	struct guard_request q = {.command = GUARD_SET_KNOB,
	                          .pid = s->pid,
	                          .start_ticks = s->start_ticks,
	                          .value = (int)s->knob,
	                          .index = s->index};

	return ask_path(g, &q, s->client ? s->client : "", err);
}

int guard_own_child(struct guard *g, pid_t pid, uint64_t start_ticks, struct xcs_err *err)
{
	return command(g, GUARD_OWN_CHILD, pid, start_ticks, 0, err);
}

int guard_disown_child(struct guard *g, pid_t pid, uint64_t start_ticks, struct xcs_err *err)
{
	return command(g, GUARD_DISOWN_CHILD, pid, start_ticks, 0, err);
}

int guard_own_dir(struct guard *g, const char *path, struct xcs_err *err)
{
	return path_command(g, GUARD_OWN_DIR, path, err);
}

int guard_disown_dir(struct guard *g, const char *path, struct xcs_err *err)
{
	return path_command(g, GUARD_DISOWN_DIR, path, err);
}

int guard_restore_all(struct guard *g, struct xcs_err *err)
{
	return command(g, GUARD_RESTORE_ALL, 0, 0, 0, err);
}
