/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The line on stderr that says where the run is and when it will end.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	bool quiet, terminal; /* on a terminal the line is rewritten, else one line per trial */
	size_t n_done, n_total;
	int64_t start_ns, step_estimate_ns;
};

void progress_init(struct progress *p, bool quiet, size_t n_total, int64_t step_estimate_ns);

/* Says what is about to be done. The estimate becomes the mean of the steps done. */
void progress_step(const struct progress *p, const char *what);
void progress_done(struct progress *p);

/* Ends the line. */
void progress_end(const struct progress *p);

#endif
