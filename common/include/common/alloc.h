/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory that is always there: these functions end the program with a message when
 * memory is out, so callers carry no error path that nobody can test.
 */
#ifndef XCS_ALLOC_H
#define XCS_ALLOC_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* All return memory that the caller frees with free(); none returns NULL. */
void *xcs_xmalloc(size_t n_bytes);
void *xcs_xcalloc(size_t n, size_t size_bytes);
void *xcs_xrealloc(void *p, size_t n_bytes);
char *xcs_xstrdup(const char *s);

/* Formats into a new string (printf rules); the caller frees it. */
char *xcs_xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Makes room for one more element of a growing array: returns `p`, moved if it had to
 * grow, with *cap doubled as needed so that n < *cap.
 */
void *xcs_xgrow(void *p, size_t n, size_t *cap, size_t size_bytes);

#ifdef __cplusplus
}
#endif
#endif
