/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What becomes of imported series: JSON for machines, run records for reports.
 */
#ifndef XCS_IMPORT_WRITE_H
#define XCS_IMPORT_WRITE_H

#include <common/buf.h>
#include <common/err.h>
#include <reports/import/series.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the user says about a series. NULL: nothing. */
struct xcs_import_about {
	const char *tool;       /* "vmstat", "hyperfine", "perf stat", "sar" */
	const char *source;     /* who published it where; else the file's name */
	const char *path;       /* the file's name as given */
	const char *kernel;     /* release */
	const char *experiment; /* published one that it repeats */
	int x_nice;             /* of the server, in the cell */
	int64_t wall_ns;        /* of the import */
};

struct json_t;

/* {"label", "columns", "dropped_since_boot", "notes", "samples", "mean", "min", "max", ...}
 * of one series; the caller owns it. Unknown is null. */
struct json_t *xcs_series_json(const struct xcs_import_series *s,
                               const struct xcs_import_about *about);

/*
 * Writes the series as a run record into `dir`, which is made: run.json, trials/000.xcs with
 * counters summed up from the rates, and a copy of the text. Refuses (-EINVAL) a series that
 * has no rates in time. Returns 0 or -errno with the sentence.
 */
int xcs_series_record(const struct xcs_import_series *s, const struct xcs_import_about *about,
                      struct xcs_str text, const char *dir, struct xcs_err *err) XCS_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
