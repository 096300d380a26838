/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which processes --comm and --cgroup mean just now.
 */
#ifndef XCS_SAMPLE_FIND_H
#define XCS_SAMPLE_FIND_H

#include "sample.h"

#include <common/env.h>

struct sample_pids {
	pid_t *v;
	size_t n, cap;
};

/* Adds to *out, whose memory sample_pids_fini frees. Returns 0 or -errno (no such cgroup). */
int sample_find(const struct xcs_env *env, const struct sample_options *o, struct sample_pids *out,
                struct xcs_err *err) XCS_MUST_CHECK;
void sample_pids_fini(struct sample_pids *pids);

#endif
