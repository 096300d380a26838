/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Exports of other measuring programs: hyperfine, perf stat, sar; and plain lists of samples.
 */
#ifndef XCS_IMPORT_TIMED_H
#define XCS_IMPORT_TIMED_H

#include <common/err.h>
#include <reports/import/series.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All return 0, the caller ends *out; or -errno with the sentence and nothing to end. */

/*
 * hyperfine's JSON (record/hyperfine.h), a series for each result: column real in seconds,
 * user and sys where they are known per run, exit_code. `command` is what was called, for
 * the sentence about an empty file; NULL: not known.
 */
int xcs_hyperfine_import(struct xcs_str text, const char *command, struct xcs_import *out,
                         struct xcs_err *err) XCS_MUST_CHECK;

/*
 * `perf stat -x SEP`, with or without -I, -r and per CPU: a series for each CPU, column by
 * event, counts as printed. A comma that may be separator or decimal is refused.
 */
int xcs_perf_stat_import(struct xcs_str text, struct xcs_import *out,
                         struct xcs_err *err) XCS_MUST_CHECK;

/* `sar -w`: proc/s, cswch/s; a series for each stretch between restarts. */
int xcs_sar_import(struct xcs_str text, struct xcs_import *out, struct xcs_err *err) XCS_MUST_CHECK;

/*
 * Samples of counters, as scripts write them: JSON ({"kernel", "complete", "samples": [{"t":
 * s, NAME: counter}]}), lines "t=0 NAME=1 ...", or columns below a line "# monotonic NAME".
 * Counters become rates per second (NAME/s), at most one interval per pair of samples. A
 * table without a time has a run in each row.
 */
int xcs_samples_import(struct xcs_str text, struct xcs_import *out,
                       struct xcs_err *err) XCS_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
