/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sampler.h"

#include <common/alloc.h>
#include <common/env.h>
#include <common/file.h>
#include <common/paths.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	READY_S = 10,
	SLACK_S = 10, /* beyond the window: saving on a slow disk */
	STOP_S = 5,
	WORDS_MAX = 20 + 2 * (5 * LOAD_CLIENTS_MAX + SCENARIO_HOGS_MAX + 4)
};

struct words {
	char *v[WORDS_MAX + 1]; /* owned, NULL-terminated */
	size_t n;
};

static void add(struct words *w, char *owned)
{
	w->v[w->n++] = owned;
}

static void add2(struct words *w, const char *name, char *owned)
{
	add(w, xcs_xstrdup(name));
	add(w, owned);
}

static void add_client(struct words *w, const struct load_client *c)
{
	add2(w, "--watch", xcs_xasprintf("%s=%d", c->role, (int)load_client_pid(c)));
	add2(w, "--watch", xcs_xasprintf("%s=%d", c->feeder_role, (int)c->feeder_pid));
	if (c->command_pid)
		add2(w, "--watch", xcs_xasprintf("%s=%d", c->command_role, (int)c->command_pid));
	if (c->client_page)
		add2(w, "--page", xcs_xasprintf("%s=%s", c->role, c->client_page));
	if (c->feeder_page)
		add2(w, "--page", xcs_xasprintf("%s=%s", c->feeder_role, c->feeder_page));
}

static void add_beside(struct words *w, const struct beside_task *t)
{
	add2(w, "--watch", xcs_xasprintf("%s=%d", t->role, (int)t->child.pid));
	if (t->page)
		add2(w, "--page", xcs_xasprintf("%s=%s", t->role, t->page));
}

static void words_make(struct words *w, const struct sampler_spec *s)
{
	*w = (struct words){0};
	add(w, xcs_path_program_dup("xcs-sample"));
	add2(w, "--record", xcs_xstrdup(s->file));
	add(w, xcs_xstrdup("--hold"));
	add2(w, "--watch", xcs_xasprintf("server=%d", (int)s->server->pid));
	if (s->server->compositor.pid)
		add2(w, "--watch", xcs_xasprintf("compositor=%d", (int)s->server->compositor.pid));
	for (size_t i = 0; i < s->load->n; i++)
		add_client(w, &s->load->clients[i]);
	for (size_t i = 0; i < s->beside->n; i++)
		add_beside(w, &s->beside->tasks[i]);
	if (s->timer_pid)
		add2(w, "--watch", xcs_xasprintf("timer=%d", (int)s->timer_pid));
	add2(w, "--cpus", xcs_cpuset_format_dup(s->load_cpus));
	add2(w, "--pin", xcs_cpuset_format_dup(s->observer_cpus));
	add2(w, "-i", xcs_xasprintf("%lldus", (long long)(s->period_ns / XCS_NS_PER_US)));
	add2(w, "-n", xcs_xasprintf("%d", s->n_samples));
}

static void words_fini(struct words *w)
{
	while (w->n)
		free(w->v[--w->n]);
}

/* The sampler's own sentence, or how it ended when it gave none. */
static int blame(struct sampler *s, int rc, struct xcs_err *err)
{
	struct xcs_buf text = {0};

	xcs_child_stop(&s->child, STOP_S * XCS_NS_PER_S);
	xcs_fd_read_all(s->err_fd, &text);
	struct xcs_str why = xcs_str_trim(xcs_buf_str(&text));
	if (why.n == 0) {
		xcs_buf_puts(&text, "xcs-sample ");
		xcs_child_describe(&s->child, &text);
		why = xcs_buf_str(&text);
	}
	xcs_err_set(err, rc, "%.*s", (int)(why.n < 900 ? why.n : 900), why.p);
	xcs_buf_fini(&text);
	return rc;
}

static int open_streams(int in[2], int out[2], int text[2], struct xcs_err *err)
{
	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(text, O_CLOEXEC))
		return xcs_err_sys(err, -errno, "cannot start the sampler");
	return 0;
}

static void close_all(const int fds[2])
{
	for (int i = 0; i < 2; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static int launch(struct sampler *s, struct xcs_err *err)
{
	int in[2] = {-1, -1}, out[2] = {-1, -1}, text[2] = {-1, -1};
	struct words words;
	int rc = open_streams(in, out, text, err);

	if (rc) {
		close_all(in), close_all(out), close_all(text);
		return rc;
	}
	words_make(&words, s->spec);
	/* A session of its own, so that Ctrl-C reaches it only through us. */
	const struct xcs_spawn spawn = {.argv = (const char *const *)words.v,
	                                .stdin_fd = in[0],
	                                .stdout_fd = out[1],
	                                .stderr_fd = text[1],
	                                .new_session = true,
	                                .die_with_parent = true};
	rc = xcs_child_start(&s->child, &spawn, err);
	words_fini(&words);
	close(in[0]), close(out[1]), close(text[1]);
	s->in_fd = in[1];
	s->out_fd = out[0];
	s->err_fd = text[0];
	return rc;
}

int sampler_start(struct sampler *s, const struct sampler_spec *spec, struct xcs_err *err)
{
	char line[16] = "";

	*s = (struct sampler){.in_fd = -1, .out_fd = -1, .err_fd = -1, .spec = spec};
	int rc = launch(s, err);
	if (rc)
		return rc;
	enum watch_event event = watch_wait(spec->watch, s->out_fd, READY_S * XCS_NS_PER_S);
	if (event != WATCH_READY && event != WATCH_DEADLINE)
		return watch_error(event, "the sampler was ready", err);
	if (event == WATCH_DEADLINE || read(s->out_fd, line, sizeof(line) - 1) < 1 ||
	    strncmp(line, "ready", 5))
		return blame(s, -EIO, err);
	return 0;
}

static int release(struct sampler *s, struct xcs_err *err)
{
	return write(s->in_fd, "\n", 1) == 1 ? 0 : blame(s, -EIO, err);
}

static int await_end(struct sampler *s, int64_t timeout_ns, enum watch_event *event,
                     struct xcs_err *err)
{
	*event = watch_wait(s->spec->watch, s->child.pidfd, timeout_ns);
	if (*event != WATCH_READY && *event != WATCH_DEADLINE)
		return 0;
	if (*event == WATCH_DEADLINE || !xcs_child_wait(&s->child, 0) ||
	    !WIFEXITED(s->child.status) || WEXITSTATUS(s->child.status))
		return blame(s, -EIO, err);
	*event = WATCH_DEADLINE;
	return 0;
}

int sampler_run(struct sampler *s, enum watch_event *event, struct xcs_err *err)
{
	int64_t window_ns = s->spec->period_ns * s->spec->n_samples;
	int rc = release(s, err);

	return rc ? rc : await_end(s, window_ns + SLACK_S * XCS_NS_PER_S, event, err);
}

int sampler_begin(struct sampler *s, enum watch_event *event, struct xcs_err *err)
{
	char line[16];
	int rc = release(s, err);

	if (rc)
		return rc;
	*event = watch_wait(s->spec->watch, s->out_fd, READY_S * XCS_NS_PER_S);
	if (*event != WATCH_READY && *event != WATCH_DEADLINE)
		return 0;
	if (*event == WATCH_DEADLINE || read(s->out_fd, line, sizeof(line)) < 5 ||
	    memcmp(line, "begun", 5))
		return blame(s, -EIO, err);
	*event = WATCH_DEADLINE;
	return 0;
}

int sampler_end(struct sampler *s, enum watch_event *event, struct xcs_err *err)
{
	xcs_child_signal(&s->child, SIGUSR1);
	return await_end(s, SLACK_S * XCS_NS_PER_S, event, err);
}

void sampler_stop(struct sampler *s)
{
	xcs_child_stop(&s->child, STOP_S * XCS_NS_PER_S);
	close_all((const int[2]){s->in_fd, s->out_fd});
	close_all((const int[2]){s->err_fd, -1});
	*s = (struct sampler){.in_fd = -1, .out_fd = -1, .err_fd = -1};
}
