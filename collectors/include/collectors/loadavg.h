/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The text of /proc/loadavg (fs/proc/loadavg.c).
 */
#ifndef XCS_LOADAVG_H
#define XCS_LOADAVG_H

#include <common/str.h>
#include <record/table.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_loadavg {
	int64_t load1_centi, load5_centi, load15_centi; /* hundredths, as printed */
	int64_t n_running, n_tasks;                     /* scheduling entities, a gauge */
	int64_t last_pid;
};

/* Returns 0, or -EINVAL when a field is missing. */
int xcs_loadavg_parse(struct xcs_str text, struct xcs_loadavg *out);

#ifdef __cplusplus
}
#endif
#endif
