/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "settle.h"

#include <collectors/stat.h>
#include <common/env.h>
#include <common/units.h>

#include <math.h>

enum {
	LOOK_MS = 250,
	N_LOOKS = 3
};

#define STEADY_RATIO 0.15

/* The last rates of one counter. */
struct steady {
	double rate_per_s[N_LOOKS];
	uint64_t last;
	int n; /* looks so far; the first only sets `last` */
};

static void steady_add(struct steady *s, uint64_t value, double dt_s)
{
	if (s->n > 0)
		s->rate_per_s[(s->n - 1) % N_LOOKS] = (double)(value - s->last) / dt_s;
	s->last = value;
	s->n++;
}

static bool steady_is(const struct steady *s)
{
	double mean = 0;

	if (s->n <= N_LOOKS)
		return false;
	for (int i = 0; i < N_LOOKS; i++)
		mean += s->rate_per_s[i] / N_LOOKS;
	for (int i = 0; i < N_LOOKS; i++)
		if (fabs(s->rate_per_s[i] - mean) > STEADY_RATIO * mean)
			return false;
	return mean > 0;
}

static bool read_ctxt(const struct xcs_env *env, struct xcs_buf *text, uint64_t *ctxt)
{
	struct xcs_stat stat;

	if (xcs_proc_read(env, "stat", text) || xcs_stat_parse(xcs_buf_str(text), &stat))
		return false;
	*ctxt = (uint64_t)stat.ctxt_total;
	return stat.ctxt_total != XCS_ABSENT;
}

struct settle_result settle(const struct xcs_env *env, const struct load *load, struct watch *watch,
                            int64_t deadline_ns)
{
	const int64_t start_ns = xcs_mono_now_ns();
	struct settle_result r = {.event = WATCH_DEADLINE};
	struct steady ctxt = {0}, lines = {0};
	struct xcs_buf text = {0};
	int64_t last_ns = start_ns;

	while (r.event == WATCH_DEADLINE && !r.settled && r.settle_ns < deadline_ns) {
		uint64_t v;
		int64_t now_ns = xcs_mono_now_ns();
		double dt_s = xcs_ns_to_s(now_ns - last_ns);
		last_ns = now_ns;
		bool known = read_ctxt(env, &text, &v);
		if (known)
			steady_add(&ctxt, v, dt_s);
		bool counted = load_lines(load, &v);
		if (counted)
			steady_add(&lines, v, dt_s);
		r.settled = known && steady_is(&ctxt) && (!counted || steady_is(&lines));
		if (!r.settled)
			r.event = watch_wait(watch, -1, LOOK_MS * XCS_NS_PER_MS);
		r.settle_ns = xcs_mono_now_ns() - start_ns;
	}
	xcs_buf_fini(&text);
	return r;
}
