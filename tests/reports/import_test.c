/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Imports: each text of tests/data/import/FORMAT against what its .expect says, what damage
 * does to them, and that no mailer can shift a column of vmstat.
 */
#include <common/alloc.h>
#include <common/file.h>
#include <common/rng.h>
#include <reports/import/timed.h>
#include <reports/import/vmstat.h>

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DATA XCS_TEST_DATA "/import/"

static int parse_hyperfine(struct xcs_str text, enum xcs_first_row first, struct xcs_import *out,
                           struct xcs_err *err)
{
	(void)first;
	return xcs_hyperfine_import(text, NULL, out, err);
}

static int parse_perf_stat(struct xcs_str text, enum xcs_first_row first, struct xcs_import *out,
                           struct xcs_err *err)
{
	(void)first;
	return xcs_perf_stat_import(text, out, err);
}

static int parse_sar(struct xcs_str text, enum xcs_first_row first, struct xcs_import *out,
                     struct xcs_err *err)
{
	(void)first;
	return xcs_sar_import(text, out, err);
}

static int parse_samples(struct xcs_str text, enum xcs_first_row first, struct xcs_import *out,
                         struct xcs_err *err)
{
	(void)first;
	return xcs_samples_import(text, out, err);
}

static const struct format {
	const char *name;
	int (*parse)(struct xcs_str text, enum xcs_first_row first, struct xcs_import *out,
	             struct xcs_err *err);
} formats[] = {
        {"vmstat",    xcs_vmstat_parse},
        {"hyperfine", parse_hyperfine },
        {"perf-stat", parse_perf_stat },
        {"sar",       parse_sar       },
        {"samples",   parse_samples   },
};

static void read_data(const struct format *format, const char *name, const char *suffix,
                      struct xcs_buf *text)
{
	char *path = xcs_xasprintf(DATA "%s/%s%s", format->name, name, suffix);

	*text = (struct xcs_buf){0};
	if (xcs_file_read_at(AT_FDCWD, path, text))
		fail_msg("cannot read %s", path);
	free(path);
}

/* The series as the .expect files write them, without notes. */
static void show(const struct xcs_import *import, struct xcs_buf *out)
{
	for (size_t i = 0; i < import->n; i++) {
		const struct xcs_import_series *s = &import->v[i];
		xcs_buf_printf(out, "series %s\ndropped %d\ncolumns", s->label,
		               s->n_dropped_since_boot);
		for (size_t c = 0; c < s->n_columns; c++)
			xcs_buf_printf(out, " %s", s->columns[c]);
		xcs_buf_putc(out, '\n');
		for (size_t r = 0; r < s->n_rows; r++) {
			xcs_buf_puts(out, "row");
			for (size_t c = 0; c < s->n_columns; c++) {
				struct xcs_num v = xcs_series_get(s, r, (int)c);
				if (v.known)
					xcs_buf_printf(out, " %.15g", v.v);
				else
					xcs_buf_puts(out, " n/a");
			}
			xcs_buf_putc(out, '\n');
		}
	}
	xcs_buf_reserve(out, 1);
}

static bool has_note(const struct xcs_import *import, size_t i, const char *part)
{
	for (size_t n = 0; i < import->n && n < import->v[i].n_notes; n++)
		if (strstr(import->v[i].notes[n], part))
			return true;
	return false;
}

/* What an .expect file asks for. */
struct expected {
	enum xcs_first_row first;
	char *refused; /* part of the sentence */
	struct xcs_buf series;
};

static void check_extra(const char *name, const char *key, const char *value,
                        const struct xcs_import *import, size_t n_series)
{
	const char *heading =
	        n_series <= import->n && n_series ? import->v[n_series - 1].heading : NULL;

	if (strcmp(key, "note") == 0 && !has_note(import, n_series - 1, value))
		fail_msg("%s: no note holds \"%s\"", name, value);
	if (strcmp(key, "heading") == 0 && (!heading || strcmp(heading, value) != 0))
		fail_msg("%s: heading is \"%s\", not \"%s\"", name, heading ? heading : "", value);
}

/* Calls for each line "key value"; import NULL: collects only. */
static void walk_expected(const char *name, struct xcs_str rest, struct expected *e,
                          const struct xcs_import *import)
{
	struct xcs_str line, key;
	size_t n_series = 0;

	while (xcs_str_next_line(&rest, &line)) {
		struct xcs_str value = line;
		xcs_str_next_part(&value, ' ', &key);
		char *k = xcs_xasprintf("%.*s", (int)key.n, key.p);
		char *v = xcs_xasprintf("%.*s", (int)value.n, value.p);
		n_series += strcmp(k, "series") == 0;
		if (import)
			check_extra(name, k, v, import, n_series);
		else if (strcmp(k, "first") == 0)
			e->first = strcmp(v, "keep") == 0   ? XCS_FIRST_ROW_KEEP
			           : strcmp(v, "drop") == 0 ? XCS_FIRST_ROW_DROP
			                                    : XCS_FIRST_ROW_AUTO;
		else if (strcmp(k, "refused") == 0)
			e->refused = xcs_xstrdup(v);
		else if (strcmp(k, "note") != 0 && strcmp(k, "heading") != 0)
			xcs_buf_printf(&e->series, "%.*s\n", (int)line.n, line.p);
		free(k);
		free(v);
	}
}

static void check_file(const struct format *format, const char *name)
{
	struct xcs_buf text, expect, shown = {0};
	struct expected e = {0};
	struct xcs_import import;
	struct xcs_err err = {0};

	read_data(format, name, "", &text);
	read_data(format, name, ".expect", &expect);
	walk_expected(name, xcs_buf_str(&expect), &e, NULL);
	int rc = format->parse(xcs_buf_str(&text), e.first, &import, &err);
	if (e.refused) {
		if (!rc || !strstr(err.text, e.refused))
			fail_msg("%s/%s: rc %d, \"%s\"", format->name, name, rc, err.text);
	} else {
		if (rc)
			fail_msg("%s/%s: refused: %s", format->name, name, err.text);
		show(&import, &shown);
		if (strcmp(shown.p, e.series.p) != 0)
			fail_msg("%s/%s: got\n%s", format->name, name, shown.p);
		walk_expected(name, xcs_buf_str(&expect), &e, &import);
	}
	xcs_import_fini(&import);
	free(e.refused);
	xcs_buf_fini(&e.series);
	xcs_buf_fini(&text);
	xcs_buf_fini(&expect);
	xcs_buf_fini(&shown);
}

typedef void (*text_fn)(const struct format *format, const char *name);

static size_t for_each_of(const struct format *format, text_fn call)
{
	char *path = xcs_xasprintf(DATA "%s", format->name);
	DIR *dir = opendir(path);
	const struct dirent *entry;
	size_t n = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || strstr(entry->d_name, ".expect"))
			continue;
		call(format, entry->d_name);
		n++;
	}
	closedir(dir);
	free(path);
	return n;
}

/* Calls for each text of the data folders, in no order. */
static size_t for_each_text(text_fn call)
{
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		n += for_each_of(&formats[i], call);
	return n;
}

static void each_text_is_read_as_expected(void **state)
{
	(void)state;
	assert_true(for_each_text(check_file) > 100);
}

/* Reads a copy that ends where the text does, so that the sanitizer sees a step beyond. */
static void parse_exact(const struct format *format, const char *p, size_t n)
{
	char *copy = xcs_xmalloc(n + 1);
	struct xcs_import import;
	struct xcs_err err = {0};

	memcpy(copy + 1, p, n);
	if (format->parse((struct xcs_str){copy + 1, n}, XCS_FIRST_ROW_AUTO, &import, &err))
		assert_true(strlen(err.text) > 0);
	else
		assert_true(import.n > 0);
	xcs_import_fini(&import);
	free(copy);
}

static void damage_file(const struct format *format, const char *name)
{
	struct xcs_rng rng = {strlen(name) * 7919 + (unsigned char)name[0]};
	struct xcs_buf text;

	read_data(format, name, "", &text);
	for (size_t n = 0; n < text.n; n += 1 + n / 40)
		parse_exact(format, text.p, n);
	for (int i = 0; i < 20 && text.n; i++) {
		size_t at = (size_t)xcs_rng_below(&rng, text.n);
		char was = text.p[at];
		text.p[at] = (char)(was ^ (1 << xcs_rng_below(&rng, 8)));
		parse_exact(format, text.p, text.n);
		text.p[at] = was;
	}
	xcs_buf_fini(&text);
}

static void damage_gives_a_sentence_or_series(void **state)
{
	(void)state;
	assert_true(for_each_text(damage_file) > 100);
}

/* Mailers. */

enum {
	N_COLUMNS = 17,
	MAX_ROWS = 12
};

struct log {
	int64_t rows[MAX_ROWS][N_COLUMNS];
	size_t n_rows;
};

static int64_t below(struct xcs_rng *rng, int64_t n)
{
	return (int64_t)xcs_rng_below(rng, (uint64_t)n);
}

/* Busy, idle and mixed machines; a screenful is short, so headers are repeated. */
static void make_log(struct log *log, struct xcs_rng *rng)
{
	bool idle = below(rng, 3) == 0;

	log->n_rows = 2 + (size_t)below(rng, MAX_ROWS - 2);
	for (size_t r = 0; r < log->n_rows; r++) {
		int64_t us = below(rng, idle ? 4 : 90), sy = below(rng, idle ? 3 : 10);
		int64_t st = below(rng, 2), wa = below(rng, 2);
		const int64_t row[N_COLUMNS] = {below(rng, 9),
		                                below(rng, 3),
		                                0,
		                                100000 + below(rng, 800000),
		                                below(rng, 60000),
		                                below(rng, 700000),
		                                0,
		                                below(rng, 2) * 8,
		                                below(rng, 500),
		                                below(rng, 5000),
		                                below(rng, idle ? 200 : 2000),
		                                below(rng, idle ? 300 : 60000),
		                                us,
		                                sy,
		                                100 - us - sy - st - wa,
		                                wa,
		                                st};
		memcpy(log->rows[r], row, sizeof(row));
	}
}

static void print_log(const struct log *log, bool repeat, struct xcs_buf *out)
{
	static const int widths[N_COLUMNS] = {2, 2, 6, 6, 6, 6, 4, 4, 5, 5, 4, 4, 2, 2, 2, 2, 2};

	for (size_t r = 0; r < log->n_rows; r++) {
		if (r == 0 || (repeat && r == log->n_rows / 2))
			xcs_buf_puts(out,
			             "procs -----------memory---------- ---swap-- -----io---- "
			             "--system-- -----cpu------\n r  b   swpd   free   buff  cache "
			             "  si   so    bi    bo   in   cs us sy id wa st\n");
		for (int c = 0; c < N_COLUMNS; c++)
			xcs_buf_printf(out, "%s%*lld", c ? " " : "", widths[c],
			               (long long)log->rows[r][c]);
		xcs_buf_putc(out, '\n');
	}
}

/* Each line on its own, at the last blank that fits; a piece may lose its prefix. */
static void wrap(struct xcs_buf *text, const char *prefix, size_t width, bool lose,
                 struct xcs_rng *rng)
{
	struct xcs_str rest = xcs_buf_str(text), line;
	struct xcs_buf out = {0};

	while (xcs_str_next_line(&rest, &line)) {
		size_t n_prefix = strlen(prefix);
		xcs_buf_puts(&out, prefix);
		while (line.n + n_prefix > width) {
			size_t at = width - n_prefix;
			while (at && line.p[at] != ' ')
				at--;
			if (!at)
				break;
			xcs_buf_add(&out, line.p, at);
			xcs_buf_putc(&out, '\n');
			line.p += at + 1, line.n -= at + 1;
			bool bare = lose && below(rng, 3) == 0;
			n_prefix = bare ? 0 : strlen(prefix);
			xcs_buf_puts(&out, bare ? "" : prefix);
		}
		xcs_buf_add(&out, line.p, line.n);
		xcs_buf_putc(&out, '\n');
	}
	xcs_buf_fini(text);
	*text = out;
}

/* All words of the rows in one paragraph; the header's two lines stay. */
static void flow(struct xcs_buf *text, size_t width)
{
	struct xcs_str rest = xcs_buf_str(text), line, word;
	struct xcs_buf out = {0};
	size_t column = 0;

	for (int i = 0; i < 2 && xcs_str_next_line(&rest, &line); i++)
		xcs_buf_printf(&out, "%.*s\n", (int)line.n, line.p);
	while (xcs_str_next_word(&rest, &word)) {
		bool fits = column && column + 1 + word.n <= width;
		xcs_buf_puts(&out, fits ? " " : column ? "\n" : "");
		column = fits ? column + 1 + word.n : word.n;
		xcs_buf_add(&out, word.p, word.n);
	}
	xcs_buf_putc(&out, '\n');
	xcs_buf_fini(text);
	*text = out;
}

static void encode_qp(struct xcs_buf *text)
{
	struct xcs_buf out = {0};
	size_t column = 0;

	xcs_buf_puts(&out, "Content-Transfer-Encoding: Quoted-Printable\n\n");
	for (size_t i = 0; i < text->n; i++) {
		char c = text->p[i];
		bool ends = i + 1 == text->n || text->p[i + 1] == '\n';
		bool code = c == '=' || (c == ' ' && ends);
		if (c != '\n' && column + (code ? 3 : 1) > 75) {
			xcs_buf_puts(&out, "=\n");
			column = 0;
		}
		if (code)
			xcs_buf_printf(&out, "=%02X", (unsigned)c);
		else
			xcs_buf_putc(&out, c);
		column = c == '\n' ? 0 : column + (code ? 3 : 1);
	}
	xcs_buf_fini(text);
	*text = out;
}

/* A piece of text goes missing: a word of a row. */
static void lose_word(struct xcs_buf *text, struct xcs_rng *rng)
{
	const char *rows = strstr(text->p, " st");
	size_t at = (size_t)(rows - text->p) + 4;

	at += (size_t)below(rng, (int64_t)(text->n - at));
	while (text->p[at - 1] >= '0' && text->p[at - 1] <= '9')
		at--;
	for (; at < text->n && text->p[at] >= '0' && text->p[at] <= '9'; at++)
		text->p[at] = ' ';
}

static bool same_row(const struct xcs_import_series *s, size_t row, const int64_t *want)
{
	for (int c = 0; c < N_COLUMNS; c++) {
		struct xcs_num v = xcs_series_get(s, row, c);
		if (!v.known || (int64_t)v.v != want[c])
			return false;
	}
	return true;
}

/* All rows are there and in order; or with `some`: those that are there are true and in order. */
static void check_rows(const struct xcs_import *import, const struct log *log, bool some,
                       const struct xcs_buf *text)
{
	size_t at = 0, n = 0;

	for (size_t i = 0; i < import->n; i++)
		for (size_t r = 0; r < import->v[i].n_rows; r++, n++) {
			while (at < log->n_rows && !same_row(&import->v[i], r, log->rows[at]))
				at++;
			if (at++ >= log->n_rows)
				fail_msg("row %zu is none of the log's:\n%s", n, text->p);
		}
	if (!some && n != log->n_rows)
		fail_msg("%zu rows of %zu:\n%s", n, log->n_rows, text->p);
}

static void mail_a_log(struct xcs_rng *rng)
{
	static const char *const prefixes[] = {"", "> ", "> > ", ">> ", "| ", "> > > "};
	static const size_t widths[] = {72, 76, 78, 998};
	struct xcs_buf text = {0};
	struct xcs_import import;
	struct xcs_err err = {0};
	struct log log;

	make_log(&log, rng);
	bool flowing = below(rng, 3) == 0, losing = below(rng, 4) == 0;
	print_log(&log, !flowing && below(rng, 2), &text);
	if (losing)
		lose_word(&text, rng);
	if (flowing)
		flow(&text, widths[below(rng, 3)]);
	wrap(&text, prefixes[below(rng, 6)], widths[below(rng, 4)], below(rng, 2), rng);
	if (below(rng, 2))
		encode_qp(&text);
	int rc = xcs_vmstat_parse(xcs_buf_str(&text), XCS_FIRST_ROW_KEEP, &import, &err);
	if (rc && !losing)
		fail_msg("refused: %s\n%s", err.text, text.p);
	check_rows(&import, &log, losing, &text);
	xcs_import_fini(&import);
	xcs_buf_fini(&text);
}

static void no_mailer_shifts_a_column(void **state)
{
	struct xcs_rng rng = {20070412};

	(void)state;
	for (int i = 0; i < 4000; i++)
		mail_a_log(&rng);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(each_text_is_read_as_expected),
	        cmocka_unit_test(damage_gives_a_sentence_or_series),
	        cmocka_unit_test(no_mailer_shifts_a_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
