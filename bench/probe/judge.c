/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the spinners' CPU times mean, and why nice had no effect.
 */
#include <probe/probe.h>

#include <common/alloc.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* kernel/sched/core.c, sched_prio_to_weight[]: nice -20 first. */
static const int weights[40] = {
        88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
        9548,  7620,  6100,  4904,  3906,  3121,  2501,  1991,  1586,  1277,
        1024,  820,   655,   526,   423,   335,   272,   215,   172,   137,
        110,   87,    70,    56,    45,    36,    29,    23,    18,    15,
};

double probe_weight_ratio(int favoured_nice, int other_nice)
{
	return (double)weights[favoured_nice + 20] / weights[other_nice + 20];
}

static void say(struct xcs_run_probe *out, const char *verdict, char *why)
{
	free(out->verdict);
	free(out->why);
	out->verdict = xcs_xstrdup(verdict);
	out->why = why;
}

static bool is_text(int rc, const struct xcs_buf *text, const char *want)
{
	return rc == 0 && xcs_str_is(xcs_str_trim(xcs_buf_str(text)), want);
}

static bool has_sched_ext(const struct xcs_env *env)
{
	struct xcs_buf text = {0};
	bool yes = is_text(xcs_sys_read(env, "kernel/sched_ext/state", &text), &text, "enabled");

	xcs_buf_fini(&text);
	return yes;
}

static bool has_autogroup(const struct xcs_env *env)
{
	struct xcs_buf text = {0};
	int rc = xcs_proc_read(env, "sys/kernel/sched_autogroup_enabled", &text);
	bool yes = is_text(rc, &text, "1");

	xcs_buf_fini(&text);
	return yes;
}

/* "/autogroup-41 nice 0": the name is the first word. */
static bool same_autogroup(const char *a, const char *b)
{
	size_t n = strcspn(a, " ");

	return n == strcspn(b, " ") && strncmp(a, b, n) == 0;
}

/* An autogroup stands only for tasks of the root cgroup (kernel/sched/autogroup.c,
 * task_wants_autogroup). */
static bool parted_by_autogroup(const struct xcs_env *env, const struct xcs_run_probe *p)
{
	bool both = p->server_autogroup && p->load_autogroup;
	bool root = (!p->server_cgroup || strcmp(p->server_cgroup, "/") == 0) &&
	            (!p->load_cgroup || strcmp(p->load_cgroup, "/") == 0);

	return both && root && has_autogroup(env) &&
	       !same_autogroup(p->server_autogroup, p->load_autogroup);
}

static char *measured(const struct xcs_run_probe *p, double ratio, double even_ratio)
{
	return xcs_xasprintf("at nice 0 against 10 the server's spinner got %.2f times the CPU "
	                     "time of the load's (expected %.1f), with both at 10 %.2f times",
	                     ratio, p->expected_ratio.v, even_ratio);
}

static void find_cause(const struct xcs_env *env, const char *what, struct xcs_run_probe *out)
{
	const char *ours = out->server_autogroup, *theirs = out->load_autogroup;

	/* A BPF scheduler comes first: under it the fair scheduler's groups mean nothing. */
	if (has_sched_ext(env))
		say(out, "ignored (sched_ext)",
		    xcs_xasprintf("a sched_ext scheduler is loaded; %s", what));
	else if (parted_by_autogroup(env, out))
		say(out, "ineffective (autogroup)",
		    xcs_xasprintf("server and load are in different autogroups (%.*s, %.*s), so "
		                  "nice counts only inside each (use --autogroup=nice, or "
		                  "--autogroup=off as root); %s",
		                  (int)strcspn(ours, " "), ours, (int)strcspn(theirs, " "), theirs,
		                  what));
	else if (out->server_cgroup && out->load_cgroup &&
	         strcmp(out->server_cgroup, out->load_cgroup) != 0)
		say(out, "ineffective (cgroup)",
		    xcs_xasprintf("server and load are in different cpu cgroups (%s, %s), so nice "
		                  "counts only inside each; %s",
		                  out->server_cgroup, out->load_cgroup, what));
	else
		say(out, "ineffective (unknown)",
		    xcs_xasprintf("neither autogroup nor cgroup nor sched_ext explains it: %s",
		                  what));
}

/* As logarithms, since 9.3 times and a ninth are equally far from no effect. */
static bool is_half_of(double ratio, double expected)
{
	return ratio > 0 && log(ratio) >= log(expected) / 2;
}

/*
 * One window is not enough: a server in a cgroup of its own and a load in the root give 9.3
 * by the load's nice alone (its weight 110 against the group's 1024), while the server's
 * nice does nothing.
 */
void probe_judge(const struct xcs_env *env, double even_ratio, struct xcs_run_probe *out)
{
	/* A spinner that got nothing at all still divides. */
	const int64_t other_ns = out->other_exec_ns > 0 ? out->other_exec_ns : 1;
	const double ratio = (double)out->favoured_exec_ns / (double)other_ns;
	const double expected = probe_weight_ratio(0, 10);

	out->expected_ratio = (struct xcs_num){true, expected};
	char *what = measured(out, ratio, even_ratio);
	if (is_half_of(ratio, expected) && is_half_of(ratio / even_ratio, expected))
		say(out, "effective", xcs_xstrdup(what));
	else
		find_cause(env, what, out);
	free(what);
}
