/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live_print.h"

#include <common/alloc.h>
#include <common/units.h>
#include <record/json.h>

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* Columns as vmstat orders them. */
static const struct {
	const char *name;
	enum xcs_stat_ticks tick;
} shares[] = {
        {"us", XCS_STAT_USER   },
        {"sy", XCS_STAT_SYSTEM },
        {"ni", XCS_STAT_NICE   },
        {"id", XCS_STAT_IDLE   },
        {"wa", XCS_STAT_IOWAIT },
        {"hi", XCS_STAT_IRQ    },
        {"si", XCS_STAT_SOFTIRQ},
        {"st", XCS_STAT_STEAL  },
};

static void cell(struct xcs_buf *out, int width, int digits, struct xcs_num v)
{
	if (v.known)
		xcs_buf_printf(out, " %*.*f", width, digits, v.v);
	else
		xcs_buf_printf(out, " %*s", width, "n/a");
}

void live_print_header(bool has_processes, struct xcs_buf *out)
{
	xcs_buf_printf(out, "%3s %2s %8s %8s", "r", "b", "cs", "cs-net");
	if (has_processes)
		xcs_buf_printf(out, " %8s", "task");
	xcs_buf_printf(out, " %7s %7s", "in", "in-net");
	for (size_t i = 0; i < ARRAY_LEN(shares); i++)
		xcs_buf_printf(out, " %3s", shares[i].name);
	xcs_buf_puts(out, "  psi\n");
	if (has_processes)
		xcs_buf_printf(out, " %9s %9s %9s %6s %6s %7s %6s %3s %-5s %4s %s\n", "pid", "vcs",
		               "ics", "cpu%", "delay%", "us/run", "migr", "ni", "class", "thr",
		               "command");
}

static const char *policy_name(struct xcs_num policy)
{
	static const char *const names[] = {
	        [SCHED_OTHER] = "other",
	        [SCHED_FIFO] = "fifo",
	        [SCHED_RR] = "rr",
	        [SCHED_BATCH] = "batch",
	        [4] = "iso",
	        [SCHED_IDLE] = "idle",
	        [6] = "dl",
	        [7] = "ext",
	};

	if (!policy.known || policy.v < 0 || policy.v >= (double)ARRAY_LEN(names))
		return "n/a";
	return names[(int)policy.v];
}

/* A name may hold newlines and terminal controls. */
static void put_name(struct xcs_buf *out, const char *name)
{
	for (const char *p = name; *p; p++) {
		unsigned char c = (unsigned char)*p;
		if (c == '\n')
			xcs_buf_puts(out, "\\n");
		else if (c < 0x20 || c == 0x7f)
			xcs_buf_printf(out, "\\x%02x", c);
		else
			xcs_buf_putc(out, *p);
	}
}

static void text_process(const struct live_process *p, struct xcs_buf *out)
{
	xcs_buf_printf(out, " %9d", (int)p->pid);
	cell(out, 9, 0, p->vcs);
	cell(out, 9, 0, p->ics);
	cell(out, 6, 1, p->cpu_pct);
	cell(out, 6, 1, p->delay_pct);
	cell(out, 7, 1, p->delay_us);
	cell(out, 6, 0, p->migrations);
	cell(out, 3, 0, p->nice);
	xcs_buf_printf(out, " %-5s %4zu ", policy_name(p->policy), p->n_threads);
	put_name(out, p->comm);
	if (p->n_started || p->n_ended)
		xcs_buf_printf(out, " (threads +%zu -%zu)", p->n_started, p->n_ended);
	xcs_buf_putc(out, '\n');
}

void live_print_text(const struct live_rates *r, bool has_processes, struct xcs_buf *out)
{
	const struct live_system *s = &r->system;

	cell(out, 2, 0, s->runnable);
	cell(out, 2, 0, s->blocked);
	cell(out, 8, 0, s->cs);
	cell(out, 8, 0, s->cs_net);
	if (has_processes)
		cell(out, 8, 0, s->task);
	cell(out, 7, 0, s->intr);
	cell(out, 7, 0, s->intr_net);
	for (size_t i = 0; i < ARRAY_LEN(shares); i++)
		cell(out, 3, 0, s->pct[shares[i].tick]);
	cell(out, 4, 0, s->psi_pct);
	xcs_buf_putc(out, '\n');
	for (size_t i = 0; i < r->n_processes; i++)
		text_process(&r->processes[i], out);
}

/* One list of fields serves CSV and JSON. */
struct field {
	const char *name;
	struct xcs_num v;
	int digits;
};

#define N_SYSTEM_FIELDS  19
#define N_PROCESS_FIELDS 12

static void system_fields(const struct live_system *s, struct field f[N_SYSTEM_FIELDS])
{
	const struct field head[] = {
	        {"r",                s->runnable,                   0},
	        {"b",                s->blocked,                    0},
	        {"cs",               s->cs,                         1},
	        {"cs_net",           s->cs_net,                     1},
	        {"task",             s->task,                       1},
	        {"in",               s->intr,                       1},
	        {"in_net",           s->intr_net,                   1},
	        {"psi_cpu_pct",      s->psi_pct,                    2},
	        {"observer_cpu_pct", s->own_cpu_pct,                3},
	        {"observer_cs",      s->own_cs,                     1},
	        {"interval_s",       {true, xcs_ns_to_s(s->dt_ns)}, 6},
	};
	size_t n = ARRAY_LEN(head);

	memcpy(f, head, sizeof(head));
	for (size_t i = 0; i < ARRAY_LEN(shares); i++)
		f[n + i] = (struct field){shares[i].name, s->pct[shares[i].tick], 2};
}

static struct xcs_num count(size_t n)
{
	return (struct xcs_num){true, (double)n};
}

static void process_fields(const struct live_process *p, struct field f[N_PROCESS_FIELDS])
{
	const struct field all[N_PROCESS_FIELDS] = {
	        {"vcs",             p->vcs,                1},
	        {"ics",             p->ics,                1},
	        {"cpu_pct",         p->cpu_pct,            3},
	        {"run_delay_pct",   p->delay_pct,          3},
	        {"run_delay_us",    p->delay_us,           3},
	        {"migrations",      p->migrations,         1},
	        {"nice",            p->nice,               0},
	        {"policy",          p->policy,             0},
	        {"threads",         count(p->n_threads),   0},
	        {"threads_started", count(p->n_started),   0},
	        {"threads_ended",   count(p->n_ended),     0},
	        {"lower_bound",     count(p->n_ended > 0), 0},
	};

	memcpy(f, all, sizeof(all));
}

void live_print_csv_header(struct xcs_buf *out)
{
	struct field s[N_SYSTEM_FIELDS], p[N_PROCESS_FIELDS];

	system_fields(&(struct live_system){0}, s);
	process_fields(&(struct live_process){0}, p);
	xcs_buf_puts(out, "mono_s,pid,comm");
	for (size_t i = 0; i < N_SYSTEM_FIELDS; i++)
		xcs_buf_printf(out, ",%s", s[i].name);
	for (size_t i = 0; i < N_PROCESS_FIELDS; i++)
		xcs_buf_printf(out, ",%s", p[i].name);
	xcs_buf_putc(out, '\n');
}

static void csv_cells(const struct field *f, size_t n, struct xcs_buf *out)
{
	for (size_t i = 0; i < n; i++)
		if (f[i].v.known)
			xcs_buf_printf(out, ",%.*f", f[i].digits, f[i].v.v);
		else
			xcs_buf_putc(out, ',');
}

static void csv_quoted(struct xcs_buf *out, const char *s)
{
	xcs_buf_putc(out, '"');
	for (; *s; s++) {
		if (*s == '"')
			xcs_buf_putc(out, '"');
		xcs_buf_putc(out, *s);
	}
	xcs_buf_putc(out, '"');
}

/* The system's line has no pid; a process's line leaves the system's cells empty. */
void live_print_csv(const struct live_rates *r, struct xcs_buf *out)
{
	struct field s[N_SYSTEM_FIELDS], p[N_PROCESS_FIELDS];
	double t = xcs_ns_to_s(r->system.mono_ns);

	system_fields(&r->system, s);
	xcs_buf_printf(out, "%.6f,,", t);
	csv_cells(s, N_SYSTEM_FIELDS, out);
	xcs_buf_fill(out, ',', N_PROCESS_FIELDS);
	xcs_buf_putc(out, '\n');
	for (size_t i = 0; i < r->n_processes; i++) {
		process_fields(&r->processes[i], p);
		xcs_buf_printf(out, "%.6f,%d,", t, (int)r->processes[i].pid);
		csv_quoted(out, r->processes[i].comm);
		xcs_buf_fill(out, ',', N_SYSTEM_FIELDS);
		csv_cells(p, N_PROCESS_FIELDS, out);
		xcs_buf_putc(out, '\n');
	}
}

static void json_fields(struct json_t *j, const struct field *f, size_t n)
{
	for (size_t i = 0; i < n; i++)
		xcs_json_set_num(j, f[i].name, f[i].v);
}

void live_print_json(const struct live_rates *r, char *const *events, size_t n_events,
                     struct xcs_buf *out)
{
	struct json_t *j = xcs_json_object(), *system = xcs_json_object();
	struct json_t *processes = xcs_json_array(), *list = xcs_json_array();
	struct field s[N_SYSTEM_FIELDS], p[N_PROCESS_FIELDS];

	xcs_json_set_i64(j, "mono_ns", r->system.mono_ns);
	system_fields(&r->system, s);
	json_fields(system, s, N_SYSTEM_FIELDS);
	xcs_json_set(j, "system", system);
	for (size_t i = 0; i < r->n_processes; i++) {
		struct json_t *one = xcs_json_object();
		process_fields(&r->processes[i], p);
		xcs_json_set_i64(one, "pid", r->processes[i].pid);
		xcs_json_set_str(one, "comm", r->processes[i].comm);
		xcs_json_set_str(one, "class",
		                 p[7].v.known ? policy_name(r->processes[i].policy) : NULL);
		json_fields(one, p, N_PROCESS_FIELDS);
		xcs_json_append(processes, one);
	}
	xcs_json_set(j, "processes", processes);
	for (size_t i = 0; i < n_events; i++)
		xcs_json_append_str(list, events[i]);
	xcs_json_set(j, "events", list);
	xcs_json_write(j, 0, out);
	xcs_json_free(j);
}
