/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <reports/multiple.h>

#include <math.h>
#include <stdlib.h>

static int by_p(const void *a, const void *b)
{
	const struct xcs_num *const *x = a, *const *y = b;

	return ((*x)->v > (*y)->v) - ((*x)->v < (*y)->v);
}

/* The known ones in ascending order; the caller frees the array. */
static struct xcs_num **ordered(struct xcs_num *p, size_t n, size_t *n_known)
{
	struct xcs_num **order = xcs_xcalloc(n + 1, sizeof(*order));

	*n_known = 0;
	for (size_t i = 0; i < n; i++)
		if (p[i].known)
			order[(*n_known)++] = &p[i];
	qsort(order, *n_known, sizeof(*order), by_p);
	return order;
}

void xcs_holm(struct xcs_num *p, size_t n)
{
	size_t m;
	struct xcs_num **order = ordered(p, n, &m);
	double before = 0;

	for (size_t i = 0; i < m; i++) {
		before = fmax(before, fmin(1, order[i]->v * (double)(m - i)));
		order[i]->v = before;
	}
	free(order);
}

void xcs_benjamini_hochberg(struct xcs_num *p, size_t n)
{
	size_t m;
	struct xcs_num **order = ordered(p, n, &m);
	double after = 1;

	for (size_t i = m; i-- > 0;) {
		after = fmin(after, order[i]->v * (double)m / (double)(i + 1));
		order[i]->v = after;
	}
	free(order);
}
