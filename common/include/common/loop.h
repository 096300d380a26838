/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A small event loop over poll(2): descriptors and signals, up to a deadline.
 */
#ifndef XCS_LOOP_H
#define XCS_LOOP_H

#include <common/err.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_loop; /* owns its signalfd, not the descriptors it watches */

/* A ready descriptor. Returns 0 to go on, anything else ends xcs_loop_run with it. */
typedef int (*xcs_loop_fd_fn)(int fd, void *data);

/* A signal that arrived, as above. */
typedef int (*xcs_loop_signal_fn)(int signo, void *data);

struct xcs_loop *xcs_loop_new(void);
void xcs_loop_free(struct xcs_loop *loop); /* NULL is fine; unblocks its signals */

/* Calls fn whenever fd is readable or hung up. One entry per descriptor. */
void xcs_loop_watch(struct xcs_loop *loop, int fd, xcs_loop_fd_fn fn, void *data);
void xcs_loop_unwatch(struct xcs_loop *loop, int fd);

/* Blocks these signals (0-terminated list) and delivers them through the loop. */
int xcs_loop_signals(struct xcs_loop *loop, const int *signals, xcs_loop_signal_fn fn, void *data,
                     struct xcs_err *err) XCS_MUST_CHECK;

/* Runs until a callback returns non-zero (that value is returned) or the monotonic
 * deadline passes (0). A deadline in the past still handles what is ready now. */
int xcs_loop_run(struct xcs_loop *loop, int64_t deadline_mono_ns);

#ifdef __cplusplus
}
#endif
#endif
