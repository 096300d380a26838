/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors.h"

#include <common/alloc.h>
#include <common/units.h>

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

void perf_add(struct perf_series *s, double v)
{
	if (s->n < ARRAY_LEN(s->v))
		s->v[s->n++] = v;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double quantile(const struct perf_series *s, double q)
{
	struct perf_series sorted = *s;

	if (!s->n)
		return NAN;
	qsort(sorted.v, sorted.n, sizeof(*sorted.v), by_value);
	double at = q * (double)(sorted.n - 1);
	size_t i = (size_t)at;
	double next = sorted.v[i + 1 < sorted.n ? i + 1 : i];
	return sorted.v[i] + (at - (double)i) * (next - sorted.v[i]);
}

double perf_median(const struct perf_series *s)
{
	return quantile(s, 0.5);
}

double perf_spread(const struct perf_series *s)
{
	return (quantile(s, 0.75) - quantile(s, 0.25)) / 2 / perf_median(s);
}

static int n_failed;

void perf_verdict(bool pass, const char *fmt, ...)
{
	va_list ap;

	printf("%s  ", pass ? "PASS" : "FAIL");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	fflush(stdout);
	n_failed += !pass;
}

int perf_n_failed(void)
{
	return n_failed;
}

static int64_t n_allocations;

int64_t perf_n_allocations(void)
{
	return n_allocations;
}

/* The linker sends our calls and those of the rooms here (--wrap). */
void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);

void *__wrap_malloc(size_t n)
{
	n_allocations++;
	return __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
	n_allocations++;
	return __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
	n_allocations++;
	return __real_realloc(p, n);
}

static void idle(int fd)
{
	char c;

	while (read(fd, &c, 1) < 0 && errno == EINTR)
		;
	_exit(0);
}

int perf_idlers_start(struct perf_idlers *idlers, size_t n)
{
	int fds[2];

	*idlers = (struct perf_idlers){.hold_fd = -1};
	if (n > ARRAY_LEN(idlers->pids) || pipe(fds))
		return -1;
	for (size_t i = 0; i < n; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			close(fds[1]);
			idle(fds[0]);
		}
		if (pid > 0)
			idlers->pids[idlers->n++] = pid;
	}
	close(fds[0]);
	idlers->hold_fd = fds[1];
	return idlers->n == n ? 0 : -1;
}

void perf_idlers_stop(struct perf_idlers *idlers)
{
	close(idlers->hold_fd);
	for (size_t i = 0; i < idlers->n; i++)
		waitpid(idlers->pids[i], NULL, 0);
	idlers->n = 0;
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	(void)sched_setaffinity(0, sizeof(set), &set);
}

struct ping_side {
	int cpu, in_fd, out_fd, go_fd, result_fd;
	int64_t run_ns;
	bool first;
};

static void play(const struct ping_side *s)
{
	struct perf_ping_result r = {0};
	struct rusage before, after;
	char c = 'p';

	pin(s->cpu);
	if (read(s->go_fd, &c, 1) < 0)
		_exit(1);
	getrusage(RUSAGE_SELF, &before);
	int64_t end_ns = xcs_mono_now_ns() + s->run_ns;
	if (s->first && write(s->out_fd, &c, 1) != 1)
		_exit(1);
	while (read(s->in_fd, &c, 1) == 1) {
		r.round_trips += s->first;
		if (s->first && (r.round_trips & 63) == 0 && xcs_mono_now_ns() >= end_ns)
			break;
		if (write(s->out_fd, &c, 1) != 1)
			break;
	}
	close(s->out_fd);
	getrusage(RUSAGE_SELF, &after);
	r.voluntary = after.ru_nvcsw - before.ru_nvcsw;
	r.involuntary = after.ru_nivcsw - before.ru_nivcsw;
	if (write(s->result_fd, &r, sizeof(r)) != (ssize_t)sizeof(r))
		_exit(1);
	/* The parent reads our counters before we end. */
	while (read(s->go_fd, &c, 1) > 0)
		;
	_exit(0);
}

int perf_ping_start(struct perf_ping *ping, int cpu_a, int cpu_b, int64_t run_ns)
{
	int ab[2], ba[2], go[2], result[2];

	if (pipe(ab) || pipe(ba) || pipe(go) || pipe(result))
		return -1;
	signal(SIGPIPE, SIG_IGN);
	for (int i = 0; i < 2; i++) {
		ping->pids[i] = fork();
		if (ping->pids[i])
			continue;
		struct ping_side s = {i ? cpu_b : cpu_a,
		                      i ? ab[0] : ba[0],
		                      i ? ba[1] : ab[1],
		                      go[0],
		                      result[1],
		                      run_ns,
		                      i == 0};
		close(go[1]);
		close(i ? ab[1] : ba[1]);
		close(i ? ba[0] : ab[0]);
		play(&s);
	}
	for (int i = 0; i < 2; i++) {
		close(ab[i]);
		close(ba[i]);
	}
	close(go[0]);
	close(result[1]);
	ping->go_fd = go[1];
	ping->result_fd = result[0];
	return ping->pids[0] > 0 && ping->pids[1] > 0 ? 0 : -1;
}

void perf_ping_go(struct perf_ping *ping)
{
	if (write(ping->go_fd, "gg", 2) != 2)
		perror("cannot start the ping-pong");
}

struct perf_ping_result perf_ping_result(struct perf_ping *ping)
{
	struct perf_ping_result sum = {0}, r;

	for (int i = 0; i < 2; i++) {
		if (read(ping->result_fd, &r, sizeof(r)) != (ssize_t)sizeof(r))
			break;
		sum.round_trips += r.round_trips;
		sum.voluntary += r.voluntary;
		sum.involuntary += r.involuntary;
	}
	return sum;
}

void perf_ping_finish(struct perf_ping *ping)
{
	close(ping->go_fd);
	close(ping->result_fd);
	for (int i = 0; i < 2; i++)
		waitpid(ping->pids[i], NULL, 0);
}
