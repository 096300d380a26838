/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "digits.h"

#include <collectors/io.h>

#include <errno.h>
#include <string.h>

int xcs_io_parse(struct xcs_str text, struct xcs_io *out)
{
	const char *end = text.n ? memrchr(text.p, '\n', text.n) : NULL;
	struct xcs_str line;

	*out = (struct xcs_io){XCS_ABSENT, XCS_ABSENT, XCS_ABSENT, XCS_ABSENT};
	text.n = end ? (size_t)(end - text.p) + 1 : 0;
	while (xcs_str_next_line(&text, &line))
		(void)(xcs_line_i64(line, "rchar:", &out->rchar_bytes) ||
		       xcs_line_i64(line, "wchar:", &out->wchar_bytes) ||
		       xcs_line_i64(line, "syscr:", &out->n_reads) ||
		       xcs_line_i64(line, "syscw:", &out->n_writes));
	bool any = out->rchar_bytes != XCS_ABSENT || out->wchar_bytes != XCS_ABSENT;
	return any ? 0 : -EINVAL;
}
