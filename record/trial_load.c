/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <common/file.h>
#include <record/trial.h>

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC      "xcsbench.trial/"
#define END        "end\n"
#define LENGTH_LEN 10 /* digits of the header's length */

static int damaged(struct xcs_err *err, const char *what)
{
	return xcs_err_set(err, -EINVAL, "%s; the file is damaged, measure this trial again", what);
}

static int cut_short(struct xcs_err *err)
{
	return xcs_err_set(err, -EINVAL,
	                   "its end is missing; the file was cut short, measure this trial again");
}

/* Takes the magic line off the front; the number behind the slash is the major version. */
static int take_magic(struct xcs_str *rest, struct xcs_err *err)
{
	struct xcs_str line;
	uint64_t version;

	if (!xcs_str_starts(*rest, MAGIC))
		return xcs_err_set(
		        err, -EINVAL,
		        "not a trial of xcsbench; give a file from a run's trials folder");
	if (!xcs_str_next_line(rest, &line) || !rest->n)
		return cut_short(err);
	line.p += strlen(MAGIC);
	line.n -= strlen(MAGIC);
	if (xcs_str_u64(line, &version))
		return damaged(err, "its version is not a number");
	if (version != 1)
		return xcs_err_set(err, -EINVAL,
		                   "its format is " MAGIC "%llu, this xcsbench reads " MAGIC
		                   "1; use the xcsbench that wrote it or a newer one",
		                   (unsigned long long)version);
	return 0;
}

static int take_header(struct xcs_str *rest, struct xcs_str *header, struct xcs_err *err)
{
	struct xcs_str digits;
	uint64_t n;

	if (rest->n <= LENGTH_LEN)
		return cut_short(err);
	if (!xcs_str_next_line(rest, &digits) || digits.n != LENGTH_LEN || xcs_str_u64(digits, &n))
		return damaged(err, "the length of its header is no number");
	if (n > rest->n)
		return cut_short(err);
	*header = (struct xcs_str){rest->p, (size_t)n};
	rest->p += n;
	rest->n -= (size_t)n;
	return 0;
}

static char *str_dup(const json_t *j)
{
	return json_is_string(j) ? xcs_xstrdup(json_string_value(j)) : NULL;
}

static void copy_text(char *out, size_t size, const json_t *j)
{
	const char *text = json_string_value(j);
	size_t n = text ? strnlen(text, size - 1) : 0;

	if (n)
		memcpy(out, text, n);
	out[n] = '\0';
}

static bool is_pid(const json_t *j)
{
	return json_is_integer(j) && json_integer_value(j) > 0 && json_integer_value(j) <= INT_MAX;
}

static int load_task(struct xcs_trial_data *t, const json_t *j, struct xcs_err *err)
{
	const json_t *pid = json_object_get(j, "pid"), *tid = json_object_get(j, "tid");
	const json_t *start = json_object_get(j, "start_ticks");
	struct xcs_trial_task task = {0};

	if (!is_pid(pid) || !is_pid(tid) || !json_is_integer(start))
		return damaged(err, "a task lacks its pid, tid or start time");
	task.pid = (pid_t)json_integer_value(pid);
	task.tid = (pid_t)json_integer_value(tid);
	task.start_ticks = (uint64_t)json_integer_value(start);
	copy_text(task.role, sizeof(task.role), json_object_get(j, "role"));
	copy_text(task.comm, sizeof(task.comm), json_object_get(j, "comm"));
	xcs_trial_add_task(t, &task);
	return 0;
}

static int load_lists(struct xcs_trial_data *t, const json_t *top, struct xcs_err *err)
{
	const json_t *tasks = json_object_get(top, "tasks");
	const json_t *roles = json_object_get(top, "page_roles");
	const json_t *events = json_object_get(top, "events");
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < json_array_size(tasks); i++)
		rc = load_task(t, json_array_get(tasks, i), err);
	for (size_t i = 0; rc == 0 && i < json_array_size(roles); i++) {
		const char *role = json_string_value(json_array_get(roles, i));
		if (!role)
			return damaged(err, "a counter page lacks its role");
		xcs_trial_add_page(t, role);
	}
	for (size_t i = 0; rc == 0 && i < json_array_size(events); i++) {
		const char *text = json_string_value(json_array_get(events, i));
		xcs_trial_add_event(t, text ? text : "?");
	}
	return rc;
}

static int load_numbers(struct xcs_trial_data *t, const json_t *top, struct xcs_err *err)
{
	t->period_ns = json_integer_value(json_object_get(top, "period_ns"));
	t->ticks_per_s = json_integer_value(json_object_get(top, "ticks_per_s"));
	t->cpus = str_dup(json_object_get(top, "cpus"));
	t->observer_class = str_dup(json_object_get(top, "observer_class"));
	if (t->period_ns <= 0 || t->ticks_per_s <= 0 || t->ticks_per_s > 1000000)
		return damaged(err, "its header lacks the period or the tick rate");
	return 0;
}

static struct xcs_table *table_named(struct xcs_trial_data *t, const char *name)
{
	for (int i = 0; i < XCS_N_TRIAL_TABLES; i++)
		if (strcmp(t->tables[i].name, name) == 0)
			return &t->tables[i];
	return NULL;
}

/* Columns go to where this version keeps them; those that it does not know are dropped. */
static void load_cells(struct xcs_table *table, const json_t *columns, size_t n_rows,
                       const char *cells)
{
	size_t n_columns = json_array_size(columns);
	int *to = xcs_xcalloc(n_columns, sizeof(*to));

	for (size_t c = 0; c < n_columns; c++)
		to[c] = xcs_table_column(table, json_string_value(json_array_get(columns, c)));
	for (size_t r = 0; r < n_rows; r++) {
		int64_t *row = xcs_table_add_row(table);
		for (size_t c = 0; c < n_columns; c++, cells += sizeof(uint64_t)) {
			uint64_t le;
			memcpy(&le, cells, sizeof(le));
			if (to[c] >= 0)
				row[to[c]] = (int64_t)le64toh(le);
		}
	}
	free(to);
}

static bool all_are_strings(const json_t *array)
{
	for (size_t i = 0; i < json_array_size(array); i++)
		if (!json_is_string(json_array_get(array, i)))
			return false;
	return json_array_size(array) > 0;
}

static int load_table(struct xcs_trial_data *t, const json_t *j, struct xcs_str *rest,
                      struct xcs_err *err)
{
	const char *name = json_string_value(json_object_get(j, "name"));
	const json_t *columns = json_object_get(j, "columns");
	const json_t *rows = json_object_get(j, "n_rows");
	size_t n_bytes;

	if (!name || !all_are_strings(columns) || !json_is_integer(rows) ||
	    json_integer_value(rows) < 0)
		return damaged(err, "a table lacks its name, columns or number of rows");
	size_t n_rows = (size_t)json_integer_value(rows);
	if (__builtin_mul_overflow(n_rows, json_array_size(columns) * sizeof(uint64_t), &n_bytes) ||
	    n_bytes > rest->n)
		return cut_short(err);
	struct xcs_table *table = table_named(t, name);
	if (table && table->n_rows)
		return damaged(err, "it holds a table twice");
	if (table)
		load_cells(table, columns, n_rows, rest->p);
	rest->p += n_bytes;
	rest->n -= n_bytes;
	return 0;
}

/* Every row has its time; rows that name a task or a page name one that there is. */
static int check_rows(const struct xcs_table *table, int index_column, size_t n,
                      struct xcs_err *err)
{
	for (size_t r = 0; r < table->n_rows; r++) {
		int64_t index = index_column < 0 ? 0 : xcs_table_get(table, r, index_column);
		if (xcs_table_get(table, r, 0) < 0)
			return damaged(err, "a row has no time");
		if (index_column >= 0 && (index < 0 || (uint64_t)index >= n))
			return damaged(err, "a row names a task or a page that is not there");
	}
	return 0;
}

static int check(const struct xcs_trial_data *t, struct xcs_err *err)
{
	const struct xcs_table *tables = t->tables;
	int rc = check_rows(&tables[XCS_TRIAL_SYSTEM], -1, 0, err);

	if (rc == 0)
		rc = check_rows(&tables[XCS_TRIAL_OBSERVER], -1, 0, err);
	if (rc == 0)
		rc = check_rows(&tables[XCS_TRIAL_TASK], XCS_TASK_INDEX, t->n_tasks, err);
	if (rc == 0)
		rc = check_rows(&tables[XCS_TRIAL_IO], XCS_IO_TASK_INDEX, t->n_tasks, err);
	if (rc == 0)
		rc = check_rows(&tables[XCS_TRIAL_COUNTER], XCS_COUNTER_PAGE, t->n_page_roles, err);
	return rc;
}

static int load_body(struct xcs_trial_data *t, const json_t *top, struct xcs_str rest,
                     struct xcs_err *err)
{
	const json_t *tables = json_object_get(top, "tables");
	int rc = load_numbers(t, top, err);

	if (rc == 0)
		rc = load_lists(t, top, err);
	if (rc == 0 && !json_array_size(tables))
		rc = damaged(err, "its header names no table");
	for (size_t i = 0; rc == 0 && i < json_array_size(tables); i++)
		rc = load_table(t, json_array_get(tables, i), &rest, err);
	if (rc == 0 && !xcs_str_is(rest, END))
		rc = rest.n < strlen(END)
		             ? cut_short(err)
		             : damaged(err, "there is more in it than its header says");
	return rc ? rc : check(t, err);
}

static int load_text(struct xcs_trial_data *t, struct xcs_str rest, struct xcs_err *err)
{
	struct xcs_str header = {0};
	int rc = take_magic(&rest, err);

	if (rc == 0)
		rc = take_header(&rest, &header, err);
	if (rc)
		return rc;
	json_t *top = json_loadb(header.p, header.n, 0, NULL);
	rc = top ? load_body(t, top, rest, err) : damaged(err, "its header is not JSON");
	json_decref(top);
	return rc;
}

int xcs_trial_load(struct xcs_trial_data *t, const char *path, struct xcs_err *err)
{
	static const size_t no_hint[XCS_N_TRIAL_TABLES];
	struct xcs_buf text = {0};
	int rc = xcs_file_read_at(AT_FDCWD, path, &text);

	xcs_trial_init(t, no_hint);
	if (rc) {
		xcs_err_sys(err, rc, "cannot read %s", path);
	} else {
		rc = load_text(t, xcs_buf_str(&text), err);
		if (rc)
			xcs_err_prefix(err, "%s", path);
	}
	if (rc)
		xcs_trial_fini(t);
	xcs_buf_fini(&text);
	return rc;
}
