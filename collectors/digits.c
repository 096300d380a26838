/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "digits.h"

#include <string.h>

static inline bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

/* Columns of the kernel are padded with up to 20 blanks, so these go by eight. */
static inline const char *skip_blanks(const char *p, const char *end)
{
	static const char blanks[8] = {' ', ' ', ' ', ' ', ' ', ' ', ' ', ' '};

	while (end - p >= 8 && memcmp(p, blanks, 8) == 0)
		p += 8;
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

const char *xcs_scan_i64(const char *p, const char *end, int64_t *out)
{
	p = skip_blanks(p, end);
	bool negative = p < end && *p == '-';
	p += negative;
	const char *first = p;
	uint64_t v = 0;
	while (p < end && is_digit(*p))
		v = v * 10 + (uint64_t)(*p++ - '0');
	/* 19 digits cannot overflow 64 bits, so one test behind the loop is enough. */
	if (p == first || p - first > 19 || v > (uint64_t)INT64_MAX)
		return NULL;
	*out = negative ? -(int64_t)v : (int64_t)v;
	return p;
}

const char *xcs_scan_ms_ns(const char *p, const char *end, int64_t *out_ns)
{
	int64_t v, frac = 0;

	p = skip_blanks(p, end);
	bool negative = p < end && *p == '-';
	p = xcs_scan_i64(p, end, &v);
	if (!p || p == end || *p != '.') {
		*out_ns = p ? v : 0;
		return p;
	}
	const char *first = ++p;
	while (p < end && p - first < 6 && is_digit(*p))
		frac = frac * 10 + (*p++ - '0');
	if (p - first != 6)
		return NULL;
	/* The kernel prints the sign on the whole part only: -1.500000 is -1.5 ms. */
	if (__builtin_mul_overflow(v, 1000000, &v) ||
	    __builtin_add_overflow(v, negative ? -frac : frac, &v))
		return NULL;
	*out_ns = v;
	return p;
}

bool xcs_line_i64(struct xcs_str line, const char *name, int64_t *out)
{
	size_t n = strlen(name);

	if (line.n <= n || memcmp(line.p, name, n) != 0)
		return false;
	return xcs_scan_i64(line.p + n, line.p + line.n, out) != NULL;
}
