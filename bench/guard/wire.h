/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What runner and guard say to each other: one request, one reply, each a whole message on a
 * SOCK_SEQPACKET socket. Both are of the same build. The guard's first message is a reply
 * with rc 0 and the journal's path, or why it could not start.
 */
#ifndef WIRE_H
#define WIRE_H

#include <guard/guard.h>

#include <limits.h>

#define GUARD_WIRE_VERSION 3

enum guard_command {
	GUARD_SET_NICE,
	GUARD_SET_AUTOGROUP_NICE,
	GUARD_SET_AUTOGROUP_ENABLED,
	GUARD_SET_KNOB,
	GUARD_SET_AFFINITY,
	GUARD_OWN_CHILD,
	GUARD_DISOWN_CHILD,
	GUARD_OWN_DIR,
	GUARD_DISOWN_DIR,
	GUARD_RESTORE_ALL,
	GUARD_FINISH,
	GUARD_N_COMMANDS
};

struct guard_request {
	uint32_t version;
	uint32_t command;
	int32_t pid;
	int32_t value;
	int32_t index; /* of a setting */
	uint64_t start_ticks;
	struct xcs_cpuset cpus;
	char path[PATH_MAX]; /* or the client of an X server; NUL-terminated */
};

struct guard_reply {
	int32_t rc; /* 0 or -errno */
	struct guard_nice_result nice;
	char text[PATH_MAX]; /* the error's sentence, NUL-terminated */
};

#endif
