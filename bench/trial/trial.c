/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <trial/trial.h>

#include "foreign.h"
#include "sampler.h"
#include <guard/guard.h>
#include <load/beside.h>
#include <load/load_terminal.h>
#include <load/once.h>
#include <load/settle.h>
#include <load/windows.h>
#include <trial/environment.h>
#include <trial/look.h>
#include <trial/trial_nice.h>
#include <trial/vigil.h>

#include <common/alloc.h>
#include <common/env.h>
#include <common/task.h>
#include <common/units.h>
#include <probe/probe.h>
#include <record/trial.h>
#include <record/window.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Timed commands may be over in a third of a second; off the tick as any period. */
#define TIMED_PERIOD_NS INT64_C(50070000)

#define TOO_SHORT                                                                                 \
	"Trials of commands that take some hundredths of a second are too short to tell whether " \
	"others used the CPUs meanwhile."

/* A trial in the making. */
struct doing {
	const struct trial_place *place;
	const struct xcs_run_cell *cell;
	const struct xcs_run_load *load;
	struct xcs_run_trial *trial;
	struct load running;
	struct beside beside;
	struct windows windows;
	struct hyperfine hyperfine;
	struct trial_nice nice_before, nice_after; /* of the window */
	enum watch_event event;                    /* what cut it short */
};

static void judge(struct xcs_run_trial *t, enum xcs_trial_status status, const char *reason)
{
	t->status = status;
	free(t->reason);
	t->reason = xcs_xstrdup(reason);
}

static void make_spec(const struct doing *d, struct load_spec *spec)
{
	const struct trial_place *p = d->place;

	*spec = (struct load_spec){.load = d->load,
	                           .placement = p->placement,
	                           .server = p->server,
	                           .dir = p->scratch_dir,
	                           .cwd = p->run->tree.path,
	                           .user = p->user,
	                           .cpus = p->load_cpus,
	                           .set_nice = p->may_renice,
	                           .nice_shift = d->cell->load_nice - d->load->client_nice,
	                           .by_autogroup = trial_nice_by_group(p),
	                           .env = p->env,
	                           .guard = p->guard,
	                           .watch = p->watch};
	windows_screen(p->run, &spec->width_px, &spec->height_px);
}

static int check_placement(const struct doing *d, struct xcs_err *err)
{
	const struct trial_place *p = d->place;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < d->running.n; i++) {
		const struct load_client *c = &d->running.clients[i];
		rc = placement_check(p->placement, p->env, load_client_pid(c), p->server->pid, err);
		if (rc == 0)
			rc = placement_check(p->placement, p->env, c->feeder_pid, p->server->pid,
			                     err);
	}
	return rc;
}

static int start_load(struct doing *d, const struct load_spec *spec, struct xcs_err *err)
{
	const struct trial_place *p = d->place;
	int rc = load_start(&d->running, spec, err);
	if (rc == 0)
		rc = check_placement(d, err);
	if (rc)
		return rc;
	environment_place(p->env, "client0", load_client_pid(&d->running.clients[0]),
	                  &p->run->environment);
	environment_place(p->env, "feeder0", d->running.clients[0].feeder_pid,
	                  &p->run->environment);
	rc = windows_start(&d->windows, &d->running, p->server, p->watch, err);
	load_check_size(&d->running, p->run);
	if (rc == 0)
		rc = beside_go(&d->beside, err);
	/* Commands go within the window. */
	return rc || once_is(d->load) ? rc : load_go(&d->running, err);
}

static void settle_load(struct doing *d)
{
	const struct trial_place *p = d->place;
	struct settle_result r =
	        settle(p->env, &d->running, p->watch, p->run->plan.settle_deadline_ns);

	d->event = r.event;
	d->trial->settled = r.settled;
	d->trial->settle_ns = r.settle_ns;
}

/* The second look at the windows, at a server that has come to rest and a CPU that is free. */
static int look_again(struct doing *d, struct xcs_err *err)
{
	struct xcs_buf lost = {0};

	if (beside_lost_keys(&d->beside, &d->running, &lost))
		judge(d->trial, XCS_TRIAL_VOID, lost.p);
	xcs_buf_fini(&lost);
	beside_stop(&d->beside);
	load_pause(&d->running);
	return windows_finish(&d->windows, d->place->watch, d->trial, err);
}

static bool is_stopped(const struct doing *d, pid_t pid)
{
	struct xcs_task_id id;

	return xcs_task_id_read(d->place->env, pid, pid, &id) == 0 &&
	       (id.state == 'T' || id.state == 't');
}

/* A client that was stopped by a signal did not lose to the scheduler. */
static void judge_stopped(struct doing *d)
{
	char why[64];

	for (size_t i = 0; i < d->running.n; i++) {
		const struct load_client *c = &d->running.clients[i];
		bool client = is_stopped(d, load_client_pid(c));
		if (!client && !is_stopped(d, c->feeder_pid))
			continue;
		snprintf(why, sizeof(why), "%s was stopped", client ? c->role : c->feeder_role);
		judge(d->trial, XCS_TRIAL_VOID, why);
		return;
	}
	for (size_t i = 0; i < d->beside.n; i++) {
		if (!is_stopped(d, d->beside.tasks[i].child.pid))
			continue;
		snprintf(why, sizeof(why), "%s was stopped", d->beside.tasks[i].role);
		judge(d->trial, XCS_TRIAL_VOID, why);
		return;
	}
}

/* The window of timed commands: from just before they go to the last one's end. */
static int run_once(struct doing *d, struct sampler *s, struct xcs_err *err)
{
	const struct trial_place *p = d->place;
	int rc = sampler_begin(s, &d->event, err);

	if (rc == 0 && d->event == WATCH_DEADLINE)
		rc = once_run(&d->running, p->n_lines[d->cell->load], p->deadline_ns, d->trial,
		              &d->event, err);
	if (rc == 0 && d->event == WATCH_DEADLINE)
		rc = sampler_end(s, &d->event, err);
	return rc;
}

/* As above, from before the first run of hyperfine to after its last. */
static int run_hyperfine(struct doing *d, struct sampler *s, struct xcs_err *err)
{
	int rc = sampler_begin(s, &d->event, err);

	if (rc == 0 && d->event == WATCH_DEADLINE)
		rc = hyperfine_run(&d->hyperfine, &d->event, err);
	if (rc == 0 && d->event == WATCH_DEADLINE)
		rc = sampler_end(s, &d->event, err);
	return rc;
}

static int sample(struct doing *d, const char *file, struct xcs_err *err)
{
	const struct trial_place *p = d->place;
	const struct xcs_run_plan *plan = &p->run->plan;
	bool warmup = d->trial->kind == XCS_TRIAL_WARMUP, timed = d->load->timer != NULL;
	int64_t period_ns = timed ? TIMED_PERIOD_NS : plan->period_ns;
	int64_t window_ns = timed    ? p->deadline_ns + XCS_NS_PER_S
	                    : warmup ? plan->period_ns
	                             : plan->sample_ns;
	const struct sampler_spec spec = {.file = file,
	                                  .load = &d->running,
	                                  .beside = &d->beside,
	                                  .server = p->server,
	                                  .load_cpus = p->load_cpus,
	                                  .observer_cpus = p->observer_cpus,
	                                  .period_ns = period_ns,
	                                  .n_samples =
	                                          (int)((window_ns + period_ns - 1) / period_ns),
	                                  .timer_pid = d->hyperfine.child.pid,
	                                  .watch = p->watch};
	struct foreign before = {0};
	struct sampler s;
	if (p->look_start || p->look_middle)
		look_chain(p->env, p->server, &d->running, p->look_start ? "start" : "middle",
		           p->run, p->first_look);
	int rc = sampler_start(&s, &spec, err);

	if (rc == 0) {
		foreign_look(&before);
		d->nice_before = trial_nice_read(p);
		d->trial->server_nice_before = d->nice_before.server;
		rc = hyperfine_is(d->load) ? run_hyperfine(d, &s, err)
		     : timed               ? run_once(d, &s, err)
		                           : sampler_run(&s, &d->event, err);
		d->nice_after = trial_nice_read(p);
		d->trial->server_nice_after = d->nice_after.server;
		judge_stopped(d);
		foreign_since(&before, p->env, &d->running, &d->beside, p->server, d->trial);
	}
	sampler_stop(&s);
	if (rc == 0 && p->look_end)
		look_chain(p->env, p->server, &d->running, "end", p->run, p->first_look);
	foreign_fini(&before);
	return rc;
}

static void judge_nice(struct doing *d)
{
	struct xcs_buf why = {0};

	if (trial_nice_broken(d->place, d->cell->x_nice, &d->nice_before, &d->nice_after, &why) ||
	    trial_nice_load_broken(&d->running, &why))
		judge(d->trial, XCS_TRIAL_VOID, why.p);
	xcs_buf_fini(&why);
}

static void judge_autogroup(struct doing *d)
{
	const struct trial_place *p = d->place;

	if (environment_autogroup_changed(p->env, &p->run->environment))
		judge(d->trial, XCS_TRIAL_VOID,
		      "somebody else switched kernel.sched_autogroup_enabled");
}

/* A command that writes nothing draws nothing. */
static bool is_silent(const struct doing *d)
{
	struct xcs_num n_lines = d->place->n_lines[d->cell->load];

	return once_is(d->load) && n_lines.known && n_lines.v == 0;
}

static bool windows_overlap(const struct xcs_run_window *a, const struct xcs_run_window *b)
{
	return a->x_px < b->x_px + b->width_px && b->x_px < a->x_px + a->width_px &&
	       a->y_px < b->y_px + b->height_px && b->y_px < a->y_px + a->height_px;
}

/* What is covered draws less. xterm's sizes are known; other terminals have their own. */
static void judge_overlaps(struct doing *d)
{
	const struct xcs_run_window *w = d->trial->windows;
	char why[128];

	for (size_t i = 0; i < d->trial->n_windows; i++)
		for (size_t k = i + 1; k < d->trial->n_windows; k++) {
			if (!windows_overlap(&w[i], &w[k]))
				continue;
			snprintf(why, sizeof(why), "the windows of %s and %s cover each other",
			         w[i].role, w[k].role);
			judge(d->trial, XCS_TRIAL_VOID, why);
			return;
		}
}

static void judge_windows(struct doing *d)
{
	char why[128];

	/* Xwayland draws each window into a buffer of its own, covered or not, and a compositor
	 * need not tell X where it put it (weston 10 gives xterm's windows all one place). */
	if (!d->place->server->is_xwayland)
		judge_overlaps(d);
	for (size_t i = 0; i < d->trial->n_windows; i++) {
		const struct xcs_run_window *w = &d->trial->windows[i];
		if (w->inside && (w->drew || is_silent(d)))
			continue;
		snprintf(why, sizeof(why), "the window of %s %s", w->role,
		         w->inside ? "did not draw" : "lies outside the screen");
		judge(d->trial, XCS_TRIAL_VOID, why);
		return;
	}
}

/* Idle time comes in ticks: a tick more or less at each end of a short window. */
static double resolution_pct(const struct xcs_window *w, const struct xcs_trial_data *data)
{
	double ticks = (double)w->dt_ns / 1e9 * (double)data->ticks_per_s;

	return ticks > 2 ? 100 * 2 / ticks : 100;
}

/* Something else ran on the load's CPUs: these are not the numbers of the load. */
static void judge_foreign(struct doing *d, const struct xcs_trial_data *data)
{
	const double limit_pct = d->place->max_foreign_pct;
	struct xcs_window window;
	char why[256];

	xcs_window_init(&window, data);
	xcs_window_take_timings(&window, d->trial);
	struct xcs_num foreign_pct = window.foreign_pct;
	double unsure_pct = hyperfine_is(d->load) ? resolution_pct(&window, data) : 0;
	xcs_window_fini(&window);
	if (unsure_pct > limit_pct)
		xcs_run_add_note(d->place->run, TOO_SHORT);
	if (!foreign_pct.known || foreign_pct.v - unsure_pct <= limit_pct)
		return;
	snprintf(why, sizeof(why), "others used %.1f %% of the load's CPUs", foreign_pct.v);
	judge(d->trial, XCS_TRIAL_VOID, why);
}

static int judge_samples(struct doing *d, const char *file, struct xcs_err *err)
{
	struct xcs_trial_data data = {0};
	int rc = xcs_trial_load(&data, file, err);

	if (rc)
		return rc;
	judge_nice(d);
	judge_autogroup(d);
	judge_windows(d);
	judge_foreign(d, &data);
	xcs_trial_fini(&data);
	return 0;
}

static void judge_ended_client(struct doing *d)
{
	struct xcs_buf how = {0};
	bool failed = false;

	if (load_ended(&d->running, &how) && once_is(d->load) && d->trial->n_timings) {
		struct xcs_buf why = {0};
		once_closed(&d->running, how.p, &why);
		judge(d->trial, XCS_TRIAL_FAILED, why.p);
		xcs_buf_fini(&why);
	} else if (how.n || beside_ended(&d->beside, &how, &failed)) {
		judge(d->trial, failed ? XCS_TRIAL_FAILED : XCS_TRIAL_VOID, how.p);
	}
	xcs_buf_fini(&how);
}

/* A command that failed says more than what else may be wrong with its trial. */
static void judge_once(struct doing *d)
{
	struct xcs_buf why = {0};

	if (once_is(d->load) && once_failed(&d->running, d->place->deadline_ns, d->trial, &why))
		judge(d->trial, XCS_TRIAL_FAILED, why.p);
	xcs_buf_fini(&why);
}

/* What an event means for the run. A client's end is the trial's matter only. */
static enum trial_end end_of(enum watch_event event)
{
	switch (event) {
	case WATCH_INTERRUPTED:
		return TRIAL_INTERRUPTED;
	case WATCH_SERVER_ENDED:
		return TRIAL_SERVER_DIED;
	case WATCH_GUARD_ENDED:
		return TRIAL_GUARD_DIED;
	default:
		return TRIAL_DONE;
	}
}

static const char *word_of(enum trial_end end)
{
	static const char *const words[] = {
	        "", "", "interrupted", "the X server died", "the guard died", "an error"};

	return words[end];
}

static int start_hyperfine(struct doing *d, struct hyperfine_spec *spec, struct xcs_err *err)
{
	const char *why = d->place->why_not[d->cell->load];
	int rc = beside_go(&d->beside, err);

	d->trial->settled = true; /* there is nothing that could settle */
	if (rc == 0 && why)
		rc = xcs_err_set(err, -ENODATA, "%s", why);
	return rc ? rc : hyperfine_start(&d->hyperfine, spec, err);
}

static int hyperfine_steps(struct doing *d, const struct load_spec *place, const char *file,
                           struct xcs_err *err)
{
	char **why_not = &d->place->why_not[d->cell->load];
	char *json = xcs_xasprintf("hyperfine/%03zu.json", d->place->run->n_trials - 1);
	struct hyperfine_spec spec = {.place = place,
	                              .run_dir = d->place->run_dir,
	                              .file = json,
	                              .only_once = d->trial->kind == XCS_TRIAL_WARMUP,
	                              .deadline_ns = d->place->deadline_ns};
	int rc = start_hyperfine(d, &spec, err);

	if (rc == 0)
		rc = sample(d, file, err);
	if (rc == 0 && d->event == WATCH_DEADLINE)
		rc = hyperfine_take(&d->hyperfine, d->place->n_lines[d->cell->load], d->trial, err);
	/* What has no end has none in the next block either. */
	if (rc == -ETIME && !*why_not)
		*why_not = xcs_xstrdup(err->text);
	hyperfine_stop(&d->hyperfine);
	free(json);
	return rc;
}

/* Does the steps until one fails or an event cuts the trial short. */
static int steps(struct doing *d, struct load_spec *spec, const char *file, struct xcs_err *err)
{
	int rc = trial_nice_set(d->place, d->cell->x_nice, err);

	make_spec(d, spec);
	if (rc == 0)
		rc = beside_start(&d->beside, spec, d->cell->n_hogs, err);
	if (rc == 0 && hyperfine_is(d->load))
		return hyperfine_steps(d, spec, file, err);
	if (rc == 0)
		rc = start_load(d, spec, err);
	if (rc == 0 && !once_is(d->load))
		settle_load(d);
	if (rc == 0 && d->event == WATCH_DEADLINE)
		rc = sample(d, file, err);
	if (rc == 0 && d->event == WATCH_DEADLINE && !(once_is(d->load) && !once_is_done(d->trial)))
		rc = look_again(d, err);
	return rc;
}

/* A step failed: because of an event that the watch still tells, or of itself. */
static enum trial_end failed(struct doing *d, int rc, const struct xcs_err *err)
{
	if (d->event == WATCH_DEADLINE)
		d->event = watch_wait(d->place->watch, -1, 0);
	enum trial_end end = end_of(d->event);
	if (end != TRIAL_DONE)
		return end;
	judge(d->trial, XCS_TRIAL_FAILED, err->text);
	if (rc == -ENODATA || rc == -ETIME)
		return TRIAL_GIVEN_UP;
	if (d->event == WATCH_CLIENT_ENDED)
		judge_ended_client(d);
	/* A child that ended or was slow may do better the next time; all else will not. */
	bool may_repeat = rc == -ECHILD || rc == -ETIMEDOUT || rc == -EPIPE;
	/* A terminal that cannot be started fails its own cells, and others may do. */
	may_repeat = may_repeat || (d->load->timer && (rc == -ENOENT || rc == -EACCES));
	return may_repeat || d->event == WATCH_CLIENT_ENDED ? TRIAL_DONE : TRIAL_ERROR;
}

/* What happened to the machine meanwhile is nobody's doing here, and voids the trial. */
static void judge_machine(struct doing *d, const struct vigil *before)
{
	struct vigil after;
	struct xcs_buf why = {0};

	vigil_look(d->place->env, &after);
	if (vigil_broken(before, &after, &why))
		judge(d->trial, XCS_TRIAL_VOID, why.p);
	xcs_buf_fini(&why);
	double step_s = (double)vigil_clock_step_ns(before, &after) / (double)XCS_NS_PER_S;
	char note[128];
	snprintf(note, sizeof(note),
	         "The wall clock was set by %+.1f s during a trial; times of trials are monotonic.",
	         step_s);
	if (vigil_clock_step_ns(before, &after))
		xcs_run_add_note(d->place->run, note);
}

static struct xcs_run_trial *add_trial(const struct trial_place *p, const struct plan_step *step,
                                       int attempt)
{
	struct xcs_run_trial *t = xcs_run_add_trial(p->run);

	t->cell = step->cell;
	t->boot = p->boot;
	t->block = step->block;
	t->attempt = attempt;
	t->kind = step->kind;
	t->started_wall_ns = xcs_wall_now_ns();
	t->file = xcs_xasprintf("trials/%03zu.xcs", p->run->n_trials - 1);
	return t;
}

enum trial_end trial_do(const struct trial_place *place, const struct plan_step *step, int attempt,
                        struct xcs_err *err)
{
	struct xcs_run_trial *trial = add_trial(place, step, attempt);
	const struct xcs_run_cell *cell = &place->run->cells[step->cell];
	struct doing d = {.place = place,
	                  .cell = cell,
	                  .load = &place->run->loads[cell->load],
	                  .trial = trial,
	                  .running = {.listen_fd = -1},
	                  .hyperfine = {.go_fd = -1}};
	char *file = xcs_xasprintf("%s/%s", place->run_dir, trial->file);
	enum trial_end end = TRIAL_DONE;
	struct load_spec spec;
	struct vigil before;
	vigil_look(place->env, &before);
	int rc = steps(&d, &spec, file, err);

	if (rc == 0 && d.event == WATCH_DEADLINE)
		rc = judge_samples(&d, file, err);
	if (rc == 0 && d.event == WATCH_DEADLINE)
		judge_once(&d);
	if (rc)
		end = failed(&d, rc, err);
	else if (d.event == WATCH_CLIENT_ENDED)
		judge_ended_client(&d);
	else
		end = end_of(d.event);
	if (end == TRIAL_DONE)
		judge_machine(&d, &before);
	if (end > TRIAL_GIVEN_UP && end != TRIAL_ERROR)
		judge(trial, XCS_TRIAL_VOID, word_of(end));
	if (access(file, F_OK)) { /* ended before its window did */
		free(trial->file);
		trial->file = NULL;
	}
	beside_stop(&d.beside);
	windows_stop(&d.windows);
	load_stop(&d.running, &trial->lines_written, &trial->lines_confirmed);
	free(file);
	return end;
}
