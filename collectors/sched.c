/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "digits.h"

#include <collectors/sched.h>

#include <errno.h>
#include <sched.h>
#include <string.h>

/* A name holds at most 15 bytes, so it cannot fake a rule of this length. The shortest real
 * one is that of 2.6.23: 46 dashes. */
#define MIN_DASHES 30

static const struct {
	const char *name;
	uint8_t n;
	bool time;
} fields[XCS_N_SCHED_FIELDS] = {
#define ROW(name, time)                      \
	{                                    \
		name, sizeof(name) - 1, time \
	}
        [XCS_SCHED_EXEC_NS] = ROW("sum_exec_runtime", true),
        [XCS_SCHED_SWITCHES] = ROW("nr_switches", false),
        [XCS_SCHED_VOLUNTARY] = ROW("nr_voluntary_switches", false),
        [XCS_SCHED_INVOLUNTARY] = ROW("nr_involuntary_switches", false),
        [XCS_SCHED_MIGRATIONS] = ROW("nr_migrations", false),
        [XCS_SCHED_POLICY] = ROW("policy", false),
        [XCS_SCHED_PRIO] = ROW("prio", false),
        [XCS_SCHED_WAIT_SUM_NS] = ROW("wait_sum", true),
        [XCS_SCHED_WAKEUPS] = ROW("nr_wakeups", false),
#undef ROW
};

static struct xcs_str without_prefix(struct xcs_str key)
{
	static const char *const prefixes[] = {"se.statistics.", "se."};

	for (size_t i = 0; i < 2; i++) {
		size_t n = strlen(prefixes[i]);
		if (key.n > n && memcmp(key.p, prefixes[i], n) == 0)
			return (struct xcs_str){key.p + n, key.n - n};
	}
	return key;
}

static int find_field(struct xcs_str name)
{
	for (int f = 0; f < XCS_N_SCHED_FIELDS; f++)
		if (name.n == fields[f].n && memcmp(name.p, fields[f].name, name.n) == 0)
			return f;
	return -1;
}

/* A value must fill the rest of its line: text behind it means that it is something else. */
static bool read_value(const char *p, const char *end, bool time, int64_t *out)
{
	p = time ? xcs_scan_ms_ns(p, end, out) : xcs_scan_i64(p, end, out);
	while (p && p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
		p++;
	return p == end;
}

static void take_line(const char *text, struct xcs_str line, struct xcs_sched *out,
                      struct xcs_sched_layout *layout)
{
	const char *colon = memchr(line.p, ':', line.n);
	const char *end = line.p + line.n;
	int64_t v;

	if (!colon || !read_value(colon + 1, end, true, &v))
		return;
	out->n_keys++;
	struct xcs_str name =
	        without_prefix(xcs_str_trim((struct xcs_str){line.p, (size_t)(colon - line.p)}));
	int f = find_field(name);
	if (f < 0 || out->v[f] != XCS_ABSENT || !read_value(colon + 1, end, fields[f].time, &v))
		return;
	out->v[f] = v;
	if (!layout)
		return;
	layout->field[f].name_at = (uint32_t)(name.p - text);
	layout->field[f].colon_at = (uint32_t)(colon - text);
}

/* "(TID, #threads: N)" read from its end; returns where its '(' stands, or NULL. */
static const char *read_header_tail(const char *start, const char *end, struct xcs_sched *out)
{
	static const char middle[] = ", #threads: ";
	size_t n_middle = sizeof(middle) - 1;

	if (end == start || *--end != ')')
		return NULL;
	const char *p = end;
	while (p > start && p[-1] >= '0' && p[-1] <= '9')
		p--;
	if (!xcs_scan_i64(p, end, &out->n_threads) || (size_t)(p - start) < n_middle)
		return NULL;
	p -= n_middle;
	if (memcmp(p, middle, n_middle) != 0)
		return NULL;
	end = p;
	while (p > start && p[-1] >= '0' && p[-1] <= '9')
		p--;
	if (!xcs_scan_i64(p, end, &out->tid) || p == start || p[-1] != '(')
		return NULL;
	return p - 1;
}

/* The name is raw and may hold anything, so all but the name is found from the right. */
static bool read_header(struct xcs_str header, struct xcs_sched *out)
{
	const char *paren = read_header_tail(header.p, header.p + header.n, out);

	if (!paren || paren == header.p || paren[-1] != ' ')
		return false;
	size_t n = (size_t)(paren - 1 - header.p);
	if (n >= sizeof(out->comm))
		n = sizeof(out->comm) - 1;
	memcpy(out->comm, header.p, n);
	out->comm[n] = '\0';
	return true;
}

static bool is_rule(struct xcs_str line)
{
	if (line.n < MIN_DASHES)
		return false;
	for (size_t i = 0; i < line.n; i++)
		if (line.p[i] != '-')
			return false;
	return true;
}

static void clear(struct xcs_sched *out)
{
	*out = (struct xcs_sched){.tid = XCS_ABSENT, .n_threads = XCS_ABSENT};
	for (int f = 0; f < XCS_N_SCHED_FIELDS; f++)
		out->v[f] = XCS_ABSENT;
}

/* Takes header and rule off *rest. Returns 0, -ENODATA (header only) or -EINVAL. */
static int take_header(struct xcs_str *rest, struct xcs_sched *out, struct xcs_sched_layout *layout)
{
	const char *start = rest->p;
	struct xcs_str line, header = {0};

	while (xcs_str_next_line(rest, &line)) {
		if (is_rule(line)) {
			header = (struct xcs_str){start, (size_t)(line.p - start)};
			layout->dashes_at = (uint32_t)(line.p - start);
			break;
		}
	}
	if (!header.n) {
		header = xcs_str_trim((struct xcs_str){start, (size_t)(rest->p - start)});
		return read_header(header, out) ? -ENODATA : -EINVAL;
	}
	header.n--; /* its newline */
	return read_header(header, out) ? 0 : -EINVAL;
}

int xcs_sched_parse(struct xcs_str text, struct xcs_sched *out, struct xcs_sched_layout *layout)
{
	struct xcs_sched_layout here = {0};
	struct xcs_str rest = text, line;

	clear(out);
	if (layout)
		*layout = here;
	if (!xcs_str_trim(text).n)
		return -ENODATA;
	int rc = take_header(&rest, out, &here);
	if (rc)
		return rc;
	/* A last line without newline was cut off, and its number with it. */
	const char *end = rest.n ? memrchr(rest.p, '\n', rest.n) : NULL;
	rest.n = end ? (size_t)(end - rest.p) + 1 : 0;
	while (xcs_str_next_line(&rest, &line))
		take_line(text.p, line, out, &here);
	if (layout)
		*layout = here;
	return out->n_keys ? 0 : -ENODATA;
}

static bool read_field_again(struct xcs_str text, uint32_t name_at, uint32_t colon_at, int f,
                             int64_t *out)
{
	const char *name = text.p + name_at, *end = text.p + text.n;

	if (colon_at >= text.n || memcmp(name, fields[f].name, fields[f].n) != 0)
		return false;
	if (name[-1] != '\n' && name[-1] != '.')
		return false;
	const char *colon = text.p + colon_at;
	if (*colon != ':' || (name[fields[f].n] != ' ' && name + fields[f].n != colon))
		return false;
	const char *p = fields[f].time ? xcs_scan_ms_ns(colon + 1, end, out)
	                               : xcs_scan_i64(colon + 1, end, out);
	return p && p < end && *p == '\n';
}

bool xcs_sched_parse_again(struct xcs_str text, const struct xcs_sched_layout *layout,
                           struct xcs_sched *out)
{
	uint32_t dashes = layout->dashes_at;

	if (!dashes || text.n <= dashes + MIN_DASHES || text.p[dashes - 1] != '\n' ||
	    text.p[dashes] != '-' || text.p[dashes + MIN_DASHES - 1] != '-')
		return false;
	if (!read_header_tail(text.p, text.p + dashes - 1, out))
		return false;
	for (int f = 0; f < XCS_N_SCHED_FIELDS; f++) {
		out->v[f] = XCS_ABSENT;
		if (layout->field[f].name_at &&
		    !read_field_again(text, layout->field[f].name_at, layout->field[f].colon_at, f,
		                      &out->v[f]))
			return false;
	}
	return true;
}

int64_t xcs_sched_nice(const struct xcs_sched *s)
{
	int64_t prio = s->v[XCS_SCHED_PRIO], policy = s->v[XCS_SCHED_POLICY];

	if (prio == XCS_ABSENT || prio < 100 || prio > 139 || policy == SCHED_FIFO ||
	    policy == SCHED_RR)
		return XCS_ABSENT;
	return prio - 120;
}
