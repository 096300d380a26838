/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The sampler of one trial, a child: xcs-sample opens all it will read, holds, and starts
 * its window on our word.
 */
#ifndef SAMPLER_H
#define SAMPLER_H

#include <display/watch.h>
#include <load/beside.h>
#include <load/load.h>

struct sampler_spec {
	const char *file; /* the trial's samples, written at the end of the window */
	const struct load *load;
	const struct beside *beside;
	const struct xserver *server;
	const struct xcs_cpuset *load_cpus, *observer_cpus;
	int64_t period_ns;
	int n_samples;   /* of its window, at most */
	pid_t timer_pid; /* of hyperfine, role "timer"; 0: none */
	struct watch *watch;
};

struct sampler {
	struct xcs_child child;
	int in_fd, out_fd, err_fd; /* its standard streams */
	const struct sampler_spec *spec;
};

/* Starts it and waits until it holds. Returns 0 or -errno; sampler_stop must follow. */
int sampler_start(struct sampler *s, const struct sampler_spec *spec,
                  struct xcs_err *err) XCS_MUST_CHECK;

/*
 * Begins the window and waits for its end. *event tells what cut it short (WATCH_DEADLINE:
 * nothing did). Returns 0 or -errno (its sentence is then the sampler's own).
 */
int sampler_run(struct sampler *s, enum watch_event *event, struct xcs_err *err) XCS_MUST_CHECK;

/*
 * For a window that ends when something else does: sampler_begin returns when the baseline
 * was taken, and sampler_end has the sampler take its last, full sample now and save.
 * *event as above; 0 or -errno.
 */
int sampler_begin(struct sampler *s, enum watch_event *event, struct xcs_err *err) XCS_MUST_CHECK;
int sampler_end(struct sampler *s, enum watch_event *event, struct xcs_err *err) XCS_MUST_CHECK;

void sampler_stop(struct sampler *s);

#endif
