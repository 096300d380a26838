/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "digits.h"

#include <collectors/status.h>

#include <errno.h>
#include <string.h>

/* Undoes string_escape_str(ESCAPE_SPACE | ESCAPE_SPECIAL, "\n\\"). */
static void unescape(struct xcs_str s, char *out, size_t cap)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n && n + 1 < cap; i++) {
		char c = s.p[i];
		if (c == '\\' && i + 1 < s.n && (s.p[i + 1] == 'n' || s.p[i + 1] == '\\'))
			c = s.p[++i] == 'n' ? '\n' : '\\';
		out[n++] = c;
	}
	out[n] = '\0';
}

static bool take_line(struct xcs_str line, struct xcs_status *out)
{
	if (xcs_str_starts(line, "Name:\t")) {
		unescape((struct xcs_str){line.p + 6, line.n - 6}, out->comm, sizeof(out->comm));
		return true;
	}
	return xcs_line_i64(line, "Tgid:", &out->tgid) || xcs_line_i64(line, "Pid:", &out->tid) ||
	       xcs_line_i64(line, "Threads:", &out->n_threads) ||
	       xcs_line_i64(line, "voluntary_ctxt_switches:", &out->voluntary_total) ||
	       xcs_line_i64(line, "nonvoluntary_ctxt_switches:", &out->involuntary_total);
}

int xcs_status_parse(struct xcs_str text, struct xcs_status *out)
{
	const char *end = text.n ? memrchr(text.p, '\n', text.n) : NULL;
	struct xcs_str line;
	int n_found = 0;

	*out = (struct xcs_status){
	        .tgid = XCS_ABSENT,
	        .tid = XCS_ABSENT,
	        .n_threads = XCS_ABSENT,
	        .voluntary_total = XCS_ABSENT,
	        .involuntary_total = XCS_ABSENT,
	};
	text.n = end ? (size_t)(end - text.p) + 1 : 0;
	while (xcs_str_next_line(&text, &line))
		n_found += take_line(line, out);
	return n_found ? 0 : -EINVAL;
}
