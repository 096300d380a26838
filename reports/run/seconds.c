/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "seconds.h"

#include <common/alloc.h>
#include <common/units.h>
#include <record/trial.h>

#include <math.h>
#include <stdlib.h>

/* Periods are 1.0007 s; faster samples are put together until this much has passed. */
#define SECOND_NS (XCS_NS_PER_S * 95 / 100)

static const struct {
	enum xcs_metric_id id;
	int machine, set; /* columns of the table "system" */
} ticks[] = {
        {XCS_METRIC_US, XCS_SYSTEM_USER_TICKS,    XCS_SYSTEM_SET_USER_TICKS   },
        {XCS_METRIC_NI, XCS_SYSTEM_NICE_TICKS,    XCS_SYSTEM_SET_NICE_TICKS   },
        {XCS_METRIC_SY, XCS_SYSTEM_SYSTEM_TICKS,  XCS_SYSTEM_SET_SYSTEM_TICKS },
        {XCS_METRIC_ID, XCS_SYSTEM_IDLE_TICKS,    XCS_SYSTEM_SET_IDLE_TICKS   },
        {XCS_METRIC_WA, XCS_SYSTEM_IOWAIT_TICKS,  XCS_SYSTEM_SET_IOWAIT_TICKS },
        {XCS_METRIC_HI, XCS_SYSTEM_IRQ_TICKS,     XCS_SYSTEM_SET_IRQ_TICKS    },
        {XCS_METRIC_SI, XCS_SYSTEM_SOFTIRQ_TICKS, XCS_SYSTEM_SET_SOFTIRQ_TICKS},
        {XCS_METRIC_ST, XCS_SYSTEM_STEAL_TICKS,   XCS_SYSTEM_SET_STEAL_TICKS  },
};

/* Growth of a column from row `from` (-1: from boot) to row `to`; a fall is no growth. */
static int64_t growth(const struct xcs_table *t, long from, size_t to, int column)
{
	int64_t after = xcs_table_get(t, to, column);
	int64_t before = from < 0 ? 0 : xcs_table_get(t, (size_t)from, column);

	return before == XCS_ABSENT || after == XCS_ABSENT || after < before ? XCS_ABSENT
	                                                                     : after - before;
}

static void set_ticks(struct report_second *s, const struct xcs_table *t, long from, size_t to,
                      bool whole_machine)
{
	int64_t delta[ARRAY_LEN(ticks)];
	double all = 0;

	for (size_t i = 0; i < ARRAY_LEN(ticks); i++) {
		delta[i] = growth(t, from, to, whole_machine ? ticks[i].machine : ticks[i].set);
		if (delta[i] != XCS_ABSENT)
			all += (double)delta[i];
	}
	for (size_t i = 0; i < ARRAY_LEN(ticks) && all > 0; i++)
		if (delta[i] != XCS_ABSENT)
			s->v[ticks[i].id] = xcs_num_of(100 * (double)delta[i] / all);
}

static void set_second(struct report_second *s, const struct xcs_table *t, long from, size_t to,
                       bool whole_machine)
{
	int64_t dt_ns = growth(t, from, to, XCS_SYSTEM_MONO_NS);

	*s = (struct report_second){0};
	s->v[XCS_METRIC_CS] = xcs_rate_per_s(growth(t, from, to, XCS_SYSTEM_CTXT_TOTAL), dt_ns);
	s->v[XCS_METRIC_INTR] = xcs_rate_per_s(growth(t, from, to, XCS_SYSTEM_INTR_TOTAL), dt_ns);
	set_ticks(s, t, from, to, whole_machine);
}

static void add_second(struct report_seconds *out, const struct xcs_table *t, size_t from,
                       size_t to, bool whole_machine)
{
	int64_t running = xcs_table_get(t, to, XCS_SYSTEM_PROCS_RUNNING);

	out->v = xcs_xrealloc(out->v, (out->n + 1) * sizeof(*out->v));
	struct report_second *s = &out->v[out->n++];
	set_second(s, t, (long)from, to, whole_machine);
	if (running != XCS_ABSENT) /* the reader itself is one of them */
		s->v[XCS_METRIC_RUNNABLE] = xcs_num_of((double)running - 1);
}

static bool load(struct xcs_trial_data *data, const struct xcs_summary *s, size_t trial)
{
	const char *file = s->run.trials[trial].file;

	if (!file || s->trials[trial].problem)
		return false;
	char *path = xcs_xasprintf("%s/%s", s->dir, file);
	int rc = xcs_trial_load(data, path, NULL);

	free(path);
	return rc == 0;
}

void report_seconds_of(struct report_seconds *out, const struct xcs_summary *s, size_t trial,
                       bool whole_machine)
{
	struct xcs_trial_data data;
	size_t from = 0;

	/* An imported text tells of one set of CPUs: all. */
	whole_machine = whole_machine && !s->run.origin.tool;
	*out = (struct report_seconds){0};
	if (!load(&data, s, trial))
		return;
	const struct xcs_table *t = &data.tables[XCS_TRIAL_SYSTEM];
	for (size_t r = 1; r < t->n_rows; r++) {
		int64_t dt_ns = growth(t, (long)from, r, XCS_SYSTEM_MONO_NS);
		if (dt_ns == XCS_ABSENT || dt_ns < SECOND_NS)
			continue;
		add_second(out, t, from, r, whole_machine);
		from = r;
	}
	xcs_trial_fini(&data);
}

void report_seconds_fini(struct report_seconds *seconds)
{
	free(seconds->v);
	*seconds = (struct report_seconds){0};
}

int report_first_trial(const struct xcs_summary *s, size_t cell)
{
	for (size_t i = 0; i < s->run.n_trials; i++)
		if (s->run.trials[i].cell == (int)cell && xcs_summary_counts(s, i) &&
		    s->trials[i].sampled)
			return (int)i;
	return -1;
}

static struct xcs_num count_cpus(const struct xcs_trial_data *data, double uptime_s)
{
	double all = 0;

	for (size_t i = 0; i < ARRAY_LEN(ticks); i++) {
		int64_t v = xcs_table_get(&data->tables[XCS_TRIAL_SYSTEM], 0, ticks[i].machine);
		if (v != XCS_ABSENT)
			all += (double)v;
	}
	if (all <= 0 || data->ticks_per_s <= 0 || uptime_s <= 0)
		return (struct xcs_num){0};
	return xcs_num_of(round(all / (double)data->ticks_per_s / uptime_s));
}

static bool since_boot(struct report_boot *out, const struct xcs_trial_data *data)
{
	const struct xcs_table *t = &data->tables[XCS_TRIAL_SYSTEM];

	*out = (struct report_boot){0};
	if (!t->n_rows || xcs_table_get(t, 0, XCS_SYSTEM_MONO_NS) == XCS_ABSENT)
		return false;
	set_second(&out->average, t, -1, 0, true);
	out->uptime_s = xcs_num_of(xcs_ns_to_s(xcs_table_get(t, 0, XCS_SYSTEM_MONO_NS)));
	out->n_cpus = count_cpus(data, out->uptime_s.v);
	return true;
}

bool report_since_boot(struct report_boot *out, const struct xcs_summary *s)
{
	*out = (struct report_boot){0};
	for (size_t i = 0; i < s->run.n_trials; i++) {
		struct xcs_trial_data data;
		if (!load(&data, s, i))
			continue;
		bool found = since_boot(out, &data);
		xcs_trial_fini(&data);
		if (found)
			return true;
	}
	return false;
}
