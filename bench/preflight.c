/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "preflight.h"

#include <doctor/doctor.h>

#include <common/alloc.h>

#include <stdlib.h>

void preflight_note(struct xcs_run *run)
{
	struct doctor_findings found;

	doctor_judge(run, &found);
	for (size_t i = 0; i < found.n; i++) {
		const struct doctor_finding *f = &found.v[i];
		if (f->state < DOCTOR_WARN || !f->is_note)
			continue;
		char *note = xcs_xasprintf("%s: %s.", f->id, f->what);
		xcs_run_add_note(run, note);
		free(note);
	}
	doctor_fini(&found);
}
