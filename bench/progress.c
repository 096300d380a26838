/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "progress.h"

#include <common/env.h>
#include <common/units.h>

#include <stdio.h>
#include <unistd.h>

void progress_init(struct progress *p, bool quiet, size_t n_total, int64_t step_estimate_ns)
{
	*p = (struct progress){.quiet = quiet,
	                       .terminal = isatty(STDERR_FILENO),
	                       .n_total = n_total,
	                       .start_ns = xcs_mono_now_ns(),
	                       .step_estimate_ns = step_estimate_ns};
}

static int64_t left_ns(const struct progress *p)
{
	int64_t step_ns = p->step_estimate_ns;

	if (p->n_done)
		step_ns = (xcs_mono_now_ns() - p->start_ns) / (int64_t)p->n_done;
	return step_ns * (int64_t)(p->n_total - p->n_done);
}

void progress_step(const struct progress *p, const char *what)
{
	int64_t left_s = left_ns(p) / XCS_NS_PER_S;

	if (p->quiet)
		return;
	fprintf(stderr, "%s[%zu/%zu] %s, %lld:%02lld left%s", p->terminal ? "\r\033[K" : "",
	        p->n_done + 1, p->n_total, what, (long long)(left_s / 60), (long long)(left_s % 60),
	        p->terminal ? "" : "\n");
	fflush(stderr);
}

void progress_done(struct progress *p)
{
	if (p->n_done < p->n_total)
		p->n_done++;
}

void progress_end(const struct progress *p)
{
	if (!p->quiet && p->terminal)
		fputs("\r\033[K", stderr);
}
