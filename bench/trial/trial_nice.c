/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <trial/trial_nice.h>

#include <guard/guard.h>

#include <common/task.h>
#include <probe/probe.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static bool is_chain(const struct trial_place *p)
{
	return strcmp(p->run->plan.boost, "chain") == 0;
}

bool trial_nice_by_group(const struct trial_place *p)
{
	return strcmp(p->run->plan.autogroup_mode, "nice") == 0;
}

static bool is_relative(const struct trial_place *p)
{
	return strcmp(p->run->plan.mode, "relative") == 0;
}

static struct xcs_num read_nice(const struct xcs_env *env, pid_t pid)
{
	struct xcs_num nice = {0};
	struct xcs_task_id id;
	pid_t *tids = NULL;
	size_t cap = 0;
	int n = pid > 0 ? xcs_task_list(env, pid, &tids, &cap) : 0;

	for (int i = 0; i < n; i++) {
		if (xcs_task_id_read(env, pid, tids[i], &id))
			continue;
		if (nice.known && (int)nice.v != id.nice) {
			nice.known = false;
			break;
		}
		nice = (struct xcs_num){true, id.nice};
	}
	free(tids);
	return nice;
}

struct trial_nice trial_nice_read(const struct trial_place *p)
{
	return (struct trial_nice){.server = read_nice(p->env, p->server->pid),
	                           .compositor = read_nice(p->env, p->server->compositor.pid)};
}

static int renice(const struct trial_place *p, pid_t pid, uint64_t start_ticks, int nice,
                  struct xcs_err *err)
{
	if (trial_nice_by_group(p))
		return guard_set_autogroup_nice(p->guard, pid, start_ticks, nice, err);
	return guard_set_nice(p->guard, pid, start_ticks, nice, NULL, err);
}

/* A compositor may be in the server's autogroup, which then has its level already; put back
 * twice, it would be left at the level that the second write found. */
static bool shares_group(const struct trial_place *p)
{
	char *server = probe_autogroup_dup(p->env, p->server->pid);
	char *compositor = probe_autogroup_dup(p->env, p->server->compositor.pid);
	bool same =
	        trial_nice_by_group(p) && server && compositor && strcmp(server, compositor) == 0;

	free(server);
	free(compositor);
	return same;
}

static bool compositor_ended(const struct trial_place *p)
{
	const struct xcompositor *c = &p->server->compositor;

	return c->pid && !xcs_task_is_alive(p->env, c->pid, c->start_ticks);
}

int trial_nice_set(const struct trial_place *p, int nice, struct xcs_err *err)
{
	const struct xserver *x = p->server;
	const struct xcompositor *c = &x->compositor;

	if (compositor_ended(p))
		return xcs_err_set(err, -ESRCH,
		                   "the compositor %s (process %d) ended, so the screen is drawn "
		                   "in another way now; start the run again",
		                   c->comm, (int)c->pid);
	if (is_relative(p))
		return 0;
	int rc = renice(p, x->pid, x->start_ticks, nice, err);
	if (rc || !is_chain(p) || shares_group(p))
		return rc;
	return renice(p, c->pid, c->start_ticks, nice, err);
}

/* The nice value of a process's autogroup; unknown when the kernel has none. */
static struct xcs_num autogroup_nice(const struct xcs_env *env, pid_t pid)
{
	char *text = probe_autogroup_dup(env, pid);
	struct xcs_num result = {0};
	int nice;

	if (text && sscanf(text, "/autogroup-%*d nice %d", &nice) == 1)
		result = (struct xcs_num){true, nice};
	free(text);
	return result;
}

static bool moved(const struct trial_place *p, pid_t pid, struct xcs_num before,
                  struct xcs_num after, int want)
{
	if (trial_nice_by_group(p))
		before = after = autogroup_nice(p->env, pid);
	if (is_relative(p))
		want = (int)before.v;
	return !before.known || !after.known || (int)before.v != want || (int)after.v != want;
}

bool trial_nice_broken(const struct trial_place *p, int nice, const struct trial_nice *before,
                       const struct trial_nice *after, struct xcs_buf *why)
{
	static const char changed[] = "somebody else changed the nice value of the";
	const struct xcompositor *c = &p->server->compositor;

	if (compositor_ended(p))
		xcs_buf_printf(why, "the compositor %s ended", c->comm);
	else if (moved(p, p->server->pid, before->server, after->server, nice))
		xcs_buf_printf(why, "%s X server, which was to be %d", changed, nice);
	else if (is_chain(p) && moved(p, c->pid, before->compositor, after->compositor, nice))
		xcs_buf_printf(why, "%s compositor, which was to be %d", changed, nice);
	return why->n > 0;
}

static bool is_moved(const struct load_spec *s, const char *role, pid_t pid, int want,
                     struct xcs_buf *why)
{
	struct xcs_task_id id;

	if (pid <= 0 || xcs_task_id_read(s->env, pid, pid, &id))
		return false;
	struct xcs_num group = s->by_autogroup ? autogroup_nice(s->env, pid) : (struct xcs_num){0};
	if (id.nice != want)
		xcs_buf_printf(why, "somebody else changed the nice value of %s from %d to %d",
		               role, want, id.nice);
	else if (group.known && (int)group.v != want)
		xcs_buf_printf(why,
		               "somebody else changed the nice value of the autogroup of %s "
		               "from %d to %d",
		               role, want, (int)group.v);
	return why->n > 0;
}

bool trial_nice_load_broken(const struct load *l, struct xcs_buf *why)
{
	const struct load_spec *s = l->spec;

	for (size_t i = 0; i < l->n; i++) {
		const struct load_client *c = &l->clients[i];
		int want = load_nice(s, (int)i);
		if (!s->set_nice && want == 0)
			want = getpriority(PRIO_PROCESS, 0); /* inherited */
		if (is_moved(s, c->role, c->child.pid, want, why) ||
		    (!c->terminal_pid && is_moved(s, c->feeder_role, c->feeder_pid, want, why)))
			return true;
	}
	return false;
}
