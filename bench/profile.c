/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile.h"

#include <common/alloc.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A policy is numbered by its first CPU. */
#define N_POLICIES_MAX CPU_SETSIZE

/* One setting as the machine has it. */
struct look {
	struct guard_setting setting;
	char name[128];
	int rc;      /* of reading it; 0: value holds it */
	char *value; /* owned by who called back */
};

typedef int (*look_fn)(const struct look *look, void *data);

static void look_at(const struct xcs_env *env, const struct guard_setting *s, struct look *l)
{
	struct xcs_buf value = {0};

	*l = (struct look){.setting = *s};
	guard_setting_name(s, l->name);
	l->rc = guard_setting_read(env, s, &value);
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

static int look_and_call(const struct xcs_env *env, const struct guard_setting *s, look_fn fn,
                         void *data)
{
	struct look l;

	look_at(env, s, &l);
	return call(&l, fn, data);
}

/* That setting of all policies; a machine without any is told once, of policy 0. */
static int each_policy(const struct xcs_env *env, enum guard_knob knob, look_fn fn, void *data)
{
	struct guard_setting s = {.knob = knob};
	struct look l;
	int rc = 0, n = 0;

	for (; rc == 0 && s.index < N_POLICIES_MAX; s.index++) {
		look_at(env, &s, &l);
		if (l.rc == -ENOENT)
			continue;
		rc = call(&l, fn, data);
		n++;
	}
	s.index = 0;
	return n ? rc : look_and_call(env, &s, fn, data);
}

/* Those that are installed; systemd that does not answer is told once. */
static int each_service(const struct xcs_env *env, look_fn fn, void *data)
{
	struct guard_setting s = {.knob = GUARD_KNOB_SERVICE};
	struct look l;
	int rc = 0;

	for (; rc == 0 && s.index < guard_n_services(); s.index++) {
		look_at(env, &s, &l);
		if (l.rc == -ENOENT)
			continue;
		if (l.rc == -ENOTSUP)
			snprintf(l.name, sizeof(l.name), "services");
		rc = call(&l, fn, data);
		if (l.rc == -ENOTSUP)
			break;
	}
	return rc;
}

/*
 * Services come first, and so are started last: tuned puts governors back when it stops. The
 * preference comes before the governor, and so goes back after it: under the governor
 * "performance" intel_pstate takes no other (Documentation/admin-guide/pm/intel_pstate.rst).
 */
static int each_knob(const struct xcs_env *env, look_fn fn, void *data)
{
	struct guard_setting s = {.knob = GUARD_KNOB_NMI_WATCHDOG};
	int rc = each_service(env, fn, data);

	for (; rc == 0 && s.knob < GUARD_KNOB_EPP; s.knob++)
		rc = look_and_call(env, &s, fn, data);
	if (rc == 0)
		rc = each_policy(env, GUARD_KNOB_EPP, fn, data);
	return rc ? rc : each_policy(env, GUARD_KNOB_GOVERNOR, fn, data);
}

/* Those of the screen. */
static int each_screen_knob(const struct xcs_env *env, const struct xserver *x, look_fn fn,
                            void *data)
{
	struct guard_setting s = {
	        .knob = GUARD_KNOB_SCREENSAVER, .pid = x->pid, .start_ticks = x->start_ticks};
	int rc = 0;

	s.client = xcs_xasprintf("%u %s %s", (unsigned)x->user->uid, x->display,
	                         x->authority ? x->authority : "");
	for (; rc == 0 && s.knob <= GUARD_KNOB_DPMS; s.knob++)
		rc = look_and_call(env, &s, fn, data);
	free(s.client);
	return rc;
}

static const char *why(int rc)
{
	if (rc == -ENOTSUP)
		return "no systemd";
	return rc == -ENOENT ? "there is none" : strerror(-rc);
}

static struct xcs_run_knob *add_knob(struct xcs_run *run, const char *name)
{
	size_t cap = run->n_knobs;

	run->knobs = xcs_xgrow(run->knobs, run->n_knobs, &cap, sizeof(*run->knobs));
	run->knobs[run->n_knobs] = (struct xcs_run_knob){.name = xcs_xstrdup(name)};
	return &run->knobs[run->n_knobs++];
}

struct job {
	struct guard *g;
	const struct xcs_env *env;
	struct xcs_run *run;
	struct xcs_err *err;
};

/* What this machine has not, or refuses, is no reason to end the run. */
static int set_one(const struct look *l, void *data)
{
	const struct job *job = data;
	struct xcs_run_knob *k = add_knob(job->run, l->name);
	struct xcs_err err = {""};
	struct look after;

	if (l->rc) {
		k->why_not = xcs_xstrdup(why(l->rc));
		return 0;
	}
	k->before = xcs_xstrdup(l->value);
	int rc = guard_set_knob(job->g, &l->setting, &err);
	if (rc)
		k->why_not = xcs_xstrdup(err.text);
	look_at(job->env, &l->setting, &after);
	k->during = after.value;
	if (rc != -EBUSY && rc != -EPIPE)
		return 0;
	*job->err = err;
	return rc;
}

int profile_set(struct guard *g, const struct xcs_env *env, struct xcs_run *run,
                struct xcs_err *err)
{
	struct job job = {g, env, run, err};

	return each_knob(env, set_one, &job);
}

/* The facts were read before; what is judged by them is the screen of the trials. */
static void update_facts(struct xcs_run *run)
{
	static const struct {
		const char *knob, *fact;
	} rows[] = {
	        {"screensaver", "server.screensaver_s"},
	        {"dpms",        "server.dpms"         },
	};

	for (size_t i = 0; i < run->n_knobs; i++)
		for (size_t j = 0; j < ARRAY_LEN(rows); j++)
			if (run->knobs[i].during && strcmp(run->knobs[i].name, rows[j].knob) == 0)
				xcs_facts_set(&run->environment, rows[j].fact, run->knobs[i].during,
				              "X server");
}

int profile_set_screen(struct guard *g, const struct xcs_env *env, const struct xserver *x,
                       struct xcs_run *run, struct xcs_err *err)
{
	struct job job = {g, env, run, err};
	int rc = each_screen_knob(env, x, set_one, &job);

	update_facts(run);
	return rc;
}

static struct xcs_run_knob *find_knob(struct xcs_run *run, const char *name)
{
	for (size_t i = 0; i < run->n_knobs; i++)
		if (strcmp(run->knobs[i].name, name) == 0)
			return &run->knobs[i];
	return NULL;
}

static int check_one(const struct look *l, void *data)
{
	struct xcs_run *run = data;
	const struct xcs_run_knob *k = find_knob(run, l->name);
	const char *now = l->value ? l->value : "n/a";

	if (!k || k->why_not || !k->during || strcmp(k->during, now) == 0)
		return 0;
	char *note = xcs_xasprintf("Somebody changed %s during the run, from %s to %s.", k->name,
	                           k->during, now);
	xcs_run_add_note(run, note);
	free(note);
	return 0;
}

void profile_check(const struct xcs_env *env, const struct xserver *x, struct xcs_run *run)
{
	(void)each_knob(env, check_one, run);
	(void)each_screen_knob(env, x, check_one, run);
}

static int after_one(const struct look *l, void *data)
{
	struct xcs_run_knob *k = find_knob(data, l->name);

	if (k && k->before && l->value) {
		free(k->after);
		k->after = xcs_xstrdup(l->value);
	}
	return 0;
}

void profile_put_back(struct guard *g, const struct xcs_env *env, const struct xserver *x,
                      struct xcs_run *run)
{
	struct xcs_err err = {""};

	if (guard_restore_all(g, &err))
		xcs_run_add_note(run, err.text);
	(void)each_knob(env, after_one, run);
	(void)each_screen_knob(env, x, after_one, run);
}

static int describe_one(const struct look *l, void *into)
{
	char target[32];

	guard_setting_target(&l->setting, target);
	if (l->rc)
		xcs_buf_printf(into, "cannot set %s: %s\n", l->name, why(l->rc));
	else if (strcmp(l->value, target) == 0)
		xcs_buf_printf(into, "%s is %s already\n", l->name, target);
	else
		xcs_buf_printf(into, "would set %s from %s to %s\n", l->name, l->value, target);
	return 0;
}

void profile_describe(const struct xcs_env *env, struct xcs_buf *into)
{
	(void)each_knob(env, describe_one, into);
	xcs_buf_puts(into, "would set screensaver and dpms of the X server to 0 and off\n");
}
