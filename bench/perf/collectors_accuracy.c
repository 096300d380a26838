/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Do the counters mean what we say they mean, and does looking at them change them?
 */
#include "collectors.h"

#include <collectors/stat.h>
#include <common/alloc.h>
#include <common/units.h>

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct xcs_sampler *watch(const struct xcs_env *env, const pid_t *pids, size_t n,
                                 unsigned reads)
{
	struct xcs_sampler_watch who[2] = {0};
	struct xcs_sampler *s = NULL;

	for (size_t i = 0; i < n; i++)
		who[i] = (struct xcs_sampler_watch){.role = "player", .pid = pids[i]};
	struct xcs_sampler_spec spec = {.env = env, .watch = who, .n_watch = n, .reads = reads};
	return xcs_sampler_new(&spec, &s, NULL) ? NULL : s;
}

/* Samples the players at 100 Hz in a child of its own, until they end. It must not hold
 * their starting line open. */
static pid_t start_observer(const struct perf_ping *ping)
{
	struct xcs_recorder_stop stop = {0};
	int64_t next = 1, late_ns, missed = 0;
	struct xcs_env env;

	pid_t pid = fork();
	if (pid)
		return pid;
	close(ping->go_fd);
	close(ping->result_fd);
	struct xcs_sampler *s =
	        xcs_env_open(&env, NULL) ? NULL : watch(&env, ping->pids, 2, XCS_READ_FAST);
	int64_t start_ns = xcs_mono_now_ns();
	while (s && !xcs_sampler_view(s).tasks[0].ended) {
		xcs_recorder_wait(&stop, start_ns, 10007 * XCS_NS_PER_US, &next, &late_ns, &missed);
		xcs_sampler_take(s, XCS_READ_FAST);
	}
	_exit(0);
}

static double play(const struct perf_plan *plan, bool observed)
{
	struct perf_ping ping;
	pid_t observer = 0;

	if (perf_ping_start(&ping, plan->cpu, plan->cpu, 300 * XCS_NS_PER_MS))
		return NAN;
	if (observed)
		observer = start_observer(&ping);
	perf_ping_go(&ping);
	double trips = (double)perf_ping_result(&ping).round_trips;
	perf_ping_finish(&ping);
	if (observer > 0)
		waitpid(observer, NULL, 0);
	return trips;
}

/* Pairs in alternating order; the interval of the median comes from the order statistics
 * (sign test, 95 %). */
void perf_disturbance(const struct perf_plan *plan)
{
	struct perf_series ratio = {0};
	const int n = 12 * plan->n_rounds;

	for (int i = 0; i < n; i++) {
		double first = play(plan, i % 2), second = play(plan, !(i % 2));
		perf_add(&ratio, i % 2 ? first / second : second / first);
		fprintf(stderr, "pair %d/%d\r", i + 1, n);
	}
	double m = perf_median(&ratio), noise = perf_spread(&ratio) * 1.57 / sqrt(n) * 2;
	printf("\nping-pong pinned to CPU %d, observed at 100 Hz / not observed, %d pairs\n",
	       plan->cpu, n);
	perf_verdict(fabs(m - 1) <= 0.02, "round trips x %.4f +- %.4f (1 +- 0.02)", m, noise);
}

struct counts {
	int64_t ctxt, switches, timeslices, rusage, exec_ns, dt_ns;
};

static bool count_ping(const struct perf_plan *plan, int cpu_b, struct counts *out)
{
	const unsigned reads = XCS_READ_SCHED | XCS_READ_SCHEDSTAT;
	struct perf_ping ping;
	struct xcs_env env;

	if (xcs_env_open(&env, NULL) || perf_ping_start(&ping, plan->cpu, cpu_b, XCS_NS_PER_S))
		return false;
	struct xcs_sampler *s = watch(&env, ping.pids, 2, reads);
	*out = (struct counts){0};
	for (int pass = 0; s && pass < 2; pass++) {
		int64_t sign = pass ? 1 : -1;
		if (pass) {
			perf_ping_go(&ping);
			struct perf_ping_result r = perf_ping_result(&ping);
			out->rusage = r.voluntary + r.involuntary;
		}
		xcs_sampler_take(s, reads);
		struct xcs_sampler_view v = xcs_sampler_view(s);
		out->ctxt += sign * v.system[XCS_SYSTEM_CTXT_TOTAL];
		out->dt_ns += sign * v.system[XCS_SYSTEM_MONO_NS];
		for (size_t t = 0; t < v.n_tasks; t++) {
			out->switches += sign * v.tasks[t].now[XCS_TASK_SWITCHES_TOTAL];
			out->timeslices += sign * v.tasks[t].now[XCS_TASK_TIMESLICES_TOTAL];
			out->exec_ns += sign * v.tasks[t].now[XCS_TASK_EXEC_NS];
		}
	}
	perf_ping_finish(&ping);
	xcs_sampler_free(s);
	xcs_env_close(&env);
	return s != NULL;
}

static void judge_ping(const char *where, const struct counts *c, double low, double high)
{
	double sum = (double)c->switches;

	printf("\nping-pong %s: ctxt %lld, nr_switches %lld, timeslices %lld, getrusage %lld\n",
	       where, (long long)c->ctxt, (long long)c->switches, (long long)c->timeslices,
	       (long long)c->rusage);
	double to_rusage = sum / (double)c->rusage, to_slices = sum / (double)c->timeslices;
	/* The edges of the two looks lie a few switches apart. */
	bool edges = llabs(c->switches - c->rusage) <= 8;
	perf_verdict(edges || fabs(to_rusage - 1) <= 0.001,
	             "nr_switches / getrusage %.5f (1 +- 0.001, or 8 switches)", to_rusage);
	perf_verdict(fabs(to_slices - 1) <= 0.01, "nr_switches / timeslices %.4f (1 +- 0.01)",
	             to_slices);
	double ratio = (double)c->ctxt / sum;
	perf_verdict(ratio >= low && ratio <= high, "ctxt / nr_switches %.3f (%.2f to %.2f)", ratio,
	             low, high);
}

static void judge_switches(const struct perf_plan *plan)
{
	struct counts c;

	if (count_ping(plan, plan->cpu, &c))
		judge_ping("on one CPU", &c, 0.98, 1.10);
	if (plan->other_cpu < 0)
		printf("ping-pong across two CPUs: skipped, there is one CPU\n");
	else if (count_ping(plan, plan->other_cpu, &c))
		/* Each switch to idle and back counts in ctxt, in no task. A host that keeps idle
		 * CPUs busy, or a player that polls, brings it down. */
		judge_ping("across two CPUs", &c, 1.80, 2.15);
}

/* The burner works a while at a fixed place of the tick, or at none. */
struct burner {
	int64_t tick_ns, phase_ns, work_ns, period_ns;
	int cpu;
};

static void burn(const struct burner *b, int64_t end_ns)
{
	cpu_set_t set;
	struct sched_param p = {.sched_priority = 2};

	CPU_ZERO(&set);
	CPU_SET((size_t)b->cpu, &set);
	(void)sched_setaffinity(0, sizeof(set), &set);
	(void)sched_setscheduler(0, SCHED_FIFO, &p);
	int64_t at_ns = xcs_mono_now_ns();
	at_ns += b->tick_ns - at_ns % b->tick_ns + b->phase_ns;
	while (at_ns < end_ns) {
		struct timespec t = {at_ns / XCS_NS_PER_S, at_ns % XCS_NS_PER_S};
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
		int64_t stop_ns = xcs_mono_now_ns() + b->work_ns;
		while (xcs_mono_now_ns() < stop_ns)
			;
		at_ns += b->period_ns;
	}
}

/* Tick-sampled time beyond the exact time of the burner, in per cent of the exact: as us + sy
 * + ni of its CPU tell it, and as its own ticks do (NaN without the right to ask). */
struct acct_error {
	double cpu_pct, task_pct;
};

static void add_look(struct xcs_sampler *s, int64_t sign, int64_t *cpu_ticks, int64_t *task_ns,
                     int64_t *exec_ns)
{
	xcs_sampler_take(s, XCS_READ_FAST | XCS_READ_TICKS);
	struct xcs_sampler_view v = xcs_sampler_view(s);
	int64_t tick_ns = v.tasks[0].now[XCS_TASK_TICK_NS];

	*cpu_ticks += sign *
	              (v.system[XCS_SYSTEM_SET_USER_TICKS] + v.system[XCS_SYSTEM_SET_SYSTEM_TICKS] +
	               v.system[XCS_SYSTEM_SET_NICE_TICKS]);
	*exec_ns += sign * v.tasks[0].now[XCS_TASK_EXEC_NS];
	*task_ns = tick_ns == XCS_ABSENT || *task_ns == XCS_ABSENT ? XCS_ABSENT
	                                                           : *task_ns + sign * tick_ns;
}

static double beyond_pct(double sampled_ns, double exec_ns)
{
	return 100 * (sampled_ns - exec_ns) / exec_ns;
}

/* Looks at the burner 0.2 s and 1.6 s behind its start. */
static struct acct_error look_twice(const struct perf_plan *plan, const struct xcs_env *env,
                                    pid_t pid)
{
	struct xcs_cpuset set = {0};
	struct xcs_sampler *s = NULL;
	struct xcs_recorder_stop stop = {0};
	struct xcs_sampler_watch who = {.role = "burner", .pid = pid};
	struct xcs_sampler_spec spec = {
	        .env = env, .watch = &who, .n_watch = 1, .cpus = &set, .reads = XCS_READ_FAST};
	int64_t cpu_ticks = 0, task_ns = 0, exec_ns = 0;

	CPU_SET((size_t)plan->cpu, &set.mask);
	if (xcs_sampler_new(&spec, &s, NULL))
		return (struct acct_error){NAN, NAN};
	int64_t next = 1, late, missed = 0, start_ns = xcs_mono_now_ns();
	xcs_recorder_wait(&stop, start_ns, 200 * XCS_NS_PER_MS, &next, &late, &missed);
	add_look(s, -1, &cpu_ticks, &task_ns, &exec_ns);
	next = 8;
	xcs_recorder_wait(&stop, start_ns, 200 * XCS_NS_PER_MS, &next, &late, &missed);
	add_look(s, 1, &cpu_ticks, &task_ns, &exec_ns);
	xcs_sampler_free(s);
	double cpu_ns = (double)cpu_ticks * (double)XCS_NS_PER_S / (double)env->ticks_per_s;
	return (struct acct_error){
	        .cpu_pct = beyond_pct(cpu_ns, (double)exec_ns),
	        .task_pct =
	                task_ns == XCS_ABSENT ? NAN : beyond_pct((double)task_ns, (double)exec_ns)};
}

static struct acct_error acct_error_of(const struct perf_plan *plan, const struct burner *b)
{
	struct acct_error e = {NAN, NAN};
	struct xcs_env env;
	int go[2];
	char c;

	if (xcs_env_open(&env, NULL) || pipe(go))
		return e;
	pid_t pid = fork();
	if (pid == 0) {
		close(go[1]);
		burn(b, xcs_mono_now_ns() + 1900 * XCS_NS_PER_MS);
		(void)!read(go[0], &c, 1);
		_exit(0);
	}
	if (pid > 0)
		e = look_twice(plan, &env, pid);
	close(go[0]);
	close(go[1]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	xcs_env_close(&env);
	return e;
}

struct range {
	double low, high;
};

static void widen(struct range *r, double v)
{
	r->low = fmin(r->low, v);
	r->high = fmax(r->high, v);
}

static void judge_range(const char *what, const struct range *in_phase, double out_of_phase)
{
	if (isinf(in_phase->low)) {
		printf("%s: skipped, taskstats may not be asked (CAP_NET_ADMIN)\n", what);
		return;
	}
	perf_verdict(in_phase->low <= -80, "%s, in phase, the least: %.0f %% (known: -100)", what,
	             in_phase->low);
	perf_verdict(in_phase->high >= 150, "%s, in phase, the most: %+.0f %% (known: up to +290)",
	             what, in_phase->high);
	perf_verdict(fabs(out_of_phase) <= 25, "%s, out of phase: %+.0f %% (+-25: few ticks)", what,
	             out_of_phase);
}

static void judge_ticks(const struct perf_plan *plan)
{
	struct range cpu = {INFINITY, -INFINITY}, task = {INFINITY, -INFINITY};
	struct timespec res;

	/* The coarse clock is advanced by the tick, so its resolution is the tick. */
	clock_getres(CLOCK_MONOTONIC_COARSE, &res);
	int64_t tick_ns = res.tv_nsec;
	printf("\ntick-sampled time against exact time, work of a quarter tick per tick of %.1f "
	       "ms\n"
	       "%-28s %12s %12s\n",
	       (double)tick_ns / 1e6, "", "us+sy+ni", "acct_error");
	for (int i = 0; i < 8; i++) {
		struct burner b = {tick_ns, i * tick_ns / 8, tick_ns / 4, tick_ns, plan->cpu};
		struct acct_error e = acct_error_of(plan, &b);
		printf("%.3f ms behind the tick       %+10.0f %% %+10.0f %%\n",
		       (double)b.phase_ns / 1e6, e.cpu_pct, e.task_pct);
		widen(&cpu, e.cpu_pct);
		widen(&task, e.task_pct);
	}
	struct burner free_run = {tick_ns, 0, tick_ns / 4, tick_ns * 1093 / 1000, plan->cpu};
	struct acct_error e = acct_error_of(plan, &free_run);
	printf("in step with no tick         %+10.0f %% %+10.0f %%\n", e.cpu_pct, e.task_pct);
	judge_range("us+sy+ni of the CPU", &cpu, e.cpu_pct);
	judge_range("acct_error of the task", &task, e.task_pct);
}

/* How busy the machine is with others; these tests need it idle. */
void perf_say_quiet(void)
{
	struct xcs_recorder_stop stop = {0};
	int64_t next = 1, late, missed = 0, start_ns = xcs_mono_now_ns(), idle = 0, all = 0;
	struct xcs_sampler *s = NULL;
	struct xcs_env env;

	if (xcs_env_open(&env, NULL))
		return;
	struct xcs_sampler_spec spec = {.env = &env, .reads = XCS_READ_FAST};
	for (int pass = 0; pass < 2; pass++) {
		if (pass)
			xcs_recorder_wait(&stop, start_ns, XCS_NS_PER_S, &next, &late, &missed);
		else if (xcs_sampler_new(&spec, &s, NULL))
			break;
		xcs_sampler_take(s, XCS_READ_FAST);
		const int64_t *row = xcs_sampler_view(s).system;
		for (int t = 0; t <= XCS_STAT_STEAL; t++) {
			int64_t v = (pass ? 1 : -1) * row[XCS_SYSTEM_USER_TICKS + t];
			all += v;
			idle += t == XCS_STAT_IDLE || t == XCS_STAT_IOWAIT ? v : 0;
		}
	}
	double busy_pct = all > 0 ? 100.0 * (double)(all - idle) / (double)all : NAN;
	printf("others use %.1f %% of the CPUs%s\n", busy_pct,
	       busy_pct > 3 ? ": NOT QUIET, do not trust what follows" : "");
	xcs_sampler_free(s);
	xcs_env_close(&env);
}

void perf_accuracy(const struct perf_plan *plan)
{
	perf_say_quiet();
	judge_switches(plan);
	judge_ticks(plan);
}
