/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a run may set on the machine, each a kind of its own: a journal names the kind and
 * never a file, so a forged one cannot make root write any other.
 */
#ifndef KNOB_H
#define KNOB_H

#include "undo.h"

#include <guard/guard.h>

enum undo_kind knob_kind(enum guard_knob knob);

/* The item of a setting; path is borrowed. */
struct undo_item knob_item(const struct guard_setting *s);

/* Is this kind a setting, and so nobody's but root's to put back? */
bool knob_is(enum undo_kind kind);

/* "/sys/devices/system/cpu/intel_pstate/no_turbo"; index is that of a cpufreq policy. */
void knob_path(enum undo_kind kind, int index, char out[128]);

/* The kind's read and write functions: 0 or -errno of the file. */
int knob_read(const struct xcs_env *env, const struct undo_item *item, struct undo_value *out);
int knob_write(const struct xcs_env *env, const struct undo_item *item, const struct undo_value *v);

/* What the profile "controlled" makes it. */
struct undo_value knob_target(enum undo_kind kind);

#endif
