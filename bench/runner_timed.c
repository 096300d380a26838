/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which loads of a run cannot be timed, and why.
 */
#include "runner.h"

#include <common/alloc.h>

#include <errno.h>
#include <stdlib.h>

static size_t n_timed(const struct xcs_run *run)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n_loads; i++)
		n += hyperfine_is(&run->loads[i]);
	return n;
}

int runner_check_hyperfine(struct runner *r, struct xcs_err *err)
{
	size_t n = n_timed(&r->run);
	struct xcs_err why;

	r->why_not = xcs_xcalloc(r->run.n_loads, sizeof(*r->why_not));
	if (n == 0 || hyperfine_check(&r->user, &why) == 0)
		return 0;
	if (n == r->run.n_loads)
		return xcs_err_set(err, -EPERM, "%s", why.text);
	for (size_t i = 0; i < r->run.n_loads; i++)
		if (hyperfine_is(&r->run.loads[i]))
			r->why_not[i] = xcs_xstrdup(why.text);
	return 0;
}

void runner_forget_timed(struct runner *r)
{
	for (size_t i = 0; r->why_not && i < r->run.n_loads; i++)
		free(r->why_not[i]);
	free(r->why_not);
	r->why_not = NULL;
}
