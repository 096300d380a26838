/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <trial/vigil.h>

#include <common/alloc.h>
#include <common/str.h>
#include <common/units.h>
#include <record/table.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	TAINT_WARN = 1 << 9, /* the kernel has printed a warning: Documentation, tainted-kernels */
	TAINT_DIE = 1 << 7   /* it has died once: an oops */
};

#define SLEEP_NS (10 * XCS_NS_PER_MS)  /* the two clocks are not read at once */
#define STEP_NS  (100 * XCS_NS_PER_MS) /* below it is the drift that NTP corrects */

/* The clock less CLOCK_MONOTONIC, which is read on both sides of it. */
static int64_t offset_ns(clockid_t id)
{
	struct timespec a, t, b;

	clock_gettime(CLOCK_MONOTONIC, &a);
	clock_gettime(id, &t);
	clock_gettime(CLOCK_MONOTONIC, &b);
	int64_t between_ns = (a.tv_sec + b.tv_sec) * XCS_NS_PER_S / 2 + (a.tv_nsec + b.tv_nsec) / 2;
	return t.tv_sec * XCS_NS_PER_S + t.tv_nsec - between_ns;
}

static int64_t number_of(int rc, const struct xcs_buf *text)
{
	int64_t v;

	if (rc || xcs_str_i64(xcs_str_trim(xcs_buf_str(text)), &v))
		return XCS_ABSENT;
	return v;
}

static void word_of(int rc, const struct xcs_buf *text, char *out, size_t size)
{
	struct xcs_str s = xcs_str_trim(xcs_buf_str(text));

	snprintf(out, size, "%.*s", rc ? 0 : (int)s.n, s.n ? s.p : "");
}

/* CPUs are numbered without gaps but for those that were never there. */
static int64_t sum_throttles(const struct xcs_env *env, struct xcs_buf *text)
{
	int64_t sum = XCS_ABSENT;

	for (int cpu = 0, n_missing = 0; n_missing < 8; cpu++) {
		char *path = xcs_xasprintf(
		        "devices/system/cpu/cpu%d/thermal_throttle/core_throttle_count", cpu);
		int64_t v = number_of(xcs_sys_read(env, path, text), text);
		free(path);
		if (v == XCS_ABSENT) {
			n_missing++;
			continue;
		}
		sum = sum == XCS_ABSENT ? v : sum + v;
	}
	return sum;
}

void vigil_look(const struct xcs_env *env, struct vigil *v)
{
	struct xcs_buf text = {0};

	*v = (struct vigil){.slept_ns = offset_ns(CLOCK_BOOTTIME),
	                    .wall_offset_ns = offset_ns(CLOCK_REALTIME)};
	v->taint = number_of(xcs_proc_read(env, "sys/kernel/tainted", &text), &text);
	v->ext_enable_seq =
	        number_of(xcs_sys_read(env, "kernel/sched_ext/enable_seq", &text), &text);
	word_of(xcs_sys_read(env, "kernel/sched_ext/state", &text), &text, v->ext_state,
	        sizeof(v->ext_state));
	word_of(xcs_sys_read(env, "devices/system/cpu/online", &text), &text, v->cpus_online,
	        sizeof(v->cpus_online));
	v->throttles = sum_throttles(env, &text);
	xcs_buf_fini(&text);
}

static int64_t growth(int64_t before, int64_t after)
{
	return before == XCS_ABSENT || after == XCS_ABSENT ? 0 : after - before;
}

/* Taint bits that only a warning or an oops sets, and that were not there before. */
static bool has_warned(const struct vigil *before, const struct vigil *after)
{
	if (before->taint == XCS_ABSENT || after->taint == XCS_ABSENT)
		return false;
	return after->taint & ~before->taint & (TAINT_WARN | TAINT_DIE);
}

bool vigil_broken(const struct vigil *before, const struct vigil *after, struct xcs_buf *why)
{
	int64_t slept_ns = growth(before->slept_ns, after->slept_ns);
	size_t n = why->n;

	if (slept_ns > SLEEP_NS)
		xcs_buf_printf(why, "the machine was suspended for %.1f s",
		               (double)slept_ns / (double)XCS_NS_PER_S);
	else if (strcmp(before->cpus_online, after->cpus_online))
		xcs_buf_printf(why, "the CPUs online changed from %s to %s", before->cpus_online,
		               after->cpus_online);
	else if (growth(before->ext_enable_seq, after->ext_enable_seq) ||
	         strcmp(before->ext_state, after->ext_state))
		xcs_buf_puts(why, "a sched_ext scheduler was loaded or unloaded");
	else if (has_warned(before, after))
		xcs_buf_puts(why, "the kernel printed a warning (see its log)");
	else if (growth(before->throttles, after->throttles) > 0)
		xcs_buf_printf(why, "heat slowed cores down %lld times",
		               (long long)growth(before->throttles, after->throttles));
	return why->n > n;
}

int64_t vigil_clock_step_ns(const struct vigil *before, const struct vigil *after)
{
	int64_t step_ns = growth(before->wall_offset_ns, after->wall_offset_ns);

	return step_ns > -STEP_NS && step_ns < STEP_NS ? 0 : step_ns;
}
