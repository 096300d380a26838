/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Inside the benchmark of the reports: records made up for it, and runs of a program on them.
 */
#ifndef XCS_PERF_REPORTS_H
#define XCS_PERF_REPORTS_H

#include <common/err.h>

#include <stdint.h>

struct perf_record {
	const char *dir;
	const char *kernel; /* release */
	int boot;           /* each boot is a day later than the one before */
	int n_trials;       /* of one cell, the first not a warm-up */
	int n_samples;
	int64_t period_ns;
};

/* Writes a record through the writers of record/: a server and four clients with feeders,
 * in steady work with a little jitter. Returns 0 or -errno. */
int perf_record_write(const struct perf_record *r, struct xcs_err *err) XCS_MUST_CHECK;

struct perf_usage {
	double real_s, cpu_s, rss_mb; /* rss_mb: the largest it had */
	int status;                   /* of exit; 128 + signal */
	int n_sentences;              /* lines on standard error */
};

/* Runs a program to its end, standard output thrown away. Returns 0 or -errno. */
int perf_run(const char *const *argv, struct perf_usage *usage, struct xcs_err *err) XCS_MUST_CHECK;

#endif
