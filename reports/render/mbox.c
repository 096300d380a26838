/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The text report as a mail in an mbox file (RFC 4155; lines that begin with "From " are quoted
 * as in mboxrd). Nothing is invented: no sender but the one that was given, no Message-ID,
 * which the mailer makes, no tag of anybody's review or test.
 */
#include "formats.h"
#include "mail.h"
#include "text.h"

#include <common/alloc.h>
#include <common/units.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A list is called upon only when what was declared before and what everybody feels agree. */
static bool is_for_the_list(const struct xcs_doc_verdict *v)
{
	return v->kind == XCS_DOC_VERDICT_REGRESSION && v->gate_regressed && v->broad_regressed;
}

static void from_line(struct xcs_buf *out, int64_t wall_ns)
{
	time_t t = (time_t)(wall_ns / XCS_NS_PER_S);
	struct tm tm;
	char text[64];

	if (!gmtime_r(&t, &tm) || !strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &tm))
		text[0] = '\0';
	xcs_buf_printf(out, "From xcsbench %s\n", text);
}

static void headers(const struct xcs_doc *doc, const struct xcs_write_options *options,
                    struct xcs_buf *out)
{
	char *subject = xcs_xasprintf("%s%s", is_for_the_list(&doc->verdict) ? "[REGRESSION] " : "",
	                              doc->subject ? doc->subject : doc->title);

	from_line(out, options->date_wall_ns);
	if (options->from)
		mail_address_field(out, "From", options->from);
	mail_date_field(out, options->date_wall_ns);
	mail_field(out, "Subject", subject);
	if (options->in_reply_to) {
		const char *open = options->in_reply_to[0] == '<' ? "" : "<";
		const char *close = open[0] ? ">" : "";
		xcs_buf_printf(out, "In-Reply-To: %s%s%s\n", open, options->in_reply_to, close);
		xcs_buf_printf(out, "References: %s%s%s\n", open, options->in_reply_to, close);
	}
	xcs_buf_puts(out, "MIME-Version: 1.0\n"
	                  "Content-Type: text/plain; charset=us-ascii; format=fixed\n"
	                  "Content-Transfer-Encoding: 7bit\n\n");
	free(subject);
}

static bool is_quoted_from(struct xcs_str line)
{
	while (line.n && line.p[0] == '>') {
		line.p++;
		line.n--;
	}
	return xcs_str_starts(line, "From ");
}

static void body(struct xcs_buf *out, const struct xcs_buf *text)
{
	struct xcs_str rest = xcs_buf_str(text), line;

	while (xcs_str_next_line(&rest, &line)) {
		if (is_quoted_from(line))
			xcs_buf_putc(out, '>');
		xcs_buf_add(out, line.p, line.n);
		xcs_buf_putc(out, '\n');
	}
}

void format_mbox(const struct xcs_doc *doc, const struct xcs_write_options *options,
                 struct xcs_buf *out)
{
	locale_t before = format_enter_c_locale();
	struct xcs_buf text = {0};

	text_document(&text, doc, options->plots);
	headers(doc, options, out);
	body(out, &text);
	if (is_for_the_list(&doc->verdict) && doc->verdict.introduced) {
		char *range = text_ascii_dup(doc->verdict.introduced); /* one line: a command */
		xcs_buf_printf(out, "\n#regzbot introduced: %s\n", range);
		free(range);
	}
	xcs_buf_putc(out, '\n'); /* a blank line ends a message */
	xcs_buf_fini(&text);
	format_leave_c_locale(before);
}
