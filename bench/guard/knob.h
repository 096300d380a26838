/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The files of the machine that a run may set, each a kind of its own: a journal names the
 * kind and never a path, so a forged one cannot make root write any other file.
 */
#ifndef KNOB_H
#define KNOB_H

#include "undo.h"

#include <guard/guard.h>

enum undo_kind knob_kind(enum guard_knob knob);

/* Is this kind a setting of the whole machine? */
bool knob_is(enum undo_kind kind);

/* "/sys/devices/system/cpu/intel_pstate/no_turbo"; index is that of a cpufreq policy. */
void knob_path(enum undo_kind kind, int index, char out[128]);

/* The kind's read and write functions: 0 or -errno of the file. */
int knob_read(const struct xcs_env *env, const struct undo_item *item, struct undo_value *out);
int knob_write(const struct xcs_env *env, const struct undo_item *item, const struct undo_value *v);

/* What the profile "controlled" makes it. */
struct undo_value knob_target(enum undo_kind kind);

#endif
