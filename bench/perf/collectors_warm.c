/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Warm costs, in one process and without sleeping: what our code adds to the bare preads,
 * and how a sample grows with threads and processes.
 */
#include "collectors.h"
#include "plot.h"

#include <collectors/stat.h>
#include <common/alloc.h>
#include <common/child.h>
#include <common/file.h>
#include <common/units.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define BATCH 100

static char sink[1 << 17];

/* The files of a sample, read and not looked at. */
struct bare {
	int fds[4096];
	size_t n;
};

static void bare_open(struct bare *b, const struct xcs_env *env, const pid_t *pids, size_t n)
{
	b->n = 0;
	b->fds[b->n++] = openat(env->proc_fd, "stat", O_RDONLY);
	for (size_t i = 0; i < n; i++) {
		char rel[64];
		snprintf(rel, sizeof(rel), "%d/task/%d/sched", (int)pids[i], (int)pids[i]);
		b->fds[b->n++] = openat(env->proc_fd, rel, O_RDONLY);
	}
}

static void bare_close(struct bare *b)
{
	for (size_t i = 0; i < b->n; i++)
		close(b->fds[i]);
}

static bool bare_read(const struct bare *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (pread(b->fds[i], sink, sizeof(sink), 0) <= 0)
			return false;
	return true;
}

static int64_t own_cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * XCS_NS_PER_S + t.tv_nsec;
}

static struct xcs_sampler *make_sampler(const struct xcs_env *env, unsigned reads,
                                        const pid_t *pids, size_t n)
{
	struct xcs_sampler_watch *watch = xcs_xcalloc(n, sizeof(*watch));
	struct xcs_sampler *s = NULL;

	for (size_t i = 0; i < n; i++)
		watch[i] = (struct xcs_sampler_watch){.role = "subject", .pid = pids[i]};
	struct xcs_sampler_spec spec = {.env = env, .watch = watch, .n_watch = n, .reads = reads};
	struct xcs_err err = {0};
	if (xcs_sampler_new(&spec, &s, &err))
		fprintf(stderr, "%s\n", err.text);
	free(watch);
	return s;
}

void perf_warm(const struct perf_plan *plan)
{
	static struct bare bare;
	struct perf_idlers idlers;
	struct perf_series ratio = {0}, ours = {0};
	struct xcs_env env;

	if (xcs_env_open(&env, NULL) || perf_idlers_start(&idlers, PERF_N_WATCHED))
		return;
	bare_open(&bare, &env, idlers.pids, idlers.n);
	struct xcs_sampler *s = make_sampler(&env, XCS_READ_SCHED, idlers.pids, idlers.n);
	for (int r = 0; s && r < 20 * plan->n_rounds; r++) {
		int64_t t0 = own_cpu_ns();
		for (int i = 0; i < BATCH && bare_read(&bare); i++)
			;
		int64_t t1 = own_cpu_ns();
		for (int i = 0; i < BATCH; i++)
			xcs_sampler_take(s, XCS_READ_SCHED);
		int64_t t2 = own_cpu_ns();
		perf_add(&ratio, (double)(t2 - t1) / (double)(t1 - t0));
		perf_add(&ours, (double)(t2 - t1) / BATCH / 1e3);
	}
	double m = perf_median(&ratio);
	printf("\nwarm full sample: %.1f us\n", perf_median(&ours));
	perf_verdict(m <= 1.10, "warm full sample / bare preads of the same files %.3f (<= 1.10)",
	             m);
	xcs_sampler_free(s);
	bare_close(&bare);
	perf_idlers_stop(&idlers);
	xcs_env_close(&env);
}

static double take_us(const struct xcs_env *env, unsigned reads, const pid_t *pids, size_t n)
{
	struct perf_series us = {0};
	struct xcs_sampler *s = make_sampler(env, reads, pids, n);

	for (int i = 0; s && i < 15; i++) {
		int64_t t0 = own_cpu_ns();
		xcs_sampler_take(s, reads);
		perf_add(&us, (double)(own_cpu_ns() - t0) / 1e3);
	}
	xcs_sampler_free(s);
	return perf_median(&us);
}

struct crowd {
	pthread_mutex_t lock;
	pthread_t threads[1024];
	size_t n;
};

static void *wait_in_crowd(void *data)
{
	struct crowd *c = data;

	pthread_mutex_lock(&c->lock);
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

/* Grows this very process to n threads, all waiting for a lock that we hold. */
static void grow_crowd(struct crowd *c, size_t n)
{
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	while (c->n + 1 < n && pthread_create(&c->threads[c->n], &small, wait_in_crowd, c) == 0)
		c->n++;
	pthread_attr_destroy(&small);
}

struct point {
	size_t n;
	double fast_us, full_us;
};

static void print_points(const char *what, const struct point *p, size_t n)
{
	printf("\n%-10s %10s %10s\n", what, "fast us", "full us");
	for (size_t i = 0; i < n; i++)
		printf("%-10zu %10.1f %10.1f\n", p[i].n, p[i].fast_us, p[i].full_us);
	const struct point *a = &p[0], *z = &p[n - 1];
	double span = (double)(z->n - a->n);
	printf("each one more costs %.2f us fast, %.2f us full\n", (z->fast_us - a->fast_us) / span,
	       (z->full_us - a->full_us) / span);
}

static void gnuplot_rows(struct xcs_buf *b, const char *name, const struct point *p, size_t n)
{
	xcs_buf_printf(b, "$%s << EOD\n", name);
	for (size_t i = 0; i < n; i++)
		xcs_buf_printf(b, "%zu %.3f %.3f\n", p[i].n, p[i].fast_us, p[i].full_us);
	xcs_buf_puts(b, "EOD\n");
}

static void draw(const char *path, const struct point *threads, size_t n_threads,
                 const struct point *processes, size_t n_processes)
{
	struct xcs_buf script = {0};

	gnuplot_rows(&script, "threads", threads, n_threads);
	gnuplot_rows(&script, "processes", processes, n_processes);
	xcs_buf_printf(
	        &script,
	        "set terminal svg size 640,400\nset output '%s'\nset logscale xy\n"
	        "set key left top\nset grid\nset xlabel 'watched'\n"
	        "set ylabel 'CPU time of a sample, us'\n"
	        "plot $threads u 1:2 w lp t 'threads, fast', '' u 1:3 w lp t 'threads, full',"
	        " $processes u 1:2 w lp t 'processes, fast',"
	        " '' u 1:3 w lp t 'processes, full'\n",
	        path);
	perf_plot(&script, path);
	xcs_buf_fini(&script);
}

static size_t measure_threads(const struct xcs_env *env, struct point *p)
{
	static struct crowd crowd = {.lock = PTHREAD_MUTEX_INITIALIZER};
	pid_t self = getpid();
	size_t n = 0;

	pthread_mutex_lock(&crowd.lock);
	for (size_t want = 1; want <= 1024; want *= 4) {
		grow_crowd(&crowd, want);
		p[n++] = (struct point){crowd.n + 1, take_us(env, XCS_READ_SCHEDSTAT, &self, 1),
		                        take_us(env, XCS_READ_SCHED, &self, 1)};
	}
	pthread_mutex_unlock(&crowd.lock);
	for (size_t i = 0; i < crowd.n; i++)
		pthread_join(crowd.threads[i], NULL);
	return n;
}

static size_t measure_processes(const struct xcs_env *env, struct point *p)
{
	struct perf_idlers idlers;
	size_t n = 0;

	for (size_t want = 1; want <= 256; want *= 4) {
		if (perf_idlers_start(&idlers, want) == 0)
			p[n++] = (struct point){want,
			                        take_us(env, XCS_READ_SCHEDSTAT, idlers.pids, want),
			                        take_us(env, XCS_READ_SCHED, idlers.pids, want)};
		perf_idlers_stop(&idlers);
	}
	return n;
}

void perf_growth(const struct perf_plan *plan)
{
	struct point threads[8], processes[8];
	struct xcs_env env;

	if (xcs_env_open(&env, NULL))
		return;
	size_t n_threads = measure_threads(&env, threads);
	size_t n_processes = measure_processes(&env, processes);
	print_points("threads", threads, n_threads);
	print_points("processes", processes, n_processes);
	if (plan->plot)
		draw(plan->plot, threads, n_threads, processes, n_processes);
	xcs_env_close(&env);
}
