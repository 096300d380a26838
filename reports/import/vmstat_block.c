/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * From numbers to rows. A row that stands on one line is taken as it is. All else was done
 * by a mailer, and is put together again only where it cannot be wrong by a column: by time
 * stamps, by whole lines, or by count and percentages that add up.
 */
#include "vmstat_parts.h"

#include <common/alloc.h>

#include <inttypes.h>
#include <stdlib.h>

enum {
	SUM_LEAST_PCT = 97, /* of us, sy, id ..., each of them rounded */
	SUM_MOST_PCT = 103,
	MANY_NOTES = 20
};

void block_clear(struct block *b)
{
	b->n_numbers = b->n_lines = b->n_stamps = 0;
	b->cut = b->words = false;
}

void block_fini(struct block *b)
{
	free(b->numbers);
	free(b->lines);
	free(b->stamps);
	*b = (struct block){0};
}

void block_line_start(struct block *b, size_t line)
{
	b->lines = xcs_xgrow(b->lines, b->n_lines, &b->cap_lines, sizeof(*b->lines));
	b->lines[b->n_lines++] = (struct block_line){b->n_numbers, 0, line};
}

void block_add(struct block *b, struct xcs_str number)
{
	uint64_t v;

	if (xcs_str_u64(number, &v))
		v = UINT64_MAX;
	b->numbers = xcs_xgrow(b->numbers, b->n_numbers, &b->cap_numbers, sizeof(*b->numbers));
	b->numbers[b->n_numbers++] = v;
	b->lines[b->n_lines - 1].n++;
}

/* A time behind a date belongs to it. */
void block_stamp(struct block *b, struct xcs_str word, enum word_kind kind)
{
	struct block_stamp *last = b->n_stamps ? &b->stamps[b->n_stamps - 1] : NULL;

	if (last && last->at == b->n_numbers && kind == WORD_TIME && last->s >= 86400) {
		last->s += word_time_s(word);
		return;
	}
	b->stamps = xcs_xgrow(b->stamps, b->n_stamps, &b->cap_stamps, sizeof(*b->stamps));
	b->stamps[b->n_stamps++] = (struct block_stamp){
	        b->n_numbers, kind == WORD_DATE ? word_date_s(word) : word_time_s(word)};
}

/* How a row's percentages look. */
enum sum {
	SUM_ADDS_UP,
	SUM_SHORT, /* each is one, together they are less than 100: steal that is not shown */
	SUM_WRONG
};

static enum sum row_sum(const struct layout *l, const uint64_t *row)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (!column_is_pct(l->ids[i]))
			continue;
		if (row[i] > 100)
			return SUM_WRONG;
		sum += row[i];
	}
	if (sum > SUM_MOST_PCT)
		return SUM_WRONG;
	return sum >= SUM_LEAST_PCT ? SUM_ADDS_UP : SUM_SHORT;
}

/* A counter of 32 or 64 bits that was taken from a larger one, or a percentage over 100. */
static bool is_wrapped(enum vmstat_column id, uint64_t v)
{
	return v > INT64_MAX || (v >= UINT64_C(4294966000) && v <= UINT32_MAX) ||
	       (column_is_pct(id) && v > 100);
}

/* Where rows go. */
struct sink {
	const struct block *b;
	const struct layout *l;
	struct xcs_import_series *s;
	struct stamps *stamps;
};

/* A file of junk needs no sentence for each of its lines. */
static bool is_told_enough(const struct sink *k)
{
	if (k->s->n_notes >= MANY_NOTES)
		xcs_series_note(k->s, "There is more of the kind.");
	return k->s->n_notes >= MANY_NOTES;
}

static void note_wrapped(const struct sink *k, size_t column, uint64_t v)
{
	if (!is_told_enough(k))
		xcs_series_note(k->s,
		                "%s of row %zu is %" PRIu64 ", which no machine does: taken as "
		                "unknown (a counter that wrapped?).",
		                k->s->columns[column], k->s->n_rows, v);
}

static void note_left_out(const struct sink *k, size_t line, size_t n_numbers, const char *why)
{
	if (!is_told_enough(k))
		xcs_series_note(k->s, "line %zu: %zu number%s %s; left out.", line, n_numbers,
		                n_numbers == 1 ? "" : "s", why);
}

static void take_row(const struct sink *k, size_t first, int64_t stamp_s)
{
	struct xcs_num *row = xcs_series_add_row(k->s);

	for (size_t i = 0; i < k->l->n; i++) {
		uint64_t v = k->b->numbers[first + i];
		if (is_wrapped(k->l->ids[i], v))
			note_wrapped(k, i, v);
		else
			row[i] = (struct xcs_num){true, (double)v};
	}
	k->stamps->v = xcs_xgrow(k->stamps->v, k->stamps->n, &k->stamps->cap, sizeof(int64_t));
	k->stamps->v[k->stamps->n++] = stamp_s;
}

static bool all_lines_are_rows(const struct sink *k)
{
	for (size_t i = 0; i < k->b->n_lines; i++)
		if (k->b->lines[i].n != k->l->n)
			return false;
	return true;
}

/* The last number of a text that was cut may lack digits. */
static bool is_cut(const struct sink *k, size_t first)
{
	return k->b->cut && first + k->l->n == k->b->n_numbers &&
	       row_sum(k->l, k->b->numbers + first) != SUM_ADDS_UP;
}

static void take_lines(const struct sink *k)
{
	for (size_t i = 0; i < k->b->n_lines; i++) {
		const struct block_line *line = &k->b->lines[i];
		if (is_cut(k, line->first))
			note_left_out(k, line->line, line->n, "stand where the text was cut");
		else
			take_row(k, line->first, XCS_ABSENT);
	}
}

/* Rows by their time stamps, before or behind them. */
static void take_by_stamps(const struct sink *k)
{
	const struct block *b = k->b;
	bool leading = b->stamps[0].at == 0;
	size_t n_bad = 0;

	for (size_t i = 0; i < b->n_stamps; i++) {
		size_t start = leading ? b->stamps[i].at : i ? b->stamps[i - 1].at : 0;
		size_t end = !leading              ? b->stamps[i].at
		             : i + 1 < b->n_stamps ? b->stamps[i + 1].at
		                                   : b->n_numbers;
		if (end - start == k->l->n)
			take_row(k, start, b->stamps[i].s);
		else
			n_bad++;
	}
	if (!leading && b->stamps[b->n_stamps - 1].at != b->n_numbers)
		n_bad++;
	if (n_bad)
		xcs_series_note(k->s,
		                "%zu row%s from line %zu on had too few or too many numbers for "
		                "%zu columns; left out.",
		                n_bad, n_bad == 1 ? "" : "s", b->lines[0].line, k->l->n);
}

/* Rows that were wrapped: each is some whole lines. Returns false at the first that is not. */
static bool wraps_at_lines(const struct sink *k)
{
	size_t pending = 0;
	bool all_short = true, all_add_up = true;

	for (size_t i = 0; i < k->b->n_lines; i++) {
		const struct block_line *line = &k->b->lines[i];
		pending += line->n;
		if (pending > k->l->n)
			return false;
		if (pending < k->l->n)
			continue;
		enum sum sum = row_sum(k->l, k->b->numbers + line->first + line->n - pending);
		all_add_up &= sum == SUM_ADDS_UP;
		all_short &= sum == SUM_SHORT;
		pending = 0;
	}
	return pending == 0 && (all_add_up || all_short);
}

/* Rows that follow one another without regard to lines. */
static bool flows(const struct sink *k)
{
	size_t n = k->b->n_numbers, n_rows = n / k->l->n;

	if (!n_rows || (n % k->l->n && !k->b->words))
		return false;
	for (size_t i = 0; i < n_rows; i++)
		if (row_sum(k->l, k->b->numbers + i * k->l->n) != SUM_ADDS_UP)
			return false;
	return true;
}

static void take_flow(const struct sink *k, const char *how)
{
	size_t n_rows = k->b->n_numbers / k->l->n;

	for (size_t i = 0; i < n_rows; i++)
		take_row(k, i * k->l->n, XCS_ABSENT);
	xcs_series_note(k->s, "Rows were %s by a mailer and are put together again.", how);
	if (k->b->n_numbers % k->l->n)
		note_left_out(k, k->b->lines[k->b->n_lines - 1].line, k->b->n_numbers % k->l->n,
		              "begin the text behind the rows");
}

/* How many lines from i on make one row; 0: none. A row that begins where none was seen to
 * end must have percentages that add up, as must one that is joined. */
static size_t row_of_lines(const struct sink *k, size_t i, bool after_row)
{
	const struct block_line *lines = k->b->lines;
	size_t n = 0;

	for (size_t j = i; j < k->b->n_lines && n < k->l->n; j++) {
		n += lines[j].n;
		if (n != k->l->n)
			continue;
		enum sum sum = row_sum(k->l, k->b->numbers + lines[i].first);
		if (j == i && after_row && !k->b->cut && sum == SUM_SHORT)
			return 1;
		return sum == SUM_ADDS_UP ? j - i + 1 : 0;
	}
	return 0;
}

/*
 * Something is missing or too much. What stands whole on a line, and begins where the row
 * before it ended, is a row all the same; pieces are joined only in the shape in which the
 * rows before were. Takes the rows unless `count`; returns how many lines are in none.
 */
static size_t walk_lines(const struct sink *k, bool count)
{
	size_t shape = 0; /* numbers on the first line of a wrapped row; 0: not seen */
	size_t n_out = 0;
	bool after_row = true;

	for (size_t i = 0; i < k->b->n_lines;) {
		const struct block_line *line = &k->b->lines[i];
		size_t n_lines = row_of_lines(k, i, after_row);
		if (n_lines > 1 && !after_row && line->n != shape)
			n_lines = 0;
		if (n_lines && !count)
			take_row(k, line->first, XCS_ABSENT);
		if (!n_lines && !count)
			note_left_out(k, line->line, line->n, "are no whole row of this header");
		if (n_lines > 1 || (!n_lines && after_row && line->n > k->l->n / 2))
			shape = line->n;
		n_out += !n_lines;
		after_row = n_lines > 0;
		i += n_lines ? n_lines : 1;
	}
	return n_out;
}

/* Lines of more numbers than a row has, or many that fit in none, were run together: where
 * something is missing in such, nothing tells the columns. */
static void take_what_is_sure(const struct sink *k)
{
	const struct block *b = k->b;
	size_t n_most = 0;

	for (size_t i = 0; i < b->n_lines; i++)
		n_most = b->lines[i].n > n_most ? b->lines[i].n : n_most;
	if (n_most <= k->l->n && walk_lines(k, true) <= 2 + b->n_lines / 8)
		(void)walk_lines(k, false);
	else
		note_left_out(k, b->lines[0].line, b->n_numbers,
		              "were run into one another and some are missing, so that no column "
		              "is sure");
}

void block_resolve(const struct block *b, const struct layout *l, struct xcs_import_series *s,
                   struct stamps *stamps)
{
	struct sink k = {b, l, s, stamps};

	if (!b->n_numbers)
		return;
	if (b->n_stamps)
		take_by_stamps(&k);
	else if (all_lines_are_rows(&k))
		take_lines(&k);
	else if (wraps_at_lines(&k))
		take_flow(&k, "wrapped");
	else if (flows(&k))
		take_flow(&k, "run into one another");
	else
		take_what_is_sure(&k);
}
