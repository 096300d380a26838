/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The formats of a document, rows of one table. A writer takes numbers as they stand in the
 * document; it measures nothing and computes no statistics. All write in the C locale.
 */
#ifndef XCS_WRITER_H
#define XCS_WRITER_H

#include <common/buf.h>
#include <reports/document.h>

#ifdef __cplusplus
extern "C" {
#endif

enum xcs_format {
	XCS_FORMAT_TEXT,
	XCS_FORMAT_MBOX,
	XCS_FORMAT_MARKDOWN,
	XCS_FORMAT_CSV,
	XCS_FORMAT_JSON,
	XCS_FORMAT_HTML,
	XCS_N_FORMATS
};

struct xcs_write_options {
	bool plots;              /* charts in the formats that are text */
	const char *from;        /* of a mail; NULL: it has no From header */
	const char *in_reply_to; /* Message-ID of the mail that it answers, or NULL */
	int64_t date_wall_ns;    /* of a mail */
};

struct xcs_writer {
	const char *name, *suffix; /* "html", ".html" */
	bool wants_samples;        /* writes doc->samples, which are left empty for others */
	void (*write)(const struct xcs_doc *doc, const struct xcs_write_options *options,
	              struct xcs_buf *out);
};

const struct xcs_writer *xcs_writer_of(enum xcs_format format); /* never NULL */

/* The names in the order of enum xcs_format, NULL at the end: choices of an option. */
extern const char *const xcs_format_names[];

/* The format whose suffix the file's name has, or -1. */
int xcs_format_of_path(const char *path);

#ifdef __cplusplus
}
#endif
#endif
