/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare_private.h"

#include <common/alloc.h>
#include <reports/blocks.h>
#include <reports/multiple.h>

#include <stdlib.h>
#include <string.h>

static void adjust(struct xcs_compare_row *rows, size_t n, void (*how)(struct xcs_num *, size_t))
{
	struct xcs_num *p = xcs_xcalloc(n + 1, sizeof(*p));

	for (size_t i = 0; i < n; i++)
		p[i] = rows[i].judged.p;
	how(p, n);
	for (size_t i = 0; i < n; i++)
		rows[i].judged.p_adjusted = p[i];
	free(p);
}

static void judge_gates(const struct xcs_comparison *x, struct xcs_compare_pair *pair,
                        const struct pair_boots *boots)
{
	const struct xcs_compare_settings *s = &x->settings;

	pair->n_gates = s->n_gates;
	for (size_t i = 0; i < s->n_gates; i++) {
		pair->gates[i] = (struct xcs_compare_row){
		        .metric = s->gates[i].metric,
		        .cell = s->gates[i].cell,
		        .values = xcs_xcalloc(boots->n + 1, sizeof(struct xcs_num))};
		compare_row(&pair->gates[i], x->campaign, boots, s->margin_pct,
		            s->gates[i].stored_floor, s->n_gates);
	}
	adjust(pair->gates, pair->n_gates, xcs_holm);
	for (size_t i = 0; i < s->n_gates; i++)
		pair->gates[i].verdict = xcs_judge_verdict(
		        &pair->gates[i].judged,
		        xcs_metric((enum xcs_metric_id)pair->gates[i].metric)->better);
}

static bool is_gate(const struct xcs_compare_settings *s, int metric, int cell)
{
	for (size_t i = 0; i < s->n_gates; i++)
		if (s->gates[i].metric == metric && s->gates[i].cell == cell)
			return true;
	return false;
}

static bool is_gate_metric(const struct xcs_compare_settings *s, int metric)
{
	for (size_t i = 0; i < s->n_gates; i++)
		if (s->gates[i].metric == metric)
			return true;
	return false;
}

static void add_other(const struct xcs_comparison *x, struct xcs_compare_pair *pair,
                      const struct pair_boots *boots, int metric, int cell)
{
	struct xcs_compare_row *row = &pair->others[pair->n_others];

	*row = (struct xcs_compare_row){.metric = metric, .cell = cell};
	compare_row(row, x->campaign, boots, 0, (struct xcs_num){0}, 1);
	if (row->base.n || row->newer.n)
		pair->n_others++;
}

/* Gates cell by cell, and what is no gate over all cells. */
static void describe_others(const struct xcs_comparison *x, struct xcs_compare_pair *pair,
                            const struct pair_boots *boots)
{
	const struct xcs_compare_settings *s = &x->settings;
	size_t n_cells = x->campaign->n_cells;

	pair->others = xcs_xcalloc(XCS_N_METRICS * (n_cells + 1), sizeof(*pair->others));
	for (int m = 0; m < XCS_N_METRICS; m++)
		for (size_t cell = 0; is_gate_metric(s, m) && cell < n_cells; cell++)
			if (n_cells > 1 && !is_gate(s, m, (int)cell))
				add_other(x, pair, boots, m, (int)cell);
	for (int m = 0; m < XCS_N_METRICS; m++)
		if (!is_gate(s, m, -1))
			add_other(x, pair, boots, m, -1);
	adjust(pair->others, pair->n_others, xcs_benjamini_hochberg);
}

static void stand(struct xcs_compare_pair *pair, enum xcs_compare_standing standing, char *why)
{
	free(pair->why);
	pair->standing = standing;
	pair->why = why;
	if (standing == XCS_STANDING_INVALID)
		pair->verdict = XCS_VERDICT_INVALID;
}

static bool no_gate_has_values(const struct xcs_compare_pair *pair)
{
	for (size_t i = 0; i < pair->n_gates; i++)
		if (pair->gates[i].base.n && pair->gates[i].newer.n)
			return false;
	return true;
}

/* One boot cannot be both kernels; its trials would be counted as two boots. */
static bool share_a_boot(const struct xcs_campaign_group *a, const struct xcs_campaign_group *b)
{
	for (size_t i = 0; i < a->n_boots; i++)
		for (size_t k = 0; k < b->n_boots; k++)
			if (strcmp(a->boots[i].id, b->boots[k].id) == 0 &&
			    strcmp(a->boots[i].id, XCS_BOOT_UNKNOWN) != 0)
				return true;
	return false;
}

static bool starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Rows at other nice values show nothing of the scheduler where renice has no effect. */
static bool renice_is_null(const struct xcs_comparison *x)
{
	const struct xcs_campaign *c = x->campaign;
	bool null = false, needed = false;

	for (size_t g = 0; g < c->n_groups; g++) {
		const struct xcs_known_fact *f = xcs_campaign_fact(&c->groups[g], "renice");
		for (size_t i = 0; f && i < f->n_values; i++)
			null = null || starts(f->values[i], "ineffective") ||
			       starts(f->values[i], "ignored");
	}
	for (size_t i = 0; i < x->settings.n_gates; i++)
		for (size_t cell = 0; cell < c->n_cells; cell++)
			if (x->settings.gates[i].cell < 0 ||
			    (size_t)x->settings.gates[i].cell == cell)
				needed = needed || c->nices[cell] != 0;
	return null && needed;
}

static void settle_standing(const struct xcs_comparison *x, struct xcs_compare_pair *pair)
{
	const struct xcs_campaign_group *base = &x->campaign->groups[0];
	const struct xcs_campaign_group *new = &x->campaign->groups[pair->group];

	if (!pair->n_base || !pair->n_new)
		stand(pair, XCS_STANDING_INVALID,
		      xcs_xasprintf("no complete run of %s", pair->n_base ? new->key : base->key));
	else if (x->settings.force_descriptive)
		stand(pair, XCS_STANDING_DESCRIPTIVE, xcs_xstrdup("no verdict was asked for"));
	else if (x->campaign->is_imported)
		stand(pair, XCS_STANDING_DESCRIPTIVE,
		      xcs_xstrdup("imported series, whose boots and environment are unknown"));
	else if (x->n_hard)
		stand(pair, XCS_STANDING_INVALID,
		      xcs_xstrdup("the runs differ in what must be alike; --force-descriptive "
		                  "shows them side by side"));
	else if (share_a_boot(base, new))
		stand(pair, XCS_STANDING_INVALID,
		      xcs_xstrdup("runs of one and the same boot stand on both sides"));
	else if (no_gate_has_values(pair))
		stand(pair, XCS_STANDING_DESCRIPTIVE,
		      xcs_xstrdup("no gate metric has values on both sides"));
	else if (renice_is_null(x))
		stand(pair, XCS_STANDING_INVALID,
		      xcs_xstrdup("renice had no effect, so the rows at other nice values tell "
		                  "nothing; gates at nice 0 (--gate lines:LOAD:0) can be judged"));
	else if (base->is_quick || new->is_quick)
		stand(pair, XCS_STANDING_DESCRIPTIVE, xcs_xstrdup("quick runs"));
	else if (pair->n_base < 2 || pair->n_new < 2)
		stand(pair, XCS_STANDING_SUGGESTIVE, xcs_xstrdup("one boot on a side"));
	else if (pair->n_base <= 2 && pair->n_new <= 2)
		stand(pair, XCS_STANDING_DESCRIPTIVE, xcs_xstrdup("two boots a side"));
}

static void settle_verdict(struct xcs_compare_pair *pair)
{
	size_t n[XCS_VERDICT_INVALID + 1] = {0};

	for (size_t i = 0; i < pair->n_gates; i++)
		n[pair->gates[i].verdict]++;
	pair->verdict = n[XCS_VERDICT_REGRESSION]                    ? XCS_VERDICT_REGRESSION
	                : n[XCS_VERDICT_IMPROVEMENT]                 ? XCS_VERDICT_IMPROVEMENT
	                : n[XCS_VERDICT_EQUIVALENT] == pair->n_gates ? XCS_VERDICT_EQUIVALENT
	                                                             : XCS_VERDICT_NOT_SHOWN;
}

static void judge_pair(const struct xcs_comparison *x, struct xcs_compare_pair *pair)
{
	const struct xcs_campaign_group *new = &x->campaign->groups[pair->group];
	struct pair_boots boots;

	pair_boots_init(&boots, x->campaign, pair->group);
	int64_t *wall_ns = xcs_xcalloc(boots.n + 1, sizeof(*wall_ns));
	for (size_t i = 0; i < boots.n; i++)
		wall_ns[i] = boots.v[i]->wall_ns;
	pair->n_base = boots.n_base;
	pair->n_new = boots.n - boots.n_base;
	pair->n_blocks = boots.n_blocks;
	pair->are_mixed = xcs_blocks_are_mixed(wall_ns, boots.is_new, boots.n);
	for (size_t i = 0; i < new->n_runs; i++)
		pair->n_rebooted += new->runs[i].rebooted;
	judge_gates(x, pair, &boots);
	describe_others(x, pair, &boots);
	settle_verdict(pair);
	settle_standing(x, pair);
	pair_boots_fini(&boots);
	free(wall_ns);
}

void xcs_compare(struct xcs_comparison *x, const struct xcs_campaign *c,
                 const struct xcs_compare_settings *settings)
{
	*x = (struct xcs_comparison){.campaign = c, .settings = *settings};
	compare_facts(x);
	x->n_pairs = c->n_groups ? c->n_groups - 1 : 0;
	x->pairs = xcs_xcalloc(x->n_pairs + 1, sizeof(*x->pairs));
	for (size_t i = 0; i < x->n_pairs; i++) {
		x->pairs[i].group = i + 1;
		judge_pair(x, &x->pairs[i]);
	}
}

void xcs_comparison_fini(struct xcs_comparison *x)
{
	for (size_t i = 0; i < x->n_hard; i++)
		free(x->hard[i]);
	for (size_t i = 0; i < x->n_soft; i++)
		free(x->soft[i]);
	for (size_t i = 0; i < x->n_pairs; i++) {
		for (size_t g = 0; g < x->pairs[i].n_gates; g++)
			free(x->pairs[i].gates[g].values);
		free(x->pairs[i].why);
		free(x->pairs[i].others);
	}
	free(x->hard);
	free(x->soft);
	free(x->pairs);
	*x = (struct xcs_comparison){0};
}

enum xcs_exit xcs_comparison_exit(const struct xcs_comparison *x)
{
	bool unjudged = x->n_pairs == 0;

	for (size_t i = 0; i < x->n_pairs; i++) {
		const struct xcs_compare_pair *p = &x->pairs[i];
		bool judged = p->standing == XCS_STANDING_JUDGED;
		if (judged && p->verdict == XCS_VERDICT_REGRESSION)
			return XCS_EXIT_REGRESSION;
		/* A kernel under which the machine went down has not passed. */
		unjudged = unjudged || !judged || p->n_rebooted;
	}
	return unjudged ? XCS_EXIT_CANNOT_JUDGE : XCS_EXIT_OK;
}
