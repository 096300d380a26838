/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One libFuzzer target per parser; XCS_FUZZ_<NAME> says which. The input is copied into a
 * block of exactly its size, so that the sanitizer sees any step beyond the text.
 */
#include <collectors/io.h>
#include <collectors/loadavg.h>
#include <collectors/psi.h>
#include <collectors/sched.h>
#include <collectors/schedstat.h>
#include <collectors/stat.h>
#include <collectors/status.h>
#include <collectors/task_stat.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#if defined(XCS_FUZZ_SCHED)
/* The layout comes from one half, so the other half stands elsewhere. */
static void parse(struct xcs_str t)
{
	struct xcs_sched_layout layout;
	struct xcs_sched s, again = {0};
	struct xcs_str half = {t.n ? t.p + t.n / 2 : t.p, t.n - t.n / 2};

	if (xcs_sched_parse(t, &s, &layout) == 0) {
		(void)xcs_sched_nice(&s);
		if (xcs_sched_parse_again(t, &layout, &again))
			for (int f = 0; f < XCS_N_SCHED_FIELDS; f++)
				if (again.v[f] != s.v[f])
					abort();
		(void)xcs_sched_parse_again(half, &layout, &again);
	}
}
#elif defined(XCS_FUZZ_STAT)
static void parse(struct xcs_str t)
{
	struct xcs_cpuset set = {0};
	struct xcs_cpu_ticks ticks;
	struct xcs_stat s;
	int cpu, n = 0;

	CPU_SET(0, &set.mask);
	CPU_SET(1, &set.mask);
	(void)xcs_stat_parse_set(t, &set, &s, &ticks);
	while (xcs_stat_next_cpu(&t, &cpu, &ticks))
		n++;
	if (n != s.n_cpus)
		abort();
}
#elif defined(XCS_FUZZ_STATUS)
static void parse(struct xcs_str t)
{
	struct xcs_status s;

	(void)xcs_status_parse(t, &s);
}
#elif defined(XCS_FUZZ_TASK_STAT)
static void parse(struct xcs_str t)
{
	struct xcs_task_stat s;

	(void)xcs_task_stat_parse(t, &s);
}
#elif defined(XCS_FUZZ_SCHEDSTAT)
static void parse(struct xcs_str t)
{
	struct xcs_schedstat s;
	struct xcs_cpuset set = {0};
	int64_t run_ns;

	(void)xcs_schedstat_parse(t, &s);
	(void)xcs_schedstat_parse_cpus(t, &set, &run_ns);
	CPU_SET(1, &set.mask);
	if (xcs_schedstat_parse_cpus(t, &set, &run_ns) == 0 && run_ns < 0)
		abort();
}
#elif defined(XCS_FUZZ_PSI)
static void parse(struct xcs_str t)
{
	struct xcs_psi s;

	(void)xcs_psi_parse(t, &s);
}
#elif defined(XCS_FUZZ_LOADAVG)
static void parse(struct xcs_str t)
{
	struct xcs_loadavg s;

	(void)xcs_loadavg_parse(t, &s);
}
#elif defined(XCS_FUZZ_IO)
static void parse(struct xcs_str t)
{
	struct xcs_io s;

	(void)xcs_io_parse(t, &s);
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *copy = n ? malloc(n) : NULL;

	if (copy)
		memcpy(copy, data, n);
	parse((struct xcs_str){copy, copy ? n : 0});
	free(copy);
	return 0;
}
