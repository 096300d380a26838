/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <common/buf.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void xcs_buf_fini(struct xcs_buf *b)
{
	free(b->p);
	*b = (struct xcs_buf){0};
}

void xcs_buf_clear(struct xcs_buf *b)
{
	b->n = 0;
	if (b->p)
		b->p[0] = '\0';
}

void xcs_buf_reserve(struct xcs_buf *b, size_t n_more_bytes)
{
	size_t want = b->n + n_more_bytes + 1;

	if (want <= b->cap)
		return;
	size_t cap = b->cap ? b->cap : 64;
	while (cap < want)
		cap *= 2;
	b->p = xcs_xrealloc(b->p, cap);
	b->cap = cap;
	b->p[b->n] = '\0';
}

void xcs_buf_add(struct xcs_buf *b, const void *p, size_t n_bytes)
{
	xcs_buf_reserve(b, n_bytes);
	if (n_bytes)
		memcpy(b->p + b->n, p, n_bytes);
	b->n += n_bytes;
	b->p[b->n] = '\0';
}

void xcs_buf_puts(struct xcs_buf *b, const char *s)
{
	xcs_buf_add(b, s, strlen(s));
}

void xcs_buf_putc(struct xcs_buf *b, char c)
{
	xcs_buf_add(b, &c, 1);
}

void xcs_buf_fill(struct xcs_buf *b, char c, size_t n)
{
	xcs_buf_reserve(b, n);
	memset(b->p + b->n, c, n);
	b->n += n;
	b->p[b->n] = '\0';
}

void xcs_buf_vprintf(struct xcs_buf *b, const char *fmt, va_list ap)
{
	va_list again;

	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	if (n > 0) {
		xcs_buf_reserve(b, (size_t)n);
		vsnprintf(b->p + b->n, (size_t)n + 1, fmt, again);
		b->n += (size_t)n;
	}
	va_end(again);
}

void xcs_buf_quote(struct xcs_buf *b, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                            "0123456789-_=.,/:+%@";

	if (word[0] && word[strspn(word, plain)] == '\0') {
		xcs_buf_puts(b, word);
		return;
	}
	xcs_buf_putc(b, '\'');
	for (const char *c = word; *c; c++)
		xcs_buf_printf(b, *c == '\'' ? "'\\''" : "%c", *c);
	xcs_buf_putc(b, '\'');
}

void xcs_buf_printf(struct xcs_buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	xcs_buf_vprintf(b, fmt, ap);
	va_end(ap);
}

struct xcs_str xcs_buf_str(const struct xcs_buf *b)
{
	return (struct xcs_str){.p = b->p ? b->p : "", .n = b->n};
}

char *xcs_buf_take(struct xcs_buf *b)
{
	char *p = b->p ? b->p : xcs_xstrdup("");

	*b = (struct xcs_buf){0};
	return p;
}
