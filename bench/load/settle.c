/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <load/settle.h>

#include <collectors/stat.h>
#include <common/env.h>
#include <common/units.h>

#include <math.h>

enum {
	LOOK_MS = 250
};

#define STEADY_RATIO   0.15
#define CHANCE_FACTORS 3.0 /* standard deviations of a Poisson count */

void settle_counter_look(struct settle_counter *c, uint64_t value, double dt_s)
{
	if (c->n_looks > 0) {
		int at = (c->n_looks - 1) % SETTLE_N_LOOKS;
		c->n[at] = (double)(value - c->last);
		c->dt_s[at] = dt_s;
	}
	c->last = value;
	c->n_looks++;
}

bool settle_counter_is_steady(const struct settle_counter *c)
{
	double n = 0, dt_s = 0;

	if (c->n_looks <= SETTLE_N_LOOKS)
		return false;
	for (int i = 0; i < SETTLE_N_LOOKS; i++) {
		n += c->n[i];
		dt_s += c->dt_s[i];
	}
	if (n <= 0 || dt_s <= 0)
		return false;
	for (int i = 0; i < SETTLE_N_LOOKS; i++) {
		double expected = n * c->dt_s[i] / dt_s;
		double chance = CHANCE_FACTORS * sqrt(expected);
		double allowed = STEADY_RATIO * expected;
		if (fabs(c->n[i] - expected) > (chance > allowed ? chance : allowed))
			return false;
	}
	return true;
}

static bool read_ctxt(const struct xcs_env *env, struct xcs_buf *text, uint64_t *ctxt)
{
	struct xcs_stat stat;

	if (xcs_proc_read(env, "stat", text) || xcs_stat_parse(xcs_buf_str(text), &stat))
		return false;
	*ctxt = (uint64_t)stat.ctxt_total;
	return stat.ctxt_total != XCS_ABSENT;
}

static bool lines_are_steady(const struct load *load, const struct settle_counter *lines)
{
	if (load->spec->load->lines_per_s)
		return lines->last > 0;
	return settle_counter_is_steady(lines);
}

struct settle_result settle(const struct xcs_env *env, const struct load *load, struct watch *watch,
                            int64_t deadline_ns)
{
	const int64_t start_ns = xcs_mono_now_ns();
	struct settle_result r = {.event = WATCH_DEADLINE};
	struct settle_counter ctxt = {0}, lines = {0};
	struct xcs_buf text = {0};
	int64_t last_ns = start_ns;

	while (r.event == WATCH_DEADLINE && !r.settled && r.settle_ns < deadline_ns) {
		uint64_t v;
		int64_t now_ns = xcs_mono_now_ns();
		double dt_s = xcs_ns_to_s(now_ns - last_ns);
		last_ns = now_ns;
		bool known = read_ctxt(env, &text, &v);
		if (known)
			settle_counter_look(&ctxt, v, dt_s);
		bool counted = load_lines(load, &v);
		if (counted)
			settle_counter_look(&lines, v, dt_s);
		r.settled = known && settle_counter_is_steady(&ctxt) &&
		            (!counted || lines_are_steady(load, &lines));
		if (!r.settled)
			r.event = watch_wait(watch, -1, LOOK_MS * XCS_NS_PER_MS);
		r.settle_ns = xcs_mono_now_ns() - start_ns;
	}
	xcs_buf_fini(&text);
	return r;
}
