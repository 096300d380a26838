/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The profile "controlled": settings of the machine and of the X server's screen that disturb a
 * measurement, set for the time of the run by the guard, which puts them back.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include <display/xserver.h>

#include <common/env.h>
#include <guard/guard.h>
#include <record/run.h>

/*
 * Sets what this machine has and adds to run->knobs, those that cannot be set with the reason.
 * -EBUSY when another run holds settings.
 */
int profile_set(struct guard *g, const struct xcs_env *env, struct xcs_run *run,
                struct xcs_err *err) XCS_MUST_CHECK;

/* The same for the screen of a server that was identified, spoken to as its user. The facts
 * server.screensaver_s and server.dpms become what was set. */
int profile_set_screen(struct guard *g, const struct xcs_env *env, const struct xserver *x,
                       struct xcs_run *run, struct xcs_err *err) XCS_MUST_CHECK;

/* Notes each setting that is no longer what the run made it; x: as above. */
void profile_check(const struct xcs_env *env, const struct xserver *x, struct xcs_run *run);

/* Puts everything back ahead of the guard's end and records what each setting is then. What
 * cannot be put back is a note, and guard_finish tries again. */
void profile_put_back(struct guard *g, const struct xcs_env *env, const struct xserver *x,
                      struct xcs_run *run);

/* Adds what profile_set would change, and what is so already, a line each; and that the screen's
 * settings follow when its server is known. */
void profile_describe(const struct xcs_env *env, struct xcs_buf *into);

#endif
