/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a comparison rests on, for formats of data: the value of each boot in each cell.
 */
#include <common/alloc.h>
#include <reports/compare.h>

#include <stdio.h>
#include <string.h>

/* The campaign names it in the cell only: "xterm, nice -10, 2 hogs". */
static char *hogs_dup(const char *cell)
{
	const char *comma = strrchr(cell, ',');
	int n = 0, length = 0;

	if (!comma || sscanf(comma, ", %d hogs%n", &n, &length) != 1 || !length)
		n = 0;
	return xcs_xasprintf("%d", n);
}

static void boot_cell(struct xcs_doc *doc, const struct xcs_campaign *c,
                      const struct xcs_campaign_group *g, const struct xcs_campaign_boot *boot,
                      size_t cell)
{
	struct xcs_samples *into = xcs_doc_samples(doc);

	into->keys[XCS_SAMPLES_RUN] = xcs_xstrdup(boot->id);
	into->keys[XCS_SAMPLES_LABEL] = xcs_xstrdup(g->label);
	into->keys[XCS_SAMPLES_LOAD] = xcs_xstrdup(c->loads[cell]);
	into->keys[XCS_SAMPLES_X_NICE] = xcs_xasprintf("%d", c->nices[cell]);
	into->keys[XCS_SAMPLES_HOGS] = hogs_dup(c->cells[cell]);
	into->keys[XCS_SAMPLES_STATUS] = xcs_xstrdup("boot");
	for (int id = 0; id < XCS_N_METRICS; id++) {
		const struct xcs_metric *m = xcs_metric((enum xcs_metric_id)id);
		const struct xcs_sample sample = {m->id, m->unit, XCS_ABSENT,
		                                  boot->v[cell * XCS_N_METRICS + (size_t)id]};
		xcs_samples_add(into, &sample);
	}
}

void xcs_comparison_samples(const struct xcs_comparison *x, struct xcs_doc *doc)
{
	const struct xcs_campaign *c = x->campaign;

	for (size_t i = 0; i < c->n_groups; i++)
		for (size_t b = 0; b < c->groups[i].n_boots; b++)
			for (size_t cell = 0; cell < c->n_cells; cell++)
				boot_cell(doc, c, &c->groups[i], &c->groups[i].boots[b], cell);
}
