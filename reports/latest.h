/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which run is meant when none is named. Private to reports/.
 */
#ifndef XCS_REPORT_LATEST_H
#define XCS_REPORT_LATEST_H

#include <common/err.h>

/* The newest run in the folder `runs` (run names sort by time); the caller frees it. NULL with
 * the sentence when there is none. */
char *report_latest_dup(const char *runs, struct xcs_err *err);

#endif
