/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The one internal unit of time is int64 nanoseconds; this is where the others convert.
 */
#ifndef XCS_UNITS_H
#define XCS_UNITS_H

#include <common/err.h>
#include <common/str.h>

#ifdef __cplusplus
extern "C" {
#endif

#define XCS_NS_PER_US INT64_C(1000)
#define XCS_NS_PER_MS INT64_C(1000000)
#define XCS_NS_PER_S  INT64_C(1000000000)

double xcs_ns_to_s(int64_t ns);

/*
 * Reads a duration such as 500us, 10ms, 1.5s, 2m or 3 (seconds) into *ns. Returns 0 or
 * -EINVAL with the sentence in err; the value must be positive and below 10 days.
 */
int xcs_duration_parse(struct xcs_str text, int64_t *ns, struct xcs_err *err) XCS_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
