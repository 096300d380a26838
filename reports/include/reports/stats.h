/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Numbers in, numbers out. Unknown stays unknown through every function.
 */
#ifndef XCS_STATS_H
#define XCS_STATS_H

#include <record/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of the known among some values; n is their number, 0: unknown. */
struct xcs_spread {
	size_t n;
	double median, min, max;
};

struct xcs_num xcs_num_of(double v); /* known, unless v is no finite number */

/* Growth per second; unknown when either is XCS_ABSENT or no time passed. */
struct xcs_num xcs_rate_per_s(int64_t delta, int64_t dt_ns);

/* a / b, unknown for b = 0; a + b; a - b; a * factor. */
struct xcs_num xcs_num_ratio(struct xcs_num a, struct xcs_num b);
struct xcs_num xcs_num_plus(struct xcs_num a, struct xcs_num b);
struct xcs_num xcs_num_minus(struct xcs_num a, struct xcs_num b);
struct xcs_num xcs_num_times(struct xcs_num a, double factor);

/* Leaves out the unknown; v is sorted in place. An even number gives the mean of the middle two. */
struct xcs_spread xcs_spread_of(struct xcs_num *v, size_t n);
struct xcs_num xcs_spread_median(const struct xcs_spread *s);

/* Jain's fairness index (sum x)^2 / (n * sum x^2) (Jain, Chiu, Hawe, DEC-TR-301, 1984). */
struct xcs_num xcs_jain(const double *v, size_t n);

/*
 * Nearest-rank percentile of ascending values; unknown with fewer than n_needed of them (a
 * 99th percentile of 20 values would be their maximum under another name).
 */
struct xcs_num xcs_percentile(const int64_t *sorted, size_t n, double percent, size_t n_needed);

#ifdef __cplusplus
}
#endif
#endif
