/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "service.h"

#include <guard/guard.h>

#include <common/alloc.h>
#include <common/child.h>
#include <common/units.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* systemd gives a service 90 s to stop, which is longer than the owner waits for the guard;
 * what is stopped behind this deadline is in the journal and starts again all the same. */
#define SYSTEMCTL_DEADLINE_NS (30 * XCS_NS_PER_S)

/*
 * Journals name a service by its place here, so rows are only ever added at the end. They
 * retune frequencies, move interrupts, or renice. A service stands behind those that start it
 * or need it: what is stopped later is started earlier.
 */
static const char *const services[] = {
        "tuned-ppd",  "tuned",   "power-profiles-daemon", "auto-cpufreq",
        "irqbalance", "ananicy", "ananicy-cpp",           "uresourced",
};

int guard_n_services(void)
{
	return (int)ARRAY_LEN(services);
}

static bool is_listed(int index)
{
	return index >= 0 && index < guard_n_services();
}

void service_name(int index, char out[128])
{
	snprintf(out, 128, "service %s", is_listed(index) ? services[index] : "?");
}

static int systemctl(const char *verb, const char *option, int index, struct xcs_buf *into)
{
	char unit[64];
	struct xcs_err ignored;
	const struct xcs_spawn spawn = {
	        .argv = (const char *[]){"systemctl", verb, option, unit, NULL},
                    .cwd = "/"
        };

	if (!is_listed(index))
		return -EINVAL;
	snprintf(unit, sizeof(unit), "%s.service", services[index]);
	int rc = xcs_child_capture(&spawn, SYSTEMCTL_DEADLINE_NS, into, &ignored);
	return rc == -ENOENT || rc == -ECHILD ? -ENOTSUP : rc;
}

/* systemctl(1): "LoadState=loaded", "ActiveState=active"; see org.freedesktop.systemd1(5). */
int service_read(const struct xcs_env *env, const struct undo_item *item, struct undo_value *out)
{
	struct xcs_buf text = {0};
	int rc = systemctl("show", "--property=LoadState,ActiveState", item->tid, &text);

	(void)env;
	if (rc == 0 && !strstr(text.p, "LoadState=loaded"))
		rc = -ENOENT;
	bool runs = rc == 0 && (strstr(text.p, "ActiveState=active") ||
	                        strstr(text.p, "ActiveState=reloading") ||
	                        strstr(text.p, "ActiveState=activating"));
	snprintf(out->word, sizeof(out->word), "%s", runs ? "running" : "stopped");
	xcs_buf_fini(&text);
	return rc;
}

int service_write(const struct xcs_env *env, const struct undo_item *item,
                  const struct undo_value *v)
{
	struct xcs_buf text = {0};
	const char *verb = strcmp(v->word, "running") == 0 ? "start" : "stop";
	int rc = systemctl(verb, "--quiet", item->tid, &text);

	(void)env;
	xcs_buf_fini(&text);
	return rc == -ENOTSUP ? -EIO : rc;
}
