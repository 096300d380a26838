/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "steps.h"

#include <common/alloc.h>
#include <reports/run_report.h>

#include <stdlib.h>

static char *dup_or_null(const char *s)
{
	return s ? xcs_xstrdup(s) : NULL;
}

static const char *kernel_of(const struct xcs_run *run, const struct xcs_run_trial *t)
{
	if (t->boot >= 0 && (size_t)t->boot < run->n_boots && run->boots[t->boot].kernel)
		return run->boots[t->boot].kernel;
	return xcs_facts_get(&run->host, "kernel.release");
}

static const char *status_of(const struct xcs_run_trial *t)
{
	static const char *const names[] = {
	        [XCS_TRIAL_OK] = "ok",
	        [XCS_TRIAL_VOID] = "void",
	        [XCS_TRIAL_FAILED] = "failed",
	};

	return t->kind == XCS_TRIAL_WARMUP ? "warm-up" : names[t->status];
}

static void set_keys(struct xcs_samples *into, const struct xcs_run *run, size_t i)
{
	const struct xcs_run_trial *t = &run->trials[i];
	const struct xcs_run_cell *cell = &run->cells[t->cell];

	into->keys[XCS_SAMPLES_RUN] = xcs_xstrdup(run->id);
	into->keys[XCS_SAMPLES_LABEL] = dup_or_null(run->origin.label);
	into->keys[XCS_SAMPLES_KERNEL] = dup_or_null(kernel_of(run, t));
	into->keys[XCS_SAMPLES_LOAD] = dup_or_null(run->loads[cell->load].id);
	into->keys[XCS_SAMPLES_X_NICE] = xcs_xasprintf("%d", cell->x_nice);
	into->keys[XCS_SAMPLES_HOGS] = xcs_xasprintf("%d", cell->n_hogs);
	into->keys[XCS_SAMPLES_TRIAL] = xcs_xasprintf("%zu", i);
	into->keys[XCS_SAMPLES_BLOCK] = xcs_xasprintf("%d", t->block);
	into->keys[XCS_SAMPLES_STATUS] = xcs_xstrdup(status_of(t));
}

static void add_figures(struct xcs_samples *into, const struct xcs_figures *f)
{
	for (int id = 0; id < XCS_N_METRICS; id++) {
		const struct xcs_metric *m = xcs_metric((enum xcs_metric_id)id);
		const struct xcs_sample sample = {m->id, m->unit, XCS_ABSENT, f->v[id]};
		xcs_samples_add(into, &sample);
	}
}

static void add_steps(struct xcs_samples *into, const char *path)
{
	struct xcs_trial_data data;
	struct report_steps steps;

	if (xcs_trial_load(&data, path, NULL))
		return;
	report_steps_of(&steps, &data);
	for (int i = 0; i < N_STEPS; i++) {
		const struct xcs_metric *m =
		        xcs_metric(report_steps_metric((enum report_steps_metric)i));
		for (size_t k = 0; k < steps.lists[i].n; k++) {
			const struct report_step *step = &steps.lists[i].v[k];
			const struct xcs_sample sample = {m->id, m->unit, step->t_ns, step->per_s};
			xcs_samples_add(into, &sample);
		}
	}
	report_steps_fini(&steps);
	xcs_trial_fini(&data);
}

void xcs_run_samples(const struct xcs_summary *s, struct xcs_doc *doc)
{
	for (size_t i = 0; i < s->run.n_trials; i++) {
		struct xcs_samples *into = xcs_doc_samples(doc);
		set_keys(into, &s->run, i);
		add_figures(into, &s->trials[i].figures);
		if (!s->run.trials[i].file)
			continue;
		char *path = xcs_xasprintf("%s/%s", s->dir, s->run.trials[i].file);
		add_steps(into, path);
		free(path);
	}
}
