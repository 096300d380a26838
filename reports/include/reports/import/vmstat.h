/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * vmstat(8) logs, as files and as they arrive in mails: quoted, wrapped, re-flowed.
 */
#ifndef XCS_IMPORT_VMSTAT_H
#define XCS_IMPORT_VMSTAT_H

#include <common/err.h>
#include <reports/import/series.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads all invocations of vmstat in a text; *out gets a series for each, with the columns
 * as its header names them and integers as they were printed. A number that is none (a counter that
 * wrapped) is unknown, with a note.
 *
 * The rows of a repeated header go on with the series; the first row of an invocation is
 * dropped as the average since boot unless `first` says otherwise (auto: unless its command
 * line with -y is in the text). Rows that a mailer wrapped or ran together are put together
 * again only where count and percentages show how; what is left over is told in the notes.
 *
 * Returns 0, the caller ends *out; or -EINVAL with the sentence when there is no series.
 */
int xcs_vmstat_parse(struct xcs_str text, enum xcs_first_row first, struct xcs_import *out,
                     struct xcs_err *err) XCS_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
