/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <common/buf.h>
#include <record/hyperfine.h>
#include <reports/import/timed.h>

#include <stdlib.h>
#include <string.h>

static struct xcs_num seconds(struct xcs_num ns)
{
	return (struct xcs_num){ns.known, ns.v / 1e9};
}

/* "sleep 0.01 (n=1, kernel=6.18.0 bore)" */
static char *label_dup(const struct xcs_hyperfine_result *r)
{
	struct xcs_buf label = {0};
	const char *name = r->name ? r->name : r->command;

	if (name && !name[0])
		name = NULL;
	if (!name && !r->n_parameters)
		return NULL; /* of a bare list */
	xcs_buf_puts(&label, name ? name : "a command");
	for (size_t i = 0; i < r->n_parameters; i++)
		xcs_buf_printf(&label, "%s%s=%s", i ? ", " : " (", r->parameters[i].name,
		               r->parameters[i].value ? r->parameters[i].value : "n/a");
	if (r->n_parameters)
		xcs_buf_putc(&label, ')');
	return xcs_buf_take(&label);
}

/* Each code once, as they came. */
static char *exit_codes_dup(const struct xcs_hyperfine_result *r)
{
	struct xcs_buf codes = {0};

	for (size_t i = 0; i < r->n_runs && r->has_exit_codes; i++) {
		bool told = false;
		for (size_t j = 0; j < i; j++)
			told |= r->runs[j].exit_status.known == r->runs[i].exit_status.known &&
			        r->runs[j].exit_status.v == r->runs[i].exit_status.v;
		if (told)
			continue;
		xcs_buf_puts(&codes, codes.n ? ", " : "");
		if (r->runs[i].exit_status.known)
			xcs_buf_printf(&codes, "%.0f", r->runs[i].exit_status.v);
		else
			xcs_buf_puts(&codes, "ended by a signal");
	}
	return codes.n ? xcs_buf_take(&codes) : xcs_xstrdup("not recorded");
}

static bool any_failed(const struct xcs_hyperfine_result *r)
{
	for (size_t i = 0; i < r->n_runs; i++)
		if (r->has_exit_codes &&
		    (!r->runs[i].exit_status.known || r->runs[i].exit_status.v != 0))
			return true;
	return false;
}

static void add_rows(struct xcs_import_series *s, const struct xcs_hyperfine_result *r)
{
	bool per_run = r->n_runs && r->runs[0].user_ns.known;

	xcs_series_add_column(s, xcs_str("real"));
	if (per_run) {
		xcs_series_add_column(s, xcs_str("user"));
		xcs_series_add_column(s, xcs_str("sys"));
	}
	if (r->has_exit_codes)
		xcs_series_add_column(s, xcs_str("exit_code"));
	for (size_t i = 0; i < r->n_runs; i++) {
		struct xcs_num *row = xcs_series_add_row(s);
		row[0] = seconds(r->runs[i].real_ns);
		if (per_run) {
			row[1] = seconds(r->runs[i].user_ns);
			row[2] = seconds(r->runs[i].sys_ns);
		}
		if (r->has_exit_codes)
			row[s->n_columns - 1] = r->runs[i].exit_status;
	}
}

static void add_notes(struct xcs_import_series *s, const struct xcs_hyperfine_result *r)
{
	if (r->n_runs == 1)
		xcs_series_note(s, "single run: its spread is unknown (n/a).");
	if (xcs_hyperfine_is_constant(r))
		xcs_series_note(s,
		                "suspiciously constant: %zu runs took exactly the same time; the "
		                "clock was measured, not the command.",
		                r->n_runs);
	if (any_failed(r))
		xcs_series_note(s, "Not every run succeeded: exit codes %s.", s->exit_codes);
	if (!r->n_runs)
		xcs_series_note(s, "The file keeps no single runs, only their summary.");
}

static void add_result(struct xcs_import *out, const struct xcs_hyperfine_result *r)
{
	struct xcs_import_series *s = xcs_import_add(out);

	s->label = label_dup(r);
	s->command = r->command ? xcs_xstrdup(r->command) : NULL;
	s->exit_codes = exit_codes_dup(r);
	s->stated_mean = seconds(r->mean_ns);
	s->stated_spread = seconds(r->stddev_ns);
	s->stated_min = seconds(r->min_ns);
	s->stated_max = seconds(r->max_ns);
	add_rows(s, r);
	add_notes(s, r);
}

int xcs_hyperfine_import(struct xcs_str text, const char *command, struct xcs_import *out,
                         struct xcs_err *err)
{
	struct xcs_hyperfine_call call = {.command = command};
	struct xcs_hyperfine h;
	int rc = xcs_hyperfine_parse(&h, text, &call, err);

	*out = (struct xcs_import){0};
	if (rc)
		return rc;
	for (size_t i = 0; i < h.n_results; i++)
		add_result(out, &h.results[i]);
	xcs_hyperfine_fini(&h);
	xcs_import_label(out);
	return 0;
}
