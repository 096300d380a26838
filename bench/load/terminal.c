/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <load/terminal.h>

#include <load/terminal_words.h>

#include <common/alloc.h>
#include <common/child.h>
#include <common/file.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	VERSION_S = 5
};

/* No file of the user's may change the load, and none may be changed by it. */
#define NO_FILES "XDG_CONFIG_HOME=/dev/null XDG_DATA_HOME=/dev/null XDG_STATE_HOME=/dev/null"

/*
 * The options are from the manuals of urxvt 9.30, st 0.9, konsole 22.12, gnome-terminal
 * 3.46, xfce4-terminal 1.0, alacritty 0.11 and kitty 0.26 (Debian 12), each tried on a
 * server without a window manager. konsole takes a place only together with a size in
 * pixels, so it gets none; xclient-stress moves the windows.
 */
static const struct terminal rows[] = {
        {.name = "xterm",
         .program = "xterm",
         .package = "xterm",
         .version_option = "-version",
         .cell_width_px = 6,
         .cell_height_px = 13,
         .around_width_px = 4,
         .around_height_px = 4,
         .is_placed = true,
         .unpinned = "nothing that is known to matter; it is the load kind xterm itself"},
        {.name = "urxvt",
         .program = "urxvt",
         .package = "rxvt-unicode",
         .pattern = "urxvt -name {name} -title {name} {geometry} {scroll} +ss -fn fixed "
                    "-fb fixed -sl 0 +sb -b 2 -w 0 +bc --perl-ext-common '' -e {command}", .version_option = "-help",
         .cell_width_px = 6,
         .cell_height_px = 13,
         .around_width_px = 4,
         .around_height_px = 4,
         .is_placed = true,
         .unpinned = "X resources of the user that no option here overrides"},
        {.name = "st",
         .program = "st",
         .package = "stterm",
         .pattern = "st -T {name} -n {name} -g {columns}x{rows}+{x}+{y} -i "
                    "-f monospace:pixelsize=10 -e {command}",                                                              .version_option = "-v",
         .cell_width_px = 6,
         .cell_height_px = 13,
         .around_width_px = 4,
         .around_height_px = 4,
         .is_placed = true,
         .unpinned = "scroll mode (draws by its own clock), which font fontconfig takes for "
                     "monospace, whatever else was compiled in; it has no scrollback"},
        {.name = "konsole",
         .program = "konsole",
         .package = "konsole",
         .pattern = "env " NO_FILES " LC_ALL=C.UTF-8 DBUS_SESSION_BUS_ADDRESS=disabled: "
                    "konsole --nofork --separate --hide-menubar --hide-tabbar -name {name} "
                    "-p LocalTabTitleFormat={name} -p TerminalColumns={columns} "
                    "-p TerminalRows={rows} -p HistoryMode=0 -p ScrollBarPosition=2 "
                    "-p BlinkingCursorEnabled=false -p Font=Monospace,8 -e {command}",                                                                   .version_option = "--version",
         .cell_width_px = 7,
         .cell_height_px = 14,
         .around_width_px = 9,
         .around_height_px = 40,
         .unpinned = "scroll mode, tool bar, which font fontconfig takes for Monospace"},
        {.name = "gnome-terminal",
         .program = "gnome-terminal",
         .package = "gnome-terminal",
         .pattern = "env LC_ALL=C.UTF-8 NO_AT_BRIDGE=1 GSETTINGS_BACKEND=memory "
                    "dbus-run-session -- gnome-terminal --wait --hide-menubar "
                    "--geometry={columns}x{rows}+{x}+{y} --title={name} -- {command}",                                                             .version_option = "--version",
         .cell_width_px = 9,
         .cell_height_px = 18,
         .around_width_px = 16,
         .around_height_px = 10,
         .is_placed = true,
         .reads_files = true,
         .unpinned = "scroll mode (draws by its own clock), font (Monospace 12 of its "
                     "defaults), scrollback (10000 lines of its defaults), scroll bar; it "
                     "draws in one server process per session, so each window gets a "
                     "session bus of its own"},
        {.name = "xfce4-terminal",
         .program = "xfce4-terminal",
         .package = "xfce4-terminal",
         .pattern = "env " NO_FILES " NO_AT_BRIDGE=1 DBUS_SESSION_BUS_ADDRESS=disabled: "
                    "xfce4-terminal --disable-server --geometry={columns}x{rows}+{x}+{y} "
                    "--title={name} --dynamic-title-mode=none --hide-menubar --hide-toolbar "
                    "--hide-scrollbar --hide-borders --font='Monospace 8' -x {command}",      .version_option = "--version",
         .cell_width_px = 6,
         .cell_height_px = 13,
         .around_width_px = 2,
         .around_height_px = 2,
         .is_placed = true,
         .reads_files = true,
         .unpinned = "scroll mode (draws by its own clock), scrollback (1000 lines of its "
                     "defaults), which font fontconfig takes for Monospace"},
        {.name = "alacritty",
         .program = "alacritty",
         .package = "alacritty",
         .pattern = "env WINIT_X11_SCALE_FACTOR=1 alacritty --config-file /dev/null -T {name} "
                    "--class {name} -o window.dynamic_title=false -o window.position.x={x} "
                    "-o window.position.y={y} -o window.dimensions.columns={columns} "
                    "-o window.dimensions.lines={rows} -o scrolling.history=0 "
                    "-o font.size=8 -e {command}",  .version_option = "--version",
         .cell_width_px = 6,
         .cell_height_px = 13,
         .is_placed = true,
         .unpinned = "scroll mode (draws by the refresh of the screen), GPU or software GL, "
                     "which font fontconfig takes for monospace"},
        {.name = "kitty",
         .program = "kitty",
         .package = "kitty",
         .pattern = "kitty --config NONE --name {name} --title {name} "
                    "-o remember_window_size=no -o initial_window_width={columns}c "
                    "-o initial_window_height={rows}c -o scrollback_lines=0 -o font_size=8 "
                    "-o cursor_blink_interval=0 -o update_check_interval=0 {command}",                                                              .version_option = "--version",
         .cell_width_px = 6,
         .cell_height_px = 13,
         .around_width_px = 1,
         .around_height_px = 1,
         .unpinned = "scroll mode (draws by its own clock), GPU or software GL, which font "
                     "fontconfig takes for monospace"},
        {.name = "foot",
         .program = "foot",
         .package = "foot",
         .version_option = "--version",
         .unpinned = "everything",
         .refused = "foot speaks Wayland only, so it has no window on an X server"                                                 },
};

const struct terminal *terminal_row(size_t i)
{
	return i < ARRAY_LEN(rows) ? &rows[i] : NULL;
}

const struct terminal *terminal_by_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

const struct terminal *terminal_by_template(const char *pattern)
{
	for (size_t i = 0; pattern && i < ARRAY_LEN(rows); i++)
		if (rows[i].pattern && strcmp(rows[i].pattern, pattern) == 0)
			return &rows[i];
	return NULL;
}

char *terminal_path_dup(const char *program)
{
	struct xcs_str rest = xcs_str(getenv("PATH")), dir;

	if (strchr(program, '/'))
		return access(program, X_OK) ? NULL : xcs_xstrdup(program);
	while (xcs_str_next_part(&rest, ':', &dir)) {
		char *path = xcs_xasprintf("%.*s/%s", (int)dir.n, dir.p, program);
		if (access(path, X_OK) == 0)
			return path;
		free(path);
	}
	return NULL;
}

static int check_installed(const struct terminal *t, const char *program, struct xcs_err *err)
{
	char *path = terminal_path_dup(program);
	int rc = 0;

	if (!path && t)
		rc = xcs_err_set(err, -ENOENT, "--terminal: %s is not installed (package %s)",
		                 program, t->package);
	else if (!path)
		rc = xcs_err_set(err, -ENOENT,
		                 "--terminal: there is no program '%s' in PATH; xcsbench list "
		                 "terminals shows those that are ready",
		                 program);
	free(path);
	return rc;
}

static int check_template(const struct terminal *t, const char *pattern, bool line_scroll,
                          struct xcs_err *err)
{
	static const char *const command[] = {"true", NULL};
	const struct terminal_values values = {
	        .columns = 80, .rows = 24, .name = "client0", .command = command};
	struct terminal_words w;
	int rc = terminal_words_make(&w, pattern, &values, err);

	if (rc == 0)
		rc = check_installed(t, w.v[0], err);
	if (rc == 0 && t)
		rc = check_installed(t, t->program, err);
	if (rc == 0 && line_scroll && !strstr(pattern, "{scroll}"))
		rc = xcs_err_set(err, -EINVAL,
		                 "--terminal: %s has no option for line scroll in its template; "
		                 "use {scroll} in a template of your own, or --scroll=jump",
		                 t ? t->name : w.v[0]);
	terminal_words_fini(&w);
	return rc;
}

static bool ends_in_command(const char *pattern)
{
	static const char end[] = "{command}";
	struct xcs_str s = xcs_str_trim(xcs_str(pattern));
	size_t n = sizeof(end) - 1;

	return s.n >= n && memcmp(s.p + s.n - n, end, n) == 0;
}

/* "urxvt -e ls" for "xterm -e ls": the tables show what ran. */
static void relabel(struct xcs_run_load *load, const char *name)
{
	static const char old[] = "xterm ";

	if (!load->label || strncmp(load->label, old, sizeof(old) - 1))
		return;
	char *label = xcs_xasprintf("%s %s", name, load->label + sizeof(old) - 1);
	free(load->label);
	load->label = label;
}

int terminal_apply(struct xcs_run_load *load, const char *text, struct xcs_err *err)
{
	const struct terminal *t = terminal_by_name(text);
	const char *pattern = t ? t->pattern : text;

	if (strcmp(load->kind, "xterm"))
		return 0;
	if (t && t->refused)
		return xcs_err_set(err, -EINVAL, "--terminal: %s", t->refused);
	if (!pattern)
		return 0; /* xterm as it is */
	if (t && t->reads_files && strcmp(load->feeder, "yes") == 0)
		return xcs_err_set(err, -EINVAL,
		                   "--terminal: %s reads files of its own beside what the feeder "
		                   "writes, and yes(1) does not count its lines; take "
		                   "--feeder=lines",
		                   t->name);
	int rc = check_template(t, pattern, strcmp(load->scroll, "line") == 0, err);
	if (rc)
		return rc;
	if (load->timer && strcmp(load->timer, "hyperfine") == 0 && !ends_in_command(pattern))
		return xcs_err_set(err, -EINVAL,
		                   "--terminal: load '%s' is timed by hyperfine, whose command "
		                   "comes last; end the template in {command}",
		                   load->id);
	free(load->kind);
	load->kind = xcs_xstrdup("terminal");
	free(load->terminal);
	load->terminal = xcs_xstrdup(pattern);
	relabel(load, t ? t->name : "terminal");
	return 0;
}

/* Runs the program for its version. */
static int ask(const struct terminal *t, const struct xcs_user *user, int out_fd, int err_fd,
               struct xcs_err *err)
{
	const struct xcs_spawn spawn = {
	        .argv = (const char *[]){t->program,                  t->version_option, NULL},
	        .env_add = (const char *[]){"QT_QPA_PLATFORM=offscreen", "LC_ALL=C",        NULL},
	        .stdout_fd = out_fd,
	        .stderr_fd = err_fd,
	        .new_session = true,
	        .die_with_parent = true,
	        .user = user
        };
	struct xcs_child child = {0};
	int rc = xcs_child_start(&child, &spawn, err);

	if (rc == 0) {
		xcs_child_wait(&child, VERSION_S * XCS_NS_PER_S);
		xcs_child_stop(&child, 0);
	}
	return rc;
}

/* The first line with anything in it; gnome-terminal has "# " before its name. */
static char *first_line_dup(int fd)
{
	struct xcs_buf said = {0};
	struct xcs_str rest, line;
	char *found = NULL;

	fcntl(fd, F_SETFL, O_NONBLOCK); /* a helper may hold the other end still */
	xcs_fd_read_all(fd, &said);
	rest = xcs_buf_str(&said);
	while (!found && xcs_str_next_line(&rest, &line)) {
		while (line.n && (*line.p == '#' || *line.p == ' '))
			line.p++, line.n--;
		if (line.n)
			found = xcs_xasprintf("%.*s", (int)line.n, line.p);
	}
	xcs_buf_fini(&said);
	return found;
}

/* st and urxvt tell it on standard error, where konsole has other things to say. */
char *terminal_version_dup(const struct terminal *t, const struct xcs_user *user)
{
	int out[2], text[2];
	struct xcs_err ignored;
	char *version = NULL;

	if (pipe2(out, O_CLOEXEC))
		return NULL;
	if (pipe2(text, O_CLOEXEC)) {
		close(out[0]), close(out[1]);
		return NULL;
	}
	int rc = ask(t, user, out[1], text[1], &ignored);
	close(out[1]), close(text[1]);
	if (rc == 0)
		version = first_line_dup(out[0]);
	if (rc == 0 && !version)
		version = first_line_dup(text[0]);
	close(out[0]), close(text[0]);
	return version;
}

void terminal_note(struct xcs_run *run, const struct xcs_user *user)
{
	for (size_t i = 0; i < run->n_loads; i++) {
		const struct xcs_run_load *load = &run->loads[i];
		const struct terminal *t = terminal_by_template(load->terminal);
		if (!load->terminal)
			continue;
		char *version = t ? terminal_version_dup(t, user) : NULL;
		char *note =
		        xcs_xasprintf("Load '%s' is drawn by %s%s%s%s, not by xterm.", load->id,
		                      t ? t->name : "a terminal by template", version ? " (" : "",
		                      version ? version : "", version ? ")" : "");
		xcs_run_add_note(run, note);
		if (version)
			xcs_facts_set(&run->environment, "terminal.version", version,
			              t->version_option);
		free(note);
		free(version);
	}
}

/* What "*font: fixed" or "font: fixed" pins among the settings of a load; NULL: nothing. */
static const char *pinned_font(const struct xcs_run_load *load)
{
	for (size_t i = 0; i < load->n_settings; i++) {
		const char *s = load->settings[i] + (load->settings[i][0] == '*');
		if (strncmp(s, "font: ", 6) == 0)
			return s + 6;
	}
	return NULL;
}

void terminal_font(struct xcs_run *run)
{
	const char *font = NULL;
	bool one = true;

	for (size_t i = 0; i < run->n_loads; i++) {
		const char *pinned = pinned_font(&run->loads[i]);
		if (strcmp(run->loads[i].kind, "pipe") == 0)
			continue;
		one = one && pinned && (!font || strcmp(font, pinned) == 0);
		font = pinned;
	}
	xcs_facts_set(&run->environment, "terminal.font", one ? font : NULL,
	              "settings of the loads");
}
