/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How late samples came, in memory that does not grow with their number: a histogram whose
 * buckets are 1/32 of a power of two wide, so that a percentile is good to 3 %.
 */
#ifndef XCS_LATENESS_H
#define XCS_LATENESS_H

#include <record/table.h>

#ifdef __cplusplus
extern "C" {
#endif

#define XCS_LATENESS_STEPS   32 /* per power of two */
#define XCS_LATENESS_BUCKETS (XCS_LATENESS_STEPS * 37)

struct xcs_lateness {
	uint32_t n[XCS_LATENESS_BUCKETS];
	int64_t n_all, max_ns;
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
