/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "anonymous.h"

#include <common/alloc.h>
#include <common/buf.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void keep_unless(char *into, size_t size, const char *name, const char *nobodys)
{
	snprintf(into, size, "%s", strcmp(name, nobodys) ? name : "");
}

void anonymous_init(struct anonymous *a, const struct xcs_user *user)
{
	char host[256] = "";

	if (gethostname(host, sizeof(host) - 1))
		host[0] = '\0';
	keep_unless(a->home, sizeof(a->home), user->home, "/");
	keep_unless(a->user, sizeof(a->user), user->name, "root");
	keep_unless(a->host, sizeof(a->host), host, "localhost");
}

static bool is_word_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* "al" is no word of "total", and "/srv/al" is none of "/srv/alice". */
static const char *find_word(const char *text, const char *from, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = strstr(from, word); at; at = strstr(at + 1, word)) {
		bool begins = at == text || !is_word_byte(at[-1]) || !is_word_byte(word[0]);
		if (begins && !is_word_byte(at[n]))
			return at;
	}
	return NULL;
}

static char *replace_dup(const char *text, const char *word, const char *with)
{
	struct xcs_buf out = {0};
	const char *from = text, *at;

	while (word[0] && (at = find_word(text, from, word))) {
		xcs_buf_add(&out, from, (size_t)(at - from));
		xcs_buf_puts(&out, with);
		from = at + strlen(word);
	}
	if (from == text)
		return NULL;
	xcs_buf_puts(&out, from);
	return xcs_buf_take(&out);
}

char *anonymous_edit(const char *text, void *data)
{
	const struct anonymous *a = data;
	const char *const rows[][2] = {
	        {a->home, "(home)"},
                {a->user, "(user)"},
                {a->host, "(host)"}
        };
	char *now = NULL;

	if (strcmp(text, a->user) == 0 || strcmp(text, a->host) == 0)
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *clean = replace_dup(now ? now : text, rows[i][0], rows[i][1]);
		if (!clean)
			continue;
		free(now);
		now = clean;
	}
	return now;
}
