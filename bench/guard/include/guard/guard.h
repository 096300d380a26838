/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The guard: a child in a session of its own that makes all changes to the machine,
 * journals each before making it, and undoes them all when its owner finishes or dies.
 */
#ifndef GUARD_H
#define GUARD_H

#include <common/cpuset.h>
#include <common/env.h>

#include <stdbool.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* By which right nice values are lowered here. Strings are static. */
struct guard_right {
	const char *name;   /* "root", "CAP_SYS_NICE", "RLIMIT_NICE", "xcsbench-nice", "sudo",
	                       "rtkit"; NULL: there is none */
	const char *source; /* what told, or what was asked in vain */
	int lowest_nice;    /* that it reaches; 0 without a right */
	bool servers_only;  /* display servers may be moved, loads may not */
};

/* The first right, in the order in which the guard uses them, that reaches that nice value;
 * else the first that there is. Whether it reaches a process, only a change shows.
 * own_server: an own child is to be moved, which is all that rtkit is asked for. */
struct guard_right guard_right_find(int wanted_nice, bool own_server);

struct guard; /* owns the guard process; guard_finish frees it */

/* Where things are; a NULL member, or no struct at all, means the usual place. */
struct guard_spec {
	const char *program;     /* xcs-guard beside our own program */
	const char *journals;    /* xcs_path_journals_dup of the user */
	const char *temp_parent; /* guard_own_dir takes only xcsbench-* in it: $TMPDIR or /tmp, */
	const char *tree_parent; /* or in this one; none unless given */
};

/* What became of the threads of one process. */
struct guard_nice_result {
	int n_threads; /* that run now */
	int n_changed;
	int n_failed;           /* threads that are not at the nice value asked for */
	int n_other_policy;     /* real-time, deadline and idle threads: nice does not move them */
	int old_min, old_max;   /* nice of its threads before */
	int nice_min, nice_max; /* read back after */
	int failed_tid;         /* the first that failed, or 0 */
	int failed_errno;
};

/*
 * Starts the guard; env's /proc is the one it works on. Fails with -errno, and nothing has
 * been changed, when the undo journal cannot be written.
 */
int guard_start(struct guard **out, const struct xcs_env *env, const struct guard_spec *spec,
                struct xcs_err *err) XCS_MUST_CHECK;

int guard_fd(const struct guard *g); /* readable once the guard has died; borrowed */
pid_t guard_pid(const struct guard *g);

/*
 * All of these return 0 or -errno with the sentence: -ESRCH the process has ended or its
 * start time differs; -EPERM no rights, or rights to change but none to undo (nothing is
 * changed then; declared own children are exempt, they end with the run); -EPIPE the guard
 * has died: call guard_finish.
 */

/* Gives every thread of the process that nice value and reads it back; threads that appear
 * meanwhile are included. *result (may be NULL) is filled when threads were touched. */
int guard_set_nice(struct guard *g, pid_t pid, uint64_t start_ticks, int nice,
                   struct guard_nice_result *result, struct xcs_err *err) XCS_MUST_CHECK;

/* Writes the nice value of the process's autogroup. */
int guard_set_autogroup_nice(struct guard *g, pid_t pid, uint64_t start_ticks, int nice,
                             struct xcs_err *err) XCS_MUST_CHECK;

/* Switches kernel.sched_autogroup_enabled. Processes keep the group they were born in. */
int guard_set_autogroup_enabled(struct guard *g, bool on, struct xcs_err *err) XCS_MUST_CHECK;

/* The settings that the profile "controlled" changes, each to one value. */
enum guard_knob {
	GUARD_KNOB_SERVICE,       /* stopped; of guard_n_services() */
	GUARD_KNOB_NMI_WATCHDOG,  /* 0 */
	GUARD_KNOB_SOFT_WATCHDOG, /* 0 */
	GUARD_KNOB_NO_TURBO,      /* 1 */
	GUARD_KNOB_BOOST,         /* 0 */
	GUARD_KNOB_EPP,           /* performance: energy_performance_preference */
	GUARD_KNOB_GOVERNOR,      /* performance */
	GUARD_KNOB_SCREENSAVER,   /* 0: never; of an X server */
	GUARD_KNOB_DPMS,          /* off; of an X server */
	GUARD_N_KNOBS
};

/* One setting: which, and which of its kind. */
struct guard_setting {
	enum guard_knob knob;
	int index; /* of the cpufreq policy, or of the service */
	pid_t pid; /* of the X server, with the next two */
	uint64_t start_ticks;
	char *client; /* who speaks to it: "UID DISPLAY=:0 XAUTHORITY=FILE"; borrowed */
};

/* How many services there are to stop, installed or not. */
int guard_n_services(void);

/* "/proc/sys/kernel/nmi_watchdog", "dpms", "service tuned". */
void guard_setting_name(const struct guard_setting *s, char out[128]);

/* What guard_set_knob makes it: "0", "performance". */
void guard_setting_target(const struct guard_setting *s, char out[32]);

/* Reads it into `into`, cleared first. Changes nothing. 0 or -errno: -ENOENT this machine has
 * it not; -ENOTSUP systemd does not answer; -ECONNREFUSED the X server takes no such client. */
int guard_setting_read(const struct xcs_env *env, const struct guard_setting *s,
                       struct xcs_buf *into) XCS_MUST_CHECK;

/* Gives the setting the value of its knob. -ENOENT: this machine has it not; -EBUSY: another
 * run holds settings. */
int guard_set_knob(struct guard *g, const struct guard_setting *s,
                   struct xcs_err *err) XCS_MUST_CHECK;

/* Binds every thread of the process to these CPUs. */
int guard_set_affinity(struct guard *g, pid_t pid, uint64_t start_ticks,
                       const struct xcs_cpuset *cpus, struct xcs_err *err) XCS_MUST_CHECK;

/* The guard ends this process (SIGTERM, then SIGKILL) if it outlives the run, and with it
 * the process group that it leads. */
int guard_own_child(struct guard *g, pid_t pid, uint64_t start_ticks,
                    struct xcs_err *err) XCS_MUST_CHECK;
int guard_disown_child(struct guard *g, pid_t pid, uint64_t start_ticks,
                       struct xcs_err *err) XCS_MUST_CHECK;

/* The guard removes this folder if it outlives the run: a folder xcsbench-* of the temp
 * parent, known by its inode. */
int guard_own_dir(struct guard *g, const char *path, struct xcs_err *err) XCS_MUST_CHECK;
int guard_disown_dir(struct guard *g, const char *path, struct xcs_err *err) XCS_MUST_CHECK;

/* Puts every changed value back; own children and folders stay. */
int guard_restore_all(struct guard *g, struct xcs_err *err) XCS_MUST_CHECK;

/*
 * Ends own children, puts everything back, removes own folders, ends the guard and frees g
 * (NULL is fine). When the guard has died, does all this itself from the journal. On error
 * the journal stays for `xcsbench restore` and err says what is left.
 */
int guard_finish(struct guard *g, struct xcs_err *err) XCS_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
