/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The parts of a trial's figures that have files of their own. Private to reports/.
 */
#ifndef XCS_FIGURES_PRIVATE_H
#define XCS_FIGURES_PRIVATE_H

#include <reports/figures.h>

/* Shares of the busy loops; leaves all unknown where there are none. */
void xcs_hog_figures(struct xcs_figures *f, const struct xcs_window *w);

/* What a build and typing beside the load did. */
void xcs_beside_figures(struct xcs_figures *f, const struct xcs_window *w);

/* Fills f->acct. */
void xcs_account_figures(struct xcs_figures *f, const struct xcs_window *w);

#endif
