/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * X displays by their names, sockets and lock files, without speaking X: which are of this
 * machine, which are served, and which process says that it serves one. `tmp` is the
 * machine's /tmp, where servers put both kinds of files (Xserver(1), FILES).
 */
#ifndef DISPLAYS_H
#define DISPLAYS_H

#include <common/env.h>

#include <stdbool.h>
#include <sys/types.h>

#define DISPLAYS_TMP "/tmp"

/* ":1", "unix:1.0", or the path of a socket as libxcb takes it from 1.16 on; all others go
 * over a network, also to this machine. */
bool displays_is_local(const char *display);

/* N of a local display ":N.S", or of the path of its socket; -1: it has none. */
int displays_number(const char *display);

/* False when nothing listens on the sockets of that local display. */
bool displays_is_served(const char *tmp, const char *display);

/* Those that are served, as ":0, :99", or "none"; the caller frees it. */
char *displays_list_dup(const char *tmp);

/* Is that the name of a program that is an X server? */
bool displays_is_server_name(const char *comm);

/* The X server that the lock file of display `number` names. 0: there is no such file, or it
 * is stale: its process has ended, or is another program by now. */
pid_t displays_lock_holder(const char *tmp, const struct xcs_env *env, int number);

#endif
