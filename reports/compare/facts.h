/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What must be alike for runs to be comparable, and what merely should. Private to reports/.
 */
#ifndef XCS_COMPARE_FACTS_H
#define XCS_COMPARE_FACTS_H

#include <record/run.h>
#include <reports/campaign.h>

/* Adds what is known of the run to the group's facts. */
void facts_gather(struct xcs_campaign_group *g, const struct xcs_run *run);

/* Nothing but the identity of the kernel: what a comparison of kernels varies on purpose. */
bool fact_is_kernel(const char *key);

/* True when the two are one value: memory, of which each kernel keeps a little for itself,
 * may differ by 3 %. */
bool fact_same_value(const char *key, const char *a, const char *b);

#endif
