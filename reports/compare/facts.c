/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "facts.h"

#include <common/alloc.h>
#include <common/buf.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_TOLERANCE 0.03

/* Of the machine and the server. All else in the record is shown where it differs. */
static const char *const hard_keys[] = {
        "machine.vendor",  "machine.product",  "machine.arch", "machine.virtual", "cpu.model",
        "cpu.online",      "cpu.smt",          "cpu.topology", "cpu.core_types",  "numa.nodes",
        "server.width_px", "server.height_px", "server.depth", "server.xwayland", "memory.total",
        "sched.ext",       "sched.ext_ops",
};

/* Of a moment, of one process, or said elsewhere: differences in these say nothing. */
static const char *const passing_keys[] = {
        "kernel.boot_id",   "load.average",      "server.pid",           "server.crtc",
        "server.how",       "session.authority", "server.kind",          "cpu.steal_pct",
        "memory.swap_used", "thermal.throttles", "sched.ext_enable_seq", "runner.autogroup",
        "sched.class",      "disk.free_bytes",   "disk.folder",          "rights.server",
};

static const char *const kernel_keys[] = {"kernel.release", "kernel.version", "kernel.build_id"};

static bool is_among(const char *key, const char *const *keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(keys[i], key) == 0)
			return true;
	return false;
}

bool fact_is_kernel(const char *key)
{
	return is_among(key, kernel_keys, ARRAY_LEN(kernel_keys));
}

static bool ends_in(const char *key, const char *end)
{
	size_t n = strlen(key), n_end = strlen(end);

	return n >= n_end && strcmp(key + n - n_end, end) == 0;
}

static bool is_passing(const char *key)
{
	bool switch_of_all =
	        strcmp(key, "sched.autogroup") == 0 || strcmp(key, "kernel.autogroup") == 0;

	return is_among(key, passing_keys, ARRAY_LEN(passing_keys)) ||
	       strncmp(key, "pressure.", 9) == 0 || ends_in(key, ".cgroup") ||
	       (strncmp(key, "sched.ext", 9) == 0 && ends_in(key, "_after")) ||
	       (ends_in(key, ".autogroup") && !switch_of_all);
}

static bool is_session_key(const char *key)
{
	return strcmp(key, "session.type") == 0 || strcmp(key, "session.desktop") == 0;
}

bool fact_same_value(const char *key, const char *a, const char *b)
{
	if (strcmp(key, "memory.total") == 0) {
		double x = strtod(a, NULL), y = strtod(b, NULL);
		return fabs(x - y) <= MEMORY_TOLERANCE * fmax(x, y);
	}
	return strcmp(a, b) == 0;
}

static struct xcs_known_fact *fact_of(struct xcs_campaign_group *g, const char *key, bool is_hard)
{
	for (size_t i = 0; i < g->n_facts; i++)
		if (strcmp(g->facts[i].key, key) == 0)
			return &g->facts[i];
	g->facts = xcs_xgrow(g->facts, g->n_facts, &g->cap_facts, sizeof(*g->facts));
	struct xcs_known_fact *f = &g->facts[g->n_facts++];
	*f = (struct xcs_known_fact){.key = xcs_xstrdup(key), .is_hard = is_hard};
	return f;
}

static void learn(struct xcs_campaign_group *g, const char *key, const char *value, bool is_hard)
{
	if (!value)
		return;
	struct xcs_known_fact *f = fact_of(g, key, is_hard);
	for (size_t i = 0; i < f->n_values; i++)
		if (fact_same_value(key, f->values[i], value))
			return;
	if (f->n_values < ARRAY_LEN(f->values))
		f->values[f->n_values++] = xcs_xstrdup(value);
}

/* Takes over the value. */
static void learn_hard(struct xcs_campaign_group *g, const char *key, char *value)
{
	learn(g, key, value, true);
	free(value);
}

static void gather_facts(struct xcs_campaign_group *g, const struct xcs_facts *facts,
                         bool in_session)
{
	for (size_t i = 0; i < facts->n; i++) {
		const char *key = facts->v[i].key;
		bool is_hard = is_among(key, hard_keys, ARRAY_LEN(hard_keys)) ||
		               (is_session_key(key) && in_session);
		if (!is_passing(key) && (in_session || !is_session_key(key)))
			learn(g, key, facts->v[i].value, is_hard);
	}
}

/* 0.x versions may measure otherwise with each x; from 1.0 on the first number counts. */
static char *abi_dup(const char *version)
{
	const char *dot = version ? strchr(version, '.') : NULL;

	if (!dot)
		return version ? xcs_xstrdup(version) : NULL;
	int n = version[0] == '0' ? (int)(dot + 1 - version + (ptrdiff_t)strcspn(dot + 1, ".-+"))
	                          : (int)(dot - version);
	return xcs_xasprintf("%.*s", n, version);
}

static const char *or_none(const char *s)
{
	return s ? s : "-";
}

static char *load_dup(const struct xcs_run_load *l)
{
	struct xcs_buf b = {0};

	xcs_buf_printf(&b, "%s, feeder %s, scroll %s, %d clients of %dx%d at nice %d (%s)", l->kind,
	               or_none(l->feeder), or_none(l->scroll), l->n_clients, l->columns, l->rows,
	               l->client_nice, or_none(l->client_nices));
	xcs_buf_printf(&b, ", line %d B, %d lines/s, timer %s, command %s, count %d, size %s",
	               l->line_bytes, l->lines_per_s, or_none(l->timer),
	               or_none(l->label ? l->label : l->command), l->count, or_none(l->size));
	xcs_buf_printf(&b, ", terminal %s, %d jobs, %d keys/s;", or_none(l->terminal),
	               l->n_compile_jobs, l->keys_per_s);
	for (size_t i = 0; i < l->n_settings; i++)
		xcs_buf_printf(&b, " %s", l->settings[i]);
	return xcs_buf_take(&b);
}

static void gather_loads(struct xcs_campaign_group *g, const struct xcs_run *run)
{
	struct xcs_buf cells = {0}, ids = {0};

	for (size_t i = 0; i < run->n_loads; i++) {
		char *key = xcs_xasprintf("load %s", run->loads[i].id);
		learn_hard(g, key, load_dup(&run->loads[i]));
		free(key);
		xcs_buf_printf(&ids, "%s%s", i ? ", " : "", run->loads[i].id);
	}
	for (size_t i = 0; i < run->n_cells; i++) {
		const struct xcs_run_cell *c = &run->cells[i];
		xcs_buf_printf(&cells, "%s%s %d/%d+%d", i ? ", " : "", run->loads[c->load].id,
		               c->x_nice, c->load_nice, c->n_hogs);
	}
	learn_hard(g, "plan.loads", xcs_buf_take(&ids));
	learn_hard(g, "plan.cells", xcs_buf_take(&cells));
}

static void gather_plan(struct xcs_campaign_group *g, const struct xcs_run *run)
{
	const struct xcs_run_plan *p = &run->plan;

	learn(g, "plan.scenario", p->scenario, true);
	learn(g, "plan.mode", p->mode, true);
	learn(g, "plan.autogroup_mode", p->autogroup_mode, true);
	learn(g, "plan.server_kind", p->server_kind, true);
	/* Earlier versions knew only these. */
	learn(g, "plan.boost", p->boost ? p->boost : "server", true);
	learn(g, "plan.placement", p->placement ? p->placement : "as-found", true);
	learn(g, "plan.profile", p->profile ? p->profile : "as-is", true);
	learn(g, "plan.load_cpus", p->load_cpus, true);
	learn(g, "plan.one_cpu", p->one_cpu ? "yes" : "no", true);
	learn(g, "plan.quick", p->quick ? "yes" : "no", true);
	learn_hard(g, "plan.window", xcs_xasprintf("%.6g s", (double)p->sample_ns / 1e9));
	learn_hard(g, "plan.period", xcs_xasprintf("%.6g s", (double)p->period_ns / 1e9));
	learn(g, "plan.observer_cpus", p->observer_cpus, false);
	char *repetitions = xcs_xasprintf("%d", p->n_repetitions);
	learn(g, "plan.repetitions", repetitions, false);
	free(repetitions);
}

void facts_gather(struct xcs_campaign_group *g, const struct xcs_run *run)
{
	const char *kind = run->plan.server_kind;
	bool in_session = kind && strcmp(kind, "session") == 0;

	gather_facts(g, &run->host, in_session);
	gather_facts(g, &run->environment, in_session);
	gather_plan(g, run);
	gather_loads(g, run);
	learn_hard(g, "measured with",
	           run->origin.tool ? xcs_xstrdup(run->origin.tool) : xcs_xstrdup("xcsbench"));
	learn_hard(g, "tool.abi", abi_dup(run->tool_version));
	learn(g, "renice", run->probe.verdict, true);
	if (run->tree.path)
		learn(g, "tree.filesystem", run->tree.filesystem, true);
}
