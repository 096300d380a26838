/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The one file that knows libproc2. Only reap and select: the library's get re-reads at
 * most once a second. Results are read as head[i].result, since the VAL macros take four
 * arguments up to 4.0.4 and three from 4.0.5 on.
 */
#include <collectors/discover.h>
#include <common/alloc.h>

#include <errno.h>
#include <libproc2/pids.h>
#include <libproc2/stat.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	PID,
	STARTED,
	TICKS,
	COMM,
	N_PIDS_ITEMS
};

static const enum pids_item pids_items[N_PIDS_ITEMS] = {
        [PID] = PIDS_ID_PID,
        [STARTED] = PIDS_TICS_BEGAN,
        [TICKS] = PIDS_TICS_ALL,
        [COMM] = PIDS_CMD,
};

static void add_process(struct xcs_process_list *out, const struct pids_stack *s)
{
	out->v = xcs_xgrow(out->v, out->n, &out->cap, sizeof(*out->v));
	struct xcs_process *p = &out->v[out->n++];
	*p = (struct xcs_process){
	        .pid = s->head[PID].result.s_int,
	        .start_ticks = (int64_t)s->head[STARTED].result.ull_int,
	        .cpu_ticks = (int64_t)s->head[TICKS].result.ull_int,
	};
	const char *comm = s->head[COMM].result.str;
	snprintf(p->comm, sizeof(p->comm), "%s", comm ? comm : "");
}

static int by_pid(const void *a, const void *b)
{
	const struct xcs_process *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

int xcs_discover_processes(struct xcs_process_list *out, struct xcs_err *err)
{
	enum pids_item items[N_PIDS_ITEMS];
	struct pids_info *info = NULL;

	for (int i = 0; i < N_PIDS_ITEMS; i++)
		items[i] = pids_items[i];
	*out = (struct xcs_process_list){0};
	int rc = procps_pids_new(&info, items, N_PIDS_ITEMS);
	if (rc < 0)
		return xcs_err_sys(err, rc, "libproc2 cannot list processes");
	struct pids_fetch *fetch = procps_pids_reap(info, PIDS_FETCH_TASKS_ONLY);
	rc = fetch ? 0 : errno ? -errno : -EIO;
	for (int i = 0; fetch && i < fetch->counts->total; i++)
		add_process(out, fetch->stacks[i]);
	procps_pids_unref(&info);
	if (rc)
		return xcs_err_sys(err, rc, "libproc2 cannot read the process list");
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), by_pid);
	return 0;
}

void xcs_process_list_fini(struct xcs_process_list *list)
{
	free(list->v);
	*list = (struct xcs_process_list){0};
}

const struct xcs_process *xcs_process_find(const struct xcs_process_list *list, pid_t pid,
                                           int64_t start_ticks)
{
	struct xcs_process key = {.pid = pid};
	const struct xcs_process *p =
	        list->n ? bsearch(&key, list->v, list->n, sizeof(*list->v), by_pid) : NULL;

	return p && p->start_ticks == start_ticks ? p : NULL;
}

enum {
	CTXT = XCS_N_STAT_TICKS,
	INTR,
	BTIME,
	FORKS,
	RUNNING,
	BLOCKED,
	N_STAT_ITEMS
};

static const enum stat_item stat_items[N_STAT_ITEMS] = {
        [XCS_STAT_USER] = STAT_TIC_USER,       [XCS_STAT_NICE] = STAT_TIC_NICE,
        [XCS_STAT_SYSTEM] = STAT_TIC_SYSTEM,   [XCS_STAT_IDLE] = STAT_TIC_IDLE,
        [XCS_STAT_IOWAIT] = STAT_TIC_IOWAIT,   [XCS_STAT_IRQ] = STAT_TIC_IRQ,
        [XCS_STAT_SOFTIRQ] = STAT_TIC_SOFTIRQ, [XCS_STAT_STEAL] = STAT_TIC_STOLEN,
        [XCS_STAT_GUEST] = STAT_TIC_GUEST,     [XCS_STAT_GUEST_NICE] = STAT_TIC_GUEST_NICE,
        [CTXT] = STAT_SYS_CTX_SWITCHES,        [INTR] = STAT_SYS_INTERRUPTS,
        [BTIME] = STAT_SYS_TIME_OF_BOOT,       [FORKS] = STAT_SYS_PROC_CREATED,
        [RUNNING] = STAT_SYS_PROC_RUNNING,     [BLOCKED] = STAT_SYS_PROC_BLOCKED,
};

static void take_stat(const struct stat_result *head, struct xcs_stat *out)
{
	*out = (struct xcs_stat){
	        .n_total_lines = 1,
	        .ctxt_total = (int64_t)head[CTXT].result.ul_int,
	        .intr_total = (int64_t)head[INTR].result.ul_int,
	        .btime_s = (int64_t)head[BTIME].result.ul_int,
	        .forks_total = (int64_t)head[FORKS].result.ul_int,
	        .procs_running = (int64_t)head[RUNNING].result.ul_int,
	        .procs_blocked = (int64_t)head[BLOCKED].result.ul_int,
	};
	for (int i = 0; i < XCS_N_STAT_TICKS; i++)
		out->all.v[i] = (int64_t)head[i].result.ull_int;
}

int xcs_discover_stat(struct xcs_stat *out, struct xcs_err *err)
{
	enum stat_item items[N_STAT_ITEMS];
	struct stat_info *info = NULL;

	for (int i = 0; i < N_STAT_ITEMS; i++)
		items[i] = stat_items[i];
	int rc = procps_stat_new(&info);
	if (rc < 0)
		return xcs_err_sys(err, rc, "libproc2 cannot read the system's counters");
	struct stat_stack *stack = procps_stat_select(info, items, N_STAT_ITEMS);
	rc = stack ? 0 : errno ? -errno : -EIO;
	if (stack)
		take_stat(stack->head, out);
	procps_stat_unref(&info);
	return rc ? xcs_err_sys(err, rc, "libproc2 cannot read the system's counters") : 0;
}
