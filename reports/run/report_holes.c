/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Cells without one trial to show: they keep their rows, and say why they are empty.
 */
#include "report.h"

#include <reports/timings.h>

/* What became of the last of the cell's trials, warm-ups included: one that fails ends it. */
struct fate {
	const char *word, *reason;
};

static struct fate fate_of(const struct xcs_summary *s, size_t cell)
{
	struct fate f = {.word = "not run"};

	for (size_t i = 0; i < s->run.n_trials; i++) {
		const struct xcs_run_trial *t = &s->run.trials[i];
		if (t->cell != (int)cell)
			continue;
		if (t->status != XCS_TRIAL_OK) {
			f.word = t->status == XCS_TRIAL_VOID ? "void" : "failed";
			f.reason = t->reason ? t->reason : "the record does not say why.";
		} else if (t->kind == XCS_TRIAL_MEASURED) {
			f.word = "unreadable";
			f.reason = s->trials[i].problem ? s->trials[i].problem
			                                : "the record names no samples.";
		}
	}
	return f;
}

const char *report_hole(const struct xcs_summary *s, size_t cell)
{
	if (s->cells[cell].n_counted)
		return NULL;
	return fate_of(s, cell).word;
}

void report_hole_reasons(const struct xcs_summary *s, bool timed, struct xcs_section *section)
{
	for (size_t cell = 0; cell < s->run.n_cells; cell++) {
		const struct xcs_run_load *load = &s->run.loads[s->run.cells[cell].load];
		struct xcs_buf name = {0};
		if (s->cells[cell].n_counted || xcs_load_is_timed(load) != timed)
			continue;
		struct fate f = fate_of(s, cell);
		report_name_cell(s, cell, &name);
		xcs_doc_item(section, "%s: %s%s%s", f.word, name.p, f.reason ? ": " : ".",
		             f.reason ? f.reason : "");
		xcs_buf_fini(&name);
	}
}
