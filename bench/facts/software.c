/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read.h"

#include <common/alloc.h>
#include <common/child.h>
#include <common/units.h>

#include <gnu/libc-version.h>
#include <stdlib.h>
#include <string.h>

/* Programs of other people that a run may use, and how they tell their version. */
static const struct program {
	const char *key, *name, *option;
} programs[] = {
        {"xterm.version",     "xterm",     "-version" },
        {"hyperfine.version", "hyperfine", "--version"},
        {"gnuplot.version",   "gnuplot",   "--version"},
};

/* The first line that it prints; NULL when it is not there. */
static char *version_dup(const struct program *p, const struct xcs_user *user)
{
	const struct xcs_spawn spawn = {
	        .argv = (const char *[]){p->name, p->option, NULL},
	        .env_add = (const char *[]){"LC_ALL=C",       NULL      },
	        .user = user
        };
	struct xcs_buf out = {0};
	char *value = NULL;

	if (xcs_child_capture(&spawn, 5 * XCS_NS_PER_S, &out, NULL) == 0 && out.n)
		value = xcs_xasprintf("%.*s", (int)strcspn(out.p, "\n"), out.p);
	xcs_buf_fini(&out);
	return value;
}

/* The environment variables that rule language and session, as this process has them. */
static void read_variables(struct xcs_facts *facts)
{
	static const char *const variables[][2] = {
	        {"session.type",    "XDG_SESSION_TYPE"   },
	        {"session.desktop", "XDG_CURRENT_DESKTOP"},
	};
	const char *locale = getenv("LC_ALL");

	if (!locale || !locale[0])
		locale = getenv("LC_CTYPE");
	if (!locale || !locale[0])
		locale = getenv("LANG");
	xcs_facts_set(facts, "locale", locale && locale[0] ? locale : "C",
	              "LC_ALL, LC_CTYPE or LANG");
	for (size_t i = 0; i < ARRAY_LEN(variables); i++)
		xcs_facts_set(facts, variables[i][0], getenv(variables[i][1]), variables[i][1]);
}

void facts_software(const struct facts_world *w, const struct xcs_user *user,
                    struct xcs_facts *facts)
{
	struct xcs_buf text = {0};
	int rc = read_path(w, "/etc/os-release", &text);

	xcs_facts_take(facts, "distribution",
	               rc ? NULL : read_value_dup(xcs_buf_str(&text), '=', "PRETTY_NAME"),
	               "/etc/os-release");
	xcs_buf_fini(&text);
	if (w->is_saved)
		return;
	xcs_facts_set(facts, "glibc", gnu_get_libc_version(), "gnu_get_libc_version");
	for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
		char *source = xcs_xasprintf("%s %s", programs[i].name, programs[i].option);
		xcs_facts_take(facts, programs[i].key, version_dup(&programs[i], user), source);
		free(source);
	}
	read_variables(facts);
}
