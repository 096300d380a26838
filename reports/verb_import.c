/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * xcsbench import: other people's numbers as run records, or as JSON.
 */
#include "verbs.h"

#include <common/alloc.h>
#include <common/env.h>
#include <common/file.h>
#include <common/options.h>
#include <common/paths.h>
#include <common/ulid.h>
#include <common/units.h>
#include <record/json.h>
#include <reports/import/timed.h>
#include <reports/import/vmstat.h>
#include <reports/import/write.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_BYTES (INT64_C(256) << 20)

struct import_options {
	struct xcs_strs kernels, labels;
	struct xcs_ints x_nices;
	const char *source, *command, *experiment, *output, *json;
	int first_row;
};

static const char *const first_row_names[] = {"auto", "drop", "keep", NULL};

#define AT(member) .offset = offsetof(struct import_options, member)

static const struct xcs_option option_rows[] = {
        {.name = "kernel",
         .type = XCS_OPT_STRS,
         AT(kernels),
         .metavar = "RELEASE",
         .help = "kernel that was measured; given once, of all series; else one by one in order"},
        {.name = "x-nice",
         .type = XCS_OPT_INTS,
         AT(x_nices),
         .metavar = "N[,N...]",
         .min = -20,
         .max = 19,
         .help = "nice level of the X server, of all series or one by one (default 0)"},
        {.name = "label",
         .type = XCS_OPT_STRS,
         AT(labels),
         .metavar = "TEXT",
         .help = "what tables call the series; one by one if repeated (default \"series N\")"},
        {.name = "source",
         .type = XCS_OPT_STR,
         AT(source),
         .metavar = "TEXT",
         .help = "who published it where (default the file's name)"},
        {.name = "command",
         .type = XCS_OPT_STR,
         AT(command),
         .metavar = "TEXT",
         .help = "what hyperfine was called with, to name it where its file is empty"},
        {.name = "experiment",
         .type = XCS_OPT_STR,
         AT(experiment),
         .metavar = "NAME",
         .help = "published experiment that it repeats, A say: `xcsbench report --beside` then "
                 "shows both; `xcsbench list references` names them"},
        {.name = "first-row",
         .type = XCS_OPT_CHOICE,
         AT(first_row),
         .choices = first_row_names,
         .help = "vmstat's first row, an average since boot; auto drops it unless the text "
                 "shows -y, keep is for rows that were cut off before (default auto)"},
        {.name = "output",
         .short_name = 'o',
         .type = XCS_OPT_STR,
         AT(output),
         .metavar = "DIR",
         .help = "folder to make for the run record; with several series DIR/1, DIR/2, ... "
                 "(default below the user's data folder)"},
        {.name = "json",
         .type = XCS_OPT_STR,
         AT(json),
         .metavar = "FILE",
         .help = "write the series as JSON to FILE, - for standard output, and no run record"},
        {0   },
};

/* One format: its parser reads a whole text. */
struct format {
	const char *name, *tool;
	int (*parse)(struct xcs_str text, const struct import_options *o, struct xcs_import *out,
	             struct xcs_err *err);
};

static int parse_vmstat(struct xcs_str text, const struct import_options *o, struct xcs_import *out,
                        struct xcs_err *err)
{
	return xcs_vmstat_parse(text, (enum xcs_first_row)o->first_row, out, err);
}

static int parse_hyperfine(struct xcs_str text, const struct import_options *o,
                           struct xcs_import *out, struct xcs_err *err)
{
	return xcs_hyperfine_import(text, o->command, out, err);
}

static int parse_perf_stat(struct xcs_str text, const struct import_options *o,
                           struct xcs_import *out, struct xcs_err *err)
{
	(void)o;
	return xcs_perf_stat_import(text, out, err);
}

static int parse_sar(struct xcs_str text, const struct import_options *o, struct xcs_import *out,
                     struct xcs_err *err)
{
	(void)o;
	return xcs_sar_import(text, out, err);
}

static int parse_samples(struct xcs_str text, const struct import_options *o,
                         struct xcs_import *out, struct xcs_err *err)
{
	(void)o;
	return xcs_samples_import(text, out, err);
}

static const struct format formats[] = {
        {"vmstat",    "vmstat",    parse_vmstat   },
        {"hyperfine", "hyperfine", parse_hyperfine},
        {"perf-stat", "perf stat", parse_perf_stat},
        {"sar",       "sar",       parse_sar      },
        {"samples",   "samples",   parse_samples  },
};

static const struct xcs_command command = {
        .name = "xcsbench import",
        .summary = "Make run records of other people's measurements.",
        .operands = "FORMAT FILE...",
        .min_operands = 2,
        .max_operands = XCS_OPTION_LIST_MAX,
        .options = option_rows,
        .notes = "FORMAT is vmstat (logs and mails, quoted, wrapped or quoted-printable),\n"
                 "hyperfine (its JSON), perf-stat (perf stat -x), sar (sar -w) or samples (lists\n"
                 "of counters in time). FILE may be - for standard input.\n\n"
                 "A file that cannot be read gives its sentence, the others go on.\n\n"
                 "Exit status: 0; 2 when a file could not be imported.",
};

/* One file, its text kept until the records are written. */
struct item {
	const char *path;
	struct xcs_buf text;
	struct xcs_import import;
};

static int read_text(const char *path, struct xcs_buf *text, struct xcs_err *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	int rc;

	if (fd < 0 || fstat(fd, &st))
		rc = xcs_err_sys(err, -errno, "cannot be read");
	else if (st.st_size > MAX_BYTES)
		rc = xcs_err_set(err, -EFBIG, "is over 256 MiB, which no log of this kind is");
	else if ((rc = xcs_fd_read_all(fd, text)))
		xcs_err_sys(err, rc, "cannot be read");
	if (fd >= 0 && !is_stdin)
		close(fd);
	return rc;
}

static int read_item(struct item *item, const struct format *format, const struct import_options *o)
{
	struct xcs_err err = {0};
	int rc = read_text(item->path, &item->text, &err);

	if (rc == 0)
		rc = format->parse(xcs_buf_str(&item->text), o, &item->import, &err);
	if (rc)
		fprintf(stderr, "xcsbench import: %s: %s\n", item->path, err.text);
	return rc;
}

/* The i-th of what was given one by one, or the one that was given for all. */
static const char *pick(const struct xcs_strs *given, size_t i)
{
	return given->n == 1 ? given->v[0] : i < given->n ? given->v[i] : NULL;
}

static void name_series(struct xcs_import_series *s, const struct import_options *o, size_t i,
                        size_t n_all)
{
	const char *label = pick(&o->labels, i);

	if (!label)
		return;
	free(s->label);
	s->label = o->labels.n == 1 && n_all > 1 ? xcs_xasprintf("%s %zu", label, i + 1)
	                                         : xcs_xstrdup(label);
}

static struct xcs_import_about about_of(const struct item *item, const struct format *format,
                                        const struct import_options *o, size_t i)
{
	const struct xcs_ints *nice = &o->x_nices;

	return (struct xcs_import_about){
	        .tool = format->tool,
	        .source = o->source ? o->source : item->path,
	        .path = item->path,
	        .experiment = o->experiment,
	        .kernel = pick(&o->kernels, i),
	        .x_nice = nice->n == 1  ? nice->v[0]
	                  : i < nice->n ? nice->v[i]
	                                : 0,
	        .wall_ns = xcs_wall_now_ns(),
	};
}

struct batch {
	const struct format *format;
	const struct import_options *options;
	struct item *items;
	size_t n_items, n_series;
};

static int write_json(const struct batch *b, struct xcs_err *err)
{
	struct json_t *top = xcs_json_object(), *all = xcs_json_array();
	const char *path = b->options->json;
	struct xcs_buf text = {0};
	size_t n = 0;
	int rc = 0;

	for (size_t i = 0; i < b->n_items; i++)
		for (size_t j = 0; j < b->items[i].import.n; j++, n++) {
			struct xcs_import_about about =
			        about_of(&b->items[i], b->format, b->options, n);
			xcs_json_append(all, xcs_series_json(&b->items[i].import.v[j], &about));
		}
	xcs_json_set(top, "series", all);
	xcs_json_write(top, 1, &text);
	if (strcmp(path, "-") != 0)
		rc = xcs_file_write(path, text.p, text.n, err);
	else if (fwrite(text.p, 1, text.n, stdout) != text.n || fflush(stdout))
		rc = xcs_err_sys(err, -errno, "cannot write the series");
	xcs_json_free(top);
	xcs_buf_fini(&text);
	return rc;
}

/* Where the n-th series goes; the caller frees it. */
static char *record_dir_dup(const struct batch *b, const struct xcs_user *user, size_t n)
{
	char id[XCS_ULID_LEN + 1];

	if (b->options->output)
		return b->n_series == 1 ? xcs_xstrdup(b->options->output)
		                        : xcs_xasprintf("%s/%zu", b->options->output, n + 1);
	char *runs = xcs_path_runs_dup(user);
	xcs_ulid_make(xcs_wall_now_ns(), id);
	char *dir = xcs_xasprintf("%s/%s", runs, id);
	free(runs);
	return dir;
}

static int write_record(const struct batch *b, const struct item *item,
                        const struct xcs_import_series *s, size_t n)
{
	struct xcs_import_about about = about_of(item, b->format, b->options, n);
	struct xcs_err err = {0};
	struct xcs_user user;
	int rc = xcs_user_find(&user, &err);

	if (rc == 0)
		rc = xcs_user_enter(&user, &err);
	if (rc == 0) {
		char *dir = record_dir_dup(b, &user, n);
		rc = xcs_series_record(s, &about, xcs_buf_str(&item->text), dir, &err);
		xcs_user_leave(&user);
		if (rc == 0)
			printf("%s\n", dir);
		free(dir);
	}
	if (rc)
		fprintf(stderr, "xcsbench import: %s: %s\n", item->path, err.text);
	return rc;
}

static int write_records(const struct batch *b)
{
	size_t n = 0;
	int failed = 0;

	for (size_t i = 0; i < b->n_items; i++)
		for (size_t j = 0; j < b->items[i].import.n; j++, n++)
			failed |= write_record(b, &b->items[i], &b->items[i].import.v[j], n);
	return failed;
}

static void name_all(struct batch *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n_items; i++)
		for (size_t j = 0; j < b->items[i].import.n; j++, n++)
			name_series(&b->items[i].import.v[j], b->options, n, b->n_series);
}

/* A series whose boot id another one follows was ended by a reboot: no whole run. */
static void find_reboots(const struct batch *b)
{
	struct xcs_import_series *before = NULL;

	for (size_t i = 0; i < b->n_items; i++)
		for (size_t j = 0; j < b->items[i].import.n; j++) {
			struct xcs_import_series *s = &b->items[i].import.v[j];
			if (before && before->boot_id && s->boot_id &&
			    strcmp(before->boot_id, s->boot_id) != 0) {
				before->incomplete = before->rebooted = true;
				xcs_series_note(
				        before,
				        "incomplete (rebooted after %.6g s): what follows "
				        "is another boot.",
				        xcs_ns_to_s(before->interval_ns * (int64_t)before->n_rows));
			}
			before = s;
		}
}

static void warn_incomplete(const struct batch *b, int *failed)
{
	for (size_t i = 0; i < b->n_items; i++)
		for (size_t j = 0; j < b->items[i].import.n; j++) {
			const struct xcs_import_series *s = &b->items[i].import.v[j];
			if (!s->incomplete)
				continue;
			fprintf(stderr, "xcsbench import: %s: %s is incomplete\n", b->items[i].path,
			        s->label);
			*failed = 1;
		}
}

static int import_all(struct batch *b)
{
	struct xcs_err err = {0};
	int failed = 0, rc;

	for (size_t i = 0; i < b->n_items; i++) {
		failed |= read_item(&b->items[i], b->format, b->options);
		b->n_series += b->items[i].import.n;
	}
	find_reboots(b);
	name_all(b);
	warn_incomplete(b, &failed);
	if (b->options->json) {
		rc = write_json(b, &err);
		if (rc)
			fprintf(stderr, "xcsbench import: %s\n", err.text);
	} else {
		rc = write_records(b);
	}
	return failed || rc ? XCS_EXIT_ERROR : XCS_EXIT_OK;
}

static const struct format *find_format(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (strcmp(name, formats[i].name) == 0)
			return &formats[i];
	return NULL;
}

int verb_import(int argc, char **argv)
{
	struct import_options options = {0};
	struct xcs_strs operands;
	int status = xcs_options_main(&command, argc, argv, &options, &operands);

	if (status >= 0)
		return status;
	struct batch b = {.format = find_format(operands.v[0]),
	                  .options = &options,
	                  .n_items = operands.n - 1};
	if (!b.format) {
		fprintf(stderr, "xcsbench import: '%s' is no format that it knows; see --help\n",
		        operands.v[0]);
		return XCS_EXIT_ERROR;
	}
	b.items = xcs_xcalloc(b.n_items, sizeof(*b.items));
	for (size_t i = 0; i < b.n_items; i++)
		b.items[i].path = operands.v[i + 1];
	status = import_all(&b);
	for (size_t i = 0; i < b.n_items; i++) {
		xcs_import_fini(&b.items[i].import);
		xcs_buf_fini(&b.items[i].text);
	}
	free(b.items);
	return status;
}
