/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * RFC 2045 (quoted-printable, base64), RFC 2046 (parts), RFC 3676 (quoting, signatures), as
 * far as plain text in them is concerned.
 */
#include <reports/import/mail.h>

#include <string.h>
#include <strings.h>

enum encoding {
	ENCODING_PLAIN,
	ENCODING_QP,
	ENCODING_BASE64
};

enum {
	MAX_BOUNDARIES = 16,
	SEEN_BYTES = 4096 /* by which text is told from data */
};

struct decoder {
	struct xcs_buf *out;
	struct xcs_mail_report *report;
	struct xcs_str boundaries[MAX_BOUNDARIES];
	size_t n_boundaries;
	enum encoding encoding,
	        next_encoding; /* of the body; of the one that a blank line starts */
	bool html, next_html, in_header;
	bool after_blank;
	uint32_t bits; /* of a base64 group */
	int n_bits;
	size_t n_html_bytes;
};

static bool starts_nocase(struct xcs_str s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.n >= n && strncasecmp(s.p, prefix, n) == 0;
}

static bool holds_nocase(struct xcs_str s, const char *word)
{
	for (; s.n; s.p++, s.n--)
		if (starts_nocase(s, word))
			return true;
	return false;
}

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Length of what starts at p and prints nothing or a blank: ESC [ ... letter, U+00A0, U+FEFF. */
static size_t skip_length(struct xcs_str s, char *instead)
{
	*instead = 0;
	if (xcs_str_starts(s, "\xef\xbb\xbf"))
		return 3;
	if (xcs_str_starts(s, "\xc2\xa0")) {
		*instead = ' ';
		return 2;
	}
	if (!xcs_str_starts(s, "\033["))
		return 0;
	size_t n = 2;
	while (n < s.n && n < 32 && !(s.p[n] >= '@' && s.p[n] <= '~'))
		n++;
	return n < s.n ? n + 1 : n;
}

static void put_nuls(struct decoder *d, struct xcs_str *s)
{
	while (s->n && !s->p[0])
		s->p++, s->n--, d->report->n_nul_bytes++;
	xcs_buf_puts(d->out, "\n" XCS_MAIL_CUT "\n");
}

/* Copies decoded bytes; whole runs where nothing is special. */
static void put(struct decoder *d, struct xcs_str s)
{
	while (s.n) {
		size_t n = 0;
		char instead;
		while (n < s.n && (unsigned char)s.p[n] >= 0x20 && (unsigned char)s.p[n] < 0x80)
			n++;
		xcs_buf_add(d->out, s.p, n);
		s.p += n, s.n -= n;
		if (!s.n)
			return;
		if (!s.p[0]) {
			put_nuls(d, &s);
			continue;
		}
		n = skip_length(s, &instead);
		if (instead)
			xcs_buf_putc(d->out, instead);
		else if (!n && s.p[0] != '\r' && s.p[0] != XCS_MAIL_CUT[0])
			xcs_buf_putc(d->out, s.p[0]);
		s.p += n ? n : 1, s.n -= n ? n : 1;
	}
}

static void put_qp(struct decoder *d, struct xcs_str line)
{
	struct xcs_buf plain = {0};
	bool soft = false;

	while (line.n && (line.p[line.n - 1] == ' ' || line.p[line.n - 1] == '\t'))
		line.n--; /* RFC 2045 6.7 (3): added on the way */
	for (size_t i = 0; i < line.n; i++) {
		int high = i + 2 < line.n ? hex(line.p[i + 1]) : -1;
		int low = high >= 0 ? hex(line.p[i + 2]) : -1;
		if (line.p[i] == '=' && i + 1 == line.n) {
			soft = true;
		} else if (line.p[i] == '=' && low >= 0) {
			xcs_buf_putc(&plain, (char)(high << 4 | low));
			i += 2;
		} else {
			xcs_buf_putc(&plain, line.p[i]);
		}
	}
	put(d, xcs_buf_str(&plain));
	if (!soft)
		xcs_buf_putc(d->out, '\n');
	xcs_buf_fini(&plain);
}

static int base64_value(char c)
{
	static const char digits[] =
	        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

static void put_base64(struct decoder *d, struct xcs_str line)
{
	struct xcs_buf plain = {0};

	for (size_t i = 0; i < line.n; i++) {
		int v = base64_value(line.p[i]);
		if (v < 0)
			continue;
		d->bits = (d->bits << 6 | (uint32_t)v) & 0xffffff;
		d->n_bits += 6;
		if (d->n_bits >= 8) {
			d->n_bits -= 8;
			xcs_buf_putc(&plain, (char)(d->bits >> d->n_bits & 0xff));
		}
	}
	put(d, xcs_buf_str(&plain));
	xcs_buf_fini(&plain);
}

/* Starts what follows anew: at a boundary of parts, at the next mail of an mbox. */
static void start_header(struct decoder *d)
{
	if (d->encoding == ENCODING_BASE64)
		xcs_buf_putc(d->out, '\n');
	d->encoding = d->next_encoding = ENCODING_PLAIN;
	d->html = d->next_html = false;
	d->in_header = true;
	d->n_bits = 0;
}

static bool is_boundary(const struct decoder *d, struct xcs_str line)
{
	if (!xcs_str_starts(line, "--"))
		return false;
	for (size_t i = 0; i < d->n_boundaries; i++)
		if (line.n >= d->boundaries[i].n + 2 &&
		    memcmp(line.p + 2, d->boundaries[i].p, d->boundaries[i].n) == 0)
			return true;
	return false;
}

/* boundary="xyz" or boundary=xyz, wherever it stands in a header line. */
static void learn_boundary(struct decoder *d, struct xcs_str line)
{
	static const char key[] = "boundary=";

	for (; line.n; line.p++, line.n--) {
		if (!starts_nocase(line, key))
			continue;
		line.p += sizeof(key) - 1, line.n -= sizeof(key) - 1;
		bool quoted = line.n && line.p[0] == '"';
		struct xcs_str value = {line.p + quoted, 0};
		while (value.n + quoted < line.n &&
		       !strchr(quoted ? "\"" : "; \t\r", value.p[value.n]))
			value.n++;
		if (value.n && d->n_boundaries < MAX_BOUNDARIES)
			d->boundaries[d->n_boundaries++] = value;
		return;
	}
}

static void learn_header(struct decoder *d, struct xcs_str line)
{
	if (starts_nocase(line, "Content-Transfer-Encoding:")) {
		d->in_header = true;
		d->next_encoding = holds_nocase(line, "quoted-printable") ? ENCODING_QP
		                   : holds_nocase(line, "base64")         ? ENCODING_BASE64
		                                                          : ENCODING_PLAIN;
	} else if (starts_nocase(line, "Content-Type:")) {
		d->in_header = true;
		d->next_html = holds_nocase(line, "text/html");
	}
	if (d->in_header)
		learn_boundary(d, line);
}

static void end_header(struct decoder *d)
{
	d->in_header = false;
	d->encoding = d->next_encoding;
	d->html = d->next_html;
	d->report->decoded |= d->encoding != ENCODING_PLAIN;
	d->report->skipped_html |= d->html;
}

static void put_line(struct decoder *d, struct xcs_str line)
{
	if (d->html)
		return;
	if (d->encoding == ENCODING_QP) {
		put_qp(d, line);
	} else if (d->encoding == ENCODING_BASE64) {
		put_base64(d, line);
	} else {
		put(d, line);
		xcs_buf_putc(d->out, '\n');
	}
}

static void decode_line(struct decoder *d, struct xcs_str line)
{
	if (line.n && line.p[line.n - 1] == '\r')
		line.n--;
	if (is_boundary(d, line) || (d->after_blank && xcs_str_starts(line, "From ")))
		start_header(d);
	else if (d->encoding == ENCODING_PLAIN && line.n && line.p[0] > ' ')
		learn_header(d, line);
	else if (d->in_header && line.n)
		learn_boundary(d, line);
	d->after_blank = line.n == 0;
	put_line(d, line);
	if (!line.n && d->in_header)
		end_header(d);
}

/* A soft break as quoted-printable makes it, or one of its commonest codes. */
static bool is_qp_line(struct xcs_str line)
{
	if (line.n && line.p[line.n - 1] == '\r')
		line.n--;
	if (line.n >= 60 && line.n <= 76 && line.p[line.n - 1] == '=' && line.p[line.n - 2] != '=')
		return true;
	return line.n >= 3 && memcmp(line.p + line.n - 3, "=20", 3) == 0;
}

static bool looks_like_qp(struct xcs_str text)
{
	struct xcs_str line;

	if (!memchr(text.p, '=', text.n))
		return false;
	while (xcs_str_next_line(&text, &line))
		if (is_qp_line(line))
			return true;
	return false;
}

/* Of the first bytes, one in twenty that no text holds. */
static bool looks_binary(struct xcs_str text)
{
	size_t n = text.n < SEEN_BYTES ? text.n : SEEN_BYTES, n_odd = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text.p[i];
		n_odd += c && c < 0x20 && !strchr("\t\n\r\f\b\033", c);
	}
	return n_odd * 20 > n;
}

void xcs_mail_decode(struct xcs_str text, struct xcs_buf *out, struct xcs_mail_report *report)
{
	struct decoder d = {.out = out, .report = report, .after_blank = true};
	struct xcs_str line;

	*report = (struct xcs_mail_report){0};
	report->looks_binary = looks_binary(text);
	if (report->looks_binary || !text.n)
		return;
	report->no_newline = text.p[text.n - 1] != '\n';
	xcs_buf_reserve(out, text.n + 1);
	if (looks_like_qp(text) && !holds_nocase(text, "Content-Transfer-Encoding:")) {
		d.encoding = d.next_encoding = ENCODING_QP;
		report->decoded = true;
	}
	while (xcs_str_next_line(&text, &line))
		decode_line(&d, line);
}

/* Letters and a mark, as some mailers put initials before it: "mt> ". */
static size_t initials(struct xcs_str s)
{
	size_t n = 0;

	while (n < s.n && n < 5 && s.p[n] >= 'A' && (s.p[n] | 0x20) <= 'z' && s.p[n] != '[')
		n++;
	return n && n < s.n && s.p[n] == '>' ? n : 0;
}

struct xcs_str xcs_mail_unquote(struct xcs_str line, int *depth)
{
	*depth = 0;
	for (;;) {
		struct xcs_str s = line;
		while (s.n && (s.p[0] == ' ' || s.p[0] == '\t'))
			s.p++, s.n--;
		size_t n = initials(s);
		size_t mark =
		        xcs_str_starts(s, "&gt;") ? 4 : 1; /* the source of an archive's page */
		if (!s.n || (mark == 1 && s.p[n] != '>' && s.p[n] != '|'))
			return line;
		line = (struct xcs_str){s.p + n + mark, s.n - n - mark};
		(*depth)++;
	}
}

bool xcs_mail_is_signature(struct xcs_str line)
{
	return line.n >= 2 && line.n <= 3 && xcs_str_is(xcs_str_trim(line), "--");
}
