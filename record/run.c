/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fields.h"

#include <common/alloc.h>
#include <record/run.h>

#include <stdlib.h>
#include <string.h>

static char *dup_or_null(const char *s)
{
	return s ? xcs_xstrdup(s) : NULL;
}

static struct xcs_fact *find(const struct xcs_facts *f, const char *key)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->v[i].key && strcmp(f->v[i].key, key) == 0)
			return &f->v[i];
	return NULL;
}

void xcs_facts_set(struct xcs_facts *f, const char *key, const char *value, const char *source)
{
	struct xcs_fact *fact = find(f, key);
	struct xcs_fact old = {0};

	if (fact) {
		old = *fact;
	} else {
		f->v = xcs_xgrow(f->v, f->n, &f->cap, sizeof(*f->v));
		fact = &f->v[f->n++];
	}
	/* The new value may be the old one: free last. */
	*fact = (struct xcs_fact){xcs_xstrdup(key), dup_or_null(value), dup_or_null(source)};
	free(old.key);
	free(old.value);
	free(old.source);
}

void xcs_facts_take(struct xcs_facts *f, const char *key, char *value, const char *source)
{
	xcs_facts_set(f, key, value, source);
	free(value);
}

const struct xcs_fact *xcs_facts_find(const struct xcs_facts *f, const char *key)
{
	return find(f, key);
}

const char *xcs_facts_get(const struct xcs_facts *f, const char *key)
{
	const struct xcs_fact *fact = find(f, key);

	return fact ? fact->value : NULL;
}

void xcs_run_fini(struct xcs_run *run)
{
	xcs_fields_fini(xcs_run_fields, run);
	*run = (struct xcs_run){0};
}

bool xcs_run_was_measured(const struct xcs_run *run)
{
	for (size_t i = 0; i < run->n_trials; i++)
		if (run->trials[i].kind == XCS_TRIAL_MEASURED)
			return true;
	return false;
}

const struct xcs_fact *xcs_run_fact(const struct xcs_run *run, const char *key)
{
	const struct xcs_fact *now = find(&run->environment, key);
	const struct xcs_fact *host = now && now->value ? NULL : find(&run->host, key);

	return host ? host : now;
}

void xcs_run_add_note(struct xcs_run *run, const char *sentence)
{
	for (size_t i = 0; i < run->n_notes; i++)
		if (strcmp(run->notes[i], sentence) == 0)
			return;
	run->notes = xcs_xgrow(run->notes, run->n_notes, &run->cap_notes, sizeof(*run->notes));
	run->notes[run->n_notes++] = xcs_xstrdup(sentence);
}

struct xcs_run_trial *xcs_run_add_trial(struct xcs_run *run)
{
	run->trials = xcs_xgrow(run->trials, run->n_trials, &run->cap_trials, sizeof(*run->trials));
	struct xcs_run_trial *trial = &run->trials[run->n_trials++];
	*trial = (struct xcs_run_trial){0};
	return trial;
}
