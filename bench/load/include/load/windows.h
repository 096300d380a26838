/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Are the windows of the load on the screen, and do they draw? Off-screen windows draw
 * cheaper, so a trial with one is void. A child looks before the load begins and again when
 * it has paused: in between, it asks nothing of the server.
 */
#ifndef WINDOWS_H
#define WINDOWS_H

#include <load/load.h>

struct windows {
	struct xcs_child child;
	int in_fd, out_fd; /* its standard streams; 0: none */
};

/* Looks for the first time. Returns 0 or -errno; windows_stop must follow. */
int windows_start(struct windows *w, const struct load *load, const struct xserver *server,
                  struct watch *watch, struct xcs_err *err) XCS_MUST_CHECK;

/* Looks again and stores what became of each window in trial->windows. 0 or -errno. */
int windows_finish(struct windows *w, struct watch *watch, struct xcs_run_trial *trial,
                   struct xcs_err *err) XCS_MUST_CHECK;

void windows_stop(struct windows *w);

/* Size of the screen as the server told (facts of the run). */
void windows_screen(const struct xcs_run *run, int *width_px, int *height_px);

#endif
