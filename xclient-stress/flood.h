/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The verb flood: a terminal of our own that shows what a command writes.
 */
#ifndef XCS_FLOOD_H
#define XCS_FLOOD_H

#include <common/err.h>

#include <stdbool.h>

struct flood_options {
	const char *display, *name, *font, *geometry, *page;
	int columns, rows; /* 0: as many as fit the screen */
	int scroll, flush; /* enum text_scroll, enum text_flush */
	int report_fd;     /* -1: none */
	bool dump;
	const char *const *command; /* NULL-terminated */
};

/*
 * Reads the command line. Returns -1 to go on, else the exit status. options->command
 * points into argv.
 */
int flood_options_read(struct flood_options *options, int argc, char **argv);

/* Runs until the command ends, SIGTERM arrives or the window is closed. 0 or -errno. */
int flood_run(const struct flood_options *options, struct xcs_err *err);

#endif
