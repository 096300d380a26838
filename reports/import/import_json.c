/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <record/json.h>
#include <reports/import/write.h>
#include <reports/stats.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_BELOW 9007199254740992.0 /* 2^53: an integer up to here is one as a double */

/* Integers stay integers. */
static void set_number(struct json_t *object, const char *key, struct xcs_num v)
{
	if (v.known && v.v == floor(v.v) && fabs(v.v) < EXACT_BELOW)
		xcs_json_set_i64(object, key, (int64_t)v.v);
	else
		xcs_json_set_num(object, key, v);
}

/* us + gu: what vmstat called us before it had a gu. Unknown without one. */
static bool user_share(const struct xcs_import_series *s, size_t row, struct xcs_num *out)
{
	int gu = xcs_series_column(s, "gu");
	struct xcs_num u = xcs_series_get(s, row, xcs_series_column(s, "us"));
	struct xcs_num g = xcs_series_get(s, row, gu);

	*out = (struct xcs_num){u.known && g.known, u.v + g.v};
	return gu >= 0;
}

static struct json_t *row_json(const struct xcs_import_series *s, size_t row)
{
	struct json_t *j = xcs_json_object();
	struct xcs_num share;

	for (size_t c = 0; c < s->n_columns; c++)
		set_number(j, s->columns[c], xcs_series_get(s, row, (int)c));
	if (user_share(s, row, &share))
		set_number(j, "user_share", share);
	return j;
}

enum fold {
	FOLD_MEAN,
	FOLD_MEDIAN,
	FOLD_MIN,
	FOLD_MAX
};

static struct xcs_num cell_of(const struct xcs_import_series *s, size_t row, int column)
{
	struct xcs_num v = xcs_series_get(s, row, column);

	if (column < 0)
		(void)user_share(s, row, &v);
	return v;
}

/* What the text says of a series whose rows it does not have. */
static struct xcs_num stated(const struct xcs_import_series *s, int column, enum fold fold)
{
	if (column != 0 || fold == FOLD_MEDIAN)
		return (struct xcs_num){0};
	return fold == FOLD_MEAN  ? s->stated_mean
	       : fold == FOLD_MIN ? s->stated_min
	                          : s->stated_max;
}

static struct xcs_num fold_column(const struct xcs_import_series *s, int column, enum fold fold)
{
	struct xcs_num *v = xcs_xcalloc(s->n_rows + 1, sizeof(*v));
	struct xcs_num result = {0};
	double sum = 0;

	for (size_t r = 0; r < s->n_rows; r++) {
		v[r] = cell_of(s, r, column);
		sum += v[r].known ? v[r].v : 0;
	}
	struct xcs_spread spread = xcs_spread_of(v, s->n_rows);
	if (spread.n)
		result = xcs_num_of(fold == FOLD_MEAN     ? sum / (double)spread.n
		                    : fold == FOLD_MEDIAN ? spread.median
		                    : fold == FOLD_MIN    ? spread.min
		                                          : spread.max);
	else if (!s->n_rows)
		result = stated(s, column, fold);
	free(v);
	return result;
}

static struct json_t *fold_json(const struct xcs_import_series *s, enum fold fold)
{
	struct json_t *j = xcs_json_object();

	for (size_t c = 0; c < s->n_columns; c++) {
		struct xcs_num v = fold_column(s, (int)c, fold);
		if (fold == FOLD_MEAN)
			xcs_json_set_num(j, s->columns[c], v);
		else
			set_number(j, s->columns[c], v);
	}
	if (xcs_series_column(s, "gu") >= 0)
		xcs_json_set_num(j, "user_share", fold_column(s, -1, fold));
	return j;
}

/* Sample standard deviation of a column; unknown for one row. */
static struct xcs_num deviation(const struct xcs_import_series *s, int column)
{
	double mean = fold_column(s, column, FOLD_MEAN).v, sum = 0;
	size_t n = 0;

	for (size_t r = 0; r < s->n_rows; r++) {
		struct xcs_num v = xcs_series_get(s, r, column);
		sum += v.known ? (v.v - mean) * (v.v - mean) : 0;
		n += v.known;
	}
	if (!s->n_rows && column == 0)
		return s->stated_spread;
	return n > 1 ? xcs_num_of(sqrt(sum / (double)(n - 1))) : (struct xcs_num){0};
}

static struct json_t *spread_json(const struct xcs_import_series *s)
{
	struct json_t *j = xcs_json_object();

	for (size_t c = 0; c < s->n_columns; c++)
		xcs_json_set_num(j, s->columns[c], deviation(s, (int)c));
	return j;
}

static struct json_t *strings_json(char *const *v, size_t n)
{
	struct json_t *j = xcs_json_array();

	for (size_t i = 0; i < n; i++)
		xcs_json_append_str(j, v[i]);
	return j;
}

struct json_t *xcs_series_json(const struct xcs_import_series *s,
                               const struct xcs_import_about *about)
{
	struct json_t *j = xcs_json_object(), *samples = xcs_json_array();

	xcs_json_set_str(j, "label", s->label);
	xcs_json_set_str(j, "tool", about->tool);
	xcs_json_set_str(j, "source", about->source);
	xcs_json_set_str(j, "file", about->path);
	xcs_json_set_str(j, "kernel", about->kernel ? about->kernel : s->kernel);
	xcs_json_set_str(j, "heading", s->heading);
	xcs_json_set_str(j, "command", s->command);
	xcs_json_set_i64(j, "quote_depth", s->quote_depth);
	xcs_json_set(j, "columns", strings_json(s->columns, s->n_columns));
	xcs_json_set_i64(j, "dropped_since_boot", s->n_dropped_since_boot);
	xcs_json_set_i64(j, "interval_ns", s->interval_ns ? s->interval_ns : XCS_ABSENT);
	xcs_json_set_bool(j, "interval_assumed", s->interval_assumed);
	xcs_json_set_bool(j, "incomplete", s->incomplete);
	if (s->exit_codes)
		xcs_json_set_str(j, "exit_codes", s->exit_codes);
	xcs_json_set(j, "notes", strings_json(s->notes, s->n_notes));
	for (size_t r = 0; r < s->n_rows; r++)
		xcs_json_append(samples, row_json(s, r));
	xcs_json_set(j, "samples", samples);
	xcs_json_set_i64(j, "n",
	                 s->n_rows || !s->stated_mean.known ? (int64_t)s->n_rows : XCS_ABSENT);
	xcs_json_set(j, "mean", fold_json(s, FOLD_MEAN));
	xcs_json_set(j, "median", fold_json(s, FOLD_MEDIAN));
	xcs_json_set(j, "min", fold_json(s, FOLD_MIN));
	xcs_json_set(j, "max", fold_json(s, FOLD_MAX));
	xcs_json_set(j, "spread", spread_json(s));
	return j;
}
