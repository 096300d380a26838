/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Walks through a text line by line: command lines, headers (which may be wrapped), numbers
 * below them, and everything else, which ends a block of numbers.
 */
#include "vmstat_parts.h"

#include <common/alloc.h>
#include <common/units.h>
#include <reports/import/mail.h>
#include <reports/import/vmstat.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	WORDS_MAX = 4096, /* of one line that are looked at */
	HEADING_MAX = 200,
	FOREIGN_LEAST = 12 /* columns of a header that may be another program's */
};

enum header_state {
	HEADER_NONE,
	HEADER_GROUPS, /* a line of groups was seen */
	HEADER_LABELS  /* and words of the columns */
};

/* Where the walk stands. Texts that it keeps are borrowed from the decoded text. */
struct reader {
	struct xcs_import *out;
	enum xcs_first_row first;
	struct xcs_mail_report mail;
	size_t line;
	int depth; /* of the line */
	/* The header that is being read. */
	enum header_state state;
	struct xcs_str labels[LABELS_MAX + 1];
	size_t n_labels, header_line;
	bool grouped, stamped;
	int header_depth;
	/* The series that is open: the last one of *out. */
	bool open;
	struct layout layout;
	struct block block;
	struct stamps stamps;
	size_t *repeats; /* rows before which the header was repeated */
	size_t n_repeats, cap_repeats;
	bool no_first;
	/* Since the last row or header. */
	bool dense, last_blank; /* two lines stood without a blank one between them */
	bool separated;         /* by prose or, in a dense text, a blank line */
	bool in_signature;
	struct vmstat_command command;
	bool has_command;
	struct xcs_str heading;
	int heading_depth;
	bool heading_ended;
	size_t n_foreign_headers, foreign_line;
};

static struct xcs_import_series *open_series(const struct reader *r)
{
	return &r->out->v[r->out->n - 1];
}

static void end_block(struct reader *r)
{
	if (r->open)
		block_resolve(&r->block, &r->layout, open_series(r), &r->stamps);
	block_clear(&r->block);
}

/* Since-boot averages of two calls are alike as no samples are: in what they count per time,
 * within a few per cent. */
static bool rows_alike(const struct xcs_import_series *s, const struct layout *l, size_t a,
                       size_t b)
{
	for (size_t i = 0; i < l->n; i++) {
		if (l->ids[i] < COLUMN_SI || l->ids[i] == COLUMN_OTHER)
			continue;
		double x = xcs_series_get(s, a, (int)i).v, y = xcs_series_get(s, b, (int)i).v;
		double off = x > y ? x - y : y - x;
		if (off > 2 && off > 0.03 * (x > y ? x : y))
			return false;
	}
	return true;
}

/* Moves the rows from `at` on into a new series of the same kind. */
static void split_series(struct reader *r, size_t at)
{
	struct xcs_import_series *to = xcs_import_add(r->out), *from = to - 1;
	size_t width = from->n_columns;

	for (size_t i = 0; i < width; i++)
		xcs_series_add_column(to, xcs_str(from->columns[i]));
	for (size_t i = at; i < from->n_rows; i++)
		memcpy(xcs_series_add_row(to), from->cells + i * width, width * sizeof(*to->cells));
	from->n_rows = at;
	to->quote_depth = from->quote_depth;
	to->interval_ns = from->interval_ns;
	to->interval_assumed = from->interval_assumed;
	to->heading = from->heading ? xcs_xstrdup(from->heading) : NULL;
	to->command = from->command ? xcs_xstrdup(from->command) : NULL;
	xcs_series_note(to, "It follows the one before without a break; its first row looks like "
	                    "that one's first, an average since boot.");
}

/* Is the first row's `column` of the size of the others? */
static bool is_like_others(const struct xcs_import_series *s, int column)
{
	double first = xcs_series_get(s, 0, column).v, least = INFINITY, most = 0;

	for (size_t r = 1; r < s->n_rows; r++) {
		double v = xcs_series_get(s, r, column).v;
		least = v < least ? v : least;
		most = v > most ? v : most;
	}
	return s->n_rows > 2 && first >= least * 0.7 && first <= most * 1.3;
}

static void drop_first_row(const struct reader *r, struct xcs_import_series *s)
{
	bool like = r->first == XCS_FIRST_ROW_AUTO &&
	            is_like_others(s, xcs_series_column(s, "cs")) &&
	            is_like_others(s, xcs_series_column(s, "in"));

	xcs_series_drop_first_row(s);
	xcs_series_note(s, "1 since-boot row dropped: vmstat's first is an average since boot "
	                   "(--first-row=keep if it was cut off before).");
	if (like)
		xcs_series_note(s,
		                "The row that was dropped is like the others: perhaps the average "
		                "was cut off before, and it was a sample.");
}

static void end_first_row(const struct reader *r, struct xcs_import_series *s)
{
	bool keep =
	        r->first == XCS_FIRST_ROW_KEEP || (r->first == XCS_FIRST_ROW_AUTO && r->no_first);

	if (!s->n_rows)
		return;
	if (!keep) {
		drop_first_row(r, s);
	} else if (r->first == XCS_FIRST_ROW_KEEP) {
		xcs_series_note(s, "The first row is kept, as told by --first-row=keep.");
	} else {
		xcs_series_note(s, "The first row is kept: the command line has -y.");
	}
}

/* Rows of the stamps that belong to the series' rows from `at` on, less a dropped one. */
static void judge_from(struct reader *r, size_t at, size_t end)
{
	struct xcs_import_series *s = open_series(r);

	end_first_row(r, s);
	at += (size_t)s->n_dropped_since_boot;
	struct stamps part = {0};
	if (end > at)
		part = (struct stamps){r->stamps.v + at, end - at, 0};
	vmstat_judge(s, &r->layout, &part);
}

static void end_series(struct reader *r)
{
	size_t at = 0, n_rows;

	end_block(r);
	if (!r->open)
		return;
	n_rows = open_series(r)->n_rows;
	for (size_t i = 0; i < r->n_repeats && r->first == XCS_FIRST_ROW_AUTO && !r->no_first;
	     i++) {
		size_t row = r->repeats[i] - at;
		struct xcs_import_series *s = open_series(r);
		if (row < 2 || row >= s->n_rows || !rows_alike(s, &r->layout, 0, row) ||
		    rows_alike(s, &r->layout, 0, row - 1))
			continue;
		split_series(r, row);
		r->out->n--; /* the one before is open once more, to be judged */
		judge_from(r, at, at + row);
		r->out->n++;
		at += row;
	}
	judge_from(r, at, n_rows);
	r->open = false;
	r->stamps.n = r->n_repeats = 0;
}

static void start_series(struct reader *r, const struct layout *l)
{
	struct xcs_import_series *s = xcs_import_add(r->out);

	r->layout = *l;
	r->open = true;
	r->no_first = r->has_command && r->command.no_first;
	for (size_t i = 0; i < l->n; i++)
		xcs_series_add_column(s, l->labels[i]);
	s->quote_depth = r->header_depth;
	s->interval_assumed = !r->has_command || !r->command.delay_s;
	s->interval_ns = (s->interval_assumed ? 1 : r->command.delay_s) * XCS_NS_PER_S;
	if (r->heading.n)
		s->heading = xcs_xasprintf("%.*s", (int)r->heading.n, r->heading.p);
	if (r->has_command)
		s->command = xcs_xasprintf("%.*s", (int)r->command.text.n, r->command.text.p);
	if (r->has_command && r->command.has_unit)
		xcs_series_note(s, "vmstat was called with a unit (-S): memory columns are shown "
		                   "as printed, without one.");
}

static void end_header(struct reader *r)
{
	struct layout l;
	enum header_state state = r->state;

	r->state = HEADER_NONE;
	if (state == HEADER_NONE)
		return;
	if (state == HEADER_GROUPS || (!r->grouped && r->n_labels < FOREIGN_LEAST)) {
		r->separated = true; /* "---8<---", or prose of "r b" */
		return;
	}
	if (layout_make(&l, r->labels, r->n_labels, r->grouped, r->stamped)) {
		if (!r->n_foreign_headers++)
			r->foreign_line = r->header_line;
		end_series(r); /* what follows are not its rows */
	} else if (r->open && !r->separated && !r->has_command && layout_same(&l, &r->layout) &&
	           open_series(r)->quote_depth == r->header_depth) {
		r->repeats = xcs_xgrow(r->repeats, r->n_repeats, &r->cap_repeats, sizeof(size_t));
		r->repeats[r->n_repeats++] = open_series(r)->n_rows;
	} else {
		end_series(r);
		start_series(r, &l);
	}
	r->separated = r->has_command = r->in_signature = false;
	r->heading.n = 0;
}

static void see_groups(struct reader *r, const struct xcs_str *words, size_t n)
{
	if (r->state == HEADER_LABELS)
		end_header(r);
	if (r->state == HEADER_NONE) {
		end_block(r);
		r->state = HEADER_GROUPS;
		r->grouped = true;
		r->stamped = false;
		r->n_labels = 0;
		r->header_line = r->line;
		r->header_depth = r->depth;
	}
	for (size_t i = 0; i < n; i++)
		r->stamped |= memmem(words[i].p, words[i].n, "timestamp", 9) != NULL;
}

static void see_labels(struct reader *r, const struct xcs_str *words, size_t n)
{
	if (r->state == HEADER_NONE) {
		end_block(r);
		r->grouped = r->stamped = false;
	}
	if (r->state != HEADER_LABELS) {
		r->n_labels = 0;
		r->header_line = r->line;
		r->header_depth = r->depth;
	}
	r->state = HEADER_LABELS;
	for (size_t i = 0; i < n && r->n_labels <= LABELS_MAX; i++)
		r->labels[r->n_labels++] = words[i];
}

/* Is this line without numbers the rest of a wrapped header? */
static bool continues_header(const struct reader *r, const struct xcs_str *words, size_t n)
{
	size_t n_known = 0;

	if (r->state == HEADER_NONE || r->n_labels + n > LABELS_MAX || r->line > r->header_line + 6)
		return false;
	for (size_t i = 0; i < n; i++)
		n_known += column_find(words[i]) != COLUMN_OTHER;
	if (r->state == HEADER_GROUPS)
		return n_known > 0 || n >= 8;
	/* One word may be a time zone. */
	return n_known + r->stamped >= n || (r->n_labels < 15 && r->grouped && n < 10);
}

static void see_numbers(struct reader *r, const struct xcs_str *words, size_t n, bool more_words)
{
	end_header(r);
	if (!r->open || r->in_signature)
		return;
	block_line_start(&r->block, r->line);
	for (size_t i = 0; i < n; i++) {
		enum word_kind kind = word_kind(words[i]);
		if (kind == WORD_NUMBER)
			block_add(&r->block, words[i]);
		else
			block_stamp(&r->block, words[i], kind);
	}
	r->separated = false;
	r->heading.n = 0;
	if (more_words) {
		r->block.words = true;
		end_block(r);
	}
}

/* The first line of the paragraph that stands above a header. */
static void keep_heading(struct reader *r, struct xcs_str line)
{
	if (r->heading.n && !r->heading_ended && r->heading_depth == r->depth)
		return;
	r->heading = xcs_str_trim(line);
	r->heading_depth = r->depth;
	r->heading_ended = false;
	if (r->heading.n > HEADING_MAX)
		for (r->heading.n = HEADING_MAX; (r->heading.p[r->heading.n] & 0xc0) == 0x80;)
			r->heading.n--; /* not within a character */
}

static void see_prose(struct reader *r, struct xcs_str line)
{
	end_header(r);
	end_block(r);
	r->separated = true;
	if (vmstat_command_parse(line, &r->command))
		r->has_command = true;
	else
		keep_heading(r, line);
}

static void see_blank(struct reader *r)
{
	r->heading_ended = true;
	if (!r->dense)
		return; /* a text that has a blank line behind each line */
	if (r->state == HEADER_LABELS)
		end_header(r);
	end_block(r);
	r->separated = true;
}

static size_t count_numbers(const struct xcs_str *words, size_t n)
{
	size_t i = 0;

	while (i < n && word_kind(words[i]) != WORD_OTHER)
		i++;
	return i;
}

/* Where a header begins among the words: at the word before its first group, at "r b", or at
 * the groups of procps 2. */
static size_t find_header(const struct xcs_str *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (word_is_group(words[i]))
			return i && word_kind(words[i - 1]) == WORD_OTHER && n > i + 1 ? i - 1 : i;
		if (i + 1 < n && xcs_str_is(words[i], "r") && xcs_str_is(words[i + 1], "b"))
			return i;
		if (i + 1 < n && xcs_str_is(words[i], "procs") &&
		    xcs_str_is(words[i + 1], "memory"))
			return i;
	}
	return n;
}

static size_t count_groups(const struct xcs_str *words, size_t n)
{
	static const char *const plain[] = {"procs",  "memory", "swap", "io",
	                                    "system", "cpu",    "disks"};
	size_t i = 0;

	for (; i < n; i++) {
		bool is = word_is_group(words[i]) || (i == 0 && n > 1 && word_is_group(words[1]));
		for (size_t j = 0; j < ARRAY_LEN(plain) && !is; j++)
			is = xcs_str_is(words[i], plain[j]);
		if (!is)
			break;
	}
	return i;
}

/* Words up to the first number. */
static size_t count_labels(const struct xcs_str *words, size_t n)
{
	size_t i = 0;

	while (i < n && word_kind(words[i]) != WORD_NUMBER)
		i++;
	return i;
}

static void see_rest(struct reader *r, const struct xcs_str *words, size_t n)
{
	size_t n_numbers = count_numbers(words, n);

	if (n_numbers == n || (n_numbers && n_numbers >= r->layout.n && r->layout.n))
		see_numbers(r, words, n_numbers, n_numbers < n);
	else if (n_numbers == 0 && continues_header(r, words, n))
		see_labels(r, words, n);
	else
		see_prose(r, (struct xcs_str){words[0].p, (size_t)(words[n - 1].p - words[0].p) +
		                                                  words[n - 1].n});
}

static void see_words(struct reader *r, const struct xcs_str *words, size_t n)
{
	while (n) {
		size_t at = find_header(words, n), used;
		if (at) {
			see_rest(r, words, at);
			used = at;
		} else if (xcs_str_is(words[0], "r")) {
			used = count_labels(words, n);
			see_labels(r, words, used);
		} else {
			used = count_groups(words, n);
			see_groups(r, words, used);
		}
		words += used;
		n -= used;
	}
}

/* Cheap: can it be part of a header when none was seen yet? */
static bool may_matter(const struct reader *r, struct xcs_str line)
{
	if (r->open || r->state != HEADER_NONE || xcs_str_starts(xcs_str_trim(line), "r"))
		return true;
	return memmem(line.p, line.n, "swpd", 4) || memmem(line.p, line.n, "---", 3) ||
	       memmem(line.p, line.n, "procs  ", 7);
}

static void see_line(struct reader *r, struct xcs_str line)
{
	struct xcs_str words[WORDS_MAX];
	struct xcs_str rest = xcs_mail_unquote(line, &r->depth);
	size_t n = 0;

	if (xcs_str_is(xcs_str_trim(rest), XCS_MAIL_CUT)) {
		r->block.cut = r->block.n_lines > 0;
		see_prose(r, xcs_str("."));
		return;
	}
	bool blank = xcs_str_trim(rest).n == 0;
	if (!blank && !r->last_blank && r->line > 1)
		r->dense = true;
	r->last_blank = blank;
	if (blank) {
		see_blank(r);
		return;
	}
	if (xcs_mail_is_signature(rest)) {
		see_prose(r, rest);
		r->in_signature = true;
		return;
	}
	if (!may_matter(r, rest)) {
		see_prose(r, rest);
		return;
	}
	while (xcs_str_next_word(&rest, &words[n])) {
		if (++n < WORDS_MAX)
			continue;
		see_words(r, words, n);
		n = 0;
	}
	see_words(r, words, n);
}

static void read_all(struct reader *r, struct xcs_str text)
{
	struct xcs_str line;

	while (xcs_str_next_line(&text, &line)) {
		r->line++;
		see_line(r, line);
	}
	r->block.cut = r->mail.no_newline;
	end_header(r);
	end_series(r);
	block_fini(&r->block);
	free(r->stamps.v);
	free(r->repeats);
}

/* A header below which no row stands is no series. */
static void drop_empty(struct xcs_import *out)
{
	size_t n = 0;

	for (size_t i = 0; i < out->n; i++) {
		struct xcs_import_series *s = &out->v[i];
		if (s->n_rows || s->n_dropped_since_boot)
			out->v[n++] = *s;
		else
			xcs_series_fini(s);
	}
	out->n = n;
}

static int refuse(const struct reader *r, size_t n_headers, struct xcs_err *err)
{
	if (r->mail.looks_binary)
		return xcs_err_set(err, -EINVAL,
		                   "it is no text; give the output of vmstat or a "
		                   "mail that holds it");
	if (n_headers)
		return xcs_err_set(
		        err, -EINVAL,
		        "there is a header of vmstat, but no whole row below it; the text "
		        "is cut short or damaged");
	if (r->n_foreign_headers)
		return xcs_err_set(
		        err, -EINVAL,
		        "the columns of line %zu are not those of vmstat on Linux (r b swpd "
		        "free ... in cs us sy id)",
		        r->foreign_line);
	return xcs_err_set(err, -EINVAL,
	                   "it holds no header of vmstat (the line \"r b swpd free ... "
	                   "cs us sy id\"), so its columns are unknown");
}

int xcs_vmstat_parse(struct xcs_str text, enum xcs_first_row first, struct xcs_import *out,
                     struct xcs_err *err)
{
	struct reader r = {.out = out, .first = first, .last_blank = true};
	struct xcs_buf plain = {0};

	*out = (struct xcs_import){0};
	xcs_mail_decode(text, &plain, &r.mail);
	read_all(&r, xcs_buf_str(&plain));
	size_t n_headers = out->n;
	drop_empty(out);
	for (size_t i = 0; i < out->n && r.mail.n_nul_bytes; i++)
		xcs_series_note(&out->v[i],
		                "The text holds %zu NUL bytes: it was cut by a crash or a "
		                "full disk.",
		                r.mail.n_nul_bytes);
	xcs_import_label(out);
	int rc = out->n ? 0 : refuse(&r, n_headers, err);
	if (rc)
		xcs_import_fini(out);
	xcs_buf_fini(&plain);
	return rc;
}
