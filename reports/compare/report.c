/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A comparison as a document.
 */
#include "compare_private.h"

#include <common/alloc.h>
#include <common/buf.h>

#include <locale.h>
#include <stdlib.h>
#include <string.h>

/* What everybody at a desktop feels; a regression of these is one for a tracker. */
static const char *const broad_metrics[] = {"lines", "frames", "command.real", "key_latency",
                                            "pointer_latency"};

static bool is_broad(int metric)
{
	const char *id = xcs_metric((enum xcs_metric_id)metric)->id;

	for (size_t i = 0; i < ARRAY_LEN(broad_metrics); i++)
		if (strncmp(id, broad_metrics[i], strlen(broad_metrics[i])) == 0)
			return true;
	return false;
}

static enum xcs_doc_verdict_kind kind_of(const struct xcs_compare_pair *p)
{
	static const enum xcs_doc_verdict_kind kinds[] = {
	        [XCS_VERDICT_REGRESSION] = XCS_DOC_VERDICT_REGRESSION,
	        [XCS_VERDICT_IMPROVEMENT] = XCS_DOC_VERDICT_IMPROVEMENT,
	        [XCS_VERDICT_EQUIVALENT] = XCS_DOC_VERDICT_EQUIVALENT,
	        [XCS_VERDICT_NOT_SHOWN] = XCS_DOC_VERDICT_NOT_SHOWN,
	        [XCS_VERDICT_INVALID] = XCS_DOC_VERDICT_INVALID,
	};

	return p->standing == XCS_STANDING_JUDGED ? kinds[p->verdict] : XCS_DOC_VERDICT_INVALID;
}

/* Of several pairs the one that weighs most: a regression, what is invalid, an improvement. */
static enum xcs_doc_verdict_kind heaviest(const struct xcs_comparison *x)
{
	static const enum xcs_doc_verdict_kind order[] = {
	        XCS_DOC_VERDICT_REGRESSION, XCS_DOC_VERDICT_INVALID, XCS_DOC_VERDICT_IMPROVEMENT,
	        XCS_DOC_VERDICT_NOT_SHOWN, XCS_DOC_VERDICT_EQUIVALENT};

	for (size_t o = 0; o < ARRAY_LEN(order); o++)
		for (size_t i = 0; i < x->n_pairs; i++)
			if (kind_of(&x->pairs[i]) == order[o])
				return order[o];
	return XCS_DOC_VERDICT_INVALID;
}

static void set_verdict(const struct xcs_comparison *x, struct xcs_doc *doc)
{
	struct xcs_doc_verdict v = {.kind = heaviest(x)};
	const struct xcs_campaign *c = x->campaign;

	for (size_t i = 0; i < x->n_pairs; i++) {
		const struct xcs_compare_pair *p = &x->pairs[i];
		for (size_t g = 0; p->standing == XCS_STANDING_JUDGED && g < p->n_gates; g++) {
			if (p->gates[g].verdict != XCS_VERDICT_REGRESSION)
				continue;
			v.gate_regressed = true;
			v.broad_regressed = v.broad_regressed || is_broad(p->gates[g].metric);
			if (!v.introduced && !x->settings.variable)
				v.introduced = xcs_xasprintf("%s..%s", c->groups[0].label,
				                             c->groups[p->group].label);
		}
	}
	xcs_doc_set_verdict(doc, &v);
	free(v.introduced);
}

static void face(const struct xcs_comparison *x, struct xcs_doc *doc)
{
	struct xcs_section *s = xcs_doc_section(doc, "face", "");

	for (size_t i = 0; i < x->n_pairs; i++) {
		char *sentence = compare_sentence_dup(x, &x->pairs[i]);
		xcs_doc_paragraph(s, "%s", sentence);
		free(sentence);
	}
	compare_remarks(x, s);
}

void compare_environment(const struct xcs_comparison *x, struct xcs_doc *doc)
{
	struct xcs_section *s =
	        xcs_doc_section(doc, "environment", "Differences of the environment");

	if (x->n_hard)
		xcs_doc_paragraph(s, "These must be alike, or figures are not comparable:");
	for (size_t i = 0; i < x->n_hard; i++)
		xcs_doc_item(s, "%s", x->hard[i]);
	if (x->n_soft)
		xcs_doc_paragraph(s, "These may be the cause of a shift as well as %s:",
		                  x->settings.variable ? x->settings.variable : "the kernel");
	for (size_t i = 0; i < x->n_soft; i++)
		xcs_doc_item(s, "%s", x->soft[i]);
	if (!x->n_hard && !x->n_soft)
		xcs_doc_paragraph(s, "None in what the records know, but for %s.",
		                  x->settings.variable ? x->settings.variable : "the kernel");
}

static void gate_names(const struct xcs_comparison *x, struct xcs_buf *b)
{
	for (size_t i = 0; i < x->settings.n_gates; i++) {
		const struct xcs_compare_gate *g = &x->settings.gates[i];
		xcs_buf_printf(b, "%s%s", i ? ", " : "",
		               xcs_metric((enum xcs_metric_id)g->metric)->id);
		if (g->cell >= 0)
			xcs_buf_printf(b, " (%s)", x->campaign->cells[g->cell]);
	}
}

void compare_method(const struct xcs_comparison *x, struct xcs_doc *doc)
{
	struct xcs_section *s = xcs_doc_section(doc, "method", "Method");
	struct xcs_buf names = {0};

	gate_names(x, &names);
	if (x->campaign->is_imported) {
		xcs_doc_paragraph(s, "Imported series are shown side by side. Their boots and "
		                     "their environment are unknown, so nothing is tested.");
		xcs_buf_fini(&names);
		return;
	}
	xcs_doc_fact(s, "gates", "Gates", names.n ? names.p : "none");
	xcs_doc_fact(s, "variable", "Under test",
	             x->settings.variable ? x->settings.variable : "kernel");
	for (size_t i = 0; i < x->n_pairs; i++) {
		const struct xcs_compare_pair *p = &x->pairs[i];
		char *id = xcs_xasprintf("blocks_%zu", i + 1);
		char *text = xcs_xasprintf("%zu, of %zu + %zu boots: %s against %s", p->n_blocks,
		                           p->n_base, p->n_new, x->campaign->groups[p->group].key,
		                           x->campaign->groups[0].key);
		xcs_doc_fact(s, id, "Blocks", text);
		free(id);
		free(text);
	}
	xcs_doc_paragraph(s,
	                  "A boot's value is the median of its trials; shifts are ratios of boot "
	                  "values within blocks. The records do not name blocks, so these are "
	                  "formed in the order of the wall clock: a block is closed as soon as "
	                  "it holds two boots of each side. Stratified permutation test, two "
	                  "sides, 5 %%, adjusted after Holm over the gates of a pair; 95 %% "
	                  "interval of the same test; q after Benjamini and Hochberg for all "
	                  "else.");
	xcs_buf_fini(&names);
}

/* What is refused is not shown side by side either. */
static bool all_invalid(const struct xcs_comparison *x)
{
	for (size_t i = 0; i < x->n_pairs; i++)
		if (x->pairs[i].standing != XCS_STANDING_INVALID)
			return false;
	return true;
}

void xcs_comparison_report(const struct xcs_comparison *x, const char *command, struct xcs_doc *doc)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	locale_t before = uselocale(c);
	char *headline = compare_headline_dup(x);

	xcs_doc_init(doc, headline);
	set_verdict(x, doc);
	face(x, doc);
	compare_environment(x, doc);
	if (!all_invalid(x)) {
		compare_charts(x, doc);
		compare_imported(x, doc);
		compare_tables(x, doc);
	}
	compare_boots(x, doc);
	compare_machine(x, doc);
	compare_method(x, doc);
	struct xcs_section *s = xcs_doc_section(doc, "reproduce", "To reproduce");
	xcs_doc_command(s, command);
	uselocale(before);
	freelocale(c);
	free(headline);
}
