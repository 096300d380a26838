/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The verb server: who serves this display, and what it offers.
 */
#ifndef XCS_SERVER_H
#define XCS_SERVER_H

#include <common/buf.h>
#include <common/err.h>

struct server_options {
	const char *display;
};

int server_options_read(struct server_options *options, int argc, char **argv);

/* Writes one "key value" line per fact into `out`. Returns 0 or -errno. */
int server_describe(const struct server_options *options, struct xcs_buf *out, struct xcs_err *err);

#endif
