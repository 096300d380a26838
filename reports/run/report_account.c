/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A build and typing beside the loads, and whether the CPU time of all adds up.
 */
#include "report.h"

#include <common/alloc.h>

#include <string.h>

static const struct {
	enum xcs_metric_id metric;
	const char *heading;
} beside_columns[] = {
        {XCS_METRIC_BUILD_FILES,        "files"   },
        {XCS_METRIC_BUILD_CPU,          "CPU"     },
        {XCS_METRIC_BUILD_CPU_PER_FILE, "per file"},
        {XCS_METRIC_KEYS_SENT,          "typed"   },
        {XCS_METRIC_KEYS,               "echoed"  },
};

static const struct xcs_column account_columns[] = {
        {.id = "of",         .heading = "of", .unit = "", .is_key = true         },
        { .id = "tick_s",
         .heading = "tick",
         .unit = "s",
         .digits = 3,
         .definition = "CPU time in the window as the tick samples it"},
        {            .id = "exact_s",
         .heading = "exact",
         .unit = "s",
         .digits = 3,
         .definition = "CPU time in the window as the scheduler counts it, in ns"},
        { .id = "error_pct",
         .heading = "error",
         .unit = "%",
         .digits = 1,
         .definition = "of the medians: tick less exact, of exact"},
};

static bool any_load(const struct xcs_run *run, bool builds_only)
{
	for (size_t i = 0; i < run->n_loads; i++)
		if (run->loads[i].n_compile_jobs || (!builds_only && run->loads[i].keys_per_s))
			return true;
	return false;
}

static void beside_table(const struct xcs_summary *s, struct xcs_section *section)
{
	struct xcs_column columns[REPORT_KEYS_MAX + ARRAY_LEN(beside_columns)];
	size_t n_keys = report_key_columns(s, columns);

	for (size_t i = 0; i < ARRAY_LEN(beside_columns); i++) {
		const struct xcs_metric *m = xcs_metric(beside_columns[i].metric);
		columns[n_keys + i] = (struct xcs_column){.id = m->id,
		                                          .heading = beside_columns[i].heading,
		                                          .unit = m->unit,
		                                          .definition = m->definition,
		                                          .digits = m->digits};
	}
	struct xcs_doc_table *t =
	        xcs_doc_table(section, "beside", columns, n_keys + ARRAY_LEN(beside_columns));
	for (size_t cell = 0; cell < s->run.n_cells; cell++) {
		struct xcs_cell *row = xcs_doc_row(t);
		report_set_keys(s, cell, row);
		for (size_t i = 0; i < ARRAY_LEN(beside_columns); i++)
			xcs_cell_set_spread(&row[n_keys + i],
			                    &s->cells[cell].v[beside_columns[i].metric]);
	}
}

static void account_row(const struct xcs_summary *s, size_t cell, int of, struct xcs_doc_table *t)
{
	static const char *const names[XCS_N_ACCT] = {
	        [XCS_CLASS_SERVER] = "server",  [XCS_CLASS_COMPOSITOR] = "compositor",
	        [XCS_CLASS_CLIENT] = "clients", [XCS_CLASS_FEEDER] = "feeders",
	        [XCS_CLASS_HOG] = "hogs",       [XCS_CLASS_BUILD] = "build",
	        [XCS_CLASS_OTHER] = "typing",   [XCS_ACCT_SUM] = "sum of these",
	        [XCS_ACCT_CPUS] = "the CPUs",
	};
	struct xcs_num tick = xcs_spread_median(&s->cells[cell].acct_tick_s[of]);
	struct xcs_num exact = xcs_spread_median(&s->cells[cell].acct_exact_s[of]);
	struct xcs_cell *row = xcs_doc_row(t);
	size_t n_keys = report_set_keys(s, cell, row);

	xcs_cell_set_text(&row[n_keys], names[of]);
	xcs_cell_set_num(&row[n_keys + 1], tick);
	xcs_cell_set_num(&row[n_keys + 2], exact);
	xcs_cell_set_num(&row[n_keys + 3],
	                 xcs_num_times(xcs_num_ratio(xcs_num_minus(tick, exact), exact), 100));
}

/* Classes that nobody belonged to have no row; the totals always have one. */
static void account_table(const struct xcs_summary *s, struct xcs_section *section)
{
	struct xcs_column columns[REPORT_KEYS_MAX + ARRAY_LEN(account_columns)];
	size_t n_keys = report_key_columns(s, columns);

	memcpy(columns + n_keys, account_columns, sizeof(account_columns));
	struct xcs_doc_table *t =
	        xcs_doc_table(section, "accounting", columns, n_keys + ARRAY_LEN(account_columns));
	for (size_t cell = 0; cell < s->run.n_cells; cell++)
		for (int of = 0; of < XCS_N_ACCT; of++)
			if (of >= XCS_N_CLASSES || s->cells[cell].acct_exact_s[of].n)
				account_row(s, cell, of, t);
}

static bool is_known(const struct xcs_summary *s, bool tick, int of)
{
	for (size_t cell = 0; cell < s->run.n_cells; cell++)
		if ((tick ? s->cells[cell].acct_tick_s : s->cells[cell].acct_exact_s)[of].n)
			return true;
	return false;
}

static void account_notes(const struct xcs_summary *s, struct xcs_section *section)
{
	xcs_doc_paragraph(section,
	                  "CPU seconds of one window, medians. exact: execution time in ns by the "
	                  "scheduler; of the build also that of its compilers by wait4(2), each "
	                  "counted in the window in which it ends, so up to the CPU time of one "
	                  "file per job may be another window's. tick: by taskstats; of the build "
	                  "what is left of the busy ticks (us, sy and ni of the load's CPUs) when "
	                  "all others' are taken off, so it holds what strangers used too. the "
	                  "CPUs: all busy ticks, against the time that the CPUs ran tasks "
	                  "(rq_cpu_time of /proc/schedstat), strangers included.");
	if (!is_known(s, true, XCS_CLASS_SERVER))
		xcs_doc_item(section, "tick is n/a: the kernel tells the ticks of a single process "
		                      "to root only, through taskstats.");
	if (!is_known(s, false, XCS_ACCT_CPUS))
		xcs_doc_item(section,
		             "exact of the CPUs is n/a: this kernel has no /proc/schedstat "
		             "(CONFIG_SCHEDSTATS).");
}

void report_account(const struct xcs_summary *s, struct xcs_doc *doc)
{
	if (any_load(&s->run, false)) {
		struct xcs_section *section =
		        xcs_doc_section(doc, "beside", "Build and typing beside the load");
		beside_table(s, section);
		xcs_doc_paragraph(section,
		                  "files: compiled per second; CPU: of the build with its "
		                  "compilers, 100 %% is one CPU; typed, echoed: keys sent to "
		                  "a terminal of its own, and written back by the program "
		                  "in it.");
	}
	if (any_load(&s->run, true)) {
		struct xcs_section *section =
		        xcs_doc_section(doc, "cpu_accounting", "CPU accounting");
		account_table(s, section);
		account_notes(s, section);
	}
}
