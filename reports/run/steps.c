/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "steps.h"

#include <common/alloc.h>
#include <reports/stats.h>

#include <inttypes.h>
#include <stdlib.h>

enum xcs_metric_id report_steps_metric(enum report_steps_metric m)
{
	static const enum xcs_metric_id ids[N_STEPS] = {
	        [STEPS_CS] = XCS_METRIC_CS,
	        [STEPS_INTR] = XCS_METRIC_INTR,
	        [STEPS_CS_TASK] = XCS_METRIC_CS_TASK,
	};

	return ids[m];
}

static void add_step(struct report_step_list *l, int64_t t_ns, struct xcs_num per_s)
{
	l->v = xcs_xgrow(l->v, l->n, &l->cap, sizeof(*l->v));
	l->v[l->n++] = (struct report_step){t_ns, per_s};
}

/* Takes over the text. */
static void add_event(struct report_steps *s, int64_t t_ns, char *text)
{
	if (t_ns == XCS_ABSENT)
		t_ns = 0;
	s->events = xcs_xgrow(s->events, s->n_events, &s->cap_events, sizeof(*s->events));
	s->events[s->n_events++] = (struct report_step_event){t_ns, text};
}

/* A counter that fell is an event and no rate; one that grew by more than there is, damage. */
static int64_t grown(int64_t before, int64_t after)
{
	int64_t delta;

	if (before == XCS_ABSENT || after == XCS_ABSENT || after < before ||
	    __builtin_sub_overflow(after, before, &delta))
		return XCS_ABSENT;
	return delta;
}

static void system_steps(struct report_steps *s, const struct xcs_trial_data *t, int64_t start_ns,
                         enum report_steps_metric m, int column)
{
	const struct xcs_table *rows = &t->tables[XCS_TRIAL_SYSTEM];

	for (size_t r = 1; r < rows->n_rows; r++) {
		int64_t t0 = xcs_table_get(rows, r - 1, XCS_SYSTEM_MONO_NS);
		int64_t t1 = xcs_table_get(rows, r, XCS_SYSTEM_MONO_NS);
		int64_t a = xcs_table_get(rows, r - 1, column), b = xcs_table_get(rows, r, column);
		int64_t t_ns = grown(start_ns, t1), dt_ns = grown(t0, t1);
		if (t_ns == XCS_ABSENT || dt_ns == XCS_ABSENT)
			continue;
		if (a != XCS_ABSENT && b != XCS_ABSENT && b < a)
			add_event(s, t_ns,
			          xcs_xasprintf("%s fell from %" PRId64 " to %" PRId64,
			                        xcs_metric(report_steps_metric(m))->id, a, b));
		add_step(&s->lists[m], t_ns, xcs_rate_per_s(grown(a, b), dt_ns));
	}
}

/* The rows of one sample: one per watched thread, in the order of the list of tasks. */
static size_t end_of_sample(const struct xcs_table *rows, size_t r)
{
	int64_t index = xcs_table_get(rows, r, XCS_TASK_INDEX);

	for (r++; r < rows->n_rows; r++) {
		int64_t next = xcs_table_get(rows, r, XCS_TASK_INDEX);
		if (next <= index)
			break;
		index = next;
	}
	return r;
}

static bool tells_switches(const struct xcs_table *rows, size_t from, size_t to)
{
	for (size_t r = from; r < to; r++)
		if (xcs_table_get(rows, r, XCS_TASK_SWITCHES_TOTAL) == XCS_ABSENT)
			return false;
	return true;
}

/* What the switches of the threads in rows from..to grew by since `last`, which is renewed. */
static int64_t switches_since(const struct xcs_table *rows, size_t from, size_t to, int64_t *last,
                              size_t n_tasks)
{
	int64_t sum = 0;

	for (size_t r = from; r < to; r++) {
		int64_t task = xcs_table_get(rows, r, XCS_TASK_INDEX);
		int64_t now = xcs_table_get(rows, r, XCS_TASK_SWITCHES_TOTAL);
		if (task < 0 || (uint64_t)task >= n_tasks)
			continue;
		int64_t delta = grown(last[task] == XCS_ABSENT ? 0 : last[task], now);
		last[task] = now;
		if (sum == XCS_ABSENT || delta == XCS_ABSENT ||
		    __builtin_add_overflow(sum, delta, &sum))
			sum = XCS_ABSENT;
	}
	return sum;
}

static void task_steps(struct report_steps *s, const struct xcs_trial_data *t, int64_t start_ns)
{
	const struct xcs_table *rows = &t->tables[XCS_TRIAL_TASK];
	int64_t *last = xcs_xcalloc(t->n_tasks + 1, sizeof(*last)), before_ns = XCS_ABSENT;

	for (size_t i = 0; i < t->n_tasks; i++)
		last[i] = XCS_ABSENT;
	for (size_t from = 0, to; from < rows->n_rows; from = to) {
		to = end_of_sample(rows, from);
		if (!tells_switches(rows, from, to))
			continue;
		int64_t now_ns = xcs_table_get(rows, from, XCS_TASK_MONO_NS);
		int64_t delta = switches_since(rows, from, to, last, t->n_tasks);
		int64_t t_ns = grown(start_ns, now_ns), dt_ns = grown(before_ns, now_ns);
		if (t_ns != XCS_ABSENT && dt_ns != XCS_ABSENT)
			add_step(&s->lists[STEPS_CS_TASK], t_ns, xcs_rate_per_s(delta, dt_ns));
		before_ns = now_ns;
	}
	free(last);
}

static void missed_samples(struct report_steps *s, const struct xcs_trial_data *t, int64_t start_ns)
{
	const struct xcs_table *rows = &t->tables[XCS_TRIAL_OBSERVER];

	for (size_t r = 1; r < rows->n_rows; r++) {
		int64_t n = grown(xcs_table_get(rows, r - 1, XCS_OBSERVER_MISSED_TOTAL),
		                  xcs_table_get(rows, r, XCS_OBSERVER_MISSED_TOTAL));
		if (n != XCS_ABSENT && n > 0)
			add_event(s, grown(start_ns, xcs_table_get(rows, r, XCS_OBSERVER_MONO_NS)),
			          xcs_xasprintf("%" PRId64 " samples missed", n));
	}
}

static void nice_changes(struct report_steps *s, const struct xcs_trial_data *t, int64_t start_ns)
{
	const struct xcs_table *rows = &t->tables[XCS_TRIAL_TASK];
	int64_t *last = xcs_xcalloc(t->n_tasks + 1, sizeof(*last));

	for (size_t i = 0; i < t->n_tasks; i++)
		last[i] = XCS_ABSENT;
	for (size_t r = 0; r < rows->n_rows; r++) {
		int64_t task = xcs_table_get(rows, r, XCS_TASK_INDEX);
		int64_t nice = xcs_table_get(rows, r, XCS_TASK_NICE);
		if (nice == XCS_ABSENT || task < 0 || (uint64_t)task >= t->n_tasks)
			continue;
		if (last[task] != XCS_ABSENT && last[task] != nice)
			add_event(s, grown(start_ns, xcs_table_get(rows, r, XCS_TASK_MONO_NS)),
			          xcs_xasprintf("%s: nice %" PRId64 " to %" PRId64,
			                        t->tasks[task].role, last[task], nice));
		last[task] = nice;
	}
	free(last);
}

void report_steps_of(struct report_steps *s, const struct xcs_trial_data *t)
{
	const struct xcs_table *rows = &t->tables[XCS_TRIAL_SYSTEM];

	*s = (struct report_steps){0};
	if (!rows->n_rows)
		return;
	int64_t start_ns = xcs_table_get(rows, 0, XCS_SYSTEM_MONO_NS);
	system_steps(s, t, start_ns, STEPS_CS, XCS_SYSTEM_CTXT_TOTAL);
	system_steps(s, t, start_ns, STEPS_INTR, XCS_SYSTEM_INTR_TOTAL);
	task_steps(s, t, start_ns);
	missed_samples(s, t, start_ns);
	nice_changes(s, t, start_ns);
}

void report_steps_fini(struct report_steps *s)
{
	for (int i = 0; i < N_STEPS; i++)
		free(s->lists[i].v);
	for (size_t i = 0; i < s->n_events; i++)
		free(s->events[i].text);
	free(s->events);
	*s = (struct report_steps){0};
}
