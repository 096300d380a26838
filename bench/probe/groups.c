/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The scheduling groups of a process: autogroup and cpu cgroup.
 */
#include "groups.h"

#include <probe/probe.h>

#include <common/alloc.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *probe_autogroup_dup(const struct xcs_env *env, pid_t pid)
{
	char rel[32];
	struct xcs_buf text = {0};
	char *group = NULL;

	snprintf(rel, sizeof(rel), "%d/autogroup", (int)pid);
	if (xcs_proc_read(env, rel, &text) == 0) {
		struct xcs_str s = xcs_str_trim(xcs_buf_str(&text));
		group = s.n ? xcs_xasprintf("%.*s", (int)s.n, s.p) : xcs_xstrdup("none");
	}
	xcs_buf_fini(&text);
	return group;
}

/*
 * Lines are "ID:CONTROLLERS:PATH" (cgroups(7)); the unified hierarchy's has an empty list.
 * The path may hold colons.
 */
bool groups_find_line(struct xcs_str text, const char *controller, struct xcs_str *path)
{
	struct xcs_str line, id, list;

	while (xcs_str_next_line(&text, &line)) {
		if (!xcs_str_next_part(&line, ':', &id))
			continue;
		const char *end = memchr(line.p, ':', line.n);
		if (!end)
			continue;
		list = (struct xcs_str){line.p, (size_t)(end - line.p)};
		if (controller[0] ? !xcs_str_list_has(list, ',', controller) : list.n != 0)
			continue;
		*path = (struct xcs_str){end + 1, line.n - list.n - 1};
		return true;
	}
	return false;
}

/* Where the hierarchies are mounted, by long custom, relative to /sys. */
static const char *const v2_mounts[] = {"fs/cgroup", "fs/cgroup/unified", NULL};
static const char *const v1_mounts[] = {"fs/cgroup/cpu", "fs/cgroup/cpu,cpuacct", NULL};

/* True when this cgroup of the unified hierarchy schedules for itself. */
static bool has_cpu_controller(const struct xcs_env *env, const char *path)
{
	struct xcs_buf text = {0};
	bool yes = false;

	for (size_t i = 0; v2_mounts[i] && !yes; i++) {
		char *rel = xcs_xasprintf("%s%s/cgroup.controllers", v2_mounts[i], path);
		yes = xcs_sys_read(env, rel, &text) == 0 &&
		      xcs_str_list_has(xcs_str_trim(xcs_buf_str(&text)), ' ', "cpu");
		free(rel);
	}
	xcs_buf_fini(&text);
	return yes;
}

/*
 * In the unified hierarchy a cgroup whose parent does not hand out the cpu controller
 * belongs, to the scheduler, to the nearest ancestor that has it, at last to the root.
 */
static char *ruling_dup(const struct xcs_env *env, struct xcs_str path)
{
	char *at = xcs_xasprintf("%.*s", (int)path.n, path.p);
	char *slash;

	while (strcmp(at, "/") != 0 && !has_cpu_controller(env, at) && (slash = strrchr(at, '/')))
		slash[slash == at] = '\0';
	return at;
}

static char *cgroup_dup(const struct xcs_env *env, pid_t pid, bool *v1)
{
	char rel[32];
	struct xcs_buf text = {0};
	struct xcs_str path;
	char *found = NULL;

	snprintf(rel, sizeof(rel), "%d/cgroup", (int)pid);
	if (xcs_proc_read(env, rel, &text) == 0) {
		*v1 = groups_find_line(xcs_buf_str(&text), "cpu", &path);
		if (*v1)
			found = xcs_xasprintf("%.*s", (int)path.n, path.p);
		else if (groups_find_line(xcs_buf_str(&text), "", &path))
			found = ruling_dup(env, path);
	}
	xcs_buf_fini(&text);
	return found;
}

char *probe_cgroup_dup(const struct xcs_env *env, pid_t pid)
{
	bool v1;

	return cgroup_dup(env, pid, &v1);
}

/* cpu.weight of the folder in the unified hierarchy, wherever that is mounted. */
static char *weight_dup(const struct xcs_env *env, const char *folder)
{
	struct xcs_buf text = {0};
	char *weight = NULL;

	for (size_t i = 0; v2_mounts[i] && !weight; i++) {
		char *rel = xcs_xasprintf("%s%s/cpu.weight", v2_mounts[i], folder);
		if (xcs_sys_read(env, rel, &text) == 0) {
			struct xcs_str s = xcs_str_trim(xcs_buf_str(&text));
			weight = xcs_xasprintf("%.*s", (int)s.n, s.p);
		}
		free(rel);
	}
	xcs_buf_fini(&text);
	return weight;
}

/* From the root, which has no weight, down to the thread's own folder. */
static char *weights_dup(const struct xcs_env *env, const char *path)
{
	struct xcs_buf all = {0};
	bool known = false;

	for (size_t at = 1; path[0] == '/' && path[at]; at += path[at] == '/') {
		size_t n = strcspn(path + at, "/");
		char *folder = xcs_xasprintf("%.*s", (int)(at + n), path);
		char *weight = weight_dup(env, folder);
		xcs_buf_printf(&all, "%s%.*s %s", all.n ? ", " : "", (int)n, path + at,
		               weight ? weight : "n/a");
		known = known || weight;
		free(weight);
		free(folder);
		at += n;
	}
	char *text = known ? xcs_buf_take(&all) : NULL;
	xcs_buf_fini(&all);
	return text;
}

void probe_thread_cgroup(const struct xcs_env *env, pid_t pid, pid_t tid, char **path,
                         char **weights)
{
	char *rel = xcs_xasprintf("%d/task/%d/cgroup", (int)pid, (int)tid);
	struct xcs_buf text = {0};
	struct xcs_str found = {"", 0};
	bool v1 = false;

	*path = *weights = NULL;
	if (xcs_proc_read(env, rel, &text) == 0) {
		v1 = groups_find_line(xcs_buf_str(&text), "cpu", &found);
		if (v1 || groups_find_line(xcs_buf_str(&text), "", &found))
			*path = xcs_xasprintf("%.*s", (int)found.n, found.p);
	}
	/* v1 has cpu.shares, another scale: it is not to be taken for a weight. */
	if (*path && !v1)
		*weights = weights_dup(env, *path);
	xcs_buf_fini(&text);
	free(rel);
}

/* Path of the process's group in that controller's hierarchy, "" for the unified one. */
static char *path_dup(const struct xcs_env *env, pid_t pid, const char *controller)
{
	char rel[32], *found = NULL;
	struct xcs_buf text = {0};
	struct xcs_str path;

	snprintf(rel, sizeof(rel), "%d/cgroup", (int)pid);
	if (xcs_proc_read(env, rel, &text) == 0 &&
	    groups_find_line(xcs_buf_str(&text), controller, &path))
		found = xcs_xasprintf("%.*s", (int)path.n, path.p);
	xcs_buf_fini(&text);
	return found;
}

char *probe_unified_dup(const struct xcs_env *env, pid_t pid)
{
	return path_dup(env, pid, "");
}

/* A descriptor of the group's cgroup.procs, or -errno. */
static int open_procs(const struct xcs_env *env, const char *const *mounts, const char *path)
{
	int fd = -1;

	errno = ENOENT;
	for (size_t i = 0; mounts[i] && fd < 0 && errno == ENOENT && env->sys_fd >= 0; i++) {
		char *rel = xcs_xasprintf("%s%s/cgroup.procs", mounts[i], path);
		fd = openat(env->sys_fd, rel, O_WRONLY | O_CLOEXEC);
		free(rel);
	}
	return fd < 0 ? -errno : fd;
}

int probe_open_groups(const struct xcs_env *env, pid_t pid, int fds[2], size_t *n)
{
	static const char *const controllers[] = {"cpu", ""};
	int rc = 0;

	*n = 0;
	for (size_t i = 0; rc >= 0 && i < ARRAY_LEN(controllers); i++) {
		char *want = path_dup(env, pid, controllers[i]);
		char *have = path_dup(env, getpid(), controllers[i]);
		if (want && have && strcmp(want, have) != 0)
			rc = open_procs(env, i ? v2_mounts : v1_mounts, want);
		if (want && have && strcmp(want, have) != 0 && rc >= 0)
			fds[(*n)++] = rc;
		free(want);
		free(have);
	}
	return rc < 0 ? rc : 0;
}

static int write_pid(const struct xcs_env *env, const char *mount, const char *cgroup, pid_t pid)
{
	char text[16];
	char *rel = xcs_xasprintf("%s%s/cgroup.procs", mount, cgroup);
	int fd = env->sys_fd < 0 ? -1 : openat(env->sys_fd, rel, O_WRONLY | O_CLOEXEC);
	int rc = fd < 0 ? -errno : 0;

	free(rel);
	if (fd < 0)
		return rc;
	int n = snprintf(text, sizeof(text), "%d\n", (int)pid);
	if (write(fd, text, (size_t)n) < 0)
		rc = -errno;
	close(fd);
	return rc;
}

int groups_join(const struct xcs_env *env, pid_t pid, pid_t like)
{
	bool v1 = false;
	char *want = cgroup_dup(env, like, &v1), *have = cgroup_dup(env, pid, &v1);
	const char *const *mounts = v1 ? v1_mounts : v2_mounts;
	int rc = want && have ? 0 : -ENOENT;

	if (rc == 0 && strcmp(want, have) != 0) {
		rc = -ENOENT;
		for (size_t i = 0; mounts[i] && rc == -ENOENT; i++)
			rc = write_pid(env, mounts[i], want, pid);
	}
	free(want);
	free(have);
	return rc;
}

static int write_nice(const struct xcs_env *env, pid_t pid, int nice)
{
	char rel[32], text[16];

	snprintf(rel, sizeof(rel), "%d/autogroup", (int)pid);
	int fd = openat(env->proc_fd, rel, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	int n = snprintf(text, sizeof(text), "%d\n", nice);
	int rc = write(fd, text, (size_t)n) < 0 ? -errno : 0;
	close(fd);
	return rc;
}

/* kernel/sched/autogroup.c, proc_sched_autogroup_set_nice, takes such a write of an ordinary
 * user every 100 ms and answers the others with EAGAIN: ask again until then. */
int probe_autogroup_renice(const struct xcs_env *env, pid_t pid, int nice)
{
	const int64_t deadline_ns = xcs_mono_now_ns() + XCS_NS_PER_S;
	int rc;

	while ((rc = write_nice(env, pid, nice)) == -EAGAIN && xcs_mono_now_ns() < deadline_ns)
		poll(NULL, 0, 20);
	return rc;
}
