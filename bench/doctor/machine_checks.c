/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The machine: its clock rates, its power, and who else wants its CPUs.
 */
#include "check.h"

#include <common/str.h>

#include <stdlib.h>
#include <string.h>

#define MIB (1024.0 * 1024.0)

/* Above these the numbers depend on it. Load and pressure of an idle desktop are below. */
#define STEAL_WARN_PCT    1.0
#define STEAL_FAIL_PCT    10.0
#define PRESSURE_WARN_PCT 5.0
#define LOAD_PER_CPU_WARN 0.3
#define DISK_WARN_BYTES   (512 * MIB)
#define DISK_FAIL_BYTES   (16 * MIB)
#define SWAP_WARN_KB      (64 * 1024.0)

/* The number at the front of a text, in the C locale whatever is set; false: none. */
static bool number(const char *text, double *v)
{
	struct xcs_str rest = xcs_str(text), word, whole;
	uint64_t a, b = 0;
	double scale = 1;

	if (!xcs_str_next_word(&rest, &word) || !xcs_str_next_part(&word, '.', &whole) ||
	    xcs_str_u64(whole, &a) || (word.n && xcs_str_u64(word, &b)))
		return false;
	for (size_t i = 0; i < word.n; i++)
		scale /= 10;
	*v = (double)a + (double)b * scale;
	return true;
}

static bool is(const char *value, const char *word)
{
	return value && strcmp(value, word) == 0;
}

static void virtual(const struct xcs_run *run, const char *yes, struct doctor_finding *f)
{
	(void)run;
	if (is(yes, "yes"))
		check_say(f, DOCTOR_WARN, "measure on bare metal what you will argue with",
		          "this is a virtual machine: its host schedules too");
	else if (yes)
		check_ok(f, "no virtual machine");
}

static void scheduler(const struct xcs_run *run, const char *name, struct doctor_finding *f)
{
	const char *preempt = check_value(run, "sched.preempt"),
	           *hz = check_value(run, "kernel.hz");

	if (name && strncmp(name, "sched_ext", 9) == 0)
		check_say(f, DOCTOR_WARN, "stop it to measure the kernel's own scheduler",
		          "%s rules, and may ignore nice", name);
	else if (name)
		check_ok(f, "%s, preemption %s, HZ %s", name, preempt ? preempt : "n/a",
		         hz ? hz : "n/a");
}

static void governor(const struct xcs_run *run, const char *name, struct doctor_finding *f)
{
	(void)run;
	if (is(name, "performance"))
		check_ok(f, "performance on all CPUs");
	else if (name)
		check_say(f, DOCTOR_WARN,
		          "cpupower frequency-set -g performance, or run with --profile=controlled",
		          "the CPU clock follows the load (governor %s)", name);
}

/* A boost that comes and goes with heat and neighbours is the larger part of the noise. */
static void turbo(const struct xcs_run *run, const char *boost, struct doctor_finding *f)
{
	const char *no_turbo = check_value(run, "cpu.no_turbo");

	if (is(no_turbo, "0") || is(boost, "1"))
		check_say(f, DOCTOR_WARN,
		          "write 1 to intel_pstate/no_turbo or 0 to cpufreq/boost, or run with "
		          "--profile=controlled",
		          "the CPU may clock above its rating while it is cool");
	else if (no_turbo || boost)
		check_ok(f, "no turbo");
}

static void supply(const struct xcs_run *run, const char *state, struct doctor_finding *f)
{
	(void)run;
	if (state && strstr(state, "Discharging"))
		check_say(f, DOCTOR_WARN, "connect the mains", "it runs on battery (%s)", state);
	else if (state)
		check_ok(f, "%s", state);
}

static void throttles(const struct xcs_run *run, const char *count, struct doctor_finding *f)
{
	(void)run;
	if (count && strcmp(count, "0"))
		check_say(f, DOCTOR_WARN, "cool it, and look whether the count grows while it runs",
		          "heat has slowed cores down %s times since boot", count);
	else if (count)
		check_ok(f, "heat has slowed nothing down since boot");
}

static void steal(const struct xcs_run *run, const char *pct, struct doctor_finding *f)
{
	double v;

	(void)run;
	if (!pct || !number(pct, &v))
		return;
	if (v > STEAL_WARN_PCT)
		check_say(f, v > STEAL_FAIL_PCT ? DOCTOR_FAIL : DOCTOR_WARN,
		          "wait for a quieter host", "the host took %s %% of the CPU time", pct);
	else
		check_ok(f, "the host took %s %% of the CPU time", pct);
}

static void clocksource(const struct xcs_run *run, const char *name, struct doctor_finding *f)
{
	(void)run;
	if (is(name, "hpet") || is(name, "acpi_pm") || is(name, "jiffies") ||
	    is(name, "refined-jiffies"))
		check_say(f, DOCTOR_WARN, "see the boot log for why tsc was given up",
		          "each reading of the clock is slow (%s)", name);
	else if (name)
		check_ok(f, "%s", name);
}

static void pressure(const struct xcs_run *run, const char *pct, struct doctor_finding *f)
{
	double v;

	(void)run;
	if (!pct || !number(pct, &v))
		return;
	if (v > PRESSURE_WARN_PCT)
		check_say(f, DOCTOR_WARN, "end what else runs, and wait ten seconds",
		          "tasks waited for a CPU %s %% of the last 10 s", pct);
	else
		check_ok(f, "tasks waited for a CPU %s %% of the last 10 s", pct);
}

static int n_online(const struct xcs_run *run)
{
	struct xcs_str rest = xcs_str(check_value(run, "cpu.online")), part, first;
	int n = 0;

	while (xcs_str_next_part(&rest, ',', &part)) {
		uint64_t a, b;
		if (!xcs_str_next_part(&part, '-', &first) || xcs_str_u64(first, &a))
			return 1;
		n += part.n && xcs_str_u64(part, &b) == 0 && b >= a ? (int)(b - a) + 1 : 1;
	}
	return n ? n : 1;
}

static void load(const struct xcs_run *run, const char *text, struct doctor_finding *f)
{
	int n_cpus = n_online(run);
	double v;

	if (!text || !number(text, &v))
		return;
	if (v > LOAD_PER_CPU_WARN * n_cpus)
		check_say(f, DOCTOR_WARN, "end what else runs, or wait a minute",
		          "the load of the last minute is %.2f on %d CPUs", v, n_cpus);
	else
		check_ok(f, "the load of the last minute is %.2f on %d CPUs", v, n_cpus);
}

static void swap(const struct xcs_run *run, const char *used, struct doctor_finding *f)
{
	double v;

	(void)run;
	if (!used || !number(used, &v))
		return;
	if (v > SWAP_WARN_KB)
		check_say(f, DOCTOR_WARN, "free memory, then swapoff -a and swapon -a",
		          "%s are swapped out", used);
	else
		check_ok(f, "%s swapped out", used);
}

static void disk(const struct xcs_run *run, const char *bytes, struct doctor_finding *f)
{
	const char *dir = check_value(run, "disk.folder");
	double v;

	if (!bytes || !number(bytes, &v))
		return;
	if (v < DISK_WARN_BYTES)
		check_say(f, v < DISK_FAIL_BYTES ? DOCTOR_FAIL : DOCTOR_WARN,
		          "make room, or give --output a folder elsewhere", "%.0f MiB free in %s",
		          v / MIB, dir ? dir : "the folder of runs");
	else
		check_ok(f, "%.0f MiB free in %s", v / MIB, dir ? dir : "the folder of runs");
}

const struct check machine_checks[] = {
        {"virtual",      "machine.virtual", virtual, false},
        {"scheduler",       "sched.class", scheduler, false},
        {"governor",              "cpu.governor", governor, true},
        {"turbo","cpu.boost", turbo, true},
        {"power",         "power.supply", supply, true},
        {"heat",     "thermal.throttles", throttles, true},
        {"steal",      "cpu.steal_pct", steal, true},
        {"clocksource",              "machine.clocksource", clocksource, true},
        {"pressure",         "pressure.cpu_pct", pressure, true},
        {"load",          "load.average", load, true},
        {"swap",        "memory.swap_used", swap, true},
        {"disk",        "disk.free_bytes", disk, true},
        {0             },
};
