/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "digits.h"

#include <collectors/stat.h>

#include <errno.h>
#include <string.h>

const char *xcs_stat_ticks_name(enum xcs_stat_ticks kind)
{
	static const char *const names[XCS_N_STAT_TICKS] = {
	        "user", "nice",    "system", "idle",  "iowait",
	        "irq",  "softirq", "steal",  "guest", "guest_nice",
	};

	return names[kind];
}

static struct xcs_cpu_ticks no_ticks(void)
{
	struct xcs_cpu_ticks t;

	for (int i = 0; i < XCS_N_STAT_TICKS; i++)
		t.v[i] = XCS_ABSENT;
	return t;
}

static struct xcs_cpu_ticks read_ticks(const char *p, const char *end)
{
	struct xcs_cpu_ticks t = no_ticks();

	for (int i = 0; i < XCS_N_STAT_TICKS; i++) {
		p = xcs_scan_i64(p, end, &t.v[i]);
		if (!p)
			break;
	}
	return t;
}

static void add_ticks(struct xcs_cpu_ticks *sum, const struct xcs_cpu_ticks *t)
{
	/* A sum that does not fit is not known either. */
	for (int i = 0; i < XCS_N_STAT_TICKS; i++)
		if (sum->v[i] == XCS_ABSENT || t->v[i] == XCS_ABSENT ||
		    __builtin_add_overflow(sum->v[i], t->v[i], &sum->v[i]))
			sum->v[i] = XCS_ABSENT;
}

static int64_t sum_of(const struct xcs_cpu_ticks *t)
{
	int64_t sum = 0;

	for (int i = 0; i <= XCS_STAT_STEAL; i++)
		if (t->v[i] != XCS_ABSENT)
			sum += t->v[i] / 8; /* eight addends never overflow */
	return sum;
}

/* lxcfs 4.0 printed a "cpu" line of zeros before the true one. */
static void take_total_line(struct xcs_str line, struct xcs_stat *out)
{
	struct xcs_cpu_ticks t = read_ticks(line.p + 4, line.p + line.n);

	if (!out->n_total_lines++ || sum_of(&t) > sum_of(&out->all))
		out->all = t;
}

/* "cpu12 ..." gives 12 and *values at the numbers; anything else -1. */
static int cpu_of(struct xcs_str line, const char **values)
{
	const char *end = line.p + line.n;
	int64_t cpu;

	if (line.n < 6 || memcmp(line.p, "cpu", 3) != 0 || line.p[3] < '0' || line.p[3] > '9')
		return -1;
	*values = xcs_scan_i64(line.p + 3, end, &cpu);
	return *values && cpu < CPU_SETSIZE ? (int)cpu : -1;
}

struct set_sum {
	const struct xcs_cpuset *set; /* or NULL */
	struct xcs_cpu_ticks ticks;
	int n_seen;
};

static void take_cpu_line(struct xcs_str line, struct xcs_stat *out, struct set_sum *sum)
{
	const char *values = NULL;
	int cpu = cpu_of(line, &values);

	if (cpu < 0)
		return;
	out->n_cpus++;
	if (!sum->set || !CPU_ISSET((size_t)cpu, &sum->set->mask))
		return;
	struct xcs_cpu_ticks t = read_ticks(values, line.p + line.n);
	if (sum->n_seen++)
		add_ticks(&sum->ticks, &t);
	else
		sum->ticks = t;
}

static void take_line(struct xcs_str line, struct xcs_stat *out, struct set_sum *sum)
{
	switch (line.p[0]) {
	case 'c':
		if (xcs_str_starts(line, "cpu "))
			take_total_line(line, out);
		else if (!xcs_line_i64(line, "ctxt ", &out->ctxt_total))
			take_cpu_line(line, out, sum);
		break;
	case 'i':
		xcs_line_i64(line, "intr ", &out->intr_total);
		break;
	case 'b':
		xcs_line_i64(line, "btime ", &out->btime_s);
		break;
	case 'p':
		(void)(xcs_line_i64(line, "processes ", &out->forks_total) ||
		       xcs_line_i64(line, "procs_running ", &out->procs_running) ||
		       xcs_line_i64(line, "procs_blocked ", &out->procs_blocked));
		break;
	default:
		break;
	}
}

/* The next line that has its newline; the intr line makes memchr the hot spot. */
static bool next_whole_line(struct xcs_str *rest, struct xcs_str *line)
{
	const char *nl = rest->n ? memchr(rest->p, '\n', rest->n) : NULL;

	if (!nl)
		return false;
	*line = (struct xcs_str){rest->p, (size_t)(nl - rest->p)};
	rest->n -= line->n + 1;
	rest->p = nl + 1;
	return true;
}

int xcs_stat_parse_set(struct xcs_str text, const struct xcs_cpuset *set, struct xcs_stat *out,
                       struct xcs_cpu_ticks *set_ticks)
{
	struct set_sum sum = {.set = set, .ticks = no_ticks()};
	struct xcs_str line;

	*out = (struct xcs_stat){
	        .all = no_ticks(),
	        .ctxt_total = XCS_ABSENT,
	        .intr_total = XCS_ABSENT,
	        .btime_s = XCS_ABSENT,
	        .forks_total = XCS_ABSENT,
	        .procs_running = XCS_ABSENT,
	        .procs_blocked = XCS_ABSENT,
	};
	while (next_whole_line(&text, &line))
		if (line.n)
			take_line(line, out, &sum);
	if (set_ticks)
		*set_ticks = set && sum.n_seen == xcs_cpuset_count(set) ? sum.ticks : no_ticks();
	return out->n_total_lines || out->ctxt_total != XCS_ABSENT ? 0 : -EINVAL;
}

int xcs_stat_parse(struct xcs_str text, struct xcs_stat *out)
{
	return xcs_stat_parse_set(text, NULL, out, NULL);
}

bool xcs_stat_next_cpu(struct xcs_str *rest, int *cpu, struct xcs_cpu_ticks *out)
{
	struct xcs_str line;
	const char *values;

	while (next_whole_line(rest, &line)) {
		*cpu = cpu_of(line, &values);
		if (*cpu < 0)
			continue;
		*out = read_ticks(values, line.p + line.n);
		return true;
	}
	return false;
}
