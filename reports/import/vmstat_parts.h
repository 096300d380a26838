/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The parts of the vmstat parser: words, column headers, blocks of rows. Private to it.
 */
#ifndef XCS_VMSTAT_PARTS_H
#define XCS_VMSTAT_PARTS_H

#include <common/buf.h>
#include <reports/import/series.h>

enum word_kind {
	WORD_NUMBER,
	WORD_DATE, /* 2024-03-31 */
	WORD_TIME, /* 01:59:58 */
	WORD_OTHER
};

enum word_kind word_kind(struct xcs_str word);

/* Seconds since 1970 of a date, within the day of a time; no zone. */
int64_t word_date_s(struct xcs_str word);
int64_t word_time_s(struct xcs_str word);

bool word_is_group(struct xcs_str word); /* "---swap--", "--procs--", "-system--" */

/* Columns that this parser knows by name, in the order of today's vmstat. */
enum vmstat_column {
	COLUMN_R,
	COLUMN_B,
	COLUMN_W,
	COLUMN_SWPD,
	COLUMN_FREE,
	COLUMN_BUFF,
	COLUMN_CACHE,
	COLUMN_INACT,
	COLUMN_ACTIVE,
	COLUMN_SI,
	COLUMN_SO,
	COLUMN_BI,
	COLUMN_BO,
	COLUMN_IN,
	COLUMN_CS,
	COLUMN_US,
	COLUMN_SY,
	COLUMN_ID,
	COLUMN_WA,
	COLUMN_ST,
	COLUMN_GU,
	COLUMN_OTHER
};

enum {
	LABELS_MAX = 24
};

struct layout {
	struct xcs_str labels[LABELS_MAX]; /* as shown; borrowed from the text or static */
	enum vmstat_column ids[LABELS_MAX];
	size_t n;
	bool translated;
};

enum vmstat_column column_find(struct xcs_str label);
bool column_is_pct(enum vmstat_column id);

/*
 * Makes the layout of the words of a column header. `grouped`: a line of groups stood above
 * it; `stamped`: with one for time stamps. Returns 0 or -EINVAL: not Linux vmstat's.
 */
int layout_make(struct layout *l, const struct xcs_str *words, size_t n, bool grouped,
                bool stamped);
bool layout_same(const struct layout *a, const struct layout *b);

/* Lines of numbers below one header, until something else stands there. */
struct block_line {
	size_t first, n; /* numbers */
	size_t line;     /* in the text, from 1 */
};

struct block_stamp {
	size_t at; /* numbers before it */
	int64_t s;
};

struct block {
	uint64_t *numbers; /* UINT64_MAX: does not fit */
	size_t n_numbers, cap_numbers;
	struct block_line *lines;
	size_t n_lines, cap_lines;
	struct block_stamp *stamps;
	size_t n_stamps, cap_stamps;
	bool cut;   /* the text was cut behind the last line */
	bool words; /* words follow in the last line */
};

void block_clear(struct block *b);
void block_fini(struct block *b);
void block_line_start(struct block *b, size_t line);
void block_add(struct block *b, struct xcs_str number);
void block_stamp(struct block *b, struct xcs_str word, enum word_kind kind);

/* The time stamps of a series' rows, XCS_ABSENT where there is none. */
struct stamps {
	int64_t *v;
	size_t n, cap;
};

/* Adds the rows that the block holds to the series, and notes what it had to do. */
void block_resolve(const struct block *b, const struct layout *l, struct xcs_import_series *s,
                   struct stamps *stamps);

/* What can be said when all rows are there: guest time, hidden steal, time stamps. */
void vmstat_judge(struct xcs_import_series *s, const struct layout *l, const struct stamps *stamps);

/*
 * Reads a line as a command line of vmstat ("$ vmstat -w 1 10", "root@host:~# vmstat 5").
 * False when it is none.
 */
struct vmstat_command {
	bool no_first;   /* -y */
	bool has_unit;   /* -S, --unit */
	int64_t delay_s; /* 0: not given */
	struct xcs_str text;
};
bool vmstat_command_parse(struct xcs_str line, struct vmstat_command *c);

#endif
