/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "read.h"

#include <common/alloc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Libraries by which a server draws through Mesa. Since 24.2 the first one's name carries the
 * version: "libgallium-24.2.4.so", with Debian's revision "libgallium-25.0.7-2.so". */
#define GALLIUM "libgallium-"
static const char *const libraries[] = {GALLIUM, "_dri.so", "libGLX_mesa.so", "libEGL_mesa.so"};

struct xcs_str facts_mesa_version(struct xcs_str maps)
{
	const char *at = maps.n ? memmem(maps.p, maps.n, GALLIUM, strlen(GALLIUM)) : NULL;

	if (!at)
		return (struct xcs_str){"", 0};
	at += strlen(GALLIUM);
	struct xcs_str rest = {at, maps.n - (size_t)(at - maps.p)}, line;
	if (!xcs_str_next_line(&rest, &line))
		return (struct xcs_str){"", 0};
	const char *end = line.n ? memmem(line.p, line.n, ".so", 3) : NULL;
	return (struct xcs_str){line.p, end ? (size_t)(end - line.p) : 0};
}

static bool uses_mesa(struct xcs_str maps)
{
	for (size_t i = 0; i < ARRAY_LEN(libraries); i++)
		if (maps.n && memmem(maps.p, maps.n, libraries[i], strlen(libraries[i])))
			return true;
	return false;
}

/* The version of an installed package: its paragraph of dpkg's status file, deb822(5). */
static char *package_version_dup(struct xcs_str status, const char *package)
{
	struct xcs_str line;
	bool inside = false;

	while (xcs_str_next_line(&status, &line)) {
		if (xcs_str_starts(line, "Package: "))
			inside = xcs_str_is((struct xcs_str){line.p + 9, line.n - 9}, package);
		else if (inside && xcs_str_starts(line, "Version: "))
			return xcs_xasprintf("%.*s", (int)line.n - 9, line.p + 9);
	}
	return NULL;
}

/* Older drivers do not name their version, but came with their package. */
static void take_package(const struct facts_world *w, struct xcs_facts *facts)
{
	static const char file[] = "/var/lib/dpkg/status";
	struct xcs_buf status = {0};
	int rc = read_path(w, file, &status);

	xcs_facts_take(facts, "mesa.version",
	               rc ? NULL : package_version_dup(xcs_buf_str(&status), "libgl1-mesa-dri"),
	               "/var/lib/dpkg/status, package libgl1-mesa-dri");
	xcs_buf_fini(&status);
}

void facts_mesa(const struct facts_world *w, pid_t server_pid, struct xcs_facts *facts)
{
	struct xcs_buf maps = {0};
	char rel[32];

	snprintf(rel, sizeof(rel), "%d/maps", (int)server_pid);
	int rc = xcs_proc_read(w->env, rel, &maps);
	struct xcs_str version = facts_mesa_version(xcs_buf_str(&maps));
	if (rc)
		xcs_facts_set(facts, "mesa.version", NULL, "proc:PID/maps of the server");
	else if (!uses_mesa(xcs_buf_str(&maps)))
		xcs_facts_set(facts, "mesa.version", "not used by the server",
		              "proc:PID/maps of the server");
	else if (version.n == 0)
		take_package(w, facts);
	else
		xcs_facts_take(facts, "mesa.version",
		               xcs_xasprintf("%.*s", (int)version.n, version.p),
		               "proc:PID/maps of the server");
	xcs_buf_fini(&maps);
}
