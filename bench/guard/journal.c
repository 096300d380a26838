/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "journal.h"

#include "kinds.h"
#include "screen.h"

#include <common/alloc.h>
#include <common/file.h>
#include <common/ulid.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUM_CHARS 18 /* " #" and 16 digits */

/* Fowler-Noll-Vo, variant 1a, 64 bits (RFC 9923). */
static uint64_t checksum(struct xcs_str s)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * UINT64_C(0x100000001b3);
	return h;
}

static void end_line(struct xcs_buf *b, size_t start)
{
	uint64_t sum = checksum((struct xcs_str){b->p + start, b->n - start});

	xcs_buf_printf(b, " #%016llx\n", (unsigned long long)sum);
}

static void add_path(struct xcs_buf *b, const char *path)
{
	for (const unsigned char *c = (const unsigned char *)path; *c; c++) {
		if (*c <= ' ' || *c == '%' || *c == 0x7f)
			xcs_buf_printf(b, "%%%02X", *c);
		else
			xcs_buf_putc(b, (char)*c);
	}
}

static void format_identity(const struct undo_item *item, struct xcs_buf *b)
{
	if (item->kind == UNDO_DIR)
		xcs_buf_printf(b, "%s %llu %llu", undo_kind_word(item->kind),
		               (unsigned long long)item->dev, (unsigned long long)item->ino);
	else
		xcs_buf_printf(b, "%s %d %llu", undo_kind_word(item->kind), (int)item->pid,
		               (unsigned long long)item->pid_start_ticks);
}

static void format_item(const struct undo_item *item, struct xcs_buf *b)
{
	const struct undo_value *values[] = {&item->before, &item->was, &item->now};
	size_t start = b->n;

	format_identity(item, b);
	if (item->kind == UNDO_DIR) {
		xcs_buf_putc(b, ' ');
		add_path(b, item->path);
	} else if (item->kind < UNDO_N_VALUES) {
		xcs_buf_printf(b, " %d %llu %d", (int)item->tid,
		               (unsigned long long)item->tid_start_ticks, item->policy);
		for (size_t i = 0; i < ARRAY_LEN(values); i++) {
			xcs_buf_putc(b, ' ');
			undo_value_format(item->kind, values[i], b);
		}
		if (item->path) {
			xcs_buf_putc(b, ' ');
			add_path(b, item->path);
		}
	}
	end_line(b, start);
}

static int append(struct journal *j, struct xcs_buf *b, struct xcs_err *err)
{
	const off_t n = (off_t)b->n;
	int rc = lseek(j->fd, j->good_end, SEEK_SET) < 0 ? -errno : 0;

	if (rc == 0)
		rc = xcs_fd_write_all(j->fd, b->p, b->n);
	if (rc == 0 && fdatasync(j->fd))
		rc = -errno;
	xcs_buf_fini(b);
	if (rc == 0) {
		j->good_end += n;
		return 0;
	}
	/* What is half written must not stand before the next record. Should this fail as
	 * well, the next append overwrites it and the checksum tells. */
	(void)!ftruncate(j->fd, j->good_end);
	return xcs_err_sys(err, rc, "cannot write the undo journal %s, so nothing was changed",
	                   j->path);
}

int journal_add_items(struct journal *j, const struct undo_item *items, size_t n,
                      struct xcs_err *err)
{
	struct xcs_buf b = {0};

	for (size_t i = 0; i < n; i++)
		format_item(&items[i], &b);
	return append(j, &b, err);
}

int journal_add_undone(struct journal *j, const struct undo_item *item, struct xcs_err *err)
{
	struct xcs_buf b = {0};

	xcs_buf_puts(&b, "un");
	format_identity(item, &b);
	end_line(&b, 0);
	return append(j, &b, err);
}

int journal_add_restored(struct journal *j, struct xcs_err *err)
{
	struct xcs_buf b = {0};

	xcs_buf_puts(&b, "restored");
	end_line(&b, 0);
	return append(j, &b, err);
}

static int write_head(struct journal *j, const struct journal_head *head, struct xcs_err *err)
{
	struct xcs_buf b = {0};

	xcs_buf_printf(&b, "xcs-undo 1 %s %d %llu %d %llu", head->boot_id[0] ? head->boot_id : "-",
	               (int)head->guard_pid, (unsigned long long)head->guard_start_ticks,
	               (int)head->owner_pid, (unsigned long long)head->owner_start_ticks);
	end_line(&b, 0);
	return append(j, &b, err);
}

/* Under a hidden name until it is locked and has its first line: nobody sees it half made. */
int journal_create(struct journal *j, const char *dir, const struct journal_head *head,
                   struct xcs_err *err)
{
	char id[XCS_ULID_LEN + 1];
	int rc = xcs_dir_make(dir, 0700, err);

	*j = (struct journal){.fd = -1};
	if (rc)
		return rc;
	xcs_ulid_make(xcs_wall_now_ns(), id);
	char *temp = xcs_xasprintf("%s/.%s", dir, id);
	j->path = xcs_xasprintf("%s/%s.undo", dir, id);
	j->fd = open(temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (j->fd < 0 || flock(j->fd, LOCK_EX | LOCK_NB))
		rc = xcs_err_sys(err, -errno, "cannot make an undo journal in %s", dir);
	if (rc == 0)
		rc = write_head(j, head, err);
	if (rc == 0 && (rename(temp, j->path) || xcs_file_sync_parent(j->path)))
		rc = xcs_err_sys(err, -errno, "cannot make the undo journal %s", j->path);
	if (rc) {
		unlink(temp);
		journal_close(j);
	}
	free(temp);
	return rc;
}

/* Takes " #SUM" off the line; false when it is not the sum of the rest. */
static bool take_sum(struct xcs_str *line)
{
	char want[SUM_CHARS + 1];

	if (line->n < SUM_CHARS)
		return false;
	line->n -= SUM_CHARS;
	snprintf(want, sizeof(want), " #%016llx", (unsigned long long)checksum(*line));
	return memcmp(line->p + line->n, want, SUM_CHARS) == 0;
}

static int next_u64(struct xcs_str *rest, uint64_t *out)
{
	struct xcs_str word;

	return xcs_str_next_word(rest, &word) ? xcs_str_u64(word, out) : -EINVAL;
}

static int next_pid(struct xcs_str *rest, pid_t *pid, uint64_t *start_ticks)
{
	uint64_t v;

	if (next_u64(rest, &v) || v > INT32_MAX)
		return -EINVAL;
	*pid = (pid_t)v;
	return next_u64(rest, start_ticks);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static char *path_dup(struct xcs_str text)
{
	char *path = xcs_xmalloc(text.n + 1), *to = path;

	for (size_t i = 0; i < text.n; i++) {
		int high = i + 2 < text.n && text.p[i] == '%' ? hex_digit(text.p[i + 1]) : -1;
		int low = high >= 0 ? hex_digit(text.p[i + 2]) : -1;
		*to++ = (char)(low >= 0 ? high * 16 + low : text.p[i]);
		i += low >= 0 ? 2 : 0;
	}
	*to = '\0';
	return path;
}

static int parse_values(struct xcs_str *rest, struct undo_item *item)
{
	struct undo_value *const values[] = {&item->before, &item->was, &item->now};
	struct xcs_str word;
	int64_t policy;

	if (next_pid(rest, &item->tid, &item->tid_start_ticks) || !xcs_str_next_word(rest, &word) ||
	    xcs_str_i64(word, &policy))
		return -EINVAL;
	item->policy = (int)policy;
	for (size_t i = 0; i < ARRAY_LEN(values); i++)
		if (!xcs_str_next_word(rest, &word) ||
		    undo_value_parse(item->kind, word, values[i]))
			return -EINVAL;
	return 0;
}

static int parse_identity(struct xcs_str word, struct xcs_str *rest, struct undo_item *item)
{
	for (enum undo_kind k = 0; k <= UNDO_DIR; k++) {
		if (!xcs_str_is(word, undo_kind_word(k)))
			continue;
		item->kind = k;
		if (k == UNDO_DIR)
			return next_u64(rest, &item->dev) || next_u64(rest, &item->ino) ? -EINVAL
			                                                                : 0;
		return next_pid(rest, &item->pid, &item->pid_start_ticks);
	}
	return -EINVAL;
}

static int parse_record(struct xcs_str rest, struct undo_list *list)
{
	struct undo_item item = {0};
	struct xcs_str word = {0};

	xcs_str_next_word(&rest, &word);
	if (xcs_str_is(word, "restored")) {
		undo_list_drop_values(list);
		return 0;
	}
	if (xcs_str_starts(word, "un")) {
		struct xcs_str of = {word.p + 2, word.n - 2};
		if (parse_identity(of, &rest, &item))
			return -EINVAL;
		undo_list_drop(list, &item);
		return 0;
	}
	if (parse_identity(word, &rest, &item))
		return -EINVAL;
	if (item.kind < UNDO_N_VALUES && parse_values(&rest, &item))
		return -EINVAL;
	if (item.kind == UNDO_DIR || screen_is(item.kind)) {
		if (!xcs_str_next_word(&rest, &word))
			return -EINVAL;
		item.path = path_dup(word);
	}
	undo_list_put(list, &item);
	return 0;
}

static int parse_head(struct xcs_str rest, struct journal_head *head, struct xcs_err *err)
{
	struct xcs_str word = {0};
	uint64_t version;

	xcs_str_next_word(&rest, &word);
	if (!xcs_str_is(word, "xcs-undo") || next_u64(&rest, &version))
		return xcs_err_set(err, -EINVAL, "this is no undo journal");
	if (version != 1)
		return xcs_err_set(err, -EINVAL,
		                   "format %llu is newer than this xcsbench; use the version "
		                   "that wrote it",
		                   (unsigned long long)version);
	if (!xcs_str_next_word(&rest, &word) ||
	    next_pid(&rest, &head->guard_pid, &head->guard_start_ticks) ||
	    next_pid(&rest, &head->owner_pid, &head->owner_start_ticks))
		return xcs_err_set(err, -EINVAL, "its first line is damaged");
	snprintf(head->boot_id, sizeof(head->boot_id), "%.*s",
	         (int)(word.n < sizeof(head->boot_id) ? word.n : sizeof(head->boot_id) - 1),
	         word.p);
	return 0;
}

int journal_parse(struct xcs_str text, struct journal_text *out, struct xcs_err *err)
{
	struct xcs_str line = {0};

	*out = (struct journal_text){0};
	if (!xcs_str_next_line(&text, &line) || !take_sum(&line))
		return xcs_err_set(err, -EINVAL, "its first line is damaged or missing");
	int rc = parse_head(line, &out->head, err);
	while (rc == 0 && xcs_str_next_line(&text, &line)) {
		bool whole = take_sum(&line) && parse_record(line, &out->list) == 0;
		if (!whole && text.n)
			out->n_bad_lines++;
		out->torn = !whole && !text.n;
	}
	return rc;
}

void journal_text_fini(struct journal_text *t)
{
	undo_list_fini(&t->list);
}

int journal_open(struct journal *j, const char *path, struct xcs_err *err)
{
	struct stat st;

	*j = (struct journal){.fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)};
	if (j->fd < 0)
		return xcs_err_sys(err, -errno, "cannot open the undo journal %s", path);
	int rc = flock(j->fd, LOCK_EX | LOCK_NB) ? -errno : 0;
	if (rc == -EWOULDBLOCK)
		rc = xcs_err_set(err, -EBUSY, "%s: its run is still going on", path);
	else if (rc)
		xcs_err_sys(err, rc, "cannot lock the undo journal %s", path);
	else if (fstat(j->fd, &st) || st.st_nlink == 0)
		rc = xcs_err_set(err, -ENOENT, "%s: has been dealt with meanwhile", path);
	if (rc) {
		close(j->fd);
		j->fd = -1;
		return rc;
	}
	j->path = xcs_xstrdup(path);
	return 0;
}

void journal_remove(struct journal *j)
{
	unlink(j->path);
	xcs_file_sync_parent(j->path);
	journal_close(j);
}

void journal_close(struct journal *j)
{
	if (j->path && j->fd >= 0)
		close(j->fd);
	free(j->path);
	*j = (struct journal){.fd = -1};
}

void journal_boot_id(const struct xcs_env *env, char out[40])
{
	struct xcs_buf text = {0};
	int rc = xcs_proc_read(env, "sys/kernel/random/boot_id", &text);
	struct xcs_str id = xcs_str_trim(xcs_buf_str(&text));

	out[0] = '\0';
	if (rc == 0 && id.n < 40) {
		memcpy(out, id.p, id.n);
		out[id.n] = '\0';
	}
	xcs_buf_fini(&text);
}
