/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <common/counters.h>
#include <record/trial.h>

#include <stdlib.h>
#include <string.h>

static const char *const system_columns[] = {
        "mono_ns",
        "ctxt_total",
        "intr_total",
        "procs_running",
        "procs_blocked",
        "user_ticks",
        "nice_ticks",
        "system_ticks",
        "idle_ticks",
        "iowait_ticks",
        "irq_ticks",
        "softirq_ticks",
        "steal_ticks",
        "guest_ticks",
        "guest_nice_ticks",
        "set_user_ticks",
        "set_nice_ticks",
        "set_system_ticks",
        "set_idle_ticks",
        "set_iowait_ticks",
        "set_irq_ticks",
        "set_softirq_ticks",
        "set_steal_ticks",
        "set_guest_ticks",
        "set_guest_nice_ticks",
        "psi_cpu_some_us",
        "set_all_ticks",
        "set_run_ns",
        NULL,
};

static const char *const task_columns[] = {
        "mono_ns",           "task",    "switches_total", "voluntary_total",
        "involuntary_total", "exec_ns", "run_delay_ns",   "timeslices_total",
        "migrations_total",  "nice",    "policy",         "source",
        "tick_ns",           NULL,
};

static const char *const io_columns[] = {"mono_ns", "task", "rchar_bytes", "wchar_bytes", NULL};

/* Behind "page", the names of enum xcs_counter in its order; a test holds them together. */
static const char *const counter_columns[] = {
        "mono_ns",  "page",     "lines",        "bytes_in",       "bytes_out", "frames",
        "requests", "x_bytes",  "round_trips",  "round_trip_ns",  "scrolls",   "confirmed_lines",
        "files",    "children", "child_cpu_ns", "child_switches", "keys",      NULL,
};

static const char *const observer_columns[] = {
        "mono_ns",      "cpu_ns", "switches_total", "late_ns",
        "missed_total", "full",   "wakeups_total",  NULL,
};

_Static_assert(ARRAY_LEN(system_columns) == XCS_N_SYSTEM_COLUMNS + 1, "a name for each column");
_Static_assert(ARRAY_LEN(task_columns) == XCS_N_TASK_COLUMNS + 1, "a name for each column");
_Static_assert(ARRAY_LEN(io_columns) == XCS_N_IO_COLUMNS + 1, "a name for each column");
_Static_assert(ARRAY_LEN(counter_columns) == XCS_COUNTER_FIRST + XCS_N_COUNTERS + 1,
               "a name for each counter");
_Static_assert(ARRAY_LEN(observer_columns) == XCS_N_OBSERVER_COLUMNS + 1, "a name for each column");

const struct xcs_table_spec *xcs_trial_table_spec(enum xcs_trial_table id)
{
	static const struct xcs_table_spec specs[XCS_N_TRIAL_TABLES] = {
	        [XCS_TRIAL_SYSTEM] = {"system",   system_columns  },
	        [XCS_TRIAL_TASK] = {"task",     task_columns    },
	        [XCS_TRIAL_IO] = {"io",       io_columns      },
	        [XCS_TRIAL_COUNTER] = {"counter",  counter_columns },
	        [XCS_TRIAL_OBSERVER] = {"observer", observer_columns},
	};

	return &specs[id];
}

void xcs_trial_init(struct xcs_trial_data *t, const size_t rows_hint[XCS_N_TRIAL_TABLES])
{
	*t = (struct xcs_trial_data){0};
	for (int i = 0; i < XCS_N_TRIAL_TABLES; i++)
		xcs_table_init(&t->tables[i], xcs_trial_table_spec((enum xcs_trial_table)i),
		               rows_hint[i]);
}

static void free_strs(char **v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(v[i]);
	free(v);
}

void xcs_trial_fini(struct xcs_trial_data *t)
{
	free(t->cpus);
	free(t->observer_class);
	free(t->tasks);
	free_strs(t->page_roles, t->n_page_roles);
	free_strs(t->events, t->n_events);
	for (int i = 0; i < XCS_N_TRIAL_TABLES; i++)
		xcs_table_fini(&t->tables[i]);
	*t = (struct xcs_trial_data){0};
}

size_t xcs_trial_add_task(struct xcs_trial_data *t, const struct xcs_trial_task *task)
{
	t->tasks = xcs_xgrow(t->tasks, t->n_tasks, &t->cap_tasks, sizeof(*t->tasks));
	t->tasks[t->n_tasks] = *task;
	return t->n_tasks++;
}

size_t xcs_trial_add_page(struct xcs_trial_data *t, const char *role)
{
	t->page_roles = xcs_xgrow(t->page_roles, t->n_page_roles, &t->cap_page_roles,
	                          sizeof(*t->page_roles));
	t->page_roles[t->n_page_roles] = xcs_xstrdup(role);
	return t->n_page_roles++;
}

void xcs_trial_add_event(struct xcs_trial_data *t, const char *sentence)
{
	t->events = xcs_xgrow(t->events, t->n_events, &t->cap_events, sizeof(*t->events));
	t->events[t->n_events++] = xcs_xstrdup(sentence);
}
