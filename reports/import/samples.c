/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lists of samples, in JSON (record/sample_list.h) and in the two forms that scripts write
 * with printf. Time is the column t, time or monotonic; a wall clock may step and is left out.
 */
#include "fields.h"

#include <common/alloc.h>
#include <common/units.h>
#include <record/sample_list.h>
#include <reports/import/mail.h>
#include <reports/import/timed.h>
#include <reports/stats.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	WORDS_MAX = 64
};

/* A text form while it is read. */
struct reading {
	struct xcs_sample_list *list;
	struct xcs_str names[WORDS_MAX]; /* of the columns; n_names 0: lines of NAME=VALUE */
	size_t n_names;
	struct xcs_buf words_of[WORDS_MAX]; /* of columns that are no numbers: all, in order */
	size_t line;
	bool unterminated;
	bool restarted; /* the boot id changed: the rest is another run */
};

static bool is_time(struct xcs_str name)
{
	return xcs_str_is(name, "t") || xcs_str_is(name, "time") || xcs_str_is(name, "monotonic");
}

static bool is_wall(struct xcs_str name)
{
	return xcs_str_is(name, "realtime") || xcs_str_is(name, "wall") ||
	       xcs_str_is(name, "timestamp");
}

static size_t split_words(struct xcs_str line, struct xcs_str words[WORDS_MAX])
{
	size_t n = 0;

	while (n < WORDS_MAX && xcs_str_next_word(&line, &words[n]))
		n++;
	return n;
}

/* One line as names and values. False: it is none. */
static bool pairs_of(const struct reading *r, struct xcs_str line, struct xcs_str *names,
                     struct xcs_str *values, size_t *n)
{
	double number;

	*n = split_words(line, values);
	if (*n == 1 && !r->n_names && field_number(values[0], '.', &number)) {
		names[0] = xcs_str("value"); /* a bare list */
		return true;
	}
	if (r->n_names)
		memcpy(names, r->names, r->n_names * sizeof(*names));
	for (size_t i = 0; i < *n && !r->n_names; i++) {
		names[i] = (struct xcs_str){values[i].p, 0};
		if (!xcs_str_next_part(&values[i], '=', &names[i]) || !values[i].n || !names[i].n)
			return false;
	}
	return *n && (!r->n_names || *n == r->n_names);
}

static char *word_dup(struct xcs_str s)
{
	return xcs_xasprintf("%.*s", (int)s.n, s.p);
}

/* Returns 1 when the boot is another one than before. */
static int take_boot(struct xcs_sample_list *l, struct xcs_str value)
{
	if (!l->boot_id)
		l->boot_id = word_dup(value);
	return !xcs_str_is(value, l->boot_id);
}

static int take_line(struct reading *r, struct xcs_str line, struct xcs_err *err)
{
	struct xcs_str names[WORDS_MAX], values[WORDS_MAX];
	struct xcs_num t_s = {0}, v[WORDS_MAX] = {{0}};
	size_t n;

	if (!pairs_of(r, line, names, values, &n))
		return xcs_err_set(err, -EINVAL,
		                   "line %zu is no sample (\"t=0 ctxt=1 ...\", or columns "
		                   "below a line \"# monotonic ctxt\")",
		                   r->line);
	for (size_t i = 0; i < n; i++) {
		v[i].known = field_number(values[i], '.', &v[i].v);
		if (is_time(names[i]))
			t_s = v[i];
		else if (xcs_str_is(names[i], "boot_id"))
			r->restarted |= take_boot(r->list, values[i]);
		else if (!is_wall(names[i]) && v[i].known)
			(void)xcs_sample_list_name(r->list, names[i]);
		else if (!is_wall(names[i]))
			xcs_buf_printf(&r->words_of[i], "%s%.*s", r->words_of[i].n ? " " : "",
			               (int)values[i].n, values[i].p);
	}
	if (r->restarted)
		return 0;
	struct xcs_num *row = xcs_sample_list_row(r->list, t_s);
	for (size_t i = 0; i < n; i++) {
		int at = is_time(names[i]) || is_wall(names[i]) || !v[i].known
		                 ? -1
		                 : xcs_sample_list_name(r->list, names[i]);
		if (at >= 0)
			row[at] = v[i];
	}
	return 0;
}

/* "# monotonic realtime ctxt" names the columns, if it has as many words as they. */
static void take_comment(struct reading *r, struct xcs_str line)
{
	while (line.n && line.p[0] == '#')
		line.p++, line.n--;
	if (!r->list->n_rows)
		r->n_names = split_words(line, r->names);
}

static int read_text(struct reading *r, struct xcs_str rest, bool no_newline, struct xcs_err *err)
{
	struct xcs_str line;
	int rc = 0;

	while (rc == 0 && !r->restarted && xcs_str_next_line(&rest, &line)) {
		r->line++;
		line = xcs_str_trim(line);
		if (!line.n)
			continue;
		if (xcs_str_is(line, XCS_MAIL_CUT))
			break;
		if (no_newline && !rest.n && r->list->n_rows) {
			r->unterminated = true; /* its last number may lack digits */
			break;
		}
		if (line.p[0] == '#')
			take_comment(r, line);
		else
			rc = take_line(r, line, err);
	}
	if (rc == 0 && !r->list->n_rows)
		rc = xcs_err_set(err, -EINVAL, "it holds no samples");
	return rc;
}

/* Rates between neighbours; a counter that fell gives none. */
static int make_rates(const struct xcs_sample_list *l, struct xcs_import_series *s,
                      struct xcs_err *err)
{
	for (size_t c = 0; c < l->n_names; c++) {
		char *name = xcs_xasprintf("%s/s", l->names[c]);
		xcs_series_add_column(s, xcs_str(name));
		free(name);
	}
	for (size_t r = 1; r < l->n_rows; r++) {
		double dt_s = l->t_s[r].v - l->t_s[r - 1].v;
		if (!l->t_s[r].known || !(dt_s > 0))
			return xcs_err_set(err, -EINVAL,
			                   "the time of sample %zu is not after that of the one "
			                   "before; a monotonic clock is needed",
			                   r + 1);
		struct xcs_num *row = xcs_series_add_row(s);
		for (size_t c = 0; c < l->n_names; c++) {
			struct xcs_num now = l->v[r * l->n_names + c];
			struct xcs_num before = l->v[(r - 1) * l->n_names + c];
			struct xcs_num grown = xcs_num_minus(now, before);
			if (grown.known && grown.v < 0)
				xcs_series_note(s, "%s fell before sample %zu: no rate.",
				                l->names[c], r + 1);
			else if (grown.known)
				row[c] = xcs_num_of(grown.v / dt_s);
		}
	}
	double span_s = l->t_s[l->n_rows - 1].v - l->t_s[0].v;
	if (s->n_rows && span_s < 1e9)
		s->interval_ns = (int64_t)(span_s * 1e9 / (double)s->n_rows + 0.5);
	if (!s->n_rows)
		xcs_series_note(s, "There is one sample, so no complete interval yet.");
	return 0;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Two clusters far apart, as cores of two kinds give: a gap three times as wide as either. */
static void note_clusters(struct xcs_import_series *s, int column)
{
	double *v = xcs_xcalloc(s->n_rows, sizeof(*v));
	size_t n = 0, at = 0;

	for (size_t r = 0; r < s->n_rows; r++)
		if (xcs_series_get(s, r, column).known)
			v[n++] = xcs_series_get(s, r, column).v;
	if (n)
		qsort(v, n, sizeof(*v), by_value);
	for (size_t i = 1; i < n; i++)
		if (!at || v[i] - v[i - 1] > v[at] - v[at - 1])
			at = i;
	if (at >= 2 && n - at >= 2 && v[at] - v[at - 1] > 3 * (v[at - 1] - v[0]) &&
	    v[at] - v[at - 1] > 3 * (v[n - 1] - v[at]) && v[at] > 1.2 * v[at - 1])
		xcs_series_note(s,
		                "%s has two clusters, %.6g..%.6g and %.6g..%.6g: a mean describes "
		                "neither, and %zu values of two kinds prove nothing.",
		                s->columns[column], v[0], v[at - 1], v[at], v[n - 1], n);
	free(v);
}

/* What a run measured, by its name; the rest says which run it was, and where. */
static bool is_figure(const char *name)
{
	static const char *const ends[] = {"value", "/s", "_per_s", "_s", "_ms", "_us", "_ns"};
	size_t n = strlen(name);

	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		if (n >= strlen(ends[i]) && strcmp(name + n - strlen(ends[i]), ends[i]) == 0)
			return true;
	return false;
}

static void note_constant(struct xcs_import_series *s, int column)
{
	for (size_t r = 0; r < s->n_rows; r++) {
		struct xcs_num v = xcs_series_get(s, r, column);
		if (!v.known || v.v != xcs_series_get(s, 0, column).v)
			return;
	}
	if (s->n_rows >= 3)
		xcs_series_note(s,
		                "%s is suspiciously constant: %zu runs gave exactly the same; the "
		                "tool may have measured its own timer.",
		                s->columns[column], s->n_rows);
}

/* All that a reader needs to see what a median hides. */
static void note_values(struct xcs_import_series *s, int column)
{
	enum {
		SHOWN = 20
	};
	struct xcs_buf all = {0};

	for (size_t r = 0; r < s->n_rows && s->n_rows <= SHOWN; r++) {
		struct xcs_num v = xcs_series_get(s, r, column);
		xcs_buf_puts(&all, r ? ", " : "");
		if (v.known)
			xcs_buf_printf(&all, "%.10g", v.v);
		else
			xcs_buf_puts(&all, "n/a");
	}
	if (all.n)
		xcs_series_note(s, "%s, run by run: %s.", s->columns[column], all.p);
	xcs_buf_fini(&all);
}

/* Each row is a run; what is no number goes into notes. */
static void make_runs(const struct reading *r, struct xcs_import_series *s)
{
	const struct xcs_sample_list *l = r->list;

	s->rows_are_runs = true;
	for (size_t c = 0; c < l->n_names; c++)
		xcs_series_add_column(s, xcs_str(l->names[c]));
	for (size_t i = 0; i < l->n_rows; i++)
		memcpy(xcs_series_add_row(s), l->v + i * l->n_names,
		       l->n_names * sizeof(*s->cells));
	for (size_t c = 0; c < l->n_names; c++)
		if (is_figure(l->names[c])) {
			note_clusters(s, (int)c);
			note_constant(s, (int)c);
			note_values(s, (int)c);
		}
	for (size_t i = 0; i < r->n_names; i++)
		if (r->words_of[i].n)
			xcs_series_note(s, "%.*s, run by run: %s.", (int)r->names[i].n,
			                r->names[i].p, r->words_of[i].p);
}

static int make_series(const struct reading *r, struct xcs_import *out, struct xcs_err *err)
{
	struct xcs_import_series *s = xcs_import_add(out);
	const struct xcs_sample_list *l = r->list;

	s->kernel = l->kernel ? xcs_xstrdup(l->kernel) : NULL;
	s->boot_id = l->boot_id ? xcs_xstrdup(l->boot_id) : NULL;
	s->incomplete = l->incomplete || r->restarted;
	s->rebooted = r->restarted;
	if (r->unterminated)
		xcs_series_note(s, "The last line has no end, so it may be cut; left out.");
	if (l->incomplete)
		xcs_series_note(s, "incomplete: the list says so itself.");
	if (!l->t_s[0].known) {
		make_runs(r, s);
		return 0;
	}
	int rc = make_rates(l, s, err);
	if (r->restarted)
		xcs_series_note(s, "incomplete (rebooted after %.6g s): the rest is another boot.",
		                l->t_s[l->n_rows - 1].v - l->t_s[0].v);
	return rc;
}

static int import_text(struct xcs_str text, struct xcs_sample_list *list, struct xcs_import *out,
                       struct xcs_err *err)
{
	struct reading r = {.list = list};
	struct xcs_mail_report mail;
	struct xcs_buf plain = {0};

	xcs_mail_decode(text, &plain, &mail);
	int rc = mail.looks_binary ? xcs_err_set(err, -EINVAL, "it is no text")
	                           : read_text(&r, xcs_buf_str(&plain), mail.no_newline, err);
	if (rc == 0)
		rc = make_series(&r, out, err);
	for (size_t i = 0; i < WORDS_MAX; i++)
		xcs_buf_fini(&r.words_of[i]);
	xcs_buf_fini(&plain);
	return rc;
}

int xcs_samples_import(struct xcs_str text, struct xcs_import *out, struct xcs_err *err)
{
	struct xcs_sample_list list = {0};
	struct xcs_str start = xcs_str_trim(text);
	struct reading json = {.list = &list};
	int rc;

	*out = (struct xcs_import){0};
	if (!start.n)
		return xcs_err_set(err, -EINVAL, "no complete interval: the file is empty");
	if (start.p[0] != '{') {
		rc = import_text(text, &list, out, err);
	} else {
		rc = xcs_sample_list_parse(&list, text, err);
		if (rc == 0)
			rc = make_series(&json, out, err);
	}
	xcs_sample_list_fini(&list);
	xcs_import_label(out);
	if (rc)
		xcs_import_fini(out);
	return rc;
}
