/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <load/hyperfine.h>

#include "load_argv.h"
#include <guard/guard.h>
#include <load/command_try.h>
#include <scenario/command.h>

#include <common/alloc.h>
#include <common/env.h>
#include <common/file.h>
#include <common/task.h>
#include <common/units.h>
#include <record/hyperfine.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	VERSION_S = 5,
	STOP_S = 2,
	WORDS_MAX = 24
};

/* "hyperfine 1.15.0": true when it is new enough, or tells nothing that can be judged. */
static bool is_new_enough(struct xcs_str text)
{
	struct xcs_str word, part;
	uint64_t v[2] = {0};

	if (!xcs_str_next_word(&text, &word) || !xcs_str_next_word(&text, &word))
		return true;
	for (size_t i = 0; i < 2; i++)
		if (!xcs_str_next_part(&word, '.', &part) || xcs_str_u64(part, &v[i]))
			return true;
	return v[0] > XCS_HYPERFINE_MAJOR ||
	       (v[0] == XCS_HYPERFINE_MAJOR && v[1] >= XCS_HYPERFINE_MINOR);
}

bool hyperfine_is(const struct xcs_run_load *load)
{
	return load->timer && strcmp(load->timer, "hyperfine") == 0;
}

int hyperfine_check(const struct xcs_user *user, struct xcs_err *err)
{
	const struct xcs_spawn spawn = {
	        .argv = (const char *[]){"hyperfine", "--version", NULL},
                    .user = user
        };
	struct xcs_buf out = {0};
	int rc = xcs_child_capture(&spawn, VERSION_S * XCS_NS_PER_S, &out, err);
	struct xcs_str version = xcs_str_trim(xcs_buf_str(&out));

	if (rc == -ENOENT)
		xcs_err_set(err, rc,
		            "hyperfine, which times the command, is not installed (package "
		            "hyperfine)");
	else if (rc == 0 && !is_new_enough(version))
		rc = xcs_err_set(err, -ENOSYS,
		                 "%.*s is too old to time the command: %d.%d or later is needed "
		                 "(package hyperfine)",
		                 (int)(version.n < 60 ? version.n : 60), version.p,
		                 XCS_HYPERFINE_MAJOR, XCS_HYPERFINE_MINOR);
	xcs_buf_fini(&out);
	return rc;
}

char *hyperfine_line_dup(const struct load_spec *place)
{
	struct load_argv args;
	struct xcs_buf line = {0};

	load_argv_make_bare(&args, place, "client0");
	for (size_t i = 0; i < args.n; i++) {
		xcs_buf_quote(&line, args.argv[i]);
		xcs_buf_putc(&line, ' ');
	}
	command_add_words(&line, place->load->command);
	load_argv_fini(&args);
	return xcs_buf_take(&line);
}

static struct xcs_num num(int64_t v)
{
	return (struct xcs_num){true, (double)v};
}

/* With the user's rights: the folder and the file of its words are the user's. */
static int open_log(struct hyperfine *h, int *fd, struct xcs_err *err)
{
	const struct xcs_user *user = h->spec->place->user;
	char *dir = xcs_xasprintf("%s/hyperfine", h->spec->run_dir);
	int rc = xcs_user_enter(user, err);

	if (rc == 0) {
		rc = xcs_dir_make(dir, 0755, err);
		*fd = rc ? -1 : open(h->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
		if (rc == 0 && *fd < 0)
			rc = xcs_err_sys(err, -errno, "cannot write %s", h->log);
		xcs_user_leave(user);
	}
	free(dir);
	return rc;
}

/* The user's file may be a link by now: removed with the user's rights. */
static void remove_file(const struct hyperfine *h, const char *path)
{
	struct xcs_err ignored;

	if (xcs_user_enter(h->spec->place->user, &ignored))
		return;
	unlink(path);
	xcs_user_leave(h->spec->place->user);
}

/* A shell waits for the go and then becomes hyperfine: its pid is known before anything runs. */
static int launch(struct hyperfine *h, int stdin_fd, int log_fd, struct xcs_err *err)
{
	const struct load_spec *place = h->spec->place;
	const struct xcs_run_load *load = place->load;
	bool piped = strcmp(load->kind, "pipe") == 0;
	char *line = hyperfine_line_dup(place);
	bool once = h->spec->only_once;
	char *n_warmups = xcs_xasprintf("%d", once ? 0 : load->n_warmups);
	char *n_runs = xcs_xasprintf("%d", once ? 1 : load->n_runs);
	const char *const argv[WORDS_MAX] = {
	        "sh",      "-c",        "read -r _ && exec \"$@\"",
	        "sh",      "hyperfine", "-N",
	        "--style", "none",      "--export-json",
	        h->json,   "--warmup",  n_warmups,
	        "--runs",  n_runs,      piped ? "--output=pipe" : "--output=null",
	        "--",      line};
	int nice = load_nice(place, 0);
	struct load_argv args;

	load_argv_make_bare(&args, place, "client0");
	const struct xcs_spawn spawn = {.argv = argv,
	                                .launcher = place->placement->launcher,
	                                .join_fds = place->placement->join_fds,
	                                .n_join_fds = place->placement->n_join_fds,
	                                .env_add = args.env,
	                                .stdin_fd = stdin_fd,
	                                .stdout_fd = log_fd,
	                                .stderr_fd = log_fd,
	                                .new_session = true,
	                                .user = place->user,
	                                .cpus = place->cpus,
	                                .nice = place->set_nice || nice ? &nice : NULL,
	                                .cwd = place->cwd};
	int rc = xcs_child_start(&h->child, &spawn, err);
	load_argv_fini(&args);
	free(n_runs);
	free(n_warmups);
	free(line);
	return rc;
}

/* If we die, the guard ends it with its whole group, terminals included. */
static int own(struct hyperfine *h, struct xcs_err *err)
{
	const struct load_spec *place = h->spec->place;
	struct xcs_task_id id;

	if (xcs_task_id_read(place->env, h->child.pid, h->child.pid, &id))
		return xcs_err_set(err, -ECHILD, "hyperfine ended before it began");
	h->start_ticks = id.start_ticks;
	return guard_own_child(place->guard, h->child.pid, h->start_ticks, err);
}

int hyperfine_start(struct hyperfine *h, const struct hyperfine_spec *spec, struct xcs_err *err)
{
	int in[2], log_fd = -1;

	*h = (struct hyperfine){.go_fd = -1, .spec = spec};
	/* hyperfine works in the tree's folder, where a relative name is another's. */
	char *dir = realpath(spec->run_dir, NULL);
	h->json = xcs_xasprintf("%s/%s", dir ? dir : spec->run_dir, spec->file);
	free(dir);
	h->log = xcs_xasprintf("%s.log", h->json); /* kept when it fails */
	int rc = open_log(h, &log_fd, err);
	if (rc)
		return rc;
	if (pipe2(in, O_CLOEXEC)) {
		close(log_fd);
		return xcs_err_sys(err, -errno, "cannot start hyperfine");
	}
	rc = launch(h, in[0], log_fd, err);
	close(in[0]);
	close(log_fd);
	h->go_fd = in[1];
	return rc ? rc : own(h, err);
}

static int64_t ns_of(struct timeval t)
{
	return t.tv_sec * XCS_NS_PER_S + t.tv_usec * XCS_NS_PER_US;
}

/*
 * Reaps it and takes its times from the growth of those of our children, which is it alone.
 * In them are all its descendants that were waited for, warm-ups too: wait4(2) would say the
 * same. The sum is exact, the parts are split by ticks (cputime_adjust in the kernel).
 */
static void reap(struct hyperfine *h)
{
	struct rusage before, after;

	getrusage(RUSAGE_CHILDREN, &before);
	/* With what the command left in the background. */
	xcs_child_stop_group(&h->child, STOP_S * XCS_NS_PER_S);
	getrusage(RUSAGE_CHILDREN, &after);
	h->user_ns = ns_of(after.ru_utime) - ns_of(before.ru_utime);
	h->sys_ns = ns_of(after.ru_stime) - ns_of(before.ru_stime);
}

static int blame(const struct hyperfine *h, struct xcs_err *err)
{
	struct xcs_buf why = {0}, text = {0};

	xcs_buf_puts(&why, "no results: hyperfine ");
	xcs_child_describe(&h->child, &why);
	xcs_buf_printf(&why, " while it timed '%.200s'", command_name(h->spec->place->load));
	if (xcs_file_read_at(AT_FDCWD, h->log, &text) == 0)
		command_add_last_words(xcs_buf_str(&text), &why);
	int rc = xcs_err_set(err, -ENODATA, "%s", why.p);
	xcs_buf_fini(&text);
	xcs_buf_fini(&why);
	return rc;
}

int hyperfine_run(struct hyperfine *h, enum watch_event *event, struct xcs_err *err)
{
	const struct hyperfine_spec *s = h->spec;
	const int64_t start_ns = xcs_mono_now_ns();

	if (write(h->go_fd, "\n", 1) != 1)
		return blame(h, err);
	close(h->go_fd);
	h->go_fd = -1;
	*event = watch_wait(s->place->watch, h->child.pidfd, s->deadline_ns);
	if (*event == WATCH_DEADLINE) {
		char *why = command_too_long_dup(s->place->load, s->deadline_ns);
		xcs_err_set(err, -ETIME, "%s", why);
		free(why);
		return -ETIME;
	}
	if (*event != WATCH_READY)
		return 0;
	h->real_ns = xcs_mono_now_ns() - start_ns;
	*event = WATCH_DEADLINE;
	reap(h);
	if (!WIFEXITED(h->child.status) || WEXITSTATUS(h->child.status))
		return blame(h, err);
	remove_file(h, h->log);
	return 0;
}

static void take_run(struct xcs_run_timing *t, const struct xcs_hyperfine_result *r, size_t i,
                     struct xcs_num n_lines, const struct load_spec *place)
{
	const struct xcs_hyperfine_run *run = &r->runs[i];

	*t = (struct xcs_run_timing){
	        .role = xcs_xasprintf("run%zu", i),
	        .real_ns = run->real_ns,
	        .user_ns = run->user_ns.known ? run->user_ns : r->user_ns,
	        .sys_ns = run->sys_ns.known ? run->sys_ns : r->sys_ns,
	        .exit_status = run->exit_status,
	        .n_lines = n_lines,
	        .nice = num(load_nice(place, 0)),
	};
}

int hyperfine_take(struct hyperfine *h, struct xcs_num n_lines, struct xcs_run_trial *trial,
                   struct xcs_err *err)
{
	const struct load_spec *place = h->spec->place;
	const struct xcs_hyperfine_call call = {.command = command_name(place->load)};
	struct xcs_hyperfine read;
	int rc = xcs_hyperfine_load(&read, h->json, &call, err);

	if (rc)
		return rc;
	const struct xcs_hyperfine_result *r = &read.results[0];
	trial->timings = xcs_xcalloc(r->n_runs + 1, sizeof(*trial->timings));
	for (size_t i = 0; i < r->n_runs; i++)
		take_run(&trial->timings[i], r, i, n_lines, place);
	trial->timings[r->n_runs] = (struct xcs_run_timing){.role = xcs_xstrdup("hyperfine"),
	                                                    .real_ns = num(h->real_ns),
	                                                    .user_ns = num(h->user_ns),
	                                                    .sys_ns = num(h->sys_ns),
	                                                    .exit_status = num(0),
	                                                    .nice = num(load_nice(place, 0))};
	trial->n_timings = r->n_runs + 1;
	trial->hyperfine_file = xcs_xstrdup(h->spec->file);
	h->is_taken = true;
	xcs_hyperfine_fini(&read);
	return 0;
}

/* Nothing, or half a result, is no result. */
static void remove_unfinished(const struct hyperfine *h)
{
	if (!h->is_taken)
		remove_file(h, h->json);
}

void hyperfine_stop(struct hyperfine *h)
{
	struct xcs_err ignored; /* the guard has died, which the watch tells */

	if (!h->spec)
		return;
	if (h->go_fd >= 0)
		close(h->go_fd);
	if (h->start_ticks)
		(void)!guard_disown_child(h->spec->place->guard, h->child.pid, h->start_ticks,
		                          &ignored);
	xcs_child_stop_group(&h->child, STOP_S * XCS_NS_PER_S);
	remove_unfinished(h);
	free(h->json);
	free(h->log);
	*h = (struct hyperfine){.go_fd = -1};
}
