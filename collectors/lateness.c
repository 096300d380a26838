/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <collectors/lateness.h>

void xcs_lateness_add(struct xcs_lateness *l, int64_t late_ns)
{
	xcs_histogram_add(&l->all, late_ns);
}

struct xcs_num xcs_lateness_us(const struct xcs_lateness *l, double percent, int64_t n_needed)
{
	double ns;

	if (!xcs_histogram_at(&l->all, percent, n_needed, &ns))
		return (struct xcs_num){0};
	return (struct xcs_num){true, ns / 1e3};
}

struct xcs_num xcs_lateness_max_us(const struct xcs_lateness *l)
{
	return (struct xcs_num){l->all.n_all > 0, (double)l->all.max / 1e3};
}
