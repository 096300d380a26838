/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The run record: what was planned, on what, and what became of each trial. Saved as
 * run.json (schema xcsbench.run/1) in the run directory; samples are in trials/NNN.xcs.
 * All strings are owned by the record and may be NULL where unknown.
 */
#ifndef XCS_RUN_H
#define XCS_RUN_H

#include <common/err.h>
#include <record/table.h>

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One thing known about the machine, and where it was read. */
struct xcs_fact {
	char *key;    /* "kernel.release", "cpu.model", "sched.autogroup", ... */
	char *value;  /* NULL: not known */
	char *source; /* "/proc/sys/kernel/osrelease", "uname", ... */
};

struct xcs_facts {
	struct xcs_fact *v;
	size_t n, cap;
};

void xcs_facts_set(struct xcs_facts *f, const char *key, const char *value, const char *source);
/* The same with a value that the caller gives away (NULL: unknown). */
void xcs_facts_take(struct xcs_facts *f, const char *key, char *value, const char *source);
const struct xcs_fact *xcs_facts_find(const struct xcs_facts *f, const char *key); /* or NULL */
const char *xcs_facts_get(const struct xcs_facts *f, const char *key); /* NULL: unknown */

struct xcs_run_load {
	char *id;     /* "xterm", "flood": unique in the run */
	char *kind;   /* load generator: "xterm", "flood", "terminal"; "pipe": no terminal */
	char *feeder; /* "lines", "yes", "command" */
	char *scroll; /* "jump", "line" */
	int n_clients, columns, rows;
	int client_nice;    /* of client 0 */
	char *client_nices; /* "-20,0,19": of client 0, 1, 2, and so on again; NULL: all alike */
	int line_bytes;     /* of a line as the feeder writes it, newline included; 0: unknown */
	int lines_per_s;    /* of a paced feeder; 0: as fast as the terminal takes them */
	char *timer; /* "once", "hyperfine": commands timed to their end; NULL: a window of time */
	char *command; /* of the feeder "command", ready to run by a shell; else NULL */
	char *label;   /* how a table names the command: "xterm -e seq 1 5000"; NULL: the id */
	int n_warmups, n_runs; /* of one call of hyperfine */
	int count;  /* what the command was scaled by: numbers of seq, folders named; 0: none */
	char *size; /* "historic", "scaled"; NULL: neither */
	char *pipe_of, *startup_of; /* this load is the same command into a pipe, or its terminal's
	                               start with `true`: id of that other load */
	char *terminal;             /* template of the kind "terminal"; NULL: a kind of its own */
	int n_compile_jobs;         /* of a build beside the clients; 0: none */
	int keys_per_s;             /* typed into one more terminal; 0: none */
	char **settings; /* everything pinned on the client's command line: resources, options */
	size_t n_settings;
};

struct xcs_run_cell {
	int load;      /* index into loads */
	int x_nice;    /* of the server, or in relative mode what it stands for */
	int load_nice; /* nice of clients and feeders in this cell */
	int n_hogs;    /* CPU burners at nice 0 beside the load */
};

enum xcs_trial_kind {
	XCS_TRIAL_WARMUP,
	XCS_TRIAL_MEASURED
};
enum xcs_trial_status {
	XCS_TRIAL_OK,
	XCS_TRIAL_VOID,
	XCS_TRIAL_FAILED
};

/* A process outside the watched ones that used CPU during the trial. */
struct xcs_run_foreign {
	pid_t pid;
	char *comm;
	int64_t cpu_ns; /* tick-sampled */
};

struct xcs_run_window {
	char *role; /* "client0" */
	int x_px, y_px, width_px, height_px;
	bool inside; /* wholly inside a CRTC */
	bool drew;   /* its pixels changed while the load settled */
};

/*
 * A command timed to its end, once. Times count from its start. User and system time of a
 * run of hyperfine 1.x are the mean of its call, which is all that it tells.
 */
struct xcs_run_timing {
	char *role; /* "client0" whose terminal it ran in; "run3" of hyperfine, and "hyperfine":
	               no run, but the whole call with its warm-ups, as the kernel counted it */
	struct xcs_num real_ns, user_ns, sys_ns;
	struct xcs_num drained_ns;  /* the pty had taken all its output: tcdrain(3) */
	struct xcs_num drawn_ns;    /* the terminal had confirmed it by a device status reply */
	struct xcs_num exit_status; /* 128 + signal for one that was killed */
	struct xcs_num n_lines;     /* that it wrote */
	struct xcs_num nice;        /* it ran at */
};

struct xcs_run_trial {
	int cell, boot, block, attempt; /* indices from 0; attempt > 0 repeats a void trial */
	enum xcs_trial_kind kind;
	enum xcs_trial_status status;
	char *reason; /* why void or failed */
	char *file;   /* relative to the run directory; NULL when nothing was sampled */
	int64_t started_wall_ns;
	int64_t settle_ns; /* from the load's start to the first sample */
	bool settled;      /* rates were steady before the deadline */
	struct xcs_num server_nice_before, server_nice_after; /* all threads alike, else unknown */
	/* Whole life of all feeders together, by the totals they report at their end: lines
	 * written, and those that a device status reply confirmed as drawn. */
	struct xcs_num lines_written, lines_confirmed;
	struct xcs_run_foreign *foreign; /* largest first, at most 5 */
	size_t n_foreign;
	struct xcs_run_window *windows;
	size_t n_windows;
	struct xcs_run_timing *timings;
	size_t n_timings;
	char *hyperfine_file; /* its JSON, relative to the run directory; NULL: none */
};

/* The files that the commands of a run list; made before it, removed after it. */
struct xcs_run_tree {
	char *path;       /* {dir} of the commands; NULL: the run had none */
	char *filesystem; /* "tmpfs", "ext4" */
	int n_entries;    /* the folder itself included */
	int name_bytes;   /* of a file's name */
	bool cached;      /* was there from an earlier run */
};

/* Could renice have an effect between server and loads? */
struct xcs_run_probe {
	char *verdict; /* "effective", "ineffective (autogroup)", "ineffective (cgroup)",
	                  "ignored (sched_ext)", "not probed" */
	char *why;     /* one sentence */
	int64_t favoured_exec_ns, other_exec_ns; /* of the spinners at nice 0 and 10; 0: not run */
	struct xcs_num expected_ratio;
	char *server_autogroup, *load_autogroup; /* "/autogroup-123 nice 0" */
	char *server_cgroup, *load_cgroup;
};

/* What the scheduler went by for one thread, at one time. */
struct xcs_run_thread {
	char *role; /* "server", "compositor", "client0", "feeder0" */
	char *comm;
	pid_t pid, tid;
	char *policy; /* "other", "batch", "idle", "fifo", "rr", "deadline", "ext" */
	struct xcs_num rt_priority, nice;
	char *autogroup;   /* "/autogroup-123 nice 0" */
	char *cgroup;      /* path in the unified hierarchy, else in that of cpu */
	char *cpu_weights; /* cpu.weight along that path: "user.slice 100, user-1000.slice 50" */
};

/* The threads of server, compositor, clients and feeders, seen at one time. */
struct xcs_run_look {
	char *when; /* "start", "middle", "end" */
	int64_t wall_ns;
	struct xcs_run_thread *threads;
	size_t n_threads;
};

/* A setting of the machine that the profile "controlled" was to change for the run. */
struct xcs_run_knob {
	char *name;   /* "/sys/devices/system/cpu/cpufreq/boost", "service tuned", "dpms" */
	char *before; /* NULL: it could not be read */
	char *during;
	char *after;   /* when all was put back; NULL: the run ended early */
	char *why_not; /* it was not set; NULL: it was */
};

struct xcs_run_boot {
	char *boot_id;
	char *kernel; /* release */
};

enum xcs_run_status {
	XCS_RUN_RUNNING,
	XCS_RUN_COMPLETE,
	XCS_RUN_PARTIAL,
	XCS_RUN_VOID /* measured to its end, and nothing may be concluded from it */
};

struct xcs_run_plan {
	char *scenario, *title, *experiment;
	char *command;        /* to reproduce */
	char *mode;           /* "absolute", "relative" */
	char *autogroup_mode; /* "as-found", "off", "nice" */
	char *server_kind;    /* "xorg-dummy", "xvfb", "xephyr", "session" */
	char *boost;          /* what is reniced: "server", or with its compositor "chain" */
	char *placement;      /* cgroup of the loads: "as-found", "same", "app", "background" */
	char *profile;        /* what else the run changes: "as-is" nothing, "controlled" knobs */
	char *load_cpus, *observer_cpus;
	bool one_cpu, quick;
	bool since_boot; /* the report shows the averages since boot, apart from the samples */
	uint64_t seed;
	int n_repetitions;
	int64_t sample_ns, period_ns, settle_deadline_ns;
};

/* Where a record comes from that this suite did not measure. All NULL: it did. */
struct xcs_run_origin {
	char *tool;   /* "vmstat", "hyperfine", "sar", "perf stat" */
	char *source; /* who published it where, as the user says; or the file's name */
	char *file;   /* the imported text, relative to the run directory */
	char *label;  /* what tables call it; NULL: the kernel */
};

struct xcs_run {
	char id[27];
	char *tool_version;
	int64_t created_wall_ns;
	enum xcs_run_status status;
	char *status_reason;
	struct xcs_facts host;        /* machine and kernel */
	struct xcs_facts environment; /* server, scheduler, session: may change between runs */
	struct xcs_run_plan plan;
	struct xcs_run_probe probe;
	struct xcs_run_tree tree;
	struct xcs_run_origin origin;
	struct xcs_run_look *looks;
	size_t n_looks;
	struct xcs_run_knob *knobs;
	size_t n_knobs;
	struct xcs_run_load *loads;
	size_t n_loads;
	struct xcs_run_boot *boots;
	size_t n_boots;
	struct xcs_run_cell *cells;
	size_t n_cells;
	struct xcs_run_trial *trials;
	size_t n_trials, cap_trials;
	char **notes; /* sentences for the report's face */
	size_t n_notes, cap_notes;
};

void xcs_run_fini(struct xcs_run *run); /* a zeroed run is a valid empty one */
/* A fact of the environment, or of the host where the environment has no value for it;
 * NULL: in neither. */
const struct xcs_fact *xcs_run_fact(const struct xcs_run *run, const char *key);
void xcs_run_add_note(struct xcs_run *run, const char *sentence); /* once each */
bool xcs_run_was_measured(const struct xcs_run *run); /* any measured trial, of any status */
struct xcs_run_trial *xcs_run_add_trial(struct xcs_run *run); /* zeroed; valid until the next */

/* Writes DIR/run.json whole. Returns 0 or -errno. */
int xcs_run_save(const struct xcs_run *run, const char *dir, struct xcs_err *err) XCS_MUST_CHECK;

/* The same, with every text of the record through `edit` (NULL: none): see xcs_json_edit. */
int xcs_run_save_edited(const struct xcs_run *run, const char *dir,
                        char *(*edit)(const char *text, void *data), void *data,
                        struct xcs_err *err) XCS_MUST_CHECK;

/*
 * Reads DIR/run.json. Unknown fields are ignored; a newer major schema, a foreign or a
 * truncated file is refused with one sentence (-EINVAL, -ENOENT). The caller owns *run.
 */
int xcs_run_load(struct xcs_run *run, const char *dir, struct xcs_err *err) XCS_MUST_CHECK;

/* Appends one line to DIR/events.jsonl: {"wall_ns", "mono_ns", "event", "text"}. 0 or -errno. */
int xcs_events_append(const char *dir, const char *event, const char *text,
                      struct xcs_err *err) XCS_MUST_CHECK;

#ifdef __cplusplus
}
#endif
#endif
