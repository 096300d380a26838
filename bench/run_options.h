/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the user may say to `xcsbench run`.
 */
#ifndef RUN_OPTIONS_H
#define RUN_OPTIONS_H

#include <common/cpuset.h>
#include <common/options.h>

enum server_choice {
	SERVER_AUTO, /* the session's if there is one, else embedded */
	SERVER_EMBEDDED,
	SERVER_SESSION,
	SERVER_XORG_DUMMY,
	SERVER_XVFB,
	SERVER_XEPHYR
};

enum autogroup_choice {
	AUTOGROUP_AS_FOUND,
	AUTOGROUP_OFF,
	AUTOGROUP_NICE
};

enum boost_choice {
	BOOST_SERVER,
	BOOST_CHAIN
};

enum profile_choice {
	PROFILE_AS_IS,
	PROFILE_CONTROLLED
};

enum mode_choice {
	MODE_AUTO,
	MODE_ABSOLUTE,
	MODE_RELATIVE
};

/* Zero, NULL and empty mean: as the scenario says. */
struct run_options {
	int placement; /* enum placement_kind */
	int server, autogroup, mode, boost, profile;
	struct xcs_ints x_nice, hogs;
	struct xcs_strs loads;
	int n_clients, columns, rows, line_bytes, scroll, feeder;
	int max_foreign_pct;
	struct xcs_ints client_nice;
	struct xcs_cpuset cpus;
	int n_tree_entries;
	const char *tree_dir;
	bool cache_tree;
	bool anonymous, one_cpu, quick, quiet, json, dry_run;
	int n_repetitions;
	int64_t sample_ns, settle_ns, deadline_ns;
	uint64_t seed;
	const char *output;
	const char *resume;   /* a run to go on with; NULL: begin one */
	const char *terminal; /* name or template, in xterm's place */
	const char *screen;   /* WxH of an embedded server */
};

extern const struct xcs_command run_command;

struct run_options run_options_defaults(void);

#endif
