/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * perf-stat(1), "CSV FORMAT": [time of -I] [CPU, core or socket] [number of CPUs] value, unit,
 * event, [variance of -r], run time of the counter in ns, per cent of the time that it ran,
 * [metric, its unit]. Lines whose first fields are empty hold further metrics. Before 3.14
 * there was no unit-and-run-time tail; such lines end with the event.
 */
#include "fields.h"

#include <common/alloc.h>
#include <common/units.h>
#include <reports/import/mail.h>
#include <reports/import/timed.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	FIELDS_MAX = 20,
	LINE_MAX_BYTES = 4096
};

struct count {
	struct xcs_str id, event; /* id: "CPU0"; empty without */
	struct xcs_num time_s, value, run_ns, ran_pct;
};

static size_t split(struct xcs_str line, char sep, struct xcs_str fields[FIELDS_MAX])
{
	size_t n = 0;

	fields[0] = (struct xcs_str){line.p, 0};
	for (size_t i = 0; i < line.n; i++) {
		if (line.p[i] != sep)
			fields[n].n++;
		else if (++n < FIELDS_MAX)
			fields[n] = (struct xcs_str){line.p + i + 1, 0};
		else
			return FIELDS_MAX;
	}
	for (size_t i = 0; i <= n; i++)
		fields[i] = xcs_str_trim(fields[i]);
	return n + 1;
}

static bool has_letter(struct xcs_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((s.p[i] | 0x20) >= 'a' && (s.p[i] | 0x20) <= 'z')
			return true;
	return false;
}

/* A value, or the word that perf has instead of one. */
static bool is_value(struct xcs_str s, char point, struct xcs_num *out)
{
	*out = (struct xcs_num){0};
	if (xcs_str_starts(s, "<not"))
		return true;
	out->known = field_number(s, point, &out->v);
	return out->known;
}

/* Index of the value: what stands before a unit (or nothing) and an event. -1: none. */
static int find_value(const struct xcs_str *f, size_t n, char point, struct xcs_num *value)
{
	double v;

	for (size_t i = 0; i < 4 && i + 2 < n; i++)
		if (is_value(f[i], point, value) && !field_number(f[i + 1], point, &v) &&
		    has_letter(f[i + 2]))
			return (int)i;
	return -1;
}

static bool is_two_decimals(struct xcs_str s, char point)
{
	return s.n >= 4 && s.p[s.n - 3] == point;
}

/* What stands before the value. */
static void take_front(struct count *c, const struct xcs_str *f, int n, char point)
{
	for (int i = 0; i < n; i++) {
		if (i == 0 && memchr(f[i].p, point, f[i].n))
			c->time_s.known = field_number(f[i], point, &c->time_s.v);
		else if (has_letter(f[i]))
			c->id = f[i];
	}
}

/* 1: a count; 0: a line of another kind; -EINVAL: it reads two ways. */
static int parse_line(struct xcs_str line, char sep, char point, struct count *c)
{
	struct xcs_str f[FIELDS_MAX];
	size_t n = split(line, sep, f);

	*c = (struct count){.id = xcs_str("")};
	int at = find_value(f, n, point, &c->value);
	if (at < 0)
		return 0;
	take_front(c, f, at, point);
	c->event = f[at + 2];
	size_t tail = (size_t)at + 3;
	if (tail < n && f[tail].n && f[tail].p[f[tail].n - 1] == '%')
		tail++;
	if (tail + 1 >= n)
		return tail == n || !f[tail].n ? 1 : -EINVAL;
	c->run_ns.known = field_number(f[tail], point, &c->run_ns.v);
	c->ran_pct.known = field_number(f[tail + 1], point, &c->ran_pct.v);
	return c->run_ns.known && c->ran_pct.known && is_two_decimals(f[tail + 1], point) ? 1
	                                                                                  : -EINVAL;
}

struct reading {
	struct xcs_import *out;
	char sep, point;
};

static struct xcs_import_series *series_of(struct xcs_import *out, struct xcs_str id)
{
	for (size_t i = 0; i < out->n; i++)
		if (xcs_str_is(id, out->v[i].heading))
			return &out->v[i];
	struct xcs_import_series *s = xcs_import_add(out);
	s->heading = xcs_xasprintf("%.*s", (int)id.n, id.p);
	s->label = id.n ? xcs_xasprintf("perf stat, %.*s", (int)id.n, id.p) : NULL;
	return s;
}

/* "cs" is another name of the event; a user's modifier ("cs:u") stays. */
static struct xcs_str event_name(struct xcs_str event)
{
	return xcs_str_is(event, "cs") ? xcs_str("context-switches") : event;
}

static int column_of(const struct xcs_import_series *s, struct xcs_str event)
{
	for (size_t i = 0; i < s->n_columns; i++)
		if (xcs_str_is(event, s->columns[i]))
			return (int)i;
	return -1;
}

/* Columns first, since rows have a width. */
static void see_event(struct reading *r, const struct count *c)
{
	struct xcs_import_series *s = series_of(r->out, c->id);
	struct xcs_str event = event_name(c->event);

	if (column_of(s, event) < 0)
		xcs_series_add_column(s, event);
}

/* Where the count goes: the last row, if it has its time and lacks its event. */
static struct xcs_num *cell_for(struct xcs_import_series *s, const struct count *c, int column,
                                double *times_s)
{
	size_t last = s->n_rows - 1;

	if (!s->n_rows || times_s[0] != c->time_s.v || xcs_series_get(s, last, column).known)
		(void)xcs_series_add_row(s);
	times_s[0] = c->time_s.v;
	return &s->cells[(s->n_rows - 1) * s->n_columns + (size_t)column];
}

static void note_count(struct xcs_import_series *s, const struct count *c)
{
	if (!c->value.known)
		xcs_series_note(s, "%.*s was not counted or is not supported: unknown.",
		                (int)c->event.n, c->event.p);
	else if (c->ran_pct.known && c->ran_pct.v < 99.5)
		xcs_series_note(s, "%.*s ran part of the time and is scaled up by perf.",
		                (int)c->event.n, c->event.p);
}

static void see_count(struct reading *r, const struct count *c, double *times_s)
{
	struct xcs_import_series *s = series_of(r->out, c->id);
	int column = column_of(s, event_name(c->event));

	*cell_for(s, c, column, &times_s[s - r->out->v]) = c->value;
	note_count(s, c);
	if (c->time_s.known)
		s->interval_ns = (int64_t)(c->time_s.v * 1e9) / (int64_t)s->n_rows;
	else if (c->run_ns.known && s->n_rows == 1 && c->run_ns.v >= 1 && c->run_ns.v < 1e17)
		s->interval_ns = (int64_t)c->run_ns.v;
}

/* Or far too long to be one of perf's. */
static bool is_blank_or_comment(struct xcs_str line)
{
	struct xcs_str s = xcs_str_trim(line);

	return !s.n || s.n > LINE_MAX_BYTES || s.p[0] == '#' || xcs_str_is(s, XCS_MAIL_CUT);
}

/* The separator by which the first line is one, and its decimal point; 0: none. */
static char find_separator(struct xcs_str text, char *point, bool *ambiguous)
{
	static const char seps[] = "\t;|,:";
	struct xcs_str line;
	struct count c;

	*ambiguous = false;
	for (int n = 0; n < 100 && xcs_str_next_line(&text, &line); n++) {
		for (size_t i = 0; i < sizeof(seps) - 1 && !is_blank_or_comment(line); i++) {
			*point = seps[i] != ',' && !memchr(line.p, '.', line.n) ? ',' : '.';
			int rc = parse_line(line, seps[i], *point, &c);
			if (rc == 1)
				return seps[i];
			*ambiguous |= rc < 0 && seps[i] == ',';
		}
		if (*ambiguous)
			return 0;
	}
	return 0;
}

static int refuse_line(size_t line, char sep, struct xcs_err *err)
{
	if (sep == ',')
		return xcs_err_set(
		        err, -EINVAL,
		        "line %zu: a comma may be its separator or its decimal point; run "
		        "perf with LC_ALL=C, or with -x\";\"",
		        line);
	return xcs_err_set(err, -EINVAL,
	                   "line %zu is no line of perf stat -x; it is cut short or damaged", line);
}

/* Calls see_event or see_count for each line. */
static int walk(struct reading *r, struct xcs_str rest, double *times_s, struct xcs_err *err)
{
	struct xcs_str line;
	struct count c;

	for (size_t n = 1; xcs_str_next_line(&rest, &line); n++) {
		if (is_blank_or_comment(line))
			continue;
		int rc = parse_line(line, r->sep, r->point, &c);
		if (rc < 0)
			return refuse_line(n, r->sep, err);
		if (rc && times_s)
			see_count(r, &c, times_s);
		else if (rc)
			see_event(r, &c);
	}
	return 0;
}

static void judge(struct xcs_import_series *s)
{
	free(s->heading);
	s->heading = NULL;
	xcs_series_note(s, "Counts are of what perf was told to watch: a command, some CPUs or the "
	                   "machine; the text does not say.");
	if (s->n_rows == 1 && s->interval_ns)
		xcs_series_note(s,
		                "The interval is the counter's run time; with -a that is the sum "
		                "over all CPUs.");
	if (!s->interval_ns)
		s->rows_are_runs = true;
}

int xcs_perf_stat_import(struct xcs_str text, struct xcs_import *out, struct xcs_err *err)
{
	struct reading r = {.out = out};
	struct xcs_mail_report mail;
	struct xcs_buf plain = {0};
	bool ambiguous;

	*out = (struct xcs_import){0};
	xcs_mail_decode(text, &plain, &mail);
	r.sep = find_separator(xcs_buf_str(&plain), &r.point, &ambiguous);
	int rc = r.sep       ? walk(&r, xcs_buf_str(&plain), NULL, err)
	         : ambiguous ? refuse_line(1, ',', err)
	                     : xcs_err_set(err, -EINVAL,
	                                   "it holds no line of perf stat -x (value, "
	                                   "unit, event, run time, per cent)");
	double *times_s = xcs_xcalloc(out->n + 1, sizeof(*times_s));
	if (rc == 0)
		rc = walk(&r, xcs_buf_str(&plain), times_s, err);
	for (size_t i = 0; i < out->n && rc == 0; i++)
		judge(&out->v[i]);
	xcs_import_label(out);
	if (rc)
		xcs_import_fini(out);
	free(times_s);
	xcs_buf_fini(&plain);
	return rc;
}
