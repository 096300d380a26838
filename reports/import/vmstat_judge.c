/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a reader has to know about a series before comparing it with another.
 */
#include "vmstat_parts.h"

#include <common/alloc.h>
#include <common/units.h>

#include <stdlib.h>

#define HALF_HOUR_S 1800
#define DAY_S       86400

static int index_of(const struct layout *l, enum vmstat_column id)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->ids[i] == id)
			return (int)i;
	return -1;
}

/* procps 4.0.1 and later take guest time out of us and show it as gu. */
static void judge_guest(struct xcs_import_series *s, const struct layout *l)
{
	int gu = index_of(l, COLUMN_GU);
	bool any = false;

	for (size_t r = 0; r < s->n_rows; r++)
		any |= xcs_series_get(s, r, gu).v > 0;
	if (any)
		xcs_series_note(s, "This vmstat takes guest time (gu) out of us; gu was folded in: "
		                   "user_share is us + gu, to compare with older logs.");
}

static void judge_steal(struct xcs_import_series *s, const struct layout *l)
{
	double missing = 0;
	size_t n = 0;

	if (index_of(l, COLUMN_ST) >= 0 || index_of(l, COLUMN_WA) < 0)
		return;
	for (size_t r = 0; r < s->n_rows; r++) {
		double sum = 0;
		bool known = true;
		for (size_t i = 0; i < l->n; i++) {
			struct xcs_num v = xcs_series_get(s, r, (int)i);
			known &= v.known || !column_is_pct(l->ids[i]);
			sum += column_is_pct(l->ids[i]) ? v.v : 0;
		}
		missing += known ? 100 - sum : 0;
		n += known;
	}
	if (n && missing / (double)n > 3)
		xcs_series_note(s,
		                "%.0f %% of CPU time not accounted for (hidden steal?): us, sy, id "
		                "and wa are shown as printed.",
		                missing / (double)n);
}

static int by_value(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The median of the steps forward; 0: unknown. */
static int64_t usual_step_s(const struct stamps *t)
{
	int64_t *steps = xcs_xcalloc(t->n, sizeof(*steps));
	int64_t usual = 0;
	size_t n = 0;

	for (size_t i = 1; i < t->n; i++)
		if (t->v[i] != XCS_ABSENT && t->v[i - 1] != XCS_ABSENT && t->v[i] > t->v[i - 1])
			steps[n++] = t->v[i] - t->v[i - 1];
	if (n) {
		qsort(steps, n, sizeof(*steps), by_value);
		usual = steps[(n - 1) / 2];
	}
	free(steps);
	return usual <= DAY_S ? usual : 0;
}

/* The clock's steps are no intervals: rates are vmstat's own, over the time that it slept. */
static void judge_step(struct xcs_import_series *s, size_t row, int64_t off_s)
{
	if (off_s % HALF_HOUR_S <= 1 && off_s % HALF_HOUR_S >= -1 && labs((long)off_s) <= 2 * 3600)
		xcs_series_note(s,
		                "The clock of the log jumps by %+.1f h before row %zu (summer "
		                "time?); it is no interval.",
		                (double)off_s / 3600, row + 1);
	else
		xcs_series_note(s, "The clock of the log is %+lld s off before row %zu.",
		                (long long)off_s, row + 1);
}

static void judge_stamps(struct xcs_import_series *s, const struct stamps *t)
{
	int64_t step_s = usual_step_s(t);

	if (!step_s)
		return;
	s->interval_ns = step_s * XCS_NS_PER_S;
	s->interval_assumed = false;
	for (size_t i = 1; i < t->n; i++) {
		if (t->v[i] == XCS_ABSENT || t->v[i - 1] == XCS_ABSENT)
			continue;
		int64_t off_s = t->v[i] - t->v[i - 1] - step_s;
		if (off_s > 2 || off_s < -2)
			judge_step(s, i, off_s);
	}
}

void vmstat_judge(struct xcs_import_series *s, const struct layout *l, const struct stamps *stamps)
{
	judge_stamps(s, stamps);
	judge_guest(s, l);
	judge_steal(s, l);
	if (l->translated)
		xcs_series_note(
		        s,
		        "The header is translated; its %zu columns are taken in the order of "
		        "vmstat, memory columns by their place.",
		        l->n);
	if (index_of(l, COLUMN_W) >= 0 && index_of(l, COLUMN_WA) < 0)
		xcs_series_note(s, "This vmstat shows no wa: waiting is in id.");
	if (s->interval_assumed && s->n_rows)
		xcs_series_note(s, "Neither time stamps nor a command line tell the interval: 1 s "
		                   "is assumed.");
}
