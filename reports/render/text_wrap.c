/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats.h"
#include "text.h"

#include <common/alloc.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A bot takes orders from lines of mails; none may come out of a record. */
static bool is_order(const unsigned char *p)
{
	static const char order[] = "#regzbot";

	return strncasecmp((const char *)p, order, strlen(order)) == 0;
}

char *text_ascii_dup(const char *s)
{
	struct xcs_buf out = {0};

	for (const unsigned char *p = (const unsigned char *)s; *p; p++) {
		if (is_order(p))
			xcs_buf_putc(&out, '?');
		if (*p == '\t' || *p == '\n' || *p == '\r')
			xcs_buf_putc(&out, ' ');
		else if (*p >= 0x20 && *p < 0x7f)
			xcs_buf_putc(&out, (char)*p);
		else if ((*p & 0xc0) != 0x80) /* not the rest of a UTF-8 character */
			xcs_buf_putc(&out, '?');
	}
	return xcs_buf_take(&out);
}

char *text_escaped_dup(const char *s)
{
	char *utf8 = format_utf8_dup(s); /* valid from here on */
	struct xcs_buf out = {0};

	for (const unsigned char *p = (const unsigned char *)utf8; *p;) {
		size_t n = *p < 0x80 ? 1 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;
		unsigned code = n == 1 ? *p : *p & (0x7fU >> n);
		for (size_t i = 1; i < n; i++)
			code = code << 6 | (p[i] & 0x3f);
		if (n == 1)
			xcs_buf_putc(&out, (char)*p);
		else
			xcs_buf_printf(&out, code > 0xffff ? "\\U%08x" : "\\u%04x", code);
		p += n;
	}
	free(utf8);
	return out.p ? xcs_buf_take(&out) : xcs_xstrdup("");
}

/* The line that is being filled. */
struct line {
	struct xcs_buf *out;
	size_t used, indent;
	bool has_word;
};

static void next_line(struct line *l)
{
	xcs_buf_putc(l->out, '\n');
	xcs_buf_fill(l->out, ' ', l->indent);
	l->used = l->indent;
	l->has_word = false;
}

static void put_word(struct line *l, struct xcs_str word)
{
	size_t blank = l->has_word ? 1 : 0;

	if (l->has_word && l->used + blank + word.n > TEXT_WIDTH) {
		next_line(l);
		blank = 0;
	}
	xcs_buf_fill(l->out, ' ', blank);
	l->used += blank;
	while (l->used + word.n > TEXT_WIDTH) {
		size_t room = TEXT_WIDTH - l->used;
		xcs_buf_add(l->out, word.p, room);
		word.p += room;
		word.n -= room;
		next_line(l);
	}
	xcs_buf_add(l->out, word.p, word.n);
	l->used += word.n;
	l->has_word = true;
}

void text_wrap(struct xcs_buf *out, const char *first, size_t indent, const char *text)
{
	char *ascii = text_ascii_dup(text);
	struct xcs_str rest = xcs_str(ascii), word;
	struct line l = {.out = out, .used = strlen(first), .indent = indent};

	xcs_buf_puts(out, first);
	while (xcs_str_next_word(&rest, &word))
		put_word(&l, word);
	xcs_buf_putc(out, '\n');
	free(ascii);
}

/* How far the shell's quoting has come; only blanks outside quotes separate words. */
struct quoting {
	bool in_single, in_double, escaped;
};

static void step(struct quoting *q, char c)
{
	if (q->escaped)
		q->escaped = false;
	else if (c == '\\' && !q->in_single)
		q->escaped = true;
	else if (c == '\'' && !q->in_double)
		q->in_single = !q->in_single;
	else if (c == '"' && !q->in_single)
		q->in_double = !q->in_double;
}

/* Length of the next word with its quotes, from outside quotes. */
static size_t shell_word(const char *p)
{
	struct quoting q = {0};
	size_t n = 0;

	while (p[n] && (p[n] != ' ' || q.in_single || q.in_double || q.escaped))
		step(&q, p[n++]);
	return n;
}

/* Breaks inside a word that no line holds: a backslash before the newline joins the halves, but not
 * between single quotes, which are closed before and opened again behind it. */
static void put_shell_word(struct line *l, const char *p, size_t n)
{
	struct quoting q = {0};
	bool fits = l->used + n <= TEXT_WIDTH - 2;

	for (size_t i = 0; i < n; i++) {
		if (!fits && l->used >= TEXT_WIDTH - 3 && !q.escaped) {
			xcs_buf_puts(l->out, q.in_single ? "'\\\n'" : "\\\n");
			l->used = q.in_single ? 1 : 0;
		}
		xcs_buf_putc(l->out, p[i]);
		l->used++;
		step(&q, p[i]);
	}
}

void text_command(struct xcs_buf *out, const char *command)
{
	char *ascii = text_ascii_dup(command);
	struct line l = {.out = out, .used = 2};
	const char *p = ascii;

	xcs_buf_puts(out, "  ");
	while (*p) {
		size_t n = shell_word(p);
		if (l.has_word && l.used + 1 + n > TEXT_WIDTH - 2) {
			xcs_buf_puts(out, " \\\n      ");
			l.used = 6;
		} else if (l.has_word) {
			xcs_buf_putc(out, ' ');
			l.used++;
		}
		put_shell_word(&l, p, n);
		l.has_word = true;
		for (p += n; *p == ' ';)
			p++;
	}
	xcs_buf_putc(out, '\n');
	free(ascii);
}

void text_number(struct xcs_buf *out, double v, int digits)
{
	char text[64];

	if (fabs(v) < 0.5 * pow(10, -digits))
		v = 0; /* and not -0 */
	if (snprintf(text, sizeof(text), "%.*f", digits, v) > TEXT_NUMBER_WIDTH)
		snprintf(text, sizeof(text), "%.3e", v);
	xcs_buf_puts(out, text);
}
