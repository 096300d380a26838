/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What was changed and how to put it back: one item per changed object, known by an
 * identity that is never reused (pid or tid with its start time, device and inode).
 */
#ifndef UNDO_H
#define UNDO_H

#include <common/cpuset.h>
#include <common/env.h>

#include <stdbool.h>
#include <sys/types.h>

enum undo_kind {
	UNDO_NICE,      /* of one thread */
	UNDO_AFFINITY,  /* of one thread */
	UNDO_AUTOGROUP, /* nice of the autogroup of a process */
	UNDO_SYSCTL,    /* kernel.sched_autogroup_enabled */
	UNDO_NMI_WATCHDOG,
	UNDO_SOFT_WATCHDOG,
	UNDO_NO_TURBO,    /* of intel_pstate */
	UNDO_BOOST,       /* of the other cpufreq drivers */
	UNDO_GOVERNOR,    /* of the cpufreq policy whose number is in tid */
	UNDO_EPP,         /* energy_performance_preference of that policy */
	UNDO_SCREENSAVER, /* of the X server: idle seconds, 0 never */
	UNDO_DPMS,        /* of the X server */
	UNDO_SERVICE,     /* the one whose number is in tid: service.h */
	UNDO_N_VALUES,    /* the kinds above hold a value; those below end with the run */
	UNDO_CHILD = UNDO_N_VALUES,
	UNDO_DIR,
};

enum undo_outcome {
	UNDO_OPEN,
	UNDO_RESTORED,
	UNDO_ALREADY,  /* it is as it was before us */
	UNDO_GONE,     /* the object has ended */
	UNDO_FOREIGN,  /* somebody else changed it after us: left alone */
	UNDO_REBOOTED, /* the change ended with that boot */
	UNDO_ENDS,     /* no rights to put it back, but it ends with the run */
	UNDO_FAILED,
};

struct undo_value {
	int n;                  /* nice value or switch */
	struct xcs_cpuset cpus; /* UNDO_AFFINITY only */
	char word[32];          /* of the other kinds */
};

struct undo_item {
	enum undo_kind kind;
	pid_t pid, tid; /* tid: of the thread kinds */
	uint64_t pid_start_ticks, tid_start_ticks;
	int policy;               /* of the thread, when it was changed */
	bool is_own;              /* of an own child: it ends with the run */
	struct undo_value before; /* what it was before the run: goes back */
	struct undo_value was;    /* what it was before the last change */
	struct undo_value now;    /* what the last change made it */
	uint64_t dev, ino;        /* UNDO_DIR */
	char *path;               /* UNDO_DIR; of an X server who speaks to it: screen.h; owned */
	enum undo_outcome outcome;
	int rc;     /* of a failed restoration */
	char *said; /* what restoring did, one clause; owned */
};

struct undo_list {
	struct undo_item *v; /* in the order of first change */
	size_t n, cap;
};

void undo_list_fini(struct undo_list *list);

/* Adds the item, or replaces the values of the item of the same object. Takes over path. */
void undo_list_put(struct undo_list *list, const struct undo_item *item);

/* The item of the same object, or NULL; valid until the list changes. */
struct undo_item *undo_list_find(const struct undo_list *list, const struct undo_item *like);

/* Has an item taken over this very path? */
bool undo_list_has_path(const struct undo_list *list, const char *path);

/* The item that speaks for all threads of a process: its main thread's, else its first. */
const struct undo_item *undo_list_leader(const struct undo_list *list, enum undo_kind kind,
                                         pid_t pid, uint64_t pid_start_ticks);

/* True when that process is an own child. */
bool undo_list_owns(const struct undo_list *list, pid_t pid, uint64_t pid_start_ticks);

/* Forgets one object, or all that hold a value. */
void undo_list_drop(struct undo_list *list, const struct undo_item *like);
void undo_list_drop_values(struct undo_list *list);

/* "nice of thread 12 (Xorg)": names the object of the item. */
void undo_item_name(const struct xcs_env *env, const struct undo_item *item, struct xcs_buf *into);

#endif
