/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Borrowed text: a pointer and a length, no NUL needed. What parsers of kernel text and
 * of command lines are made of.
 */
#ifndef XCS_STR_H
#define XCS_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_str {
	const char *p;
	size_t n;
};

struct xcs_str xcs_str(const char *s); /* of a C string; NULL gives empty */

bool xcs_str_is(struct xcs_str s, const char *word);
bool xcs_str_starts(struct xcs_str s, const char *prefix);

/* Without the blanks (space, tab, CR, LF) at both ends. */
struct xcs_str xcs_str_trim(struct xcs_str s);

/*
 * Takes the next line (without its newline) or the next run of non-blanks off the front
 * of *rest. Returns false, leaving *out alone, when nothing is left.
 */
bool xcs_str_next_line(struct xcs_str *rest, struct xcs_str *out);
bool xcs_str_next_word(struct xcs_str *rest, struct xcs_str *out);

/* Takes what stands before the first `sep` (or all of it) off *rest; false when empty. */
bool xcs_str_next_part(struct xcs_str *rest, char sep, struct xcs_str *out);

/* Is `word` one of the parts of `list`, blanks round each left out? */
bool xcs_str_list_has(struct xcs_str list, char sep, const char *word);

/*
 * The whole of `s` as a decimal number; no blanks, no locale. Returns 0, -EINVAL (not a
 * number) or -ERANGE (does not fit).
 */
int xcs_str_u64(struct xcs_str s, uint64_t *out);
int xcs_str_i64(struct xcs_str s, int64_t *out);

#ifdef __cplusplus
}
#endif
#endif
