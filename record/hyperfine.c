/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Schema 1 is that of hyperfine 1.x, which grew: "median" came with 1.6, "parameters" took
 * the place of "parameter" with 1.11, "exit_codes" came with 1.12 (its CHANGELOG.md),
 * "memory_usage_byte" last. Schema 2, of 2.0, keeps each quantity with its unit and each run
 * by itself.
 */
#include <record/hyperfine.h>

#include <common/alloc.h>
#include <common/file.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
	SCHEMA_NEWEST = 2,
	MIB = 1024 * 1024,
	FILE_MAX_MIB = 64 /* some million runs; what is larger is something else */
};

/* Longer than any run, and far below where doubles stop to count nanoseconds. */
#define SECONDS_MAX 1e6

#define REMEDY "measure again"

static int damaged(struct xcs_err *err, size_t i, const char *what)
{
	return xcs_err_set(err, -EINVAL, "results[%zu] %s; the file is damaged, " REMEDY, i, what);
}

static char *text_dup(const json_t *j)
{
	return json_is_string(j) ? xcs_xstrdup(json_string_value(j)) : NULL;
}

/* Unknown for null and for what is not there; false for what is no time. */
static bool read_seconds(const json_t *j, double unit_s, struct xcs_num *ns)
{
	*ns = (struct xcs_num){0};
	if (!j || json_is_null(j))
		return true;
	double s = json_number_value(j) * unit_s;
	if (!json_is_number(j) || !(s >= 0 && s <= SECONDS_MAX))
		return false;
	*ns = (struct xcs_num){true, round(s * 1e9)};
	return true;
}

static struct xcs_num read_count(const json_t *j)
{
	return (struct xcs_num){json_is_number(j), json_is_number(j) ? json_number_value(j) : 0};
}

/* {"value": 0.5, "unit": "second"} of schema 2. */
static bool read_quantity(const json_t *j, struct xcs_num *ns)
{
	static const struct {
		const char *name;
		double s;
	} units[] = {
	        {"second",      1   },
	        {"millisecond", 1e-3},
	        {"microsecond", 1e-6},
	        {"nanosecond",  1e-9},
	        {"minute",      60  }
        };
	const char *unit = json_string_value(json_object_get(j, "unit"));

	*ns = (struct xcs_num){0};
	if (!j || json_is_null(j))
		return true;
	for (size_t i = 0; unit && i < ARRAY_LEN(units); i++)
		if (strcmp(unit, units[i].name) == 0)
			return read_seconds(json_object_get(j, "value"), units[i].s, ns);
	return false;
}

static struct xcs_num read_bytes(const json_t *j)
{
	const char *unit = json_string_value(json_object_get(j, "unit"));

	if (!unit || strcmp(unit, "byte"))
		return (struct xcs_num){0};
	return read_count(json_object_get(j, "value"));
}

static char *value_dup(const json_t *j)
{
	const json_t *inner = json_object_get(j, "value"); /* schema 2 */

	if (inner)
		j = inner;
	if (json_is_number(j))
		return json_dumps(j, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
	return text_dup(j);
}

static void add_parameter(struct xcs_hyperfine_result *r, const char *name, const json_t *value)
{
	char *text = value_dup(value);

	if (!text)
		return;
	r->parameters = xcs_xrealloc(r->parameters, (r->n_parameters + 1) * sizeof(*r->parameters));
	r->parameters[r->n_parameters++] =
	        (struct xcs_hyperfine_parameter){xcs_xstrdup(name), text};
}

static void read_parameters(struct xcs_hyperfine_result *r, json_t *j)
{
	json_t *parameters = json_object_get(j, "parameters");
	json_t *only = json_object_get(j, "parameter");

	for (void *at = json_object_iter(parameters); at;
	     at = json_object_iter_next(parameters, at))
		add_parameter(r, json_object_iter_key(at), json_object_iter_value(at));
	if (only)
		add_parameter(r, "parameter", only);
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Schema 1 keeps the runs in columns, some of which may lack. */
static int read_columns(struct xcs_hyperfine_result *r, const json_t *j, size_t i,
                        struct xcs_err *err)
{
	const json_t *times = json_object_get(j, "times"),
	             *codes = json_object_get(j, "exit_codes");
	const json_t *memory = json_object_get(j, "memory_usage_byte");

	r->n_runs = larger(json_array_size(times), json_array_size(codes));
	r->runs = xcs_xcalloc(r->n_runs + 1, sizeof(*r->runs));
	r->has_exit_codes = json_is_array(codes);
	for (size_t k = 0; k < r->n_runs; k++) {
		struct xcs_hyperfine_run *run = &r->runs[k];
		if (!read_seconds(json_array_get(times, k), 1, &run->real_ns))
			return damaged(err, i, "holds a time that is none");
		run->exit_status = read_count(json_array_get(codes, k));
		run->memory_bytes = read_count(json_array_get(memory, k));
	}
	return 0;
}

static int read_summary(struct xcs_hyperfine_result *r, const json_t *j, size_t i,
                        struct xcs_err *err)
{
	const struct {
		const char *key;
		struct xcs_num *ns;
	} rows[] = {
	        {"mean",   &r->mean_ns  },
                {"stddev", &r->stddev_ns},
                {"median", &r->median_ns},
	        {"min",    &r->min_ns   },
                {"max",    &r->max_ns   },
                {"user",   &r->user_ns  },
	        {"system", &r->sys_ns   },
	};

	for (size_t k = 0; k < ARRAY_LEN(rows); k++)
		if (!read_seconds(json_object_get(j, rows[k].key), 1, rows[k].ns))
			return damaged(err, i, "has a mean or a spread that is no time");
	if (!r->mean_ns.known && r->n_runs == 0)
		return damaged(err, i, "has neither a mean nor single runs");
	return 0;
}

/* Schema 2. The summary that it has beside them says nothing that these do not. */
static int read_measurements(struct xcs_hyperfine_result *r, const json_t *list, size_t i,
                             struct xcs_err *err)
{
	r->n_runs = json_array_size(list);
	r->runs = xcs_xcalloc(r->n_runs + 1, sizeof(*r->runs));
	for (size_t k = 0; k < r->n_runs; k++) {
		const json_t *m = json_array_get(list, k);
		const json_t *memory = json_object_get(m, "memory_peak_resident");
		const json_t *code = json_object_get(m, "exit_code");
		struct xcs_hyperfine_run *run = &r->runs[k];
		if (!read_quantity(json_object_get(m, "time_wall_clock"), &run->real_ns) ||
		    !read_quantity(json_object_get(m, "time_user"), &run->user_ns) ||
		    !read_quantity(json_object_get(m, "time_system"), &run->sys_ns))
			return damaged(err, i,
			               "holds a time that is none, or in a unit unknown here");
		run->memory_bytes =
		        read_bytes(memory ? memory : json_object_get(m, "peak_memory_usage"));
		run->exit_status = read_count(code);
		r->has_exit_codes = r->has_exit_codes || code;
	}
	return r->n_runs ? 0 : damaged(err, i, "has no measurements");
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The member of each run at that offset; returns how many are known. */
static size_t known_of(const struct xcs_hyperfine_result *r, size_t offset, double *into)
{
	size_t n = 0;

	for (size_t k = 0; k < r->n_runs; k++) {
		const struct xcs_num *v =
		        (const struct xcs_num *)((const char *)&r->runs[k] + offset);
		if (v->known)
			into[n++] = v->v;
	}
	return n;
}

static void fill(struct xcs_num *hole, double v)
{
	if (!hole->known)
		*hole = (struct xcs_num){true, v};
}

static double mean_of(const double *v, size_t n)
{
	double sum = 0;

	for (size_t k = 0; k < n; k++)
		sum += v[k];
	return sum / (double)n;
}

/* Fills what the file leaves out; the spread is that of the sample, as hyperfine's. */
static void summarise(struct xcs_hyperfine_result *r)
{
	double *v = xcs_xcalloc(r->n_runs + 1, sizeof(*v)), squares = 0;
	size_t n = known_of(r, offsetof(struct xcs_hyperfine_run, user_ns), v);

	if (n == r->n_runs && n)
		fill(&r->user_ns, mean_of(v, n));
	n = known_of(r, offsetof(struct xcs_hyperfine_run, sys_ns), v);
	if (n == r->n_runs && n)
		fill(&r->sys_ns, mean_of(v, n));
	n = known_of(r, offsetof(struct xcs_hyperfine_run, real_ns), v);
	if (n == r->n_runs && n) {
		double mean = mean_of(v, n);
		qsort(v, n, sizeof(*v), by_value);
		for (size_t k = 0; k < n; k++)
			squares += (v[k] - mean) * (v[k] - mean);
		fill(&r->mean_ns, mean);
		fill(&r->median_ns, (v[(n - 1) / 2] + v[n / 2]) / 2);
		fill(&r->min_ns, v[0]);
		fill(&r->max_ns, v[n - 1]);
		if (n > 1)
			fill(&r->stddev_ns, sqrt(squares / (double)(n - 1)));
	}
	free(v);
}

static int read_result(struct xcs_hyperfine_result *r, json_t *j, size_t i, struct xcs_err *err)
{
	const json_t *measurements = json_object_get(j, "measurements");

	r->command = text_dup(json_object_get(j, "command"));
	r->name = text_dup(json_object_get(j, "name"));
	if (!r->command)
		return damaged(err, i, "has no command");
	read_parameters(r, j);
	int rc = measurements ? read_measurements(r, measurements, i, err)
	                      : read_columns(r, j, i, err);
	if (rc == 0 && !measurements)
		rc = read_summary(r, j, i, err);
	if (rc == 0)
		summarise(r);
	return rc;
}

static int read_schema(struct xcs_hyperfine *out, const json_t *top, struct xcs_err *err)
{
	const json_t *metadata = json_object_get(top, "metadata");
	const json_t *version = json_object_get(top, "schema_version");
	json_int_t v = json_is_integer(version) ? json_integer_value(version) : 1;

	out->version = text_dup(json_object_get(metadata, "hyperfine_version"));
	if (v < 1 || v > SCHEMA_NEWEST)
		return xcs_err_set(err, -EINVAL,
		                   "its schema is %lld, this xcsbench reads hyperfine's 1 and %d; "
		                   "take a newer xcsbench",
		                   (long long)v, SCHEMA_NEWEST);
	out->schema = (int)v;
	return 0;
}

static int read_top(struct xcs_hyperfine *out, const json_t *top, struct xcs_err *err)
{
	const json_t *results = json_object_get(top, "results");
	size_t n = json_array_size(results);
	int rc = 0;

	if (!json_is_array(results))
		return xcs_err_set(err, -EINVAL,
		                   "JSON, but no result of hyperfine (it has no list \"results\"); "
		                   "give a file that hyperfine --export-json wrote");
	if (n == 0)
		return xcs_err_set(err, -EINVAL, "its list of results is empty; " REMEDY);
	rc = read_schema(out, top, err);
	out->results = xcs_xcalloc(n, sizeof(*out->results));
	for (size_t i = 0; rc == 0 && i < n; i++) {
		out->n_results = i + 1;
		rc = read_result(&out->results[i], json_array_get(results, i), i, err);
	}
	return rc;
}

/* Cut inside a number or a word, it is bad JSON to the library, and not short. */
static bool is_cut(struct xcs_str text, const json_error_t *why)
{
	return text.p[text.n - 1] != '}' ||
	       json_error_code(why) == json_error_premature_end_of_input;
}

/* A large file of somebody else is not worth a parser's seconds. */
#define LARGE_BYTES (1 << 20)

static bool is_foreign(struct xcs_str text)
{
	return text.n > LARGE_BYTES && !memmem(text.p, text.n, "\"results\"", 9) &&
	       !memmem(text.p, text.n, "\"measurements\"", 14);
}

static int read_json(struct xcs_hyperfine *out, struct xcs_str text, struct xcs_err *err)
{
	json_error_t why;

	if (is_foreign(text))
		return xcs_err_set(err, -EINVAL,
		                   "it is foreign (%zu bytes and no \"results\" in them); give a "
		                   "file that hyperfine --export-json wrote",
		                   text.n);
	json_t *top = json_loadb(text.p, text.n, 0, &why);

	if (!top && is_cut(text, &why))
		return xcs_err_set(err, -EINVAL, "it was cut short in line %d; " REMEDY, why.line);
	if (!top)
		return xcs_err_set(err, -EINVAL,
		                   "not JSON from line %d on (%.80s): it is damaged or foreign; "
		                   "give a file that hyperfine --export-json wrote",
		                   why.line, why.text);
	int rc = read_top(out, top, err);
	json_decref(top);
	return rc;
}

static int empty(const struct xcs_hyperfine_call *call, struct xcs_err *err)
{
	struct xcs_buf who = {0};

	xcs_buf_printf(&who, "no results: the timed command failed");
	if (call && call->command)
		xcs_buf_printf(&who, " (%.400s", call->command);
	if (call && call->command && call->exit_status.known)
		xcs_buf_printf(&who, ": exit status %.0f", call->exit_status.v);
	else if (call && call->exit_status.known)
		xcs_buf_printf(&who, " (exit status %.0f", call->exit_status.v);
	if (call && (call->command || call->exit_status.known))
		xcs_buf_putc(&who, ')');
	int rc = xcs_err_set(err, -ENODATA, "%s, of which hyperfine leaves an empty file", who.p);
	xcs_buf_fini(&who);
	return rc;
}

/* Reads a time such as "1.000" without strtod, whose point is the locale's. */
static bool read_decimal(struct xcs_str line, struct xcs_num *ns)
{
	char text[64];
	json_error_t ignored;

	if (line.n == 0 || line.n >= sizeof(text))
		return false;
	memcpy(text, line.p, line.n);
	json_t *j = json_loadb(text, line.n, JSON_DECODE_ANY, &ignored);
	bool good = json_is_number(j) && read_seconds(j, 1, ns);
	json_decref(j);
	return good;
}

/* A last line without its newline may have lost digits: 62 of 62000. */
static int read_list(struct xcs_hyperfine *out, struct xcs_str text, struct xcs_err *err)
{
	struct xcs_hyperfine_result *r = out->results = xcs_xcalloc(1, sizeof(*out->results));
	struct xcs_str line;
	size_t cap = 0;

	out->n_results = 1;
	r->command = xcs_xstrdup("");
	if (text.p[text.n - 1] != '\n')
		return xcs_err_set(err, -EINVAL,
		                   "its last line has no end, so it may be cut short; " REMEDY);
	while (xcs_str_next_line(&text, &line)) {
		r->runs = xcs_xgrow(r->runs, r->n_runs, &cap, sizeof(*r->runs));
		r->runs[r->n_runs] = (struct xcs_hyperfine_run){0};
		if (!read_decimal(xcs_str_trim(line), &r->runs[r->n_runs].real_ns))
			return xcs_err_set(err, -EINVAL,
			                   "line %zu is no number of seconds; give a file that "
			                   "hyperfine --export-json wrote, or one time a line",
			                   r->n_runs + 1);
		r->n_runs++;
	}
	summarise(r);
	return 0;
}

static int read_text(struct xcs_hyperfine *out, struct xcs_str text,
                     const struct xcs_hyperfine_call *call, struct xcs_err *err)
{
	struct xcs_str inner = xcs_str_trim(text);

	if (inner.n == 0)
		return empty(call, err);
	if (memchr(text.p, '\0', text.n))
		return xcs_err_set(
		        err, -EINVAL,
		        "it holds NUL bytes, as a file does that was not yet written when "
		        "the machine went down; " REMEDY);
	if (inner.p[0] >= '0' && inner.p[0] <= '9')
		return read_list(out, text, err);
	if (inner.p[0] != '{')
		return xcs_err_set(err, -EINVAL,
		                   "not JSON: it is foreign; give a file that hyperfine "
		                   "--export-json wrote");
	return read_json(out, inner, err);
}

int xcs_hyperfine_parse(struct xcs_hyperfine *out, struct xcs_str text,
                        const struct xcs_hyperfine_call *call, struct xcs_err *err)
{
	*out = (struct xcs_hyperfine){0};
	int rc = read_text(out, text, call, err);
	if (rc)
		xcs_hyperfine_fini(out);
	return rc;
}

static int read_file(const char *path, struct xcs_buf *text, struct xcs_err *err)
{
	struct stat st;

	if (stat(path, &st) == 0 && st.st_size > (off_t)FILE_MAX_MIB * MIB)
		return xcs_err_set(err, -EFBIG,
		                   "larger than any result of hyperfine (%d MiB); give a file that "
		                   "hyperfine --export-json wrote",
		                   FILE_MAX_MIB);
	int rc = xcs_file_read_at(AT_FDCWD, path, text);
	return rc ? xcs_err_sys(err, rc, "cannot be read") : 0;
}

int xcs_hyperfine_load(struct xcs_hyperfine *out, const char *path,
                       const struct xcs_hyperfine_call *call, struct xcs_err *err)
{
	struct xcs_buf text = {0};
	int rc = read_file(path, &text, err);

	*out = (struct xcs_hyperfine){0};
	if (rc == 0)
		rc = xcs_hyperfine_parse(out, xcs_buf_str(&text), call, err);
	if (rc)
		xcs_err_prefix(err, "%s", path);
	xcs_buf_fini(&text);
	return rc;
}

static void result_fini(struct xcs_hyperfine_result *r)
{
	for (size_t i = 0; i < r->n_parameters; i++) {
		free(r->parameters[i].name);
		free(r->parameters[i].value);
	}
	free(r->parameters);
	free(r->runs);
	free(r->command);
	free(r->name);
}

void xcs_hyperfine_fini(struct xcs_hyperfine *h)
{
	for (size_t i = 0; i < h->n_results; i++)
		result_fini(&h->results[i]);
	free(h->results);
	free(h->version);
	*h = (struct xcs_hyperfine){0};
}

bool xcs_hyperfine_is_constant(const struct xcs_hyperfine_result *r)
{
	for (size_t k = 0; k < r->n_runs; k++)
		if (!r->runs[k].real_ns.known || r->runs[k].real_ns.v != r->runs[0].real_ns.v)
			return false;
	return r->n_runs >= 3;
}
