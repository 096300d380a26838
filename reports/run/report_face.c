/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What must be read before any figure: is the run whole, could renice have an effect, on
 * what was it measured.
 */
#include "report.h"

#include <common/alloc.h>
#include <common/units.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

static void face_status(const struct xcs_summary *s, struct xcs_section *face)
{
	const struct xcs_run *run = &s->run;

	if (run->status == XCS_RUN_PARTIAL)
		xcs_doc_paragraph(face, "PARTIAL%s%s",
		                  run->status_reason ? ": " : ": the record does not say why.",
		                  run->status_reason ? run->status_reason : "");
	if (run->status == XCS_RUN_VOID)
		xcs_doc_paragraph(face, "VOID: %s. NOTHING MAY BE CONCLUDED FROM THE ROWS BELOW.",
		                  run->status_reason ? run->status_reason
		                                     : "the record does not say why");
	if (run->status == XCS_RUN_RUNNING)
		xcs_doc_paragraph(face, "PARTIAL: the run is still going on, or was killed before "
		                        "it could say so.");
}

enum effect {
	EFFECT_YES,
	EFFECT_NO,
	EFFECT_UNKNOWN
};

static enum effect effect_of(const struct xcs_run_probe *p)
{
	if (p->verdict && strcmp(p->verdict, "effective") == 0)
		return EFFECT_YES;
	if (p->verdict &&
	    (strncmp(p->verdict, "ineffective", 11) == 0 || strncmp(p->verdict, "ignored", 7) == 0))
		return EFFECT_NO;
	return EFFECT_UNKNOWN;
}

bool report_renice_is_null(const struct xcs_summary *s)
{
	return effect_of(&s->run.probe) == EFFECT_NO;
}

static void face_renice(const struct xcs_run_probe *p, struct xcs_section *face)
{
	const char *why = p->why ? p->why : "the record does not say why.";
	enum effect effect = effect_of(p);

	if (effect == EFFECT_YES)
		xcs_doc_paragraph(face, "Renice: effective. %s", why);
	else if (effect == EFFECT_NO)
		xcs_doc_paragraph(face,
		                  "Renice: %s. THE ROWS BELOW CANNOT SHOW AN EFFECT OF RENICE, "
		                  "whatever they differ by. Why: %s",
		                  p->verdict, why);
	else
		xcs_doc_paragraph(face,
		                  "Renice: not known to have an effect here (%s), so a missing "
		                  "effect in the rows below proves nothing. Why: %s",
		                  p->verdict ? p->verdict : "no probe in the record", why);
}

/* A fact of the run's host or environment, NULL when unknown. */
static const char *known(const struct xcs_summary *s, const char *key)
{
	const struct xcs_fact *f = xcs_run_fact(&s->run, key);

	return f ? f->value : NULL;
}

static const char *or_na(const char *s)
{
	return s ? s : "n/a";
}

/* "/autogroup-123 nice 0": the name alone, since a nice value may differ at another time. */
static bool same_name(const char *a, const char *b)
{
	return strcspn(a, " ") == strcspn(b, " ") && strncmp(a, b, strcspn(a, " ")) == 0;
}

/* The probe's spinner stood where the server is: what it says holds of the compositor only
 * in the same group. Autogroups matter while they are on. */
static void face_chain_groups(const struct xcs_summary *s, struct xcs_section *face)
{
	static const char *const kinds[] = {"cgroup", "autogroup"};
	const char *on = known(s, "sched.autogroup");
	const char *server[] = {known(s, "server.cgroup"), known(s, "server.autogroup")};
	const char *compositor[] = {known(s, "compositor.cgroup"),
	                            known(s, "compositor.autogroup")};

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (i == 1 && (!on || strcmp(on, "1")))
			continue;
		if (server[i] && compositor[i] && same_name(server[i], compositor[i]))
			continue;
		xcs_doc_paragraph(
		        face,
		        "The compositor is not known to be in the server's %s (%s; server: "
		        "%s). The probe stood where the server is, so its answer says "
		        "nothing about the compositor.",
		        kinds[i], or_na(compositor[i]), or_na(server[i]));
	}
}

static void face_placement(const struct xcs_summary *s, struct xcs_section *face)
{
	const char *word = s->run.plan.placement;

	if (!word || strcmp(word, "as-found") == 0)
		return;
	if (strcmp(word, "same") == 0)
		xcs_doc_item(face, "Placement: same. The loads ran in the cgroup of the X server.");
	else
		xcs_doc_item(face,
		             "Placement: %s. Each load ran in a scope of its own in %s.slice of "
		             "the user's systemd.",
		             word, word);
}

static void face_boost(const struct xcs_summary *s, struct xcs_section *face)
{
	if (!s->run.plan.boost || strcmp(s->run.plan.boost, "chain") != 0)
		return;
	xcs_doc_paragraph(face, "Boost: chain (%s and %s). %s both.",
	                  or_na(known(s, "server.comm")), or_na(known(s, "compositor.comm")),
	                  report_is_relative(s) ? "The load's level stands for a renice of"
	                                        : "X nice is the nice of");
	face_chain_groups(s, face);
}

/* Of a cell's cs, the per cent that cannot be the load's: a switch of one of its tasks is
 * counted twice at most, once to it and once to idle. */
static struct xcs_num strangers_pct(const struct xcs_cell_summary *c)
{
	struct xcs_num cs = xcs_spread_median(&c->v[XCS_METRIC_CS_NET]);
	struct xcs_num tasks = xcs_spread_median(&c->v[XCS_METRIC_CS_TASK]);

	return xcs_num_times(xcs_num_ratio(xcs_num_minus(cs, xcs_num_times(tasks, 2)), cs), 100);
}

#define STRANGERS_SAID_PCT 30.0

enum {
	STRANGERS_NAMED = 4 /* cells; more are counted */
};

/* hyperfine's commands come and go unwatched, so their switches are nobody's here. */
static bool is_watched(const struct xcs_summary *s, size_t cell)
{
	const char *timer = s->run.loads[s->run.cells[cell].load].timer;

	return !timer || strcmp(timer, "hyperfine") != 0;
}

static void face_strangers(const struct xcs_summary *s, struct xcs_section *face)
{
	struct xcs_buf cells = {0};
	size_t n = 0;

	for (size_t i = 0; i < s->run.n_cells; i++) {
		struct xcs_num pct = strangers_pct(&s->cells[i]);
		if (!is_watched(s, i) || !pct.known || pct.v <= STRANGERS_SAID_PCT)
			continue;
		if (n++ >= STRANGERS_NAMED)
			continue;
		xcs_buf_puts(&cells, cells.n ? "; " : "");
		report_name_cell(s, i, &cells);
		xcs_buf_printf(&cells, ": %.0f %%", pct.v);
	}
	if (n > STRANGERS_NAMED)
		xcs_buf_printf(&cells, "; and of %zu more cells", n - STRANGERS_NAMED);
	if (cells.n)
		xcs_doc_item(face,
		             "cs counts the whole machine, and much of it was not of the watched "
		             "tasks (at the least: %s): kernel workers behind their terminals, or "
		             "other work. Compare tasks, not cs.",
		             cells.p);
	xcs_buf_fini(&cells);
}

void report_face(const struct xcs_summary *s, struct xcs_doc *doc)
{
	struct xcs_section *face = xcs_doc_section(doc, "face", "");
	size_t n_counted = 0;

	face_status(s, face);
	face_renice(&s->run.probe, face);
	face_boost(s, face);
	face_placement(s, face);
	report_face_profile(s, face);
	if (report_is_relative(s))
		xcs_doc_paragraph(face, "Mode: relative. The server kept its nice level and the "
		                        "load took the opposite one, so rows are labelled "
		                        "\"relative\": the nice of the server that they stand for. "
		                        "Do not compare them with rows of mode absolute.");
	for (size_t i = 0; i < s->run.n_cells; i++)
		n_counted += s->cells[i].n_counted;
	if (!n_counted)
		xcs_doc_paragraph(face, "No trial was measured to its end: every figure is n/a.");
	if (s->run.plan.quick)
		xcs_doc_item(face, "Quick run: few and short trials, to look at and not to "
		                   "conclude from.");
	if (s->n_unreadable)
		xcs_doc_item(face,
		             "%zu of %zu trials have no readable samples and are left out; "
		             "see Trials.",
		             s->n_unreadable, s->run.n_trials);
	for (size_t i = 0; i < s->run.n_notes; i++)
		xcs_doc_item(face, "%s", s->run.notes[i]);
	face_strangers(s, face);
}

static void fact_of(const struct xcs_summary *s, struct xcs_section *into, const char *id,
                    const char *label, const char *key)
{
	xcs_doc_fact(into, id, label, known(s, key));
}

/* Takes over the value. */
static void fact_owned(struct xcs_section *into, const char *id, const char *label, char *value)
{
	xcs_doc_fact(into, id, label, value);
	free(value);
}

static char *date_dup(int64_t wall_ns)
{
	time_t t = (time_t)(wall_ns / XCS_NS_PER_S);
	struct tm tm;
	char text[64];

	if (wall_ns <= 0 || !gmtime_r(&t, &tm) ||
	    !strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm))
		return NULL;
	return xcs_xstrdup(text);
}

/* "8123456 kB" as the kernel has it, in GiB. */
static struct xcs_num memory_gib(const char *text)
{
	struct xcs_str rest = xcs_str(text), word;
	uint64_t kib;

	if (!xcs_str_next_word(&rest, &word) || xcs_str_u64(word, &kib) ||
	    !xcs_str_is(xcs_str_trim(rest), "kB"))
		return (struct xcs_num){0};
	return xcs_num_of((double)kib / (1024.0 * 1024.0));
}

static struct xcs_num base_slice_ms(const char *text)
{
	uint64_t ns;

	if (!text || xcs_str_u64(xcs_str(text), &ns))
		return (struct xcs_num){0};
	return xcs_num_of((double)ns / 1e6);
}

static void machine_facts(const struct xcs_summary *s, struct xcs_section *c)
{
	const char *version = known(s, "kernel.version");

	fact_owned(c, "kernel", "Kernel",
	           known(s, "kernel.release")
	                   ? xcs_xasprintf("%s%s%s", known(s, "kernel.release"), version ? " " : "",
	                                   version ? version : "")
	                   : NULL);
	fact_of(s, c, "distribution", "Distribution", "distribution");
	fact_of(s, c, "cpu", "CPU", "cpu.model");
	fact_of(s, c, "cpus_online", "CPUs online", "cpu.online");
	xcs_doc_fact_num(c, "memory_gib", "Memory", memory_gib(known(s, "memory.total")), 1, "GiB");
	fact_of(s, c, "virtual", "Virtual machine", "machine.virtual");
	fact_of(s, c, "governor", "CPU governor", "cpu.governor");
}

static void scheduler_facts(const struct xcs_summary *s, struct xcs_section *c)
{
	fact_of(s, c, "hz", "HZ", "kernel.hz");
	fact_of(s, c, "preempt", "Preemption", "sched.preempt");
	xcs_doc_fact_num(c, "base_slice_ms", "Base slice",
	                 base_slice_ms(known(s, "sched.base_slice_ns")), 3, "ms");
	fact_of(s, c, "sched_ext", "sched_ext", "sched.ext");
	fact_of(s, c, "autogroup", "Autogroup enabled", "sched.autogroup");
	xcs_doc_fact(c, "autogroup_mode", "Autogroup mode", s->run.plan.autogroup_mode);
}

static void server_facts(const struct xcs_summary *s, struct xcs_section *c)
{
	const char *kind = s->run.plan.server_kind;
	const char *width = known(s, "server.width_px"), *height = known(s, "server.height_px");

	fact_owned(c, "server", "X server",
	           kind ? xcs_xasprintf("%s (%s), %s, release %s", kind,
	                                or_na(known(s, "server.comm")),
	                                or_na(known(s, "server.vendor")),
	                                or_na(known(s, "server.release")))
	                : NULL);
	fact_owned(c, "screen", "Screen",
	           width && height ? xcs_xasprintf("%sx%s, depth %s", width, height,
	                                           or_na(known(s, "server.depth")))
	                           : NULL);
	fact_of(s, c, "mesa", "Mesa", "mesa.version");
	fact_of(s, c, "xterm", "xterm", "xterm.version");
	fact_of(s, c, "font", "Font of terminals", "terminal.font");
}

/* "sudo (X server to nice -20, other processes to 0)"; NULL when nobody looked for a right. */
static char *right_dup(const struct xcs_summary *s)
{
	const char *name = known(s, "rights.backend");

	if (!name || strcmp(name, "none") == 0)
		return name ? xcs_xstrdup(name) : NULL;
	return xcs_xasprintf("%s (X server to nice %s, other processes to %s)", name,
	                     or_na(known(s, "rights.server_nice")),
	                     or_na(known(s, "rights.lowest_nice")));
}

void report_conditions(const struct xcs_summary *s, struct xcs_doc *doc)
{
	struct xcs_section *c = xcs_doc_section(doc, "conditions", "Machine and conditions");
	const struct xcs_run_plan *p = &s->run.plan;

	c->is_aside = true;
	machine_facts(s, c);
	scheduler_facts(s, c);
	server_facts(s, c);
	fact_owned(c, "load_cpus", "CPUs of the load",
	           p->load_cpus ? xcs_xasprintf("%s%s", p->load_cpus,
	                                        p->one_cpu ? " (server, clients and feeders on one)"
	                                                   : "")
	                        : NULL);
	xcs_doc_fact(c, "observer_cpus", "CPUs of observer", p->observer_cpus);
	xcs_doc_fact(c, "mode", "Mode", p->mode);
	if (known(s, "compositor.comm"))
		fact_owned(c, "compositor", "Compositor",
		           xcs_xasprintf("%s (pid %s)", known(s, "compositor.comm"),
		                         or_na(known(s, "compositor.pid"))));
	fact_of(s, c, "measured_as", "Measured as", "runner.user");
	fact_owned(c, "right", "Right to renice", right_dup(s));
	fact_owned(c, "measured_at", "Measured at", date_dup(s->run.created_wall_ns));
	fact_owned(c, "run", "Run",
	           xcs_xasprintf("%s, xcsbench %s", s->run.id, or_na(s->run.tool_version)));
	xcs_doc_fact(c, "status", "Status",
	             s->run.status == XCS_RUN_COMPLETE ? "complete"
	             : s->run.status == XCS_RUN_VOID   ? "VOID"
	                                               : "PARTIAL");
}

/* Where the scheduler put whom: read of the processes themselves, else of the probe's stand-ins. */
static void group_facts(const struct xcs_summary *s, struct xcs_section *r)
{
	const struct xcs_run_probe *p = &s->run.probe;
	const struct {
		const char *id, *label, *key, *probed;
	} rows[] = {
	        {"server_autogroup", "Server autogroup", "server.autogroup",  p->server_autogroup},
	        {"client_autogroup", "Client autogroup", "client0.autogroup", p->load_autogroup  },
	        {"feeder_autogroup", "Feeder autogroup", "feeder0.autogroup", NULL               },
	        {"server_cgroup",    "Server cgroup",    "server.cgroup",     p->server_cgroup   },
	        {"client_cgroup",    "Client cgroup",    "client0.cgroup",    p->load_cgroup     },
	        {"feeder_cgroup",    "Feeder cgroup",    "feeder0.cgroup",    NULL               },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *found = known(s, rows[i].key);
		xcs_doc_fact(r, rows[i].id, rows[i].label, found ? found : rows[i].probed);
	}
}

void report_renice(const struct xcs_summary *s, struct xcs_doc *doc)
{
	const struct xcs_run_probe *p = &s->run.probe;
	struct xcs_section *r =
	        xcs_doc_section(doc, "renice", "Nice-efficacy probe, and who is in which group");
	struct xcs_num favoured = {0}, other = {0};

	if (p->favoured_exec_ns > 0 && p->other_exec_ns > 0) {
		favoured = xcs_num_of((double)p->favoured_exec_ns);
		other = xcs_num_of((double)p->other_exec_ns);
	}
	r->is_aside = true;
	xcs_doc_fact(r, "verdict", "Verdict", p->verdict);
	xcs_doc_fact_num(r, "ratio", "CPU, nice 0 : 10", xcs_num_ratio(favoured, other), 2,
	                 ": 1, of two spinners placed as the server and as a load");
	xcs_doc_fact_num(r, "expected_ratio", "Expected", p->expected_ratio, 2, ": 1");
	fact_of(s, r, "inherited_nice", "Inherited nice", "runner.nice");
	group_facts(s, r);
}

static const struct xcs_column load_columns[] = {
        {.id = "load", .heading = "load", .unit = "",          .is_key = true},
        {.id = "kind",            .heading = "client",                  .unit = ""      },
        {.id = "clients",            .heading = "clients",               .unit = ""},
        {.id = "columns",            .heading = "columns",               .unit = ""      },
        {.id = "rows",            .heading = "rows",                  .unit = ""  },
        {.id = "scroll",            .heading = "scroll",                .unit = ""  },
        {.id = "feeder",            .heading = "feeder",                .unit = ""  },
        {.id = "line_bytes",            .heading = "line",            .unit = "B"},
        {.id = "client_nice",            .heading = "nice",           .unit = "" },
        {.id = "lines_per_s",            .heading = "paced",           .unit = "1/s"}, /* if any */
};

static bool has_pace(const struct xcs_run *run)
{
	for (size_t i = 0; i < run->n_loads; i++)
		if (run->loads[i].lines_per_s)
			return true;
	return false;
}

static void load_settings(const struct xcs_run_load *load, struct xcs_section *section)
{
	struct xcs_buf all = {0};

	for (size_t i = 0; i < load->n_settings; i++)
		xcs_buf_printf(&all, "%s%s", i ? "; " : "", load->settings[i]);
	if (all.n)
		xcs_doc_item(section, "%s: %s", load->id, all.p);
	xcs_buf_fini(&all);
}

void report_loads(const struct xcs_summary *s, struct xcs_doc *doc)
{
	struct xcs_section *section = xcs_doc_section(doc, "loads", "Loads");

	if (!s->run.n_loads)
		return;
	struct xcs_doc_table *t = xcs_doc_table(section, "loads", load_columns,
	                                        ARRAY_LEN(load_columns) - !has_pace(&s->run));
	for (size_t i = 0; i < s->run.n_loads; i++) {
		const struct xcs_run_load *load = &s->run.loads[i];
		struct xcs_cell *row = xcs_doc_row(t);
		xcs_cell_set_text(&row[0], load->id);
		xcs_cell_set_text(&row[1], load->kind);
		xcs_cell_set_num(&row[2], xcs_num_of(load->n_clients));
		xcs_cell_set_num(&row[3], xcs_num_of(load->columns));
		xcs_cell_set_num(&row[4], xcs_num_of(load->rows));
		xcs_cell_set_text(&row[5], load->scroll);
		xcs_cell_set_text(&row[6], load->feeder);
		if (load->line_bytes > 0)
			xcs_cell_set_num(&row[7], xcs_num_of(load->line_bytes));
		if (load->client_nices)
			xcs_cell_set_text(&row[8], load->client_nices);
		else
			xcs_cell_set_num(&row[8], xcs_num_of(load->client_nice));
		if (load->lines_per_s)
			xcs_cell_set_num(&row[9], xcs_num_of(load->lines_per_s));
	}
}

void report_settings(const struct xcs_summary *s, struct xcs_doc *doc)
{
	struct xcs_section *section =
	        xcs_doc_section(doc, "settings", "Pinned on the clients' command lines");

	section->is_aside = true;
	for (size_t i = 0; i < s->run.n_loads; i++)
		load_settings(&s->run.loads[i], section);
}
