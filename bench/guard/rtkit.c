/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rtkit.h"

#include <common/alloc.h>
#include <common/child.h>
#include <common/paths.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define WAIT_NS (5 * XCS_NS_PER_S)

#define OBJECT "/org/freedesktop/RealtimeKit1"

int rtkit_set(pid_t pid, pid_t tid, int nice)
{
	char *words[] = {xcs_xasprintf("%d", (int)pid), xcs_xasprintf("%d", (int)tid),
	                 xcs_xasprintf("%d", nice)};
	const struct xcs_spawn spawn = {
	        .argv = (const char *[]){"busctl", "--system", "--", "call", RTKIT_NAME, OBJECT,
	                                 RTKIT_NAME, "MakeThreadHighPriorityWithPID", "tti",
	                                 words[0], words[1], words[2], NULL}
        };
	struct xcs_buf out = {0};
	struct xcs_err ignored; /* the guard's own sentence names the thread and the remedy */
	int rc = xcs_child_capture(&spawn, WAIT_NS, &out, &ignored);

	xcs_buf_fini(&out);
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		free(words[i]);
	return rc ? -EPERM : 0;
}

/* busctl prints the type and the value: "i -15". */
static bool read_lowest(int *nice)
{
	const struct xcs_spawn spawn = {
	        .argv = (const char *[]){"busctl", "--system", "--", "get-property", RTKIT_NAME,
	                                 OBJECT, RTKIT_NAME, "MinNiceLevel", NULL}
        };
	struct xcs_buf out = {0};
	struct xcs_err ignored; /* no service, no right */
	struct xcs_str rest, type, value;
	int64_t v;
	bool known = xcs_child_capture(&spawn, WAIT_NS, &out, &ignored) == 0;

	rest = xcs_buf_str(&out);
	known = known && xcs_str_next_word(&rest, &type) && xcs_str_is(type, "i") &&
	        xcs_str_next_word(&rest, &value) && xcs_str_i64(value, &v) == 0 && v >= -20 &&
	        v < 0;
	if (known)
		*nice = (int)v;
	xcs_buf_fini(&out);
	return known;
}

static bool reaches(pid_t pid, int nice)
{
	if (rtkit_set(pid, pid, nice))
		return false;
	errno = 0;
	return getpriority(PRIO_PROCESS, (id_t)pid) == nice && errno == 0;
}

bool rtkit_has_right(int *lowest_nice)
{
	char *program = xcs_path_program_dup("xcs-spin"); /* waits for a line that never comes */
	struct xcs_child child = {0};
	struct xcs_err ignored; /* not tried is not shown */
	int hold[2];
	bool has = false;

	if (geteuid() != 0 && read_lowest(lowest_nice) && pipe2(hold, O_CLOEXEC) == 0) {
		const struct xcs_spawn spawn = {
		        .argv = (const char *[]){program, NULL},
		        .stdin_fd = hold[0],
		        .die_with_parent = true
                };
		if (xcs_child_start(&child, &spawn, &ignored) == 0)
			has = reaches(child.pid, *lowest_nice);
		close(hold[0]);
		close(hold[1]);
		xcs_child_stop(&child, 0);
	}
	free(program);
	return has;
}
