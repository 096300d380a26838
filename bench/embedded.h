/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which X server a run measures: the user's choice, what there is, and the fallbacks.
 */
#ifndef EMBEDDED_H
#define EMBEDDED_H

#include "runner.h"

/* Resolves --server and --screen into *kind (auto: the session's if DISPLAY is set, else the
 * dummy Xorg) and the size in *spec. Returns 0 or -errno. */
int embedded_choose(const struct run_options *o, struct xserver_spec *spec, enum xserver_kind *kind,
                    struct xcs_err *err) XCS_MUST_CHECK;

/* Starts the server of x->kind. Where the dummy Xorg was not asked for by name and cannot
 * start, starts Xvfb and notes so in the run. Returns 0 or -errno. */
int embedded_start(struct xserver *x, struct xserver_spec *spec, const struct run_options *o,
                   struct xcs_run *run, struct watch *watch, struct xcs_err *err) XCS_MUST_CHECK;

/* A session's server: refuses Xwayland without its compositor and a chain
 * without one, watches its end, binds it and its compositor if CPUs were given. */
int embedded_take_session(struct runner *r, struct xcs_err *err) XCS_MUST_CHECK;

#endif
