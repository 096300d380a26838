/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the commands of a run need before its trials: their files, their texts, and how many
 * lines they write.
 */
#ifndef RUNNER_FILES_H
#define RUNNER_FILES_H

#include "runner.h"

/* Makes the run's tree, if it has one, expands the commands and counts their lines. Returns
 * 0 or -errno. */
int runner_make_files(struct runner *r, struct xcs_err *err) XCS_MUST_CHECK;

/* Removes the tree, unless it is to stay for other runs. */
void runner_remove_files(struct runner *r);

/* One trial of load i at X nice 0, before the blocks; true when it was valid. */
typedef bool (*runner_measure_fn)(struct runner *r, int cell, int attempt, void *data);

/* Grows the commands of loads of size "scaled" until each takes what the scenario says. */
void runner_calibrate(struct runner *r, runner_measure_fn measure, void *data);

#endif
