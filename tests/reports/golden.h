/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What tests of whole reports share: a folder of their own, and texts to be compared with
 * those in tests/data/reports/expected.
 */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <common/buf.h>

/* Reports name files, so they are made of "run" in a folder that is the working one. */
int golden_setup(void **state);
int golden_teardown(void **state);

/* Printable ASCII, 72 columns, no blank at an end. */
void golden_is_mailable(const struct xcs_buf *text);

/* The text is that file; XCS_GOLDEN_WRITE=1 writes it anew. */
void golden_is(const char *name, const struct xcs_buf *text);

#endif
