/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The probe's run: start two spinners, let them compete, read their CPU time.
 */
#include "groups.h"

#include <probe/probe.h>

#include <common/alloc.h>
#include <common/child.h>
#include <common/paths.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define WINDOW_NS   (400 * XCS_NS_PER_MS) /* CPU time of both together, in each window */
#define DEADLINE_NS (5 * XCS_NS_PER_S)    /* for a CPU that others use, too */

static const int nices[2] = {0, 10}; /* of server and load */

struct spinner {
	struct xcs_child child;
	int stdin_fd; /* closing it ends the spinner */
	int64_t exec_ns;
};

static bool moves_task(const struct probe_place *p)
{
	return !p->by_autogroup || p->by_both;
}

static int start(struct spinner *s, const struct probe_place *place, int cpu, int nice,
                 struct xcs_err *err)
{
	char *program =
	        place->spinner ? xcs_xstrdup(place->spinner) : xcs_path_program_dup("xcs-spin");
	const char *const argv[] = {program, NULL};
	const int task_nice = moves_task(place) ? nice : 0;
	struct xcs_cpuset cpus;
	int fds[2];

	CPU_ZERO(&cpus.mask);
	CPU_SET((size_t)cpu, &cpus.mask);
	if (pipe2(fds, O_CLOEXEC)) {
		free(program);
		return xcs_err_sys(err, -errno, "cannot make a pipe");
	}
	const struct xcs_spawn how = {.argv = argv,
	                              .stdin_fd = fds[0],
	                              .stderr_fd = STDERR_FILENO,
	                              .launcher = place->launcher,
	                              .join_fds = place->join_fds,
	                              .n_join_fds = place->n_join_fds,
	                              .new_session = place->new_session || place->by_autogroup,
	                              .die_with_parent = true,
	                              .user = place->user,
	                              .cpus = &cpus,
	                              .nice = &task_nice};
	int rc = xcs_child_start(&s->child, &how, err);
	close(fds[0]);
	s->stdin_fd = fds[1];
	free(program);
	return rc;
}

static int place(const struct xcs_env *env, const struct spinner *s,
                 const struct probe_place *where, struct xcs_err *err)
{
	int rc = where->like_pid ? groups_join(env, s->child.pid, where->like_pid) : 0;

	return rc ? xcs_err_sys(err, rc, "cannot put a spinner into the cgroup of process %d",
	                        (int)where->like_pid)
	          : 0;
}

/* First number of /proc/PID/schedstat: time on the CPU in ns
 * (Documentation/scheduler/sched-stats.rst). */
static int read_exec(const struct xcs_env *env, struct spinner *s, struct xcs_err *err)
{
	char rel[32];
	struct xcs_buf text = {0};
	struct xcs_str rest, word;
	uint64_t v = 0;

	snprintf(rel, sizeof(rel), "%d/schedstat", (int)s->child.pid);
	int rc = xcs_proc_read(env, rel, &text);
	rest = xcs_buf_str(&text);
	if (rc == 0 && (!xcs_str_next_word(&rest, &word) || xcs_str_u64(word, &v)))
		rc = -ENODATA;
	xcs_buf_fini(&text);
	if (rc)
		return xcs_err_sys(err, rc, "cannot read the CPU time of a spinner (schedstat)");
	s->exec_ns = (int64_t)v;
	return 0;
}

static int read_both(const struct xcs_env *env, struct spinner both[2], struct xcs_err *err)
{
	int rc = read_exec(env, &both[0], err);

	return rc ? rc : read_exec(env, &both[1], err);
}

/* Waits until both have had the window's CPU time between them; what they had in taken_ns. */
static int compete(const struct xcs_env *env, struct spinner both[2], int64_t taken_ns[2],
                   struct xcs_err *err)
{
	const int64_t deadline_ns = xcs_mono_now_ns() + DEADLINE_NS;
	struct pollfd p[2] = {
	        {.fd = both[0].child.pidfd, .events = POLLIN},
	        {.fd = both[1].child.pidfd, .events = POLLIN},
	};
	int rc = read_both(env, both, err);
	const int64_t before_ns[2] = {both[0].exec_ns, both[1].exec_ns};

	while (rc == 0) {
		if (poll(p, 2, 50) > 0)
			return xcs_err_set(err, -ECHILD, "a spinner ended too early");
		rc = read_both(env, both, err);
		for (int i = 0; i < 2; i++)
			taken_ns[i] = both[i].exec_ns - before_ns[i];
		if (rc == 0 && taken_ns[0] + taken_ns[1] >= WINDOW_NS)
			break;
		if (rc == 0 && xcs_mono_now_ns() > deadline_ns)
			rc = xcs_err_set(err, -ETIMEDOUT,
			                 "the spinners got no %d ms of CPU time in %d s",
			                 (int)(WINDOW_NS / XCS_NS_PER_MS),
			                 (int)(DEADLINE_NS / XCS_NS_PER_S));
	}
	return rc;
}

static int let_loose(struct spinner both[2], struct xcs_err *err)
{
	for (int i = 0; i < 2; i++)
		if (write(both[i].stdin_fd, "\n", 1) != 1)
			return xcs_err_sys(err, -errno, "a spinner does not listen");
	return 0;
}

/* As the sweep renices the server or the load: the process, its group, or both. */
static int renice(const struct xcs_env *env, const struct spinner *s,
                  const struct probe_place *where, int nice, struct xcs_err *err)
{
	int rc = 0;

	if (where->by_autogroup)
		rc = probe_autogroup_renice(env, s->child.pid, nice);
	if (rc == 0 && moves_task(where) && setpriority(PRIO_PROCESS, (id_t)s->child.pid, nice))
		rc = -errno;
	return rc ? xcs_err_sys(err, rc, "cannot renice a spinner") : 0;
}

static void stop(struct spinner *s)
{
	if (s->stdin_fd >= 0)
		close(s->stdin_fd);
	xcs_child_stop(&s->child, XCS_NS_PER_S);
}

static void look_at_groups(const struct xcs_env *env, const struct spinner both[2],
                           struct xcs_run_probe *out)
{
	out->server_autogroup = probe_autogroup_dup(env, both[0].child.pid);
	out->load_autogroup = probe_autogroup_dup(env, both[1].child.pid);
	out->server_cgroup = probe_cgroup_dup(env, both[0].child.pid);
	out->load_cgroup = probe_cgroup_dup(env, both[1].child.pid);
}

static int start_both(struct spinner both[2], const struct probe_place *const places[2], int cpu,
                      struct xcs_err *err)
{
	int rc = start(&both[0], places[0], cpu, nices[0], err);

	return rc ? rc : start(&both[1], places[1], cpu, nices[1], err);
}

static int place_both(const struct xcs_env *env, const struct spinner both[2],
                      const struct probe_place *const places[2], struct xcs_err *err)
{
	int rc = 0;

	for (int i = 0; rc == 0 && i < 2; i++)
		rc = place(env, &both[i], places[i], err);
	for (int i = 0; rc == 0 && i < 2; i++)
		rc = renice(env, &both[i], places[i], nices[i], err);
	return rc;
}

static int run(const struct xcs_env *env, struct spinner both[2],
               const struct probe_place *const places[2], double *even_ratio,
               struct xcs_run_probe *out, struct xcs_err *err)
{
	int64_t first_ns[2] = {0}, even_ns[2] = {0};
	int rc = place_both(env, both, places, err);

	if (rc)
		return rc;
	look_at_groups(env, both, out);
	if ((rc = let_loose(both, err)) || (rc = compete(env, both, first_ns, err)) ||
	    (rc = renice(env, &both[0], places[0], nices[1], err)) ||
	    (rc = compete(env, both, even_ns, err)))
		return rc;
	out->favoured_exec_ns = first_ns[0];
	out->other_exec_ns = first_ns[1];
	*even_ratio = (double)even_ns[0] / (double)(even_ns[1] > 0 ? even_ns[1] : 1);
	return 0;
}

int probe_nice(const struct xcs_env *env, const struct probe_place *server,
               const struct probe_place *load, int cpu, struct xcs_run_probe *out,
               struct xcs_err *err)
{
	const struct probe_place *const places[2] = {server, load};
	struct spinner both[2] = {{.stdin_fd = -1}, {.stdin_fd = -1}};
	struct xcs_err why = {""};
	double even_ratio = 0;

	if (cpu < 0 || cpu >= CPU_SETSIZE)
		return xcs_err_set(err, -EINVAL, "there is no CPU %d to probe nice on", cpu);
	int rc = start_both(both, places, cpu, &why);
	bool broken = rc && rc != -EPERM && rc != -EACCES;
	if (rc == 0)
		rc = run(env, both, places, &even_ratio, out, &why);
	for (int i = 0; i < 2; i++)
		stop(&both[i]);
	if (rc == 0) {
		probe_judge(env, even_ratio, out);
		return 0;
	}
	free(out->verdict);
	free(out->why);
	out->verdict = xcs_xstrdup("not probed");
	out->why = xcs_xstrdup(why.text);
	return broken ? xcs_err_set(err, rc, "%s", why.text) : 0;
}
