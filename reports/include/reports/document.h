/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A report as a document: sections of paragraphs, items, facts, tables, charts and commands.
 * Who builds it knows no format, who writes it knows no measurement. All strings are copied.
 * The formats are in reports/writer.h.
 */
#ifndef XCS_DOCUMENT_H
#define XCS_DOCUMENT_H

#include <common/buf.h>
#include <reports/chart.h>
#include <reports/samples.h>
#include <reports/stats.h>

#ifdef __cplusplus
extern "C" {
#endif

enum xcs_cell_type {
	XCS_CELL_ABSENT, /* n/a, null */
	XCS_CELL_TEXT,
	XCS_CELL_NUM,
	XCS_CELL_SPREAD /* shown by its median; with the range where the column says so */
};

struct xcs_cell {
	enum xcs_cell_type type;
	char *text;
	double num;
	struct xcs_spread spread;
};

struct xcs_column {
	const char *id, *heading, *unit; /* borrowed, static or kept; unit "" where there is none */
	const char *definition;          /* or NULL */
	int digits;
	bool is_key;     /* names the row; comes first */
	bool with_range; /* text shows min..max beside the median */
	int text_width;  /* longest text of a cell that is not shortened; 0: the writer's own */
};

struct xcs_doc_table {
	struct xcs_column *columns; /* a copy */
	size_t n_columns, n_rows, cap_rows;
	struct xcs_cell *cells;
};

enum xcs_block_type {
	XCS_BLOCK_PARAGRAPH,
	XCS_BLOCK_ITEM,
	XCS_BLOCK_FACT,
	XCS_BLOCK_TABLE,
	XCS_BLOCK_COMMAND,
	XCS_BLOCK_CHART
};

struct xcs_block {
	enum xcs_block_type type;
	char *id;              /* facts, tables and charts */
	char *label;           /* facts */
	char *text;            /* paragraph, item, command */
	struct xcs_cell value; /* facts */
	int digits;
	const char *unit;           /* of a fact that is a number */
	struct xcs_doc_table table; /* of a chart: its numbers, see xcs_doc_chart_done */
	struct xcs_chart chart;
};

struct xcs_section {
	char *id, *heading;
	bool is_aside; /* a long list that a writer may fold away */
	struct xcs_block *blocks;
	size_t n_blocks, cap_blocks;
	char **kept; /* strings that its columns borrow */
	size_t n_kept, cap_kept;
};

enum xcs_doc_verdict_kind {
	XCS_DOC_VERDICT_NONE, /* the document compares nothing */
	XCS_DOC_VERDICT_REGRESSION,
	XCS_DOC_VERDICT_IMPROVEMENT,
	XCS_DOC_VERDICT_EQUIVALENT,
	XCS_DOC_VERDICT_NOT_SHOWN,
	XCS_DOC_VERDICT_INVALID
};

/* What a comparison came to. Writers read it and judge nothing. */
struct xcs_doc_verdict {
	enum xcs_doc_verdict_kind kind;
	bool gate_regressed;  /* one of the metrics that were declared before */
	bool broad_regressed; /* and one that everybody at a desktop feels */
	char *introduced;     /* "v6.12..v6.13", for a tracker of regressions; or NULL */
};

struct xcs_doc {
	char *title;
	char *subject; /* of a mail about it, without tags; NULL: the title */
	struct xcs_doc_verdict verdict;
	struct xcs_samples *samples; /* owned; empty unless a writer wants them */
	size_t n_samples, cap_samples;
	struct xcs_section *sections;
	size_t n_sections, cap_sections;
};

void xcs_doc_init(struct xcs_doc *doc, const char *title);
void xcs_doc_fini(struct xcs_doc *doc);

void xcs_doc_set_subject(struct xcs_doc *doc, const char *subject);
void xcs_doc_set_verdict(struct xcs_doc *doc, const struct xcs_doc_verdict *verdict);
const char *xcs_doc_verdict_name(enum xcs_doc_verdict_kind kind); /* "not shown"; NULL: none */
struct xcs_samples *xcs_doc_samples(struct xcs_doc *doc);         /* of one more trial; empty */

/* The section is valid until the next one is added, the table until the next block. */
struct xcs_section *xcs_doc_section(struct xcs_doc *doc, const char *id, const char *heading);
void xcs_doc_paragraph(struct xcs_section *s, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));
void xcs_doc_item(struct xcs_section *s, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));
void xcs_doc_fact(struct xcs_section *s, const char *id, const char *label, const char *text);
void xcs_doc_fact_num(struct xcs_section *s, const char *id, const char *label, struct xcs_num v,
                      int digits, const char *unit);
void xcs_doc_command(struct xcs_section *s, const char *text);
struct xcs_doc_table *xcs_doc_table(struct xcs_section *s, const char *id,
                                    const struct xcs_column *columns, size_t n_columns);
/* Add series and points, then call xcs_doc_chart_done, which makes the table of its numbers. */
struct xcs_chart *xcs_doc_chart(struct xcs_section *s, const char *id, enum xcs_chart_kind kind,
                                const char *title);
void xcs_doc_chart_done(struct xcs_section *s); /* the last block; takes out what is empty */
/* Takes over a string that a column of this section borrows, and returns it. */
const char *xcs_doc_keep(struct xcs_section *s, char *text);

struct xcs_cell *xcs_doc_row(struct xcs_doc_table *t); /* n_columns absent cells */

void xcs_cell_set_text(struct xcs_cell *c, const char *text); /* NULL: absent */
void xcs_cell_set_num(struct xcs_cell *c, struct xcs_num v);
void xcs_cell_set_spread(struct xcs_cell *c, const struct xcs_spread *v);

/* The writers. Both give ASCII or UTF-8 in the C locale, whatever the process has set. */
void xcs_doc_write_text(const struct xcs_doc *doc, struct xcs_buf *out); /* ASCII, 72 columns */
void xcs_doc_write_json(const struct xcs_doc *doc, struct xcs_buf *out); /* xcsbench.report/1 */

#ifdef __cplusplus
}
#endif
#endif
