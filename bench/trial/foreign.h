/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Who else ran: the processes outside the watched ones that used CPU during a trial.
 */
#ifndef FOREIGN_H
#define FOREIGN_H

#include <load/beside.h>
#include <load/load.h>

#include <collectors/discover.h>

struct foreign {
	struct xcs_process_list before; /* owned */
};

/* Takes stock of all processes. */
void foreign_look(struct foreign *f);

/* Fills trial->foreign with those of them that ran since, largest first, at most 5; the
 * server, its compositor, the load, what runs beside it, the sampler and we ourselves are not
 * foreign. */
void foreign_since(const struct foreign *f, const struct xcs_env *env, const struct load *load,
                   const struct beside *beside, const struct xserver *server,
                   struct xcs_run_trial *trial);
void foreign_fini(struct foreign *f);

#endif
