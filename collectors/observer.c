/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <collectors/observer.h>

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* include/uapi/linux/sched/types.h, first version; glibc has no wrapper before 2.41. */
struct sched_attr_v0 {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns;
};

#define SHORT_SLICE_NS 100000 /* the least that the kernel takes */

/* Older kernels accept and forget the slice, so it counts only if it can be read back. */
static bool take_short_slice(void)
{
	struct sched_attr_v0 a = {.size = sizeof(a), .runtime_ns = SHORT_SLICE_NS};
	struct sched_attr_v0 got = {0};

	if (syscall(SYS_sched_setattr, 0, &a, 0))
		return false;
	return syscall(SYS_sched_getattr, 0, &got, sizeof(got), 0) == 0 &&
	       got.runtime_ns == SHORT_SLICE_NS;
}

const char *xcs_observer_raise(void)
{
	struct sched_param p = {.sched_priority = 1};

	(void)prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
	if (sched_setscheduler(0, SCHED_FIFO, &p) == 0)
		return "SCHED_FIFO 1";
	if (setpriority(PRIO_PROCESS, 0, -20) == 0)
		return "nice -20";
	if (take_short_slice())
		return "SCHED_OTHER, slice 0.1 ms";
	return "SCHED_OTHER";
}

int xcs_observer_pin(const struct xcs_cpuset *cpus, struct xcs_err *err)
{
	struct xcs_buf list = {0};
	int rc = 0;

	if (sched_setaffinity(0, sizeof(cpus->mask), &cpus->mask)) {
		rc = -errno;
		xcs_cpuset_format(cpus, &list);
		xcs_err_sys(err, rc, "cannot run the sampler on CPU %s", list.p ? list.p : "");
		xcs_buf_fini(&list);
	}
	return rc;
}
