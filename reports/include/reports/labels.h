/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names of kernels in tables. A release may be long, and alike to the last byte but one.
 */
#ifndef XCS_LABELS_H
#define XCS_LABELS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Longest label that heads a row as it is. */
#define XCS_LABEL_MAX 12

/*
 * A copy in which each byte that is not part of valid UTF-8, each control character and each
 * backslash is written as \xNN, so that two labels that differ stay different. Caller frees.
 */
char *xcs_label_escape_dup(const char *label);

/*
 * The key of label i among n: the label itself when all are short, plain ASCII and distinct;
 * else a letter for each, A to Z, then AA, AB and so on. Caller frees.
 */
char *xcs_label_key_dup(const char *const *labels, size_t n, size_t i);

#ifdef __cplusplus
}
#endif
#endif
