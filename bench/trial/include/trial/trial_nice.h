/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The nice of the server, and of a chain that of its compositor too: set before a trial,
 * and found there behind it.
 */
#ifndef TRIAL_NICE_H
#define TRIAL_NICE_H

#include <trial/trial.h>

/* The one nice value of all threads of each; unknown when they differ, or there is none. */
struct trial_nice {
	struct xcs_num server, compositor;
};

/* Are levels given to autogroups (--autogroup=nice)? */
bool trial_nice_by_group(const struct trial_place *p);

/* Moves the threads, or the autogroups where those rule; nothing in relative mode, in which
 * the load moves instead. Returns 0 or -errno: -ESRCH also when a known compositor ended. */
int trial_nice_set(const struct trial_place *p, int nice, struct xcs_err *err) XCS_MUST_CHECK;

struct trial_nice trial_nice_read(const struct trial_place *p);

/* Had all that were moved that nice value through the window? Others renice too. In relative
 * mode they are where their user put them, as long as they stay there. Why not, in *why. */
bool trial_nice_broken(const struct trial_place *p, int nice, const struct trial_nice *before,
                       const struct trial_nice *after, struct xcs_buf *why);

/* Have clients and feeders that still run the nice value they were started with? Daemons
 * renice terminals, too. A terminal's server, which we did not start, is left out. */
bool trial_nice_load_broken(const struct load *load, struct xcs_buf *why);

#endif
