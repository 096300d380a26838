/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "nice_helper.h"

#include <guard/guard.h>

#include <common/alloc.h>
#include <common/child.h>
#include <common/paths.h>
#include <common/units.h>

#include <errno.h>
#include <stdlib.h>
#include <sys/xattr.h>

#define WAIT_NS (5 * XCS_NS_PER_S)

bool nice_helper_has_right(void)
{
	char *program = xcs_path_program_dup("xcsbench-nice");
	char caps[64];
	/* capabilities(7): file capabilities are in this attribute. */
	bool has = getxattr(program, "security.capability", caps, sizeof(caps)) > 0;

	free(program);
	return has;
}

bool guard_can_renice_servers(void)
{
	return nice_helper_has_right();
}

int nice_helper_set(const struct undo_item *item, int nice)
{
	if (!nice_helper_has_right())
		return -EPERM;
	char *program = xcs_path_program_dup("xcsbench-nice");
	char *words[] = {xcs_xasprintf("%d", (int)item->pid),
	                 xcs_xasprintf("%llu", (unsigned long long)item->pid_start_ticks),
	                 xcs_xasprintf("%d", nice), xcs_xasprintf("%d", (int)item->tid)};
	const struct xcs_spawn spawn = {
	        .argv = (const char *[]){program, words[0], words[1], words[2], words[3], NULL}
        };
	struct xcs_buf out = {0};
	struct xcs_err ignored; /* the guard's own sentence names the thread and the remedy */
	int rc = xcs_child_capture(&spawn, WAIT_NS, &out, &ignored);

	xcs_buf_fini(&out);
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		free(words[i]);
	free(program);
	return rc ? -EPERM : 0;
}
