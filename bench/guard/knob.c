/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "knob.h"

#include "kinds.h"
#include "screen.h"
#include "service.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define POLICY "devices/system/cpu/cpufreq/policy"

/* Documentation/admin-guide of the kernel: pm/cpufreq.rst, pm/intel_pstate.rst and
 * sysctl/kernel.rst. kernel.watchdog is left out: it writes both of the others, so that a
 * machine with one of them off would not come back as it was. */
static const struct knob {
	bool is_sys;                 /* below /sys, else below /proc */
	const char *prefix, *suffix; /* the index stands between; no suffix: there is none */
	int number;                  /* what the profile makes it, or: */
	const char *word;
} knobs[UNDO_N_VALUES] = {
        [UNDO_SYSCTL] = {false, "sys/kernel/sched_autogroup_enabled",       NULL,                             0, NULL         },
        [UNDO_NMI_WATCHDOG] = {false, "sys/kernel/nmi_watchdog",                  NULL,                             0, NULL         },
        [UNDO_SOFT_WATCHDOG] = {false, "sys/kernel/soft_watchdog",                 NULL,                             0, NULL         },
        [UNDO_NO_TURBO] = {true,  "devices/system/cpu/intel_pstate/no_turbo", NULL,                             1, NULL         },
        [UNDO_BOOST] = {true,  "devices/system/cpu/cpufreq/boost",         NULL,                             0, NULL         },
        [UNDO_GOVERNOR] = {true,  POLICY,                                     "/scaling_governor",              0, "performance"},
        [UNDO_EPP] = {true,  POLICY,                                     "/energy_performance_preference", 0, "performance"},
        [UNDO_SCREENSAVER] = {false, NULL,                                       NULL,                             0, NULL         },
        [UNDO_DPMS] = {false, NULL,                                       NULL,                             0, "off"        },
        [UNDO_SERVICE] = {false, NULL,                                       NULL,                             0, "stopped"    },
};

enum undo_kind knob_kind(enum guard_knob knob)
{
	static const enum undo_kind kinds[GUARD_N_KNOBS] = {
	        [GUARD_KNOB_SERVICE] = UNDO_SERVICE,
	        [GUARD_KNOB_NMI_WATCHDOG] = UNDO_NMI_WATCHDOG,
	        [GUARD_KNOB_SOFT_WATCHDOG] = UNDO_SOFT_WATCHDOG,
	        [GUARD_KNOB_NO_TURBO] = UNDO_NO_TURBO,
	        [GUARD_KNOB_BOOST] = UNDO_BOOST,
	        [GUARD_KNOB_EPP] = UNDO_EPP,
	        [GUARD_KNOB_GOVERNOR] = UNDO_GOVERNOR,
	        [GUARD_KNOB_SCREENSAVER] = UNDO_SCREENSAVER,
	        [GUARD_KNOB_DPMS] = UNDO_DPMS};

	return kinds[knob];
}

bool knob_is(enum undo_kind kind)
{
	return kind < UNDO_N_VALUES &&
	       (knobs[kind].prefix || screen_is(kind) || kind == UNDO_SERVICE);
}

struct undo_item knob_item(const struct guard_setting *s)
{
	return (struct undo_item){.kind = knob_kind(s->knob),
	                          .pid = s->pid,
	                          .pid_start_ticks = s->start_ticks,
	                          .tid = s->index,
	                          .path = s->client};
}

void guard_setting_name(const struct guard_setting *s, char out[128])
{
	enum undo_kind kind = knob_kind(s->knob);

	if (knobs[kind].prefix)
		knob_path(kind, s->index, out);
	else if (kind == UNDO_SERVICE)
		service_name(s->index, out);
	else
		snprintf(out, 128, "%s", undo_kind_word(kind));
}

static void format_rel(const struct knob *k, int index, char out[112])
{
	if (k->suffix)
		snprintf(out, 112, "%s%d%s", k->prefix, index, k->suffix);
	else
		snprintf(out, 112, "%s", k->prefix);
}

void knob_path(enum undo_kind kind, int index, char out[128])
{
	char rel[112];

	format_rel(&knobs[kind], index, rel);
	snprintf(out, 128, "/%s/%s", knobs[kind].is_sys ? "sys" : "proc", rel);
}

int knob_read(const struct xcs_env *env, const struct undo_item *item, struct undo_value *out)
{
	const struct knob *k = &knobs[item->kind];
	struct xcs_buf text = {0};
	char rel[112];

	format_rel(k, item->tid, rel);
	int rc = k->is_sys ? xcs_sys_read(env, rel, &text) : xcs_proc_read(env, rel, &text);
	if (rc == 0 && undo_value_parse(item->kind, xcs_str_trim(xcs_buf_str(&text)), out))
		rc = -ENODATA;
	xcs_buf_fini(&text);
	return rc;
}

int knob_write(const struct xcs_env *env, const struct undo_item *item, const struct undo_value *v)
{
	const struct knob *k = &knobs[item->kind];
	struct xcs_buf text = {0};
	char rel[112];

	format_rel(k, item->tid, rel);
	int fd =
	        openat(k->is_sys ? env->sys_fd : env->proc_fd, rel, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	undo_value_format(item->kind, v, &text);
	xcs_buf_putc(&text, '\n');
	int rc = write(fd, text.p, text.n) < 0 ? -errno : 0;
	if (close(fd) && rc == 0)
		rc = -errno;
	xcs_buf_fini(&text);
	return rc;
}

struct undo_value knob_target(enum undo_kind kind)
{
	const struct knob *k = &knobs[kind];
	struct undo_value v = {.n = k->number};

	snprintf(v.word, sizeof(v.word), "%s", k->word ? k->word : "");
	return v;
}

void guard_setting_target(const struct guard_setting *s, char out[32])
{
	enum undo_kind kind = knob_kind(s->knob);
	const struct undo_value target = knob_target(kind);
	struct xcs_buf text = {0};

	undo_value_format(kind, &target, &text);
	snprintf(out, 32, "%s", text.p);
	xcs_buf_fini(&text);
}

int guard_setting_read(const struct xcs_env *env, const struct guard_setting *s,
                       struct xcs_buf *into)
{
	const struct undo_item item = knob_item(s);
	struct undo_value v;
	int rc = undo_value_read(env, &item, &v);

	into->n = 0;
	if (rc == 0)
		undo_value_format(item.kind, &v, into);
	return rc;
}
