/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One trial in time: rates between neighbouring samples, and what happened when. Private to
 * reports/.
 */
#ifndef XCS_REPORT_STEPS_H
#define XCS_REPORT_STEPS_H

#include <record/metric.h>
#include <record/trial.h>

enum report_steps_metric {
	STEPS_CS,
	STEPS_INTR,
	STEPS_CS_TASK, /* only between samples that read the switches of every watched thread */
	N_STEPS
};

struct report_step {
	int64_t t_ns; /* end of the interval, from the trial's first sample */
	struct xcs_num per_s;
};

struct report_step_list {
	struct report_step *v;
	size_t n, cap;
};

struct report_step_event {
	int64_t t_ns;
	char *text;
};

struct report_steps {
	struct report_step_list lists[N_STEPS];
	struct report_step_event *events;
	size_t n_events, cap_events;
};

enum xcs_metric_id report_steps_metric(enum report_steps_metric m);
void report_steps_of(struct report_steps *s, const struct xcs_trial_data *t);
void report_steps_fini(struct report_steps *s);

#endif
