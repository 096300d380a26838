/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The numbers under a document, in long form: of each trial every metric's value, and the
 * rates of each interval between its samples. For writers of data, not of prose.
 */
#ifndef XCS_SAMPLES_H
#define XCS_SAMPLES_H

#include <record/table.h>

#ifdef __cplusplus
extern "C" {
#endif

enum xcs_samples_key { /* what names a trial; each a column of its own */
	XCS_SAMPLES_RUN,
	XCS_SAMPLES_LABEL,
	XCS_SAMPLES_KERNEL,
	XCS_SAMPLES_LOAD,
	XCS_SAMPLES_X_NICE,
	XCS_SAMPLES_HOGS,
	XCS_SAMPLES_TRIAL, /* from 0, as the trials' files are numbered */
	XCS_SAMPLES_BLOCK,
	XCS_SAMPLES_STATUS, /* "ok", "void", "failed"; "warm-up" whatever became of it */
	XCS_N_SAMPLES_KEYS
};

struct xcs_sample {
	const char *metric, *unit; /* static */
	int64_t t_ns; /* end of the interval, from the trial's first sample; XCS_ABSENT: the
	                 value is of the whole trial */
	struct xcs_num value;
};

struct xcs_samples {                    /* of one trial */
	char *keys[XCS_N_SAMPLES_KEYS]; /* owned; NULL: not known */
	struct xcs_sample *v;
	size_t n, cap;
};

const char *xcs_samples_key_name(enum xcs_samples_key key); /* "run", "x_nice" */
void xcs_samples_fini(struct xcs_samples *s);
void xcs_samples_add(struct xcs_samples *s, const struct xcs_sample *sample);

#ifdef __cplusplus
}
#endif
#endif
