/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is measured: our sampler with a chosen set of reads, and the floor below it, bare
 * preads of the same files into one buffer that nobody looks at.
 */
#include "collectors.h"

#include <common/alloc.h>
#include <common/units.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct mode {
	const char *name;
	unsigned reads;
	bool bare;
};

static const struct mode modes[] = {
        {"fast",      XCS_READ_SCHEDSTAT, false},
        {"full",      XCS_READ_SCHED,     false},
        {"all",       XCS_READ_FULL,      false},
        {"bare-fast", XCS_READ_SCHEDSTAT, true },
        {"bare-full", XCS_READ_SCHED,     true },
};

static int sample(const struct xcs_env *env, const struct mode *m, int64_t period_ns, int n,
                  const pid_t *pids, size_t n_pids)
{
	struct xcs_sampler_watch *watch = xcs_xcalloc(n_pids, sizeof(*watch));
	struct xcs_recorder_stop stop = {0};
	struct xcs_sampler *s = NULL;
	int64_t next = 1, late_ns, missed = 0;

	for (size_t i = 0; i < n_pids; i++)
		watch[i] = (struct xcs_sampler_watch){.role = "idler", .pid = pids[i]};
	struct xcs_sampler_spec spec = {
	        .env = env, .watch = watch, .n_watch = n_pids, .reads = m->reads};
	int rc = xcs_sampler_new(&spec, &s, NULL);
	int64_t start_ns = xcs_mono_now_ns(), before = perf_n_allocations();
	for (int i = 0; rc == 0 && i < n; i++) {
		xcs_recorder_wait(&stop, start_ns, period_ns, &next, &late_ns, &missed);
		xcs_sampler_take(s, m->reads);
	}
	bool allocated = perf_n_allocations() != before;
	xcs_sampler_free(s);
	free(watch);
	return rc ? 1 : allocated ? 3 : 0;
}

static int read_bare(const struct xcs_env *env, const struct mode *m, int64_t period_ns, int n,
                     const pid_t *pids, size_t n_pids)
{
	static char buf[1 << 17];
	int *fds = xcs_xcalloc(n_pids + 1, sizeof(*fds));
	const char *file = m->reads == XCS_READ_SCHED ? "sched" : "schedstat";
	int64_t start_ns = xcs_mono_now_ns();

	fds[0] = openat(env->proc_fd, "stat", O_RDONLY);
	for (size_t i = 0; i < n_pids; i++) {
		char rel[64];
		snprintf(rel, sizeof(rel), "%d/task/%d/%s", (int)pids[i], (int)pids[i], file);
		fds[i + 1] = openat(env->proc_fd, rel, O_RDONLY);
	}
	for (int k = 1; k <= n; k++) {
		int64_t due_ns = start_ns + k * period_ns;
		struct timespec t = {due_ns / XCS_NS_PER_S, due_ns % XCS_NS_PER_S};
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
		for (size_t i = 0; i <= n_pids; i++)
			if (pread(fds[i], buf, sizeof(buf), 0) < 0)
				return 1;
	}
	free(fds);
	return 0;
}

int perf_subject(const char *name, int64_t period_ns, int n_samples, const pid_t *pids, size_t n)
{
	struct xcs_env env;
	int status = 2;

	if (xcs_env_open(&env, NULL))
		return 1;
	for (size_t i = 0; i < ARRAY_LEN(modes); i++)
		if (strcmp(modes[i].name, name) == 0)
			status = (modes[i].bare ? read_bare : sample)(&env, &modes[i], period_ns,
			                                              n_samples, pids, n);
	xcs_env_close(&env);
	return status;
}
