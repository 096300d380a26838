/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live_own.h"

#include <common/units.h>
#include <record/json.h>

#define P99_NEEDS 1000 /* fewer samples have no p99 */

static int64_t grown(const int64_t *first, const int64_t *last, int column)
{
	if (first[column] == XCS_ABSENT || last[column] == XCS_ABSENT)
		return XCS_ABSENT;
	return last[column] - first[column];
}

void live_own_cost_set(struct live_own_cost *c, const int64_t *first, const int64_t *last)
{
	c->dt_ns = grown(first, last, XCS_OBSERVER_MONO_NS);
	c->cpu_ns = grown(first, last, XCS_OBSERVER_CPU_NS);
	c->switches = grown(first, last, XCS_OBSERVER_SWITCHES_TOTAL);
}

static struct xcs_num ratio(int64_t part, double scale, int64_t whole)
{
	if (part == XCS_ABSENT || whole == XCS_ABSENT || whole <= 0)
		return (struct xcs_num){0};
	return (struct xcs_num){true, (double)part * scale / (double)whole};
}

/* The figures of both forms. */
struct figures {
	struct xcs_num cpu_ms, cpu_pct, switches, cs;
	struct xcs_num late_p50_us, late_p99_us, late_max_us;
};

static struct figures figures_of(const struct live_own_cost *c)
{
	return (struct figures){
	        .cpu_ms = ratio(c->cpu_ns, 1, XCS_NS_PER_MS),
	        .cpu_pct = ratio(c->cpu_ns, 100, c->dt_ns),
	        .switches = ratio(c->switches, 1, 1),
	        .cs = ratio(c->switches, (double)XCS_NS_PER_S, c->dt_ns),
	        .late_p50_us = xcs_lateness_us(c->late, 50, 1),
	        .late_p99_us = xcs_lateness_us(c->late, 99, P99_NEEDS),
	        .late_max_us = xcs_lateness_max_us(c->late),
	};
}

static void put(struct xcs_buf *out, const char *before, struct xcs_num v, int digits,
                const char *unit)
{
	xcs_buf_puts(out, before);
	if (v.known)
		xcs_buf_printf(out, "%.*f%s", digits, v.v, unit);
	else
		xcs_buf_puts(out, "n/a");
}

void live_print_own_text(const struct live_own_cost *c, struct xcs_buf *out)
{
	struct figures f = figures_of(c);

	put(out, "xcsbench sample: own CPU time ", f.cpu_ms, 1, " ms");
	put(out, " (", f.cpu_pct, 2, " % of a CPU)");
	put(out, ", own switches ", f.switches, 0, "");
	put(out, "; late p50 ", f.late_p50_us, 0, " us");
	put(out, ", p99 ", f.late_p99_us, 0, " us");
	if (!f.late_p99_us.known)
		xcs_buf_printf(out, " (needs %d samples)", P99_NEEDS);
	put(out, ", max ", f.late_max_us, 0, " us");
	xcs_buf_printf(out, "; missed %lld of %lld samples\n", (long long)c->missed,
	               (long long)(c->missed + c->late->all.n_all));
}

void live_print_own_json(const struct live_own_cost *c, struct xcs_buf *out)
{
	struct json_t *top = xcs_json_object(), *j = xcs_json_object();
	struct figures f = figures_of(c);

	xcs_json_set_num(j, "cpu_ms", f.cpu_ms);
	xcs_json_set_num(j, "cpu_pct", f.cpu_pct);
	xcs_json_set_i64(j, "switches", c->switches);
	xcs_json_set_num(j, "cs", f.cs);
	xcs_json_set_num(j, "late_p50_us", f.late_p50_us);
	xcs_json_set_num(j, "late_p99_us", f.late_p99_us);
	xcs_json_set_num(j, "late_max_us", f.late_max_us);
	xcs_json_set_i64(j, "samples", c->late->all.n_all);
	xcs_json_set_i64(j, "missed", c->missed);
	xcs_json_set(top, "observer", j);
	xcs_json_write(top, 0, out);
	xcs_json_free(top);
}
