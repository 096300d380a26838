/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A run with its samples read: the figures of each trial, and their median and spread per
 * cell over the measured trials that came out well.
 */
#ifndef XCS_SUMMARY_H
#define XCS_SUMMARY_H

#include <reports/figures.h>
#include <reports/stats.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_trial_summary {
	bool sampled;  /* figures are there */
	char *problem; /* why its file cannot be read; owned, as are the events */
	struct xcs_figures figures;
	char **events; /* of the sampler, and counters that fell */
	size_t n_events;
};

struct xcs_cell_summary {
	size_t n_counted; /* measured, ok, and sampled or timed: what the figures are made of */
	size_t n_void, n_failed;
	struct xcs_spread v[XCS_N_METRICS];
	struct xcs_spread lines_read, lines_fed, agreement_pct; /* of rchar against the feeders */
	enum xcs_lines_source lines_source;
	struct xcs_spread acct_tick_s[XCS_N_ACCT], acct_exact_s[XCS_N_ACCT];
};

struct xcs_observer_summary {
	char *class_name; /* scheduling class; "several" when trials differ */
	int64_t period_ns;
	int64_t *late_ns; /* ascending, of all counted trials */
	size_t n_late;
	struct xcs_num missed; /* samples, all counted trials */
	struct xcs_spread cpu, switches;
};

struct xcs_summary {
	struct xcs_run run; /* owned */
	char *dir;
	struct xcs_trial_summary *trials; /* run.n_trials */
	struct xcs_cell_summary *cells;   /* run.n_cells */
	struct xcs_observer_summary observer;
	size_t n_unreadable; /* trials whose file is missing or damaged */
};

/*
 * Reads the run in `dir` and all its samples. A trial whose file cannot be read is left out
 * and says why in `problem`; only a run.json that cannot be read is an error (-errno).
 */
int xcs_summary_load(struct xcs_summary *s, const char *dir, struct xcs_err *err) XCS_MUST_CHECK;
void xcs_summary_fini(struct xcs_summary *s);

/* True when trial i is one that the cell's figures are made of. */
bool xcs_summary_counts(const struct xcs_summary *s, size_t i);

#ifdef __cplusplus
}
#endif
#endif
