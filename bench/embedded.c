/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "embedded.h"

#include <guard/guard.h>

#include <common/alloc.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	SCREEN_MIN_PX = 320,
	SCREEN_MAX_PX = 16384
};

static int read_screen(const char *text, struct xserver_spec *spec, struct xcs_err *err)
{
	struct xcs_str rest = xcs_str(text), width;
	uint64_t w = 0, h = 0;

	if (!xcs_str_next_part(&rest, 'x', &width) || xcs_str_u64(width, &w) ||
	    xcs_str_u64(rest, &h) || w < SCREEN_MIN_PX || h < SCREEN_MIN_PX || w > SCREEN_MAX_PX ||
	    h > SCREEN_MAX_PX || w % 8)
		return xcs_err_set(err, -EINVAL,
		                   "--screen: '%s' is not WIDTHxHEIGHT in pixels, each from %d to "
		                   "%d and the width a multiple of 8",
		                   text, SCREEN_MIN_PX, SCREEN_MAX_PX);
	spec->width_px = (int)w;
	spec->height_px = (int)h;
	return 0;
}

int embedded_choose(const struct run_options *o, struct xserver_spec *spec, enum xserver_kind *kind,
                    struct xcs_err *err)
{
	static const enum xserver_kind of_choice[] = {XSERVER_XORG_DUMMY, XSERVER_XORG_DUMMY,
	                                              XSERVER_SESSION,    XSERVER_XORG_DUMMY,
	                                              XSERVER_XVFB,       XSERVER_XEPHYR};
	const char *display = getenv("DISPLAY");

	*kind = of_choice[o->server];
	if (o->server == SERVER_AUTO && display && display[0])
		*kind = XSERVER_SESSION;
	if (*kind == XSERVER_XEPHYR && !(display && display[0]))
		return xcs_err_set(err, -ENOENT,
		                   "--server=xephyr needs a DISPLAY to show its window on");
	return read_screen(o->screen, spec, err);
}

static int blame_missing(int rc, enum xserver_kind kind, struct xcs_err *err)
{
	static const char *const packages[] = {"", "xserver-xorg-core and xserver-xorg-video-dummy",
	                                       "xvfb", "xserver-xephyr"};

	if (rc != -ENOENT || kind == XSERVER_SESSION)
		return rc;
	return xcs_err_set(err, rc, "the X server %s is not installed; install %s",
	                   xserver_kind_name(kind), packages[kind]);
}

int embedded_start(struct xserver *x, struct xserver_spec *spec, const struct run_options *o,
                   struct xcs_run *run, struct watch *watch, struct xcs_err *err)
{
	bool may_fall_back = o->server == SERVER_AUTO || o->server == SERVER_EMBEDDED;

	spec->kind = x->kind;
	int rc = xserver_start(x, spec, watch, err);
	if (rc == 0 || rc == -EINTR || !may_fall_back || spec->kind != XSERVER_XORG_DUMMY)
		return blame_missing(rc, spec->kind, err);
	char *note = xcs_xasprintf("Xorg with the dummy driver could not start here, so the server "
	                           "is Xvfb: %s.",
	                           err->text);
	xcs_run_add_note(run, note);
	free(note);
	xserver_stop(x);
	spec->kind = XSERVER_XVFB;
	return blame_missing(xserver_start(x, spec, watch, err), spec->kind, err);
}

int embedded_take_session(struct runner *r, struct xcs_err *err)
{
	struct xserver *x = &r->server;

	if (x->is_xwayland)
		return xcs_err_set(err, -ENOTSUP,
		                   "%s is Xwayland, where the compositor draws and renicing the "
		                   "server alone says nothing; take --server=embedded",
		                   x->display);
	x->child.pidfd = (int)syscall(SYS_pidfd_open, x->pid, 0);
	if (x->child.pidfd < 0)
		return xcs_err_sys(err, -errno, "cannot watch the X server (pid %d)", (int)x->pid);
	watch_add(&r->watch, x->child.pidfd, WATCH_SERVER_ENDED);
	if (!r->options->one_cpu && xcs_cpuset_count(&r->options->cpus) == 0)
		return 0;
	return guard_set_affinity(r->guard, x->pid, x->start_ticks, &r->load_cpus, err);
}
