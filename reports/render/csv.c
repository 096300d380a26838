/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The samples of a document, one a row (RFC 4180: CRLF, quotes doubled). Unknown is an empty
 * field. Text stands as it is: a sheet that computes fields beginning with "=" is asked by
 * its reader to import text.
 */
#include "formats.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void field(struct xcs_buf *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		xcs_buf_puts(out, text);
		return;
	}
	xcs_buf_putc(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			xcs_buf_putc(out, '"');
		xcs_buf_putc(out, *text);
	}
	xcs_buf_putc(out, '"');
}

/* The fewest digits that read back as the same number. */
static void number(struct xcs_buf *out, double v)
{
	char text[32];

	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	if (v == floor(v) && fabs(v) < 1e15)
		snprintf(text, sizeof(text), "%.0f", v);
	xcs_buf_puts(out, text);
}

static void heading(struct xcs_buf *out)
{
	for (int i = 0; i < XCS_N_SAMPLES_KEYS; i++)
		xcs_buf_printf(out, "%s,", xcs_samples_key_name((enum xcs_samples_key)i));
	xcs_buf_puts(out, "metric,unit,t_ns,value\r\n");
}

static void row(struct xcs_buf *out, const char *keys, const struct xcs_sample *s)
{
	xcs_buf_puts(out, keys);
	field(out, s->metric);
	xcs_buf_putc(out, ',');
	field(out, s->unit);
	xcs_buf_putc(out, ',');
	if (s->t_ns != XCS_ABSENT)
		xcs_buf_printf(out, "%lld", (long long)s->t_ns);
	xcs_buf_putc(out, ',');
	if (s->value.known)
		number(out, s->value.v);
	xcs_buf_puts(out, "\r\n");
}

static void trial(struct xcs_buf *out, const struct xcs_samples *s)
{
	struct xcs_buf keys = {0};

	for (int i = 0; i < XCS_N_SAMPLES_KEYS; i++) {
		char *text = s->keys[i] ? format_utf8_dup(s->keys[i]) : NULL;
		if (text)
			field(&keys, text);
		xcs_buf_putc(&keys, ',');
		free(text);
	}
	for (size_t i = 0; i < s->n; i++)
		row(out, keys.p, &s->v[i]);
	xcs_buf_fini(&keys);
}

void format_csv(const struct xcs_doc *doc, const struct xcs_write_options *options,
                struct xcs_buf *out)
{
	locale_t before = format_enter_c_locale();

	(void)options;
	heading(out);
	for (size_t i = 0; i < doc->n_samples; i++)
		trial(out, &doc->samples[i]);
	format_leave_c_locale(before);
}
