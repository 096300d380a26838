/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/cpuset.h>

#include <errno.h>
#include <string.h>

static int parse_range(struct xcs_str range, struct xcs_cpuset *out)
{
	struct xcs_str first, last;
	uint64_t from, to;

	bool single = !memchr(range.p, '-', range.n);

	if (!xcs_str_next_part(&range, '-', &first))
		return -EINVAL;
	last = single ? first : range;
	if (xcs_str_u64(first, &from) || xcs_str_u64(last, &to) || from > to || to >= CPU_SETSIZE)
		return -EINVAL;
	for (uint64_t cpu = from; cpu <= to; cpu++)
		CPU_SET((size_t)cpu, &out->mask);
	return 0;
}

int xcs_cpuset_parse(struct xcs_str text, struct xcs_cpuset *out, struct xcs_err *err)
{
	struct xcs_str rest = xcs_str_trim(text), range;

	CPU_ZERO(&out->mask);
	while (xcs_str_next_part(&rest, ',', &range))
		if (parse_range(range, out))
			return xcs_err_set(err, -EINVAL,
			                   "'%.*s' is not a list of CPUs; give one such as 0,2-3",
			                   (int)(text.n < 80 ? text.n : 80), text.p);
	if (!xcs_cpuset_count(out))
		return xcs_err_set(err, -EINVAL,
		                   "the list of CPUs is empty; give one such as 0,2-3");
	return 0;
}

void xcs_cpuset_format(const struct xcs_cpuset *set, struct xcs_buf *into)
{
	const char *comma = "";

	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET((size_t)cpu, &set->mask))
			continue;
		int last = cpu;
		while (last + 1 < CPU_SETSIZE && CPU_ISSET((size_t)(last + 1), &set->mask))
			last++;
		xcs_buf_printf(into, last > cpu ? "%s%d-%d" : "%s%d", comma, cpu, last);
		comma = ",";
		cpu = last;
	}
}

char *xcs_cpuset_format_dup(const struct xcs_cpuset *set)
{
	struct xcs_buf b = {0};

	xcs_cpuset_format(set, &b);
	return xcs_buf_take(&b);
}

int xcs_cpuset_count(const struct xcs_cpuset *set)
{
	return CPU_COUNT(&set->mask);
}

int xcs_cpuset_last(const struct xcs_cpuset *set)
{
	int cpu = CPU_SETSIZE - 1;

	while (cpu >= 0 && !CPU_ISSET((size_t)cpu, &set->mask))
		cpu--;
	return cpu;
}

int xcs_cpuset_allowed(struct xcs_cpuset *set, struct xcs_err *err)
{
	if (sched_getaffinity(0, sizeof(set->mask), &set->mask))
		return xcs_err_sys(err, -errno, "cannot read the CPUs this process may use");
	return 0;
}

struct xcs_cpuset xcs_cpuset_minus(const struct xcs_cpuset *set, const struct xcs_cpuset *without)
{
	struct xcs_cpuset left;

	CPU_AND(&left.mask, &set->mask, &without->mask);
	CPU_XOR(&left.mask, &left.mask, &set->mask);
	return left;
}
