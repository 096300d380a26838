/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <scenario/scenario.h>

#include <scenario/command.h>

#include <common/alloc.h>
#include <common/paths.h>
#include <common/units.h>

#include <dirent.h>
#include <errno.h>
#include <libconfig.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const scenario_load_kinds[] = {"xterm", "flood", "pipe", NULL};
const char *const scenario_feeders[] = {"lines", "yes", "command", NULL};
const char *const scenario_scrolls[] = {"jump", "line", NULL};
static const char *const timers[] = {"once", "hyperfine", NULL};
static const char *const sizes[] = {"historic", "scaled", NULL};
static const char *const tree_kinds[] = {"flat", "nested", NULL};

#define SUFFIX ".cfg"

enum key_type {
	KEY_TEXT,        /* char *, owned */
	KEY_WORD,        /* char *, one of `choices` */
	KEY_INT,         /* int in min..max */
	KEY_BOOL,        /* bool */
	KEY_SECONDS,     /* int64_t ns; min..max in seconds */
	KEY_NICES,       /* struct xcs_ints, each in min..max */
	KEY_INTS,        /* the same, of numbers that are no nice levels */
	KEY_CLIENT_NICE, /* of struct xcs_run_load: one level or a list */
	KEY_TREE,        /* struct tree_spec */
	KEY_LOADS
};

struct key {
	const char *name;
	enum key_type type;
	size_t offset;
	int min, max;
	const char *const *choices;
	bool required;
};

struct top {
	char *title, *experiment;
	struct scenario scenario;
	bool since_boot;
	int n_repetitions;
	int64_t sample_ns, settle_ns;
};

struct tree_text {
	char *kind;
	struct tree_spec spec;
};

#define TOP(member)         .offset = offsetof(struct top, member)
#define LOAD(member)        .offset = offsetof(struct xcs_run_load, member)
#define TREE(member)        .offset = offsetof(struct tree_text, member)
#define WITHIN(least, most) .min = (least), .max = (most)

static const struct key top_keys[] = {
        {"title",             KEY_TEXT, TOP(title), .required = true},
        {"experiment",         KEY_TEXT, TOP(experiment)},
        {"x_nice",                   KEY_NICES, TOP(scenario.x_nice), WITHIN(-20, 19), .required = true},
        {"hogs",   KEY_INTS, TOP(scenario.hogs), WITHIN(0, SCENARIO_HOGS_MAX)},
        {"repetitions",                   KEY_INT, TOP(n_repetitions), WITHIN(1, SCENARIO_REPETITIONS_MAX)},
        {"sample_s",KEY_SECONDS, TOP(sample_ns), WITHIN(5, 3600)},
        {"settle_s",         KEY_SECONDS, TOP(settle_ns), WITHIN(1, 600)},
        {"deadline_s",   KEY_SECONDS, TOP(scenario.deadline_ns), WITHIN(1, 3600)},
        {"scaled_s",              KEY_SECONDS, TOP(scenario.scaled_ns), WITHIN(1, 60)},
        {"since_boot", KEY_BOOL, TOP(since_boot)},
        {"tree", KEY_TREE, TOP(scenario.tree)},
        {"loads",       KEY_LOADS, .required = true},
        {0},
};

static const struct key load_keys[] = {
        {"id",                            KEY_TEXT, LOAD(id), .required = true},
        {"kind",                       KEY_WORD, LOAD(kind), .choices = scenario_load_kinds, .required = true},
        {"feeder",                               KEY_WORD, LOAD(feeder), .choices = scenario_feeders},
        {"scroll", KEY_WORD, LOAD(scroll), .choices = scenario_scrolls},
        {"clients", KEY_INT, LOAD(n_clients), WITHIN(1, SCENARIO_CLIENTS_MAX)},
        {"columns",                               KEY_INT, LOAD(columns), WITHIN(2, SCENARIO_COLUMNS_MAX)},
        {"rows",KEY_INT, LOAD(rows), WITHIN(1, SCENARIO_ROWS_MAX)},
        {"line_bytes",    KEY_INT, LOAD(line_bytes), WITHIN(2, SCENARIO_COLUMNS_MAX)},
        {"lines_per_s",                        KEY_INT, LOAD(lines_per_s), WITHIN(1, 100000)},
        {"keys_per_s",                   KEY_INT, LOAD(keys_per_s), WITHIN(1, 100)},
        {"compile_jobs_per_cpu",                               KEY_INT, LOAD(n_compile_jobs), WITHIN(1, 16)},
        {"client_nice",                        KEY_CLIENT_NICE, WITHIN(-20, 19)},
        {"command",                       KEY_TEXT, LOAD(command)},
        {"timer",                               KEY_WORD, LOAD(timer), .choices = timers},
        {"runs",KEY_INT, LOAD(n_runs), WITHIN(1, SCENARIO_REPETITIONS_MAX)},
        {"warmups",                       KEY_INT, LOAD(n_warmups), WITHIN(0, SCENARIO_REPETITIONS_MAX)},
        {"label",                               KEY_TEXT, LOAD(label)},
        {"count",                                KEY_INT, LOAD(count), WITHIN(1, 1000000000)},
        {"size",                       KEY_WORD, LOAD(size), .choices = sizes},
        {"pipe_of",                               KEY_TEXT, LOAD(pipe_of)},
        {"startup_of",                     KEY_TEXT, LOAD(startup_of)},
        {0                      },
};

static const struct key tree_keys[] = {
        {"kind",            KEY_WORD, TREE(kind), .choices = tree_kinds, .required = true},
        {"entries",       KEY_INT, TREE(spec.n_entries), WITHIN(2, TREE_ENTRIES_MAX), .required = true},
        {"name_bytes", KEY_INT, TREE(spec.name_bytes), WITHIN(TREE_NAME_BYTES_MIN, NAME_MAX)},
        {0        },
};

/* Where a fault is, for its sentence. */
static int fault(const char *path, const config_setting_t *at, struct xcs_err *err,
                 const char *what)
{
	unsigned line = config_setting_source_line(at);

	if (line == 0) /* the file as a whole */
		return xcs_err_set(err, -EINVAL, "%s: %s", path, what);
	return xcs_err_set(err, -EINVAL, "%s:%u: %s", path, line, what);
}

static void names(const struct key *keys, struct xcs_buf *out)
{
	for (const struct key *k = keys; k->name; k++)
		xcs_buf_printf(out, "%s%s", k == keys ? "" : ", ", k->name);
}

static const struct key *key_find(const struct key *keys, const char *name)
{
	for (const struct key *k = keys; k->name; k++)
		if (name && strcmp(k->name, name) == 0)
			return k;
	return NULL;
}

static int unknown_key(const char *path, const config_setting_t *s, const struct key *keys,
                       struct xcs_err *err)
{
	struct xcs_buf text = {0};

	xcs_buf_printf(&text, "unknown key '%s'; known here: ", config_setting_name(s));
	names(keys, &text);
	fault(path, s, err, text.p);
	xcs_buf_fini(&text);
	return -EINVAL;
}

static bool is_number(const config_setting_t *s)
{
	int type = config_setting_type(s);

	return type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64 || type == CONFIG_TYPE_FLOAT;
}

static bool int_in(const config_setting_t *s, const struct key *k, int *out)
{
	if (!s || config_setting_type(s) != CONFIG_TYPE_INT)
		return false;
	*out = config_setting_get_int(s);
	return *out >= k->min && *out <= k->max;
}

static int range_fault(const char *path, const config_setting_t *s, const struct key *k,
                       const char *what, struct xcs_err *err)
{
	char text[256];

	snprintf(text, sizeof(text), "%s must be %s from %d to %d", k->name, what, k->min, k->max);
	return fault(path, s, err, text);
}

static int read_seconds(const char *path, const config_setting_t *s, const struct key *k,
                        int64_t *ns, struct xcs_err *err)
{
	double v = 0;

	if (is_number(s))
		v = config_setting_type(s) == CONFIG_TYPE_FLOAT ? config_setting_get_float(s)
		                                                : config_setting_get_int(s);
	if (!(v >= k->min && v <= k->max))
		return range_fault(path, s, k, "a number of seconds", err);
	*ns = (int64_t)(v * 1e9);
	return 0;
}

static int read_bool(const char *path, const config_setting_t *s, const struct key *k, bool *out,
                     struct xcs_err *err)
{
	char why[64];

	snprintf(why, sizeof(why), "%s must be true or false", k->name);
	if (config_setting_type(s) != CONFIG_TYPE_BOOL)
		return fault(path, s, err, why);
	*out = config_setting_get_bool(s);
	return 0;
}

static int read_word(const char *path, const config_setting_t *s, const struct key *k, char **out,
                     struct xcs_err *err)
{
	const char *word = config_setting_get_string(s);
	struct xcs_buf text = {0};

	xcs_buf_printf(&text, "%s must be one of", k->name);
	for (size_t i = 0; k->choices[i]; i++) {
		if (word && strcmp(word, k->choices[i]) == 0) {
			*out = xcs_xstrdup(word);
			xcs_buf_fini(&text);
			return 0;
		}
		xcs_buf_printf(&text, "%s \"%s\"", i ? "," : "", k->choices[i]);
	}
	fault(path, s, err, text.p);
	xcs_buf_fini(&text);
	return -EINVAL;
}

static int read_text(const char *path, const config_setting_t *s, const struct key *k, char **out,
                     struct xcs_err *err)
{
	const char *text = config_setting_get_string(s);
	char why[128];

	snprintf(why, sizeof(why), "%s must be a text in quotes, not empty", k->name);
	if (!text || !text[0])
		return fault(path, s, err, why);
	*out = xcs_xstrdup(text);
	return 0;
}

static int read_ints(const char *path, const config_setting_t *s, const struct key *k,
                     struct xcs_ints *out, struct xcs_err *err)
{
	const char *what = k->type == KEY_INTS ? "numbers" : "nice levels";
	int n = config_setting_is_aggregate(s) ? config_setting_length(s) : 0;
	char list[64];

	snprintf(list, sizeof(list), "a list such as [ 0, %s ] of %s", k->min < 0 ? "-10" : "10",
	         what);
	if (n < 1 || n > XCS_OPTION_LIST_MAX)
		return range_fault(path, s, k, list, err);
	for (int i = 0; i < n; i++)
		if (!int_in(config_setting_get_elem(s, (unsigned)i), k, &out->v[i]))
			return range_fault(path, s, k, what, err);
	out->n = (size_t)n;
	return 0;
}

void scenario_set_client_nice(struct xcs_run_load *load, const struct xcs_ints *nices)
{
	struct xcs_buf list = {0};

	for (size_t i = 0; i < nices->n; i++)
		xcs_buf_printf(&list, "%s%d", i ? "," : "", nices->v[i]);
	free(load->client_nices);
	load->client_nice = nices->v[0];
	load->client_nices = nices->n > 1 ? xcs_buf_take(&list) : NULL;
	xcs_buf_fini(&list);
}

int scenario_client_nice(const struct xcs_run_load *load, int i)
{
	struct xcs_str rest = xcs_str(load->client_nices), part;
	int64_t v, all[XCS_OPTION_LIST_MAX];
	int n = 0;

	while (n < XCS_OPTION_LIST_MAX && xcs_str_next_part(&rest, ',', &part))
		if (xcs_str_i64(part, &v) == 0)
			all[n++] = v;
	return n ? (int)all[i % n] : load->client_nice;
}

static int read_client_nice(const char *path, const config_setting_t *s, const struct key *k,
                            struct xcs_run_load *load, struct xcs_err *err)
{
	struct xcs_ints nices = {.n = 1};
	int rc = 0;

	if (!int_in(s, k, &nices.v[0]))
		rc = read_ints(path, s, k, &nices, err);
	if (rc == 0)
		scenario_set_client_nice(load, &nices);
	return rc;
}

static int read_tree(const char *path, const config_setting_t *s, struct tree_spec *spec,
                     struct xcs_err *err);

static int read_value(const char *path, const config_setting_t *s, const struct key *k, void *into,
                      struct xcs_err *err)
{
	void *at = (char *)into + k->offset;

	switch (k->type) {
	case KEY_TEXT:
		return read_text(path, s, k, at, err);
	case KEY_WORD:
		return read_word(path, s, k, at, err);
	case KEY_INT:
		return int_in(s, k, at) ? 0 : range_fault(path, s, k, "a whole number", err);
	case KEY_BOOL:
		return read_bool(path, s, k, at, err);
	case KEY_SECONDS:
		return read_seconds(path, s, k, at, err);
	case KEY_NICES:
	case KEY_INTS:
		return read_ints(path, s, k, at, err);
	case KEY_CLIENT_NICE:
		return read_client_nice(path, s, k, into, err);
	case KEY_TREE:
		return read_tree(path, s, at, err);
	case KEY_LOADS:
		break; /* read by its own function */
	}
	return 0;
}

static int read_group(const char *path, const config_setting_t *group, const struct key *keys,
                      void *into, struct xcs_err *err)
{
	char why[128];

	for (int i = 0; i < config_setting_length(group); i++) {
		const config_setting_t *s = config_setting_get_elem(group, (unsigned)i);
		const struct key *k = key_find(keys, config_setting_name(s));
		int rc = k ? read_value(path, s, k, into, err) : unknown_key(path, s, keys, err);
		if (rc)
			return rc;
	}
	for (const struct key *k = keys; k->name; k++) {
		snprintf(why, sizeof(why), "%s is missing", k->name);
		if (k->required && !config_setting_get_member(group, k->name))
			return fault(path, group, err, why);
	}
	return 0;
}

static int read_tree(const char *path, const config_setting_t *s, struct tree_spec *spec,
                     struct xcs_err *err)
{
	struct tree_text text = {.spec.name_bytes = 16};

	if (config_setting_type(s) != CONFIG_TYPE_GROUP)
		return fault(path, s, err, "tree must be a group { kind = ...; entries = ...; }");
	int rc = read_group(path, s, tree_keys, &text, err);
	*spec = text.spec;
	if (rc == 0)
		spec->kind = strcmp(text.kind, "flat") == 0 ? TREE_FLAT : TREE_NESTED;
	free(text.kind);
	return rc;
}

static bool id_is_word(const char *id)
{
	return id[strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0' && strlen(id) <= 16;
}

/* A load with a command times it; one without has nothing to time. */
static int check_command(const char *path, const config_setting_t *group, struct xcs_run_load *load,
                         struct xcs_err *err)
{
	bool wants = strcmp(load->feeder, "command") == 0;

	if (wants && !load->command)
		return fault(path, group, err, "a load with feeder \"command\" needs a command");
	if (!wants && load->command)
		return fault(path, group, err, "a load with a command has feeder \"command\"");
	if (!wants && load->timer)
		return fault(path, group, err, "timer needs a command");
	if (load->lines_per_s && strcmp(load->feeder, "lines") != 0)
		return fault(path, group, err, "lines_per_s needs feeder \"lines\"");
	if (wants && !load->timer)
		load->timer = xcs_xstrdup("once");
	if (wants && load->keys_per_s)
		return fault(path, group, err, "keys_per_s needs a load without a command");
	if (command_has_count(load->command) && !load->count)
		load->count = 1;
	bool hyperfine = load->timer && strcmp(load->timer, "hyperfine") == 0;
	if (hyperfine ? strcmp(load->kind, "xterm") && strcmp(load->kind, "pipe")
	              : strcmp(load->kind, "pipe") == 0)
		return fault(path, group, err,
		             "timer \"hyperfine\" takes the kinds \"xterm\" and \"pipe\", and "
		             "\"pipe\" no other timer");
	if (hyperfine)
		load->n_clients = 1;
	else
		load->n_runs = load->n_warmups = 0;
	if (load->size && strcmp(load->size, "scaled") == 0 && !command_has_count(load->command))
		return fault(path, group, err,
		             "a load of size \"scaled\" needs {count} or {dirs} in its command");
	if (load->command)
		load->line_bytes = 0; /* as long as the command makes them */
	return 0;
}

/* What names another load must name one that is there. */
static bool names_load(const struct xcs_run *run, const struct xcs_run_load *from, const char *id)
{
	for (size_t i = 0; id && i < run->n_loads; i++)
		if (&run->loads[i] != from && strcmp(run->loads[i].id, id) == 0)
			return true;
	return !id;
}

static int check_loads(const char *path, const config_setting_t *list, const struct xcs_run *run,
                       const struct tree_spec *tree, struct xcs_err *err)
{
	for (size_t i = 0; i < run->n_loads; i++) {
		const struct xcs_run_load *l = &run->loads[i];
		const config_setting_t *at = config_setting_get_elem(list, (unsigned)i);
		if (!names_load(run, l, l->pipe_of) || !names_load(run, l, l->startup_of))
			return fault(path, at, err,
			             "pipe_of and startup_of must name another load");
		if (command_needs_tree(l->command) && tree->kind == TREE_NONE)
			return fault(path, at, err,
			             "{dir} and {dirs} need a tree = { kind = ...; }");
	}
	return 0;
}

static int read_load(const char *path, const config_setting_t *group, struct xcs_run *run,
                     struct xcs_err *err)
{
	struct xcs_run_load *load = &run->loads[run->n_loads];

	*load = (struct xcs_run_load){.n_clients = 4,
	                              .columns = 80,
	                              .rows = 24,
	                              .line_bytes = 8,
	                              .n_warmups = 1,
	                              .n_runs = 3};
	run->n_loads++;
	if (config_setting_type(group) != CONFIG_TYPE_GROUP)
		return fault(path, group, err, "a load must be a group { id = ...; kind = ...; }");
	int rc = read_group(path, group, load_keys, load, err);
	if (rc)
		return rc;
	if (!load->feeder)
		load->feeder = xcs_xstrdup(load->command ? "command" : "lines");
	if (!load->scroll)
		load->scroll = xcs_xstrdup("jump");
	rc = check_command(path, group, load, err);
	if (rc)
		return rc;
	if (!id_is_word(load->id))
		return fault(path, group, err,
		             "id must be at most 16 characters of a-z, 0-9 and '-'");
	for (size_t i = 0; i + 1 < run->n_loads; i++)
		if (strcmp(run->loads[i].id, load->id) == 0)
			return fault(path, group, err, "two loads have the same id");
	return 0;
}

static int read_loads(const char *path, const config_setting_t *root, struct xcs_run *run,
                      struct xcs_err *err)
{
	const config_setting_t *list = config_setting_get_member(root, "loads");
	int n = config_setting_is_list(list) ? config_setting_length(list) : 0;

	if (n < 1 || n > 32)
		return fault(path, list, err, "loads must be a list ( { ... }, ... ) of 1 to 32");
	run->loads = xcs_xcalloc((size_t)n, sizeof(*run->loads));
	for (int i = 0; i < n; i++) {
		int rc = read_load(path, config_setting_get_elem(list, (unsigned)i), run, err);
		if (rc)
			return rc;
	}
	return 0;
}

static int read_root(const char *path, const config_setting_t *root, struct xcs_run *run,
                     struct scenario *s, struct xcs_err *err)
{
	struct top top = {.n_repetitions = 3,
	                  .sample_ns = 5 * XCS_NS_PER_S,
	                  .settle_ns = 3 * XCS_NS_PER_S,
	                  .scenario.deadline_ns = 120 * XCS_NS_PER_S,
	                  .scenario.scaled_ns = 5 * XCS_NS_PER_S / 2};
	int rc = read_group(path, root, top_keys, &top, err);

	run->plan.title = top.title;
	run->plan.experiment = top.experiment;
	run->plan.since_boot = top.since_boot;
	run->plan.n_repetitions = top.n_repetitions;
	run->plan.sample_ns = top.sample_ns;
	run->plan.settle_deadline_ns = top.settle_ns;
	*s = top.scenario;
	if (rc == 0)
		rc = read_loads(path, root, run, err);
	if (rc == 0)
		rc = check_loads(path, config_setting_get_member(root, "loads"), run, &s->tree,
		                 err);
	return rc;
}

static int read_file(const char *path, struct xcs_run *run, struct scenario *s, struct xcs_err *err)
{
	FILE *f = fopen(path, "re");
	struct stat st;
	config_t cfg;
	int rc;

	if (!f || fstat(fileno(f), &st))
		return xcs_err_sys(err, -errno, "cannot read scenario %s", path);
	if (!S_ISREG(st.st_mode)) {
		fclose(f);
		return xcs_err_set(err, -EINVAL, "%s is no file, so no scenario", path);
	}
	config_init(&cfg);
	if (config_read(&cfg, f))
		rc = read_root(path, config_root_setting(&cfg), run, s, err);
	else
		rc = xcs_err_set(err, -EINVAL, "%s:%d: %s", path, config_error_line(&cfg),
		                 config_error_text(&cfg));
	config_destroy(&cfg);
	fclose(f);
	return rc;
}

int scenario_load(const char *name, struct xcs_run *run, struct scenario *s, struct xcs_err *err)
{
	char *rel = xcs_xasprintf("scenarios/%s" SUFFIX, name);
	char *path = strchr(name, '/') ? xcs_xstrdup(name) : xcs_path_data_dup(rel);
	int rc = 0;

	if (!strchr(name, '/') && access(path, F_OK))
		rc = xcs_err_set(err, -ENOENT,
		                 "no scenario is named '%s'; xcsbench list shows them, and a "
		                 "path with a slash names a file of yours",
		                 name);
	if (rc == 0)
		rc = read_file(path, run, s, err);
	run->plan.scenario = xcs_xstrdup(name);
	free(path);
	free(rel);
	return rc;
}

static int is_scenario(const struct dirent *e)
{
	size_t n = strlen(e->d_name), suffix = strlen(SUFFIX);

	return n > suffix && strcmp(e->d_name + n - suffix, SUFFIX) == 0;
}

int scenario_each(scenario_fn each, void *data, struct xcs_err *err)
{
	char *dir = xcs_path_data_dup("scenarios");
	struct dirent **entries;
	int n = scandir(dir, &entries, is_scenario, alphasort);
	int rc = n < 0 ? xcs_err_sys(err, -errno, "cannot list scenarios in %s", dir) : 0;

	for (int i = 0; i < n; i++) {
		struct xcs_run run = {0};
		struct scenario s;
		entries[i]->d_name[strlen(entries[i]->d_name) - strlen(SUFFIX)] = '\0';
		if (rc == 0 && (rc = scenario_load(entries[i]->d_name, &run, &s, err)) == 0)
			each(&run.plan, data);
		xcs_run_fini(&run);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	free(dir);
	return rc;
}
