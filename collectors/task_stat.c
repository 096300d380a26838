/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "digits.h"

#include <collectors/task_stat.h>

#include <errno.h>
#include <string.h>

/* Numeric fields behind the state, counted as proc(5) counts them. */
enum {
	FIELD_PPID = 4,
	FIELD_USER = 14,
	FIELD_SYSTEM = 15,
	FIELD_PRIO = 18,
	FIELD_NICE = 19,
	FIELD_THREADS = 20,
	FIELD_START = 22,
	FIELD_CPU = 39,
	FIELD_RT_PRIORITY = 40,
	FIELD_POLICY = 41,
};

static int64_t *field_of(struct xcs_task_stat *out, int field)
{
	switch (field) {
	case FIELD_PPID:
		return &out->ppid;
	case FIELD_USER:
		return &out->user_ticks;
	case FIELD_SYSTEM:
		return &out->system_ticks;
	case FIELD_PRIO:
		return &out->prio;
	case FIELD_NICE:
		return &out->nice;
	case FIELD_THREADS:
		return &out->n_threads;
	case FIELD_START:
		return &out->start_ticks;
	case FIELD_CPU:
		return &out->cpu;
	case FIELD_RT_PRIORITY:
		return &out->rt_priority;
	case FIELD_POLICY:
		return &out->policy;
	default:
		return NULL;
	}
}

/* Some fields (addresses, rsslim) do not fit an int64; only the wanted ones are read. A
 * number at the very end of the text may have been cut. */
static int read_fields(struct xcs_str rest, struct xcs_task_stat *out)
{
	int field = FIELD_PPID;
	struct xcs_str word;

	for (; field <= FIELD_POLICY && xcs_str_next_word(&rest, &word); field++) {
		int64_t *to = field_of(out, field), v;
		if (to && (!rest.n || xcs_str_i64(word, &v)))
			break;
		if (to)
			*to = v;
	}
	return field > FIELD_START ? 0 : -EINVAL;
}

int xcs_task_stat_parse(struct xcs_str text, struct xcs_task_stat *out)
{
	const char *open = text.n ? memchr(text.p, '(', text.n) : NULL;
	const char *close = text.n ? memrchr(text.p, ')', text.n) : NULL;
	struct xcs_str state;

	*out = (struct xcs_task_stat){
	        .cpu = XCS_ABSENT, .rt_priority = XCS_ABSENT, .policy = XCS_ABSENT};
	if (!open || !close || close < open || !xcs_scan_i64(text.p, open, &out->tid))
		return -EINVAL;
	size_t n = (size_t)(close - open) - 1;
	if (n >= sizeof(out->comm))
		n = sizeof(out->comm) - 1;
	memcpy(out->comm, open + 1, n);
	struct xcs_str rest = {close + 1, (size_t)(text.p + text.n - close) - 1};
	if (!xcs_str_next_word(&rest, &state))
		return -EINVAL;
	out->state = state.p[0];
	return read_fields(rest, out);
}
