/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The benchmark of the collectors: one command, a table, verdicts against the targets.
 * Meant for a quiet machine; it is no timed test and runs in no test suite.
 */
#include "collectors.h"

#include <common/options.h>
#include <common/units.h>

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct perf_options {
	int n_rounds, n_samples, part;
	const char *plot, *subject;
	int64_t period_ns;
	struct xcs_ints pids;
};

#define AT(member) offsetof(struct perf_options, member)

static const char *const parts[] = {"all",         "cost",     "warm", "growth",
                                    "disturbance", "accuracy", NULL};

static const struct xcs_option options[] = {
        {"rounds",     'r', XCS_OPT_INT, AT(n_rounds), "N", "rounds; medians are of these (default 5)",
         1, 100, NULL},
        {"samples", 's', XCS_OPT_INT, AT(n_samples), "N", "samples per run (default 5)", 1, INT_MAX,
         NULL},
        {"part",         0, XCS_OPT_CHOICE, AT(part), NULL, "run this part only (default all)", 0, 0,
         parts},
        {"plot",            0, XCS_OPT_STR, AT(plot), "FILE", "draw the growth of costs as SVG", 0, 0, NULL},
        {"subject",        0, XCS_OPT_STR, AT(subject), "MODE",
         "internal: be what is measured (fast, full, all, bare-fast, bare-full)", 0, 0, NULL},
        {"period",    0, XCS_OPT_DURATION, AT(period_ns), "TIME", "internal: of the subject", 0, 0,
         NULL},
        {"pids", 0, XCS_OPT_INTS, AT(pids), "PID,...", "internal: watched by the subject", 1,
         INT_MAX, NULL},
        {0        },
};

static const struct xcs_command command = {
        .name = "perf-collectors",
        .summary = "Measures what the collectors cost and whether they are right.",
        .operands = "",
        .options = options,
};

static int be_subject(const struct perf_options *o)
{
	pid_t pids[XCS_OPTION_LIST_MAX];

	for (size_t i = 0; i < o->pids.n; i++)
		pids[i] = (pid_t)o->pids.v[i];
	return perf_subject(o->subject, o->period_ns, o->n_samples, pids, o->pids.n);
}

static void choose_cpus(struct perf_plan *plan)
{
	struct xcs_cpuset all, rest;

	if (xcs_cpuset_allowed(&all, NULL))
		return;
	plan->cpu = xcs_cpuset_last(&all);
	struct xcs_cpuset one = {0};
	CPU_SET((size_t)plan->cpu, &one.mask);
	rest = xcs_cpuset_minus(&all, &one);
	plan->other_cpu = xcs_cpuset_last(&rest);
}

int main(int argc, char *argv[])
{
	struct perf_options o = {.n_rounds = 5, .n_samples = 5, .period_ns = XCS_NS_PER_S};
	struct xcs_strs operands;
	static void (*const run[])(const struct perf_plan *) = {
	        perf_cost, perf_warm, perf_growth, perf_disturbance, perf_accuracy,
	};

	int status = xcs_options_main(&command, argc, argv, &o, &operands);
	if (status >= 0)
		return status;
	if (o.subject)
		return be_subject(&o);
	char *self = xcs_self_exe_dup();
	struct perf_plan plan = {.self = self,
	                         .n_rounds = o.n_rounds,
	                         .n_samples = o.n_samples,
	                         .plot = o.plot,
	                         .other_cpu = -1};
	choose_cpus(&plan);
	for (int i = 0; i < 5; i++)
		if (o.part == 0 || o.part == i + 1)
			run[i](&plan);
	free(self);
	printf("\n%d of the verdicts failed\n", perf_n_failed());
	return perf_n_failed() ? XCS_EXIT_REGRESSION : XCS_EXIT_OK;
}
