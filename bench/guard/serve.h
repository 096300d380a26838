/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The guard's life: serve its owner until that finishes or dies, then undo everything.
 */
#ifndef SERVE_H
#define SERVE_H

#include <common/env.h>

struct serve_spec {
	int socket_fd;
	const char *journals, *temp_parent;
	const char *tree_parent; /* or NULL */
};

/* Returns 0 when everything was undone, else -errno; err holds the sentence when there was no
 * owner left to tell it to. */
int serve(const struct xcs_env *env, const struct serve_spec *spec, struct xcs_err *err);

#endif
