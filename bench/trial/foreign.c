/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "foreign.h"

#include <common/alloc.h>
#include <common/units.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	FOREIGN_MAX = 5
};

void foreign_look(struct foreign *f)
{
	struct xcs_err ignored; /* names only: the amount comes from the samples */

	*f = (struct foreign){0};
	(void)!xcs_discover_processes(&f->before, &ignored);
}

static bool is_ours(const struct load *load, const struct beside *beside,
                    const struct xserver *server, pid_t pid)
{
	if (pid == getpid() || pid == server->pid || pid == server->compositor.pid)
		return true;
	for (size_t i = 0; i < load->n; i++)
		if (pid == load_client_pid(&load->clients[i]) ||
		    pid == load->clients[i].feeder_pid || pid == load->clients[i].command_pid)
			return true;
	pid_t session = getsid(pid); /* what a build starts stays in its session */
	for (size_t i = 0; i < beside->n; i++)
		if (pid == beside->tasks[i].child.pid || session == beside->tasks[i].child.pid)
			return true;
	return false;
}

static int by_cpu_falling(const void *a, const void *b)
{
	const struct xcs_run_foreign *x = a, *y = b;

	return (x->cpu_ns < y->cpu_ns) - (x->cpu_ns > y->cpu_ns);
}

static struct xcs_run_foreign used_since(const struct foreign *f, const struct xcs_process *now,
                                         int64_t ticks_per_s)
{
	const struct xcs_process *then = xcs_process_find(&f->before, now->pid, now->start_ticks);
	int64_t ticks = now->cpu_ticks - (then ? then->cpu_ticks : 0);

	return (struct xcs_run_foreign){.pid = now->pid,
	                                .comm = xcs_xstrdup(now->comm),
	                                .cpu_ns = ticks * (XCS_NS_PER_S / ticks_per_s)};
}

void foreign_since(const struct foreign *f, const struct xcs_env *env, const struct load *load,
                   const struct beside *beside, const struct xserver *server,
                   struct xcs_run_trial *trial)
{
	struct xcs_process_list after = {0};
	struct xcs_err ignored;
	size_t n = 0;

	if (f->before.n == 0 || xcs_discover_processes(&after, &ignored))
		return;
	trial->foreign = xcs_xcalloc(after.n + 1, sizeof(*trial->foreign));
	for (size_t i = 0; i < after.n; i++) {
		struct xcs_run_foreign used = used_since(f, &after.v[i], env->ticks_per_s);
		if (used.cpu_ns > 0 && !is_ours(load, beside, server, used.pid))
			trial->foreign[n++] = used;
		else
			free(used.comm);
	}
	qsort(trial->foreign, n, sizeof(*trial->foreign), by_cpu_falling);
	while (n > FOREIGN_MAX)
		free(trial->foreign[--n].comm);
	trial->n_foreign = n;
	xcs_process_list_fini(&after);
}

void foreign_fini(struct foreign *f)
{
	xcs_process_list_fini(&f->before);
}
