/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What `hyperfine --export-json` wrote, of its schemas 1 (versions 1.x: "times") and 2
 * ("schema_version": 2, "measurements"); or a bare list of seconds, one a line.
 */
#ifndef XCS_HYPERFINE_H
#define XCS_HYPERFINE_H

#include <common/err.h>
#include <common/str.h>
#include <record/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The oldest that can time a command: 1.13 brought -N, 1.14 --output (its CHANGELOG.md). */
enum {
	XCS_HYPERFINE_MAJOR = 1,
	XCS_HYPERFINE_MINOR = 14
};

struct xcs_hyperfine_parameter {
	char *name, *value;
};

/* One timed call of the command. */
struct xcs_hyperfine_run {
	struct xcs_num real_ns;
	struct xcs_num user_ns, sys_ns; /* schema 1 has only their means */
	struct xcs_num exit_status;     /* unknown: not recorded, or ended by a signal */
	struct xcs_num memory_bytes;    /* largest resident size */
};

/* Everything that the file does not say is unknown: the spread of a single run, say. */
struct xcs_hyperfine_result {
	char *command;
	char *name; /* of --command-name; NULL: none */
	struct xcs_hyperfine_parameter *parameters;
	size_t n_parameters;
	struct xcs_hyperfine_run *runs;
	size_t n_runs;       /* 0: the file keeps no single runs */
	bool has_exit_codes; /* they were recorded; a run's may be unknown still */
	struct xcs_num mean_ns, stddev_ns, median_ns, min_ns, max_ns; /* of the real time */
	struct xcs_num user_ns, sys_ns;                               /* means */
};

struct xcs_hyperfine {
	int schema;    /* 1 or 2; 0: a bare list */
	char *version; /* of hyperfine, where the file says */
	struct xcs_hyperfine_result *results;
	size_t n_results;
};

/* What the caller knows of the call that wrote the file, for the sentence about an empty one. */
struct xcs_hyperfine_call {
	const char *command; /* NULL: not known */
	struct xcs_num exit_status;
};

/*
 * Reads the text; `call` may be NULL. At least one result is in *out, which the caller frees
 * with xcs_hyperfine_fini. Returns 0, -ENODATA when the text is empty (hyperfine leaves such
 * a file when the command fails), else -EINVAL (cut short, foreign, damaged, or of a later
 * schema), each with its sentence.
 */
int xcs_hyperfine_parse(struct xcs_hyperfine *out, struct xcs_str text,
                        const struct xcs_hyperfine_call *call, struct xcs_err *err) XCS_MUST_CHECK;

/* As above for a file; -errno when it cannot be read. Sentences begin with its path. */
int xcs_hyperfine_load(struct xcs_hyperfine *out, const char *path,
                       const struct xcs_hyperfine_call *call, struct xcs_err *err) XCS_MUST_CHECK;

void xcs_hyperfine_fini(struct xcs_hyperfine *h); /* a zeroed one is fine */

/* Three runs or more that all took the same time: the clock was measured, not the command. */
bool xcs_hyperfine_is_constant(const struct xcs_hyperfine_result *r);

#ifdef __cplusplus
}
#endif
#endif
