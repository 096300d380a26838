/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sample_find.h"

#include <collectors/discover.h>
#include <common/alloc.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add(struct sample_pids *out, pid_t pid)
{
	for (size_t i = 0; i < out->n; i++)
		if (out->v[i] == pid)
			return;
	out->v = xcs_xgrow(out->v, out->n, &out->cap, sizeof(*out->v));
	out->v[out->n++] = pid;
}

static int find_comms(const struct sample_options *o, struct sample_pids *out, struct xcs_err *err)
{
	struct xcs_process_list list;

	int rc = xcs_discover_processes(&list, err);
	for (size_t i = 0; rc == 0 && i < list.n; i++)
		for (size_t c = 0; c < o->comms.n; c++)
			if (strcmp(list.v[i].comm, o->comms.v[c]) == 0)
				add(out, list.v[i].pid);
	xcs_process_list_fini(&list);
	return rc;
}

static void add_pids(struct sample_pids *out, struct xcs_str text)
{
	struct xcs_str line;
	int64_t pid;

	while (xcs_str_next_line(&text, &line))
		if (xcs_str_i64(line, &pid) == 0 && pid > 0)
			add(out, (pid_t)pid);
}

/* The cgroup and those below it; ones that vanish meanwhile hold nothing. */
static int find_cgroup(const struct xcs_env *env, const char *rel, struct sample_pids *out)
{
	struct xcs_buf text = {0};
	char *file = xcs_xasprintf("%s/cgroup.procs", rel);
	struct dirent *e;

	int rc = xcs_sys_read(env, file, &text);
	/* A threaded cgroup has no list of processes of its own (EOPNOTSUPP). */
	if (rc == 0)
		add_pids(out, xcs_buf_str(&text));
	free(file);
	xcs_buf_fini(&text);
	int fd = rc == -ENOENT ? -1 : openat(env->sys_fd, rel, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return rc;
	}
	while ((e = readdir(dir))) {
		if (e->d_type != DT_DIR || e->d_name[0] == '.')
			continue;
		char *below = xcs_xasprintf("%s/%s", rel, e->d_name);
		(void)find_cgroup(env, below, out);
		free(below);
	}
	closedir(dir);
	return rc;
}

/* Where v2 is mounted: alone, or beside v1 (hybrid, as systemd made it until 2023). */
static int find_mounted(const struct xcs_env *env, const char *path, struct sample_pids *out)
{
	static const char *const mounts[] = {"fs/cgroup", "fs/cgroup/unified"};
	int rc = -ENOENT;

	while (*path == '/')
		path++;
	for (size_t i = 0; rc == -ENOENT && i < ARRAY_LEN(mounts); i++) {
		char *rel = xcs_xasprintf("%s%s%s", mounts[i], *path ? "/" : "", path);
		rc = find_cgroup(env, rel, out);
		free(rel);
	}
	return rc;
}

static int find_cgroups(const struct xcs_env *env, const struct sample_options *o,
                        struct sample_pids *out, struct xcs_err *err)
{
	for (size_t i = 0; i < o->cgroups.n; i++) {
		if (find_mounted(env, o->cgroups.v[i], out) == -ENOENT)
			return xcs_err_set(err, -ENOENT,
			                   "--cgroup: there is no cgroup v2 '%s'; give its path "
			                   "below the cgroup mount",
			                   o->cgroups.v[i]);
	}
	return 0;
}

int sample_find(const struct xcs_env *env, const struct sample_options *o, struct sample_pids *out,
                struct xcs_err *err)
{
	int rc = o->comms.n ? find_comms(o, out, err) : 0;

	return rc ? rc : find_cgroups(env, o, out, err);
}

void sample_pids_fini(struct sample_pids *pids)
{
	free(pids->v);
	*pids = (struct sample_pids){0};
}
