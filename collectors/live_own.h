/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the tool says about itself at its end.
 */
#ifndef XCS_LIVE_OWN_H
#define XCS_LIVE_OWN_H

#include <collectors/lateness.h>
#include <collectors/sampler.h>
#include <common/buf.h>

struct live_own_cost {
	const struct xcs_lateness *late;
	int64_t missed;
	int64_t dt_ns, cpu_ns, switches; /* XCS_ABSENT when not known */
};

/* Takes the observer's rows of the first and the last sample. */
void live_own_cost_set(struct live_own_cost *c, const int64_t *first, const int64_t *last);

/* Each appends: one line of text, one line of JSON {"observer":{...}}. */
void live_print_own_text(const struct live_own_cost *c, struct xcs_buf *out);
void live_print_own_json(const struct live_own_cost *c, struct xcs_buf *out);

#endif
