/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sample.h"

#include <collectors/observer.h>
#include <common/alloc.h>
#include <common/file.h>
#include <common/paths.h>

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All that a recording holds; freed in one place. */
struct job {
	struct xcs_env env;
	struct xcs_sampler_watch *watch;
	size_t n_watch;
	struct xcs_recorder_page *pages;
	char (*page_roles)[32];
	size_t n_pages;
	struct xcs_sampler *sampler;
	struct xcs_trial_data trial;
};

/* Splits ROLE=VALUE; -EINVAL with the sentence when it is no such thing. */
static int split(const char *option, const char *text, char *role, size_t cap, const char **value,
                 struct xcs_err *err)
{
	const char *equals = strchr(text, '=');
	size_t n = equals ? (size_t)(equals - text) : 0;

	if (!n || n >= cap || !equals[1])
		return xcs_err_set(err, -EINVAL, "--%s: '%s' is not ROLE=VALUE", option, text);
	memcpy(role, text, n);
	role[n] = '\0';
	*value = equals + 1;
	return 0;
}

static int read_watch(struct job *j, const struct sample_options *o, struct xcs_err *err)
{
	j->watch = xcs_xcalloc(o->watch.n + o->pids.n + 1, sizeof(*j->watch));
	for (size_t i = 0; i < o->watch.n; i++) {
		struct xcs_sampler_watch *w = &j->watch[j->n_watch++];
		const char *value;
		int64_t pid;
		int rc = split("watch", o->watch.v[i], w->role, sizeof(w->role), &value, err);
		if (rc)
			return rc;
		if (xcs_str_i64(xcs_str(value), &pid) || pid < 1 || pid > INT32_MAX)
			return xcs_err_set(err, -EINVAL, "--watch: '%s' is not a process id",
			                   value);
		w->pid = (pid_t)pid;
	}
	for (size_t i = 0; i < o->pids.n; i++) {
		struct xcs_sampler_watch *w = &j->watch[j->n_watch++];
		snprintf(w->role, sizeof(w->role), "pid%d", o->pids.v[i]);
		w->pid = (pid_t)o->pids.v[i];
	}
	return 0;
}

static int open_pages(struct job *j, const struct sample_options *o, struct xcs_err *err)
{
	j->pages = xcs_xcalloc(o->pages.n + 1, sizeof(*j->pages));
	j->page_roles = xcs_xcalloc(o->pages.n + 1, sizeof(*j->page_roles));
	for (size_t i = 0; i < o->pages.n; i++) {
		struct xcs_counters_page *page;
		const char *path;
		int rc = split("page", o->pages.v[i], j->page_roles[i], sizeof(j->page_roles[i]),
		               &path, err);
		if (rc == 0)
			rc = xcs_counters_open(path, false, &page, err);
		if (rc)
			return rc;
		j->pages[j->n_pages++] = (struct xcs_recorder_page){j->page_roles[i], page};
	}
	return 0;
}

static int open_job(struct job *j, const struct sample_options *o, struct xcs_err *err)
{
	if (xcs_cpuset_count(&o->pin) && xcs_observer_pin(&o->pin, err))
		return -EINVAL;
	int rc = xcs_env_open(&j->env, err);
	if (rc == 0)
		rc = read_watch(j, o, err);
	if (rc == 0)
		rc = open_pages(j, o, err);
	if (rc)
		return rc;
	struct xcs_sampler_spec spec = {
	        .env = &j->env,
	        .watch = j->watch,
	        .n_watch = j->n_watch,
	        .cpus = &o->cpus,
	        .reads = XCS_READ_FULL,
	};
	return xcs_sampler_new(&spec, &j->sampler, err);
}

static void close_job(struct job *j)
{
	for (size_t i = 0; i < j->n_pages; i++)
		xcs_counters_close((struct xcs_counters_page *)j->pages[i].page);
	xcs_sampler_free(j->sampler);
	xcs_trial_fini(&j->trial);
	xcs_env_close(&j->env);
	free(j->pages);
	free(j->page_roles);
	free(j->watch);
}

/* Says ready and waits for the go; false when a signal or the end of input came instead.
 * Signals are let in only while we wait, so that none falls between the look and the wait. */
static bool hold(struct xcs_recorder_stop *stop)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
	sigset_t ours, before;
	ssize_t n = 1;
	char c = 0;

	if (xcs_fd_write_all(STDOUT_FILENO, "ready\n", 6))
		return false;
	sigemptyset(&ours);
	sigaddset(&ours, SIGTERM);
	sigaddset(&ours, SIGINT);
	sigprocmask(SIG_BLOCK, &ours, &before);
	while (n == 1 && c != '\n' && !stop->requested)
		if (ppoll(&in, 1, NULL, &before) == 1)
			n = read(STDIN_FILENO, &c, 1);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return n == 1 && !stop->requested;
}

static void print_events(const struct xcs_trial_data *t)
{
	for (size_t i = 0; i < t->n_events; i++)
		fprintf(stderr, "xcsbench sample: %s\n", t->events[i]);
}

/* The load's CPUs as a list; by default those online, which may exceed our own. */
static char *cpus_dup(const struct sample_options *o, const struct xcs_env *env)
{
	struct xcs_buf list = {0};

	if (xcs_cpuset_count(&o->cpus))
		return xcs_cpuset_format_dup(&o->cpus);
	if (xcs_sys_read(env, "devices/system/cpu/online", &list) == 0) {
		struct xcs_str line = xcs_str_trim(xcs_buf_str(&list));
		char *copy = line.n ? xcs_xasprintf("%.*s", (int)line.n, line.p) : NULL;
		xcs_buf_fini(&list);
		return copy;
	}
	xcs_buf_fini(&list);
	return NULL;
}

/* Under sudo the file is the user's. */
static int save(const struct xcs_trial_data *trial, const char *path, struct xcs_err *err)
{
	struct xcs_user user;
	int rc = xcs_user_find(&user, err);

	if (rc == 0)
		rc = xcs_user_enter(&user, err);
	if (rc)
		return rc;
	rc = xcs_trial_save(trial, path, err);
	xcs_user_leave(&user);
	return rc;
}

int sample_record(const struct sample_options *o, struct xcs_recorder_stop *stop,
                  struct xcs_err *err)
{
	struct job j = {
	        .env = {.proc_fd = -1, .sys_fd = -1}
        };
	int status = XCS_EXIT_ERROR;

	if (open_job(&j, o, err))
		goto out;
	const char *class_got = xcs_observer_raise();
	if (o->hold && !hold(stop)) {
		xcs_err_set(err, -EINTR, "ended before the go: nothing was recorded");
		status = stop->requested ? XCS_EXIT_INTERRUPTED : XCS_EXIT_ERROR;
		goto out;
	}
	struct xcs_recorder_spec spec = {
	        .period_ns = o->interval_ns,
	        .n_samples = o->n,
	        .pages = j.pages,
	        .n_pages = j.n_pages,
	        .stop = stop,
	        .begun_fd = o->hold ? STDOUT_FILENO : 0,
	};
	bool complete = xcs_recorder_run(j.sampler, &spec, &j.trial);
	j.trial.ticks_per_s = j.env.ticks_per_s;
	j.trial.cpus = cpus_dup(o, &j.env);
	j.trial.observer_class = xcs_xstrdup(class_got);
	print_events(&j.trial);
	if (save(&j.trial, o->record, err) == 0)
		status = complete ? XCS_EXIT_OK : XCS_EXIT_INTERRUPTED;
out:
	close_job(&j);
	return status;
}
