/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Are the windows of the load on the screen, and do they draw? Off-screen windows draw
 * cheaper, so a trial with one is void.
 */
#ifndef WINDOWS_H
#define WINDOWS_H

#include "load.h"

/* Looks at the window of each client and stores what it saw in trial->windows. Returns 0,
 * or -errno when nobody could look (a dead server). */
int windows_look(const struct load *load, const struct xserver *server, struct xcs_run_trial *trial,
                 struct xcs_err *err) XCS_MUST_CHECK;

/* Size of the screen as the server told (facts of the run). */
void windows_screen(const struct xcs_run *run, int *width_px, int *height_px);

#endif
