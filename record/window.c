/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <common/cpuset.h>
#include <record/window.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int counter_columns[XCS_N_WINDOW_COUNTERS] = {
        [XCS_WINDOW_SWITCHES] = XCS_TASK_SWITCHES_TOTAL,
        [XCS_WINDOW_VOLUNTARY] = XCS_TASK_VOLUNTARY_TOTAL,
        [XCS_WINDOW_INVOLUNTARY] = XCS_TASK_INVOLUNTARY_TOTAL,
        [XCS_WINDOW_EXEC_NS] = XCS_TASK_EXEC_NS,
        [XCS_WINDOW_RUN_DELAY_NS] = XCS_TASK_RUN_DELAY_NS,
        [XCS_WINDOW_TIMESLICES] = XCS_TASK_TIMESLICES_TOTAL,
        [XCS_WINDOW_MIGRATIONS] = XCS_TASK_MIGRATIONS_TOTAL,
};

static const int tick_columns[XCS_N_WINDOW_TICKS] = {
        [XCS_WINDOW_US] = XCS_SYSTEM_SET_USER_TICKS,
        [XCS_WINDOW_SY] = XCS_SYSTEM_SET_SYSTEM_TICKS,
        [XCS_WINDOW_NI] = XCS_SYSTEM_SET_NICE_TICKS,
        [XCS_WINDOW_ID] = XCS_SYSTEM_SET_IDLE_TICKS,
        [XCS_WINDOW_WA] = XCS_SYSTEM_SET_IOWAIT_TICKS,
        [XCS_WINDOW_HI] = XCS_SYSTEM_SET_IRQ_TICKS,
        [XCS_WINDOW_SI] = XCS_SYSTEM_SET_SOFTIRQ_TICKS,
        [XCS_WINDOW_ST] = XCS_SYSTEM_SET_STEAL_TICKS,
};

static void add_event(struct xcs_window *w, char *sentence)
{
	w->events = xcs_xgrow(w->events, w->n_events, &w->cap_events, sizeof(*w->events));
	w->events[w->n_events++] = sentence;
}

static int64_t plus(int64_t a, int64_t b)
{
	int64_t sum;

	if (a == XCS_ABSENT || b == XCS_ABSENT || __builtin_add_overflow(a, b, &sum))
		return XCS_ABSENT;
	return sum;
}

static int64_t minus(int64_t a, int64_t b)
{
	int64_t difference;

	if (a == XCS_ABSENT || b == XCS_ABSENT || __builtin_sub_overflow(a, b, &difference))
		return XCS_ABSENT;
	return difference;
}

/* A selection of rows of a table: those whose key column (-1: any) holds `key`. */
struct rows {
	const struct xcs_table *table;
	int key_column;
	int64_t key;
	const char *who; /* for sentences */
};

static bool is_mine(const struct rows *rows, size_t r)
{
	return rows->key_column < 0 || xcs_table_get(rows->table, r, rows->key_column) == rows->key;
}

/* First and last time of the rows; false when there is none. */
static bool span(const struct rows *rows, int64_t *first, int64_t *last)
{
	bool found = false;

	for (size_t r = 0; r < rows->table->n_rows; r++) {
		if (!is_mine(rows, r))
			continue;
		int64_t mono_ns = xcs_table_get(rows->table, r, 0);
		if (!found || mono_ns < *first)
			*first = mono_ns;
		if (!found || mono_ns > *last)
			*last = mono_ns;
		found = true;
	}
	return found;
}

static int64_t span_ns(const struct rows *rows)
{
	int64_t first, last;

	return span(rows, &first, &last) ? minus(last, first) : XCS_ABSENT;
}

/*
 * Growth of a counter from its first to its last known value, or from 0. A counter that
 * falls was reset (reboot, hotplug, a new process behind the number): no rate, an event.
 */
static int64_t growth(struct xcs_window *w, const struct rows *rows, int column, bool from_zero)
{
	int64_t first = from_zero ? 0 : XCS_ABSENT, last = XCS_ABSENT;

	for (size_t r = 0; r < rows->table->n_rows; r++) {
		int64_t v = is_mine(rows, r) ? xcs_table_get(rows->table, r, column) : XCS_ABSENT;
		if (v == XCS_ABSENT)
			continue;
		if (last != XCS_ABSENT && v < last) {
			add_event(w, xcs_xasprintf("%s: %s fell from %lld to %lld; it is not "
			                           "reported",
			                           rows->who, rows->table->columns[column],
			                           (long long)last, (long long)v));
			return XCS_ABSENT;
		}
		if (first == XCS_ABSENT)
			first = v;
		last = v;
	}
	int64_t d = minus(last, first);
	return d < 0 ? XCS_ABSENT : d;
}

static void system_window(struct xcs_window *w, const struct xcs_trial_data *t)
{
	struct rows all = {&t->tables[XCS_TRIAL_SYSTEM], -1, 0, "system"};
	double sum = 0;
	size_t n = 0;

	w->dt_ns = span_ns(&all);
	w->ctxt = growth(w, &all, XCS_SYSTEM_CTXT_TOTAL, false);
	w->intr = growth(w, &all, XCS_SYSTEM_INTR_TOTAL, false);
	w->ticks_per_s = t->ticks_per_s;
	w->set_run_ns = growth(w, &all, XCS_SYSTEM_SET_RUN_NS, false);
	w->psi_cpu_some_us = growth(w, &all, XCS_SYSTEM_PSI_CPU_SOME_US, false);
	for (int i = 0; i < XCS_N_WINDOW_TICKS; i++)
		w->ticks[i] = growth(w, &all, tick_columns[i], false);
	w->all_ticks = growth(w, &all, XCS_SYSTEM_SET_ALL_TICKS, false);
	for (size_t r = 0; r < all.table->n_rows; r++) {
		int64_t running = xcs_table_get(all.table, r, XCS_SYSTEM_PROCS_RUNNING);
		if (running == XCS_ABSENT)
			continue;
		sum += (double)running;
		n++;
	}
	if (n)
		w->running = (struct xcs_num){true, sum / (double)n};
}

static void observer_window(struct xcs_window *w, const struct xcs_trial_data *t)
{
	struct rows all = {&t->tables[XCS_TRIAL_OBSERVER], -1, 0, "observer"};

	w->observer_dt_ns = span_ns(&all);
	w->observer_cpu_ns = growth(w, &all, XCS_OBSERVER_CPU_NS, false);
	w->observer_switches = growth(w, &all, XCS_OBSERVER_SWITCHES_TOTAL, false);
	w->observer_missed = growth(w, &all, XCS_OBSERVER_MISSED_TOTAL, false);
	w->observer_wakeups = growth(w, &all, XCS_OBSERVER_WAKEUPS_TOTAL, false);
}

static enum xcs_window_class class_of(const char *role)
{
	if (strcmp(role, "server") == 0)
		return XCS_CLASS_SERVER;
	if (strcmp(role, "compositor") == 0)
		return XCS_CLASS_COMPOSITOR;
	if (strncmp(role, "client", 6) == 0)
		return XCS_CLASS_CLIENT;
	if (strncmp(role, "feeder", 6) == 0 || strncmp(role, "command", 7) == 0)
		return XCS_CLASS_FEEDER;
	if (strncmp(role, "hog", 3) == 0)
		return XCS_CLASS_HOG;
	if (strcmp(role, "build") == 0)
		return XCS_CLASS_BUILD;
	return XCS_CLASS_OTHER;
}

static void set_absent(int64_t *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i] = XCS_ABSENT;
}

static struct xcs_window_role empty_role(const char *name, size_t n_name)
{
	struct xcs_window_role role = {
	        .dt_ns = XCS_ABSENT,
	        .tick_ns = XCS_ABSENT,
	        .tick_exec_ns = XCS_ABSENT,
	        .io_dt_ns = XCS_ABSENT,
	        .rchar_bytes = XCS_ABSENT,
	        .counter_dt_ns = XCS_ABSENT,
	};

	if (n_name >= sizeof(role.role))
		n_name = sizeof(role.role) - 1;
	memcpy(role.role, name, n_name);
	role.class_id = class_of(role.role);
	set_absent(role.delta, XCS_N_WINDOW_COUNTERS);
	set_absent(role.counter, XCS_N_COUNTERS);
	return role;
}

static struct xcs_window_role *find_role(const struct xcs_window *w, const char *name)
{
	for (size_t i = 0; i < w->n_roles; i++)
		if (strncmp(w->roles[i].role, name, sizeof(w->roles[i].role) - 1) == 0)
			return &w->roles[i];
	return NULL;
}

const struct xcs_window_role *xcs_window_role(const struct xcs_window *w, const char *role)
{
	return find_role(w, role);
}

static void find_roles(struct xcs_window *w, const struct xcs_trial_data *t)
{
	w->roles = xcs_xcalloc(t->n_tasks + t->n_page_roles, sizeof(*w->roles));
	for (size_t i = 0; i < t->n_tasks + t->n_page_roles; i++) {
		const char *name =
		        i < t->n_tasks ? t->tasks[i].role : t->page_roles[i - t->n_tasks];
		if (!find_role(w, name))
			w->roles[w->n_roles++] = empty_role(name, strlen(name));
	}
}

/* Adds a part to a sum whose number of parts so far is n. */
static void accumulate(int64_t *sum, int64_t part, int n)
{
	*sum = n ? plus(*sum, part) : part;
}

/* Sums what is known: a part that is not is left out. */
static void add_known(int64_t *sum, int64_t part)
{
	if (part != XCS_ABSENT)
		*sum = *sum == XCS_ABSENT ? part : plus(*sum, part);
}

/* The thread's time by ticks and by the scheduler, between the same two rows. */
static void add_ticks(struct xcs_window_role *role, const struct rows *rows)
{
	int64_t ticks[2] = {XCS_ABSENT, XCS_ABSENT}, exec[2] = {XCS_ABSENT, XCS_ABSENT};

	for (size_t r = 0; r < rows->table->n_rows; r++) {
		int64_t tick_ns = xcs_table_get(rows->table, r, XCS_TASK_TICK_NS);
		if (tick_ns == XCS_ABSENT || !is_mine(rows, r))
			continue;
		int end = ticks[0] != XCS_ABSENT;
		ticks[end] = tick_ns;
		exec[end] = xcs_table_get(rows->table, r, XCS_TASK_EXEC_NS);
	}
	int64_t tick_ns = minus(ticks[1], ticks[0]), exec_ns = minus(exec[1], exec[0]);
	if (tick_ns < 0 || exec_ns < 0)
		return;
	add_known(&role->tick_ns, tick_ns);
	add_known(&role->tick_exec_ns, exec_ns);
}

/* One more value of what must be the same all the time; *n counts those so far. */
static void agree(struct xcs_num *all, int64_t value, int *n)
{
	if ((*n)++ == 0)
		*all = (struct xcs_num){value != XCS_ABSENT, (double)value};
	else if (value == XCS_ABSENT || (double)value != all->v)
		all->known = false;
}

static void find_nice(struct xcs_window *w, const struct xcs_trial_data *t)
{
	const struct xcs_table *rows = &t->tables[XCS_TRIAL_TASK];
	int *n = xcs_xcalloc(w->n_roles + 1, sizeof(*n));

	for (size_t r = 0; r < rows->n_rows; r++) {
		int64_t index = xcs_table_get(rows, r, XCS_TASK_INDEX);
		if (index < 0 || (size_t)index >= t->n_tasks)
			continue;
		struct xcs_window_role *role = find_role(w, t->tasks[index].role);
		agree(&role->nice, xcs_table_get(rows, r, XCS_TASK_NICE), &n[role - w->roles]);
	}
	free(n);
}

/*
 * True when the thread was not there at the first sample because it did not live yet. The
 * start time counts from boot with suspend, mono_ns without, so it can only be later than
 * mono_ns says: an early start is proof, a late one needs the missing baseline row.
 */
static bool started_inside(const struct xcs_trial_data *t, const struct xcs_trial_task *task,
                           int64_t window_start_ns, int64_t first_row_ns)
{
	int64_t tick_ns = INT64_C(1000000000) / t->ticks_per_s;
	int64_t start_ns;

	if (window_start_ns == XCS_ABSENT || first_row_ns - window_start_ns < t->period_ns / 2)
		return false;
	if (__builtin_mul_overflow((int64_t)task->start_ticks, tick_ns, &start_ns))
		return false;
	return plus(start_ns, tick_ns) >= window_start_ns;
}

static void add_thread(struct xcs_window *w, const struct xcs_trial_data *t, size_t index,
                       int64_t window_start_ns, int64_t *first, int64_t *last)
{
	struct xcs_window_role *role = find_role(w, t->tasks[index].role);
	struct rows rows = {&t->tables[XCS_TRIAL_TASK], XCS_TASK_INDEX, (int64_t)index,
	                    t->tasks[index].role};
	int64_t first_ns, last_ns;

	if (!span(&rows, &first_ns, &last_ns))
		return;
	bool from_zero = started_inside(t, &t->tasks[index], window_start_ns, first_ns);
	for (int c = 0; c < XCS_N_WINDOW_COUNTERS; c++)
		accumulate(&role->delta[c], growth(w, &rows, counter_columns[c], from_zero),
		           role->n_threads);
	add_ticks(role, &rows);
	*first = role->n_threads && *first < first_ns ? *first : first_ns;
	*last = role->n_threads && *last > last_ns ? *last : last_ns;
	role->dt_ns = minus(*last, *first);
	role->n_threads++;
}

static void task_window(struct xcs_window *w, const struct xcs_trial_data *t)
{
	struct rows all = {&t->tables[XCS_TRIAL_TASK], -1, 0, "tasks"};
	int64_t start_ns = XCS_ABSENT, end_ns;
	int64_t *spans = xcs_xcalloc(w->n_roles * 2, sizeof(*spans));

	span(&all, &start_ns, &end_ns);
	for (size_t i = 0; i < t->n_tasks; i++) {
		size_t at = (size_t)(find_role(w, t->tasks[i].role) - w->roles) * 2;
		add_thread(w, t, i, start_ns, &spans[at], &spans[at + 1]);
	}
	free(spans);
}

static void io_window(struct xcs_window *w, const struct xcs_trial_data *t)
{
	for (size_t i = 0; i < t->n_tasks; i++) {
		struct xcs_window_role *role = find_role(w, t->tasks[i].role);
		struct rows rows = {&t->tables[XCS_TRIAL_IO], XCS_IO_TASK_INDEX, (int64_t)i,
		                    t->tasks[i].role};
		int64_t dt_ns = span_ns(&rows);
		if (dt_ns == XCS_ABSENT || role->io_dt_ns != XCS_ABSENT)
			continue;
		role->io_dt_ns = dt_ns;
		role->rchar_bytes = growth(w, &rows, XCS_IO_RCHAR_BYTES, false);
	}
}

static void counter_window(struct xcs_window *w, const struct xcs_trial_data *t)
{
	for (size_t i = 0; i < t->n_page_roles; i++) {
		struct xcs_window_role *role = find_role(w, t->page_roles[i]);
		struct rows rows = {&t->tables[XCS_TRIAL_COUNTER], XCS_COUNTER_PAGE, (int64_t)i,
		                    t->page_roles[i]};
		role->counter_dt_ns = span_ns(&rows);
		for (int c = 0; c < XCS_N_COUNTERS; c++)
			role->counter[c] = growth(w, &rows, XCS_COUNTER_FIRST + c, false);
	}
}

/* Short-lived children are gone before a sampler could read them; who reaped them knows. */
static void add_children(struct xcs_window *w)
{
	for (size_t i = 0; i < w->n_roles; i++) {
		struct xcs_window_role *role = &w->roles[i];
		if (!role->n_threads || role->counter[XCS_COUNTER_CHILD_CPU_NS] == XCS_ABSENT)
			continue;
		role->delta[XCS_WINDOW_EXEC_NS] = plus(role->delta[XCS_WINDOW_EXEC_NS],
		                                       role->counter[XCS_COUNTER_CHILD_CPU_NS]);
		role->delta[XCS_WINDOW_SWITCHES] = plus(role->delta[XCS_WINDOW_SWITCHES],
		                                        role->counter[XCS_COUNTER_CHILD_SWITCHES]);
	}
}

static void keep_longer(int64_t *dt_ns, int64_t other_ns)
{
	if (other_ns > *dt_ns) /* XCS_ABSENT is the smallest of all */
		*dt_ns = other_ns;
}

/* Roles that have threads sum their task counters; client processes and their pages apart. */
static void add_to_class(struct xcs_window_role *sum, const struct xcs_window_role *role,
                         bool *has_io, bool *has_page)
{
	if (role->n_threads) {
		for (int c = 0; c < XCS_N_WINDOW_COUNTERS; c++)
			accumulate(&sum->delta[c], role->delta[c], sum->n_threads);
		add_known(&sum->tick_ns, role->tick_ns);
		add_known(&sum->tick_exec_ns, role->tick_exec_ns);
		sum->n_threads += role->n_threads;
		keep_longer(&sum->dt_ns, role->dt_ns);
	}
	if (role->io_dt_ns != XCS_ABSENT) {
		accumulate(&sum->rchar_bytes, role->rchar_bytes, *has_io);
		keep_longer(&sum->io_dt_ns, role->io_dt_ns);
		*has_io = true;
	}
	if (role->counter_dt_ns != XCS_ABSENT) {
		for (int c = 0; c < XCS_N_COUNTERS; c++)
			accumulate(&sum->counter[c], role->counter[c], *has_page);
		keep_longer(&sum->counter_dt_ns, role->counter_dt_ns);
		*has_page = true;
	}
}

static void class_windows(struct xcs_window *w)
{
	static const char *const names[XCS_N_CLASSES] = {
	        "server", "compositor", "clients", "feeders", "hogs", "build", "other"};

	for (int c = 0; c < XCS_N_CLASSES; c++) {
		bool has_io = false, has_page = false;
		w->classes[c] = empty_role(names[c], strlen(names[c]));
		for (size_t i = 0; i < w->n_roles; i++)
			if (w->roles[i].class_id == (enum xcs_window_class)c)
				add_to_class(&w->classes[c], &w->roles[i], &has_io, &has_page);
	}
}

/* Execution time of all watched tasks per time: 1.0 is one CPU. */
static bool watched_ratio(const struct xcs_window *w, double *out)
{
	*out = 0;
	for (size_t i = 0; i < w->n_roles; i++) {
		const struct xcs_window_role *role = &w->roles[i];
		if (!role->n_threads)
			continue;
		if (role->delta[XCS_WINDOW_EXEC_NS] == XCS_ABSENT || w->dt_ns <= 0)
			return false;
		/* Over the window, not the role's own time: one that died early used no more. */
		int64_t dt_ns = role->dt_ns > w->dt_ns ? role->dt_ns : w->dt_ns;
		*out += (double)role->delta[XCS_WINDOW_EXEC_NS] / (double)dt_ns;
	}
	return true;
}

static struct xcs_num foreign_pct(const struct xcs_window *w)
{
	double watched, all = 0, idle = 0;

	for (int i = 0; i < XCS_N_WINDOW_TICKS; i++)
		if (w->ticks[i] != XCS_ABSENT)
			all += (double)w->ticks[i];
	if (w->ticks[XCS_WINDOW_WA] != XCS_ABSENT)
		idle = (double)w->ticks[XCS_WINDOW_WA];
	if (w->ticks[XCS_WINDOW_ID] == XCS_ABSENT || all <= 0 || w->n_cpus <= 0 ||
	    !watched_ratio(w, &watched))
		return (struct xcs_num){0};
	idle += (double)w->ticks[XCS_WINDOW_ID];
	double pct = 100 * (1 - idle / all - watched / w->n_cpus);
	return (struct xcs_num){true, pct < 0 ? 0 : pct > 100 ? 100 : pct};
}

void xcs_window_init(struct xcs_window *w, const struct xcs_trial_data *t)
{
	struct xcs_cpuset cpus;

	*w = (struct xcs_window){0};
	if (t->cpus && xcs_cpuset_parse(xcs_str(t->cpus), &cpus, NULL) == 0)
		w->n_cpus = xcs_cpuset_count(&cpus);
	system_window(w, t);
	observer_window(w, t);
	find_roles(w, t);
	task_window(w, t);
	find_nice(w, t);
	io_window(w, t);
	counter_window(w, t);
	add_children(w);
	class_windows(w);
	/* What hyperfine starts comes and goes between samples; its timing tells. */
	if (!find_role(w, "timer"))
		w->foreign_pct = foreign_pct(w);
}

/* The role of the command that ran in the terminal of that role, or of the call of hyperfine;
 * NULL: none was watched. */
static struct xcs_window_role *command_role(const struct xcs_window *w, const char *client)
{
	char name[32];

	if (client && strcmp(client, "hyperfine") == 0)
		return find_role(w, "timer");
	if (!client || strncmp(client, "client", 6))
		return NULL;
	snprintf(name, sizeof(name), "command%.20s", client + 6);
	return find_role(w, name);
}

void xcs_window_take_timings(struct xcs_window *w, const struct xcs_run_trial *trial)
{
	bool all_known = true, any = false;

	for (size_t i = 0; i < trial->n_timings; i++) {
		const struct xcs_run_timing *t = &trial->timings[i];
		struct xcs_window_role *role = command_role(w, t->role);
		if (!role)
			continue;
		any = true;
		all_known = all_known && t->user_ns.known && t->sys_ns.known;
		/* Its rates are those of the window, as all others: behind its end there was none.
		 */
		role->dt_ns = w->dt_ns;
		role->delta[XCS_WINDOW_VOLUNTARY] = XCS_ABSENT;
		role->delta[XCS_WINDOW_INVOLUNTARY] = XCS_ABSENT;
		int64_t used_ns = all_known ? (int64_t)(t->user_ns.v + t->sys_ns.v) : 0;
		if (used_ns > role->delta[XCS_WINDOW_EXEC_NS])
			role->delta[XCS_WINDOW_EXEC_NS] = used_ns;
	}
	if (!any)
		return;
	class_windows(w);
	w->foreign_pct = all_known ? foreign_pct(w) : (struct xcs_num){0};
}

void xcs_window_fini(struct xcs_window *w)
{
	for (size_t i = 0; i < w->n_events; i++)
		free(w->events[i]);
	free(w->events);
	free(w->roles);
	*w = (struct xcs_window){0};
}
