/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `xcsbench sample` shows of one interval: rates between two samples. Unknown stays
 * unknown.
 */
#ifndef XCS_LIVE_RATES_H
#define XCS_LIVE_RATES_H

#include <collectors/sampler.h>
#include <collectors/stat.h>

struct live_system {
	int64_t mono_ns, dt_ns;
	struct xcs_num runnable, blocked; /* gauges, our own reading task left out */
	struct xcs_num cs, task, intr;    /* per s */
	struct xcs_num cs_net;   /* cs less two per switch of the sampler: to it and away */
	struct xcs_num intr_net; /* intr less one per interval: the timer that woke it */
	struct xcs_num pct[XCS_STAT_GUEST]; /* us ni sy id wa hi si st over >= 1 s */
	struct xcs_num psi_pct;             /* time in which some task waited for a CPU */
	struct xcs_num own_cpu_pct, own_cs; /* of the sampler */
};

struct live_process {
	pid_t pid;
	const char *comm;                    /* borrowed from the sampler */
	struct xcs_num vcs, ics, migrations; /* per s, threads summed */
	struct xcs_num cpu_pct, delay_pct;   /* of one CPU; of time, summed over threads */
	struct xcs_num delay_us;             /* per timeslice */
	struct xcs_num nice, policy;         /* of the main thread */
	size_t n_threads, n_started, n_ended;
};

struct live_rates {
	struct live_system system;
	struct live_process *processes; /* owned; without those first seen in this sample */
	size_t n_processes, cap_processes;
	/* The sample before. */
	int64_t was_system[XCS_N_SYSTEM_COLUMNS], was_observer[XCS_N_OBSERVER_COLUMNS];
	int64_t was_ticks[XCS_STAT_GUEST], was_ticks_ns; /* the last one >= 1 s ago */
	struct xcs_sampler_task *was;                    /* owned */
	size_t n_was, cap_was;
	size_t n_was_processes;
	bool has_ticks;
};

/* Takes the newest sample in; true when there was one before and the rates are set. */
bool live_rates_step(struct live_rates *r, const struct xcs_sampler_view *v);
void live_rates_fini(struct live_rates *r);

#endif
