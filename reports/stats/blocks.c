/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <reports/blocks.h>

#include <stdlib.h>

struct turn {
	int64_t wall_ns;
	size_t boot;
};

static int by_time(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	if (x->wall_ns != y->wall_ns)
		return x->wall_ns < y->wall_ns ? -1 : 1;
	return (x->boot > y->boot) - (x->boot < y->boot);
}

static struct turn *in_order(const int64_t *wall_ns, size_t n)
{
	struct turn *turns = xcs_xcalloc(n + 1, sizeof(*turns));

	for (size_t i = 0; i < n; i++)
		turns[i] = (struct turn){wall_ns[i], i};
	if (n)
		qsort(turns, n, sizeof(*turns), by_time);
	return turns;
}

size_t xcs_blocks_form(const int64_t *wall_ns, const bool *is_new, size_t n, int *block)
{
	struct turn *turns = in_order(wall_ns, n);
	size_t n_side[2] = {0, 0};
	int current = 0;

	for (size_t i = 0; i < n; i++) {
		block[turns[i].boot] = current;
		n_side[is_new[turns[i].boot]]++;
		if (n_side[0] >= 2 && n_side[1] >= 2) {
			current++;
			n_side[0] = n_side[1] = 0;
		}
	}
	if (current > 0 && (n_side[0] || n_side[1]))
		for (size_t i = 0; i < n; i++)
			block[i] -= block[i] == current;
	free(turns);
	return current > 0 ? (size_t)current : n > 0;
}

bool xcs_blocks_are_mixed(const int64_t *wall_ns, const bool *is_new, size_t n)
{
	struct turn *turns = in_order(wall_ns, n);
	int n_changes = 0;

	for (size_t i = 1; i < n; i++)
		n_changes += is_new[turns[i].boot] != is_new[turns[i - 1].boot];
	free(turns);
	return n <= 4 || n_changes > 1;
}
