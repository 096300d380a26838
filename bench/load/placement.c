/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <load/placement.h>

#include <common/alloc.h>
#include <common/child.h>
#include <common/units.h>
#include <probe/probe.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TRY_NS (10 * XCS_NS_PER_S)

const char *placement_word(enum placement_kind kind)
{
	static const char *const words[] = {"as-found", "same", "app", "background"};

	return words[kind];
}

static bool is_scoped(enum placement_kind kind)
{
	return kind == PLACEMENT_APP || kind == PLACEMENT_BACKGROUND;
}

/* With --scope, systemd-run becomes the program itself, so pid, nice and CPUs stay. Units are
 * left nameless: one that has just ended may still be listed when its name comes again. */
static void make_launcher(struct placement *p, const struct xcs_user *user)
{
	size_t n = 0;

	/* sudo takes these two away, and without them the manager of the user is not found. */
	if (user->via_sudo) {
		p->runtime_dir = xcs_xasprintf("XDG_RUNTIME_DIR=/run/user/%u", (unsigned)user->uid);
		p->bus = xcs_xasprintf("DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/%u/bus",
		                       (unsigned)user->uid);
		p->launcher[n++] = "env";
		p->launcher[n++] = p->runtime_dir;
		p->launcher[n++] = p->bus;
	}
	p->launcher[n++] = "systemd-run";
	p->launcher[n++] = "--user";
	p->launcher[n++] = "--scope";
	p->launcher[n++] = "--quiet";
	p->launcher[n++] = "--collect";
	p->launcher[n++] =
	        p->kind == PLACEMENT_APP ? "--slice=app.slice" : "--slice=background.slice";
}

/* A process of the user's is started there and ends at once. */
static int try_it(const struct placement *p, const struct xcs_user *user, struct xcs_err *err)
{
	const struct xcs_spawn spawn = {
	        .argv = (const char *[]){"true", NULL},
	        .launcher = p->launcher,
	        .join_fds = p->join_fds,
	        .n_join_fds = p->n_join_fds,
	        .user = user
        };
	struct xcs_buf out = {0};
	int rc = xcs_child_capture(&spawn, TRY_NS, &out, err);

	xcs_buf_fini(&out);
	return rc;
}

static int refuse(const struct placement *p, const struct xcs_err *why, struct xcs_err *err)
{
	return xcs_err_set(err, -EPERM, "--placement=%s cannot be had here (%s); %s",
	                   placement_word(p->kind), why->text,
	                   is_scoped(p->kind) ? "it takes a systemd manager of the user: log in as "
	                                        "the user, or take --placement=same or as-found"
	                                      : "run with sudo, or take --placement=as-found");
}

int placement_open(struct placement *p, enum placement_kind kind, const struct xcs_env *env,
                   const struct xcs_user *user, pid_t server_pid, struct xcs_err *err)
{
	struct xcs_err why = {""};
	int rc = 0;

	*p = (struct placement){.kind = kind};
	if (kind == PLACEMENT_AS_FOUND)
		return 0;
	if (is_scoped(kind))
		make_launcher(p, user);
	else
		rc = probe_open_groups(env, server_pid, p->join_fds, &p->n_join_fds);
	if (rc)
		xcs_err_sys(&why, rc, "cannot open the cgroup of the X server");
	else
		rc = try_it(p, user, &why);
	return rc ? refuse(p, &why, err) : 0;
}

/* A scope of systemd's lies in the unified hierarchy, whoever rules the CPU. */
static bool is_in_place(const struct placement *p, const struct xcs_env *env, pid_t pid,
                        pid_t server_pid)
{
	char *is = probe_unified_dup(env, pid), *server = probe_unified_dup(env, server_pid);
	char *cpu = probe_cgroup_dup(env, pid), *server_cpu = probe_cgroup_dup(env, server_pid);
	bool good = false;

	if (p->kind == PLACEMENT_SAME)
		good = cpu && server_cpu && strcmp(cpu, server_cpu) == 0 &&
		       (!is || !server || strcmp(is, server) == 0);
	else
		good = is &&
		       strstr(is, p->kind == PLACEMENT_APP ? "/app.slice/" : "/background.slice/");
	free(is);
	free(server);
	free(cpu);
	free(server_cpu);
	return good;
}

int placement_check(const struct placement *p, const struct xcs_env *env, pid_t pid,
                    pid_t server_pid, struct xcs_err *err)
{
	if (p->kind == PLACEMENT_AS_FOUND || is_in_place(p, env, pid, server_pid))
		return 0;
	char *is = probe_cgroup_dup(env, pid);
	int rc = xcs_err_set(err, -EIO,
	                     "process %d of the load is in cgroup %s, not where "
	                     "--placement=%s puts it",
	                     (int)pid, is ? is : "n/a", placement_word(p->kind));
	free(is);
	return rc;
}

void placement_close(struct placement *p)
{
	for (size_t i = 0; i < p->n_join_fds; i++)
		close(p->join_fds[i]);
	free(p->runtime_dir);
	free(p->bus);
	*p = (struct placement){0};
}
