/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "digits.h"

#include <collectors/schedstat.h>

#include <errno.h>
#include <string.h>

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

enum {
	VERSION_MIN = 15,
	RUN_NS_AT = 7 /* of the numbers behind "cpuN" */
};

/* Reads "cpuN ..."; false when the line is another. */
static bool read_cpu(struct xcs_str line, int *cpu, int64_t *run_ns)
{
	const char *p = line.p, *end = line.p + line.n;
	int64_t v = 0;

	if (line.n < 4 || memcmp(p, "cpu", 3) != 0 || !(p = xcs_scan_i64(p + 3, end, &v)) ||
	    v < 0 || v >= CPU_SETSIZE)
		return false;
	*cpu = (int)v;
	for (int i = 0; i < RUN_NS_AT; i++)
		if (!(p = xcs_scan_i64(p, end, run_ns)))
			return false;
	return true;
}

int xcs_schedstat_parse_cpus(struct xcs_str text, const struct xcs_cpuset *set, int64_t *run_ns)
{
	static const char head[] = "version ";
	struct xcs_str line, rest = text;
	int64_t version, one, sum = 0;
	int cpu, n = 0, n_wanted = xcs_cpuset_count(set);

	*run_ns = XCS_ABSENT;
	if (!text.n || text.p[text.n - 1] != '\n' || !xcs_str_next_line(&rest, &line) ||
	    line.n < sizeof(head) || memcmp(line.p, head, sizeof(head) - 1) != 0 ||
	    !xcs_scan_i64(line.p + sizeof(head) - 1, line.p + line.n, &version) ||
	    version < VERSION_MIN)
		return -EINVAL;
	while (xcs_str_next_line(&rest, &line)) {
		if (!read_cpu(line, &cpu, &one) ||
		    (n_wanted && !CPU_ISSET((size_t)cpu, &set->mask)))
			continue;
		if (one < 0 || __builtin_add_overflow(sum, one, &sum))
			return -EINVAL;
		n++;
	}
	if (n == 0 || (n_wanted && n != n_wanted))
		return -EINVAL;
	*run_ns = sum;
	return 0;
}
