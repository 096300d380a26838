/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fields.h"

#include <common/alloc.h>
#include <common/env.h>
#include <common/file.h>
#include <record/run.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int xcs_run_save(const struct xcs_run *run, const char *dir, struct xcs_err *err)
{
	return xcs_run_save_edited(run, dir, NULL, NULL, err);
}

int xcs_run_save_edited(const struct xcs_run *run, const char *dir,
                        char *(*edit)(const char *text, void *data), void *data,
                        struct xcs_err *err)
{
	struct json_t *top = xcs_json_object();
	struct xcs_buf text = {0};
	char *path = xcs_xasprintf("%s/run.json", dir);

	xcs_json_set_str(top, "schema", "xcsbench.run/1");
	xcs_json_set_str(top, "id", run->id);
	xcs_fields_save(xcs_run_fields, run, top);
	if (edit)
		xcs_json_edit(top, edit, data);
	xcs_json_write(top, 1, &text);
	int rc = xcs_file_write(path, text.p, text.n, err);
	xcs_json_free(top);
	xcs_buf_fini(&text);
	free(path);
	return rc;
}

/* One write(2) behind O_APPEND, so that lines of two writers never mix. */
static int append_synced(const char *path, const struct xcs_buf *line)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	int rc = 0;

	if (fd < 0)
		return -errno;
	ssize_t n = write(fd, line->p, line->n);
	if (n < 0)
		rc = -errno;
	else if ((size_t)n < line->n)
		rc = -ENOSPC; /* what a short write to a regular file means */
	if (rc == 0 && fsync(fd))
		rc = -errno;
	if (close(fd) && rc == 0)
		rc = -errno;
	return rc;
}

int xcs_events_append(const char *dir, const char *event, const char *text, struct xcs_err *err)
{
	struct json_t *object = xcs_json_object();
	struct xcs_buf line = {0};
	char *path = xcs_xasprintf("%s/events.jsonl", dir);

	xcs_json_set_i64(object, "wall_ns", xcs_wall_now_ns());
	xcs_json_set_i64(object, "mono_ns", xcs_mono_now_ns());
	xcs_json_set_str(object, "event", event);
	xcs_json_set_str(object, "text", text);
	xcs_json_write(object, 0, &line);
	int rc = append_synced(path, &line);
	if (rc)
		xcs_err_sys(err, rc, "cannot append to %s", path);
	xcs_json_free(object);
	xcs_buf_fini(&line);
	free(path);
	return rc;
}
