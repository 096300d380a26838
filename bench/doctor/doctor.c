/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "check.h"

#include <common/alloc.h>
#include <common/buf.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *doctor_state_name(enum doctor_state state)
{
	static const char *const names[] = {"ok", "n/a", "warn", "fail"};

	return names[state];
}

const char *check_value(const struct xcs_run *run, const char *key)
{
	const struct xcs_fact *f = xcs_run_fact(run, key);

	return f ? f->value : NULL;
}

static char *vformat_dup(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

static char *vformat_dup(const char *fmt, va_list ap)
{
	struct xcs_buf b = {0};

	xcs_buf_vprintf(&b, fmt, ap);
	return xcs_buf_take(&b);
}

void check_ok(struct doctor_finding *f, const char *what, ...)
{
	va_list ap;

	va_start(ap, what);
	f->state = DOCTOR_OK;
	f->what = vformat_dup(what, ap);
	va_end(ap);
}

void check_say(struct doctor_finding *f, enum doctor_state state, const char *remedy,
               const char *what, ...)
{
	va_list ap;

	va_start(ap, what);
	f->state = state;
	f->what = vformat_dup(what, ap);
	f->remedy = remedy ? xcs_xstrdup(remedy) : NULL;
	va_end(ap);
}

/* A check that finds nothing to say about an unknown value leaves that to us. */
static void run_check(const struct check *c, const struct xcs_run *run, struct doctor_findings *out)
{
	const struct xcs_fact *fact = xcs_run_fact(run, c->key);
	struct doctor_finding f = {.id = c->id, .state = DOCTOR_UNKNOWN, .is_note = c->is_note};

	c->judge(run, fact ? fact->value : NULL, &f);
	f.source = xcs_xstrdup(fact && fact->source ? fact->source : c->key);
	if (!f.what)
		f.what = xcs_xasprintf("not known here");
	if (out->n == out->cap) {
		out->cap = out->cap ? 2 * out->cap : 32;
		out->v = xcs_xrealloc(out->v, out->cap * sizeof(*out->v));
	}
	out->v[out->n++] = f;
}

void doctor_judge(const struct xcs_run *run, struct doctor_findings *out)
{
	static const struct check *const tables[] = {server_checks, machine_checks,
	                                             software_checks};

	*out = (struct doctor_findings){0};
	for (size_t t = 0; t < ARRAY_LEN(tables); t++)
		for (const struct check *c = tables[t]; c->id; c++)
			run_check(c, run, out);
}

void doctor_fini(struct doctor_findings *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->v[i].what);
		free(f->v[i].remedy);
		free(f->v[i].source);
	}
	free(f->v);
	*f = (struct doctor_findings){0};
}

enum doctor_state doctor_worst(const struct doctor_findings *f)
{
	enum doctor_state worst = DOCTOR_OK;

	for (size_t i = 0; i < f->n; i++)
		worst = f->v[i].state > worst ? f->v[i].state : worst;
	return worst;
}
