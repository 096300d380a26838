/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "embedded.h"

#include <guard/guard.h>

#include <common/alloc.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
	if (o->boost == BOOST_CHAIN && *kind != XSERVER_SESSION)
		return xcs_err_set(err, -ENOTSUP,
		                   "--boost=chain renices the compositor of a running session too, "
		                   "and %s has none; take --server=session, or leave --boost out",
		                   xserver_kind_name(*kind));
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

/* What the run was told to renice must be there, and be all that draws. */
static int check_chain(const struct runner *r, struct xcs_err *err)
{
	const struct xserver *x = &r->server;
	const char *display = x->display + strlen("DISPLAY=");

	if (r->options->boost == BOOST_CHAIN && !x->compositor.pid)
		return xcs_err_set(err, -ENOTSUP,
		                   "--boost=chain finds no compositor on %s that is a process of "
		                   "this machine, so there is no chain; leave --boost out",
		                   display);
	if (x->is_xwayland && r->options->boost != BOOST_CHAIN)
		return xcs_err_set(err, -ENOTSUP,
		                   "%s is Xwayland, where the compositor draws and renicing the "
		                   "server alone says nothing; take --boost=chain, which renices "
		                   "both, or --server=embedded",
		                   display);
	return 0;
}

static int bind_chain(struct runner *r, struct xcs_err *err)
{
	const struct xserver *x = &r->server;
	const struct xcompositor *c = &x->compositor;

	if (!r->options->one_cpu && xcs_cpuset_count(&r->options->cpus) == 0)
		return 0;
	int rc = guard_set_affinity(r->guard, x->pid, x->start_ticks, &r->load_cpus, err);
	return rc || !c->pid
	               ? rc
	               : guard_set_affinity(r->guard, c->pid, c->start_ticks, &r->load_cpus, err);
}

int embedded_take_session(struct runner *r, struct xcs_err *err)
{
	struct xserver *x = &r->server;

	int rc = check_chain(r, err);

	if (rc)
		return rc;
	if (x->is_xwayland)
		xcs_run_add_note(&r->run,
		                 "The compositor placed the windows, and Xwayland does not "
		                 "know where: they may have covered each other, which "
		                 "saves the compositor work, but not the server.");
	x->child.pidfd = (int)syscall(SYS_pidfd_open, x->pid, 0);
	if (x->child.pidfd < 0)
		return xcs_err_sys(err, -errno, "cannot watch the X server (pid %d)", (int)x->pid);
	watch_add(&r->watch, x->child.pidfd, WATCH_SERVER_ENDED);
	return bind_chain(r, err);
}
