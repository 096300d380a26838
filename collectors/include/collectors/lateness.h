/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How late samples came: a histogram whose percentiles are good to 1.6 %.
 */
#ifndef XCS_LATENESS_H
#define XCS_LATENESS_H

#include <common/histogram.h>
#include <record/table.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_lateness { /* a zeroed one is empty */
	struct xcs_histogram all;
};

void xcs_lateness_add(struct xcs_lateness *l, int64_t late_ns);

/* Nearest rank, in us; unknown under n_needed samples. */
struct xcs_num xcs_lateness_us(const struct xcs_lateness *l, double percent, int64_t n_needed);

/* The greatest, exact; unknown when there is none. */
struct xcs_num xcs_lateness_max_us(const struct xcs_lateness *l);

#ifdef __cplusplus
}
#endif
#endif
