/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An error is a negative errno and one sentence that a stranger can act on: it names the
 * object, the reason and, where there is one, the remedy. Libraries fill it; only main
 * prints it.
 */
#ifndef XCS_ERR_H
#define XCS_ERR_H

#ifdef __cplusplus
extern "C" {
#endif

#define XCS_MUST_CHECK __attribute__((warn_unused_result))

/* Exit codes of every program. */
enum xcs_exit {
	XCS_EXIT_OK = 0,
	XCS_EXIT_REGRESSION = 1,
	XCS_EXIT_ERROR = 2,        /* usage, bad input or internal error */
	XCS_EXIT_CANNOT_JUDGE = 3, /* noise, environment, preflight, renice without effect */
	XCS_EXIT_INTERRUPTED = 130,
};

struct xcs_err {
	char text[1024]; /* "" when there is none */
};

/*
 * Writes the sentence into `err` (NULL is fine: the sentence is dropped) and returns
 * `rc`, which must be negative, so that callers can `return xcs_err_set(...)`.
 */
int xcs_err_set(struct xcs_err *err, int rc, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

/* As xcs_err_set, ending in ": " and the text of errno -rc. */
int xcs_err_sys(struct xcs_err *err, int rc, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

/* Puts "PREFIX: " before the sentence that is there. */
void xcs_err_prefix(struct xcs_err *err, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif
#endif
