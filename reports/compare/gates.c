/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which metrics are gates, and how far they lie apart where nothing differs.
 */
#include "compare_private.h"

#include <common/alloc.h>
#include <common/str.h>
#include <reports/shift.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * What a person at the desktop notices comes first. Two that have values are taken: throughput
 * needs frames beside it, and each more costs power (with three blocks a shift of 10 % at a
 * boot SD of 3 % is found in 97, 91, 78 % of cases with one, two, three gates).
 */
#define DEFAULT_GATES 2
static const char *const default_gates[] = {
        "lines",           "frames",           "command.real", "key_latency.p99",
        "pointer_latency", "server.run_delay", "round_trip",   "fairness",
};

static bool has_values(const struct xcs_campaign *c, int metric)
{
	for (size_t g = 0; g < c->n_groups; g++)
		for (size_t b = 0; b < c->groups[g].n_boots; b++)
			for (size_t cell = 0; cell < c->n_cells; cell++)
				if (c->groups[g]
				            .boots[b]
				            .v[cell * XCS_N_METRICS + (size_t)metric]
				            .known)
					return true;
	return false;
}

static int add_gate(struct xcs_compare_settings *s, int metric, int cell, struct xcs_err *err)
{
	if (s->n_gates == XCS_GATES_MAX)
		return xcs_err_set(err, -EINVAL,
		                   "more than %d gate metrics: with so many tests three blocks of "
		                   "boots can show nothing; name those that matter",
		                   XCS_GATES_MAX);
	s->gates[s->n_gates++] = (struct xcs_compare_gate){.metric = metric, .cell = cell};
	return 0;
}

/* "LOAD:NICE" */
static int find_cell(const struct xcs_campaign *c, struct xcs_str text)
{
	struct xcs_str load;
	int64_t nice;

	if (!xcs_str_next_part(&text, ':', &load) || xcs_str_i64(text, &nice))
		return -1;
	for (size_t i = 0; i < c->n_cells; i++)
		if (xcs_str_is(load, c->loads[i]) && c->nices[i] == nice)
			return (int)i;
	return -1;
}

static int parse_gate(struct xcs_compare_settings *s, const struct xcs_campaign *c,
                      struct xcs_str word, struct xcs_err *err)
{
	struct xcs_str id = {word.p, 0}, rest = word;
	int cell = -1;

	xcs_str_next_part(&rest, ':', &id);
	char *name = xcs_xasprintf("%.*s", (int)id.n, id.p);
	int metric = xcs_metric_find(name);
	free(name);
	if (metric < 0)
		return xcs_err_set(err, -EINVAL,
		                   "--gate: '%.*s' is no metric; the JSON of a report names them "
		                   "all",
		                   (int)id.n, id.p);
	if (xcs_metric((enum xcs_metric_id)metric)->better == XCS_BETTER_NONE)
		return xcs_err_set(err, -EINVAL,
		                   "--gate: '%.*s' has no better direction, so it cannot regress",
		                   (int)id.n, id.p);
	if (id.n < word.n) {
		cell = find_cell(c, rest);
		if (cell < 0)
			return xcs_err_set(err, -EINVAL,
			                   "--gate: there is no cell '%.*s'; give LOAD:NICE as in "
			                   "the report of a run",
			                   (int)rest.n, rest.p);
	}
	return add_gate(s, metric, cell, err);
}

int xcs_compare_choose_gates(struct xcs_compare_settings *s, const struct xcs_campaign *c,
                             const char *list, struct xcs_err *err)
{
	struct xcs_str rest = xcs_str(list), word;
	int rc = 0;

	while (rc == 0 && xcs_str_next_part(&rest, ',', &word))
		rc = parse_gate(s, c, word, err);
	for (size_t i = 0; !list && i < ARRAY_LEN(default_gates); i++) {
		int metric = xcs_metric_find(default_gates[i]);
		if (metric >= 0 && s->n_gates < DEFAULT_GATES && has_values(c, metric))
			rc = add_gate(s, metric, -1, err);
	}
	return rc;
}

/* A group split in two as if it were two kernels: boot 0 and 3 of each four against 1 and 2. */
static struct xcs_num split_shift(const struct xcs_campaign *aa, size_t group,
                                  const struct xcs_compare_gate *gate)
{
	struct xcs_campaign_group *g = &aa->groups[group];
	struct pair_boots boots = {.v = xcs_xcalloc(g->n_boots + 1, sizeof(const void *)),
	                           .is_new = xcs_xcalloc(g->n_boots + 1, sizeof(bool)),
	                           .block = xcs_xcalloc(g->n_boots + 1, sizeof(int)),
	                           .n = g->n_boots};
	struct xcs_compare_row row = {.metric = gate->metric, .cell = gate->cell};

	for (size_t i = 0; i < g->n_boots; i++) {
		boots.v[i] = &g->boots[i];
		boots.is_new[i] = i % 4 == 1 || i % 4 == 2;
		boots.block[i] = (int)(i / 4);
	}
	boots.permutation = xcs_permutation_new(boots.block, boots.is_new, boots.n, 1);
	compare_row(&row, aa, &boots, 0, (struct xcs_num){0}, 1);
	pair_boots_fini(&boots);
	return row.judged.shift_pct;
}

static int cell_in(const struct xcs_campaign *of, int cell, const struct xcs_campaign *in)
{
	for (size_t i = 0; cell >= 0 && i < in->n_cells; i++)
		if (strcmp(in->cells[i], of->cells[cell]) == 0)
			return (int)i;
	return -1;
}

void xcs_compare_learn_floors(struct xcs_compare_settings *s, const struct xcs_campaign *c,
                              const struct xcs_campaign *aa, size_t n_aa)
{
	size_t n_all = 0;

	for (size_t a = 0; a < n_aa; a++)
		n_all += aa[a].n_groups;
	double *shifts = xcs_xcalloc(n_all + 1, sizeof(*shifts));
	for (size_t i = 0; i < s->n_gates; i++) {
		size_t n = 0;
		for (size_t a = 0; a < n_aa; a++)
			for (size_t g = 0; g < aa[a].n_groups; g++) {
				struct xcs_compare_gate gate = s->gates[i];
				gate.cell = cell_in(c, gate.cell, &aa[a]);
				if (s->gates[i].cell >= 0 && gate.cell < 0)
					continue;
				struct xcs_num shift = split_shift(&aa[a], g, &gate);
				if (shift.known)
					shifts[n++] = xcs_log_of_pct(shift.v);
			}
		s->gates[i].stored_floor = xcs_aa_floor_stored(shifts, n);
	}
	free(shifts);
}
