/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The text of /proc/PID/task/TID/status (fs/proc/array.c). The kernel escapes newlines in
 * the name here, so no name can fake a field. What it does not say is XCS_ABSENT.
 */
#ifndef XCS_STATUS_H
#define XCS_STATUS_H

#include <common/str.h>
#include <record/table.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_status {
	char comm[64]; /* raw bytes, unescaped */
	int64_t tgid, tid;
	int64_t n_threads;
	int64_t voluntary_total, involuntary_total; /* from 2.6.23 */
};

/* Returns 0, or -EINVAL when the text holds none of these. A cut last line is not believed. */
int xcs_status_parse(struct xcs_str text, struct xcs_status *out);

#ifdef __cplusplus
}
#endif
#endif
