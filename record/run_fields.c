/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What run.json holds. A row added here later than schema xcsbench.run/1 was published must
 * be optional, and record/schema/ must learn it too.
 */
#include "rows.h"

#include <record/run.h>

static const char *const run_status_names[] = {"running", "complete", "partial", "void", NULL};
static const char *const trial_kind_names[] = {"warmup", "measured", NULL};
static const char *const trial_status_names[] = {"ok", "void", "failed", NULL};

static const struct field fact_rows[] = {
        ROW(xcs_fact, key, FIELD_STR),
        ROW(xcs_fact, value, FIELD_STR),
        ROW(xcs_fact, source, FIELD_STR),
        {0},
};

static const struct field plan_rows[] = {
        ROW(xcs_run_plan, scenario, FIELD_STR),
        ROW(xcs_run_plan, title, FIELD_STR),
        ROW(xcs_run_plan, experiment, FIELD_STR),
        ROW(xcs_run_plan, command, FIELD_STR),
        ROW(xcs_run_plan, mode, FIELD_STR),
        ROW(xcs_run_plan, autogroup_mode, FIELD_STR),
        ROW(xcs_run_plan, server_kind, FIELD_STR),
        ROW(xcs_run_plan, boost, FIELD_STR),
        ROW(xcs_run_plan, placement, FIELD_STR),
        ROW(xcs_run_plan, profile, FIELD_STR),
        ROW(xcs_run_plan, load_cpus, FIELD_STR),
        ROW(xcs_run_plan, observer_cpus, FIELD_STR),
        ROW(xcs_run_plan, one_cpu, FIELD_BOOL),
        ROW(xcs_run_plan, quick, FIELD_BOOL),
        ROW_LATER(xcs_run_plan, since_boot, FIELD_BOOL),
        ROW(xcs_run_plan, seed, FIELD_U64),
        ROW(xcs_run_plan, n_repetitions, FIELD_INT),
        ROW(xcs_run_plan, sample_ns, FIELD_I64),
        ROW(xcs_run_plan, period_ns, FIELD_I64),
        ROW(xcs_run_plan, settle_deadline_ns, FIELD_I64),
        {0},
};

static const struct field probe_rows[] = {
        ROW(xcs_run_probe, verdict, FIELD_STR),
        ROW(xcs_run_probe, why, FIELD_STR),
        ROW(xcs_run_probe, favoured_exec_ns, FIELD_I64),
        ROW(xcs_run_probe, other_exec_ns, FIELD_I64),
        ROW(xcs_run_probe, expected_ratio, FIELD_NUM),
        ROW(xcs_run_probe, server_autogroup, FIELD_STR),
        ROW(xcs_run_probe, load_autogroup, FIELD_STR),
        ROW(xcs_run_probe, server_cgroup, FIELD_STR),
        ROW(xcs_run_probe, load_cgroup, FIELD_STR),
        {0},
};

static const struct field load_rows[] = {
        ROW(xcs_run_load, id, FIELD_STR),
        ROW(xcs_run_load, kind, FIELD_STR),
        ROW(xcs_run_load, feeder, FIELD_STR),
        ROW(xcs_run_load, scroll, FIELD_STR),
        ROW(xcs_run_load, n_clients, FIELD_INT),
        ROW(xcs_run_load, columns, FIELD_INT),
        ROW(xcs_run_load, rows, FIELD_INT),
        ROW(xcs_run_load, client_nice, FIELD_INT),
        ROW(xcs_run_load, client_nices, FIELD_STR),
        ROW(xcs_run_load, line_bytes, FIELD_INT),
        ROW_LATER(xcs_run_load, lines_per_s, FIELD_INT),
        ROW(xcs_run_load, timer, FIELD_STR),
        ROW(xcs_run_load, command, FIELD_STR),
        ROW(xcs_run_load, label, FIELD_STR),
        ROW_LATER(xcs_run_load, n_warmups, FIELD_INT),
        ROW_LATER(xcs_run_load, n_runs, FIELD_INT),
        ROW_LATER(xcs_run_load, count, FIELD_INT),
        ROW(xcs_run_load, size, FIELD_STR),
        ROW(xcs_run_load, pipe_of, FIELD_STR),
        ROW(xcs_run_load, startup_of, FIELD_STR),
        ROW(xcs_run_load, terminal, FIELD_STR),
        ROW_LATER(xcs_run_load, n_compile_jobs, FIELD_INT),
        ROW_LATER(xcs_run_load, keys_per_s, FIELD_INT),
        ROW_STRS(xcs_run_load, settings, n_settings),
        {0},
};

static const struct field boot_rows[] = {
        ROW(xcs_run_boot, boot_id, FIELD_STR),
        ROW(xcs_run_boot, kernel, FIELD_STR),
        {0},
};

static const struct field cell_rows[] = {
        ROW(xcs_run_cell, load, FIELD_INT),
        ROW(xcs_run_cell, x_nice, FIELD_INT),
        ROW(xcs_run_cell, load_nice, FIELD_INT),
        ROW_LATER(xcs_run_cell, n_hogs, FIELD_INT),
        {0},
};

static const struct field foreign_rows[] = {
        ROW(xcs_run_foreign, pid, FIELD_PID),
        ROW(xcs_run_foreign, comm, FIELD_STR),
        ROW(xcs_run_foreign, cpu_ns, FIELD_I64),
        {0},
};

static const struct field window_rows[] = {
        ROW(xcs_run_window, role, FIELD_STR),      ROW(xcs_run_window, x_px, FIELD_INT),
        ROW(xcs_run_window, y_px, FIELD_INT),      ROW(xcs_run_window, width_px, FIELD_INT),
        ROW(xcs_run_window, height_px, FIELD_INT), ROW(xcs_run_window, inside, FIELD_BOOL),
        ROW(xcs_run_window, drew, FIELD_BOOL),     {0},
};

static const struct field timing_rows[] = {
        ROW(xcs_run_timing, role, FIELD_STR),        ROW(xcs_run_timing, real_ns, FIELD_NUM),
        ROW(xcs_run_timing, user_ns, FIELD_NUM),     ROW(xcs_run_timing, sys_ns, FIELD_NUM),
        ROW(xcs_run_timing, drained_ns, FIELD_NUM),  ROW(xcs_run_timing, drawn_ns, FIELD_NUM),
        ROW(xcs_run_timing, exit_status, FIELD_NUM), ROW(xcs_run_timing, n_lines, FIELD_NUM),
        ROW(xcs_run_timing, nice, FIELD_NUM),        {0},
};

static const struct field tree_rows[] = {
        ROW(xcs_run_tree, path, FIELD_STR),
        ROW(xcs_run_tree, filesystem, FIELD_STR),
        ROW_LATER(xcs_run_tree, n_entries, FIELD_INT),
        ROW_LATER(xcs_run_tree, name_bytes, FIELD_INT),
        ROW_LATER(xcs_run_tree, cached, FIELD_BOOL),
        {0},
};

static const struct field origin_rows[] = {
        ROW(xcs_run_origin, tool, FIELD_STR),
        ROW(xcs_run_origin, source, FIELD_STR),
        ROW(xcs_run_origin, file, FIELD_STR),
        ROW(xcs_run_origin, label, FIELD_STR),
        {0},
};

static const struct field thread_rows[] = {
        ROW(xcs_run_thread, role, FIELD_STR),
        ROW(xcs_run_thread, comm, FIELD_STR),
        ROW(xcs_run_thread, pid, FIELD_PID),
        ROW(xcs_run_thread, tid, FIELD_PID),
        ROW(xcs_run_thread, policy, FIELD_STR),
        ROW(xcs_run_thread, rt_priority, FIELD_NUM),
        ROW(xcs_run_thread, nice, FIELD_NUM),
        ROW(xcs_run_thread, autogroup, FIELD_STR),
        ROW(xcs_run_thread, cgroup, FIELD_STR),
        ROW(xcs_run_thread, cpu_weights, FIELD_STR),
        {0},
};

static const struct field look_rows[] = {
        ROW(xcs_run_look, when, FIELD_STR),
        ROW(xcs_run_look, wall_ns, FIELD_I64),
        ROW_OBJECTS(xcs_run_look, threads, n_threads, xcs_run_thread, thread_rows),
        {0},
};

static const struct field knob_rows[] = {
        ROW(xcs_run_knob, name, FIELD_STR),    ROW(xcs_run_knob, before, FIELD_STR),
        ROW(xcs_run_knob, during, FIELD_STR),  ROW(xcs_run_knob, after, FIELD_STR),
        ROW(xcs_run_knob, why_not, FIELD_STR), {0},
};

static const struct field trial_rows[] = {
        ROW(xcs_run_trial, cell, FIELD_INT),
        ROW(xcs_run_trial, boot, FIELD_INT),
        ROW(xcs_run_trial, block, FIELD_INT),
        ROW(xcs_run_trial, attempt, FIELD_INT),
        ROW_CHOICE(xcs_run_trial, kind, trial_kind_names),
        ROW_CHOICE(xcs_run_trial, status, trial_status_names),
        ROW(xcs_run_trial, reason, FIELD_STR),
        ROW(xcs_run_trial, file, FIELD_STR),
        ROW(xcs_run_trial, started_wall_ns, FIELD_I64),
        ROW(xcs_run_trial, settle_ns, FIELD_I64),
        ROW(xcs_run_trial, settled, FIELD_BOOL),
        ROW(xcs_run_trial, server_nice_before, FIELD_NUM),
        ROW(xcs_run_trial, server_nice_after, FIELD_NUM),
        ROW(xcs_run_trial, lines_written, FIELD_NUM),
        ROW(xcs_run_trial, lines_confirmed, FIELD_NUM),
        ROW_OBJECTS(xcs_run_trial, foreign, n_foreign, xcs_run_foreign, foreign_rows),
        ROW_OBJECTS(xcs_run_trial, windows, n_windows, xcs_run_window, window_rows),
        ROW_OBJECTS_LATER(xcs_run_trial, timings, n_timings, xcs_run_timing, timing_rows),
        ROW(xcs_run_trial, hyperfine_file, FIELD_STR),
        {0},
};

#define ROW_FACTS(member_name)                                           \
	{                                                                \
		.key = #member_name, .type = FIELD_OBJECTS,              \
		.at = offsetof(struct xcs_run, member_name.v),           \
		.at_n = offsetof(struct xcs_run, member_name.n),         \
		.at_cap = offsetof(struct xcs_run, member_name.cap),     \
		.size_bytes = sizeof(struct xcs_fact), .rows = fact_rows \
	}

/* The run's id is a char array and its schema is no member: run_save.c and run_load.c. */
const struct field xcs_run_fields[] = {
        ROW(xcs_run, tool_version, FIELD_STR),
        ROW(xcs_run, created_wall_ns, FIELD_I64),
        ROW_CHOICE(xcs_run, status, run_status_names),
        ROW(xcs_run, status_reason, FIELD_STR),
        ROW_FACTS(host),
        ROW_FACTS(environment),
        ROW_OBJECT(xcs_run, plan, plan_rows),
        ROW_OBJECT(xcs_run, probe, probe_rows),
        {.key = "tree",
                                      .type = FIELD_OBJECT,
                                      .at = offsetof(struct xcs_run, tree),
                                      .rows = tree_rows,
                                      .optional = true},
        {.key = "origin",
                                      .type = FIELD_OBJECT,
                                      .at = offsetof(struct xcs_run, origin),
                                      .rows = origin_rows,
                                      .optional = true},
        ROW_OBJECTS_LATER(xcs_run, looks, n_looks, xcs_run_look, look_rows),
        ROW_OBJECTS_LATER(xcs_run, knobs, n_knobs, xcs_run_knob, knob_rows),
        ROW_OBJECTS(xcs_run, loads, n_loads, xcs_run_load, load_rows),
        ROW_OBJECTS(xcs_run, boots, n_boots, xcs_run_boot, boot_rows),
        ROW_OBJECTS(xcs_run, cells, n_cells, xcs_run_cell, cell_rows),
        {.key = "trials",
                                      .type = FIELD_OBJECTS,
                                      .at = offsetof(struct xcs_run, trials),
                                      .at_n = offsetof(struct xcs_run, n_trials),
                                      .at_cap = offsetof(struct xcs_run, cap_trials),
                                      .size_bytes = sizeof(struct xcs_run_trial),
                                      .rows = trial_rows},
        {.key = "notes",
                                      .type = FIELD_STRS,
                                      .at = offsetof(struct xcs_run, notes),
                                      .at_n = offsetof(struct xcs_run, n_notes),
                                      .at_cap = offsetof(struct xcs_run, cap_notes)},
        {0         },
};
