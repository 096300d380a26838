/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <load/windows.h>

#include <common/alloc.h>
#include <common/file.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	LOOK_S = 20 /* many windows on one busy CPU */
};

static void take_window(struct xcs_run_trial *t, const char *line)
{
	struct xcs_run_window w = {0};
	char role[32], inside[16], drew[16];

	if (sscanf(line, "%31s %d %d %d %d %15s %15s", role, &w.x_px, &w.y_px, &w.width_px,
	           &w.height_px, inside, drew) != 7)
		return;
	w.role = xcs_xstrdup(role);
	w.inside = strcmp(inside, "inside") == 0;
	w.drew = strcmp(drew, "drew") == 0;
	t->windows = xcs_xrealloc(t->windows, (t->n_windows + 1) * sizeof(*t->windows));
	t->windows[t->n_windows++] = w;
}

static int launch(struct windows *w, const char *const *argv, const struct xserver *server,
                  struct xcs_err *err)
{
	int in[2] = {-1, -1}, out[2] = {-1, -1};

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
		return xcs_err_sys(err, -errno, "cannot look at the windows");
	const struct xcs_spawn spawn = {.argv = argv,
	                                .env_add = server->env,
	                                .stdin_fd = in[0],
	                                .stdout_fd = out[1],
	                                .new_session = true,
	                                .die_with_parent = true,
	                                .user = server->user};
	int rc = xcs_child_start(&w->child, &spawn, err);
	close(in[0]);
	close(out[1]);
	w->in_fd = in[1];
	w->out_fd = out[0];
	return rc;
}

/* Waits for the child to have something to say; the events of the watch go first. */
static int await(const struct windows *w, struct watch *watch, struct xcs_err *err)
{
	enum watch_event event = watch_wait(watch, w->out_fd, LOOK_S * XCS_NS_PER_S);

	return event == WATCH_READY ? 0 : watch_error(event, "the look at the windows", err);
}

/* Not every terminal takes a place on its command line, so theirs are put where they belong. */
static char *window_dup(const struct load *load, size_t i)
{
	int x_px, y_px;

	if (!load->spec->load->terminal)
		return xcs_xstrdup(load->clients[i].role);
	load_place(load->spec, (int)i, &x_px, &y_px);
	return xcs_xasprintf("%s@%d,%d", load->clients[i].role, x_px, y_px);
}

int windows_start(struct windows *w, const struct load *load, const struct xserver *server,
                  struct watch *watch, struct xcs_err *err)
{
	char *program = xcs_path_program_dup("xclient-stress");
	const char *argv[8 + LOAD_CLIENTS_MAX] = {program, "windows", "--hold", "--timeout", "15s"};
	char word[8];
	size_t n = 5;

	*w = (struct windows){0};
	char *owned[SCENARIO_CLIENTS_MAX];
	for (size_t i = 0; i < load->n; i++)
		argv[n++] = owned[i] = window_dup(load, i);
	int rc = launch(w, argv, server, err);
	for (size_t i = 0; i < load->n; i++)
		free(owned[i]);
	free(program);
	if (rc == 0)
		rc = await(w, watch, err);
	if (rc == 0 && (read(w->out_fd, word, sizeof(word)) < 5 || memcmp(word, "ready", 5)))
		rc = xcs_err_set(err, -ECHILD, "nobody could look at the windows of load '%s'",
		                 load->spec->load->id);
	return rc;
}

int windows_finish(struct windows *w, struct watch *watch, struct xcs_run_trial *trial,
                   struct xcs_err *err)
{
	struct xcs_buf out = {0};
	struct xcs_str rest, line;
	int rc = write(w->in_fd, "\n", 1) == 1 ? await(w, watch, err)
	                                       : xcs_err_set(err, -ECHILD,
	                                                     "the look at the "
	                                                     "windows ended early");

	if (rc == 0)
		rc = xcs_fd_read_all(w->out_fd, &out);
	rest = xcs_buf_str(&out);
	while (rc == 0 && xcs_str_next_line(&rest, &line)) {
		char *text = xcs_xasprintf("%.*s", (int)line.n, line.p);
		take_window(trial, text);
		free(text);
	}
	xcs_buf_fini(&out);
	return rc;
}

void windows_stop(struct windows *w)
{
	xcs_child_stop(&w->child, XCS_NS_PER_S);
	if (w->in_fd > 0)
		close(w->in_fd);
	if (w->out_fd > 0)
		close(w->out_fd);
	*w = (struct windows){0};
}

static int fact_int(const struct xcs_run *run, const char *key, int fallback)
{
	const char *text = xcs_facts_get(&run->environment, key);
	int64_t v;

	return text && xcs_str_i64(xcs_str(text), &v) == 0 && v > 0 && v < 100000 ? (int)v
	                                                                          : fallback;
}

void windows_screen(const struct xcs_run *run, int *width_px, int *height_px)
{
	*width_px = fact_int(run, "server.width_px", 640);
	*height_px = fact_int(run, "server.height_px", 480);
}
