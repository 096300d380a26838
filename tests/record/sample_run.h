/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A run as the runner would leave it, with figures that a test can predict: the load's
 * CPU is one, the window 5 s in 5 samples, each rate exactly what struct sample_rates says.
 */
#ifndef SAMPLE_RUN_H
#define SAMPLE_RUN_H

#include <record/run.h>
#include <record/trial.h>

struct sample_rates {
	int64_t cs, x_vol, x_invol; /* per s */
	int64_t x_cpu_pct, client_cpu_pct, feeder_cpu_pct;
	int64_t lines;  /* of each feeder, per s; 0: its page does not say */
	int64_t frames; /* of each client, per s; 0: it has no page */
	int n_clients;
	bool whole_machine; /* ticks of all CPUs too, not only of the load's */
};

void sample_trial_init(struct xcs_trial_data *t, const struct sample_rates *rates);

/* Loads "xterm" and "flood", nice 0, -10 and 10, a warm-up and three trials of each cell. */
void sample_run_init(struct xcs_run *run);

/* The rates of a trial of that run: cells differ, trials of a cell by up to 1 %. */
struct sample_rates sample_rates_of(const struct xcs_run *run, size_t trial);

/* Saves the run and all its trials' files below dir, which is made. */
void sample_run_write(const struct xcs_run *run, const char *dir);

#endif
