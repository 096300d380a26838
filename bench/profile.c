/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile.h"

#include <common/alloc.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A policy is numbered by its first CPU. */
#define N_POLICIES_MAX CPU_SETSIZE

/* One setting as the machine has it. */
struct look {
	enum guard_knob knob;
	int policy;
	char path[128];
	int rc;      /* of reading it; 0: value holds it */
	char *value; /* owned by who called back */
};

typedef int (*look_fn)(const struct look *look, void *data);

static void look_at(const struct xcs_env *env, enum guard_knob knob, int policy, struct look *l)
{
	struct xcs_buf value = {0};

	*l = (struct look){.knob = knob, .policy = policy};
	guard_knob_path(knob, policy, l->path);
	l->rc = guard_knob_read(env, knob, policy, &value);
	if (l->rc == 0)
		l->value = xcs_buf_take(&value);
	xcs_buf_fini(&value);
}

static int call(struct look *l, look_fn fn, void *data)
{
	int rc = fn(l, data);

	free(l->value);
	return rc;
}

/* The governors of all policies; a machine without any is told once, of policy 0. */
static int each_governor(const struct xcs_env *env, look_fn fn, void *data)
{
	struct look l;
	int rc = 0, n = 0;

	for (int i = 0; rc == 0 && i < N_POLICIES_MAX; i++) {
		look_at(env, GUARD_KNOB_GOVERNOR, i, &l);
		if (l.rc == -ENOENT)
			continue;
		rc = call(&l, fn, data);
		n++;
	}
	if (n)
		return rc;
	look_at(env, GUARD_KNOB_GOVERNOR, 0, &l);
	return call(&l, fn, data);
}

static int each_knob(const struct xcs_env *env, look_fn fn, void *data)
{
	struct look l;
	int rc = 0;

	for (enum guard_knob k = 0; rc == 0 && k < GUARD_KNOB_GOVERNOR; k++) {
		look_at(env, k, 0, &l);
		rc = call(&l, fn, data);
	}
	return rc ? rc : each_governor(env, fn, data);
}

static void add_knob(struct xcs_run *run, const struct xcs_run_knob *k)
{
	size_t cap = run->n_knobs;

	run->knobs = xcs_xgrow(run->knobs, run->n_knobs, &cap, sizeof(*k));
	run->knobs[run->n_knobs++] = *k;
}

struct setting {
	struct guard *g;
	const struct xcs_env *env;
	struct xcs_run *run;
	struct xcs_err *err;
};

/* What this machine has not, or refuses, is no reason to end the run. */
static int set_one(const struct look *l, void *data)
{
	const struct setting *s = data;
	struct xcs_run_knob k = {.name = xcs_xstrdup(l->path)};
	struct look after = {.rc = l->rc};
	int rc = l->rc;

	if (rc == 0) {
		k.before = xcs_xstrdup(l->value);
		rc = guard_set_knob(s->g, l->knob, l->policy, s->err);
		look_at(s->env, l->knob, l->policy, &after);
		k.during = after.value;
	}
	if (l->rc)
		k.why_not = xcs_xstrdup(strerror(-l->rc));
	else if (rc)
		k.why_not = xcs_xstrdup(s->err->text);
	add_knob(s->run, &k);
	return rc == -EBUSY || rc == -EPIPE ? rc : 0;
}

/* One note: what was set, and what was not and why. */
static void note_knobs(struct xcs_run *run)
{
	struct xcs_buf note = {0};

	xcs_buf_puts(&note, "Profile: controlled");
	for (size_t i = 0; i < run->n_knobs; i++) {
		const struct xcs_run_knob *k = &run->knobs[i];
		if (k->why_not)
			xcs_buf_printf(&note, "; %s not set (%s)", k->name, k->why_not);
		else
			xcs_buf_printf(&note, "; %s %s, was %s", k->name, k->during, k->before);
	}
	xcs_buf_putc(&note, '.');
	xcs_run_add_note(run, note.p);
	xcs_buf_fini(&note);
}

int profile_set(struct guard *g, const struct xcs_env *env, struct xcs_run *run,
                struct xcs_err *err)
{
	struct setting s = {g, env, run, err};
	int rc = each_knob(env, set_one, &s);

	if (rc == 0)
		note_knobs(run);
	return rc;
}

static int check_one(const struct look *l, void *data)
{
	struct xcs_run *run = data;

	for (size_t i = 0; i < run->n_knobs; i++) {
		const struct xcs_run_knob *k = &run->knobs[i];
		const char *now = l->value ? l->value : "n/a";
		if (strcmp(k->name, l->path) != 0 || k->why_not || !k->during ||
		    strcmp(k->during, now) == 0)
			continue;
		char *note = xcs_xasprintf("Somebody changed %s during the run, from %s to %s.",
		                           k->name, k->during, now);
		xcs_run_add_note(run, note);
		free(note);
	}
	return 0;
}

void profile_check(const struct xcs_env *env, struct xcs_run *run)
{
	(void)each_knob(env, check_one, run);
}

static int describe_one(const struct look *l, void *into)
{
	if (l->rc)
		xcs_buf_printf(into, "cannot set %s: %s\n", l->path, strerror(-l->rc));
	else
		xcs_buf_printf(into, "would set %s, which is %s\n", l->path, l->value);
	return 0;
}

void profile_describe(const struct xcs_env *env, struct xcs_buf *into)
{
	(void)each_knob(env, describe_one, into);
}
