/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "nice_helper.h"

#include <common/alloc.h>
#include <common/child.h>
#include <common/paths.h>
#include <common/units.h>

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define WAIT_NS (5 * XCS_NS_PER_S)

#define SUDO "/usr/bin/sudo"

static bool has_capability(const char *program)
{
	char caps[64];

	/* capabilities(7): file capabilities are in this attribute. */
	return getxattr(program, "security.capability", caps, sizeof(caps)) > 0;
}

/* A rule for a file that others may write would be a rule for anything: not even asked for. */
static bool is_roots(const char *program)
{
	struct stat st;

	return stat(program, &st) == 0 && st.st_uid == 0 && !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/* Tried: without words the program says how it is called and ends with XCS_EXIT_ERROR, while
 * a sudo that refuses ends with 1. -k takes no password that was given a while ago, since
 * that would lapse during the run and leave no way back. */
static bool sudo_allows(const char *program)
{
	const struct xcs_spawn spawn = {
	        .argv = (const char *[]){SUDO, "-k", "-n", "--", program, NULL}
        };
	struct xcs_child child;
	struct xcs_err ignored;

	if (geteuid() == 0 || !is_roots(program) || xcs_child_start(&child, &spawn, &ignored))
		return false;
	bool ended = xcs_child_wait(&child, WAIT_NS);
	xcs_child_stop(&child, 0);
	return ended && WIFEXITED(child.status) && WEXITSTATUS(child.status) == XCS_EXIT_ERROR;
}

const char *nice_helper_right(const char **source)
{
	char *program = xcs_path_program_dup("xcsbench-nice");
	const char *name = NULL;

	if (has_capability(program)) {
		name = "xcsbench-nice";
		*source = "security.capability of xcsbench-nice";
	} else if (sudo_allows(program)) {
		name = "sudo";
		*source = "sudo -n xcsbench-nice";
	}
	free(program);
	return name;
}

int nice_helper_set(const struct undo_item *item, int nice)
{
	char *program = xcs_path_program_dup("xcsbench-nice");
	char *words[] = {xcs_xasprintf("%d", (int)item->pid),
	                 xcs_xasprintf("%llu", (unsigned long long)item->pid_start_ticks),
	                 xcs_xasprintf("%d", nice), xcs_xasprintf("%d", (int)item->tid)};
	const char *const argv[] = {SUDO,     "-k",     "-n",     "--",     program,
	                            words[0], words[1], words[2], words[3], NULL};
	const bool direct = has_capability(program);
	const struct xcs_spawn spawn = {.argv = direct ? argv + 4 : argv};
	struct xcs_buf out = {0};
	struct xcs_err ignored; /* the guard's own sentence names the thread and the remedy */
	int rc = direct || sudo_allows(program) ? xcs_child_capture(&spawn, WAIT_NS, &out, &ignored)
	                                        : -EPERM;

	xcs_buf_fini(&out);
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		free(words[i]);
	free(program);
	return rc ? -EPERM : 0;
}
