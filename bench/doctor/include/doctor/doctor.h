/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the facts of a machine mean for a measurement: good, worth knowing, or in the way.
 * Pure: facts in, findings out, so that `xcsbench doctor` and `xcsbench run` judge alike
 * and an old record can be judged again.
 */
#ifndef XCS_DOCTOR_H
#define XCS_DOCTOR_H

#include <record/run.h>

#ifdef __cplusplus
extern "C" {
#endif

enum doctor_state {
	DOCTOR_OK,
	DOCTOR_UNKNOWN, /* no source answered */
	DOCTOR_WARN,    /* the numbers hold, and depend on it */
	DOCTOR_FAIL     /* the numbers would mean nothing, or the run cannot start */
};

const char *doctor_state_name(enum doctor_state state); /* "ok", "n/a", "warn", "fail" */

struct doctor_finding {
	const char *id; /* of the check: "governor"; static */
	enum doctor_state state;
	bool is_note; /* the report of a run tells it nowhere else */
	char *what;   /* what was found, one sentence without its full stop; owned as the next */
	char *remedy; /* what to do about it; NULL: nothing to do */
	char *source; /* the file or call that told */
};

struct doctor_findings {
	struct doctor_finding *v;
	size_t n, cap;
};

/* Judges host, environment and the nice probe of the run by every check, in the order in
 * which a reader would ask. The caller ends *out with doctor_fini. */
void doctor_judge(const struct xcs_run *run, struct doctor_findings *out);
void doctor_fini(struct doctor_findings *f);

enum doctor_state doctor_worst(const struct doctor_findings *f);

#ifdef __cplusplus
}
#endif
#endif
