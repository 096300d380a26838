/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *p, size_t n_bytes)
{
	if (p)
		return p;
	fprintf(stderr, "xcsbench: out of memory (%zu bytes wanted)\n", n_bytes);
	abort();
}

void *xcs_xmalloc(size_t n_bytes)
{
	return must(malloc(n_bytes ? n_bytes : 1), n_bytes);
}

void *xcs_xcalloc(size_t n, size_t size_bytes)
{
	return must(calloc(n ? n : 1, size_bytes ? size_bytes : 1), n * size_bytes);
}

void *xcs_xrealloc(void *p, size_t n_bytes)
{
	return must(realloc(p, n_bytes ? n_bytes : 1), n_bytes);
}

char *xcs_xstrdup(const char *s)
{
	return must(strdup(s), strlen(s) + 1);
}

char *xcs_xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s = NULL;

	va_start(ap, fmt);
	int n = vasprintf(&s, fmt, ap);
	va_end(ap);
	return must(n < 0 ? NULL : s, 0);
}

void *xcs_xgrow(void *p, size_t n, size_t *cap, size_t size_bytes)
{
	if (n < *cap)
		return p;
	*cap = *cap ? *cap * 2 : 8;
	return xcs_xrealloc(p, *cap * size_bytes);
}
