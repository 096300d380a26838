/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * CPU time, system calls and memory per sample of us, of the tools that people use, and of
 * the floor: in one run, interleaved, start-up left out.
 */
#include "collectors.h"

#include <collectors/schedstat.h>
#include <common/alloc.h>
#include <common/child.h>
#include <common/file.h>
#include <common/units.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_ARGS 48

enum subject {
	FAST,
	FULL,
	ALL,
	BARE_FAST,
	BARE_FULL,
	VMSTAT,
	PIDSTAT,
	TOP,
	N_SUBJECTS
};

static const char *const names[N_SUBJECTS] = {
        "fast", "full", "all", "bare-fast", "bare-full", "vmstat", "pidstat", "top",
};

static const char *const titles[N_SUBJECTS] = {
        "fast: stat + 11 schedstat",  "full: stat + 11 sched",  "all: + schedstat, io, pressure",
        "bare preads of fast",        "bare preads of full",    "vmstat -n 1",
        "pidstat -w -u -p 11 pids 1", "top -b -d 1 -p 11 pids",
};

struct command {
	const char *argv[MAX_ARGS];
	char *owned[MAX_ARGS];
	size_t n, n_owned;
};

static void arg(struct command *c, const char *text)
{
	c->argv[c->n++] = text;
}

static void own_arg(struct command *c, char *text)
{
	c->owned[c->n_owned++] = text;
	arg(c, text);
}

static void free_command(struct command *c)
{
	for (size_t i = 0; i < c->n_owned; i++)
		free(c->owned[i]);
}

static char *pid_list(const struct perf_idlers *idlers)
{
	struct xcs_buf list = {0};

	for (size_t i = 0; i < idlers->n; i++)
		xcs_buf_printf(&list, "%s%d", i ? "," : "", (int)idlers->pids[i]);
	return xcs_buf_take(&list);
}

/* The command that takes n samples after its first look. */
static void make_command(struct command *c, const struct perf_plan *plan, enum subject s, int n,
                         const char *period, const struct perf_idlers *idlers)
{
	if (s < VMSTAT) {
		arg(c, plan->self);
		arg(c, "--subject");
		arg(c, names[s]);
		own_arg(c, xcs_xasprintf("--period=%s", period));
		own_arg(c, xcs_xasprintf("--samples=%d", n));
		char *pids = pid_list(idlers);
		own_arg(c, xcs_xasprintf("--pids=%s", pids));
		free(pids);
	} else if (s == VMSTAT) {
		arg(c, "vmstat");
		arg(c, "-n");
		arg(c, "1");
		own_arg(c, xcs_xasprintf("%d", n + 1));
	} else if (s == PIDSTAT) {
		arg(c, "pidstat");
		arg(c, "-w");
		arg(c, "-u");
		arg(c, "-p");
		own_arg(c, pid_list(idlers));
		arg(c, "1");
		own_arg(c, xcs_xasprintf("%d", n));
	} else {
		arg(c, "top");
		arg(c, "-b");
		arg(c, "-d");
		arg(c, "1");
		arg(c, "-n");
		own_arg(c, xcs_xasprintf("%d", n + 1));
		arg(c, "-p");
		own_arg(c, pid_list(idlers));
	}
}

static bool read_proc(pid_t pid, const char *name, struct xcs_buf *text)
{
	struct xcs_env env;
	char *rel = xcs_xasprintf("%d/%s", (int)pid, name);

	int rc = xcs_env_open(&env, NULL);
	if (rc == 0)
		rc = xcs_proc_read(&env, rel, text);
	xcs_env_close(&env);
	free(rel);
	return rc == 0;
}

static double peak_kb(pid_t pid)
{
	struct xcs_buf text = {0};
	const char *at = read_proc(pid, "status", &text) ? strstr(text.p, "VmHWM:") : NULL;
	double kb = at ? strtod(at + strlen("VmHWM:"), NULL) : NAN;

	xcs_buf_fini(&text);
	return kb;
}

/* Exact run time; none of the subjects has a second thread or, but for strace, a child. */
static double exec_us(pid_t pid)
{
	struct xcs_buf text = {0};
	struct xcs_schedstat v;
	double us = NAN;

	if (read_proc(pid, "schedstat", &text) && xcs_schedstat_parse(xcs_buf_str(&text), &v) == 0)
		us = (double)v.exec_ns / 1e3;
	xcs_buf_fini(&text);
	return us;
}

static bool start(struct xcs_child *child, const struct command *c)
{
	static const char *const c_locale[] = {"LC_ALL=C", NULL};
	struct xcs_spawn spec = {.argv = c->argv, .env_add = c_locale};
	struct xcs_err err = {0};

	if (xcs_child_start(child, &spec, &err)) {
		printf("  %s\n", err.text);
		return false;
	}
	return true;
}

/* Runs a command to its end; false when it failed. */
static bool run(const struct command *c)
{
	struct xcs_child child;

	if (!start(&child, c))
		return false;
	xcs_child_wait(&child, -1);
	return child.status == 0;
}

/* Run time between half a period behind the start and n periods later: n samples, without
 * start-up and end. */
static double run_between(const struct command *c, int64_t period_ns, int n, double *kb)
{
	struct xcs_child child;

	if (!start(&child, c))
		return NAN;
	xcs_child_wait(&child, period_ns / 2);
	double before = exec_us(child.pid);
	xcs_child_wait(&child, n * period_ns);
	double after = exec_us(child.pid);
	if (kb)
		*kb = peak_kb(child.pid);
	xcs_child_wait(&child, -1);
	return child.status ? NAN : after - before;
}

static double run_subject(const struct perf_plan *plan, enum subject s, int n,
                          const struct perf_idlers *idlers, double *kb)
{
	struct command c = {0};

	make_command(&c, plan, s, n + 1, "1s", idlers);
	double us = run_between(&c, XCS_NS_PER_S, n, kb);
	free_command(&c);
	return us;
}

/* Calls of one run by `strace -c`: all, and those that write. */
static bool count_calls(const struct perf_plan *plan, enum subject s, int n,
                        const struct perf_idlers *idlers, double *all, double *writes)
{
	struct command c = {0};
	char path[] = "/tmp/xcs-bench-XXXXXX";
	struct xcs_buf text = {0};
	int fd = mkstemp(path);

	if (fd < 0)
		return false;
	const char *const head[] = {"strace", "-f", "-c", "-U", "calls,name", "-o", path};
	for (size_t i = 0; i < ARRAY_LEN(head); i++)
		arg(&c, head[i]);
	make_command(&c, plan, s, n, "1s", idlers);
	bool ran = run(&c) && xcs_fd_read_all(fd, &text) == 0;
	struct xcs_str rest = xcs_buf_str(&text), line, word;
	*all = *writes = 0;
	while (ran && xcs_str_next_line(&rest, &line)) {
		uint64_t calls;
		if (!xcs_str_next_word(&line, &word) || xcs_str_u64(word, &calls) ||
		    !xcs_str_next_word(&line, &word) || xcs_str_is(word, "total"))
			continue;
		*all += (double)calls;
		if (xcs_str_starts(word, "write") || xcs_str_starts(word, "pwrite"))
			*writes += (double)calls;
	}
	close(fd);
	unlink(path);
	free_command(&c);
	xcs_buf_fini(&text);
	return ran;
}

struct cost {
	struct perf_series us, to_vmstat, to_pidstat;
	double kb, calls, writes;
};

static void measure(const struct perf_plan *plan, const struct perf_idlers *idlers,
                    struct cost cost[N_SUBJECTS])
{
	double us[N_SUBJECTS];

	for (int r = 0; r < plan->n_rounds; r++) {
		for (int i = 0; i < N_SUBJECTS; i++) {
			enum subject s = (enum subject)((i + r) % N_SUBJECTS);
			double kb = NAN;
			us[s] = run_subject(plan, s, plan->n_samples, idlers, &kb) /
			        plan->n_samples;
			cost[s].kb = kb;
			fprintf(stderr, "round %d/%d: %-10s %8.1f us\r", r + 1, plan->n_rounds,
			        names[s], us[s]);
		}
		for (int s = 0; s < N_SUBJECTS; s++) {
			perf_add(&cost[s].us, us[s]);
			perf_add(&cost[s].to_vmstat, us[s] / us[VMSTAT]);
			perf_add(&cost[s].to_pidstat, us[s] / us[PIDSTAT]);
		}
	}
	fprintf(stderr, "%50s\r", "");
}

static void measure_calls(const struct perf_plan *plan, const struct perf_idlers *idlers,
                          struct cost cost[N_SUBJECTS])
{
	for (int s = 0; s < N_SUBJECTS; s++) {
		double a = NAN, b = NAN, wa = NAN, wb = NAN;
		bool ok = count_calls(plan, (enum subject)s, 1, idlers, &a, &wa) &&
		          count_calls(plan, (enum subject)s, 3, idlers, &b, &wb);
		cost[s].calls = ok ? (b - a) / 2 : NAN;
		cost[s].writes = ok ? (wb - wa) / 2 : NAN;
	}
}

static void print(struct cost cost[N_SUBJECTS])
{
	printf("%-32s %8s %6s %8s %8s %6s %6s %7s\n", "per sample at 1 Hz", "CPU us", "+-%",
	       "/vmstat", "/pidstat", "calls", "writes", "RSS kB");
	for (int s = 0; s < N_SUBJECTS; s++)
		printf("%-32s %8.1f %6.1f %8.2f %8.3f %6.1f %6.1f %7.0f\n", titles[s],
		       perf_median(&cost[s].us), 100 * perf_spread(&cost[s].us),
		       perf_median(&cost[s].to_vmstat), perf_median(&cost[s].to_pidstat),
		       cost[s].calls, cost[s].writes, cost[s].kb);
}

static void judge(struct cost cost[N_SUBJECTS])
{
	static const struct {
		enum subject s;
		double to_vmstat, to_pidstat;
	} targets[] = {
	        {FAST, 0.60, 0.12},
                {FULL, 1.20, 0.25}
        };

	for (size_t i = 0; i < ARRAY_LEN(targets); i++) {
		enum subject s = targets[i].s;
		double v = perf_median(&cost[s].to_vmstat), p = perf_median(&cost[s].to_pidstat);
		perf_verdict(v <= targets[i].to_vmstat, "%s / vmstat %.2f (<= %.2f)", names[s], v,
		             targets[i].to_vmstat);
		perf_verdict(p <= targets[i].to_pidstat, "%s / pidstat %.3f (<= %.2f)", names[s], p,
		             targets[i].to_pidstat);
		double calls = 1 + (1 + PERF_N_WATCHED) + 1;
		perf_verdict(
		        cost[s].calls == calls,
		        "%s: %.1f calls a sample (12 files + getrusage + clock_nanosleep = %.0f)",
		        names[s], cost[s].calls, calls);
		perf_verdict(cost[s].writes == 0, "%s: %.0f writes a sample (0)", names[s],
		             cost[s].writes);
	}
}

/* Per cent of a core at 100 Hz for 5 s. NaN when the subject failed: its exit status is not
 * 0 when it allocated in its loop. */
static double rate_pct(const struct perf_plan *plan, const struct perf_idlers *idlers,
                       enum subject s)
{
	struct command c = {0};
	const int n = 500;

	make_command(&c, plan, s, n + 50, "10.007ms", idlers);
	double us = run_between(&c, 10007 * XCS_NS_PER_US, n, NULL);
	free_command(&c);
	return 100 * us / (n * 10007.0);
}

static void judge_fast_rate(const struct perf_plan *plan, const struct perf_idlers *idlers)
{
	struct perf_series ours = {0}, bare = {0};

	for (int r = 0; r < plan->n_rounds; r++) {
		perf_add(&ours, rate_pct(plan, idlers, FAST));
		perf_add(&bare, rate_pct(plan, idlers, BARE_FAST));
	}
	double m = perf_median(&ours);
	perf_verdict(m <= 1, "100 Hz fast on 11 processes: %.2f %% of a core (<= 1); bare %.2f %%",
	             m, perf_median(&bare));
	perf_verdict(!isnan(m), "allocations in the loop: %s (0)", isnan(m) ? "some" : "0");
}

void perf_cost(const struct perf_plan *plan)
{
	struct perf_idlers idlers;
	struct cost cost[N_SUBJECTS] = {0};

	if (perf_idlers_start(&idlers, PERF_N_WATCHED))
		return;
	measure(plan, &idlers, cost);
	measure_calls(plan, &idlers, cost);
	print(cost);
	judge(cost);
	judge_fast_rate(plan, &idlers);
	perf_idlers_stop(&idlers);
}
