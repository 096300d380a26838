/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "digits.h"

#include <collectors/psi.h>

#include <errno.h>
#include <string.h>

static void take_line(struct xcs_str line, struct xcs_psi *out)
{
	static const char key[] = " total=";
	const char *at = memmem(line.p, line.n, key, sizeof(key) - 1);
	int64_t v;

	if (!at || !xcs_scan_i64(at + sizeof(key) - 1, line.p + line.n, &v))
		return;
	if (xcs_str_starts(line, "some "))
		out->some_total_us = v;
	else if (xcs_str_starts(line, "full "))
		out->full_total_us = v;
}

int xcs_psi_parse(struct xcs_str text, struct xcs_psi *out)
{
	const char *end = text.n ? memrchr(text.p, '\n', text.n) : NULL;
	struct xcs_str line;

	*out = (struct xcs_psi){XCS_ABSENT, XCS_ABSENT};
	text.n = end ? (size_t)(end - text.p) + 1 : 0;
	while (xcs_str_next_line(&text, &line))
		take_line(line, out);
	bool any = out->some_total_us != XCS_ABSENT || out->full_total_us != XCS_ABSENT;
	return any ? 0 : -EINVAL;
}
