/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <display/displays.h>
#include <display/xserver.h>

#include <guard/guard.h>

#include <common/alloc.h>
#include <common/env.h>
#include <common/file.h>
#include <common/task.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	START_S = 20, /* a cold server on a slow disk; a working one needs under 1 s */
	STOP_S = 5,
	COOKIE_BYTES = 16,
	FAMILY_WILD = 65535 /* Xauth.h: matches any host */
};

const char *xserver_kind_name(enum xserver_kind kind)
{
	static const char *const names[] = {"session", "xorg-dummy", "xvfb", "xephyr"};

	return names[kind];
}

static void put16(struct xcs_buf *b, unsigned v)
{
	xcs_buf_putc(b, (char)(v >> 8));
	xcs_buf_putc(b, (char)(v & 255));
}

static void put_counted(struct xcs_buf *b, const void *p, unsigned n)
{
	put16(b, n);
	xcs_buf_add(b, p, n);
}

/* Writes an Xauthority file with a fresh cookie for any display: big-endian family, then
 * counted address, number, name and data (Xau(7), "FILE FORMAT" of libXau). */
static int write_cookie(const char *path, struct xcs_err *err)
{
	static const char name[] = "MIT-MAGIC-COOKIE-1";
	unsigned char cookie[COOKIE_BYTES];
	struct xcs_buf b = {0};

	if (getrandom(cookie, sizeof(cookie), 0) != (ssize_t)sizeof(cookie))
		return xcs_err_sys(err, -EIO, "cannot make a cookie for the X server");
	put16(&b, FAMILY_WILD);
	put_counted(&b, "", 0);
	put_counted(&b, "", 0);
	put_counted(&b, name, sizeof(name) - 1);
	put_counted(&b, cookie, sizeof(cookie));
	int rc = xcs_file_write(path, b.p, b.n, err);
	xcs_buf_fini(&b);
	if (rc == 0 && chmod(path, 0600))
		rc = xcs_err_sys(err, -errno, "cannot protect %s", path);
	return rc;
}

/* The dummy driver comes up at 1400x1050 whatever Virtual says, so the mode is given: a
 * Modeline of any valid timing, the driver has no clock. */
static int write_config(const char *path, int width_px, int height_px, struct xcs_err *err)
{
	struct xcs_buf b = {0};

	xcs_buf_printf(&b,
	               "Section \"ServerFlags\"\n"
	               "  Option \"AutoAddDevices\" \"false\"\n"
	               "  Option \"AutoEnableDevices\" \"false\"\n"
	               "  Option \"AutoAddGPU\" \"false\"\n"
	               "  Option \"DontVTSwitch\" \"true\"\n"
	               "EndSection\n"
	               "Section \"Device\"\n"
	               "  Identifier \"device\"\n"
	               "  Driver \"dummy\"\n"
	               "  VideoRam 256000\n"
	               "EndSection\n"
	               "Section \"Monitor\"\n"
	               "  Identifier \"monitor\"\n"
	               "  HorizSync 5.0-1000.0\n"
	               "  VertRefresh 5.0-200.0\n"
	               "  Modeline \"exact\" 100.0 %d %d %d %d %d %d %d %d\n"
	               "EndSection\n"
	               "Section \"Screen\"\n"
	               "  Identifier \"screen\"\n"
	               "  Device \"device\"\n"
	               "  Monitor \"monitor\"\n"
	               "  DefaultDepth 24\n"
	               "  SubSection \"Display\"\n"
	               "    Depth 24\n"
	               "    Modes \"exact\"\n"
	               "    Virtual %d %d\n"
	               "  EndSubSection\n"
	               "EndSection\n",
	               width_px, width_px + 32, width_px + 64, width_px + 160, height_px,
	               height_px + 2, height_px + 6, height_px + 30, width_px, height_px);
	int rc = xcs_file_write(path, b.p, b.n, err);
	xcs_buf_fini(&b);
	return rc;
}

/* The server itself, not the setuid wrapper in PATH that would take over the console. */
static const char *xorg_path(void)
{
	static const char *const places[] = {"/usr/lib/xorg/Xorg", "/usr/libexec/Xorg",
	                                     "/usr/lib/Xorg", "/usr/lib/xorg-server/Xorg"};

	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		if (access(places[i], X_OK) == 0)
			return places[i];
	return "Xorg";
}

struct command {
	const char *argv[40];
	size_t n;
	char fd[16], screen[64];
	char *paths[4];
};

static void add(struct command *c, const char *const *words)
{
	for (; *words; words++)
		c->argv[c->n++] = *words;
}

static void command_make(struct command *c, const struct xserver_spec *s, int display_fd)
{
	static const char *const files[] = {"auth", "xorg.conf", "xorg.conf.d", "xorg.log"};

	*c = (struct command){0};
	snprintf(c->fd, sizeof(c->fd), "%d", display_fd);
	snprintf(c->screen, sizeof(c->screen), "%dx%d%s", s->width_px, s->height_px,
	         s->kind == XSERVER_XVFB ? "x24" : "");
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		c->paths[i] = xcs_xasprintf("%s/%s", s->dir, files[i]);
	if (s->kind == XSERVER_XORG_DUMMY)
		add(c,
		    (const char *[]){xorg_path(), "-config", c->paths[1], "-configdir", c->paths[2],
		                     "-logfile", c->paths[3], "-novtswitch", "-sharevts", NULL});
	else if (s->kind == XSERVER_XVFB)
		add(c, (const char *[]){"Xvfb", "-screen", "0", c->screen, NULL});
	else
		add(c, (const char *[]){"Xephyr", "-screen", c->screen, NULL});
	add(c, (const char *[]){"-displayfd", c->fd, "-auth", c->paths[0], "-nolisten", "tcp",
	                        "-noreset", "-s", "0", "-dpms", NULL});
}

static void command_fini(struct command *c)
{
	for (size_t i = 0; i < ARRAY_LEN(c->paths); i++)
		free(c->paths[i]);
}

/* Writes the files that the server reads, and opens its log. */
static int write_files(const struct command *c, const struct xserver_spec *s, int *log_fd,
                       struct xcs_err *err)
{
	char *log_path = xcs_xasprintf("%s/server.log", s->dir);
	int rc = write_cookie(c->paths[0], err);

	if (rc == 0 && s->kind == XSERVER_XORG_DUMMY)
		rc = write_config(c->paths[1], s->width_px, s->height_px, err);
	if (rc == 0 && s->kind == XSERVER_XORG_DUMMY)
		rc = xcs_dir_make(c->paths[2], 0755, err);
	if (rc == 0) {
		*log_fd = open(log_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		if (*log_fd < 0)
			rc = xcs_err_sys(err, -errno, "cannot write %s", log_path);
	}
	free(log_path);
	return rc;
}

/* The files are the user's, as the server is. */
static int prepare(const struct command *c, const struct xserver_spec *s, int *log_fd,
                   struct xcs_err *err)
{
	int rc = xcs_user_enter(s->user, err);

	if (rc)
		return rc;
	rc = write_files(c, s, log_fd, err);
	xcs_user_leave(s->user);
	return rc;
}

/* Why the server ended: its first error line, which names the cause, else its last line. */
static void last_words(const char *log_path, struct xcs_buf *out)
{
	struct xcs_buf log = {0};
	struct xcs_str rest, line, best = {0};
	bool is_error = false;

	if (xcs_file_read_at(AT_FDCWD, log_path, &log))
		return;
	rest = xcs_buf_str(&log);
	while (!is_error && xcs_str_next_line(&rest, &line)) {
		line = xcs_str_trim(line);
		is_error = line.n > 5 && memmem(line.p, line.n, "(EE) ", 5);
		if (line.n)
			best = line;
	}
	xcs_buf_printf(out, "%.*s", (int)(best.n < 300 ? best.n : 300), best.p ? best.p : "");
	xcs_buf_fini(&log);
}

static int died(struct xserver *x, const struct xserver_spec *s, struct xcs_err *err)
{
	char *log_path = xcs_xasprintf("%s/server.log", s->dir);
	struct xcs_buf how = {0}, why = {0};

	xcs_child_describe(&x->child, &how);
	last_words(log_path, &why);
	int rc = xcs_err_set(err, -ECHILD, "the X server (%s) %s before it was ready%s%s",
	                     xserver_kind_name(s->kind), how.p, why.n ? ": " : "",
	                     why.n ? why.p : "");
	xcs_buf_fini(&how);
	xcs_buf_fini(&why);
	free(log_path);
	return rc;
}

/* Reads the display number that the server writes once it takes connections. */
static int read_display(struct xserver *x, const struct xserver_spec *s, int fd,
                        struct watch *watch, struct xcs_err *err)
{
	const int64_t deadline_ns = xcs_mono_now_ns() + START_S * XCS_NS_PER_S;
	char text[16] = "";
	size_t n = 0;

	while (n + 1 < sizeof(text) && !memchr(text, '\n', n)) {
		enum watch_event event = watch_wait(watch, fd, deadline_ns - xcs_mono_now_ns());
		if (event != WATCH_READY)
			return watch_error(event, "the start of the X server", err);
		ssize_t got = read(fd, text + n, sizeof(text) - 1 - n);
		if (got <= 0 && xcs_child_wait(&x->child, STOP_S * XCS_NS_PER_S))
			return died(x, s, err);
		if (got <= 0)
			return xcs_err_set(err, -EIO, "the X server (%s) gave no display number",
			                   xserver_kind_name(s->kind));
		n += (size_t)got;
	}
	x->display = xcs_xasprintf("DISPLAY=:%.*s", (int)strcspn(text, "\n"), text);
	return 0;
}

/* Hands the new server to the guard. Not by a parent-death signal: that is SIGKILL, after
 * which the server's lock file and socket would stay. */
static int own(const struct xserver *x, const struct xserver_spec *s, struct xcs_err *err)
{
	struct xcs_task_id id;

	if (xcs_task_id_read(s->env, x->child.pid, x->child.pid, &id))
		return 0; /* it has ended, which the wait for its display tells */
	return guard_own_child(s->guard, x->child.pid, id.start_ticks, err);
}

static int launch(struct xserver *x, const struct xserver_spec *s, struct watch *watch,
                  struct xcs_err *err)
{
	int pipe_fd[2], log_fd = -1;
	struct command c;

	if (pipe2(pipe_fd, O_CLOEXEC))
		return xcs_err_sys(err, -errno, "cannot start an X server");
	command_make(&c, s, pipe_fd[1]);
	int rc = prepare(&c, s, &log_fd, err);
	const struct xcs_spawn spawn = {.argv = c.argv,
	                                .stdout_fd = log_fd,
	                                .stderr_fd = log_fd,
	                                .keep_fds = &pipe_fd[1],
	                                .n_keep_fds = 1,
	                                .new_session = true,
	                                .user = s->user,
	                                .cpus = s->cpus,
	                                .nice = s->nice};
	if (rc == 0)
		rc = xcs_child_start(&x->child, &spawn, err);
	if (rc == 0)
		rc = own(x, s, err);
	close(pipe_fd[1]);
	if (log_fd >= 0)
		close(log_fd);
	if (rc == 0)
		rc = read_display(x, s, pipe_fd[0], watch, err);
	close(pipe_fd[0]);
	if (rc == 0)
		x->authority = xcs_xasprintf("XAUTHORITY=%s", c.paths[0]);
	command_fini(&c);
	return rc;
}

/* Adds what to do about a display that cannot be measured. */
static int add_remedy(int rc, struct xcs_err *err)
{
	const struct xcs_err why = *err;
	char *served = displays_list_dup(DISPLAYS_TMP);

	xcs_err_set(err, rc,
	            "%s; set DISPLAY and XAUTHORITY to those of a session here (served: %s), or "
	            "take --server=embedded",
	            why.text, served);
	free(served);
	return rc;
}

static int take_session(struct xserver *x, struct xcs_err *err)
{
	const char *display = getenv("DISPLAY");
	int rc = 0;

	if (!display || !display[0])
		rc = xcs_err_set(err, -ENOENT,
		                 "DISPLAY is not set, so there is no session to measure");
	else if (!displays_is_local(display))
		rc = xcs_err_set(err, -EINVAL,
		                 "DISPLAY=%s is not local, and the X server must run on this "
		                 "machine to be measured",
		                 display);
	if (rc)
		return add_remedy(rc, err);
	x->display = xcs_xasprintf("DISPLAY=%s", display);
	if (getenv("XAUTHORITY"))
		x->authority = xcs_xasprintf("XAUTHORITY=%s", getenv("XAUTHORITY"));
	return 0;
}

int xserver_start(struct xserver *x, const struct xserver_spec *spec, struct watch *watch,
                  struct xcs_err *err)
{
	*x = (struct xserver){.kind = spec->kind, .user = spec->user};
	int rc = spec->kind == XSERVER_SESSION ? take_session(x, err) : launch(x, spec, watch, err);

	x->env[0] = x->display;
	x->env[1] = x->authority;
	return rc;
}

/* A server that was killed leaves its lock and its socket, and the display number is lost
 * until someone removes them; only those of our own server go. */
static void remove_lock(const struct xserver *x)
{
	char lock[64], at[64];
	struct xcs_buf text = {0};
	uint64_t pid;

	if (!x->display || x->child.pid <= 0 || !x->child.ended)
		return;
	snprintf(lock, sizeof(lock), "/tmp/.X%s-lock", x->display + strlen("DISPLAY=:"));
	snprintf(at, sizeof(at), "/tmp/.X11-unix/X%s", x->display + strlen("DISPLAY=:"));
	if (xcs_file_read_at(AT_FDCWD, lock, &text) == 0 &&
	    xcs_str_u64(xcs_str_trim(xcs_buf_str(&text)), &pid) == 0 &&
	    (pid_t)pid == x->child.pid) {
		unlink(lock);
		unlink(at);
	}
	xcs_buf_fini(&text);
}

void xserver_stop(struct xserver *x)
{
	xcs_child_stop(&x->child, STOP_S * XCS_NS_PER_S);
	remove_lock(x);
	free(x->display);
	free(x->authority);
	*x = (struct xserver){0};
}
