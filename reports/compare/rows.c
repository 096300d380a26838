/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Boot values of a metric, on two sides.
 */
#include "compare_private.h"

#include <common/alloc.h>
#include <reports/blocks.h>
#include <reports/shift.h>

#include <math.h>
#include <stdlib.h>

/* Draws are the same each time the same runs are compared. */
#define SEED 1

void pair_boots_init(struct pair_boots *p, const struct xcs_campaign *c, size_t group)
{
	const struct xcs_campaign_group *sides[] = {&c->groups[0], &c->groups[group]};
	size_t n = sides[0]->n_boots + sides[1]->n_boots;
	int64_t *wall_ns = xcs_xcalloc(n + 1, sizeof(*wall_ns));

	*p = (struct pair_boots){.v = xcs_xcalloc(n + 1, sizeof(const void *)),
	                         .is_new = xcs_xcalloc(n + 1, sizeof(bool)),
	                         .block = xcs_xcalloc(n + 1, sizeof(int)),
	                         .n_base = sides[0]->n_boots};
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < sides[side]->n_boots; i++) {
			p->v[p->n] = &sides[side]->boots[i];
			p->is_new[p->n] = side;
			wall_ns[p->n++] = sides[side]->boots[i].wall_ns;
		}
	p->n_blocks = xcs_blocks_form(wall_ns, p->is_new, n, p->block);
	p->permutation = xcs_permutation_new(p->block, p->is_new, n, SEED);
	free(wall_ns);
}

void pair_boots_fini(struct pair_boots *p)
{
	free(p->v);
	free(p->is_new);
	free(p->block);
	xcs_permutation_free(p->permutation);
	*p = (struct pair_boots){0};
}

static struct xcs_num value_at(const struct xcs_campaign_boot *b, size_t cell, int metric)
{
	return b->v[cell * XCS_N_METRICS + (size_t)metric];
}

/* Where a value is 0 or below there is no geometric mean: the arithmetic one is shown then. */
static struct xcs_num boot_value(const struct xcs_campaign *c, const struct xcs_campaign_boot *b,
                                 int metric, const bool *mask)
{
	double logs = 0, sum = 0, n = 0;

	for (size_t cell = 0; cell < c->n_cells; cell++) {
		if (!mask[cell])
			continue;
		struct xcs_num v = value_at(b, cell, metric);
		if (!v.known)
			return v;
		logs += v.v > 0 ? log(v.v) : (double)-INFINITY;
		sum += v.v;
		n++;
	}
	if (n == 1)
		return xcs_num_of(sum);
	return n > 0 ? xcs_num_of(isfinite(logs) ? exp(logs / n) : sum / n) : (struct xcs_num){0};
}

/* Cells that at least half of the boots know; the boots that lack one of them drop out. */
static size_t choose_cells(const struct xcs_campaign *c, const struct pair_boots *boots,
                           const struct xcs_compare_row *row, bool *mask)
{
	size_t n_chosen = 0;

	for (size_t cell = 0; cell < c->n_cells; cell++) {
		size_t n_known = 0;
		for (size_t i = 0; i < boots->n; i++)
			n_known += value_at(boots->v[i], cell, row->metric).known;
		bool wanted = row->cell < 0 || (size_t)row->cell == cell;
		mask[cell] = wanted && n_known > 0 && 2 * n_known >= boots->n;
		n_chosen += mask[cell];
	}
	return n_chosen;
}

static struct xcs_compare_heaps heaps_of(const struct xcs_num *ascending, size_t n)
{
	struct xcs_compare_heaps h = {0};
	double *v = xcs_xcalloc(n + 1, sizeof(*v));
	size_t n_low;

	for (size_t i = 0; i < n; i++)
		v[i] = ascending[i].v;
	if (xcs_two_clusters(v, n, &n_low))
		h = (struct xcs_compare_heaps){.n_low = n_low,
		                               .n_high = n - n_low,
		                               .low = xcs_median(v, n_low).v,
		                               .high = xcs_median(v + n_low, n - n_low).v};
	free(v);
	return h;
}

/* The boots that have a value. */
struct subset {
	double *v;
	int *block;
	bool *is_new;
	size_t n;
};

static void take_values(const struct xcs_campaign *c, const struct pair_boots *boots,
                        struct xcs_compare_row *row, struct subset *s)
{
	bool *mask = xcs_xcalloc(c->n_cells + 1, sizeof(*mask));
	struct xcs_num *sides[2] = {xcs_xcalloc(boots->n + 1, sizeof(struct xcs_num)),
	                            xcs_xcalloc(boots->n + 1, sizeof(struct xcs_num))};
	size_t n_side[2] = {0, 0};

	size_t n_constant = 0;
	row->n_cells = choose_cells(c, boots, row, mask);
	for (size_t i = 0; i < boots->n; i++) {
		struct xcs_num v = boot_value(c, boots->v[i], row->metric, mask);
		if (row->values)
			row->values[i] = v;
		if (!v.known)
			continue;
		sides[boots->is_new[i]][n_side[boots->is_new[i]]++] = v;
		s->v[s->n] = v.v;
		s->block[s->n] = boots->block[i];
		s->is_new[s->n++] = boots->is_new[i];
		n_constant += boots->v[i]->constant[row->metric];
	}
	row->constant = n_constant && 2 * n_constant >= s->n; /* one boot may be chance */
	row->base = xcs_spread_of(sides[0], n_side[0]);
	row->newer = xcs_spread_of(sides[1], n_side[1]);
	row->heaps[0] = heaps_of(sides[0], n_side[0]);
	row->heaps[1] = heaps_of(sides[1], n_side[1]);
	free(sides[0]);
	free(sides[1]);
	free(mask);
}

static void judge_subset(const struct subset *s, const struct pair_boots *boots, double margin_pct,
                         struct xcs_num stored_floor, size_t n_gates, struct xcs_judgement *j)
{
	struct xcs_permutation *own = NULL;
	struct xcs_layout l = {s->block, s->is_new, s->n, boots->permutation};

	if (s->n != boots->n)
		l.permutation = own = xcs_permutation_new(s->block, s->is_new, s->n, SEED);
	xcs_judge(&l, s->v, margin_pct, stored_floor, n_gates, j);
	xcs_permutation_free(own);
}

void compare_row(struct xcs_compare_row *row, const struct xcs_campaign *c,
                 const struct pair_boots *boots, double margin_pct, struct xcs_num stored_floor,
                 size_t n_gates)
{
	const char *id = xcs_metric((enum xcs_metric_id)row->metric)->id;
	struct subset s = {.v = xcs_xcalloc(boots->n + 1, sizeof(double)),
	                   .block = xcs_xcalloc(boots->n + 1, sizeof(int)),
	                   .is_new = xcs_xcalloc(boots->n + 1, sizeof(bool))};

	take_values(c, boots, row, &s);
	judge_subset(&s, boots, margin_pct > 0 ? margin_pct : xcs_margin_pct(id), stored_floor,
	             n_gates, &row->judged);
	free(s.v);
	free(s.block);
	free(s.is_new);
}
