/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "runner_record.h"

#include <common/alloc.h>
#include <common/file.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

int runner_save(struct runner *r, struct xcs_err *err)
{
	int rc = xcs_user_enter(&r->user, err);
	if (rc)
		return rc;
	rc = xcs_run_save_edited(&r->run, r->run_dir, r->options->anonymous ? anonymous_edit : NULL,
	                         &r->names, err);
	xcs_user_leave(&r->user);
	return rc;
}

int runner_tell(struct runner *r, const char *event, const char *text, struct xcs_err *err)
{
	int rc = xcs_user_enter(&r->user, err);

	if (rc)
		return rc;
	char *clean = r->options->anonymous ? anonymous_edit(text, &r->names) : NULL;
	rc = xcs_events_append(r->run_dir, event, clean ? clean : text, err);
	free(clean);
	xcs_user_leave(&r->user);
	return rc;
}

enum {
	RESERVE_BYTES = 256 * 1024 /* a run.json of hundreds of trials */
};

static char *reserve_path_dup(const struct runner *r)
{
	return xcs_xasprintf("%s/.reserve", r->run_dir);
}

/* Takes room on the disk that the last save will need to say why a run ended. */
static int reserve(struct runner *r, struct xcs_err *err)
{
	int rc = xcs_user_enter(&r->user, err);

	if (rc)
		return rc;
	char *path = reserve_path_dup(r);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	rc = fd < 0 ? -errno : -posix_fallocate(fd, 0, RESERVE_BYTES);
	if (fd >= 0)
		close(fd);
	if (rc)
		xcs_err_sys(err, rc, "cannot reserve room in %s", r->run_dir);
	free(path);
	xcs_user_leave(&r->user);
	return rc;
}

void runner_give_back_reserve(const struct runner *r)
{
	char *path = reserve_path_dup(r);

	unlink(path);
	free(path);
}

static char *run_dir_dup(const struct runner *r)
{
	if (r->options->output)
		return xcs_xstrdup(r->options->output);
	char *runs = xcs_path_runs_dup(&r->user);
	char *dir = xcs_xasprintf("%s/%s", runs, r->run.id);
	free(runs);
	return dir;
}

/* True when the folder is there and holds anything. */
static bool is_filled(const char *dir)
{
	DIR *d = opendir(dir);
	const struct dirent *e;
	bool filled = false;

	while (d && !filled && (e = readdir(d)))
		filled = strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
	if (d)
		closedir(d);
	return filled;
}

/* With the user's rights; sets r->run_dir once there is something to remove again. */
static int make_run_dir(struct runner *r, const char *dir, struct xcs_err *err)
{
	char *trials = xcs_xasprintf("%s/trials", dir);
	int rc = xcs_user_enter(&r->user, err);

	if (rc == 0 && is_filled(dir))
		rc = xcs_err_set(err, -EEXIST,
		                 "%s is not empty; give --output a folder that does not exist",
		                 dir);
	if (rc == 0)
		rc = xcs_dir_make(trials, 0755, err);
	if (rc == 0)
		r->run_dir = xcs_xstrdup(dir);
	xcs_user_leave(&r->user);
	free(trials);
	return rc;
}

int runner_lock_record(const char *dir, struct xcs_err *err)
{
	/* Never closed: it is held for as long as we live, and no child inherits it. */
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
		return 0;
	if (fd >= 0 && errno == EWOULDBLOCK)
		return xcs_err_set(err, -EBUSY, "%s: the run is still under way", dir);
	return xcs_err_sys(err, -errno, "cannot lock %s", dir);
}

int runner_reopen_record(struct runner *r, const char *dir, struct xcs_err *err)
{
	r->run_dir = xcs_xstrdup(dir);
	int rc = reserve(r, err);

	if (rc == 0)
		rc = runner_tell(r, "resumed", "gone on with", err);
	return rc ? rc : runner_save(r, err);
}

int runner_begin_record(struct runner *r, struct xcs_err *err)
{
	char *dir = run_dir_dup(r);
	int rc = make_run_dir(r, dir, err);

	if (rc == 0)
		rc = runner_lock_record(dir, err);
	free(dir);
	if (rc == 0)
		rc = reserve(r, err);
	return rc ? rc : runner_save(r, err);
}

void runner_remove_record(struct runner *r)
{
	static const char *const files[] = {"run.json", "events.jsonl", "trials", "hyperfine",
	                                    ".reserve"};
	struct xcs_err ignored;

	if (xcs_user_enter(&r->user, &ignored))
		return;
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		char *path = xcs_xasprintf("%s/%s", r->run_dir, files[i]);
		if (unlink(path))
			rmdir(path);
		free(path);
	}
	rmdir(r->run_dir); /* stays when the user keeps other things there */
	xcs_user_leave(&r->user);
	free(r->run_dir);
	r->run_dir = NULL;
}
