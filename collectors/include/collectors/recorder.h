/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records a window: a baseline, then samples at absolute multiples of a period, full ones
 * at start, end and once a second, into memory that is there before the first of them.
 */
#ifndef XCS_RECORDER_H
#define XCS_RECORDER_H

#include <collectors/sampler.h>
#include <common/counters.h>

#include <signal.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * How a signal handler ends a window at once: it sets `requested` and makes the deadline 0,
 * so that a wait which has not begun yet ends too. One such object lives in main.
 */
struct xcs_recorder_stop {
	volatile sig_atomic_t requested;
	volatile sig_atomic_t is_planned; /* what the window was to last until has come */
	struct timespec wake_at;          /* of the running wait, CLOCK_MONOTONIC */
};

void xcs_recorder_request_stop(struct xcs_recorder_stop *stop); /* safe in a handler */

/*
 * Waits for start_ns + k * period_ns with the least k >= *next that is not over yet; *next
 * becomes k + 1, *missed grows by the k that were over. Returns false when stopped.
 */
bool xcs_recorder_wait(struct xcs_recorder_stop *stop, int64_t start_ns, int64_t period_ns,
                       int64_t *next, int64_t *late_ns, int64_t *missed);

struct xcs_recorder_page {
	const char *role;
	const struct xcs_counters_page *page;
};

struct xcs_recorder_spec {
	int64_t period_ns;
	int64_t n_samples; /* after the baseline; 0: until stopped */
	const struct xcs_recorder_page *pages;
	size_t n_pages;
	struct xcs_recorder_stop *stop;
	int begun_fd; /* is told "begun" when the baseline was taken; 0: nobody is */
};

/*
 * Records into *trial (zeroed before; the caller frees it also after an early end). Its
 * tasks, events, pages and period are set, cpus and observer_class are the caller's.
 * Returns true when all samples were taken or the end was planned, false when it was
 * stopped. The last sample is a full one in any case.
 */
bool xcs_recorder_run(struct xcs_sampler *s, const struct xcs_recorder_spec *spec,
                      struct xcs_trial_data *trial);

#ifdef __cplusplus
}
#endif
#endif
