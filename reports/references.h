/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reference results as a document: what each set holds and what it can be held against.
 * Private to reports/.
 */
#ifndef XCS_REPORT_REFERENCES_H
#define XCS_REPORT_REFERENCES_H

#include <record/reference.h>
#include <reports/document.h>

/* Adds the sections that explain a set: one for the set, one for each experiment. */
void references_explain(const struct xcs_reference *set, struct xcs_doc *doc);

#endif
