/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which process is the terminal? The child that we start may be a wrapper, or hand its
 * window to a server that ran before it. The feeder knows: its parents are the terminal's.
 */
#ifndef LOAD_TERMINAL_H
#define LOAD_TERMINAL_H

#include <load/load.h>

/*
 * Finds the terminal of a client whose feeder has announced itself, and has the guard own
 * it where it is not the client's child. Returns 0 or -errno; -EINVAL, with the sentence,
 * for one that is not ours: not started by this client, or already the terminal of another.
 */
int load_find_terminal(const struct load *l, struct load_client *c,
                       struct xcs_err *err) XCS_MUST_CHECK;

/*
 * Waits so long for the client's child to end, without reaping it, and then ends its whole
 * process group: wrappers and toolkits leave helpers behind. The child was told to end.
 */
void load_end_group(const struct load_client *c, int64_t grace_ns);

/* Notes in the run when a terminal has not the size in characters that was asked for. */
void load_check_size(const struct load *l, struct xcs_run *run);

#endif
