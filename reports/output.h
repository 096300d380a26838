/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How and where a document is written: the options that the verbs share. Private to reports/.
 */
#ifndef XCS_REPORT_OUTPUT_H
#define XCS_REPORT_OUTPUT_H

#include <common/options.h>
#include <reports/writer.h>

#include <stddef.h>

#define OUTPUT_FORMAT_NOT_GIVEN (-1)

struct output_options {
	int format; /* OUTPUT_FORMAT_NOT_GIVEN to begin with */
	bool json, plots;
	const char *output;
	const char *from, *in_reply_to;
};

/* Rows of an option table whose struct `owner` holds a struct output_options `member`. */
#define OUTPUT_OPTION_ROWS(owner, member)                                                       \
	{.name = "format",                                                                      \
	 .type = XCS_OPT_CHOICE,                                                                \
	 .offset = offsetof(struct owner, member.format),                                       \
	 .choices = xcs_format_names,                                                           \
	 .help = "how to write it; without it, what the name of the output ends in, else "      \
	         "text"},                                                                       \
	        {.name = "json",                                                                \
	         .type = XCS_OPT_FLAG,                                                          \
	         .offset = offsetof(struct owner, member.json),                                 \
	         .help = "the same as --format=json"},                                          \
	        {.name = "output",                                                              \
	         .short_name = 'o',                                                             \
	         .type = XCS_OPT_STR,                                                           \
	         .offset = offsetof(struct owner, member.output),                               \
	         .metavar = "FILE",                                                             \
	         .help = "write to FILE, which appears whole or not at all (default: standard " \
	                 "output)"},                                                            \
	        {.name = "plots",                                                               \
	         .type = XCS_OPT_FLAG,                                                          \
	         .offset = offsetof(struct owner, member.plots),                                \
	         .help = "draw charts in text, mbox and markdown too, as ASCII by gnuplot"},    \
	        {.name = "from",                                                                \
	         .type = XCS_OPT_STR,                                                           \
	         .offset = offsetof(struct owner, member.from),                                 \
	         .metavar = "ADDRESS",                                                          \
	         .help = "sender of the mail (default: $EMAIL, else the mail has none)"},       \
	{                                                                                       \
		.name = "in-reply-to", .type = XCS_OPT_STR,                                     \
		.offset = offsetof(struct owner, member.in_reply_to), .metavar = "MESSAGE-ID",  \
		.help = "the mail that this one answers"                                        \
	}

/* Finds the format, and checks what a mail needs; `verb` stands in warnings. 0 or -EINVAL. */
int output_settle(struct output_options *o, const char *verb, struct xcs_err *err) XCS_MUST_CHECK;

const struct xcs_writer *output_writer(const struct output_options *o); /* once settled */

/*
 * To standard output; into what is there and no regular file; else the file appears whole or
 * not at all. 0 or -errno.
 */
int output_write(const struct output_options *o, const struct xcs_doc *doc,
                 struct xcs_err *err) XCS_MUST_CHECK;

#endif
