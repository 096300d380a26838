/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What xcsbench-nice does for whom. Pure: no file is opened and nothing is changed here.
 */
#ifndef NICE_RULES_H
#define NICE_RULES_H

#include <common/err.h>
#include <common/str.h>

#include <stdbool.h>
#include <sys/types.h>

enum {
	NICE_TIDS_MAX = 256
};

struct nice_request {
	pid_t pid;
	uint64_t start_ticks; /* of the process: field 22 of its stat */
	int nice;
	pid_t tids[NICE_TIDS_MAX];
	size_t n_tids;
};

/*
 * Reads PID START_TICKS NICE TID[,TID]...: decimal digits only, a minus sign before the
 * nice value only, each number in its range. Returns 0, or -EINVAL with the sentence.
 */
int nice_request_read(struct nice_request *r, int argc, char *const *argv,
                      struct xcs_err *err) XCS_MUST_CHECK;

/* What the kernel says about the target. */
struct nice_target {
	char comm[64];
	uint64_t start_ticks;
	uid_t uid, euid; /* real and effective, by its status: its folder would be root's for any
	                    process that is not dumpable */
	int tty_major;   /* of its controlling terminal, 0: none */
	/* Its program file, "" when the kernel does not tell us; and whether the file that we see
	 * under that name is the one that runs there, is root's, and nobody else may write it. */
	char exe[256];
	bool exe_is_roots;
};

struct nice_caller {
	uid_t uid;      /* the real one; SUDO_UID's where that is root */
	bool owns_seat; /* /run/systemd/seats/seat0 names it as the active user */
};

/*
 * A target that the caller may have reniced:
 * - a display server or compositor of the caller's own: root's program file, in a folder
 *   of the system and of a name that is listed, run as that uid; or
 * - one that root itself runs for the seat: of a listed name, on a virtual terminal, while the
 *   caller is the active user of the seat.
 * Returns 0, or -EPERM or -ESRCH with the sentence.
 */
int nice_check(const struct nice_request *r, const struct nice_target *t,
               const struct nice_caller *c, struct xcs_err *err) XCS_MUST_CHECK;

/* Does the text of a seat file of systemd-logind say ACTIVE_UID=uid? */
bool nice_seat_is_of(struct xcs_str seat, uid_t uid);

#endif
