/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report.h"

#include <common/alloc.h>

#include <locale.h>
#include <stdlib.h>
#include <string.h>

bool report_is_relative(const struct xcs_summary *s)
{
	return s->run.plan.mode && strcmp(s->run.plan.mode, "relative") == 0;
}

static void set_subject(const struct xcs_summary *s, struct xcs_doc *doc)
{
	const char *kernel = xcs_facts_get(&s->run.host, "kernel.release");
	char *subject = xcs_xasprintf("xcsbench: %s%s%s", doc->title, kernel ? " on Linux " : "",
	                              kernel ? kernel : "");

	xcs_doc_set_subject(doc, subject);
	free(subject);
}

static void report_measured(const struct xcs_summary *s, const struct xcs_reference *set,
                            struct xcs_doc *doc)
{
	report_face(s, doc);
	report_conditions(s, doc);
	if (set)
		report_beside(s, set, doc);
	report_loads(s, doc);
	report_averages(s, doc);
	report_timings(s, doc);
	report_commands(s, doc);
	report_charts(s, doc);
	report_tables(s, doc);
	report_ratios(s, doc);
	report_hogs(s, doc);
	report_account(s, doc);
	report_checks(s, doc);
	report_trials(s, doc);
	report_not_measured(s, doc);
	report_observer(s, doc);
	report_renice(s, doc);
	report_looks(s, doc);
	report_profile(s, doc);
	report_settings(s, doc);
	report_reproduce(s, doc);
}

void xcs_run_report(const struct xcs_summary *s, struct xcs_doc *doc)
{
	xcs_run_report_beside(s, NULL, doc);
}

void xcs_run_report_beside(const struct xcs_summary *s, const struct xcs_reference *set,
                           struct xcs_doc *doc)
{
	const struct xcs_run_plan *p = &s->run.plan;
	const char *name = p->scenario ? p->scenario : "run without a name";
	char *title = p->title ? xcs_xasprintf("%s (%s)", p->title, name) : xcs_xstrdup(name);
	/* Sentences hold numbers too. */
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	locale_t before = uselocale(c);

	xcs_doc_init(doc, title);
	set_subject(s, doc);
	if (s->run.origin.tool) {
		report_imported(s, doc);
		if (set)
			report_beside(s, set, doc);
	} else {
		report_measured(s, set, doc);
	}
	uselocale(before);
	freelocale(c);
	free(title);
}
