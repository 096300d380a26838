/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <common/task.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Fields behind the name, counted as proc(5) counts them. */
enum {
	FIELD_STATE = 3,
	FIELD_PPID = 4,
	FIELD_TTY = 7,
	FIELD_NICE = 19,
	FIELD_START = 22
};

static int parse_fields(struct xcs_str rest, struct xcs_task_id *out)
{
	struct xcs_str word;
	int64_t v;

	for (int field = FIELD_STATE; field <= FIELD_START; field++) {
		if (!xcs_str_next_word(&rest, &word))
			return -EINVAL;
		if (field == FIELD_STATE) {
			out->state = word.p[0];
			continue;
		}
		bool wanted = field == FIELD_PPID || field == FIELD_TTY || field == FIELD_NICE;
		if (wanted && xcs_str_i64(word, &v))
			return -EINVAL;
		if (field == FIELD_PPID)
			out->ppid = (pid_t)v;
		else if (field == FIELD_TTY)
			out->tty_major = (int)(v >> 8 & 0xfff); /* new_encode_dev, linux/kdev_t.h */
		else if (field == FIELD_NICE)
			out->nice = (int)v;
		else if (field == FIELD_START && xcs_str_u64(word, &out->start_ticks))
			return -EINVAL;
	}
	return 0;
}

int xcs_task_id_parse(struct xcs_str text, struct xcs_task_id *out)
{
	const char *open = memchr(text.p, '(', text.n);
	const char *close = memrchr(text.p, ')', text.n);
	int64_t tid;

	*out = (struct xcs_task_id){0};
	if (!open || !close || close < open)
		return -EINVAL;
	struct xcs_str head = {text.p, (size_t)(open - text.p)};
	if (xcs_str_i64(xcs_str_trim(head), &tid))
		return -EINVAL;
	out->tid = (pid_t)tid;
	size_t n = (size_t)(close - open) - 1;
	if (n >= sizeof(out->comm))
		n = sizeof(out->comm) - 1;
	memcpy(out->comm, open + 1, n);
	struct xcs_str rest = {close + 1, (size_t)(text.p + text.n - close) - 1};
	return parse_fields(rest, out);
}

int xcs_task_id_read(const struct xcs_env *env, pid_t pid, pid_t tid, struct xcs_task_id *out)
{
	char rel[64];
	struct xcs_buf text = {0};

	snprintf(rel, sizeof(rel), "%d/task/%d/stat", (int)pid, (int)tid);
	int rc = xcs_proc_read(env, rel, &text);
	if (rc == 0)
		rc = xcs_task_id_parse(xcs_buf_str(&text), out);
	xcs_buf_fini(&text);
	return rc;
}

static int by_number(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

int xcs_task_list(const struct xcs_env *env, pid_t pid, pid_t **tids, size_t *cap)
{
	char rel[64];
	size_t n = 0;
	struct dirent *e;
	int64_t tid;

	snprintf(rel, sizeof(rel), "%d/task", (int)pid);
	int fd = openat(env->proc_fd, rel, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		int rc = -errno;
		if (fd >= 0)
			close(fd);
		return rc;
	}
	while ((e = readdir(dir))) {
		if (xcs_str_i64(xcs_str(e->d_name), &tid))
			continue;
		*tids = xcs_xgrow(*tids, n, cap, sizeof(**tids));
		(*tids)[n++] = (pid_t)tid;
	}
	closedir(dir);
	if (n)
		qsort(*tids, n, sizeof(**tids), by_number);
	return n ? (int)n : -ESRCH;
}

bool xcs_task_is_alive(const struct xcs_env *env, pid_t pid, uint64_t start_ticks)
{
	struct xcs_task_id id;

	return xcs_task_id_read(env, pid, pid, &id) == 0 && id.start_ticks == start_ticks &&
	       id.state != 'Z' && id.state != 'X';
}

bool xcs_task_uids_parse(struct xcs_str status, uid_t *uid, uid_t *euid)
{
	struct xcs_str line, word;
	uint64_t v[2];

	while (xcs_str_next_line(&status, &line)) {
		if (!xcs_str_starts(line, "Uid:"))
			continue;
		line = (struct xcs_str){line.p + 4, line.n - 4};
		for (int i = 0; i < 2; i++)
			if (!xcs_str_next_word(&line, &word) || xcs_str_u64(word, &v[i]) ||
			    v[i] > UINT32_MAX)
				return false;
		*uid = (uid_t)v[0], *euid = (uid_t)v[1];
		return true;
	}
	return false;
}
