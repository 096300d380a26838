/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "load_argv.h"

#include <load/terminal.h>

#include <common/alloc.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Of font "fixed", which every X server has built in, and of xterm's internalBorder on both
 * sides; for placing only, what became of the windows is seen on the screen. */
enum {
	CELL_WIDTH_PX = 6,
	CELL_HEIGHT_PX = 13,
	BORDERS_PX = 4
};

/* Resources of xterm that change what is drawn or when. */
static const char *const xterm_resources[] = {
        "*fastScroll: false",
        "*multiScroll: false",
        "*saveLines: 0",
        "*scrollBar: false",
        "*font: fixed",
        "*renderFont: false",
        "*utf8: 0",
        "*locale: false",
        "*internalBorder: 2",
        "*borderWidth: 0",
        "*cursorBlink: false",
        "*toolBar: false",
        "*allowTitleOps: false",
        "*visualBell: false",
        "*logging: false",
        "*ptyInitialErase: true",
        "*backarrowKey: false",
        "*loginShell: false",
        "*iconic: false",
        "*reverseVideo: false",
        "*maximized: false",
        "*fullscreen: never",
        "*buffered: false",
        "*openIm: false",
};

static char *keep(struct load_argv *a, char *text)
{
	a->owned[a->n_owned++] = text;
	return text;
}

static void add(struct load_argv *a, const char *word)
{
	a->argv[a->n++] = word;
}

static void add2(struct load_argv *a, const char *name, const char *value)
{
	add(a, name);
	add(a, value);
}

/* How the windows of a load tile a screen. */
struct tiles {
	int width_px, height_px; /* of one window, or of its part of the screen */
	int across, down;        /* that fit */
};

/* Of a terminal whose font is not known, as if it were xterm's. */
static struct tiles window_of(const struct xcs_run_load *load)
{
	const struct terminal *t = terminal_by_template(load->terminal);

	if (!t)
		return (struct tiles){.width_px = load->columns * CELL_WIDTH_PX + BORDERS_PX,
		                      .height_px = load->rows * CELL_HEIGHT_PX + BORDERS_PX};
	return (struct tiles){.width_px = load->columns * t->cell_width_px + t->around_width_px,
	                      .height_px = load->rows * t->cell_height_px + t->around_height_px};
}

/* One more is typed into. */
static int n_windows(const struct xcs_run_load *load)
{
	return load->n_clients + (load->keys_per_s > 0);
}

/*
 * xterm's windows lie edge to edge: their size is known to the pixel. Those of terminals are
 * spread over the screen, as fontconfig may have given a larger font than was expected.
 */
static struct tiles tiles_of(const struct xcs_run_load *load, int width_px, int height_px)
{
	struct tiles t = window_of(load);
	int n = n_windows(load);

	t.across = width_px / t.width_px;
	t.down = height_px / t.height_px;
	if (!load->terminal || t.across * t.down < n)
		return t;
	t.across = t.across < n ? t.across : n;
	t.down = (n + t.across - 1) / t.across;
	t.width_px = width_px / t.across;
	t.height_px = height_px / t.down;
	return t;
}

bool load_fits(const struct xcs_run_load *load, int width_px, int height_px)
{
	struct tiles t = tiles_of(load, width_px, height_px);

	return t.across * t.down >= n_windows(load);
}

void load_place(const struct load_spec *s, int i, int *x_px, int *y_px)
{
	struct tiles t = tiles_of(s->load, s->width_px, s->height_px);

	*x_px = i % t.across * t.width_px;
	*y_px = i / t.across * t.height_px;
}

static char *geometry_dup(const struct load_spec *s, int i, bool with_size)
{
	int x_px, y_px;

	load_place(s, i, &x_px, &y_px);
	if (!with_size)
		return xcs_xasprintf("+%d+%d", x_px, y_px);
	return xcs_xasprintf("%dx%d+%d+%d", s->load->columns, s->load->rows, x_px, y_px);
}

static bool is_typed(const struct load_client *c)
{
	return strcmp(c->role, LOAD_TYPED) == 0;
}

static void add_feeder(struct load_argv *a, const struct load_spec *s, const struct load_client *c,
                       const char *socket_path)
{
	add(a, keep(a, xcs_path_program_dup("xcs-feed")));
	add2(a, "--announce", socket_path);
	add2(a, "--role", c->feeder_role);
	if (c->feeder_page)
		add2(a, "--page", c->feeder_page);
	if (is_typed(c)) {
		add(a, "echo");
		return;
	}
	if (c->feeder_page)
		add2(a, "--columns", keep(a, xcs_xasprintf("%d", s->load->line_bytes)));
	if (c->feeder_page && s->load->lines_per_s)
		add2(a, "--lines-per-s", keep(a, xcs_xasprintf("%d", s->load->lines_per_s)));
	if (s->load->command)
		add2(a, "--command-role", c->command_role);
	if (s->load->command && s->cwd)
		add2(a, "--cwd", s->cwd);
	add(a, s->load->feeder);
	if (s->load->command)
		add(a, s->load->command);
}

/* All but the command itself. */
static void add_xterm(struct load_argv *a, const struct load_spec *s, const char *title, int i)
{
	bool line = strcmp(s->load->scroll, "line") == 0;

	add(a, "xterm");
	add2(a, "-T", title);
	add2(a, "-geometry", keep(a, geometry_dup(s, i, true)));
	add(a, line ? "+j" : "-j");
	for (size_t r = 0; r < ARRAY_LEN(xterm_resources); r++)
		add2(a, "-xrm", xterm_resources[r]);
	if (strcmp(title, LOAD_TYPED) == 0)
		add2(a, "-xrm", "*allowSendEvents: true");
	add(a, "-e");
}

static void xterm_argv(struct load_argv *a, const struct load_spec *s, const struct load_client *c,
                       int i, const char *socket_path)
{
	add_xterm(a, s, c->role, i);
	add_feeder(a, s, c, socket_path);
}

static void flood_argv(struct load_argv *a, const struct load_spec *s, const struct load_client *c,
                       int i, const char *socket_path)
{
	add2(a, keep(a, xcs_path_program_dup("xclient-stress")), "flood");
	add2(a, "--name", c->role);
	add2(a, "--columns", keep(a, xcs_xasprintf("%d", s->load->columns)));
	add2(a, "--rows", keep(a, xcs_xasprintf("%d", s->load->rows)));
	add2(a, "--scroll", s->load->scroll);
	add2(a, "--font", "fixed");
	add2(a, "--geometry", keep(a, geometry_dup(s, i, false)));
	add2(a, "--page", c->client_page);
	add(a, "--");
	add_feeder(a, s, c, socket_path);
}

static int terminal_argv(struct load_argv *a, const struct load_spec *s, const char *name, int i,
                         const char *const *command, struct xcs_err *err)
{
	struct terminal_values values = {.columns = s->load->columns,
	                                 .rows = s->load->rows,
	                                 .name = name,
	                                 .line_scroll = strcmp(s->load->scroll, "line") == 0,
	                                 .command = command};

	load_place(s, i, &values.x_px, &values.y_px);
	int rc = terminal_words_make(&a->words, s->load->terminal, &values, err);
	for (size_t w = 0; rc == 0 && w < a->words.n; w++)
		add(a, a->words.v[w]);
	return rc;
}

/* The template was looked at when the run was prepared, so it has no fault. */
static void bare_terminal_argv(struct load_argv *a, const struct load_spec *s, const char *title)
{
	static const char *const nothing[] = {NULL};
	struct xcs_err err;
	int rc = terminal_argv(a, s, title, 0, nothing, &err);

	assert(rc == 0);
	(void)rc;
}

/* The user's resource files must not change the load. */
static void add_env(struct load_argv *a, const struct xserver *server)
{
	static const char *const rows[] = {
	        "XENVIRONMENT=/dev/null", "XAPPLRESDIR", "XUSERFILESEARCHPATH",
	        "XFILESEARCHPATH",        "LC_ALL=C",    "LANG=C"};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		a->env[a->n_env++] = rows[i];
	for (size_t i = 0; server->env[i]; i++)
		a->env[a->n_env++] = server->env[i];
}

int load_argv_make(struct load_argv *a, const struct load_spec *s, const struct load_client *c,
                   int i, const char *socket_path, struct xcs_err *err)
{
	*a = (struct load_argv){0};
	add_env(a, s->server);
	if (s->load->terminal && !is_typed(c)) {
		struct load_argv feeder = {0};
		add_feeder(&feeder, s, c, socket_path);
		int rc = terminal_argv(a, s, c->role, i, feeder.argv, err);
		load_argv_fini(&feeder);
		return rc;
	}
	if (strcmp(s->load->kind, "xterm") == 0 || is_typed(c))
		xterm_argv(a, s, c, i, socket_path);
	else
		flood_argv(a, s, c, i, socket_path);
	return 0;
}

void load_argv_make_bare(struct load_argv *a, const struct load_spec *s, const char *title)
{
	*a = (struct load_argv){0};
	add_env(a, s->server);
	if (s->load->terminal)
		bare_terminal_argv(a, s, title);
	else if (strcmp(s->load->kind, "pipe"))
		add_xterm(a, s, title, 0);
}

void load_argv_fini(struct load_argv *a)
{
	while (a->n_owned)
		free(a->owned[--a->n_owned]);
	terminal_words_fini(&a->words);
	*a = (struct load_argv){0};
}

/* Words for the record: what is on the command line, and what no option of it can say. */
static void describe_terminal(struct xcs_run_load *load)
{
	const struct terminal *t = terminal_by_template(load->terminal);

	load->n_settings = 2;
	load->settings = xcs_xcalloc(load->n_settings, sizeof(*load->settings));
	load->settings[0] = xcs_xstrdup(load->terminal);
	load->settings[1] =
	        xcs_xasprintf("not pinned: %s", t ? t->unpinned : "what the template does not say");
}

static void describe_kind(struct xcs_run_load *load)
{
	bool xterm = strcmp(load->kind, "xterm") == 0;
	bool piped = strcmp(load->kind, "pipe") == 0;
	size_t n = xterm ? ARRAY_LEN(xterm_resources) : 1;

	load->settings = xcs_xcalloc(n, sizeof(*load->settings));
	for (size_t i = 0; i < n; i++)
		load->settings[i] = xcs_xstrdup(xterm   ? xterm_resources[i]
		                                : piped ? "output: pipe"
		                                        : "font: fixed");
	load->n_settings = n;
}

static void add_setting(struct xcs_run_load *load, const char *text)
{
	size_t n = load->n_settings++;

	load->settings = xcs_xrealloc(load->settings, (n + 1) * sizeof(*load->settings));
	load->settings[n] = xcs_xstrdup(text);
}

void load_describe(struct xcs_run_load *load)
{
	if (load->terminal)
		describe_terminal(load);
	else
		describe_kind(load);
	/* The order of collation changes what ls has to do. */
	if (load->command)
		add_setting(load, "environment: LANG=C LC_ALL=C");
	if (load->keys_per_s)
		add_setting(load, "of " LOAD_TYPED ": allowSendEvents: true");
}
