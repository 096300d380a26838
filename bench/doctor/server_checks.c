/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The X server, and whether renicing it can be done and can matter.
 */
#include "check.h"

#include <common/alloc.h>
#include <common/buf.h>

#include <stdlib.h>
#include <string.h>

static void server(const struct xcs_run *run, const char *kind, struct doctor_finding *f)
{
	const char *xwayland = check_value(run, "server.xwayland");
	const char *comm = check_value(run, "server.comm");
	const char *user = check_value(run, "server.user");

	if (!kind || !comm)
		check_say(f, DOCTOR_FAIL,
		          "start one, or install xserver-xorg-core and xserver-xorg-video-dummy",
		          "no X server could be used");
	else if (xwayland && strcmp(xwayland, "yes") == 0)
		check_say(f, DOCTOR_FAIL,
		          "run with --boost=chain, which renices the compositor too, log in to a "
		          "session "
		          "on Xorg, or take --server=embedded",
		          "the server is Xwayland: the compositor draws, and renicing the server "
		          "alone says nothing");
	else
		check_ok(f, "%s (%s, pid %s%s%s)", kind, comm, check_value(run, "server.pid"),
		         user ? ", run by " : "", user ? user : "");
}

static void extensions(const struct xcs_run *run, const char *list, struct doctor_finding *f)
{
	static const char *const wanted[] = {"X-Resource", "RANDR",  "XTEST",
	                                     "DAMAGE",     "RECORD", "Present"};
	struct xcs_buf missing = {0};

	(void)run;
	for (size_t i = 0; list && i < ARRAY_LEN(wanted); i++)
		if (!xcs_str_list_has(xcs_str(list), ',', wanted[i]))
			xcs_buf_printf(&missing, "%s%s", missing.n ? ", " : "", wanted[i]);
	if (list && missing.n)
		check_say(f, DOCTOR_WARN, "take a server that has them, if you need those",
		          "the server lacks %s%s", missing.p,
		          xcs_str_list_has(xcs_str(list), ',', "XTEST")
		                  ? ""
		                  : "; without XTEST input probes are n/a");
	else if (list)
		check_ok(f, "X-Resource, RANDR, XTEST, DAMAGE, RECORD and Present are there");
	xcs_buf_fini(&missing);
}

static void screen(const struct xcs_run *run, const char *width, struct doctor_finding *f)
{
	const char *height = check_value(run, "server.height_px");
	const char *hz = check_value(run, "server.refresh_hz");

	if (width && height)
		check_ok(f, "%sx%s%s%s%s", width, height, hz ? " at " : "", hz ? hz : "",
		         hz ? " Hz" : "");
}

static void compositor(const struct xcs_run *run, const char *on, struct doctor_finding *f)
{
	const char *wm = check_value(run, "server.wm");
	const char *comm = check_value(run, "compositor.comm");

	if (on && strcmp(on, "yes") == 0)
		check_say(f, DOCTOR_WARN,
		          "switch compositing off, or compare only with runs that had it on",
		          "a compositor draws each frame once more%s%s%s%s", comm ? ": " : "",
		          comm ? comm : "", wm ? ", window manager " : "", wm ? wm : "");
	else if (on)
		check_ok(f, "no compositor%s%s", wm ? ", window manager " : "", wm ? wm : "");
}

static void saver(const struct xcs_run *run, const char *timeout_s, struct doctor_finding *f)
{
	const char *dpms = check_value(run, "server.dpms");
	bool dims = dpms && strcmp(dpms, "on") == 0;

	if (timeout_s && (strcmp(timeout_s, "0") || dims))
		check_say(f, DOCTOR_WARN, "xset s off -dpms, or run with --profile=controlled",
		          "the screen saver starts after %s s, power saving of the monitor is %s",
		          timeout_s, dims ? "on" : "off");
	else if (timeout_s)
		check_ok(f, "neither screen saver nor monitor power saving");
}

static void no_right(const struct xcs_run *run, const char *lowest, struct doctor_finding *f)
{
	const char *target = check_value(run, "rights.server");

	check_say(f, DOCTOR_WARN,
	          "run with sudo, or see RIGHTS in xcsbench-run(1); else the load moves (mode "
	          "relative)",
	          "no right: nice %s is the lowest that could be set and undone%s", lowest,
	          target && strcmp(target, "yes") ? ", and the server may not be reniced" : "");
}

/* What the right did to the server and to a process of ours, not what it promises. */
static void rights(const struct xcs_run *run, const char *backend, struct doctor_finding *f)
{
	const char *lowest = check_value(run, "rights.lowest_nice");
	const char *moved = check_value(run, "rights.server_nice");
	const char *why = check_value(run, "rights.server");

	if (!backend || !lowest)
		return;
	if (strcmp(backend, "none") == 0)
		no_right(run, lowest, f);
	else if (!moved)
		check_say(f, DOCTOR_WARN, "run with sudo; else the load moves (mode relative)",
		          "%s is there, but was not shown to reach the server: %s", backend,
		          why ? why : "no server");
	else if (strcmp(moved, "-20"))
		check_say(f, DOCTOR_WARN, "take --x-nice levels from there up, or run with sudo",
		          "by %s the server went to nice %s and back, and no lower", backend,
		          moved);
	else
		check_ok(f,
		         "by %s the server went to nice -20 and back; a process of the run to %s",
		         backend, lowest);
}

static void efficacy(const struct xcs_run *run, const char *ignored, struct doctor_finding *f)
{
	const char *verdict = run->probe.verdict;

	(void)ignored;
	if (!verdict)
		return;
	if (strcmp(verdict, "effective") == 0)
		check_ok(f, "%s: %s", verdict, run->probe.why ? run->probe.why : "");
	else
		check_say(f, strcmp(verdict, "not probed") ? DOCTOR_FAIL : DOCTOR_WARN,
		          "take --autogroup=nice, or --autogroup=off as root, where autogroups are "
		          "the cause",
		          "%s: %s", verdict, run->probe.why ? run->probe.why : "");
}

static const char *or_none(const char *s)
{
	return s ? s : "none";
}

/* Within which group do server and loads compete? Nice counts only inside one. */
static void contention(const struct xcs_run *run, const char *server_group,
                       struct doctor_finding *f)
{
	const char *mine = check_value(run, "runner.cgroup");
	const char *autogroup = check_value(run, "sched.autogroup");
	bool alike = server_group && mine && strcmp(server_group, mine) == 0;

	if (!server_group || !mine)
		return;
	if (autogroup && strcmp(autogroup, "1") == 0)
		check_say(
		        f, DOCTOR_WARN, "take --autogroup=nice, or --autogroup=off as root",
		        "autogroups are on: server (%s), clients and feeders, which begin sessions "
		        "of their own, share the CPU by group and not by nice; cgroups: server %s, "
		        "load %s",
		        or_none(check_value(run, "server.autogroup")), server_group, mine);
	else if (!alike)
		check_say(f, DOCTOR_WARN, "start xcsbench from a terminal of the same session",
		          "server and load are in different cgroups (%s, %s), whose weights count "
		          "before nice",
		          server_group, mine);
	else
		check_ok(f,
		         "server, clients and feeders are in one cgroup (%s), without autogroups",
		         mine);
}

const struct check server_checks[] = {
        {"server",             "server.kind", server, false},
        {"extensions",              "server.extensions", extensions, true},
        {"screen",                    "server.width_px", screen, false},
        {"compositor","server.compositor", compositor, true},
        {"saver",                "server.screensaver_s", saver, true},
        {"rights",             "rights.backend", rights, false},
        {"renice",              "nice probe", efficacy, false},
        {"contention",                    "server.cgroup", contention, false},
        {0             },
};
