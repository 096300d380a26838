/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The three ways to print an interval. Each appends to a buffer.
 */
#ifndef XCS_LIVE_PRINT_H
#define XCS_LIVE_PRINT_H

#include "live_rates.h"

#include <common/buf.h>

/* Two header lines; the second one only when processes are watched. */
void live_print_header(bool has_processes, struct xcs_buf *out);
void live_print_text(const struct live_rates *r, bool has_processes, struct xcs_buf *out);
void live_print_csv_header(struct xcs_buf *out);
void live_print_csv(const struct live_rates *r, struct xcs_buf *out);
void live_print_json(const struct live_rates *r, char *const *events, size_t n_events,
                     struct xcs_buf *out);

#endif
