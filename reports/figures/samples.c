/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <reports/samples.h>

#include <stdlib.h>

const char *xcs_samples_key_name(enum xcs_samples_key key)
{
	static const char *const names[XCS_N_SAMPLES_KEYS] = {
	        [XCS_SAMPLES_RUN] = "run",       [XCS_SAMPLES_LABEL] = "label",
	        [XCS_SAMPLES_KERNEL] = "kernel", [XCS_SAMPLES_LOAD] = "load",
	        [XCS_SAMPLES_X_NICE] = "x_nice", [XCS_SAMPLES_HOGS] = "hogs",
	        [XCS_SAMPLES_TRIAL] = "trial",   [XCS_SAMPLES_BLOCK] = "block",
	        [XCS_SAMPLES_STATUS] = "status",
	};

	return names[key];
}

void xcs_samples_fini(struct xcs_samples *s)
{
	for (int i = 0; i < XCS_N_SAMPLES_KEYS; i++)
		free(s->keys[i]);
	free(s->v);
	*s = (struct xcs_samples){0};
}

void xcs_samples_add(struct xcs_samples *s, const struct xcs_sample *sample)
{
	s->v = xcs_xgrow(s->v, s->n, &s->cap, sizeof(*s->v));
	s->v[s->n++] = *sample;
}
