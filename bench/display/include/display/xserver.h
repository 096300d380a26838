/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The X server under test: the session's own, or one that we start and stop. This program
 * never speaks X itself (Xlib ends its process when the server dies): questions to the
 * server go through a child, xclient-stress.
 */
#ifndef XSERVER_H
#define XSERVER_H

#include <display/watch.h>

#include <common/child.h>
#include <common/env.h>
#include <common/paths.h>
#include <record/run.h>

struct guard;

enum xserver_kind {
	XSERVER_SESSION,
	XSERVER_XORG_DUMMY,
	XSERVER_XVFB,
	XSERVER_XEPHYR
};

/* What the run record calls them: "session", "xorg-dummy", "xvfb", "xephyr". */
const char *xserver_kind_name(enum xserver_kind kind);

struct xserver_spec {
	enum xserver_kind kind;
	int width_px, height_px;       /* of a server that we start */
	const char *dir;               /* scratch folder for its cookie, configuration and log */
	const struct xcs_user *user;   /* it runs as, and is spoken to as, this user */
	const struct xcs_cpuset *cpus; /* or NULL */
	const int *nice;               /* or NULL: inherit */
	const struct xcs_env *env;
	struct guard *guard; /* ends it, cleanly, if we die first */
};

/* What draws the server's windows on the screen; pid 0: none is known. */
struct xcompositor {
	pid_t pid;
	uint64_t start_ticks;
	char comm[64];
};

struct xserver {
	enum xserver_kind kind;
	struct xcs_child child; /* pid 0 for the session's server */
	char *display;          /* "DISPLAY=:7", owned, as is the next */
	char *authority;        /* "XAUTHORITY=...", or NULL */
	const char *env[3];     /* both, for xcs_spawn.env_add */
	const struct xcs_user *user;
	pid_t pid; /* of the server, by XRes; with its start time */
	uint64_t start_ticks;
	pid_t peer_pid; /* who holds the other end of a connection; 0: no local process */
	char comm[64];
	bool is_xwayland;
	struct xcompositor compositor;
};

/*
 * Starts the server (or takes the session's from $DISPLAY) and waits until it answers.
 * Returns 0 or -errno: -ENOENT when the program is missing, -EINTR when the user
 * interrupted. xserver_stop must follow in any case.
 */
int xserver_start(struct xserver *x, const struct xserver_spec *spec, struct watch *watch,
                  struct xcs_err *err) XCS_MUST_CHECK;

/*
 * Asks the server who it is: sets pid, start_ticks, is_xwayland and compositor, and adds facts
 * ("server.pid", "server.release", "compositor.comm", ...). Returns 0 or -errno.
 */
int xserver_identify(struct xserver *x, const struct xcs_env *env, struct xcs_facts *facts,
                     struct xcs_err *err) XCS_MUST_CHECK;

void xserver_stop(struct xserver *x);

#endif
