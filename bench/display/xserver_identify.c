/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who the server is: what it says itself, held against what the kernel says.
 */
#include <display/cookies.h>
#include <display/displays.h>
#include <display/xserver.h>

#include <common/alloc.h>
#include <common/task.h>
#include <common/units.h>

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	ASK_S = 10
};

/* One of the lines compositor_pid, _comm, _start_ticks and, behind them, _how. */
static void take_compositor(struct xcompositor *c, struct xcs_str key, struct xcs_str value,
                            struct xcs_facts *facts)
{
	uint64_t v;

	if (xcs_str_is(key, "compositor_pid") && xcs_str_u64(value, &v) == 0)
		c->pid = (pid_t)v;
	if (xcs_str_is(key, "compositor_comm"))
		snprintf(c->comm, sizeof(c->comm), "%.*s", (int)value.n, value.p);
	if (xcs_str_is(key, "compositor_start_ticks") && xcs_str_u64(value, &v) == 0)
		c->start_ticks = v;
	if (!xcs_str_is(key, "compositor_how"))
		return;
	char *how = xcs_xasprintf("%.*s", (int)value.n, value.p);
	xcs_facts_take(facts, "compositor.pid", xcs_xasprintf("%d", (int)c->pid), how);
	xcs_facts_set(facts, "compositor.comm", c->comm, how);
	xcs_facts_take(facts, "compositor.start_ticks",
	               xcs_xasprintf("%llu", (unsigned long long)c->start_ticks), how);
	free(how);
}

/* One "key value" line of `xclient-stress server`. */
static void take_fact(struct xserver *x, struct xcs_str line, struct xcs_buf *extensions,
                      struct xcs_facts *facts)
{
	static const char *const kept[] = {"pid",        "comm",          "how",       "vendor",
	                                   "release",    "width_px",      "height_px", "depth",
	                                   "crtc",       "xwayland",      "wm",        "compositor",
	                                   "refresh_hz", "screensaver_s", "dpms"};
	struct xcs_str key;
	uint64_t v;

	if (!xcs_str_next_word(&line, &key))
		return;
	struct xcs_str value = xcs_str_trim(line);
	if (xcs_str_is(key, "pid") && xcs_str_u64(value, &v) == 0)
		x->pid = (pid_t)v;
	if (xcs_str_is(key, "peer_pid") && xcs_str_u64(value, &v) == 0)
		x->peer_pid = (pid_t)v;
	if (xcs_str_is(key, "comm"))
		snprintf(x->comm, sizeof(x->comm), "%.*s", (int)value.n, value.p);
	if (xcs_str_is(key, "start_ticks") && xcs_str_u64(value, &v) == 0)
		x->start_ticks = v;
	if (xcs_str_is(key, "xwayland"))
		x->is_xwayland = xcs_str_is(value, "yes");
	if (xcs_str_is(key, "extension"))
		xcs_buf_printf(extensions, "%s%.*s", extensions->n ? ", " : "", (int)value.n,
		               value.p);
	take_compositor(&x->compositor, key, value, facts);
	for (size_t i = 0; i < ARRAY_LEN(kept); i++) {
		if (!xcs_str_is(key, kept[i]))
			continue;
		char *name = xcs_xasprintf("server.%s", kept[i]);
		char *text = xcs_xasprintf("%.*s", (int)value.n, value.p);
		xcs_facts_set(facts, name, text, "X server");
		free(name);
		free(text);
	}
}

/* The sentence of xclient-stress itself, without how it ended and what it is called. */
static void keep_its_words(struct xcs_err *err)
{
	static const char name[] = "xclient-stress: ";
	const char *at = strstr(err->text, name);

	if (!at)
		return;
	at += strlen(name);
	memmove(err->text, at, strlen(at) + 1);
}

static const char *name_of(const struct xserver *x)
{
	return x->display + strlen("DISPLAY=");
}

/*
 * What is reniced must be the server. XRes gives the number that the server has in its own
 * pid namespace, the socket the one that it has in ours: they agree for a server of this
 * machine and this namespace. Only Xwayland's socket is held by another, its compositor.
 */
static int check_socket(const struct xserver *x, const struct xcs_env *env, struct xcs_err *err)
{
	bool agree = x->peer_pid == x->pid || (x->is_xwayland && x->peer_pid > 0);

	if (agree && xcs_task_is_alive(env, x->pid, x->start_ticks) &&
	    displays_is_server_name(x->comm))
		return 0;
	return xcs_err_set(
	        err, -ESRCH,
	        "the X server of %s says that it is process %d, which is %s here, and its "
	        "socket is held by process %d: a server on another host, in a "
	        "container or behind a proxy cannot be measured",
	        name_of(x), (int)x->pid, x->comm[0] ? x->comm : "nothing", (int)x->peer_pid);
}

/* A server with a display number of its own choice has no lock file; a compositor writes
 * itself into that of its Xwayland. */
static int check_lock(const struct xserver *x, const struct xcs_env *env, struct xcs_err *err)
{
	int number = displays_number(name_of(x));
	pid_t by_lock = displays_lock_holder(DISPLAYS_TMP, env, number);

	if (!by_lock || by_lock == x->pid || by_lock == x->peer_pid)
		return 0;
	return xcs_err_set(err, -ESRCH,
	                   "the X server of %s is process %d by its socket, and process %d, "
	                   "another X server, by %s/.X%d-lock: it is not certain which would be "
	                   "reniced; remove the file if nothing needs it, or restart the server",
	                   name_of(x), (int)x->pid, (int)by_lock, DISPLAYS_TMP, number);
}

static int refuse_owner(const struct xserver *x, uid_t uid, struct xcs_err *err)
{
	const struct passwd *pw = getpwuid(uid);

	return xcs_err_set(err, -EPERM,
	                   "the X server of %s (process %d) is run by user %s (uid %u), whose "
	                   "session a load would slow down; measure it as that user or with sudo, "
	                   "or take --server=embedded",
	                   name_of(x), (int)x->pid, pw ? pw->pw_name : "unknown", (unsigned)uid);
}

/* Root's server serves whom it lets in; that of another user is not ours to slow down. The
 * fact bears no name, which a record made with --anonymous must not have. */
static int check_owner(const struct xserver *x, const struct xcs_env *env, struct xcs_facts *facts,
                       struct xcs_err *err)
{
	static const char source[] = "proc:PID/status Uid";
	char *status = xcs_xasprintf("%d/status", (int)x->pid);
	struct xcs_buf text = {0};
	uid_t uid, euid = 0;
	bool known = xcs_proc_read(env, status, &text) == 0 &&
	             xcs_task_uids_parse(xcs_buf_str(&text), &uid, &euid);
	bool is_own = euid == x->user->uid;
	const char *who = euid == 0 ? "root" : is_own ? "the user who measures" : "another user";

	xcs_facts_set(facts, "server.user", known ? who : NULL, source);
	xcs_facts_set(facts, "server.rootless", !known ? NULL : euid ? "yes" : "no", source);
	xcs_buf_fini(&text);
	free(status);
	return euid == 0 || is_own || geteuid() == 0 ? 0 : refuse_owner(x, euid, err);
}

static int check_identity(const struct xserver *x, const struct xcs_env *env,
                          struct xcs_facts *facts, struct xcs_err *err)
{
	int rc = check_socket(x, env, err);

	if (rc == 0)
		rc = check_lock(x, env, err);
	return rc ? rc : check_owner(x, env, facts, err);
}

static int ask(const struct xserver *x, struct xcs_buf *out, struct xcs_err *err)
{
	char *program = xcs_path_program_dup("xclient-stress");
	const struct xcs_spawn spawn = {
	        .argv = (const char *[]){program, "server", NULL},
	        .env_add = x->env,
	        .new_session = true,
	        .die_with_parent = true,
	        .user = x->user
        };
	int rc = xcs_child_capture(&spawn, ASK_S * XCS_NS_PER_S, out, err);

	if (rc == -ECHILD)
		keep_its_words(err);
	free(program);
	return rc;
}

static void use_authority(struct xserver *x, const char *path)
{
	free(x->authority);
	x->authority = path ? xcs_xasprintf("XAUTHORITY=%s", path) : NULL;
	x->env[1] = x->authority;
}

static char *runtime_dir_dup(const struct xcs_user *user)
{
	const char *own = user->via_sudo ? NULL : getenv("XDG_RUNTIME_DIR");

	return own ? xcs_xstrdup(own) : xcs_xasprintf("/run/user/%u", (unsigned)user->uid);
}

/* The sentence of the first refusal, and what was tried behind it. */
static int refused(const struct xserver *x, const struct cookies *tried, struct xcs_err *err)
{
	const struct xcs_err first = *err;
	struct xcs_buf files = {0};

	for (size_t i = 0; i < tried->n; i++)
		xcs_buf_printf(&files, "%s%s", i ? ", " : "", tried->path[i]);
	xcs_err_set(err, -ECHILD,
	            tried->n ? "%s; refused too with %s"
	                     : "%s; no other cookie file of %s was found",
	            first.text, tried->n ? files.p : x->user->name);
	xcs_buf_fini(&files);
	return -ECHILD;
}

/* The server let nobody in: the other cookie files of its user are tried in turn. */
static int ask_with_others(struct xserver *x, const struct xcs_env *env, struct xcs_buf *out,
                           struct xcs_err *err)
{
	char *runtime = runtime_dir_dup(x->user);
	char *given = x->authority ? xcs_xstrdup(x->authority + strlen("XAUTHORITY=")) : NULL;
	const struct cookies_places places = {env, name_of(x), runtime, DISPLAYS_TMP};
	struct xcs_err ignored = {""};
	struct cookies cookies;
	int rc = cookies_find(&cookies, x->user, &places, err) ? -EPERM : -ECHILD;

	for (size_t i = 0; rc == -ECHILD && i < cookies.n; i++) {
		use_authority(x, cookies.path[i]);
		rc = ask(x, out, &ignored);
	}
	if (rc)
		use_authority(x, given);
	if (rc == -ECHILD)
		refused(x, &cookies, err);
	cookies_fini(&cookies);
	free(given);
	free(runtime);
	return rc;
}

static int say_not_served(const struct xserver *x, struct xcs_err *err)
{
	char *served = displays_list_dup(DISPLAYS_TMP);

	xcs_err_set(err, -ENOTCONN,
	            "no X server answers at DISPLAY=%s: start it, or set DISPLAY and XAUTHORITY "
	            "to those of a session here (served: %s)",
	            name_of(x), served);
	free(served);
	return -ENOTCONN;
}

/* xclient-stress says nothing on standard output unless the server let it in. */
static int ask_session(struct xserver *x, const struct xcs_env *env, struct xcs_facts *facts,
                       struct xcs_buf *out, struct xcs_err *err)
{
	int rc = ask(x, out, err);

	if (rc != -ECHILD || out->n)
		return rc;
	if (!displays_is_served(DISPLAYS_TMP, name_of(x)))
		return say_not_served(x, err);
	rc = ask_with_others(x, env, out, err);
	if (rc == 0)
		xcs_facts_set(facts, "session.authority", x->authority + strlen("XAUTHORITY="),
		              "cookie files");
	return rc;
}

int xserver_identify(struct xserver *x, const struct xcs_env *env, struct xcs_facts *facts,
                     struct xcs_err *err)
{
	struct xcs_buf out = {0}, extensions = {0};
	struct xcs_str rest, line;
	int rc = x->kind == XSERVER_SESSION ? ask_session(x, env, facts, &out, err)
	                                    : ask(x, &out, err);

	rest = xcs_buf_str(&out);
	while (rc == 0 && xcs_str_next_line(&rest, &line))
		take_fact(x, line, &extensions, facts);
	xcs_facts_set(facts, "server.kind", xserver_kind_name(x->kind), "xcsbench");
	xcs_facts_set(facts, "server.extensions", extensions.p, "X server");
	if (rc == 0)
		rc = check_identity(x, env, facts, err);
	xcs_buf_fini(&out);
	xcs_buf_fini(&extensions);
	return rc;
}
