/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats.h"
#include "text.h"

#include <common/alloc.h>

#include <string.h>

static void write_json(const struct xcs_doc *doc, const struct xcs_write_options *options,
                       struct xcs_buf *out)
{
	(void)options;
	xcs_doc_write_json(doc, out);
}

static const struct xcs_writer writers[XCS_N_FORMATS] = {
        [XCS_FORMAT_TEXT] = {"text",     ".txt",  false, format_text    },
        [XCS_FORMAT_MBOX] = {"mbox",     ".mbox", false, format_mbox    },
        [XCS_FORMAT_MARKDOWN] = {"markdown", ".md",   false, format_markdown},
        [XCS_FORMAT_CSV] = {"csv",      ".csv",  true,  format_csv     },
        [XCS_FORMAT_JSON] = {"json",     ".json", false, write_json     },
        [XCS_FORMAT_HTML] = {"html",     ".html", false, format_html    },
};

const char *const xcs_format_names[] = {"text", "mbox", "markdown", "csv", "json", "html", NULL};

const struct xcs_writer *xcs_writer_of(enum xcs_format format)
{
	return &writers[format];
}

int xcs_format_of_path(const char *path)
{
	const char *dot = strrchr(path, '.');

	for (int i = 0; dot && i < XCS_N_FORMATS; i++)
		if (strcmp(dot, writers[i].suffix) == 0)
			return i;
	return -1;
}

locale_t format_enter_c_locale(void)
{
	return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

void format_leave_c_locale(locale_t before)
{
	freelocale(uselocale(before));
}

/* Length of the UTF-8 character at p (RFC 3629: no overlong form, no surrogate), 0: none. */
static size_t utf8_length(const unsigned char *p)
{
	size_t n = p[0] < 0x80                    ? 1
	           : p[0] >= 0xc2 && p[0] <= 0xdf ? 2
	           : p[0] >= 0xe0 && p[0] <= 0xef ? 3
	           : p[0] >= 0xf0 && p[0] <= 0xf4 ? 4
	                                          : 0;

	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return n;
}

/* C0 and DEL, and C1 (U+0080..U+009F), which no format wants. */
static bool is_control(const unsigned char *p)
{
	return p[0] < 0x20 || p[0] == 0x7f || (p[0] == 0xc2 && p[1] < 0xa0);
}

char *format_utf8_dup(const char *s)
{
	struct xcs_buf out = {0};

	for (const unsigned char *p = (const unsigned char *)s; *p;) {
		size_t n = utf8_length(p);
		if (*p == '\t' || *p == '\n' || *p == '\r')
			xcs_buf_putc(&out, ' ');
		else if (!n || is_control(p))
			xcs_buf_printf(&out, "\\x%02x", *p);
		else
			xcs_buf_add(&out, p, n);
		p += n && !is_control(p) ? n : 1;
	}
	return out.p ? xcs_buf_take(&out) : xcs_xstrdup("");
}

void format_cell(struct xcs_buf *out, const struct xcs_cell *c, int digits)
{
	if (c->type == XCS_CELL_TEXT)
		xcs_buf_puts(out, c->text);
	else if (c->type == XCS_CELL_ABSENT)
		xcs_buf_puts(out, "n/a");
	else
		text_number(out, c->type == XCS_CELL_NUM ? c->num : c->spread.median, digits);
}

void format_range(struct xcs_buf *out, const struct xcs_cell *c, int digits)
{
	if (c->type != XCS_CELL_SPREAD)
		return;
	text_number(out, c->spread.min, digits);
	xcs_buf_puts(out, "..");
	text_number(out, c->spread.max, digits);
}
