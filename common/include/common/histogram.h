/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A distribution of times in memory that does not grow with their number.
 *
 * Buckets. Values 0..63 have a bucket each. Above, every power of two is cut into 32 buckets
 * of equal width, so a bucket is at most 1/32 as wide as its lower end:
 *
 *     value              width   buckets
 *     0 ..           63      1     0 ..   63   exact
 *    64 ..          127      2    64 ..   95
 *   128 ..          255      4    96 ..  127
 *   ...
 *    2^k ..     2^(k+1)-1  2^(k-5)           32 per power of two, to 2^63 - 1
 *
 * Error. A quantile is given as the middle of its bucket, never above the greatest value:
 * it is off by at most half a width, 1/64 or 1.6 % of the value; below 64 it is exact. The
 * rank itself is exact. The greatest and the smallest value are kept as they came.
 *
 * Memory. 1888 counters of 64 bits, 15 KiB: it cannot overflow and needs no range set
 * before. Adding costs a count of leading zeros and two additions, no branch on the data.
 *
 * Merging adds the counters, so the merged histogram is the one that all values would have
 * given: quantiles of several trials come from it, never from a mean of quantiles.
 */
#ifndef XCS_HISTOGRAM_H
#define XCS_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define XCS_HISTOGRAM_STEPS   32 /* per power of two */
#define XCS_HISTOGRAM_BUCKETS (XCS_HISTOGRAM_STEPS * 59)

struct xcs_histogram { /* a zeroed one is empty */
	uint64_t n[XCS_HISTOGRAM_BUCKETS];
	int64_t n_all, min, max;
};

void xcs_histogram_add(struct xcs_histogram *h, int64_t v); /* below 0 counts as 0 */
void xcs_histogram_merge(struct xcs_histogram *into, const struct xcs_histogram *from);

/*
 * The value at that nearest rank into *v. False, leaving *v alone, when there are fewer than
 * n_needed values, or none.
 */
bool xcs_histogram_at(const struct xcs_histogram *h, double percent, int64_t n_needed, double *v);

/*
 * How many values a percentile needs before it is one: ten beyond it. That is 1,000 for the
 * 99th, 10,000 for the 99.9th; at and below the median any value will do.
 */
int64_t xcs_histogram_needs(double percent);

#ifdef __cplusplus
}
#endif
#endif
