/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/file.h>
#include <record/json.h>
#include <record/trial.h>

#include <endian.h>

static struct json_t *task_json(const struct xcs_trial_task *task)
{
	struct json_t *j = xcs_json_object();

	xcs_json_set_i64(j, "pid", task->pid);
	xcs_json_set_i64(j, "tid", task->tid);
	xcs_json_set_i64(j, "start_ticks", (int64_t)task->start_ticks);
	xcs_json_set_str(j, "role", task->role);
	xcs_json_set_str(j, "comm", task->comm);
	return j;
}

static struct json_t *strs_json(char *const *v, size_t n)
{
	struct json_t *j = xcs_json_array();

	for (size_t i = 0; i < n; i++)
		xcs_json_append_str(j, v[i]);
	return j;
}

static struct json_t *table_json(const struct xcs_table *table)
{
	struct json_t *j = xcs_json_object();

	xcs_json_set_str(j, "name", table->name);
	xcs_json_set(j, "columns", strs_json(table->columns, table->n_columns));
	xcs_json_set_i64(j, "n_rows", (int64_t)table->n_rows);
	return j;
}

static void write_header(const struct xcs_trial_data *t, struct xcs_buf *out)
{
	struct json_t *top = xcs_json_object();
	struct json_t *tasks = xcs_json_array();
	struct json_t *tables = xcs_json_array();

	xcs_json_set_i64(top, "period_ns", t->period_ns);
	xcs_json_set_i64(top, "ticks_per_s", t->ticks_per_s);
	xcs_json_set_str(top, "cpus", t->cpus);
	xcs_json_set_str(top, "observer_class", t->observer_class);
	for (size_t i = 0; i < t->n_tasks; i++)
		xcs_json_append(tasks, task_json(&t->tasks[i]));
	xcs_json_set(top, "tasks", tasks);
	xcs_json_set(top, "page_roles", strs_json(t->page_roles, t->n_page_roles));
	xcs_json_set(top, "events", strs_json(t->events, t->n_events));
	for (int i = 0; i < XCS_N_TRIAL_TABLES; i++)
		xcs_json_append(tables, table_json(&t->tables[i]));
	xcs_json_set(top, "tables", tables);
	xcs_json_write(top, 0, out);
	xcs_json_free(top);
}

static void write_cells(const struct xcs_table *table, struct xcs_buf *out)
{
	size_t n = table->n_rows * table->n_columns;

	xcs_buf_reserve(out, n * sizeof(uint64_t));
	for (size_t i = 0; i < n; i++) {
		uint64_t le = htole64((uint64_t)table->cells[i]);
		xcs_buf_add(out, &le, sizeof(le));
	}
}

int xcs_trial_save(const struct xcs_trial_data *t, const char *path, struct xcs_err *err)
{
	struct xcs_buf header = {0}, out = {0};

	write_header(t, &header);
	xcs_buf_printf(&out, "xcsbench.trial/1\n%010zu\n", header.n);
	xcs_buf_add(&out, header.p, header.n);
	for (int i = 0; i < XCS_N_TRIAL_TABLES; i++)
		write_cells(&t->tables[i], &out);
	xcs_buf_puts(&out, "end\n");
	int rc = xcs_file_write(path, out.p, out.n, err);
	xcs_buf_fini(&header);
	xcs_buf_fini(&out);
	return rc;
}
