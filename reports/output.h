/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where a document goes. Private to reports/.
 */
#ifndef XCS_REPORT_OUTPUT_H
#define XCS_REPORT_OUTPUT_H

#include <common/buf.h>
#include <common/err.h>

/*
 * To standard output for NULL and "-"; into what is there and no regular file; else the file
 * appears whole or not at all. 0 or -errno.
 */
int output_write(const char *path, const struct xcs_buf *text, struct xcs_err *err) XCS_MUST_CHECK;

#endif
