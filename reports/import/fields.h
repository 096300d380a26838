/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Numbers with a point, without a locale. Private to the import parsers.
 */
#ifndef XCS_IMPORT_FIELDS_H
#define XCS_IMPORT_FIELDS_H

#include <common/str.h>

/* The whole of `s` as a number: digits with `point` once among them or not. False: none. */
bool field_number(struct xcs_str s, char point, double *out);

/* 12:34:56 with a fraction or not, in seconds of the day. */
bool field_time(struct xcs_str s, double *out);

#endif
