/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * hyperfine(1) times the command of a load: one call per trial, which warms up and repeats
 * it, so that the levels of the X server are interleaved by the plan and not by it. Its
 * exported JSON stays in the run directory.
 */
#ifndef HYPERFINE_H
#define HYPERFINE_H

#include <load/load.h>

/* Is the load timed by it? */
bool hyperfine_is(const struct xcs_run_load *load);

/* Can it be used here? -ENOENT: it is missing; -ENOSYS: too old for -N and --output. */
int hyperfine_check(const struct xcs_user *user, struct xcs_err *err) XCS_MUST_CHECK;

struct hyperfine_spec {
	const struct load_spec *place; /* load, server, user, CPUs, nice, guard, watch */
	const char *run_dir;
	const char *file; /* of the JSON, relative to run_dir */
	bool only_once;   /* one run and no warm-up, whatever the load says */
	int64_t deadline_ns;
};

struct hyperfine {
	struct xcs_child child;
	uint64_t start_ticks;
	int go_fd;                         /* -1: it runs */
	int64_t real_ns, user_ns, sys_ns;  /* of the whole call, once it has ended */
	char *json, *log;                  /* paths */
	bool is_taken;                     /* its file has become the trial's */
	const struct hyperfine_spec *spec; /* borrowed */
};

/* Starts it held: its pid can be watched, nothing runs before hyperfine_run. Returns 0 or
 * -errno; hyperfine_stop must follow in any case. */
int hyperfine_start(struct hyperfine *h, const struct hyperfine_spec *spec,
                    struct xcs_err *err) XCS_MUST_CHECK;

/*
 * Lets it run to its end. *event tells what cut it short (WATCH_DEADLINE: nothing did).
 * Returns 0 or -errno: -ETIME when the deadline of the command has passed, -ENODATA when the
 * command or hyperfine failed.
 */
int hyperfine_run(struct hyperfine *h, enum watch_event *event, struct xcs_err *err) XCS_MUST_CHECK;

/* Makes trial->timings of what it exported, with that many lines each: roles "run0", "run1",
 * and "hyperfine" for the whole call. Sets trial->hyperfine_file. Returns 0 or -errno. */
int hyperfine_take(struct hyperfine *h, struct xcs_num n_lines, struct xcs_run_trial *trial,
                   struct xcs_err *err) XCS_MUST_CHECK;

/* Ends it and all that it started. */
void hyperfine_stop(struct hyperfine *h);

/* The command line that it times, as a shell would write it; the caller frees it. */
char *hyperfine_line_dup(const struct load_spec *place);

#endif
