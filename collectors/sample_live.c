/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The tool for people: vmstat and pidstat in one, for schedulers.
 */
#include "live_own.h"
#include "live_print.h"
#include "live_rates.h"
#include "sample.h"
#include "sample_find.h"

#include <collectors/observer.h>
#include <common/file.h>
#include <common/units.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A running display. */
struct live {
	const struct sample_options *o;
	struct xcs_env env;
	struct xcs_sampler *sampler;
	struct live_rates rates;
	struct xcs_buf out;
	size_t n_events_shown;
	size_t rows_left;   /* until the header comes again */
	bool has_processes; /* asked for; they may come and go */
	int64_t looked_ns;  /* for new processes */
	struct xcs_lateness late;
	int64_t missed;
	int64_t first_own[XCS_N_OBSERVER_COLUMNS];
};

static bool looks_for_processes(const struct sample_options *o)
{
	return o->comms.n || o->cgroups.n;
}

/* Adds processes of the wanted names and cgroups that are not watched yet. */
static int look(struct live *l, struct xcs_err *err)
{
	struct sample_pids pids = {0};

	if (!looks_for_processes(l->o))
		return 0;
	int rc = sample_find(&l->env, l->o, &pids, err);
	struct xcs_sampler_view v = xcs_sampler_view(l->sampler);
	for (size_t i = 0; rc == 0 && i < pids.n; i++) {
		bool known = false;
		for (size_t p = 0; p < v.n_processes; p++)
			known = known ||
			        (v.processes[p].watch.pid == pids.v[i] && !v.processes[p].ended);
		struct xcs_sampler_watch w = {.pid = pids.v[i]};
		snprintf(w.role, sizeof(w.role), "pid%d", (int)pids.v[i]);
		/* One that is gone again was not there. */
		if (!known && xcs_sampler_add(l->sampler, &w, NULL) == 0)
			v = xcs_sampler_view(l->sampler);
	}
	l->looked_ns = xcs_mono_now_ns();
	sample_pids_fini(&pids);
	return rc;
}

static int start(struct live *l, struct xcs_err *err)
{
	struct xcs_sampler_watch watch[XCS_OPTION_LIST_MAX] = {0};
	const struct sample_options *o = l->o;

	if (xcs_cpuset_count(&o->pin) && xcs_observer_pin(&o->pin, err))
		return -EINVAL;
	int rc = xcs_env_open(&l->env, err);
	for (size_t i = 0; i < o->pids.n; i++) {
		watch[i].pid = (pid_t)o->pids.v[i];
		snprintf(watch[i].role, sizeof(watch[i].role), "pid%d", o->pids.v[i]);
	}
	struct xcs_sampler_spec spec = {
	        .env = &l->env,
	        .watch = watch,
	        .n_watch = o->pids.n,
	        .cpus = &o->cpus,
	        .reads = XCS_READ_SCHED | XCS_READ_SCHEDSTAT | XCS_READ_PSI,
	};
	if (rc == 0)
		rc = xcs_sampler_new(&spec, &l->sampler, err);
	if (rc == 0)
		rc = look(l, err);
	l->has_processes = o->pids.n || looks_for_processes(o);
	return rc;
}

/* Rows of the terminal; 0 when the output is none: then one header is enough. */
static size_t screen_rows(void)
{
	struct winsize w;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_row > 3 ? w.ws_row : 0;
}

static void put_text(struct live *l)
{
	size_t rows = 1 + l->rates.n_processes, screen = screen_rows();

	if (l->rows_left < rows) {
		live_print_header(l->has_processes, &l->out);
		size_t header = 1 + (size_t)l->has_processes;
		l->rows_left = screen > header ? screen - header - 1 : SIZE_MAX;
	}
	live_print_text(&l->rates, l->has_processes, &l->out);
	l->rows_left -= rows < l->rows_left ? rows : l->rows_left;
}

/* In JSON events stand in their sample; else they go to standard error. */
static void put_events(struct live *l, const struct xcs_sampler_view *v)
{
	for (size_t i = l->n_events_shown; !l->o->json && i < v->n_events; i++)
		fprintf(stderr, "xcsbench sample: %s\n", v->events[i]);
}

static int show(struct live *l, struct xcs_err *err)
{
	struct xcs_sampler_view v = xcs_sampler_view(l->sampler);
	bool first = !l->rates.has_ticks;

	if (live_rates_step(&l->rates, &v)) {
		if (l->o->json)
			live_print_json(&l->rates, v.events + l->n_events_shown,
			                v.n_events - l->n_events_shown, &l->out);
		else if (l->o->csv)
			live_print_csv(&l->rates, &l->out);
		else
			put_text(l);
		put_events(l, &v);
		l->n_events_shown = v.n_events;
	} else if (first && l->o->csv) {
		live_print_csv_header(&l->out);
	}
	int rc = xcs_fd_write_all(STDOUT_FILENO, l->out.p, l->out.n);
	xcs_buf_clear(&l->out);
	return rc ? xcs_err_sys(err, rc, "cannot write to standard output") : 0;
}

static bool all_ended(const struct live *l)
{
	struct xcs_sampler_view v = xcs_sampler_view(l->sampler);

	if (!l->o->pids.n || looks_for_processes(l->o))
		return false;
	for (size_t p = 0; p < v.n_processes; p++)
		if (!v.processes[p].ended)
			return false;
	return true;
}

static int loop(struct live *l, struct xcs_recorder_stop *stop, struct xcs_err *err)
{
	const unsigned reads = XCS_READ_SCHED | XCS_READ_SCHEDSTAT | XCS_READ_PSI;
	int64_t next = 1, late_ns = 0, start_ns = xcs_mono_now_ns();

	xcs_sampler_take(l->sampler, reads);
	memcpy(l->first_own, xcs_sampler_view(l->sampler).observer, sizeof(l->first_own));
	int rc = show(l, err);
	for (int n = 0; rc == 0 && (!l->o->n || n < l->o->n) && !all_ended(l); n++) {
		if (!xcs_recorder_wait(stop, start_ns, l->o->interval_ns, &next, &late_ns,
		                       &l->missed))
			return 0;
		xcs_lateness_add(&l->late, late_ns);
		xcs_sampler_take(l->sampler, reads);
		xcs_sampler_check_alive(l->sampler);
		rc = show(l, err);
		if (rc == 0 && xcs_mono_now_ns() - l->looked_ns >= XCS_NS_PER_S)
			rc = look(l, err);
	}
	return rc;
}

/* What it has cost from the first sample to the last: one more object in JSON, else a
 * line on standard error. */
static int say_own_cost(struct live *l, struct xcs_err *err)
{
	struct live_own_cost c = {.missed = l->missed, .late = &l->late};

	if (!l->late.all.n_all)
		return 0;
	live_own_cost_set(&c, l->first_own, xcs_sampler_view(l->sampler).observer);
	if (!l->o->json) {
		live_print_own_text(&c, &l->out);
		fwrite(l->out.p, 1, l->out.n, stderr);
		return 0;
	}
	live_print_own_json(&c, &l->out);
	int rc = xcs_fd_write_all(STDOUT_FILENO, l->out.p, l->out.n);
	return rc ? xcs_err_sys(err, rc, "cannot write to standard output") : 0;
}

int sample_live(const struct sample_options *o, struct xcs_recorder_stop *stop, struct xcs_err *err)
{
	struct live l = {
	        .o = o, .env = {.proc_fd = -1, .sys_fd = -1}
        };
	int status = XCS_EXIT_OK;

	int rc = start(&l, err);
	if (rc == 0)
		rc = loop(&l, stop, err);
	if (rc == 0)
		rc = say_own_cost(&l, err);
	if (rc == -EPIPE)
		*err = (struct xcs_err){0}; /* the reader has seen enough */
	else if (rc)
		status = XCS_EXIT_ERROR;
	else if (stop->requested)
		status = XCS_EXIT_INTERRUPTED;
	live_rates_fini(&l.rates);
	xcs_sampler_free(l.sampler);
	xcs_buf_fini(&l.out);
	xcs_env_close(&l.env);
	return status;
}
