/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What was not measured, what the observer cost, how to do it again.
 */
#include "report.h"

#include <common/alloc.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_PAGE "its clients do not count it"
#define NO_X    "there were no samples of it from the server's threads"

/* Metrics whose absence is said per load, and the usual reason. */
static const struct {
	enum xcs_metric_id id;
	const char *why;
} may_lack[] = {
        {XCS_METRIC_CS,                  "no samples of /proc/stat"                                      },
        {XCS_METRIC_CS_TASK,             "a watched thread did not tell its switches"                    },
        {XCS_METRIC_US,                  "no samples of the CPUs in /proc/stat"                          },
        {XCS_METRIC_SERVER_VCS,          NO_X                                                            },
        {XCS_METRIC_SERVER_ICS,          NO_X                                                            },
        {XCS_METRIC_SERVER_CPU,          NO_X                                                            },
        {XCS_METRIC_SERVER_TIMESLICES,   "the kernel has no schedstat of the server"                     },
        {XCS_METRIC_SERVER_RUN_DELAY,    "the kernel has no schedstat of the server"                     },
        {XCS_METRIC_CLIENT_CPU,          "a client's threads were not sampled"                           },
        {XCS_METRIC_FEEDER_CPU,          "a feeder's threads were not sampled"                           },
        {XCS_METRIC_LINES,               "neither feeders nor clients count, and no bytes read are known"},
        {XCS_METRIC_FAIRNESS,            "not every client's lines are known"                            },
        {XCS_METRIC_FRAMES,              NO_PAGE                                                         },
        {XCS_METRIC_LINES_PER_FRAME,     NO_PAGE                                                         },
        {XCS_METRIC_REQUESTS,            NO_PAGE                                                         },
        {XCS_METRIC_REQUESTS_PER_WAKEUP, NO_PAGE                                                         },
        {XCS_METRIC_ROUND_TRIP,          NO_PAGE                                                         },
        {XCS_METRIC_FOREIGN_CPU,         "idle or execution time is unknown"                             },
        {XCS_METRIC_ACCT_ERROR,
         "the kernel tells the ticks of a single process to root only, through taskstats"                },
};

/* What is only known of terminals and commands that live through the window. */
static bool is_of_clients(enum xcs_metric_id id)
{
	static const enum xcs_metric_id ids[] = {
	        XCS_METRIC_CLIENT_CPU, XCS_METRIC_FEEDER_CPU,
	        XCS_METRIC_LINES,      XCS_METRIC_FAIRNESS,
	        XCS_METRIC_FRAMES,     XCS_METRIC_LINES_PER_FRAME,
	        XCS_METRIC_REQUESTS,   XCS_METRIC_REQUESTS_PER_WAKEUP,
	        XCS_METRIC_ROUND_TRIP,
	};

	for (size_t i = 0; i < ARRAY_LEN(ids); i++)
		if (ids[i] == id)
			return true;
	return false;
}

static bool is_hyperfine(const struct xcs_run_load *load)
{
	return load->timer && strcmp(load->timer, "hyperfine") == 0;
}

/* Said once, where it is so by design. */
static void lacks_of_hyperfine(const struct xcs_summary *s, struct xcs_section *section)
{
	struct xcs_buf loads = {0};

	for (size_t i = 0; i < s->run.n_loads; i++)
		if (is_hyperfine(&s->run.loads[i]))
			xcs_buf_printf(&loads, "%s%s", loads.n ? ", " : "", s->run.loads[i].id);
	if (loads.n)
		xcs_doc_item(section,
		             "%s: terminals and commands one by one, frames (hyperfine starts new "
		             "ones for each run; what all used together is known).",
		             loads.p);
	xcs_buf_fini(&loads);
}

/* True when the load was measured and the metric is unknown in all its cells. */
static bool lacks(const struct xcs_summary *s, int load, enum xcs_metric_id id)
{
	size_t n_counted = 0;

	if (is_hyperfine(&s->run.loads[load]) && is_of_clients(id))
		return false;
	if (s->run.loads[load].timer && (id == XCS_METRIC_LINES || id == XCS_METRIC_FAIRNESS))
		return false; /* counted at the command's end: "command.lines" */
	for (size_t i = 0; i < s->run.n_cells; i++) {
		if (s->run.cells[i].load != load)
			continue;
		n_counted += s->cells[i].n_counted;
		if (s->cells[i].v[id].n)
			return false;
	}
	return n_counted > 0;
}

static void lacks_of_load(const struct xcs_summary *s, int load, struct xcs_section *section)
{
	for (size_t i = 0; i < ARRAY_LEN(may_lack);) {
		struct xcs_buf titles = {0};
		const char *why = may_lack[i].why;
		for (; i < ARRAY_LEN(may_lack) && may_lack[i].why == why; i++)
			if (lacks(s, load, may_lack[i].id))
				xcs_buf_printf(&titles, "%s%s", titles.n ? ", " : "",
				               xcs_metric(may_lack[i].id)->title);
		if (titles.n)
			xcs_doc_item(section, "%s: %s (%s).", s->run.loads[load].id, titles.p, why);
		xcs_buf_fini(&titles);
	}
}

static bool lacks_xtest(const struct xcs_summary *s)
{
	const struct xcs_fact *f = xcs_run_fact(&s->run, "server.extensions");

	return f && f->value && !xcs_str_list_has(xcs_str(f->value), ',', "XTEST");
}

void report_not_measured(const struct xcs_summary *s, struct xcs_doc *doc)
{
	struct xcs_section *section = xcs_doc_section(doc, "not_measured", "Not measured");

	for (size_t i = 0; i < s->run.n_loads; i++)
		lacks_of_load(s, (int)i, section);
	lacks_of_hyperfine(s, section);
	xcs_doc_item(section,
	             "Screen refresh as shown, and flicker: an observer of the screen would "
	             "have cost the lines that are counted here.");
	xcs_doc_item(section,
	             "Pointer and key latency, smoothness of animations: they need phases of "
	             "their own%s.",
	             lacks_xtest(s) ? ", and input needs XTEST, which this server lacks" : "");
}

static struct xcs_num late_us(const struct xcs_observer_summary *o, double percent, size_t n_needed)
{
	return xcs_num_times(xcs_percentile(o->late_ns, o->n_late, percent, n_needed), 1e-3);
}

void report_observer(const struct xcs_summary *s, struct xcs_doc *doc)
{
	const struct xcs_observer_summary *o = &s->observer;
	struct xcs_section *section = xcs_doc_section(doc, "observer", "The observer");
	struct xcs_num period =
	        o->period_ns > 0 ? xcs_num_of((double)o->period_ns / 1e6) : (struct xcs_num){0};

	xcs_doc_fact(section, "class", "Scheduling class", o->class_name);
	xcs_doc_fact(section, "cpus", "CPUs", s->run.plan.observer_cpus);
	xcs_doc_fact_num(section, "period_ms", "Period", period, 3, "ms");
	xcs_doc_fact_num(section, "cpu_pct", "CPU", xcs_spread_median(&o->cpu),
	                 xcs_metric(XCS_METRIC_OBSERVER_CPU)->digits, "% of one CPU, median");
	xcs_doc_fact_num(section, "switches_per_s", "Switches", xcs_spread_median(&o->switches),
	                 xcs_metric(XCS_METRIC_OBSERVER_CS)->digits, "1/s, median");
	xcs_doc_fact_num(section, "late_p50_us", "Late, p50", late_us(o, 50, 1), 1, "us");
	xcs_doc_fact_num(section, "late_p99_us", "Late, p99", late_us(o, 99, 1000), 1, "us");
	xcs_doc_fact_num(section, "late_max_us", "Late, max", late_us(o, 100, 1), 1, "us");
	xcs_doc_fact_num(section, "missed", "Missed samples", o->missed, 0, "");
	if (o->n_late && o->n_late < 1000)
		xcs_doc_paragraph(section, "p99 needs 1,000 samples, there are %zu.", o->n_late);
}

/* The command names the seed, given or drawn. */
static char *command_dup(const struct xcs_run_plan *p)
{
	if (strstr(p->command, "--seed"))
		return xcs_xstrdup(p->command);
	return xcs_xasprintf("%s --seed=%" PRIu64, p->command, p->seed);
}

/* Readers paste it into a shell, and the record may be anybody's. */
static bool is_one_command(const char *text)
{
	bool quoted = false;

	if (strncmp(text, "xcsbench ", 9) != 0)
		return false;
	for (; *text; text++) {
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			return false;
		if (*text == '\\' && !quoted && text[1] >= 0x20)
			text++;
		else if (*text == '\'')
			quoted = !quoted;
		else if (!quoted && strchr(";|&$`<>()", *text))
			return false;
	}
	return !quoted;
}

void report_reproduce(const struct xcs_summary *s, struct xcs_doc *doc)
{
	struct xcs_section *section = xcs_doc_section(doc, "reproduce", "To reproduce");
	char seed[32];

	snprintf(seed, sizeof(seed), "%" PRIu64, s->run.plan.seed);
	if (s->run.plan.command && is_one_command(s->run.plan.command)) {
		char *command = command_dup(&s->run.plan);
		xcs_doc_command(section, command);
		free(command);
	} else if (s->run.plan.command) {
		xcs_doc_paragraph(section, "n/a: what the record names is not one command of "
		                           "xcsbench, but something that a shell would obey.");
	} else {
		xcs_doc_paragraph(section, "n/a: the record does not hold its command.");
	}
	xcs_doc_fact(section, "seed", "Seed", seed);
}
