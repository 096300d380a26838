/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sample.h"

#include <common/units.h>

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define AT(member) offsetof(struct sample_options, member)

static const struct xcs_option options[] = {
        {"interval",        'i', XCS_OPT_DURATION, AT(interval_ns), "TIME",
         "time between samples, such as 10ms (default 1.0007s: no multiple of the tick)", 0, 0,
         NULL},
        {"count", 'n', XCS_OPT_INT, AT(n), "N", "end after N samples (default: go on)", 1, INT_MAX,
         NULL},
        {"pid",           'p', XCS_OPT_INTS, AT(pids), "PID,...", "watch these processes", 1, INT_MAX, NULL},
        {"comm",                0, XCS_OPT_STRS, AT(comms), "NAME",
         "watch the processes of this name; may be repeated", 0, 0, NULL},
        {"cgroup",              0, XCS_OPT_STRS, AT(cgroups), "PATH",
         "watch the processes of this cgroup v2, such as user.slice; may be repeated", 0, 0, NULL},
        {"json",           0, XCS_OPT_FLAG, AT(json), NULL, "print one JSON object per sample", 0, 0, NULL},
        {"csv",      0, XCS_OPT_FLAG, AT(csv), NULL, "print CSV: a line per sample and process", 0, 0,
         NULL},
        {"record",              0, XCS_OPT_STR, AT(record), "FILE", "write raw counters to FILE instead", 0, 0,
         NULL},
        {"hold",                0, XCS_OPT_FLAG, AT(hold), NULL,
         "with --record: print ready and wait for a line on standard input", 0, 0, NULL},
        {"watch",              0, XCS_OPT_STRS, AT(watch), "ROLE=PID",
         "with --record: watch a process under a name; may be repeated", 0, 0, NULL},
        {"page",             0, XCS_OPT_STRS, AT(pages), "ROLE=FILE",
         "with --record: read a load's counter page; may be repeated", 0, 0, NULL},
        {"cpus",     0, XCS_OPT_CPUS, AT(cpus), "LIST", "CPUs of the load, for CPU time (default: all)",
         0, 0, NULL},
        {"pin",        0, XCS_OPT_CPUS, AT(pin), "LIST", "run the sampler itself on these CPUs", 0, 0,
         NULL},
        {"once",                0, XCS_OPT_FLAG, AT(once), NULL,
         "print the counters once, as JSON, with all threads", 0, 0, NULL},
        {"proc-root",             0, XCS_OPT_STR, AT(proc_root), "DIR",
         "with --once: read a saved process tree instead of the live one", 0, 0, NULL},
        {"then",            0, XCS_OPT_STR, AT(then_root), "DIR",
         "read a second saved tree and print the differences", 0, 0, NULL},
        {"interval-s",     0, XCS_OPT_STR, AT(interval_s), "S",
         "with --then: seconds between the two trees", 0, 0, NULL},
        {"ticks-per-s",           0, XCS_OPT_INT, AT(ticks_per_s), "N",
         "CLK_TCK of the saved tree's machine (default: of this one)", 1, 1000000, NULL},
        {0               },
};

static const struct xcs_command command = {
        .name = "xcsbench sample",
        .summary = "Shows context switches, interrupts, CPU time and the scheduling of processes.",
        .operands = "",
        .options = options,
        .notes = "The first line comes after one interval: no average since boot is ever shown.\n"
                 "What the kernel does not say is n/a. us sy ni id wa hi si st are tick-sampled;\n"
                 "cpu% and delay are exact. cs counts switches to and from idle as well; task\n"
                 "counts those of the watched tasks. Threads of a process are summed.",
};

static struct xcs_recorder_stop stop;

/* SIGUSR1: the runner says that its window is over. */
static void on_signal(int signo)
{
	stop.is_planned = signo == SIGUSR1;
	xcs_recorder_request_stop(&stop);
}

static void catch_signals(void)
{
	struct sigaction a = {.sa_handler = on_signal};

	sigemptyset(&a.sa_mask);
	sigaction(SIGTERM, &a, NULL);
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGUSR1, &a, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* Options that mean nothing together. */
static int check(const struct sample_options *o, struct xcs_err *err)
{
	bool any = o->watch.n || o->pages.n || o->hold;

	if (any && !o->record)
		return xcs_err_set(err, -EINVAL, "--watch, --page and --hold need --record FILE");
	if (o->json && o->csv)
		return xcs_err_set(err, -EINVAL, "give --json or --csv, not both");
	if (o->then_root && (!o->proc_root || !o->interval_s))
		return xcs_err_set(err, -EINVAL, "--then needs --proc-root DIR and --interval-s S");
	if (o->proc_root && !o->once && !o->then_root)
		return xcs_err_set(err, -EINVAL,
		                   "--proc-root reads a saved tree: add --once, or --then DIR");
	if (o->once && o->record)
		return xcs_err_set(err, -EINVAL, "give --once or --record, not both");
	return 0;
}

int main(int argc, char *argv[])
{
	struct sample_options o = {.interval_ns = 1000700 * XCS_NS_PER_US};
	struct xcs_strs operands = {0};
	struct xcs_err err = {0};

	int status = xcs_options_main(&command, argc, argv, &o, &operands);
	if (status >= 0)
		return status;
	if (check(&o, &err)) {
		status = XCS_EXIT_ERROR;
	} else if (o.once || o.then_root) {
		status = sample_once(&o, &err);
	} else {
		catch_signals();
		status = o.record ? sample_record(&o, &stop, &err) : sample_live(&o, &stop, &err);
	}
	if (err.text[0])
		fprintf(stderr, "%s: %s\n", command.name, err.text);
	return status;
}
