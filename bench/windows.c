/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "windows.h"

#include <common/alloc.h>
#include <common/units.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum {
	LOOK_S = 20 /* many windows on one starved CPU */
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

/* The whole output is needed also when the exit status says that a window is not right. */
static int look(const struct xcs_spawn *spawn, struct xcs_buf *out, struct xcs_err *err)
{
	int rc = xcs_child_capture(spawn, (LOOK_S + 5) * XCS_NS_PER_S, out, err);

	return rc == -ECHILD && out->n ? 0 : rc;
}

int windows_look(const struct load *load, const struct xserver *server, struct xcs_run_trial *trial,
                 struct xcs_err *err)
{
	char *program = xcs_path_program_dup("xclient-stress");
	const char *argv[8 + SCENARIO_CLIENTS_MAX] = {program, "windows", "--timeout", "20s"};
	struct xcs_buf out = {0};
	struct xcs_str rest, line;
	size_t n = 4;

	for (size_t i = 0; i < load->n; i++)
		argv[n++] = load->clients[i].role;
	const struct xcs_spawn spawn = {.argv = argv,
	                                .env_add = server->env,
	                                .new_session = true,
	                                .die_with_parent = true,
	                                .user = server->user};
	int rc = look(&spawn, &out, err);
	rest = xcs_buf_str(&out);
	while (rc == 0 && xcs_str_next_line(&rest, &line)) {
		char *text = xcs_xasprintf("%.*s", (int)line.n, line.p);
		take_window(trial, text);
		free(text);
	}
	xcs_buf_fini(&out);
	free(program);
	return rc;
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
