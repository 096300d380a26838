/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <common/buf.h>
#include <reports/labels.h>

#include <stdint.h>
#include <string.h>

/* Bytes of the UTF-8 sequence that starts here; 0: none does (RFC 3629, table in section 4). */
static size_t sequence_bytes(const unsigned char *p)
{
	size_t n = p[0] < 0x80 ? 1 : p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : 0;

	if (p[0] >= 0xe0 && p[0] < 0xf0)
		n = 3;
	if (p[0] >= 0xf0 && p[0] < 0xf5)
		n = 4;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	bool surrogate = p[0] == 0xed && p[1] >= 0xa0;
	bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
	bool too_high = p[0] == 0xf4 && p[1] >= 0x90;
	return n > 1 && (surrogate || overlong || too_high) ? 0 : n;
}

char *xcs_label_escape_dup(const char *label)
{
	struct xcs_buf out = {0};
	const unsigned char *p = (const unsigned char *)label;

	while (*p) {
		size_t n = sequence_bytes(p);
		bool plain = n > 1 || (n == 1 && *p >= 0x20 && *p != 0x7f && *p != '\\');
		if (plain)
			xcs_buf_add(&out, p, n);
		else
			xcs_buf_printf(&out, "\\x%02X", *p);
		p += plain ? n : 1;
	}
	return out.n ? xcs_buf_take(&out) : xcs_xstrdup("(empty)");
}

static bool is_plain(const char *label)
{
	for (const char *p = label; *p; p++)
		if (*p <= 0x20 || *p >= 0x7f)
			return false;
	return strlen(label) <= XCS_LABEL_MAX;
}

static bool all_stand_as_they_are(const char *const *labels, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!is_plain(labels[i]))
			return false;
		for (size_t k = 0; k < i; k++)
			if (strcmp(labels[i], labels[k]) == 0)
				return false;
	}
	return true;
}

char *xcs_label_key_dup(const char *const *labels, size_t n, size_t i)
{
	char letters[16];
	size_t at = sizeof(letters) - 1;

	if (all_stand_as_they_are(labels, n))
		return xcs_xstrdup(labels[i]);
	letters[at] = '\0';
	for (size_t rest = i + 1; rest; rest = (rest - 1) / 26)
		letters[--at] = (char)('A' + (rest - 1) % 26);
	return xcs_xstrdup(letters + at);
}
