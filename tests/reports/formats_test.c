/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every writer over one small document that has a block of each kind, and text that each
 * format has to escape.
 */
#include "../common/cmocka_test.h"

#include <common/alloc.h>
#include <common/file.h>
#include <reports/document.h>
#include <reports/writer.h>

#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#define HOSTILE                                                                         \
	"a|b <b>&amp; *c* `d` \"e\", 'f' @g #1 \\h \xe6\xbc\xa2\xe5\xad\x97 e\xcc\x81 " \
	"\xff\x1b[31m"

static const struct xcs_column columns[] = {
        {.id = "load",    .heading = "load", .unit = "",           .is_key = true},
        {          .id = "n", .heading = "n",        .unit = "",       .is_key = true              },
        { .id = "cs",  .heading = "cs",        .unit = "1/s",   .digits = 0,               .with_range = true},
        { .id = "us",    .heading = "us|sy",          .unit = "%", .digits = 1,               .definition = "<us>"},
};

static void add_table(struct xcs_section *s)
{
	static const struct xcs_spread spread = {3, 1000, 990, 1010};
	struct xcs_doc_table *t = xcs_doc_table(s, "rows", columns, ARRAY_LEN(columns));
	struct xcs_cell *row = xcs_doc_row(t);

	xcs_cell_set_text(&row[0], HOSTILE);
	xcs_cell_set_num(&row[1], xcs_num_of(3));
	xcs_cell_set_spread(&row[2], &spread);
	xcs_cell_set_num(&row[3], xcs_num_of(80.25));
	row = xcs_doc_row(t);
	xcs_cell_set_text(&row[0], "plain");
	xcs_cell_set_num(&row[1], xcs_num_of(0));
}

static void add_samples(struct xcs_doc *doc)
{
	struct xcs_samples *s = xcs_doc_samples(doc);
	const struct xcs_sample rows[] = {
	        {"cs", "1/s", XCS_ABSENT,         {true, 1000}     },
	        {"cs", "1/s", INT64_C(500000000), {true, 1.0 / 3}  },
	        {"us", "%",   XCS_ABSENT,         {0}              },
	        {"x",  "a,b", INT64_C(1),         {true, -1.5e+300}},
	};

	s->keys[XCS_SAMPLES_RUN] = xcs_xstrdup("01A");
	s->keys[XCS_SAMPLES_LOAD] = xcs_xstrdup(HOSTILE);
	s->keys[XCS_SAMPLES_X_NICE] = xcs_xstrdup("-10");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		xcs_samples_add(s, &rows[i]);
}

static void make_document(struct xcs_doc *doc)
{
	xcs_doc_init(doc, "A title with <markup> & more");
	struct xcs_section *s = xcs_doc_section(doc, "face", "");
	xcs_doc_paragraph(s, "A verdict. %s", HOSTILE);
	xcs_doc_item(s, "an item");
	xcs_doc_item(s, "and *another*");
	s = xcs_doc_section(doc, "machine", "The machine");
	s->is_aside = true;
	xcs_doc_fact(s, "kernel", "Kernel", "6.18.5 #1 SMP");
	xcs_doc_fact(s, "cpu", "CPU", NULL);
	xcs_doc_fact_num(s, "memory", "Memory", xcs_num_of(7.75), 1, "GiB");
	s = xcs_doc_section(doc, "rows", "Rows");
	add_table(s);
	xcs_doc_paragraph(s, "What the columns mean.");
	s = xcs_doc_section(doc, "reproduce", "To reproduce");
	xcs_doc_command(s, "xcsbench run 'a b' --label=```");
	add_samples(doc);
}

static void write_as(enum xcs_format format, const struct xcs_doc *doc, struct xcs_buf *out)
{
	static const struct xcs_write_options options = {.date_wall_ns =
	                                                         INT64_C(1760000000000000000)};

	xcs_buf_clear(out);
	xcs_writer_of(format)->write(doc, &options, out);
}

static void is_golden(const char *name, const struct xcs_buf *text)
{
	char *path = xcs_xasprintf("%s/reports/expected/%s", XCS_TEST_DATA, name);
	struct xcs_buf want = {0};

	if (getenv("XCS_GOLDEN_WRITE"))
		assert_int_equal(xcs_file_write(path, text->p, text->n, NULL), 0);
	if (xcs_file_read_at(AT_FDCWD, path, &want) || strcmp(want.p, text->p) != 0)
		fail_msg("this is not %s:\n%s", path, text->p);
	xcs_buf_fini(&want);
	free(path);
}

static void each_format_is_as_expected(void **state)
{
	struct xcs_doc doc;
	struct xcs_buf out = {0};

	(void)state;
	make_document(&doc);
	for (int i = 0; i < XCS_N_FORMATS; i++) {
		const struct xcs_writer *w = xcs_writer_of((enum xcs_format)i);
		char *name = xcs_xasprintf("document%s", w->suffix);
		write_as((enum xcs_format)i, &doc, &out);
		is_golden(name, &out);
		free(name);
	}
	xcs_buf_fini(&out);
	xcs_doc_fini(&doc);
}

static void the_table_of_formats_is_whole(void **state)
{
	(void)state;
	for (int i = 0; i < XCS_N_FORMATS; i++) {
		const struct xcs_writer *w = xcs_writer_of((enum xcs_format)i);
		assert_string_equal(w->name, xcs_format_names[i]);
		char *path = xcs_xasprintf("a.b/report%s", w->suffix);
		assert_int_equal(xcs_format_of_path(path), i);
		free(path);
	}
	assert_null(xcs_format_names[XCS_N_FORMATS]);
	assert_int_equal(xcs_format_of_path("report"), -1);
	assert_int_equal(xcs_format_of_path("report.pdf"), -1);
}

static void an_empty_document_has_all_formats(void **state)
{
	struct xcs_doc doc;
	struct xcs_buf out = {0};

	(void)state;
	xcs_doc_init(&doc, "");
	for (int i = 0; i < XCS_N_FORMATS; i++) {
		write_as((enum xcs_format)i, &doc, &out);
		assert_true(out.n > 0);
	}
	xcs_buf_fini(&out);
	xcs_doc_fini(&doc);
}

/* Items, rows, sections and texts without end: an issue takes 65,536 characters. */
static void make_large(struct xcs_doc *doc, size_t n_sections, size_t n_rows, size_t n_bytes)
{
	struct xcs_buf text = {0};

	xcs_buf_fill(&text, '*', n_bytes);
	xcs_doc_init(doc, text.p);
	for (size_t i = 0; i < n_sections; i++) {
		struct xcs_section *s = xcs_doc_section(doc, "s", text.p);
		struct xcs_doc_table *t = xcs_doc_table(s, "t", columns, ARRAY_LEN(columns));
		for (size_t r = 0; r < n_rows; r++)
			xcs_cell_set_text(xcs_doc_row(t), text.p);
		for (size_t r = 0; r < n_rows; r++)
			xcs_doc_item(s, "%s", text.p);
		xcs_doc_command(s, text.p);
	}
	xcs_buf_fini(&text);
}

static void markdown_fits_into_an_issue(void **state)
{
	static const size_t sizes[][3] = {
	        {1,   5000, 20   },
                {3,   300,  30   },
                {2,   2,    30000},
                {900, 4,    20   }
        };
	struct xcs_doc doc;
	struct xcs_buf out = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		make_large(&doc, sizes[i][0], sizes[i][1], sizes[i][2]);
		write_as(XCS_FORMAT_MARKDOWN, &doc, &out);
		assert_true(out.n < 60000);
		assert_true(out.n > 2000);
		if (i != 2)
			assert_non_null(strstr(out.p, "were left out to keep this short"));
		xcs_doc_fini(&doc);
	}
	xcs_buf_fini(&out);
}

static void charts_hold_what_has_a_place(void **state)
{
	struct xcs_doc doc;

	(void)state;
	xcs_doc_init(&doc, "charts");
	struct xcs_section *s = xcs_doc_section(&doc, "charts", "Charts");
	struct xcs_chart *c = xcs_doc_chart(s, "empty", XCS_CHART_SWEEP, "Nothing known");
	xcs_series_add(c, xcs_chart_add_series(c, "a"), 1, (struct xcs_num){0});
	xcs_doc_chart_done(s);
	assert_int_equal(s->n_blocks, 0);

	c = xcs_doc_chart(s, "tail", XCS_CHART_TAIL, "Late");
	xcs_chart_set_x(c, "late", "us", 1);
	xcs_chart_set_y(c, "share later", "", 4);
	c->x.is_log = c->y.is_log = true;
	struct xcs_series *series = xcs_chart_add_series(c, "a");
	assert_null(xcs_series_add(c, series, 0, xcs_num_of(1)));
	assert_null(xcs_series_add(c, series, 1, xcs_num_of(0)));
	struct xcs_point *p = xcs_series_add(c, series, 1, xcs_num_of(0.5));
	p->low = xcs_num_of(0.4);
	xcs_doc_chart_done(s);
	assert_int_equal(s->n_blocks, 1);
	const struct xcs_doc_table *t = &s->blocks[0].table;
	assert_int_equal(t->n_rows, 1);
	assert_int_equal(t->n_columns, 5);
	assert_string_equal(t->cells[0].text, "a");
	assert_string_equal(t->columns[4].id, "high");
	assert_int_equal(t->cells[4].type, XCS_CELL_ABSENT);
	xcs_doc_fini(&doc);
}

static void write_mail(const struct xcs_doc *doc, const struct xcs_write_options *o,
                       struct xcs_buf *out)
{
	xcs_buf_clear(out);
	xcs_writer_of(XCS_FORMAT_MBOX)->write(doc, o, out);
}

/* A list is called only when a gate metric and a broad one regressed, and the verdict says so. */
static void a_list_is_called_for_both_or_not_at_all(void **state)
{
	static const struct xcs_write_options options = {.from = "a@b"};
	struct xcs_doc doc;
	struct xcs_buf out = {0};

	(void)state;
	xcs_doc_init(&doc, "title");
	xcs_doc_set_subject(&doc, "subject");
	for (int bits = 0; bits < 8; bits++) {
		const struct xcs_doc_verdict v = {.kind = bits & 1 ? XCS_DOC_VERDICT_REGRESSION
		                                                   : XCS_DOC_VERDICT_NOT_SHOWN,
		                                  .gate_regressed = bits & 2,
		                                  .broad_regressed = bits & 4,
		                                  .introduced = "v6.12..v6.13"};
		xcs_doc_set_verdict(&doc, &v);
		write_mail(&doc, &options, &out);
		assert_int_equal(strstr(out.p, "\nSubject: [REGRESSION] subject\n") != NULL,
		                 bits == 7);
		assert_int_equal(strstr(out.p, "\n#regzbot introduced: v6.12..v6.13\n") != NULL,
		                 bits == 7);
		assert_null(strstr(out.p, "Tested-by"));
	}
	xcs_buf_fini(&out);
	xcs_doc_fini(&doc);
}

static void a_mail_holds_what_was_given_and_no_more(void **state)
{
	static const struct {
		const char *given, *header;
	} rows[] = {
	        {"a@b",              "\nFrom: a@b\n"                       },
	        {"<a@b>",            "\nFrom: <a@b>\n"                     },
	        {"A B <a@b>",        "\nFrom: A B <a@b>\n"                 },
	        {"B, A. <a@b>",      "\nFrom: \"B, A.\" <a@b>\n"           },
	        {"\"B, A.\" <a@b>",  "\nFrom: \"B, A.\" <a@b>\n"           },
	        {"\xc3\x84 B <a@b>", "\nFrom: =?UTF-8?Q?=C3=84_B?= <a@b>\n"},
	};
	struct xcs_doc doc;
	struct xcs_buf out = {0};

	(void)state;
	xcs_doc_init(&doc, "From here\nSubject: x");
	xcs_doc_paragraph(xcs_doc_section(&doc, "a", ""), "From the start");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct xcs_write_options options = {.from = rows[i].given};
		write_mail(&doc, &options, &out);
		assert_non_null(strstr(out.p, rows[i].header));
	}
	const struct xcs_write_options nobody = {.in_reply_to = "x@y"};
	write_mail(&doc, &nobody, &out);
	assert_null(strstr(out.p, "\nFrom: "));
	assert_non_null(strstr(out.p, "\nSubject: From here Subject: x\n"));
	assert_non_null(strstr(out.p, "\nIn-Reply-To: <x@y>\n"));
	assert_non_null(strstr(out.p, "\n>From here Subject: x\n"));
	assert_non_null(strstr(out.p, "\n>From the start\n"));
	xcs_buf_fini(&out);
	xcs_doc_fini(&doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(each_format_is_as_expected),
	        cmocka_unit_test(the_table_of_formats_is_whole),
	        cmocka_unit_test(an_empty_document_has_all_formats),
	        cmocka_unit_test(markdown_fits_into_an_issue),
	        cmocka_unit_test(charts_hold_what_has_a_place),
	        cmocka_unit_test(a_list_is_called_for_both_or_not_at_all),
	        cmocka_unit_test(a_mail_holds_what_was_given_and_no_more),
	};

	return cmocka_run_group_tests_name("reports_run_formats", tests, NULL, NULL);
}
