/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A growing byte buffer, always NUL-terminated behind its content.
 */
#ifndef XCS_BUF_H
#define XCS_BUF_H

#include <common/str.h>

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_buf {
	char *p; /* owned; NULL while empty and never used */
	size_t n, cap;
};

void xcs_buf_fini(struct xcs_buf *b);  /* a zeroed buffer is a valid empty one */
void xcs_buf_clear(struct xcs_buf *b); /* keeps the memory */
void xcs_buf_reserve(struct xcs_buf *b, size_t n_more_bytes);
void xcs_buf_add(struct xcs_buf *b, const void *p, size_t n_bytes);
void xcs_buf_puts(struct xcs_buf *b, const char *s);
void xcs_buf_putc(struct xcs_buf *b, char c);
void xcs_buf_fill(struct xcs_buf *b, char c, size_t n);
void xcs_buf_quote(struct xcs_buf *b, const char *word); /* as sh must read it to get it back */
void xcs_buf_printf(struct xcs_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void xcs_buf_vprintf(struct xcs_buf *b, const char *fmt, va_list ap)
        __attribute__((format(printf, 2, 0)));

struct xcs_str xcs_buf_str(const struct xcs_buf *b); /* valid until b changes */
char *xcs_buf_take(struct xcs_buf *b);               /* the caller frees it; b is empty after */

#ifdef __cplusplus
}
#endif
#endif
