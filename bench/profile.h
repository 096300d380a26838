/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The profile "controlled": settings of the machine that disturb a measurement, set for the
 * time of the run by the guard, which puts them back.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include <common/env.h>
#include <guard/guard.h>
#include <record/run.h>

/*
 * Sets what this machine has and fills run->knobs, those that cannot be set with the reason;
 * a note says which. -EBUSY when another run holds settings.
 */
int profile_set(struct guard *g, const struct xcs_env *env, struct xcs_run *run,
                struct xcs_err *err) XCS_MUST_CHECK;

/* Notes each setting that is no longer what the run made it. */
void profile_check(const struct xcs_env *env, struct xcs_run *run);

/* Adds what profile_set would change, a line each. */
void profile_describe(const struct xcs_env *env, struct xcs_buf *into);

#endif
