/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <reports/campaign.h>

#include <stdlib.h>

static void run_fini(struct xcs_campaign_run *r)
{
	free(r->dir);
	free(r->id);
	free(r->left_out);
	free(r->boot_id);
}

static void boot_fini(struct xcs_campaign_boot *b)
{
	free(b->id);
	free(b->v);
	free(b->trials);
}

static void fact_fini(struct xcs_known_fact *f)
{
	free(f->key);
	for (size_t i = 0; i < f->n_values; i++)
		free(f->values[i]);
}

static void group_fini(struct xcs_campaign_group *g)
{
	for (size_t i = 0; i < g->n_runs; i++)
		run_fini(&g->runs[i]);
	for (size_t i = 0; i < g->n_boots; i++)
		boot_fini(&g->boots[i]);
	for (size_t i = 0; i < g->n_facts; i++)
		fact_fini(&g->facts[i]);
	free(g->label);
	free(g->key);
	free(g->runs);
	free(g->boots);
	free(g->facts);
}

static void strings_fini(char **v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(v[i]);
	free(v);
}

void xcs_campaign_fini(struct xcs_campaign *c)
{
	for (size_t i = 0; i < c->n_groups; i++)
		group_fini(&c->groups[i]);
	strings_fini(c->cells, c->n_cells);
	strings_fini(c->loads, c->n_cells);
	strings_fini(c->warnings, c->n_warnings);
	free(c->nices);
	free(c->groups);
	free(c->scenario);
	*c = (struct xcs_campaign){0};
}
