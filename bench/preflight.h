/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `xcsbench doctor` would say, on the face of the run's report.
 */
#ifndef PREFLIGHT_H
#define PREFLIGHT_H

#include <record/run.h>

/* Notes every warning about the machine that the report does not tell in a place of its own. */
void preflight_note(struct xcs_run *run);

#endif
