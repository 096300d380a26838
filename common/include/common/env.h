/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The injected world: where /proc and /sys are, what time it is, how long a tick is.
 * Whoever reads the machine takes it by pointer, so a saved tree and a false clock are a
 * test. This is the only module that knows the paths of the real ones.
 */
#ifndef XCS_ENV_H
#define XCS_ENV_H

#include <common/buf.h>
#include <common/err.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_env {
	int proc_fd;                     /* directory; -1 when closed */
	int sys_fd;                      /* directory, or -1 when there is none */
	int64_t ticks_per_s;             /* CLK_TCK, the unit of /proc/stat */
	int64_t (*mono_ns)(void *clock); /* CLOCK_MONOTONIC unless a test says otherwise */
	void *clock;
};

/* Opens the machine we run on. Returns 0 or -errno. */
int xcs_env_open(struct xcs_env *env, struct xcs_err *err) XCS_MUST_CHECK;

/* Opens a saved tree instead; sys_root may be NULL. Returns 0 or -errno. */
int xcs_env_open_at(struct xcs_env *env, const char *proc_root, const char *sys_root,
                    struct xcs_err *err) XCS_MUST_CHECK;

void xcs_env_close(struct xcs_env *env);

int64_t xcs_env_mono_ns(const struct xcs_env *env);

/*
 * Reads the whole of a file below proc_fd or sys_fd (any size, to the end of file) into
 * `into`, which is cleared first. Returns 0 or -errno; no sentence, since a missing file
 * is usually an answer.
 */
int xcs_proc_read(const struct xcs_env *env, const char *rel, struct xcs_buf *into);
int xcs_sys_read(const struct xcs_env *env, const char *rel, struct xcs_buf *into);

/* The real clocks, for those who stamp files and name runs. */
int64_t xcs_mono_now_ns(void);
int64_t xcs_wall_now_ns(void);

/* Path of the program that runs; the caller frees it; NULL if the kernel does not say. */
char *xcs_self_exe_dup(void);

#ifdef __cplusplus
}
#endif
#endif
