/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The command lines of the load's clients, with every setting that matters pinned.
 */
#ifndef LOAD_ARGV_H
#define LOAD_ARGV_H

#include <load/load.h>
#include <load/terminal_words.h>

struct load_argv {
	const char *argv[96];
	const char *env[12];
	size_t n, n_env;
	char *owned[16];
	size_t n_owned;
	struct terminal_words words; /* of a terminal's template */
};

/* Client i of the load, with its feeder on its pty. Returns 0, or -EINVAL: a template. */
int load_argv_make(struct load_argv *a, const struct load_spec *s, const struct load_client *c,
                   int i, const char *socket_path, struct xcs_err *err) XCS_MUST_CHECK;
/* A client that runs a command without a feeder: its words up to the command, none for the
 * kind "pipe", which has no terminal. */
void load_argv_make_bare(struct load_argv *a, const struct load_spec *s, const char *title);
void load_argv_fini(struct load_argv *a);

#endif
