/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vmstat_parts.h"

#include <common/alloc.h>
#include <common/units.h>

#include <string.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Does the word look like the pattern, in which 0 stands for a digit? */
static bool has_shape(struct xcs_str word, const char *shape)
{
	if (word.n != strlen(shape))
		return false;
	for (size_t i = 0; i < word.n; i++)
		if (shape[i] == '0' ? !is_digit(word.p[i]) : word.p[i] != shape[i])
			return false;
	return true;
}

enum word_kind word_kind(struct xcs_str word)
{
	size_t n = 0;

	while (n < word.n && is_digit(word.p[n]))
		n++;
	if (n == word.n && n > 0 && n <= 20)
		return WORD_NUMBER;
	if (n == 4 && has_shape(word, "0000-00-00"))
		return WORD_DATE;
	if (n == 2 && has_shape(word, "00:00:00"))
		return WORD_TIME;
	return WORD_OTHER;
}

static int64_t digits(struct xcs_str word, size_t at, size_t n)
{
	int64_t v = 0;

	for (size_t i = at; i < at + n; i++)
		v = v * 10 + (word.p[i] - '0');
	return v;
}

/* Days from 1970-01-01 of a civil date: years count from March, 400 years have 146,097 days. */
int64_t word_date_s(struct xcs_str word)
{
	int64_t y = digits(word, 0, 4), m = digits(word, 5, 2), d = digits(word, 8, 2);

	y -= m <= 2;
	int64_t era = y / 400, of_era = y % 400;
	int64_t of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	int64_t days = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
	return days * 86400;
}

int64_t word_time_s(struct xcs_str word)
{
	return digits(word, 0, 2) * 3600 + digits(word, 3, 2) * 60 + digits(word, 6, 2);
}

bool word_is_group(struct xcs_str word)
{
	bool has_name = false;

	if (word.n < 4 || word.p[0] != '-' || word.p[word.n - 1] != '-')
		return false;
	for (size_t i = 0; i < word.n; i++)
		has_name |= word.p[i] != '-';
	return has_name;
}

/* What may stand before the command: a prompt, an assignment, a program that runs it. */
static bool may_precede(struct xcs_str word)
{
	static const char *const programs[] = {"sudo", "time", "env", "nice", "LANG=C", "command:"};

	if (strchr("$#%>", word.p[word.n - 1]) || memchr(word.p, '=', word.n))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(programs); i++)
		if (xcs_str_is(word, programs[i]))
			return true;
	return false;
}

static bool is_vmstat(struct xcs_str word)
{
	static const char path[] = "/vmstat";
	size_t n = sizeof(path) - 1;

	return xcs_str_is(word, "vmstat") ||
	       (word.n > n && memcmp(word.p + word.n - n, path, n) == 0 &&
	        !memchr(word.p, ':', word.n));
}

static void take_option(struct vmstat_command *c, struct xcs_str word, struct xcs_str *rest)
{
	struct xcs_str unit;
	bool is_long = xcs_str_starts(word, "--");

	c->no_first |= xcs_str_is(word, "--no-first") || (!is_long && memchr(word.p, 'y', word.n));
	if (xcs_str_starts(word, "--unit") || (!is_long && memchr(word.p, 'S', word.n))) {
		c->has_unit = true;
		/* "-S M" and "--unit M": the next word is its value. */
		if (word.p[word.n - 1] == 'S' || xcs_str_is(word, "--unit"))
			(void)xcs_str_next_word(rest, &unit);
	}
}

bool vmstat_command_parse(struct xcs_str line, struct vmstat_command *c)
{
	struct xcs_str rest = xcs_str_trim(line), word;
	uint64_t delay_s;

	*c = (struct vmstat_command){.text = rest};
	for (;;) {
		if (!xcs_str_next_word(&rest, &word))
			return false;
		if (is_vmstat(word))
			break;
		if (!may_precede(word) && !memchr(word.p, '@', word.n) && word.p[0] != '[')
			return false;
	}
	c->text = (struct xcs_str){word.p, word.n + rest.n};
	while (xcs_str_next_word(&rest, &word)) {
		if (word.p[0] == '-' && word.n > 1)
			take_option(c, word, &rest);
		else if (xcs_str_u64(word, &delay_s) == 0 && !c->delay_s && delay_s <= 86400)
			c->delay_s = (int64_t)delay_s;
		else if (word_kind(word) != WORD_NUMBER)
			return memchr("|>&;2", word.p[0], 5) != NULL; /* a pipe, not prose */
	}
	return true;
}
