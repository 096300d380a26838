/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The sampler: kept-open files, read in place. A sample whose threads are all known does
 * one pread per file and one getrusage, allocates nothing and writes nothing. Counters are
 * rows in the columns of record/trial.h; what was not read in this sample is XCS_ABSENT.
 */
#ifndef XCS_SAMPLER_H
#define XCS_SAMPLER_H

#include <common/cpuset.h>
#include <common/env.h>
#include <record/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_sampler; /* owns its descriptors */

struct xcs_sampler_watch {
	char role[32];
	pid_t pid;
};

/* What a sample reads besides /proc/stat. */
enum xcs_sampler_reads {
	XCS_READ_SCHEDSTAT = 1,
	XCS_READ_SCHED = 2, /* where this kernel has none: status */
	XCS_READ_PSI = 4,
	XCS_READ_IO = 8,
	/* Tick-sampled CPU time of each thread, where taskstats may be asked (CAP_NET_ADMIN).
	 * Two calls a thread: for the ends of a window. */
	XCS_READ_TICKS = 16,
	XCS_READ_FAST = XCS_READ_SCHEDSTAT,
	XCS_READ_FULL = XCS_READ_SCHEDSTAT | XCS_READ_SCHED | XCS_READ_PSI | XCS_READ_IO,
};

struct xcs_sampler_spec {
	const struct xcs_env *env; /* outlives the sampler */
	const struct xcs_sampler_watch *watch;
	size_t n_watch;
	const struct xcs_cpuset *cpus; /* of the load, for the set_* columns; or NULL */
	unsigned reads;                /* all that will ever be asked for */
};

struct xcs_sampler_process {
	struct xcs_sampler_watch watch;
	char comm[64];
	bool ended;
	size_t main_task; /* index of its main thread */
	size_t n_live;    /* threads being read */
	int64_t io[XCS_N_IO_COLUMNS];
};

struct xcs_sampler_task {
	struct xcs_trial_task id;
	size_t process;
	bool ended; /* `now` then holds the last counts */
	int64_t now[XCS_N_TASK_COLUMNS];
};

/* The newest sample. Borrowed: valid until the next take. Indices never change. */
struct xcs_sampler_view {
	const int64_t *system, *observer;
	const struct xcs_sampler_process *processes;
	size_t n_processes;
	const struct xcs_sampler_task *tasks;
	size_t n_tasks;
	char *const *events; /* sentences since the start; the sampler keeps them */
	size_t n_events;
};

/*
 * Opens everything and reads all threads once. Returns 0 or -errno (-ESRCH: a watched
 * process does not exist); on success xcs_sampler_free frees *out (NULL is fine).
 */
int xcs_sampler_new(const struct xcs_sampler_spec *spec, struct xcs_sampler **out,
                    struct xcs_err *err) XCS_MUST_CHECK;
void xcs_sampler_free(struct xcs_sampler *s);

/* Takes a sample of these reads. Ended and new threads and processes become events. */
void xcs_sampler_take(struct xcs_sampler *s, unsigned reads);

/* Asks every process's pidfd whether it has ended: zombies still have readable counters. */
void xcs_sampler_check_alive(struct xcs_sampler *s);

/* Starts to watch one more process; -errno when it is gone already. */
int xcs_sampler_add(struct xcs_sampler *s, const struct xcs_sampler_watch *watch,
                    struct xcs_err *err) XCS_MUST_CHECK;

struct xcs_sampler_view xcs_sampler_view(const struct xcs_sampler *s);

#ifdef __cplusplus
}
#endif
#endif
