/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <collectors/recorder.h>
#include <common/env.h>
#include <common/units.h>

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void xcs_recorder_request_stop(struct xcs_recorder_stop *stop)
{
	stop->requested = 1;
	atomic_signal_fence(memory_order_seq_cst);
	stop->wake_at = (struct timespec){0};
}

/* The deadline is stored before the flag is looked at: a signal between the two leaves a
 * deadline of 0, which is over. */
static bool wait_until(struct xcs_recorder_stop *stop, int64_t ns)
{
	stop->wake_at = (struct timespec){ns / XCS_NS_PER_S, ns % XCS_NS_PER_S};
	for (;;) {
		atomic_signal_fence(memory_order_seq_cst);
		if (stop->requested)
			return false;
		if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &stop->wake_at, NULL) != EINTR)
			return !stop->requested;
	}
}

bool xcs_recorder_wait(struct xcs_recorder_stop *stop, int64_t start_ns, int64_t period_ns,
                       int64_t *next, int64_t *late_ns, int64_t *missed)
{
	int64_t now_ns = xcs_mono_now_ns();
	int64_t due_ns = start_ns + *next * period_ns;

	if (now_ns > due_ns) {
		int64_t over = (now_ns - due_ns + period_ns - 1) / period_ns;
		*missed += over;
		*next += over;
		due_ns += over * period_ns;
	}
	if (!wait_until(stop, due_ns))
		return false;
	*late_ns = xcs_mono_now_ns() - due_ns;
	++*next;
	return true;
}

static void store_pages(const struct xcs_recorder_spec *spec, struct xcs_trial_data *trial)
{
	for (size_t p = 0; p < spec->n_pages; p++) {
		int64_t *row = xcs_table_add_row(&trial->tables[XCS_TRIAL_COUNTER]);
		row[XCS_COUNTER_MONO_NS] = xcs_mono_now_ns();
		row[XCS_COUNTER_PAGE] = (int64_t)p;
		for (int c = 0; c < XCS_N_COUNTERS; c++) {
			uint64_t v;
			if (xcs_counters_get(spec->pages[p].page, (enum xcs_counter)c, &v))
				row[XCS_COUNTER_FIRST + c] = (int64_t)v;
		}
	}
}

static int64_t *add_row(struct xcs_trial_data *trial, enum xcs_trial_table id, const int64_t *cells,
                        size_t n)
{
	int64_t *row = xcs_table_add_row(&trial->tables[id]);

	memcpy(row, cells, n * sizeof(*cells));
	return row;
}

struct moment {
	bool full;
	bool ends; /* the first or the last of the window */
	int64_t late_ns, missed, wakeups;
};

static void store(const struct xcs_sampler_view *v, struct moment m, struct xcs_trial_data *trial)
{
	add_row(trial, XCS_TRIAL_SYSTEM, v->system, XCS_N_SYSTEM_COLUMNS);
	for (size_t t = 0; t < v->n_tasks; t++)
		if (!v->tasks[t].ended)
			add_row(trial, XCS_TRIAL_TASK, v->tasks[t].now, XCS_N_TASK_COLUMNS);
	for (size_t p = 0; m.full && p < v->n_processes; p++)
		if (v->processes[p].io[XCS_IO_MONO_NS] != XCS_ABSENT)
			add_row(trial, XCS_TRIAL_IO, v->processes[p].io, XCS_N_IO_COLUMNS);
	int64_t *o = add_row(trial, XCS_TRIAL_OBSERVER, v->observer, XCS_N_OBSERVER_COLUMNS);
	o[XCS_OBSERVER_LATE_NS] = m.late_ns;
	o[XCS_OBSERVER_MISSED_TOTAL] = m.missed;
	o[XCS_OBSERVER_FULL] = m.full;
	o[XCS_OBSERVER_WAKEUPS_TOTAL] = m.wakeups;
}

static void sample(struct xcs_sampler *s, const struct xcs_recorder_spec *spec, struct moment m,
                   struct xcs_trial_data *trial)
{
	xcs_sampler_take(s, m.ends   ? XCS_READ_FULL | XCS_READ_TICKS
	                    : m.full ? XCS_READ_FULL
	                             : XCS_READ_FAST);
	struct xcs_sampler_view v = xcs_sampler_view(s);
	store(&v, m, trial);
	if (m.full)
		store_pages(spec, trial);
}

/* Full samples: all of them from 1 s on, else one a second and the last. */
static int64_t full_every(int64_t period_ns)
{
	return period_ns >= XCS_NS_PER_S ? 1 : (XCS_NS_PER_S + period_ns - 1) / period_ns;
}

static void reserve(const struct xcs_sampler_view *v, const struct xcs_recorder_spec *spec,
                    struct xcs_trial_data *trial)
{
	size_t n = (size_t)(spec->n_samples ? spec->n_samples : 3600) + 3;
	size_t n_full = n / (size_t)full_every(spec->period_ns) + 4;
	size_t hint[XCS_N_TRIAL_TABLES] = {
	        [XCS_TRIAL_SYSTEM] = n,
	        [XCS_TRIAL_TASK] = n * (v->n_tasks + 4),
	        [XCS_TRIAL_IO] = n_full * v->n_processes,
	        [XCS_TRIAL_COUNTER] = n_full * spec->n_pages,
	        [XCS_TRIAL_OBSERVER] = n,
	};

	xcs_trial_init(trial, hint);
	trial->period_ns = spec->period_ns;
}

static void describe(struct xcs_sampler *s, const struct xcs_recorder_spec *spec,
                     struct xcs_trial_data *trial)
{
	xcs_sampler_check_alive(s);
	struct xcs_sampler_view v = xcs_sampler_view(s);
	for (size_t t = 0; t < v.n_tasks; t++)
		xcs_trial_add_task(trial, &v.tasks[t].id);
	for (size_t p = 0; p < spec->n_pages; p++)
		xcs_trial_add_page(trial, spec->pages[p].role);
	for (size_t i = 0; i < v.n_events; i++)
		xcs_trial_add_event(trial, v.events[i]);
}

bool xcs_recorder_run(struct xcs_sampler *s, const struct xcs_recorder_spec *spec,
                      struct xcs_trial_data *trial)
{
	struct moment m = {.full = true, .ends = true};
	struct xcs_sampler_view v = xcs_sampler_view(s);
	int64_t every = full_every(spec->period_ns), next = 1, n = 0;

	reserve(&v, spec, trial);
	sample(s, spec, m, trial);
	int64_t start_ns = trial->tables[XCS_TRIAL_SYSTEM].cells[XCS_SYSTEM_MONO_NS];
	if (spec->begun_fd)
		(void)!write(spec->begun_fd, "begun\n", 6); /* who does not listen has gone */
	bool complete = true;
	while (complete && (!spec->n_samples || n < spec->n_samples)) {
		complete = xcs_recorder_wait(spec->stop, start_ns, spec->period_ns, &next,
		                             &m.late_ns, &m.missed);
		n++;
		m.ends = !complete || n == spec->n_samples;
		m.full = m.ends || n % every == 0;
		m.wakeups += complete;
		if (!complete)
			m.late_ns = 0;
		sample(s, spec, m, trial);
	}
	describe(s, spec, trial);
	if (!complete && !spec->stop->is_planned) {
		char text[128];
		snprintf(text, sizeof(text), "the window was ended by a signal after %lld samples",
		         (long long)n);
		xcs_trial_add_event(trial, text);
	}
	return complete || spec->stop->is_planned;
}
