/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "facts.h"
#include "find.h"

#include <common/alloc.h>
#include <reports/campaign.h>
#include <reports/labels.h>
#include <reports/summary.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A counted trial until all runs are read: then its boot keeps the medians. */
struct xcs_campaign_trial {
	int cell;
	struct xcs_num v[XCS_N_METRICS];
};

static struct xcs_campaign_group *group_of(struct xcs_campaign *c, const char *label)
{
	for (size_t i = 0; i < c->n_groups; i++)
		if (strcmp(c->groups[i].label, label) == 0)
			return &c->groups[i];
	c->groups = xcs_xgrow(c->groups, c->n_groups, &c->cap_groups, sizeof(*c->groups));
	struct xcs_campaign_group *g = &c->groups[c->n_groups++];
	*g = (struct xcs_campaign_group){.label = xcs_xstrdup(label)};
	return g;
}

static struct xcs_campaign_boot *boot_of(struct xcs_campaign_group *g, const char *id)
{
	for (size_t i = g->n_boots; i-- > 0;)
		if (strcmp(g->boots[i].id, id) == 0)
			return &g->boots[i];
	g->boots = xcs_xgrow(g->boots, g->n_boots, &g->cap_boots, sizeof(*g->boots));
	struct xcs_campaign_boot *b = &g->boots[g->n_boots++];
	*b = (struct xcs_campaign_boot){.id = xcs_xstrdup(id), .wall_ns = INT64_MAX};
	return b;
}

static int cell_of(struct xcs_campaign *c, const struct xcs_run *run, int cell)
{
	const struct xcs_run_cell *at = &run->cells[cell];
	const char *load = run->loads[at->load].id;
	char *name = at->n_hogs
	                     ? xcs_xasprintf("%s, nice %d, %d hogs", load, at->x_nice, at->n_hogs)
	                     : xcs_xasprintf("%s, nice %d", load, at->x_nice);
	size_t i = 0;

	while (i < c->n_cells && strcmp(c->cells[i], name) != 0)
		i++;
	if (i < c->n_cells) {
		free(name);
		return (int)i;
	}
	size_t cap = c->cap_cells;
	c->cells = xcs_xgrow(c->cells, c->n_cells, &c->cap_cells, sizeof(*c->cells));
	if (c->cap_cells != cap) {
		c->loads = xcs_xrealloc(c->loads, c->cap_cells * sizeof(*c->loads));
		c->nices = xcs_xrealloc(c->nices, c->cap_cells * sizeof(*c->nices));
	}
	c->cells[c->n_cells] = name;
	c->loads[c->n_cells] = xcs_xstrdup(load);
	c->nices[c->n_cells] = at->x_nice;
	return (int)c->n_cells++;
}

static void take_trial(struct xcs_campaign *c, struct xcs_campaign_group *g,
                       const struct xcs_summary *s, size_t i)
{
	const struct xcs_run_trial *t = &s->run.trials[i];
	const char *id = s->run.boots[t->boot].boot_id;
	struct xcs_campaign_boot *b = boot_of(g, id ? id : XCS_BOOT_UNKNOWN);

	b->trials = xcs_xgrow(b->trials, b->n_all, &b->cap_all, sizeof(*b->trials));
	struct xcs_campaign_trial *into = &b->trials[b->n_all++];
	into->cell = cell_of(c, &s->run, t->cell);
	memcpy(into->v, s->trials[i].figures.v, sizeof(into->v));
	if (t->started_wall_ns && t->started_wall_ns < b->wall_ns)
		b->wall_ns = t->started_wall_ns;
	b->n_trials++;
}

static struct xcs_campaign_run *add_run(struct xcs_campaign_group *g, const char *dir)
{
	g->runs = xcs_xgrow(g->runs, g->n_runs, &g->cap_runs, sizeof(*g->runs));
	struct xcs_campaign_run *r = &g->runs[g->n_runs++];
	*r = (struct xcs_campaign_run){.dir = xcs_label_escape_dup(dir)};
	return r;
}

static void describe_run(struct xcs_campaign_run *r, const struct xcs_run *run)
{
	r->id = xcs_label_escape_dup(run->id);
	r->created_wall_ns = r->last_wall_ns = run->created_wall_ns;
	for (size_t i = 0; i < run->n_trials; i++)
		if (run->trials[i].started_wall_ns > r->last_wall_ns)
			r->last_wall_ns = run->trials[i].started_wall_ns;
	if (run->n_boots && run->boots[0].boot_id)
		r->boot_id = xcs_xstrdup(run->boots[0].boot_id);
	r->open = run->status == XCS_RUN_RUNNING;
	if (run->status == XCS_RUN_PARTIAL || run->status == XCS_RUN_VOID)
		r->left_out = xcs_xasprintf(
		        "%s: %s", run->status == XCS_RUN_VOID ? "void" : "incomplete",
		        run->status_reason ? run->status_reason : "the record does not say why");
	else if (r->open)
		r->left_out = xcs_xstrdup("incomplete: it never said that it ended");
}

static void warn_of(struct xcs_campaign *c, const struct xcs_summary *s)
{
	for (size_t i = 0; i < s->run.n_trials; i++) {
		if (!s->trials[i].problem)
			continue;
		c->warnings = xcs_xgrow(c->warnings, c->n_warnings, &c->cap_warnings,
		                        sizeof(*c->warnings));
		c->warnings[c->n_warnings++] = xcs_xstrdup(s->trials[i].problem);
	}
}

/* The label that the user gave, else the kernel, else what an import was called. */
static char *label_dup(const struct xcs_run *run, const char *given)
{
	const char *label = given ? given : xcs_facts_get(&run->host, "kernel.release");

	if (!label && run->n_boots)
		label = run->boots[0].kernel;
	if (!label)
		label = run->origin.label;
	return xcs_label_escape_dup(label ? label : "unknown kernel");
}

static void take_run(struct xcs_campaign *c, const struct xcs_summary *s, const char *given)
{
	char *label = label_dup(&s->run, given);
	struct xcs_campaign_group *g = group_of(c, label);
	struct xcs_campaign_run *r = add_run(g, s->dir);

	free(label);
	describe_run(r, &s->run);
	r->n_unreadable = s->n_unreadable;
	g->is_quick = g->is_quick || s->run.plan.quick;
	g->is_imported = s->run.origin.tool && (g->n_runs == 1 || g->is_imported);
	if (!c->scenario)
		c->scenario = xcs_xstrdup(s->run.plan.scenario ? s->run.plan.scenario : "no name");
	warn_of(c, s);
	if (r->left_out)
		return;
	facts_gather(g, &s->run);
	for (size_t i = 0; i < s->run.n_trials; i++)
		if (xcs_summary_counts(s, i))
			take_trial(c, g, s, i);
}

/* Runs in a folder of runs that cannot be read: shown with those beside them, and left out. */
struct unreadable {
	const struct found_run *found;
	char *why;
};

static void take_unreadable(struct xcs_campaign_group *g, const struct unreadable *u)
{
	struct xcs_campaign_run *r = add_run(g, u->found->dir);

	r->id = xcs_xstrdup("unknown");
	r->left_out = xcs_label_escape_dup(u->why);
}

/* 1: it cannot be read and was not named itself; the sentence is in err. */
static int load_run(struct xcs_campaign *c, const struct found_run *found, const char *given,
                    struct xcs_err *err)
{
	struct xcs_summary s;
	int rc = xcs_summary_load(&s, found->dir, err);

	if (rc)
		return found->named ? rc : 1;
	take_run(c, &s, given);
	xcs_summary_fini(&s);
	return 0;
}

static size_t n_runs(const struct xcs_campaign *c, size_t group)
{
	return group < c->n_groups ? c->groups[group].n_runs : 0;
}

/* The group that has grown since the counts were taken. */
static struct xcs_campaign_group *grown(struct xcs_campaign *c, const size_t *before, size_t n)
{
	for (size_t g = 0; g < c->n_groups; g++)
		if (n_runs(c, g) > (g < n ? before[g] : 0))
			return &c->groups[g];
	return NULL;
}

static int load_found(struct xcs_campaign *c, const struct found_runs *found, const char *given,
                      struct xcs_err *err)
{
	struct unreadable *bad = xcs_xcalloc(found->n + 1, sizeof(*bad));
	size_t *before = xcs_xcalloc(c->n_groups + 1, sizeof(*before));
	size_t n_bad = 0, n_before = c->n_groups;
	int rc = 0;

	for (size_t g = 0; g < n_before; g++)
		before[g] = n_runs(c, g);
	for (size_t i = 0; rc >= 0 && i < found->n; i++) {
		rc = load_run(c, &found->v[i], given, err);
		if (rc > 0)
			bad[n_bad++] = (struct unreadable){&found->v[i], xcs_xstrdup(err->text)};
	}
	struct xcs_campaign_group *group = grown(c, before, n_before);
	for (size_t i = 0; i < n_bad; i++) {
		if (group)
			take_unreadable(group, &bad[i]);
		free(bad[i].why);
	}
	free(bad);
	free(before);
	/* err still holds the sentence about the last one. */
	return rc < 0 ? rc : group ? 0 : -EINVAL;
}

static struct xcs_num median_in(const struct xcs_campaign_boot *b, int cell, int metric,
                                struct xcs_num *scratch, bool *constant)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n_all; i++)
		if (b->trials[i].cell == cell)
			scratch[n++] = b->trials[i].v[metric];
	struct xcs_spread s = xcs_spread_of(scratch, n);
	/* 0 and perfect fairness are ends of a scale, where values meet for good reason. */
	bool at_an_end = s.min == 0 || metric == XCS_METRIC_FAIRNESS;
	*constant = *constant || (s.n >= 3 && s.min == s.max && !at_an_end);
	return xcs_spread_median(&s);
}

static void settle_boot(const struct xcs_campaign *c, struct xcs_campaign_boot *b)
{
	struct xcs_num *scratch = xcs_xcalloc(b->n_all + 1, sizeof(*scratch));

	b->v = xcs_xcalloc(c->n_cells * XCS_N_METRICS + 1, sizeof(*b->v));
	for (size_t cell = 0; cell < c->n_cells; cell++)
		for (int m = 0; m < XCS_N_METRICS; m++)
			b->v[cell * XCS_N_METRICS + (size_t)m] =
			        median_in(b, (int)cell, m, scratch, &b->constant[m]);
	free(scratch);
	free(b->trials);
	b->trials = NULL;
	if (b->wall_ns == INT64_MAX)
		b->wall_ns = 0;
}

/* A later run of another boot: the machine went down under the one that never ended. */
static bool was_booted_after(const struct xcs_campaign *c, const struct xcs_campaign_run *r)
{
	for (size_t g = 0; g < c->n_groups; g++)
		for (size_t i = 0; i < c->groups[g].n_runs; i++) {
			const struct xcs_campaign_run *o = &c->groups[g].runs[i];
			if (o->boot_id && r->boot_id && strcmp(o->boot_id, r->boot_id) != 0 &&
			    o->created_wall_ns > r->created_wall_ns)
				return true;
		}
	return false;
}

static void explain_open_runs(struct xcs_campaign *c)
{
	for (size_t g = 0; g < c->n_groups; g++)
		for (size_t i = 0; i < c->groups[g].n_runs; i++) {
			struct xcs_campaign_run *r = &c->groups[g].runs[i];
			if (!r->open || !was_booted_after(c, r))
				continue;
			r->rebooted = true;
			free(r->left_out);
			r->left_out =
			        xcs_xasprintf("incomplete (rebooted after %.0f s)",
			                      (double)(r->last_wall_ns - r->created_wall_ns) / 1e9);
		}
}

/* Beside measured ones, imported groups carry it in their names. */
static void mark_imported(struct xcs_campaign *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_groups; i++)
		n += c->groups[i].is_imported;
	c->is_imported = n && n == c->n_groups;
	for (size_t i = 0; i < c->n_groups && n && !c->is_imported; i++) {
		struct xcs_campaign_group *g = &c->groups[i];
		if (!g->is_imported)
			continue;
		char *marked = xcs_xasprintf("%s (imported)", g->label);
		free(g->label);
		g->label = marked;
	}
}

static void name_groups(struct xcs_campaign *c)
{
	const char **labels = xcs_xcalloc(c->n_groups + 1, sizeof(*labels));

	for (size_t i = 0; i < c->n_groups; i++)
		labels[i] = c->groups[i].label;
	for (size_t i = 0; i < c->n_groups; i++)
		c->groups[i].key = xcs_label_key_dup(labels, c->n_groups, i);
	free(labels);
}

int xcs_campaign_load(struct xcs_campaign *c, const struct xcs_campaign_source *sources, size_t n,
                      struct xcs_err *err)
{
	int rc = 0;

	*c = (struct xcs_campaign){0};
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct found_runs found = {0};
		rc = find_runs(sources[i].path, &found, err);
		if (rc == 0)
			rc = load_found(c, &found, sources[i].label, err);
		find_runs_fini(&found);
	}
	explain_open_runs(c);
	mark_imported(c);
	name_groups(c);
	for (size_t g = 0; g < c->n_groups; g++)
		for (size_t b = 0; b < c->groups[g].n_boots; b++)
			settle_boot(c, &c->groups[g].boots[b]);
	return rc;
}

const struct xcs_known_fact *xcs_campaign_fact(const struct xcs_campaign_group *g, const char *key)
{
	for (size_t i = 0; i < g->n_facts; i++)
		if (strcmp(g->facts[i].key, key) == 0)
			return &g->facts[i];
	return NULL;
}
