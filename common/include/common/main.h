/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a program does first and last, so that odd surroundings give an error and no harm.
 */
#ifndef XCS_MAIN_H
#define XCS_MAIN_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * First: opens /dev/null on each of the standard descriptors that is closed, lest a file of
 * ours gets its number; makes a file-size limit an error (EFBIG) instead of our death; and
 * takes back SIGCHLD from a parent that ignored it.
 */
void xcs_main_begin(void);

/* Last: `status`, or XCS_EXIT_ERROR with a sentence by `name` when standard output could not
 * be written. */
int xcs_main_end(const char *name, int status);

#ifdef __cplusplus
}
#endif
#endif
