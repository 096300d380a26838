/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "figures_private.h"

#include <common/alloc.h>
#include <common/units.h>
#include <reports/figures.h>
#include <reports/stats.h>

#include <stdlib.h>
#include <string.h>

#define PCT_OF_NS (100.0 / 1e9) /* ns per second to per cent */

/* The sum of the roles' rates: each over its own time. Unknown when one of them is. */
static struct xcs_num class_rate(const struct xcs_window *w, enum xcs_window_class class_id,
                                 enum xcs_window_counter c)
{
	struct xcs_num sum = {0};
	bool first = true;

	for (size_t i = 0; i < w->n_roles; i++) {
		const struct xcs_window_role *role = &w->roles[i];
		if (role->class_id != class_id || !role->n_threads)
			continue;
		struct xcs_num rate = xcs_rate_per_s(role->delta[c], role->dt_ns);
		sum = first ? rate : xcs_num_plus(sum, rate);
		first = false;
	}
	return sum;
}

static struct xcs_num page_rate(const struct xcs_window_role *role, enum xcs_counter c)
{
	return xcs_rate_per_s(role->counter[c], role->counter_dt_ns);
}

/* As class_rate, over counter pages; *n is the number of roles that have one. */
static struct xcs_num class_page_rate(const struct xcs_window *w, enum xcs_window_class class_id,
                                      enum xcs_counter c, int *n)
{
	struct xcs_num sum = {0};

	*n = 0;
	for (size_t i = 0; i < w->n_roles; i++) {
		const struct xcs_window_role *role = &w->roles[i];
		if (role->class_id != class_id || role->counter_dt_ns == XCS_ABSENT)
			continue;
		struct xcs_num rate = page_rate(role, c);
		sum = *n ? xcs_num_plus(sum, rate) : rate;
		(*n)++;
	}
	return sum;
}

/* A feeder and the command that it runs are one: what is behind one terminal. */
static int n_roles_of(const struct xcs_window *w, enum xcs_window_class class_id)
{
	int n = 0;

	for (size_t i = 0; i < w->n_roles; i++)
		n += w->roles[i].class_id == class_id && w->roles[i].n_threads > 0 &&
		     strncmp(w->roles[i].role, "command", 7) != 0;
	return n;
}

static struct xcs_num mean_cpu(const struct xcs_window *w, enum xcs_window_class class_id)
{
	int n = n_roles_of(w, class_id);
	struct xcs_num cpu = xcs_num_times(class_rate(w, class_id, XCS_WINDOW_EXEC_NS), PCT_OF_NS);

	return xcs_num_ratio(cpu, xcs_num_of(n));
}

static void system_figures(struct xcs_figures *f, const struct xcs_window *w)
{
	struct xcs_num reader = xcs_num_of(1);

	f->v[XCS_METRIC_CS] = xcs_rate_per_s(w->ctxt, w->dt_ns);
	f->v[XCS_METRIC_INTR] = xcs_rate_per_s(w->intr, w->dt_ns);
	f->v[XCS_METRIC_RUNNABLE] = xcs_num_minus(w->running, reader);
	f->v[XCS_METRIC_OBSERVER_CPU] =
	        xcs_num_times(xcs_rate_per_s(w->observer_cpu_ns, w->observer_dt_ns), PCT_OF_NS);
	f->v[XCS_METRIC_OBSERVER_CS] = xcs_rate_per_s(w->observer_switches, w->observer_dt_ns);
	/* Each of its switches is one to it and one away from it. */
	f->v[XCS_METRIC_CS_NET] =
	        xcs_num_minus(f->v[XCS_METRIC_CS], xcs_num_times(f->v[XCS_METRIC_OBSERVER_CS], 2));
	f->v[XCS_METRIC_INTR_NET] = xcs_num_minus(
	        f->v[XCS_METRIC_INTR], xcs_rate_per_s(w->observer_wakeups, w->observer_dt_ns));
	f->v[XCS_METRIC_FOREIGN_CPU] = w->foreign_pct;
}

static void tick_figures(struct xcs_figures *f, const struct xcs_window *w)
{
	static const enum xcs_metric_id ids[XCS_N_WINDOW_TICKS] = {
	        [XCS_WINDOW_US] = XCS_METRIC_US, [XCS_WINDOW_SY] = XCS_METRIC_SY,
	        [XCS_WINDOW_NI] = XCS_METRIC_NI, [XCS_WINDOW_ID] = XCS_METRIC_ID,
	        [XCS_WINDOW_WA] = XCS_METRIC_WA, [XCS_WINDOW_HI] = XCS_METRIC_HI,
	        [XCS_WINDOW_SI] = XCS_METRIC_SI, [XCS_WINDOW_ST] = XCS_METRIC_ST,
	};
	double all = 0;

	for (int i = 0; i < XCS_N_WINDOW_TICKS; i++)
		if (w->ticks[i] != XCS_ABSENT)
			all += (double)w->ticks[i];
	if (w->all_ticks != XCS_ABSENT)
		all = (double)w->all_ticks;
	for (int i = 0; i < XCS_N_WINDOW_TICKS; i++)
		if (w->ticks[i] != XCS_ABSENT && all > 0)
			f->v[ids[i]] = xcs_num_of(100 * (double)w->ticks[i] / all);
}

static void server_figures(struct xcs_figures *f, const struct xcs_window *w)
{
	static const enum xcs_window_class server = XCS_CLASS_SERVER;
	struct xcs_num delay = class_rate(w, server, XCS_WINDOW_RUN_DELAY_NS);
	struct xcs_num slices = class_rate(w, server, XCS_WINDOW_TIMESLICES);

	f->v[XCS_METRIC_SERVER_VCS] = class_rate(w, server, XCS_WINDOW_VOLUNTARY);
	f->v[XCS_METRIC_SERVER_ICS] = class_rate(w, server, XCS_WINDOW_INVOLUNTARY);
	f->v[XCS_METRIC_SERVER_CPU] =
	        xcs_num_times(class_rate(w, server, XCS_WINDOW_EXEC_NS), PCT_OF_NS);
	f->v[XCS_METRIC_SERVER_RUN_DELAY] = xcs_num_times(xcs_num_ratio(delay, slices), 1e-3);
	f->v[XCS_METRIC_SERVER_RUN_DELAY_PCT] = xcs_num_times(delay, PCT_OF_NS);
	f->v[XCS_METRIC_SERVER_TIMESLICES] = slices;
	f->v[XCS_METRIC_SERVER_MIGRATIONS] = class_rate(w, server, XCS_WINDOW_MIGRATIONS);
}

static void compositor_figures(struct xcs_figures *f, const struct xcs_window *w)
{
	static const enum xcs_window_class compositor = XCS_CLASS_COMPOSITOR;
	struct xcs_num delay = class_rate(w, compositor, XCS_WINDOW_RUN_DELAY_NS);
	struct xcs_num slices = class_rate(w, compositor, XCS_WINDOW_TIMESLICES);

	f->v[XCS_METRIC_COMPOSITOR_VCS] = class_rate(w, compositor, XCS_WINDOW_VOLUNTARY);
	f->v[XCS_METRIC_COMPOSITOR_ICS] = class_rate(w, compositor, XCS_WINDOW_INVOLUNTARY);
	f->v[XCS_METRIC_COMPOSITOR_CPU] =
	        xcs_num_times(class_rate(w, compositor, XCS_WINDOW_EXEC_NS), PCT_OF_NS);
	f->v[XCS_METRIC_COMPOSITOR_RUN_DELAY] = xcs_num_times(xcs_num_ratio(delay, slices), 1e-3);
	f->v[XCS_METRIC_COMPOSITOR_RUN_DELAY_PCT] = xcs_num_times(delay, PCT_OF_NS);
}

static void load_figures(struct xcs_figures *f, const struct xcs_window *w)
{
	f->v[XCS_METRIC_CLIENT_VCS] = class_rate(w, XCS_CLASS_CLIENT, XCS_WINDOW_VOLUNTARY);
	f->v[XCS_METRIC_CLIENT_ICS] = class_rate(w, XCS_CLASS_CLIENT, XCS_WINDOW_INVOLUNTARY);
	f->v[XCS_METRIC_CLIENT_CPU] = mean_cpu(w, XCS_CLASS_CLIENT);
	f->v[XCS_METRIC_FEEDER_VCS] = class_rate(w, XCS_CLASS_FEEDER, XCS_WINDOW_VOLUNTARY);
	f->v[XCS_METRIC_FEEDER_ICS] = class_rate(w, XCS_CLASS_FEEDER, XCS_WINDOW_INVOLUNTARY);
	f->v[XCS_METRIC_FEEDER_CPU] = mean_cpu(w, XCS_CLASS_FEEDER);
}

/* Of everybody who was watched; one class that is unknown makes it unknown. */
static struct xcs_num all_rate(const struct xcs_window *w, enum xcs_window_counter counter)
{
	struct xcs_num sum = {0};
	bool first = true;

	for (int c = 0; c < XCS_N_CLASSES; c++) {
		if (!w->classes[c].n_threads)
			continue;
		struct xcs_num rate = class_rate(w, (enum xcs_window_class)c, counter);
		sum = first ? rate : xcs_num_plus(sum, rate);
		first = false;
	}
	return sum;
}

/* Ten ticks at HZ 100. Below, one tick more or less is an error of 10 % and says nothing. */
#define ACCT_EXEC_NS_MIN (100 * XCS_NS_PER_MS)

static struct xcs_num acct_error(int64_t tick_ns, int64_t exec_ns)
{
	if (tick_ns == XCS_ABSENT || exec_ns == XCS_ABSENT || exec_ns < ACCT_EXEC_NS_MIN)
		return (struct xcs_num){0};
	return xcs_num_of(100 * ((double)tick_ns - (double)exec_ns) / (double)exec_ns);
}

static void accounting_figures(struct xcs_figures *f, const struct xcs_window *w)
{
	static const enum xcs_metric_id ids[] = {
	        [XCS_CLASS_SERVER] = XCS_METRIC_SERVER_ACCT_ERROR,
	        [XCS_CLASS_CLIENT] = XCS_METRIC_CLIENT_ACCT_ERROR,
	        [XCS_CLASS_FEEDER] = XCS_METRIC_FEEDER_ACCT_ERROR,
	};
	int64_t tick_ns = 0, exec_ns = 0;

	for (int c = 0; c < XCS_N_CLASSES; c++) {
		const struct xcs_window_role *role = &w->classes[c];
		if (role->tick_ns == XCS_ABSENT || role->tick_exec_ns == XCS_ABSENT)
			continue;
		tick_ns += role->tick_ns;
		exec_ns += role->tick_exec_ns;
		if (c <= XCS_CLASS_FEEDER && c != XCS_CLASS_COMPOSITOR)
			f->v[ids[c]] = acct_error(role->tick_ns, role->tick_exec_ns);
	}
	f->v[XCS_METRIC_ACCT_ERROR] = acct_error(tick_ns, exec_ns);
}

static void watched_figures(struct xcs_figures *f, const struct xcs_window *w)
{
	struct xcs_num cpu = xcs_num_times(all_rate(w, XCS_WINDOW_EXEC_NS), PCT_OF_NS);

	f->v[XCS_METRIC_CS_TASK] = all_rate(w, XCS_WINDOW_SWITCHES);
	f->v[XCS_METRIC_WATCHED_CPU] = xcs_num_ratio(cpu, xcs_num_of(w->n_cpus));
}

/*
 * Bytes that the clients read per line. The line discipline turns the newline into two
 * bytes: "y\n" of yes(1) is read as three; of our own lines the feeder counts the bytes.
 */
static struct xcs_num bytes_per_line(const struct xcs_window *w, const struct xcs_run_load *load)
{
	int n_lines, n_bytes;

	if (load->feeder && strcmp(load->feeder, "yes") == 0)
		return xcs_num_of(3);
	struct xcs_num lines = class_page_rate(w, XCS_CLASS_FEEDER, XCS_COUNTER_LINES, &n_lines);
	struct xcs_num bytes =
	        class_page_rate(w, XCS_CLASS_FEEDER, XCS_COUNTER_BYTES_OUT, &n_bytes);
	return xcs_num_plus(xcs_num_ratio(bytes, lines), xcs_num_of(1));
}

static struct xcs_num read_rate(const struct xcs_window *w, int n_clients)
{
	struct xcs_num sum = {0};
	int n = 0;

	for (size_t i = 0; i < w->n_roles; i++) {
		const struct xcs_window_role *role = &w->roles[i];
		if (role->class_id != XCS_CLASS_CLIENT || role->io_dt_ns == XCS_ABSENT)
			continue;
		struct xcs_num rate = xcs_rate_per_s(role->rchar_bytes, role->io_dt_ns);
		sum = n ? xcs_num_plus(sum, rate) : rate;
		n++;
	}
	return n == n_clients ? sum : (struct xcs_num){0};
}

/* Lines/s of client `i` by the source that all of them have. */
static struct xcs_num one_clients_lines(const struct xcs_window *w, enum xcs_lines_source source,
                                        int i)
{
	char *name = xcs_xasprintf(source == XCS_LINES_FEEDER ? "feeder%d" : "client%d", i);
	const struct xcs_window_role *role = xcs_window_role(w, name);
	struct xcs_num rate = {0};

	if (role && source == XCS_LINES_READ)
		rate = xcs_rate_per_s(role->rchar_bytes, role->io_dt_ns);
	else if (role)
		rate = page_rate(role, XCS_COUNTER_LINES);
	free(name);
	return rate;
}

static struct xcs_num fairness(const struct xcs_window *w, enum xcs_lines_source source,
                               int n_clients)
{
	double *v = xcs_xcalloc((size_t)n_clients, sizeof(*v));
	struct xcs_num result = {0};
	int n = 0;

	for (; n < n_clients; n++) {
		struct xcs_num rate = one_clients_lines(w, source, n);
		if (!rate.known)
			break;
		v[n] = rate.v;
	}
	if (n == n_clients)
		result = xcs_jain(v, (size_t)n);
	free(v);
	return result;
}

/*
 * Terminals on VTE keep their scrollback in a file and read it back: rchar of gnome-terminal
 * 3.46 was 3.7 times the bytes of its pty. The feeder's count, coarse as it is, tells.
 */
static bool reads_more_than_its_pty(const struct xcs_figures *f, const struct xcs_run_load *load)
{
	return load->terminal && f->lines_fed.known && f->lines_read.known &&
	       f->lines_read.v > 1.1 * f->lines_fed.v;
}

static void line_figures(struct xcs_figures *f, const struct xcs_window *w,
                         const struct xcs_run_load *load)
{
	int n_fed, n_drawn;
	struct xcs_num fed = class_page_rate(w, XCS_CLASS_FEEDER, XCS_COUNTER_LINES, &n_fed);
	struct xcs_num drawn = class_page_rate(w, XCS_CLASS_CLIENT, XCS_COUNTER_LINES, &n_drawn);

	f->lines_read = xcs_num_ratio(read_rate(w, load->n_clients), bytes_per_line(w, load));
	if (n_fed == load->n_clients)
		f->lines_fed = fed;
	if (drawn.known && n_drawn == load->n_clients)
		f->lines_source = XCS_LINES_CLIENT;
	else if (f->lines_read.known && !reads_more_than_its_pty(f, load))
		f->lines_source = XCS_LINES_READ;
	else if (f->lines_fed.known)
		f->lines_source = XCS_LINES_FEEDER;
	const struct xcs_num by_source[] = {{0}, drawn, f->lines_read, f->lines_fed};
	f->v[XCS_METRIC_LINES] = by_source[f->lines_source];
	f->v[XCS_METRIC_LINES_PER_CLIENT] =
	        xcs_num_ratio(f->v[XCS_METRIC_LINES], xcs_num_of(load->n_clients));
	if (f->lines_source != XCS_LINES_UNKNOWN)
		f->v[XCS_METRIC_FAIRNESS] = fairness(w, f->lines_source, load->n_clients);
}

static void drawing_figures(struct xcs_figures *f, const struct xcs_window *w)
{
	static const enum xcs_window_class client = XCS_CLASS_CLIENT;
	int n;
	struct xcs_num drawn = class_page_rate(w, client, XCS_COUNTER_LINES, &n);
	struct xcs_num trips = class_page_rate(w, client, XCS_COUNTER_ROUND_TRIPS, &n);
	struct xcs_num waited = class_page_rate(w, client, XCS_COUNTER_ROUND_TRIP_NS, &n);

	f->v[XCS_METRIC_FRAMES] = class_page_rate(w, client, XCS_COUNTER_FRAMES, &n);
	f->v[XCS_METRIC_LINES_PER_FRAME] = xcs_num_ratio(drawn, f->v[XCS_METRIC_FRAMES]);
	f->v[XCS_METRIC_REQUESTS] = class_page_rate(w, client, XCS_COUNTER_REQUESTS, &n);
	f->v[XCS_METRIC_REQUESTS_PER_WAKEUP] =
	        xcs_num_ratio(f->v[XCS_METRIC_REQUESTS], f->v[XCS_METRIC_SERVER_TIMESLICES]);
	f->v[XCS_METRIC_ROUND_TRIP] = xcs_num_times(xcs_num_ratio(waited, trips), 1e-3);
}

void xcs_figures_of(struct xcs_figures *f, const struct xcs_window *w,
                    const struct xcs_run_load *load)
{
	*f = (struct xcs_figures){0};
	system_figures(f, w);
	tick_figures(f, w);
	server_figures(f, w);
	compositor_figures(f, w);
	load_figures(f, w);
	watched_figures(f, w);
	accounting_figures(f, w);
	line_figures(f, w, load);
	drawing_figures(f, w);
	xcs_hog_figures(f, w);
	xcs_beside_figures(f, w);
	xcs_account_figures(f, w);
}
