/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "references.h"

#include <common/alloc.h>

#include <stdlib.h>

static void sentences(struct xcs_section *section, const char *lead, char *const *v, size_t n)
{
	if (n)
		xcs_doc_paragraph(section, "%s", lead);
	for (size_t i = 0; i < n; i++)
		xcs_doc_item(section, "%s", v[i]);
}

static size_t count_figures(const struct xcs_reference_experiment *e)
{
	size_t n = 0;

	for (size_t r = 0; r < e->n_rows; r++)
		for (size_t f = 0; f < e->rows[r].n_figures; f++)
			n += e->rows[r].figures[f].n_values;
	return n;
}

static void explain_experiment(const struct xcs_reference_experiment *e,
                               const struct xcs_reference *set, struct xcs_doc *doc)
{
	char *id = xcs_xasprintf("%s.%s", set->name, e->id);
	char *heading =
	        xcs_xasprintf("%s (%s): %s", e->id, e->date ? e->date : "no date", e->title);
	struct xcs_section *section = xcs_doc_section(doc, id, heading);

	xcs_doc_fact(section, "source", "Source", e->source);
	xcs_doc_fact(section, "date", "Date", e->date);
	xcs_doc_fact(section, "kernels", "Kernels", e->kernels);
	xcs_doc_fact(section, "machine", "Machine", e->machine);
	xcs_doc_fact(section, "workload", "Workload", e->workload);
	xcs_doc_fact(section, "method", "Method", e->method);
	xcs_doc_fact_num(section, "rows", "Rows", xcs_num_of((double)e->n_rows), 0, "");
	xcs_doc_fact_num(section, "figures", "Figures", xcs_num_of((double)count_figures(e)), 0,
	                 "");
	sentences(section, "Claimed there:", e->claims, e->n_claims);
	sentences(section, "Can be compared with a run of today:", e->comparable, e->n_comparable);
	sentences(section, "Cannot:", e->not_comparable, e->n_not_comparable);
	free(heading);
	free(id);
}

void references_explain(const struct xcs_reference *set, struct xcs_doc *doc)
{
	struct xcs_section *section = xcs_doc_section(doc, set->name, set->name);

	xcs_doc_paragraph(section, "%s.", set->title);
	if (set->explanation)
		xcs_doc_paragraph(section, "%s", set->explanation);
	xcs_doc_paragraph(section, "To print a run's rows next to these:");
	char *command = xcs_xasprintf("xcsbench report RUN --beside %s", set->name);
	xcs_doc_command(section, command);
	free(command);
	for (size_t i = 0; i < set->n_experiments; i++)
		explain_experiment(&set->experiments[i], set, doc);
}
