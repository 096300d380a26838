/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --once: a tree's counters as JSON; --then: two trees and what lies between them.
 */
#include "sample.h"

#include <collectors/delta.h>
#include <common/units.h>
#include <record/json.h>

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static void set_ticks(struct json_t *j, const int64_t ticks[XCS_N_STAT_TICKS])
{
	for (int t = 0; t < XCS_N_STAT_TICKS; t++) {
		struct xcs_buf key = {0};
		xcs_buf_printf(&key, "%s_ticks", xcs_stat_ticks_name((enum xcs_stat_ticks)t));
		xcs_json_set_i64(j, key.p, ticks[t]);
		xcs_buf_fini(&key);
	}
}

static struct xcs_num per_s(int64_t delta, int64_t dt_ns)
{
	if (delta == XCS_ABSENT || dt_ns <= 0)
		return (struct xcs_num){0};
	return (struct xcs_num){true, (double)delta / xcs_ns_to_s(dt_ns)};
}

static struct xcs_num share_pct(int64_t part, int64_t whole)
{
	if (part == XCS_ABSENT || whole == XCS_ABSENT || whole <= 0)
		return (struct xcs_num){0};
	return (struct xcs_num){true, 100.0 * (double)part / (double)whole};
}

/* The interval by the CPUs' own clock, per CPU: how far it is from interval_s tells lost
 * ticks, a wrong interval or another CLK_TCK. */
static struct xcs_num ticked_s(const struct xcs_snapshot *s, const struct xcs_delta *d,
                               int64_t ticks_per_s)
{
	if (d->total_ticks == XCS_ABSENT || s->n_cpus == 0 || ticks_per_s <= 0)
		return (struct xcs_num){0};
	return (struct xcs_num){true,
	                        (double)d->total_ticks / (double)ticks_per_s / (double)s->n_cpus};
}

static void set_system_delta(struct json_t *j, const struct xcs_delta *d, int64_t dt_ns)
{
	struct json_t *delta = xcs_json_object(), *rates = xcs_json_object();
	struct json_t *pct = xcs_json_object();

	xcs_json_set_i64(delta, "ctxt", d->ctxt);
	xcs_json_set_i64(delta, "intr", d->intr);
	xcs_json_set_i64(delta, "processes", d->forks);
	set_ticks(delta, d->ticks);
	xcs_json_set_i64(delta, "total_ticks", d->total_ticks);
	xcs_json_set_num(rates, "ctxt", per_s(d->ctxt, dt_ns));
	xcs_json_set_num(rates, "intr", per_s(d->intr, dt_ns));
	xcs_json_set_num(rates, "processes", per_s(d->forks, dt_ns));
	for (int t = 0; t < XCS_N_STAT_TICKS; t++)
		xcs_json_set_num(pct, xcs_stat_ticks_name((enum xcs_stat_ticks)t),
		                 share_pct(d->ticks[t], d->total_ticks));
	xcs_json_set(j, "delta", delta);
	xcs_json_set(j, "rates", rates);
	xcs_json_set(j, "pct", pct);
}

static struct json_t *system_json(const struct xcs_snapshot *s, const struct xcs_delta *d,
                                  int64_t dt_ns)
{
	struct json_t *j = xcs_json_object(), *cpus = xcs_json_array();

	xcs_json_set_i64(j, "ctxt", s->stat.ctxt_total);
	xcs_json_set_i64(j, "intr", s->stat.intr_total);
	xcs_json_set_i64(j, "btime", s->stat.btime_s);
	xcs_json_set_i64(j, "processes", s->stat.forks_total);
	xcs_json_set_i64(j, "procs_running", s->stat.procs_running);
	xcs_json_set_i64(j, "procs_blocked", s->stat.procs_blocked);
	set_ticks(j, s->stat.all.v);
	for (size_t i = 0; i < s->n_cpus; i++) {
		struct json_t *cpu = xcs_json_object();
		xcs_json_set_i64(cpu, "cpu", s->cpu_ids[i]);
		set_ticks(cpu, s->cpus[i].v);
		xcs_json_append(cpus, cpu);
	}
	xcs_json_set(j, "cpus", cpus);
	if (d)
		set_system_delta(j, d, dt_ns);
	return j;
}

static void set_counts(struct json_t *j, const int64_t v[XCS_N_COUNTS])
{
	for (int c = 0; c < XCS_N_COUNTS; c++)
		xcs_json_set_i64(j, xcs_count_name((enum xcs_count)c), v[c]);
}

static bool is_utf8(const char *s)
{
	struct xcs_str text = xcs_str(s);
	size_t i = 0;

	while (i < text.n) {
		unsigned char c = (unsigned char)text.p[i];
		size_t n = c < 0x80                ? 1
		           : c >= 0xc2 && c < 0xe0 ? 2
		           : c >= 0xe0 && c < 0xf0 ? 3
		           : c >= 0xf0 && c < 0xf5 ? 4
		                                   : 0;
		if (!n || i + n > text.n)
			return false;
		unsigned char second = n > 1 ? (unsigned char)text.p[i + 1] : 0x80;
		bool overlong = (c == 0xe0 && second < 0xa0) || (c == 0xf0 && second < 0x90);
		bool outside = (c == 0xed && second > 0x9f) || (c == 0xf4 && second > 0x8f);
		if (overlong || outside)
			return false;
		for (size_t k = 1; k < n; k++)
			if (((unsigned char)text.p[i + k] & 0xc0) != 0x80)
				return false;
		i += n;
	}
	return true;
}

static void set_comm(struct json_t *j, const char *comm)
{
	xcs_json_set_str(j, "comm", comm);
	if (!is_utf8(comm))
		xcs_json_set_bool(j, "comm_is_bytes", true);
}

static struct json_t *thread_json(const struct xcs_snapshot_thread *t)
{
	struct json_t *j = xcs_json_object();
	const char *source = t->from_sched       ? "sched"
	                     : t->from_status    ? "status"
	                     : t->from_schedstat ? "schedstat"
	                                         : NULL;

	xcs_json_set_i64(j, "tid", t->tid);
	set_comm(j, t->comm);
	xcs_json_set_i64(j, "start_ticks", t->start_ticks);
	set_counts(j, t->count);
	xcs_json_set_i64(j, "nice", t->nice);
	xcs_json_set_i64(j, "policy", t->policy);
	xcs_json_set_i64(j, "prio", t->prio);
	xcs_json_set_i64(j, "wait_sum_ns", t->wait_sum_ns);
	xcs_json_set_i64(j, "nr_wakeups", t->wakeups);
	xcs_json_set_i64(j, "sched_keys", t->from_sched ? t->n_sched_keys : XCS_ABSENT);
	xcs_json_set_str(j, "source", source);
	return j;
}

static struct json_t *process_json(const struct xcs_snapshot_process *p,
                                   const struct xcs_delta_process *d, int64_t dt_ns)
{
	struct json_t *j = xcs_json_object(), *total = xcs_json_object();
	struct json_t *threads = xcs_json_array();

	xcs_json_set_i64(j, "pid", p->pid);
	set_comm(j, p->comm);
	xcs_json_set_i64(j, "nr_threads", p->n_threads);
	set_counts(total, p->total);
	xcs_json_set(j, "total", total);
	if (d) {
		struct json_t *delta = xcs_json_object(), *rates = xcs_json_object();
		set_counts(delta, d->delta);
		for (int c = 0; c < XCS_N_COUNTS; c++)
			xcs_json_set_num(rates, xcs_count_name((enum xcs_count)c),
			                 per_s(d->delta[c], dt_ns));
		xcs_json_set(j, "delta", delta);
		xcs_json_set(j, "rates", rates);
		xcs_json_set_i64(j, "threads_started", (int64_t)d->n_started);
		xcs_json_set_i64(j, "threads_ended", (int64_t)d->n_ended);
		xcs_json_set_bool(j, "lower_bound", d->n_ended > 0);
	}
	for (size_t i = 0; i < p->n; i++)
		xcs_json_append(threads, thread_json(&p->threads[i]));
	xcs_json_set(j, "threads", threads);
	return j;
}

static int print(const struct xcs_snapshot *s, const struct xcs_delta *d, int64_t dt_ns,
                 int64_t ticks_per_s, struct xcs_err *err)
{
	struct json_t *j = xcs_json_object(), *processes = xcs_json_array();
	struct json_t *events = xcs_json_array();
	struct xcs_buf text = {0};
	int rc = 0;

	xcs_json_set(j, "system", system_json(s, d, dt_ns));
	for (size_t i = 0; i < s->n_processes; i++)
		xcs_json_append(processes,
		                process_json(&s->processes[i], d ? &d->processes[i] : NULL, dt_ns));
	xcs_json_set(j, "processes", processes);
	for (size_t i = 0; i < s->n_events; i++)
		xcs_json_append_str(events, s->events[i]);
	xcs_json_set(j, "events", events);
	xcs_json_set_i64(j, "ticks_per_s", ticks_per_s);
	if (d) {
		xcs_json_set_num(j, "interval_s", (struct xcs_num){true, xcs_ns_to_s(dt_ns)});
		xcs_json_set_num(j, "ticked_s", ticked_s(s, d, ticks_per_s));
	}
	xcs_json_write(j, 2, &text);
	xcs_json_free(j);
	if (fwrite(text.p, 1, text.n, stdout) != text.n || fflush(stdout))
		rc = xcs_err_sys(err, -errno, "cannot write to standard output");
	xcs_buf_fini(&text);
	return rc;
}

static int read_tree(const struct sample_options *o, const char *root, struct xcs_snapshot *s,
                     struct xcs_err *err)
{
	struct xcs_env env = {.proc_fd = -1, .sys_fd = -1};
	int pids[XCS_OPTION_LIST_MAX];

	*s = (struct xcs_snapshot){0};
	int rc = root ? xcs_env_open_at(&env, root, NULL, err) : xcs_env_open(&env, err);
	for (size_t i = 0; i < o->pids.n; i++)
		pids[i] = o->pids.v[i];
	if (rc == 0)
		rc = xcs_snapshot_read(&env, pids, o->pids.n, s, err);
	xcs_env_close(&env);
	return rc;
}

/* A process that is not in the second tree has ended: an event, not an error. */
static int read_second(const struct sample_options *o, struct xcs_snapshot *s, struct xcs_err *err)
{
	int rc = read_tree(o, o->then_root, s, err);

	if (rc != -ENOENT || s->n_processes != o->pids.n)
		return rc;
	for (size_t i = 0; i < s->n_processes; i++)
		if (!s->processes[i].n)
			xcs_snapshot_event(s, "process %d ended", (int)s->processes[i].pid);
	*err = (struct xcs_err){0};
	return 0;
}

/* A saved tree does not tell its CLK_TCK. */
static int64_t ticks_per_s(const struct sample_options *o)
{
	return o->ticks_per_s ? o->ticks_per_s : sysconf(_SC_CLK_TCK);
}

static int print_difference(const struct sample_options *o, struct xcs_err *err)
{
	struct xcs_snapshot before, after = {0};
	struct xcs_delta d = {0};
	int64_t dt_ns;

	int rc = xcs_duration_parse(xcs_str(o->interval_s), &dt_ns, err);
	if (rc) {
		xcs_err_prefix(err, "--interval-s");
		return rc;
	}
	rc = read_tree(o, o->proc_root, &before, err);
	if (rc == 0)
		rc = read_second(o, &after, err);
	if (rc == 0) {
		xcs_delta_init(&d, &before, &after, dt_ns);
		rc = print(&after, &d, dt_ns, ticks_per_s(o), err);
	}
	xcs_delta_fini(&d);
	xcs_snapshot_fini(&before);
	xcs_snapshot_fini(&after);
	return rc;
}

int sample_once(const struct sample_options *o, struct xcs_err *err)
{
	struct xcs_snapshot s;
	int rc;

	if (o->then_root) {
		rc = print_difference(o, err);
	} else {
		rc = read_tree(o, o->proc_root, &s, err);
		if (rc == 0)
			rc = print(&s, NULL, 0, ticks_per_s(o), err);
		xcs_snapshot_fini(&s);
	}
	return rc ? XCS_EXIT_ERROR : XCS_EXIT_OK;
}
