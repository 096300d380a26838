/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "embedded.h"
#include "profile.h"
#include "runner.h"
#include <load/hyperfine.h>
#include <load/terminal.h>
#include <scenario/scenario.h>
#include <trial/environment.h>

#include <guard/guard.h>
#include <probe/probe.h>

#include <common/alloc.h>
#include <common/rng.h>
#include <common/ulid.h>
#include <common/units.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Off the tick of any HZ, so that samples drift through its phase; long, so that the
 * observer's own switches vanish beside those of a quiet load. */
#define PERIOD_NS INT64_C(1000700000)

static const char *const autogroup_words[] = {"as-found", "off", "nice"};

static void replace(char **word, const char *with)
{
	free(*word);
	*word = xcs_xstrdup(with);
}

static void apply_to_load(const struct run_options *o, struct xcs_run_load *load)
{
	if (o->n_clients && !hyperfine_is(load))
		load->n_clients = o->n_clients;
	if (o->columns)
		load->columns = o->columns;
	if (o->line_bytes && !load->command)
		load->line_bytes = o->line_bytes;
	if (o->rows)
		load->rows = o->rows;
	if (o->client_nice.n)
		scenario_set_client_nice(load, &o->client_nice);
	if (o->scroll)
		replace(&load->scroll, scenario_scrolls[o->scroll - 1]);
	if (o->feeder && !load->command)
		replace(&load->feeder, scenario_feeders[o->feeder - 1]);
	if (o->quick && load->n_runs) {
		load->n_runs = (load->n_runs + 1) / 2;
		load->n_warmups = 0;
	}
	if (strcmp(load->feeder, "yes") == 0)
		load->line_bytes = 2; /* "y" and its newline */
}

static bool is_wanted(const struct run_options *o, const char *id)
{
	for (size_t i = 0; i < o->loads.n; i++)
		if (strcmp(o->loads.v[i], id) == 0)
			return true;
	return o->loads.n == 0;
}

static void load_free(struct xcs_run_load *load)
{
	char *const owned[] = {load->id,    load->kind,    load->feeder,   load->scroll,
	                       load->timer, load->size,    load->pipe_of,  load->startup_of,
	                       load->label, load->command, load->terminal, load->client_nices};

	for (size_t i = 0; i < ARRAY_LEN(owned); i++)
		free(owned[i]);
}

/* Keeps the loads that --load names; one that the scenario does not have is an error. */
static int select_loads(const struct run_options *o, struct xcs_run *run, struct xcs_err *err)
{
	for (size_t i = 0; i < o->loads.n; i++) {
		size_t at = 0;
		while (at < run->n_loads && strcmp(run->loads[at].id, o->loads.v[i]))
			at++;
		if (at == run->n_loads)
			return xcs_err_set(err, -EINVAL,
			                   "--load: scenario %s has no load '%s'; its first is "
			                   "'%s'",
			                   run->plan.scenario, o->loads.v[i], run->loads[0].id);
	}
	size_t n = 0;
	for (size_t i = 0; i < run->n_loads; i++) {
		if (is_wanted(o, run->loads[i].id))
			run->loads[n++] = run->loads[i];
		else
			load_free(&run->loads[i]);
	}
	run->n_loads = n;
	return 0;
}

/* What the user says of the files and the time of commands. */
static int apply_tree_options(struct runner *r, struct xcs_err *err)
{
	const struct run_options *o = r->options;
	struct tree_spec *tree = &r->scenario.tree;

	if (o->deadline_ns)
		r->scenario.deadline_ns = o->deadline_ns;
	if (tree->kind == TREE_NONE && (o->n_tree_entries || o->tree_dir || o->cache_tree))
		return xcs_err_set(
		        err, -EINVAL,
		        "--tree-entries, --tree-dir and --cache-tree: scenario %s has no "
		        "tree of files",
		        r->run.plan.scenario);
	if (o->n_tree_entries)
		tree->n_entries = o->n_tree_entries;
	else if (o->quick && tree->kind == TREE_NESTED && tree->n_entries >= 20)
		tree->n_entries /= 10;
	if (o->tree_dir && o->cache_tree)
		return xcs_err_set(err, -EINVAL,
		                   "give --tree-dir, for the time of the run, or --cache-tree, not "
		                   "both");
	r->tree_dir = o->tree_dir ? realpath(o->tree_dir, NULL) : NULL;
	return o->tree_dir && !r->tree_dir
	               ? xcs_err_sys(err, -errno, "--tree-dir: cannot use %s", o->tree_dir)
	               : 0;
}

static int apply_options(struct runner *r, struct xcs_err *err)
{
	const struct run_options *o = r->options;
	struct xcs_run_plan *plan = &r->run.plan;
	int rc = select_loads(o, &r->run, err);

	if (rc == 0)
		rc = apply_tree_options(r, err);

	for (size_t i = 0; rc == 0 && i < r->run.n_loads; i++) {
		apply_to_load(o, &r->run.loads[i]);
		if (o->terminal)
			rc = terminal_apply(&r->run.loads[i], o->terminal, err);
		load_describe(&r->run.loads[i]);
	}
	if (o->x_nice.n)
		r->scenario.x_nice = o->x_nice;
	if (o->hogs.n)
		r->scenario.hogs = o->hogs;
	if (o->n_repetitions)
		plan->n_repetitions = o->n_repetitions;
	else if (o->quick)
		plan->n_repetitions = 1;
	if (o->sample_ns)
		plan->sample_ns = o->sample_ns;
	if (o->settle_ns)
		plan->settle_deadline_ns = o->settle_ns;
	if (rc == 0 && plan->sample_ns < 5 * XCS_NS_PER_S)
		rc = xcs_err_set(err, -EINVAL,
		                 "--sample: a window under 5s is too short, since us and sy are "
		                 "tick samples");
	plan->seed = o->seed ? o->seed : xcs_rng_new_seed();
	plan->period_ns = PERIOD_NS;
	plan->quick = o->quick;
	plan->one_cpu = o->one_cpu;
	plan->autogroup_mode = xcs_xstrdup(autogroup_words[o->autogroup]);
	return rc;
}

/* The load's CPUs, and for the observer those that are left, or all if none is. */
static int choose_cpus(struct runner *r, struct xcs_err *err)
{
	struct xcs_cpuset allowed;
	int rc = xcs_cpuset_allowed(&allowed, err);

	if (rc)
		return rc;
	r->load_cpus = xcs_cpuset_count(&r->options->cpus) ? r->options->cpus : allowed;
	struct xcs_cpuset missing = xcs_cpuset_minus(&r->load_cpus, &allowed);
	if (xcs_cpuset_count(&missing)) {
		char *have = xcs_cpuset_format_dup(&allowed);
		rc = xcs_err_set(err, -EINVAL, "--cpus: this process may use only CPUs %s", have);
		free(have);
		return rc;
	}
	if (r->options->one_cpu) {
		int cpu = xcs_cpuset_last(&r->load_cpus);
		CPU_ZERO(&r->load_cpus.mask);
		CPU_SET((size_t)cpu, &r->load_cpus.mask);
	}
	r->observer_cpus = xcs_cpuset_minus(&allowed, &r->load_cpus);
	if (xcs_cpuset_count(&r->observer_cpus) == 0)
		r->observer_cpus = allowed;
	r->run.plan.load_cpus = xcs_cpuset_format_dup(&r->load_cpus);
	r->run.plan.observer_cpus = xcs_cpuset_format_dup(&r->observer_cpus);
	return 0;
}

/* A scenario says how many compilers each CPU of the load is to have. */
static void multiply_jobs(struct runner *r)
{
	for (size_t i = 0; i < r->run.n_loads; i++)
		r->run.loads[i].n_compile_jobs *= xcs_cpuset_count(&r->load_cpus);
}

/* The lowest nice value that the server must come to, which is 0 at the end at least. */
static int lowest(const struct xcs_ints *list)
{
	int min = 0;

	for (size_t i = 0; i < list->n; i++)
		min = list->v[i] < min ? list->v[i] : min;
	return min;
}

static bool wants_negative_clients(const struct xcs_run *run)
{
	for (size_t l = 0; l < run->n_loads; l++)
		for (int i = 0; i < run->loads[l].n_clients; i++)
			if (scenario_client_nice(&run->loads[l], i) < 0)
				return true;
	return false;
}

/* Autogroups are switched, and their levels lowered, by root; a user may raise those of a
 * load. What hyperfine starts is in a new session, and so autogroup, for each timing. */
static int check_autogroup(const struct runner *r, struct xcs_err *err)
{
	const struct run_options *o = r->options;
	char *own = probe_autogroup_dup(&r->env, getpid());
	bool has_groups = own;

	free(own);
	if (o->autogroup == AUTOGROUP_AS_FOUND)
		return 0;
	if (!has_groups)
		return xcs_err_set(
		        err, -ENOTSUP,
		        "this kernel has no autogroups (there is no /proc/self/autogroup); "
		        "leave out --autogroup=%s",
		        autogroup_words[o->autogroup]);
	if (geteuid() != 0 && (o->autogroup == AUTOGROUP_OFF || o->mode == MODE_ABSOLUTE))
		return xcs_err_set(err, -EPERM,
		                   "--autogroup=%s%s needs root; run with sudo, or take "
		                   "--autogroup=nice with --mode=relative",
		                   autogroup_words[o->autogroup],
		                   o->mode == MODE_ABSOLUTE ? " with --mode=absolute" : "");
	if (o->autogroup != AUTOGROUP_NICE || (geteuid() == 0 && o->mode != MODE_RELATIVE))
		return 0;
	for (size_t i = 0; i < r->run.n_loads; i++)
		if (hyperfine_is(&r->run.loads[i]))
			return xcs_err_set(
			        err, -EINVAL,
			        "load '%s' is timed by hyperfine, which starts a terminal and so "
			        "an "
			        "autogroup for each timing, where --autogroup=nice cannot give it "
			        "a "
			        "level; leave the load out with --load, or run with sudo and "
			        "--autogroup=off",
			        r->run.loads[i].id);
	return 0;
}

static bool has_own_server(const struct run_options *o)
{
	struct xserver_spec spec;
	enum xserver_kind kind;
	struct xcs_err ignored; /* preflight says it */

	return embedded_choose(o, &spec, &kind, &ignored) == 0 && kind != XSERVER_SESSION;
}

/* wanted_nice: of the right that is looked for. */
static int choose_mode(struct runner *r, int wanted_nice, struct xcs_err *err)
{
	const struct run_options *o = r->options;
	const int min_nice = lowest(&r->scenario.x_nice);
	bool one_level = r->scenario.x_nice.n == 1 && r->scenario.x_nice.v[0] == 0;

	r->right = guard_right_find(wanted_nice, has_own_server(o));
	bool may_move_server = r->right.name && r->right.lowest_nice <= min_nice;
	r->may_renice = may_move_server && !r->right.servers_only;
	if (o->mode == MODE_ABSOLUTE && !may_move_server)
		return xcs_err_set(err, -EPERM,
		                   "no right to renice the X server to %d and back: that takes "
		                   "CAP_SYS_NICE or RLIMIT_NICE of at least %d; run with sudo, see "
		                   "RIGHTS in xcsbench-run(1), or take --mode=relative",
		                   min_nice, 20 - min_nice);
	if (!r->may_renice && getpriority(PRIO_PROCESS, 0) != 0)
		return xcs_err_set(err, -EPERM,
		                   "xcsbench was started at nice %d, which server and load would "
		                   "inherit, and has no right to go back to 0; start it at nice 0, "
		                   "or with sudo",
		                   getpriority(PRIO_PROCESS, 0));
	if (!r->may_renice && wants_negative_clients(&r->run))
		return xcs_err_set(err, -EPERM,
		                   "no right to start clients at a nice level below 0; run with "
		                   "sudo, or raise RLIMIT_NICE");
	int rc = check_autogroup(r, err);
	if (rc)
		return rc;
	bool only_load = o->autogroup == AUTOGROUP_NICE && geteuid() != 0;
	bool relative = o->mode == MODE_RELATIVE || ((!may_move_server || only_load) && !one_level);
	r->run.plan.mode = xcs_xstrdup(relative ? "relative" : "absolute");
	if (relative && o->mode == MODE_AUTO)
		xcs_run_add_note(&r->run,
		                 "No rights to renice the X server: it stays at 0 and the load "
		                 "takes the opposite level (relative mode).");
	return 0;
}

static void note_foreign(struct runner *r)
{
	char note[128];

	if (r->options->max_foreign_pct <= 10)
		return;
	snprintf(note, sizeof(note),
	         "Trials in which others used up to %d %% of the load's CPUs were accepted.",
	         r->options->max_foreign_pct);
	xcs_run_add_note(&r->run, note);
}

static bool is_in_path(const char *program)
{
	char *path = terminal_path_dup(program);
	bool found = path;

	free(path);
	return found;
}

static bool needs_xterm(const struct xcs_run_load *load)
{
	return strcmp(load->kind, "xterm") == 0 || load->keys_per_s;
}

/* What can be known to fail before anything is started. */
static int preflight(const struct runner *r, struct xcs_err *err)
{
	struct xserver_spec ignored;
	enum xserver_kind kind;

	for (size_t i = 0; i < r->run.n_loads; i++)
		if (needs_xterm(&r->run.loads[i]) && !is_in_path("xterm"))
			return xcs_err_set(
			        err, -ENOENT,
			        "load '%s' needs xterm, which is not installed (package "
			        "xterm); take another terminal with --terminal, or leave "
			        "the load out with --load",
			        r->run.loads[i].id);
	return embedded_choose(r->options, &ignored, &kind, err);
}

/* Opens the world and makes the run's name. */
static int begin(struct runner *r, const struct run_options *options, struct xcs_err *err)
{
	*r = (struct runner){
	        .options = options, .env = {.proc_fd = -1, .sys_fd = -1}
        };
	r->run.created_wall_ns = xcs_wall_now_ns();
	xcs_ulid_make(r->run.created_wall_ns, r->run.id);
	r->run.tool_version = xcs_xstrdup(XCS_VERSION);
	r->run.plan.boost = xcs_xstrdup(options->boost == BOOST_CHAIN ? "chain" : "server");
	r->run.plan.placement = xcs_xstrdup(placement_word(options->placement));
	r->run.plan.profile =
	        xcs_xstrdup(options->profile == PROFILE_CONTROLLED ? "controlled" : "as-is");
	if (options->profile == PROFILE_CONTROLLED && geteuid() != 0)
		return xcs_err_set(err, -EPERM,
		                   "--profile=controlled sets the frequency governor, turbo and "
		                   "watchdogs, which takes root; run with sudo");
	int rc = xcs_env_open(&r->env, err);
	if (rc == 0)
		rc = xcs_user_find(&r->user, err);
	if (rc == 0)
		anonymous_init(&r->names, &r->user);
	return rc;
}

int runner_prepare_bare(struct runner *r, const struct run_options *options, struct xcs_err *err)
{
	int rc = begin(r, options, err);

	r->scenario.x_nice.n = 1; /* nice 0: renicing is for the probe alone */
	r->run.plan.autogroup_mode = xcs_xstrdup(autogroup_words[options->autogroup]);
	if (rc == 0)
		rc = choose_cpus(r, err);
	return rc ? rc : choose_mode(r, -20, err);
}

int runner_prepare(struct runner *r, const struct run_options *options, const char *scenario,
                   const char *command, struct xcs_err *err)
{
	int rc = begin(r, options, err);

	r->run.plan.command = xcs_xstrdup(command);
	if (rc == 0)
		rc = scenario_load(scenario, &r->run, &r->scenario, err);
	if (rc == 0)
		rc = apply_options(r, err);
	if (rc == 0)
		rc = choose_cpus(r, err);
	if (rc == 0)
		rc = choose_mode(r, lowest(&r->scenario.x_nice), err);
	if (rc == 0)
		rc = preflight(r, err);
	if (rc == 0)
		rc = runner_check_hyperfine(r, err);
	if (rc)
		return rc;
	multiply_jobs(r);
	note_foreign(r);
	plan_cells(&r->run, &r->scenario.x_nice, &r->scenario.hogs);
	if (r->run.n_cells == 0)
		return xcs_err_set(err, -EPERM,
		                   "no right to renice and no level left to measure in relative "
		                   "mode; run with sudo");
	plan_make(&r->plan, &r->run);
	return 0;
}

/* A guess, before anything ran: a command that hyperfine times may take any time. */
static int64_t load_step_ns(const struct runner *r, const struct xcs_run_load *load)
{
	const int64_t around_ns = 2 * XCS_NS_PER_S; /* start, settle and stop */
	bool scaled = load->size && strcmp(load->size, "scaled") == 0 && !load->pipe_of;

	if (!hyperfine_is(load))
		return r->run.plan.sample_ns + around_ns;
	return around_ns * 3 / 4 +
	       (scaled ? r->scenario.scaled_ns * (load->n_warmups + load->n_runs) : 0);
}

int64_t runner_step_ns(const struct runner *r)
{
	int64_t sum_ns = 0;

	for (size_t i = 0; i < r->plan.n; i++) {
		const struct xcs_run_cell *cell = &r->run.cells[r->plan.steps[i].cell];
		sum_ns += load_step_ns(r, &r->run.loads[cell->load]);
	}
	return r->plan.n ? sum_ns / (int64_t)r->plan.n : 0;
}

void runner_describe(const struct runner *r, struct xcs_buf *into)
{
	int64_t total_s = runner_step_ns(r) * (int64_t)r->plan.n / XCS_NS_PER_S;

	xcs_buf_printf(into,
	               "%s: %s\n%zu trials, about %lld min %lld s, seed %llu, CPUs %s, %s, boost "
	               "%s, placement %s\n",
	               r->run.plan.scenario, r->run.plan.title, r->plan.n,
	               (long long)(total_s / 60), (long long)(total_s % 60),
	               (unsigned long long)r->run.plan.seed, r->run.plan.load_cpus,
	               r->run.plan.mode, r->run.plan.boost, r->run.plan.placement);
	if (r->scenario.tree.kind != TREE_NONE)
		xcs_buf_printf(into, "%d files with names of %d bytes\n",
		               tree_total(&r->scenario.tree), r->scenario.tree.name_bytes);
	if (r->options->profile == PROFILE_CONTROLLED)
		profile_describe(&r->env, into);
	for (size_t i = 0; i < r->plan.n; i++) {
		const struct xcs_run_cell *cell = &r->run.cells[r->plan.steps[i].cell];
		xcs_buf_printf(into, "%3zu  block %d  %-16s X nice %+d", i + 1,
		               r->plan.steps[i].block, r->run.loads[cell->load].id, cell->x_nice);
		if (cell->n_hogs)
			xcs_buf_printf(into, "  %d hogs", cell->n_hogs);
		xcs_buf_puts(into,
		             r->plan.steps[i].kind == XCS_TRIAL_WARMUP ? "  warm-up\n" : "\n");
	}
}
