/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/str.h>

#include <errno.h>
#include <string.h>

struct xcs_str xcs_str(const char *s)
{
	return (struct xcs_str){.p = s ? s : "", .n = s ? strlen(s) : 0};
}

bool xcs_str_is(struct xcs_str s, const char *word)
{
	return s.n == strlen(word) && memcmp(s.p, word, s.n) == 0;
}

bool xcs_str_starts(struct xcs_str s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.n >= n && memcmp(s.p, prefix, n) == 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

struct xcs_str xcs_str_trim(struct xcs_str s)
{
	while (s.n && is_blank(s.p[0]))
		s.p++, s.n--;
	while (s.n && is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

bool xcs_str_next_part(struct xcs_str *rest, char sep, struct xcs_str *out)
{
	if (!rest->n)
		return false;
	const char *end = memchr(rest->p, sep, rest->n);
	size_t n = end ? (size_t)(end - rest->p) : rest->n;
	*out = (struct xcs_str){rest->p, n};
	size_t used = end ? n + 1 : n;
	rest->p += used;
	rest->n -= used;
	return true;
}

bool xcs_str_next_line(struct xcs_str *rest, struct xcs_str *out)
{
	return xcs_str_next_part(rest, '\n', out);
}

bool xcs_str_next_word(struct xcs_str *rest, struct xcs_str *out)
{
	while (rest->n && is_blank(rest->p[0]))
		rest->p++, rest->n--;
	if (!rest->n)
		return false;
	size_t n = 0;
	while (n < rest->n && !is_blank(rest->p[n]))
		n++;
	*out = (struct xcs_str){rest->p, n};
	rest->p += n;
	rest->n -= n;
	return true;
}

bool xcs_str_list_has(struct xcs_str list, char sep, const char *word)
{
	struct xcs_str part;

	while (xcs_str_next_part(&list, sep, &part))
		if (xcs_str_is(xcs_str_trim(part), word))
			return true;
	return false;
}

int xcs_str_u64(struct xcs_str s, uint64_t *out)
{
	uint64_t v = 0;

	if (!s.n)
		return -EINVAL;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return -EINVAL;
		if (__builtin_mul_overflow(v, 10u, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(s.p[i] - '0'), &v))
			return -ERANGE;
	}
	*out = v;
	return 0;
}

int xcs_str_i64(struct xcs_str s, int64_t *out)
{
	bool negative = s.n && s.p[0] == '-';
	uint64_t v;

	if (negative || (s.n && s.p[0] == '+'))
		s.p++, s.n--;
	int rc = xcs_str_u64(s, &v);
	if (rc)
		return rc;
	if (v > (uint64_t)INT64_MAX + negative)
		return -ERANGE;
	*out = negative ? (int64_t)(0 - v) : (int64_t)v;
	return 0;
}
