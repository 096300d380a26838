/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The jobs of a build storm: so many compilers at a time, one file after the other, for as
 * long as it lasts; what they used is on a counter page.
 */
#ifndef STORM_JOBS_H
#define STORM_JOBS_H

#include <common/child.h>
#include <common/counters.h>

enum {
	STORM_JOBS_MAX = 1024
};

struct storm_job {
	struct xcs_child child;
	int file; /* it compiles */
};

struct storm {
	const char *dir, *compiler; /* borrowed */
	int n_files, n_jobs;
	struct storm_job jobs[STORM_JOBS_MAX];
	int next_file;
	struct xcs_counters_page *page; /* borrowed; or NULL */
};

/* Starts a compiler in slot k on the next file. -ENOENT: there is none. Returns 0 or -errno. */
int storm_start_job(struct storm *s, int k, struct xcs_err *err) XCS_MUST_CHECK;

/* 0 when the compiler of slot k, which has ended, did well; else -EIO with its own first line. */
int storm_judge(const struct storm *s, int k, struct xcs_err *err) XCS_MUST_CHECK;

/*
 * Reaps every child that has ended, counts what it used (its own children that it waited
 * for included: wait4(2) tells both) and, when `go_on`, starts the next in its slot. A
 * compiler that failed is an error: -EIO with its own first line.
 */
int storm_reap(struct storm *s, bool go_on, struct xcs_err *err) XCS_MUST_CHECK;

/* True while a child is left, ours or one that a killed compiler left behind. */
bool storm_has_children(void);

#endif
