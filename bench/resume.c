/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "resume.h"

#include "runner_record.h"

#include <common/alloc.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Facts that no trial of one run may differ in: design, hard keys. */
static const char *const hard_facts[] = {
        "kernel.release",   "kernel.build_id", "machine.arch",    "machine.product",
        "cpu.model",        "cpu.topology",    "cpu.online",      "memory.total",
        "server.kind",      "server.vendor",   "server.release",  "server.width_px",
        "server.height_px", "server.depth",    "sched.autogroup", "sched.class",
        "sched.ext_ops",    "xterm.version",
};

int resume_split(const char *command, char **words, int max)
{
	struct xcs_buf word = {0};
	bool quoted = false;
	int n = 0;

	for (const char *c = command;; c++) {
		if (*c == '\'')
			quoted = !quoted;
		else if (*c == '\\' && !quoted && c[1])
			xcs_buf_putc(&word, *++c);
		else if (*c && (quoted || *c != ' '))
			xcs_buf_putc(&word, *c);
		if ((*c == '\0' || (*c == ' ' && !quoted)) && word.n && n < max)
			words[n++] = xcs_buf_take(&word);
		if (*c == '\0')
			break;
	}
	if (!quoted && word.n == 0)
		return n;
	while (n)
		free(words[--n]);
	xcs_buf_fini(&word);
	return -EINVAL;
}

static int check_state(const struct resume *rs, struct xcs_err *err)
{
	const struct xcs_run *old = &rs->old;

	if (old->origin.tool)
		return xcs_err_set(err, -EINVAL, "%s was imported; there is nothing to go on with",
		                   rs->dir);
	if (old->status == XCS_RUN_COMPLETE)
		return xcs_err_set(err, -EINVAL, "%s is complete; there is nothing to go on with",
		                   rs->dir);
	if (old->status == XCS_RUN_VOID)
		return xcs_err_set(err, -EPERM, "%s is void (%s); begin a new run", rs->dir,
		                   old->status_reason ? old->status_reason : "it does not say why");
	if (!old->tool_version || strcmp(old->tool_version, XCS_VERSION))
		return xcs_err_set(err, -EPERM,
		                   "%s was begun by xcsbench %s, and this is %s, which may count "
		                   "otherwise: begin a new run",
		                   rs->dir, old->tool_version ? old->tool_version : "?",
		                   XCS_VERSION);
	return 0;
}

int resume_open(struct resume *rs, const char *name, struct xcs_err *err)
{
	*rs = (struct resume){.dir = xcs_path_run_dup(name, err)};
	int rc = rs->dir ? 0 : -ENOENT;

	if (rc == 0)
		rc = xcs_run_load(&rs->old, rs->dir, err);
	if (rc == 0)
		rc = check_state(rs, err);
	if (rc == 0)
		rc = runner_lock_record(rs->dir, err);
	if (rc)
		return rc;
	rs->n_words = resume_split(rs->old.plan.command ? rs->old.plan.command : "", rs->words,
	                           RESUME_WORDS_MAX);
	if (rs->n_words < 3)
		return xcs_err_set(err, -EINVAL, "%s does not tell the command line that began it",
		                   rs->dir);
	return 0;
}

void resume_close(struct resume *rs)
{
	for (int i = 0; i < rs->n_words; i++)
		free(rs->words[i]);
	free(rs->dir);
	xcs_run_fini(&rs->old);
	*rs = (struct resume){0};
}

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_load(const struct xcs_run_load *a, const struct xcs_run_load *b)
{
	return same(a->id, b->id) && same(a->kind, b->kind) && same(a->feeder, b->feeder) &&
	       same(a->scroll, b->scroll) && same(a->timer, b->timer) && same(a->size, b->size) &&
	       same(a->terminal, b->terminal) && same(a->client_nices, b->client_nices) &&
	       a->n_clients == b->n_clients && a->columns == b->columns && a->rows == b->rows &&
	       a->client_nice == b->client_nice && a->line_bytes == b->line_bytes &&
	       a->lines_per_s == b->lines_per_s && a->n_compile_jobs == b->n_compile_jobs &&
	       a->keys_per_s == b->keys_per_s;
}

/* What of the plan is another today; NULL: nothing. */
static const char *plan_difference(const struct xcs_run *a, const struct xcs_run *b)
{
	bool loads = a->n_loads == b->n_loads, cells = a->n_cells == b->n_cells;

	for (size_t i = 0; loads && i < a->n_loads; i++)
		loads = same_load(&a->loads[i], &b->loads[i]);
	for (size_t i = 0; cells && i < a->n_cells; i++)
		cells = a->cells[i].load == b->cells[i].load &&
		        a->cells[i].x_nice == b->cells[i].x_nice &&
		        a->cells[i].load_nice == b->cells[i].load_nice &&
		        a->cells[i].n_hogs == b->cells[i].n_hogs;
	if (!loads)
		return "the loads of the scenario";
	if (!same(a->plan.profile, b->plan.profile))
		return "the profile (as-is or controlled)";
	if (!same(a->plan.mode, b->plan.mode))
		return "the mode (absolute or relative: rights have changed)";
	if (!cells)
		return "nice levels or busy loops";
	if (!same(a->plan.load_cpus, b->plan.load_cpus))
		return "the CPUs of the load";
	if (a->plan.sample_ns != b->plan.sample_ns || a->plan.period_ns != b->plan.period_ns)
		return "the length of a window";
	return NULL;
}

static bool is_done(const struct xcs_run *run, const struct plan_step *step)
{
	for (size_t i = 0; i < run->n_trials; i++) {
		const struct xcs_run_trial *t = &run->trials[i];
		if (t->kind == XCS_TRIAL_MEASURED && t->status == XCS_TRIAL_OK &&
		    t->cell == step->cell && t->block == step->block)
			return true;
	}
	return false;
}

/* Is a measured step of that cell left behind step `at`? */
static bool is_left(const struct plan *plan, const struct xcs_run *run, size_t at, int cell)
{
	for (size_t i = at + 1; i < plan->n; i++)
		if (plan->steps[i].kind == XCS_TRIAL_MEASURED && plan->steps[i].cell == cell &&
		    !is_done(run, &plan->steps[i]))
			return true;
	return false;
}

static void keep_what_is_left(struct plan *plan, const struct xcs_run *run)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n; i++) {
		const struct plan_step step = plan->steps[i];
		bool wanted = step.kind == XCS_TRIAL_MEASURED ? !is_done(run, &step)
		                                              : is_left(plan, run, i, step.cell);
		if (wanted)
			plan->steps[n++] = step; /* never ahead of where it is read */
	}
	plan->n = n;
}

/* The old record's trials, boots and notes become those of the new one. */
static void take_over(struct xcs_run *run, struct xcs_run *old)
{
	memcpy(run->id, old->id, sizeof(run->id));
	run->created_wall_ns = old->created_wall_ns;
	run->trials = old->trials;
	run->n_trials = old->n_trials;
	run->cap_trials = old->n_trials;
	run->boots = old->boots;
	run->n_boots = old->n_boots;
	for (size_t i = 0; i < old->n_notes; i++)
		xcs_run_add_note(run, old->notes[i]);
	run->looks = old->looks;
	run->n_looks = old->n_looks;
	old->looks = NULL;
	old->n_looks = 0;
	old->trials = NULL;
	old->n_trials = old->cap_trials = 0;
	old->boots = NULL;
	old->n_boots = 0;
}

int resume_take_plan(struct runner *r, struct resume *rs, struct xcs_err *err)
{
	const char *other = plan_difference(&rs->old, &r->run);

	if (other)
		return xcs_err_set(err, -EPERM,
		                   "%s cannot be gone on with: its command line gives another "
		                   "plan today (%s); begin a new run",
		                   rs->dir, other);
	take_over(&r->run, &rs->old);
	keep_what_is_left(&r->plan, &r->run);
	r->resume = rs;
	if (r->plan.n == 0)
		return xcs_err_set(err, -EINVAL, "%s: no trial of it is left to do", rs->dir);
	return 0;
}

static const char *fact_of(const struct xcs_run *run, const char *key)
{
	const struct xcs_fact *f = xcs_run_fact(run, key);

	return f ? f->value : NULL;
}

/* 0, or -EPERM when a fact that may not change has changed since. */
static int check_fact(const struct runner *r, const char *key, struct xcs_err *err)
{
	const char *was = fact_of(&r->resume->old, key), *is = fact_of(&r->run, key);

	if (same(was, is))
		return 0;
	return xcs_err_set(err, -EPERM,
	                   "%s cannot be gone on with: %s was %s and is %s now; begin a new run",
	                   r->resume->dir, key, was ? was : "n/a", is ? is : "n/a");
}

/* The count of sched_ext schedulers that were loaded begins anew with each boot. */
static int check_ext(const struct runner *r, struct xcs_err *err)
{
	const char *was = fact_of(&r->resume->old, "kernel.boot_id");

	if (!was || !same(was, fact_of(&r->run, "kernel.boot_id")))
		return 0;
	return check_fact(r, "sched.ext_enable_seq", err);
}

int resume_begin(struct runner *r, struct xcs_err *err)
{
	const struct resume *rs = r->resume;
	char note[160];
	int rc = check_ext(r, err);

	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(hard_facts); i++)
		rc = check_fact(r, hard_facts[i], err);
	if (rc)
		return rc;
	snprintf(note, sizeof(note),
	         "Gone on with after trial %zu (boot %d of the run): what was measured before and "
	         "after had another X server.",
	         r->run.n_trials, r->boot + 1);
	xcs_run_add_note(&r->run, note);
	return runner_reopen_record(r, rs->dir, err);
}

bool resume_set_counts(struct runner *r)
{
	const struct xcs_run *old = &r->resume->old;

	if (!xcs_run_was_measured(&r->run))
		return false;
	for (size_t i = 0; i < r->run.n_loads; i++)
		if (!r->run.loads[i].pipe_of && old->loads[i].count != r->run.loads[i].count)
			commands_set_count(&r->commands, &r->run, i, old->loads[i].count);
	return true;
}
