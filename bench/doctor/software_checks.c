/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Programs: those that change priorities or clock rates behind our back, and those that a
 * run calls.
 */
#include "check.h"

#include <record/hyperfine.h>

#include <stdio.h>
#include <string.h>

static void daemons(const struct xcs_run *run, const char *list, struct doctor_finding *f)
{
	(void)run;
	if (list && strcmp(list, "none"))
		check_say(f, DOCTOR_WARN,
		          "stop them (--profile=controlled stops some), or compare only with runs "
		          "beside them",
		          "these change priorities, clocks or interrupts: %s", list);
	else if (list)
		check_ok(f, "nothing known to change priorities, clocks or interrupts runs");
}

static void xterm(const struct xcs_run *run, const char *version, struct doctor_finding *f)
{
	(void)run;
	if (version)
		check_ok(f, "%s", version);
	else
		check_say(f, DOCTOR_WARN, "install xterm, or take --load=flood",
		          "xterm is not installed");
}

static void old_hyperfine(struct doctor_finding *f, const char *what, const char *version)
{
	char remedy[64];

	snprintf(remedy, sizeof(remedy), "install hyperfine %d.%d or later", XCS_HYPERFINE_MAJOR,
	         XCS_HYPERFINE_MINOR);
	check_say(f, DOCTOR_WARN, remedy, "%s%s", what, version);
}

static void hyperfine(const struct xcs_run *run, const char *version, struct doctor_finding *f)
{
	int major, minor;

	(void)run;
	if (!version)
		check_say(f, DOCTOR_WARN, "install hyperfine to time whole commands",
		          "hyperfine is not installed");
	else if (sscanf(version, "hyperfine %d.%d", &major, &minor) != 2)
		old_hyperfine(f, "hyperfine tells no version: ", version);
	else if (major < XCS_HYPERFINE_MAJOR ||
	         (major == XCS_HYPERFINE_MAJOR && minor < XCS_HYPERFINE_MINOR))
		old_hyperfine(f, "too old to time a command: ", version);
	else
		check_ok(f, "%s", version);
}

static void gnuplot(const struct xcs_run *run, const char *version, struct doctor_finding *f)
{
	(void)run;
	if (version)
		check_ok(f, "%s", version);
	else
		check_say(f, DOCTOR_WARN, "install gnuplot-nox",
		          "gnuplot is not installed: reports "
		          "come without charts");
}

const struct check software_checks[] = {
        {"daemons",        "daemons.running", daemons, true},
        {"xterm",         "xterm.version", xterm, false},
        {"hyperfine",                "hyperfine.version", hyperfine, false},
        {"gnuplot","gnuplot.version", gnuplot, false},
        {0          },
};
