/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * sar(1) -w: below "Linux RELEASE (HOST) DATE ..." a header whose columns end in "/s" behind
 * a time (with AM or PM in some locales), rows of the same form, "Average:" rows in the
 * user's language, and LINUX RESTART between boots. Decimals have the locale's point.
 */
#include "fields.h"

#include <common/alloc.h>
#include <common/units.h>
#include <reports/import/mail.h>
#include <reports/import/timed.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	WORDS_MAX = 32
};

struct reading {
	struct xcs_import *out;
	struct xcs_str kernel;
	struct xcs_str labels[WORDS_MAX]; /* of the last header */
	size_t n_labels, n_front;         /* words before them: time, AM or PM */
	bool header, open;                /* a header was seen; its series is the last */
	double last_s;
	size_t line;
};

static size_t words_of(struct xcs_str line, struct xcs_str words[WORDS_MAX])
{
	size_t n = 0;

	while (n < WORDS_MAX && xcs_str_next_word(&line, &words[n]))
		n++;
	return n;
}

static bool is_label(struct xcs_str word)
{
	return word.n > 2 && memcmp(word.p + word.n - 2, "/s", 2) == 0;
}

/* A time in the first words, in seconds of the day; -1: none. */
static double row_time_s(const struct xcs_str *words, size_t n_front)
{
	double s;

	if (!field_time(words[0], &s))
		return -1;
	if (n_front > 1 && xcs_str_is(words[1], "PM") && s < 12 * 3600)
		s += 12 * 3600;
	if (n_front > 1 && xcs_str_is(words[1], "AM") && s >= 12 * 3600)
		s -= 12 * 3600;
	return s;
}

static bool see_header(struct reading *r, const struct xcs_str *words, size_t n)
{
	size_t front = 0;
	double s;

	while (front < n && !is_label(words[front]))
		front++;
	if (front == n || front == 0 || front > 2 || !field_time(words[0], &s))
		return false;
	bool same = r->header && r->n_labels == n - front;
	for (size_t i = front; i < n && same; i++)
		same = words[i].n == r->labels[i - front].n &&
		       memcmp(words[i].p, r->labels[i - front].p, words[i].n) == 0;
	memcpy(r->labels, words + front, (n - front) * sizeof(*words));
	r->n_labels = n - front;
	r->n_front = front;
	r->open &= same;
	r->header = true;
	if (!r->open)
		r->last_s = row_time_s(words, front); /* the first interval starts here */
	return true;
}

static struct xcs_import_series *open_series(struct reading *r)
{
	if (r->open)
		return &r->out->v[r->out->n - 1];
	struct xcs_import_series *s = xcs_import_add(r->out);
	for (size_t i = 0; i < r->n_labels; i++)
		xcs_series_add_column(s, r->labels[i]);
	if (r->kernel.n)
		s->kernel = xcs_xasprintf("%.*s", (int)r->kernel.n, r->kernel.p);
	r->open = true;
	return s;
}

static bool number_of(struct xcs_str word, double *out)
{
	return field_number(word, '.', out) || field_number(word, ',', out);
}

static void see_row(struct reading *r, const struct xcs_str *words, size_t n)
{
	double now_s = row_time_s(words, r->n_front), v[WORDS_MAX];

	if (now_s < 0)
		return; /* "Average:" */
	for (size_t i = 0; i < r->n_labels; i++)
		if (n != r->n_front + r->n_labels || !number_of(words[r->n_front + i], &v[i])) {
			if (r->open)
				xcs_series_note(&r->out->v[r->out->n - 1],
				                "line %zu is no whole row; left out.", r->line);
			return;
		}
	struct xcs_import_series *s = open_series(r);
	struct xcs_num *row = xcs_series_add_row(s);
	for (size_t i = 0; i < r->n_labels; i++)
		row[i] = (struct xcs_num){true, v[i]};
	double step_s = now_s - r->last_s + (now_s < r->last_s ? 86400 : 0);
	/* Clocks of summer time and gaps are no intervals: the shortest step is. */
	if (step_s >= 1 && (!s->interval_ns || step_s * 1e9 < (double)s->interval_ns))
		s->interval_ns = (int64_t)(step_s * 1e9 + 0.5);
	r->last_s = now_s;
}

static bool is_restart(struct xcs_str line)
{
	return memmem(line.p, line.n, "RESTART", 7) != NULL;
}

static void see_line(struct reading *r, struct xcs_str line)
{
	struct xcs_str words[WORDS_MAX];
	int depth;

	/* Cheap: before a header nothing else matters. */
	if (!r->header && !memmem(line.p, line.n, "/s", 2) && !memmem(line.p, line.n, "Linux", 5))
		return;
	line = xcs_mail_unquote(line, &depth);
	if (is_restart(line)) {
		if (r->open)
			xcs_series_note(&r->out->v[r->out->n - 1],
			                "The machine was restarted after its last row.");
		r->open = false;
		return;
	}
	size_t n = words_of(line, words);
	if (n < 2)
		return;
	if (xcs_str_is(words[0], "Linux") && n > 2 && words[2].p[0] == '(') {
		r->kernel = words[1];
		r->open = r->header = false;
	} else if (!see_header(r, words, n) && r->header) {
		see_row(r, words, n);
	}
}

/* Only series that count switches. */
static void keep_switches(struct xcs_import *out)
{
	size_t n = 0;

	for (size_t i = 0; i < out->n; i++)
		if (xcs_series_column(&out->v[i], "cswch/s") >= 0)
			out->v[n++] = out->v[i];
		else
			xcs_series_fini(&out->v[i]);
	out->n = n;
	for (size_t i = 0; i < n; i++) {
		struct xcs_import_series *s = &out->v[i];
		s->interval_assumed = !s->interval_ns;
		if (s->interval_assumed) {
			s->interval_ns = XCS_NS_PER_S;
			xcs_series_note(s, "The times do not tell the interval: 1 s is assumed.");
		}
	}
}

int xcs_sar_import(struct xcs_str text, struct xcs_import *out, struct xcs_err *err)
{
	struct reading r = {.out = out};
	struct xcs_mail_report mail;
	struct xcs_buf plain = {0};
	struct xcs_str line;

	*out = (struct xcs_import){0};
	xcs_mail_decode(text, &plain, &mail);
	struct xcs_str rest = xcs_buf_str(&plain);
	while (xcs_str_next_line(&rest, &line)) {
		r.line++;
		see_line(&r, line);
	}
	keep_switches(out);
	xcs_import_label(out);
	int rc = out->n ? 0
	                : xcs_err_set(err, -EINVAL,
	                              "it holds no rows below a header with cswch/s, which sar -w "
	                              "prints");
	if (rc)
		xcs_import_fini(out);
	xcs_buf_fini(&plain);
	return rc;
}
