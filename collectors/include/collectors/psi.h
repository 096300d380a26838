/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The text of /proc/pressure/cpu, memory or io (kernel/sched/psi.c), from 4.20 on. What it
 * does not say ("full" of cpu before 5.13) is XCS_ABSENT.
 */
#ifndef XCS_PSI_H
#define XCS_PSI_H

#include <common/str.h>
#include <record/table.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_psi {
	int64_t some_total_us; /* time in which some task was stalled, since boot */
	int64_t full_total_us;
};

/* Returns 0, or -EINVAL when there is neither a some nor a full line. */
int xcs_psi_parse(struct xcs_str text, struct xcs_psi *out);

#ifdef __cplusplus
}
#endif
#endif
