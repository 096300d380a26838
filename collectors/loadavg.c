/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "digits.h"

#include <collectors/loadavg.h>

#include <errno.h>

/* Reads "12.34" in hundredths. */
static const char *scan_centi(const char *p, const char *end, int64_t *out)
{
	int64_t whole, cents;

	p = xcs_scan_i64(p, end, &whole);
	if (!p || end - p < 3 || *p != '.' || whole < 0 || whole > INT64_MAX / 200)
		return NULL;
	if (!xcs_scan_i64(p + 1, p + 3, &cents))
		return NULL;
	*out = whole * 100 + cents;
	return p + 3;
}

int xcs_loadavg_parse(struct xcs_str text, struct xcs_loadavg *out)
{
	const char *p = text.p, *end = text.n ? text.p + text.n : text.p;
	struct xcs_loadavg v;

	*out = (struct xcs_loadavg){XCS_ABSENT, XCS_ABSENT, XCS_ABSENT,
	                            XCS_ABSENT, XCS_ABSENT, XCS_ABSENT};
	if (!text.n || !(p = scan_centi(p, end, &v.load1_centi)) ||
	    !(p = scan_centi(p, end, &v.load5_centi)) ||
	    !(p = scan_centi(p, end, &v.load15_centi)) ||
	    !(p = xcs_scan_i64(p, end, &v.n_running)) || p == end || *p != '/' ||
	    !(p = xcs_scan_i64(p + 1, end, &v.n_tasks)) ||
	    !(p = xcs_scan_i64(p, end, &v.last_pid)) || p == end || *p != '\n')
		return -EINVAL;
	*out = v;
	return 0;
}
