/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The report of one run as a document: conditions first, then the rows, then what went
 * wrong, what was not measured, what the observer cost and how to do it again.
 */
#ifndef XCS_RUN_REPORT_H
#define XCS_RUN_REPORT_H

#include <record/reference.h>
#include <reports/document.h>
#include <reports/summary.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fills *doc, which the caller ends with xcs_doc_fini. */
void xcs_run_report(const struct xcs_summary *s, struct xcs_doc *doc);

/* The same with the published rows of the run's experiment next to its own, if `set` holds it;
 * NULL: none. */
void xcs_run_report_beside(const struct xcs_summary *s, const struct xcs_reference *set,
                           struct xcs_doc *doc);

/* Adds the samples of all trials, read again from their files; those that cannot be read have
 * no more than their keys and unknown values. */
void xcs_run_samples(const struct xcs_summary *s, struct xcs_doc *doc);

#ifdef __cplusplus
}
#endif
#endif
