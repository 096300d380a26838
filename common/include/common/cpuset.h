/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sets of CPUs, written the way the kernel writes them: 0,2-3.
 */
#ifndef XCS_CPUSET_H
#define XCS_CPUSET_H

#include <common/buf.h>
#include <common/err.h>

#include <sched.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_cpuset {
	cpu_set_t mask; /* up to CPU_SETSIZE (1,024) CPUs */
};

/* Reads a list such as 0,2-3. Returns 0 or -EINVAL with the sentence in err. */
int xcs_cpuset_parse(struct xcs_str text, struct xcs_cpuset *out,
                     struct xcs_err *err) XCS_MUST_CHECK;

void xcs_cpuset_format(const struct xcs_cpuset *set, struct xcs_buf *into);
char *xcs_cpuset_format_dup(const struct xcs_cpuset *set); /* the caller frees it */
int xcs_cpuset_count(const struct xcs_cpuset *set);
int xcs_cpuset_last(const struct xcs_cpuset *set); /* highest CPU, -1 when empty */

/* The CPUs that this process may use; in `set` those of them that are not in `without`. */
int xcs_cpuset_allowed(struct xcs_cpuset *set, struct xcs_err *err) XCS_MUST_CHECK;
struct xcs_cpuset xcs_cpuset_minus(const struct xcs_cpuset *set, const struct xcs_cpuset *without);

#ifdef __cplusplus
}
#endif
#endif
