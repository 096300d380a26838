/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Inside the benchmark of the collectors: what the parts of one run share.
 */
#ifndef XCS_PERF_COLLECTORS_H
#define XCS_PERF_COLLECTORS_H

#include <collectors/recorder.h>
#include <common/env.h>

#define PERF_N_WATCHED 11

/* Values of rounds; medians are taken of them. */
struct perf_series {
	double v[256];
	size_t n;
};

void perf_add(struct perf_series *s, double v);
double perf_median(const struct perf_series *s); /* NaN when empty */
/* Half-width of the interval between the quartiles, as a share of the median. */
double perf_spread(const struct perf_series *s);

/* Prints "PASS name: value (target)" or FAIL and counts failures. */
void perf_verdict(bool pass, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int perf_n_failed(void);

/* Children that do nothing until the parent closes their pipe. */
struct perf_idlers {
	pid_t pids[256];
	size_t n;
	int hold_fd;
};

int perf_idlers_start(struct perf_idlers *idlers, size_t n);
void perf_idlers_stop(struct perf_idlers *idlers);

/* Two processes that pass a byte to and fro until the deadline; as children, held at a
 * starting line. */
struct perf_ping {
	pid_t pids[2];
	int go_fd, result_fd;
};

struct perf_ping_result {
	int64_t round_trips;
	int64_t voluntary, involuntary; /* of getrusage, both processes */
};

int perf_ping_start(struct perf_ping *ping, int cpu_a, int cpu_b, int64_t run_ns);
void perf_ping_go(struct perf_ping *ping);
struct perf_ping_result perf_ping_result(struct perf_ping *ping); /* waits; both still live */
void perf_ping_finish(struct perf_ping *ping);

/* Allocations made so far by this program and the libraries linked into it. */
int64_t perf_n_allocations(void);

/* A process that samples and prints nothing: mode is fast, full, all, bare-fast, bare-full.
 * Returns an exit status. */
int perf_subject(const char *mode, int64_t period_ns, int n_samples, const pid_t *pids, size_t n);

/* The parts of the benchmark; each prints its table and verdicts. */
struct perf_plan {
	const char *self; /* path of this program */
	int n_rounds, n_samples;
	const char *plot;   /* SVG to write, or NULL */
	int cpu, other_cpu; /* other_cpu -1: there is only one */
};

void perf_say_quiet(void);
void perf_cost(const struct perf_plan *plan);
void perf_warm(const struct perf_plan *plan);
void perf_growth(const struct perf_plan *plan);
void perf_disturbance(const struct perf_plan *plan);
void perf_accuracy(const struct perf_plan *plan);

#endif
