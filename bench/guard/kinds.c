/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kinds.h"

#include "knob.h"
#include "nice_helper.h"
#include "right.h"
#include "rtkit.h"
#include "screen.h"
#include "service.h"

#include <common/alloc.h>
#include <common/file.h>
#include <common/task.h>
#include <common/units.h>

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The thread that the item means; -ESRCH when its pid or tid belongs to another by now. */
static int read_thread(const struct xcs_env *env, const struct undo_item *item,
                       struct xcs_task_id *id)
{
	int rc = xcs_task_id_read(env, item->pid, item->tid, id);

	if (rc == -ENOENT || rc == -ESRCH)
		return -ESRCH;
	if (rc == 0 && (id->start_ticks != item->tid_start_ticks || id->state == 'Z'))
		return -ESRCH;
	return rc;
}

static int nice_read(const struct xcs_env *env, const struct undo_item *item,
                     struct undo_value *out)
{
	struct xcs_task_id id;
	int rc = read_thread(env, item, &id);

	if (rc == 0)
		out->n = id.nice;
	return rc;
}

static int affinity_read(const struct xcs_env *env, const struct undo_item *item,
                         struct undo_value *out)
{
	struct xcs_task_id id;
	int rc = read_thread(env, item, &id);

	if (rc == 0 && sched_getaffinity(item->tid, sizeof(out->cpus.mask), &out->cpus.mask))
		rc = -errno;
	return rc;
}

/* The text is "/autogroup-123 nice 0" (kernel/sched/autogroup.c, proc_sched_autogroup_show_task).
 */
static int autogroup_read(const struct xcs_env *env, const struct undo_item *item,
                          struct undo_value *out)
{
	char rel[64];
	struct xcs_buf text = {0};
	struct xcs_str rest, word, last = {0};
	int64_t v;

	if (!xcs_task_is_alive(env, item->pid, item->pid_start_ticks))
		return -ESRCH;
	snprintf(rel, sizeof(rel), "%d/autogroup", (int)item->pid);
	int rc = xcs_proc_read(env, rel, &text);
	rest = xcs_buf_str(&text);
	while (rc == 0 && xcs_str_next_word(&rest, &word))
		last = word;
	if (rc == 0 && xcs_str_i64(last, &v))
		rc = -ENODATA;
	if (rc == 0)
		out->n = (int)v;
	xcs_buf_fini(&text);
	return rc;
}

static int write_number(const struct xcs_env *env, const char *rel, int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d\n", n);
	int fd = openat(env->proc_fd, rel, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	ssize_t done = write(fd, text, (size_t)len);
	int rc = done < 0 ? -errno : 0;
	if (close(fd) && rc == 0)
		rc = -errno;
	return rc;
}

static int nice_write(const struct xcs_env *env, const struct undo_item *item,
                      const struct undo_value *v)
{
	int rc = setpriority(PRIO_PROCESS, (id_t)item->tid, v->n) ? -errno : 0;

	(void)env;
	if (rc != -EPERM && rc != -EACCES)
		return rc;
	if (nice_helper_set(item, v->n) == 0)
		return 0;
	return item->is_own ? rtkit_set(item->pid, item->tid, v->n) : rc;
}

static int affinity_write(const struct xcs_env *env, const struct undo_item *item,
                          const struct undo_value *v)
{
	(void)env;
	return sched_setaffinity(item->tid, sizeof(v->cpus.mask), &v->cpus.mask) ? -errno : 0;
}

/*
 * Without CAP_SYS_ADMIN the kernel takes one such write per 100 ms, from all users together,
 * and answers the others with EAGAIN (kernel/sched/autogroup.c). There is nothing to wait
 * for, so ask again until the deadline.
 */
static int autogroup_write(const struct xcs_env *env, const struct undo_item *item,
                           const struct undo_value *v)
{
	const int64_t deadline_ns = xcs_mono_now_ns() + 2 * XCS_NS_PER_S;
	char rel[64];
	int rc;

	snprintf(rel, sizeof(rel), "%d/autogroup", (int)item->pid);
	while ((rc = write_number(env, rel, v->n)) == -EAGAIN && xcs_mono_now_ns() < deadline_ns)
		poll(NULL, 0, 20);
	return rc;
}

static bool nice_may(const struct undo_item *item, const struct undo_value *from,
                     const struct undo_value *to)
{
	if (to->n >= from->n || right_has_sys_nice() || right_limit_allows(item->tid, to->n))
		return true;
	/* The helper judges the target: to set the value that it has changes nothing. Of rtkit
	 * there is nothing to find out before a change, and it is asked for own children only. */
	return item->is_own || nice_helper_set(item, from->n) == 0;
}

/* For a group the limit is the writer's own, and only values below 0 ask for rights. */
static bool autogroup_may(const struct undo_item *item, const struct undo_value *from,
                          const struct undo_value *to)
{
	(void)item, (void)from;
	return to->n >= 0 || right_has_sys_nice() || right_limit_allows(0, to->n);
}

static bool always_may(const struct undo_item *item, const struct undo_value *from,
                       const struct undo_value *to)
{
	(void)item, (void)from, (void)to;
	return true;
}

static void number_format(const struct undo_value *v, struct xcs_buf *into)
{
	xcs_buf_printf(into, "%d", v->n);
}

static int number_parse(struct xcs_str text, struct undo_value *out)
{
	int64_t v;

	if (xcs_str_i64(text, &v) || v < INT32_MIN || v > INT32_MAX)
		return -EINVAL;
	out->n = (int)v;
	return 0;
}

static void cpus_format(const struct undo_value *v, struct xcs_buf *into)
{
	xcs_cpuset_format(&v->cpus, into);
}

static int cpus_parse(struct xcs_str text, struct undo_value *out)
{
	return xcs_cpuset_parse(text, &out->cpus, NULL);
}

static void word_format(const struct undo_value *v, struct xcs_buf *into)
{
	xcs_buf_puts(into, v->word);
}

/* Names of governors are those of kernel modules, preferences are words or numbers. */
static int word_parse(struct xcs_str text, struct undo_value *out)
{
	if (text.n == 0 || text.n >= sizeof(out->word))
		return -EINVAL;
	for (size_t i = 0; i < text.n; i++)
		if (!isalnum((unsigned char)text.p[i]) && text.p[i] != '_' && text.p[i] != '-')
			return -EINVAL;
	memcpy(out->word, text.p, text.n);
	out->word[text.n] = '\0';
	return 0;
}

struct kind {
	const char *word;
	int (*read)(const struct xcs_env *, const struct undo_item *, struct undo_value *);
	int (*write)(const struct xcs_env *, const struct undo_item *, const struct undo_value *);
	bool (*may)(const struct undo_item *, const struct undo_value *, const struct undo_value *);
	void (*format)(const struct undo_value *, struct xcs_buf *);
	int (*parse)(struct xcs_str, struct undo_value *);
};

static const struct kind kinds[UNDO_N_VALUES] = {
        [UNDO_NICE] = {"nice",          nice_read,      nice_write,      nice_may,      number_format, number_parse},
        [UNDO_AFFINITY] = {"affinity",      affinity_read,  affinity_write,  always_may,    cpus_format,
                       cpus_parse                                                                                  },
        [UNDO_AUTOGROUP] = {"autogroup",     autogroup_read, autogroup_write, autogroup_may,
                       number_format,                                                                  number_parse},
        [UNDO_SYSCTL] = {"sysctl",        knob_read,      knob_write,      always_may,    number_format, number_parse},
        [UNDO_NMI_WATCHDOG] = {"nmi_watchdog",  knob_read,      knob_write,      always_may,    number_format,
                       number_parse                                                                                },
        [UNDO_SOFT_WATCHDOG] = {"soft_watchdog", knob_read,      knob_write,      always_may,    number_format,
                       number_parse                                                                                },
        [UNDO_NO_TURBO] = {"no_turbo",      knob_read,      knob_write,      always_may,    number_format,
                       number_parse                                                                                },
        [UNDO_BOOST] = {"boost",         knob_read,      knob_write,      always_may,    number_format, number_parse},
        [UNDO_GOVERNOR] = {"governor",      knob_read,      knob_write,      always_may,    word_format,   word_parse  },
        [UNDO_EPP] = {"epp",           knob_read,      knob_write,      always_may,    word_format,   word_parse  },
        [UNDO_SCREENSAVER] = {"screensaver",   screen_read,    screen_write,    always_may,    number_format,
                       number_parse                                                                                },
        [UNDO_DPMS] = {"dpms",          screen_read,    screen_write,    always_may,    word_format,   word_parse  },
        [UNDO_SERVICE] = {"service",       service_read,   service_write,   always_may,    word_format,
                       word_parse                                                                                  },
};

const char *undo_kind_word(enum undo_kind kind)
{
	if (kind == UNDO_CHILD)
		return "child";
	return kind == UNDO_DIR ? "dir" : kinds[kind].word;
}

bool undo_value_same(enum undo_kind kind, const struct undo_value *a, const struct undo_value *b)
{
	if (kind == UNDO_AFFINITY)
		return CPU_EQUAL(&a->cpus.mask, &b->cpus.mask);
	return a->n == b->n && strcmp(a->word, b->word) == 0;
}

void undo_value_format(enum undo_kind kind, const struct undo_value *v, struct xcs_buf *into)
{
	kinds[kind].format(v, into);
}

int undo_value_parse(enum undo_kind kind, struct xcs_str text, struct undo_value *out)
{
	return kinds[kind].parse(text, out);
}

int undo_value_read(const struct xcs_env *env, const struct undo_item *item, struct undo_value *out)
{
	*out = (struct undo_value){0};
	return kinds[item->kind].read(env, item, out);
}

int undo_value_write(const struct xcs_env *env, const struct undo_item *item,
                     const struct undo_value *v)
{
	return kinds[item->kind].write(env, item, v);
}

bool undo_value_may(const struct undo_item *item, const struct undo_value *from,
                    const struct undo_value *to)
{
	return kinds[item->kind].may(item, from, to);
}
