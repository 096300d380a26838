/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner.h"

#include "embedded.h"
#include "preflight.h"
#include "profile.h"
#include "resume.h"
#include "runner_files.h"
#include "runner_record.h"
#include "survey.h"
#include <guard/guard.h>
#include <load/terminal.h>
#include <load/windows.h>
#include <probe/probe.h>
#include <trial/environment.h>
#include <trial/look.h>

#include <common/alloc.h>
#include <common/file.h>
#include <common/units.h>

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	N_ATTEMPTS = 3,       /* of a trial that comes out void */
	N_FAILED_ATTEMPTS = 2 /* of a cell whose commands or terminals fail */
};

static int make_scratch_dir(struct runner *r, struct xcs_err *err)
{
	const char *tmp = getenv("TMPDIR");
	char *path = xcs_xasprintf("%s/xcsbench-XXXXXX", tmp && tmp[0] == '/' ? tmp : "/tmp");

	int rc = xcs_user_enter(&r->user, err);
	if (rc == 0) {
		rc = mkdtemp(path)
		             ? 0
		             : xcs_err_sys(err, -errno, "cannot make a scratch folder %s", path);
		xcs_user_leave(&r->user);
	}
	if (rc) {
		free(path);
		return rc;
	}
	r->scratch_dir = path;
	return guard_own_dir(r->guard, path, err);
}

static int start_guard(struct runner *r, struct xcs_err *err)
{
	const struct guard_spec spec = {.tree_parent = r->tree_dir};
	int rc = guard_start(&r->guard, &r->env, &spec, err);

	if (rc)
		return rc;
	watch_add(&r->watch, guard_fd(r->guard), WATCH_GUARD_ENDED);
	return make_scratch_dir(r, err);
}

/* Autogroups bind at fork and setsid, so the switch comes before server and loads. */
static int set_autogroup(struct runner *r, struct xcs_err *err)
{
	if (r->options->autogroup != AUTOGROUP_OFF)
		return 0;
	if (r->server.kind == XSERVER_SESSION)
		return xcs_err_set(err, -EINVAL,
		                   "--autogroup=off cannot move the server of a running session, "
		                   "which keeps its autogroup; take --autogroup=nice, or "
		                   "--server=embedded");
	return guard_set_autogroup_enabled(r->guard, false, err);
}

static int check_fit(struct runner *r, struct xcs_err *err)
{
	int width_px, height_px;

	windows_screen(&r->run, &width_px, &height_px);
	for (size_t i = 0; i < r->run.n_loads; i++) {
		const struct xcs_run_load *l = &r->run.loads[i];
		if (load_fits(l, width_px, height_px))
			continue;
		return xcs_err_set(err, -EINVAL,
		                   "%d windows of %dx%d characters do not fit a screen of %dx%d "
		                   "pixels side by side; take fewer or smaller ones, or a larger "
		                   "--screen",
		                   l->n_clients, l->columns, l->rows, width_px, height_px);
	}
	return 0;
}

static int start_server(struct runner *r, struct xcs_err *err)
{
	static const int zero = 0;
	struct xserver_spec spec = {.dir = r->scratch_dir,
	                            .user = &r->user,
	                            .cpus = &r->load_cpus,
	                            .nice = r->may_renice ? &zero : NULL,
	                            .env = &r->env,
	                            .guard = r->guard};
	int rc = embedded_choose(r->options, &spec, &r->server.kind, err);

	if (rc == 0)
		rc = set_autogroup(r, err);
	if (rc == 0 && r->options->profile == PROFILE_CONTROLLED)
		rc = profile_set(r->guard, &r->env, &r->run, err);
	if (rc == 0)
		rc = embedded_start(&r->server, &spec, r->options, &r->run, &r->watch, err);
	if (rc == 0)
		rc = xserver_identify(&r->server, &r->env, &r->run.environment, err);
	if (rc == 0 && r->options->profile == PROFILE_CONTROLLED)
		rc = profile_set_screen(r->guard, &r->env, &r->server, &r->run, err);
	if (rc == 0)
		rc = check_fit(r, err);
	if (rc)
		return rc;
	r->run.plan.server_kind = xcs_xstrdup(xserver_kind_name(r->server.kind));
	if (r->server.child.pid <= 0)
		return embedded_take_session(r, err);
	watch_add(&r->watch, r->server.child.pidfd, WATCH_SERVER_ENDED);
	return 0;
}

/* Spinners placed as the server and as a load tell whether nice rules between them. */
static int probe(struct runner *r, struct xcs_err *err)
{
	bool by_group = r->options->autogroup == AUTOGROUP_NICE;
	bool moves_load = strcmp(r->run.plan.mode, "relative") == 0 || geteuid() != 0;
	const struct probe_place server = {.new_session = true,
	                                   .by_autogroup = by_group,
	                                   .by_both = moves_load,
	                                   .like_pid = r->server.pid,
	                                   .user = &r->user};
	const struct probe_place load = {.new_session = true,
	                                 .by_autogroup = by_group,
	                                 .by_both = moves_load,
	                                 .launcher = r->placement.launcher,
	                                 .join_fds = r->placement.join_fds,
	                                 .n_join_fds = r->placement.n_join_fds,
	                                 .user = &r->user};

	return probe_nice(&r->env, &server, &load, xcs_cpuset_last(&r->load_cpus), &r->run.probe,
	                  err);
}

static bool renice_was_asked(const struct runner *r)
{
	for (size_t i = 0; i < r->run.n_cells; i++)
		if (r->run.cells[i].x_nice != 0)
			return true;
	return false;
}

static void add_boot(struct runner *r)
{
	const char *id = xcs_facts_get(&r->run.host, "kernel.boot_id");
	const char *kernel = xcs_facts_get(&r->run.host, "kernel.release");

	for (size_t i = 0; i < r->run.n_boots; i++)
		if (id && r->run.boots[i].boot_id && strcmp(id, r->run.boots[i].boot_id) == 0) {
			r->boot = (int)i;
			return;
		}
	r->boot = (int)r->run.n_boots++;
	r->run.boots = xcs_xrealloc(r->run.boots, r->run.n_boots * sizeof(*r->run.boots));
	r->run.boots[r->boot] =
	        (struct xcs_run_boot){.boot_id = id ? xcs_xstrdup(id) : NULL,
	                              .kernel = kernel ? xcs_xstrdup(kernel) : NULL};
}

int runner_settle_down(struct runner *r, struct xcs_err *err)
{
	int rc = watch_init(&r->watch, err);

	if (rc == 0 && sched_setaffinity(0, sizeof(r->observer_cpus.mask), &r->observer_cpus.mask))
		rc = xcs_err_sys(err, -errno, "cannot bind xcsbench to CPUs %s",
		                 r->run.plan.observer_cpus);
	environment_host(&r->env, &r->run.host);
	return rc;
}

int runner_survey(struct runner *r, struct xcs_err *err)
{
	int rc = start_guard(r, err);

	if (rc == 0)
		rc = start_server(r, err);
	/* After the autogroup switch: the facts are those that the trials run under. */
	environment_now(&r->env, &r->user, &r->run.host, &r->run.environment);
	environment_user(&r->user, &r->run.environment);
	survey_daemons(&r->run.environment); /* those that were not stopped */
	survey_rights(&r->env, r->guard, &r->right, r->server.pid, &r->run.environment);
	terminal_note(&r->run, &r->user);
	terminal_font(&r->run);
	if (rc == 0) {
		environment_place(&r->env, "server", r->server.pid, &r->run.environment);
		environment_mesa(&r->env, r->server.pid, &r->run.environment);
	}
	if (rc == 0 && r->server.compositor.pid)
		environment_place(&r->env, "compositor", r->server.compositor.pid,
		                  &r->run.environment);
	struct survey_ticks before = survey_ticks_now(&r->env);
	if (rc == 0)
		rc = placement_open(&r->placement, (enum placement_kind)r->options->placement,
		                    &r->env, &r->user, r->server.pid, err);
	if (rc == 0)
		rc = probe(r, err);
	survey_steal(&r->env, &before, &r->run.environment);
	return rc;
}

static int set_up(struct runner *r, struct xcs_err *err)
{
	int rc = runner_settle_down(r, err);

	add_boot(r);
	if (rc == 0 && !r->resume)
		rc = runner_begin_record(r, err);
	if (rc == 0)
		survey_machine(&r->env, r->resume ? r->resume->dir : r->run_dir,
		               &r->run.environment);
	if (rc == 0)
		rc = runner_survey(r, err);
	if (rc == 0 && r->resume)
		rc = resume_begin(r, err);
	if (rc == 0)
		rc = runner_make_files(r, err);
	if (rc == 0)
		preflight_note(&r->run);
	return rc ? rc : runner_save(r, err);
}

/* "xterm, X nice -10, 2 hogs"; the caller frees it. */
static char *cell_name_dup(const struct xcs_run *run, const struct xcs_run_cell *cell)
{
	struct xcs_buf name = {0};

	xcs_buf_printf(&name, "%s, X nice %+d", run->loads[cell->load].id, cell->x_nice);
	if (cell->n_hogs)
		xcs_buf_printf(&name, ", %d hog%s", cell->n_hogs, cell->n_hogs > 1 ? "s" : "");
	return xcs_buf_take(&name);
}

static void say_step(struct runner *r, const struct plan_step *step, int attempt)
{
	const struct xcs_run_cell *cell = &r->run.cells[step->cell];
	char *cell_name = cell_name_dup(&r->run, cell);
	char *what = xcs_xasprintf("%s%s%s", cell_name,
	                           step->kind == XCS_TRIAL_WARMUP ? ", warm-up" : "",
	                           attempt ? ", again" : "");

	free(cell_name);

	progress_step(&r->progress, what);
	free(what);
}

/* Trials of that cell that failed since one of them was valid. */
static int n_failed(const struct xcs_run *run, int cell)
{
	int n = 0;

	for (size_t i = 0; i < run->n_trials; i++) {
		const struct xcs_run_trial *t = &run->trials[i];
		if (t->cell != cell)
			continue;
		n = t->status == XCS_TRIAL_OK ? 0 : n + (t->status == XCS_TRIAL_FAILED);
	}
	return n;
}

/* A load that fails each time would fail again, and may take its whole deadline for it. */
static bool has_failed(const struct runner *r, int cell)
{
	const struct xcs_run_load *load = &r->run.loads[r->run.cells[cell].load];

	return (load->timer || load->n_compile_jobs) &&
	       n_failed(&r->run, cell) >= N_FAILED_ATTEMPTS;
}

/* Does one trial and saves the record. */
static enum trial_end do_attempt(struct runner *r, const struct trial_place *place,
                                 const struct plan_step *step, int attempt, struct xcs_err *err)
{
	struct xcs_err save_err;

	say_step(r, step, attempt);
	enum trial_end end = trial_do(place, step, attempt, err);
	const struct xcs_run_trial *t = &r->run.trials[r->run.n_trials - 1];
	if (t->status != XCS_TRIAL_OK && runner_tell(r, "trial", t->reason, &save_err))
		*err = save_err, end = TRIAL_ERROR;
	if (runner_save(r, &save_err) && end != TRIAL_ERROR)
		*err = save_err, end = TRIAL_ERROR;
	return end;
}

/* Does one step of the plan and repeats it while it comes out void. */
static enum trial_end do_step(struct runner *r, const struct trial_place *place,
                              const struct plan_step *step, struct xcs_err *err)
{
	enum trial_end end = TRIAL_DONE;

	for (int attempt = 0; attempt < N_ATTEMPTS && end == TRIAL_DONE; attempt++) {
		if (has_failed(r, step->cell))
			break;
		end = do_attempt(r, place, step, attempt, err);
		const struct xcs_run_trial *t = &r->run.trials[r->run.n_trials - 1];
		if (t->status == XCS_TRIAL_OK || t->kind == XCS_TRIAL_WARMUP)
			break;
	}
	progress_done(&r->progress);
	return end == TRIAL_GIVEN_UP ? TRIAL_DONE : end;
}

/* What a calibration needs besides the runner, and how it ended. */
struct calibration {
	const struct trial_place *place;
	enum trial_end end;
	struct xcs_err *err;
};

static bool measure(struct runner *r, int cell, int attempt, void *data)
{
	struct calibration *c = data;
	const struct plan_step step = {.cell = cell, .kind = XCS_TRIAL_WARMUP};

	if (c->end != TRIAL_DONE || has_failed(r, cell))
		return false;
	c->end = do_attempt(r, c->place, &step, attempt, c->err);
	return c->end == TRIAL_DONE && r->run.trials[r->run.n_trials - 1].status == XCS_TRIAL_OK;
}

static enum trial_end do_trials(struct runner *r, struct xcs_err *err)
{
	struct trial_place place = {.env = &r->env,
	                            .run = &r->run,
	                            .boot = r->boot,
	                            .run_dir = r->run_dir,
	                            .scratch_dir = r->scratch_dir,
	                            .user = &r->user,
	                            .server = &r->server,
	                            .guard = r->guard,
	                            .watch = &r->watch,
	                            .placement = &r->placement,
	                            .load_cpus = &r->load_cpus,
	                            .observer_cpus = &r->observer_cpus,
	                            .n_lines = r->n_lines,
	                            .why_not = r->why_not,
	                            .deadline_ns = r->scenario.deadline_ns,
	                            .max_foreign_pct = r->options->max_foreign_pct,
	                            .may_renice = r->may_renice,
	                            .first_look = r->run.n_looks};
	struct calibration c = {&place, TRIAL_DONE, err};

	progress_init(&r->progress, r->options->quiet, r->plan.n, runner_step_ns(r));
	if (!r->resume || !resume_set_counts(r))
		runner_calibrate(r, measure, &c);
	enum trial_end end = c.end;
	for (size_t i = 0; i < r->plan.n && end == TRIAL_DONE; i++) {
		place.look_start = i == 0;
		place.look_middle = i > 0 && i == r->plan.n / 2 && i + 1 < r->plan.n;
		place.look_end = i + 1 == r->plan.n;
		end = do_step(r, &place, &r->plan.steps[i], err);
	}
	look_note(&r->run, place.first_look);
	progress_end(&r->progress);
	return end;
}

static enum xcs_exit stop_early(struct runner *r, enum xcs_exit status, const char *reason)
{
	struct xcs_err ignored; /* the reason is told anyway; the last save still stands */

	r->run.status = XCS_RUN_PARTIAL;
	free(r->run.status_reason);
	r->run.status_reason = xcs_xstrdup(reason);
	if (r->run_dir && r->run.n_trials == 0)
		runner_remove_record(r);
	if (r->run_dir) {
		runner_give_back_reserve(r);
		(void)!runner_tell(r, "stopped", reason, &ignored);
		(void)!runner_save(r, &ignored);
	}
	return status;
}

/* A cell without a valid trial; -1: there is none. */
static int empty_cell(const struct xcs_run *run)
{
	for (size_t c = 0; c < run->n_cells; c++) {
		bool found = false;
		for (size_t i = 0; i < run->n_trials; i++)
			found = found || (run->trials[i].cell == (int)c &&
			                  run->trials[i].kind == XCS_TRIAL_MEASURED &&
			                  run->trials[i].status == XCS_TRIAL_OK);
		if (!found)
			return (int)c;
	}
	return -1;
}

/* Why the last trial of a cell was not valid; NULL: it was never done. */
static const char *last_reason(const struct xcs_run *run, int cell)
{
	for (size_t i = run->n_trials; i-- > 0;)
		if (run->trials[i].cell == cell)
			return run->trials[i].reason;
	return NULL;
}

/* Cells measured under one scheduler cannot be set beside those under another. */
static enum xcs_exit end_void(struct runner *r, const char *why, struct xcs_err *err)
{
	struct xcs_err save_err;

	runner_give_back_reserve(r);
	r->run.status = XCS_RUN_VOID;
	free(r->run.status_reason);
	r->run.status_reason = xcs_xstrdup(why);
	if (runner_tell(r, "void", why, &save_err) || runner_save(r, &save_err)) {
		*err = save_err;
		return XCS_EXIT_ERROR;
	}
	xcs_err_set(err, -EINVAL, "the run is void: %s; begin a new one", why);
	return XCS_EXIT_CANNOT_JUDGE;
}

static enum xcs_exit complete(struct runner *r, struct xcs_err *err)
{
	const char *verdict = r->run.probe.verdict;
	struct xcs_buf why = {0};

	if (environment_ext_changed(&r->env, &r->run.environment, &why)) {
		enum xcs_exit status = end_void(r, why.p, err);
		xcs_buf_fini(&why);
		return status;
	}
	int empty = empty_cell(&r->run);
	if (empty >= 0) {
		char *name = cell_name_dup(&r->run, &r->run.cells[empty]);
		const char *reason = last_reason(&r->run, empty);
		xcs_err_set(err, -EIO, "no trial of %s was valid%s%.600s", name, reason ? ": " : "",
		            reason ? reason : "");
		free(name);
		return stop_early(r, XCS_EXIT_CANNOT_JUDGE, err->text);
	}
	if (r->options->profile == PROFILE_CONTROLLED) {
		profile_check(&r->env, &r->server, &r->run);
		profile_put_back(r->guard, &r->env, &r->server, &r->run);
	}
	runner_give_back_reserve(r);
	r->run.status = XCS_RUN_COMPLETE;
	if (runner_save(r, err))
		return XCS_EXIT_ERROR;
	if (!renice_was_asked(r) || (verdict && strcmp(verdict, "effective") == 0))
		return XCS_EXIT_OK;
	xcs_err_set(err, -EINVAL, "renice was asked for and is not known to have an effect: %s",
	            verdict ? verdict : "no verdict");
	return XCS_EXIT_CANNOT_JUDGE;
}

static enum xcs_exit exit_of(struct runner *r, enum trial_end end, struct xcs_err *err)
{
	switch (end) {
	case TRIAL_DONE:
	case TRIAL_GIVEN_UP:
		return complete(r, err);
	case TRIAL_INTERRUPTED:
		xcs_err_set(err, -EINTR, "interrupted; what was measured is in %s", r->run_dir);
		return stop_early(r, XCS_EXIT_INTERRUPTED, "interrupted");
	case TRIAL_SERVER_DIED:
		xcs_err_set(err, -EPIPE,
		            "the X server died during a trial; what was measured is in %s",
		            r->run_dir);
		return stop_early(r, XCS_EXIT_ERROR, "the X server died");
	case TRIAL_GUARD_DIED:
		xcs_err_set(err, -EPIPE,
		            "the guard died; what it had changed is put back, and what was "
		            "measured is in %s",
		            r->run_dir);
		return stop_early(r, XCS_EXIT_ERROR, "the guard died");
	case TRIAL_ERROR:
		break;
	}
	return stop_early(r, XCS_EXIT_ERROR, err->text);
}

enum xcs_exit runner_do(struct runner *r, struct xcs_err *err)
{
	int rc = set_up(r, err);
	if (rc == -EINTR)
		return stop_early(r, XCS_EXIT_INTERRUPTED, "interrupted");
	if (rc == -EPERM || rc == -ENOTSUP)
		return stop_early(r, XCS_EXIT_CANNOT_JUDGE, err->text);
	if (rc)
		return stop_early(r, XCS_EXIT_ERROR, err->text);
	return exit_of(r, do_trials(r, err), err);
}

int runner_finish(struct runner *r, struct xcs_err *err)
{
	struct xcs_err ignored;

	/* Not with SIGTERM from the guard: a server of ours ends first, and cleanly. */
	if (r->guard && r->server.child.pid > 0)
		(void)!guard_disown_child(r->guard, r->server.pid, r->server.start_ticks, &ignored);
	xserver_stop(&r->server);
	runner_remove_files(r);
	int rc = guard_finish(r->guard, err);
	if (r->scratch_dir)
		xcs_dir_remove(r->scratch_dir);
	placement_close(&r->placement);
	watch_fini(&r->watch);
	plan_fini(&r->plan);
	commands_fini(&r->commands);
	free(r->n_lines);
	free(r->tree_dir);
	runner_forget_timed(r);
	xcs_run_fini(&r->run);
	xcs_env_close(&r->env);
	free(r->scratch_dir);
	free(r->run_dir);
	return rc;
}
