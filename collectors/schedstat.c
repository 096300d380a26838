/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "digits.h"

#include <collectors/schedstat.h>

#include <errno.h>

int xcs_schedstat_parse(struct xcs_str text, struct xcs_schedstat *out)
{
	const char *p = text.p, *end = text.n ? text.p + text.n : text.p;
	struct xcs_schedstat v;

	*out = (struct xcs_schedstat){XCS_ABSENT, XCS_ABSENT, XCS_ABSENT};
	if (!text.n || !(p = xcs_scan_i64(p, end, &v.exec_ns)) ||
	    !(p = xcs_scan_i64(p, end, &v.run_delay_ns)) ||
	    !(p = xcs_scan_i64(p, end, &v.timeslices)) || p == end || *p != '\n')
		return -EINVAL;
	*out = v;
	return 0;
}
