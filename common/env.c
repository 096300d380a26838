/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <common/env.h>
#include <common/file.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <time.h>
#include <unistd.h>

static int64_t clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * XCS_NS_PER_S + t.tv_nsec;
}

int64_t xcs_mono_now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

int64_t xcs_wall_now_ns(void)
{
	return clock_ns(CLOCK_REALTIME);
}

static int64_t live_mono_ns(void *clock)
{
	(void)clock;
	return xcs_mono_now_ns();
}

int xcs_env_open_at(struct xcs_env *env, const char *proc_root, const char *sys_root,
                    struct xcs_err *err)
{
	*env = (struct xcs_env){
	        .proc_fd = open(proc_root, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
	        .sys_fd = -1,
	        .ticks_per_s = sysconf(_SC_CLK_TCK),
	        .mono_ns = live_mono_ns,
	};
	if (env->proc_fd < 0)
		return xcs_err_sys(err, -errno, "cannot open the process tree %s", proc_root);
	if (sys_root)
		env->sys_fd = open(sys_root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return 0;
}

int xcs_env_open(struct xcs_env *env, struct xcs_err *err)
{
	return xcs_env_open_at(env, "/proc", "/sys", err);
}

void xcs_env_close(struct xcs_env *env)
{
	if (env->proc_fd > 0)
		close(env->proc_fd);
	if (env->sys_fd > 0)
		close(env->sys_fd);
	env->proc_fd = env->sys_fd = -1;
}

int64_t xcs_env_mono_ns(const struct xcs_env *env)
{
	return env->mono_ns(env->clock);
}

int xcs_proc_read(const struct xcs_env *env, const char *rel, struct xcs_buf *into)
{
	return xcs_file_read_at(env->proc_fd, rel, into);
}

int xcs_sys_read(const struct xcs_env *env, const char *rel, struct xcs_buf *into)
{
	return env->sys_fd < 0 ? -ENOENT : xcs_file_read_at(env->sys_fd, rel, into);
}

char *xcs_self_exe_dup(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n <= 0)
		return NULL;
	path[n] = '\0';
	return xcs_xstrdup(path);
}
