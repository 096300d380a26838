/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <terminal/feed_lines.h>

#include <string.h>

/* Adds n to a decimal number of n_digits; what does not fit is lost. */
static void add(char *digits, size_t n_digits, size_t n)
{
	for (size_t i = n_digits; n > 0 && i > 0; i--) {
		n += (size_t)(digits[i - 1] - '0');
		digits[i - 1] = (char)('0' + n % 10);
		n /= 10;
	}
}

void feed_lines_init(struct feed_lines *f, size_t n_columns)
{
	f->n_columns = n_columns;
	f->n_lines = FEED_BLOCK_BYTES / n_columns;
	for (size_t i = 0; i < f->n_lines; i++) {
		char *line = f->block + i * n_columns;
		memset(line, '0', n_columns - 1);
		add(line, n_columns - 1, i + 1);
		line[n_columns - 1] = '\n';
	}
}

void feed_lines_next(struct feed_lines *f)
{
	for (size_t i = 0; i < f->n_lines; i++)
		add(f->block + i * f->n_columns, f->n_columns - 1, f->n_lines);
}

size_t feed_lines_bytes(const struct feed_lines *f)
{
	return f->n_lines * f->n_columns;
}
