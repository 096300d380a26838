/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One check: a question with an id. It sees the run and answers once. Private to
 * bench/doctor.
 */
#ifndef DOCTOR_CHECK_H
#define DOCTOR_CHECK_H

#include <doctor/doctor.h>

struct check {
	const char *id;
	const char *key; /* the fact that it asks about; its source is the finding's */
	void (*judge)(const struct xcs_run *run, const char *value, struct doctor_finding *f);
	bool is_note; /* see struct doctor_finding */
};

/* Rows end with an id of NULL. */
extern const struct check server_checks[], machine_checks[], software_checks[];

const char *check_value(const struct xcs_run *run, const char *key); /* or NULL */

/* The answers; `what` and `remedy` (NULL: none) as for printf. */
void check_ok(struct doctor_finding *f, const char *what, ...)
        __attribute__((format(printf, 2, 3)));
void check_say(struct doctor_finding *f, enum doctor_state state, const char *remedy,
               const char *what, ...) __attribute__((format(printf, 4, 5)));

#endif
