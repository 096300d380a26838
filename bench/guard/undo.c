/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "undo.h"

#include "knob.h"
#include "service.h"

#include <common/alloc.h>
#include <common/task.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void item_fini(struct undo_item *item)
{
	free(item->path);
	free(item->said);
}

void undo_list_fini(struct undo_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		item_fini(&list->v[i]);
	free(list->v);
	*list = (struct undo_list){0};
}

static bool same_object(const struct undo_item *a, const struct undo_item *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == UNDO_DIR)
		return a->dev == b->dev && a->ino == b->ino;
	return a->pid == b->pid && a->pid_start_ticks == b->pid_start_ticks && a->tid == b->tid &&
	       a->tid_start_ticks == b->tid_start_ticks;
}

struct undo_item *undo_list_find(const struct undo_list *list, const struct undo_item *like)
{
	for (size_t i = 0; i < list->n; i++)
		if (same_object(&list->v[i], like))
			return &list->v[i];
	return NULL;
}

bool undo_list_has_path(const struct undo_list *list, const char *path)
{
	for (size_t i = 0; i < list->n; i++)
		if (path && list->v[i].path == path)
			return true;
	return false;
}

void undo_list_put(struct undo_list *list, const struct undo_item *item)
{
	struct undo_item *old = undo_list_find(list, item);

	if (old) {
		item_fini(old);
		*old = *item;
		return;
	}
	list->v = xcs_xgrow(list->v, list->n, &list->cap, sizeof(*list->v));
	list->v[list->n++] = *item;
}

const struct undo_item *undo_list_leader(const struct undo_list *list, enum undo_kind kind,
                                         pid_t pid, uint64_t pid_start_ticks)
{
	const struct undo_item *first = NULL;

	for (size_t i = 0; i < list->n; i++) {
		const struct undo_item *item = &list->v[i];
		if (item->kind != kind || item->pid != pid ||
		    item->pid_start_ticks != pid_start_ticks)
			continue;
		if (item->tid == pid)
			return item;
		if (!first)
			first = item;
	}
	return first;
}

bool undo_list_owns(const struct undo_list *list, pid_t pid, uint64_t pid_start_ticks)
{
	const struct undo_item child = {
	        .kind = UNDO_CHILD, .pid = pid, .pid_start_ticks = pid_start_ticks};

	return undo_list_find(list, &child) != NULL;
}

static void drop_at(struct undo_list *list, size_t i)
{
	item_fini(&list->v[i]);
	list->n--;
	memmove(&list->v[i], &list->v[i + 1], (list->n - i) * sizeof(*list->v));
}

void undo_list_drop(struct undo_list *list, const struct undo_item *like)
{
	struct undo_item *item = undo_list_find(list, like);

	if (item)
		drop_at(list, (size_t)(item - list->v));
}

void undo_list_drop_values(struct undo_list *list)
{
	for (size_t i = list->n; i-- > 0;)
		if (list->v[i].kind < UNDO_N_VALUES)
			drop_at(list, i);
}

/* Names are set by programs and may hold anything: only printable ASCII reaches a terminal. */
static void add_comm(const struct xcs_env *env, pid_t pid, pid_t tid, struct xcs_buf *into)
{
	struct xcs_task_id id;

	if (xcs_task_id_read(env, pid, tid, &id))
		return;
	xcs_buf_puts(into, " (");
	for (const char *c = id.comm; *c; c++)
		xcs_buf_putc(into, isprint((unsigned char)*c) ? *c : '?');
	xcs_buf_putc(into, ')');
}

void undo_item_name(const struct xcs_env *env, const struct undo_item *item, struct xcs_buf *into)
{
	char path[128];

	switch (item->kind) {
	case UNDO_NICE:
	case UNDO_AFFINITY:
		xcs_buf_printf(into, "%s of thread %d", item->kind == UNDO_NICE ? "nice" : "CPUs",
		               (int)item->tid);
		add_comm(env, item->pid, item->tid, into);
		break;
	case UNDO_AUTOGROUP:
		xcs_buf_printf(into, "autogroup nice of process %d", (int)item->pid);
		add_comm(env, item->pid, item->pid, into);
		break;
	case UNDO_SYSCTL:
		xcs_buf_puts(into, "kernel.sched_autogroup_enabled");
		break;
	case UNDO_NMI_WATCHDOG:
	case UNDO_SOFT_WATCHDOG:
	case UNDO_NO_TURBO:
	case UNDO_BOOST:
	case UNDO_GOVERNOR:
	case UNDO_EPP:
		knob_path(item->kind, item->tid, path);
		xcs_buf_puts(into, path);
		break;
	case UNDO_SCREENSAVER:
	case UNDO_DPMS:
		xcs_buf_printf(into, "%s of X server %d",
		               item->kind == UNDO_DPMS ? "dpms" : "screensaver", (int)item->pid);
		add_comm(env, item->pid, item->pid, into);
		break;
	case UNDO_SERVICE:
		service_name(item->tid, path);
		xcs_buf_puts(into, path);
		break;
	case UNDO_CHILD:
		xcs_buf_printf(into, "process %d", (int)item->pid);
		add_comm(env, item->pid, item->pid, into);
		break;
	case UNDO_DIR:
		xcs_buf_printf(into, "folder %s", item->path);
		break;
	}
}
