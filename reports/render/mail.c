/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mail.h"
#include "formats.h"
#include "text.h"

#include <common/alloc.h>
#include <common/units.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	LINE_MAX_COLUMNS = 76,
	WORD_MAX_COLUMNS = 75 /* of an encoded word, RFC 2047 section 2 */
};

void mail_field(struct xcs_buf *out, const char *name, const char *text)
{
	char *ascii = text_ascii_dup(text);
	struct xcs_str rest = xcs_str(ascii), word;
	size_t used = strlen(name) + 1;

	xcs_buf_printf(out, "%s:", name);
	for (bool first = true; xcs_str_next_word(&rest, &word); first = false) {
		if (!first && used + 1 + word.n > LINE_MAX_COLUMNS) {
			xcs_buf_putc(out, '\n');
			used = 0;
		}
		xcs_buf_putc(out, ' ');
		xcs_buf_add(out, word.p, word.n);
		used += 1 + word.n;
	}
	xcs_buf_putc(out, '\n');
	free(ascii);
}

static size_t character_length(const char *p)
{
	size_t n = 1;

	while (((unsigned char)p[n] & 0xc0) == 0x80)
		n++;
	return n;
}

/* Encoded words in Q; a character is not split between two of them. */
static void encoded(struct xcs_buf *out, struct xcs_str text)
{
	size_t start = out->n;

	xcs_buf_puts(out, "=?UTF-8?Q?");
	for (size_t i = 0, n; i < text.n; i += n) {
		n = character_length(text.p + i);
		if (out->n - start + 3 * n + 2 > WORD_MAX_COLUMNS) {
			xcs_buf_puts(out, "?=\n ");
			start = out->n;
			xcs_buf_puts(out, "=?UTF-8?Q?");
		}
		for (size_t k = i; k < i + n && k < text.n; k++) {
			unsigned char c = (unsigned char)text.p[k];
			if (c == ' ')
				xcs_buf_putc(out, '_');
			else if (c < 0x80 && isalnum(c))
				xcs_buf_putc(out, (char)c);
			else
				xcs_buf_printf(out, "=%02X", c);
		}
	}
	xcs_buf_puts(out, "?=");
}

static bool is_plain(struct xcs_str s, bool *needs_quotes)
{
	*needs_quotes = false;
	for (size_t i = 0; i < s.n; i++) {
		if ((unsigned char)s.p[i] >= 0x80)
			return false;
		if (strchr("()<>[]:;@\\,.\"", s.p[i]))
			*needs_quotes = true;
	}
	return true;
}

static void display_name(struct xcs_buf *out, struct xcs_str name)
{
	bool needs_quotes, has_quotes = name.n > 1 && name.p[0] == '"' && name.p[name.n - 1] == '"';

	if (has_quotes) {
		name.p++;
		name.n -= 2;
	}
	if (!is_plain(name, &needs_quotes)) {
		encoded(out, name);
		return;
	}
	if (needs_quotes)
		xcs_buf_putc(out, '"');
	for (size_t i = 0; i < name.n; i++) {
		if (needs_quotes && strchr("\"\\", name.p[i]))
			xcs_buf_putc(out, '\\');
		xcs_buf_putc(out, name.p[i]);
	}
	if (needs_quotes)
		xcs_buf_putc(out, '"');
}

void mail_address_field(struct xcs_buf *out, const char *name, const char *address)
{
	char *utf8 = format_utf8_dup(address);
	const char *angle = strrchr(utf8, '<');

	xcs_buf_printf(out, "%s: ", name);
	if (angle && angle > utf8) {
		display_name(out, xcs_str_trim((struct xcs_str){utf8, (size_t)(angle - utf8)}));
		xcs_buf_printf(out, " %s\n", angle);
	} else {
		xcs_buf_printf(out, "%s\n", utf8);
	}
	free(utf8);
}

void mail_date_field(struct xcs_buf *out, int64_t wall_ns)
{
	time_t t = (time_t)(wall_ns / XCS_NS_PER_S);
	struct tm tm;
	char text[64];

	if (gmtime_r(&t, &tm) && strftime(text, sizeof(text), "%a, %d %b %Y %H:%M:%S +0000", &tm))
		xcs_buf_printf(out, "Date: %s\n", text);
}
