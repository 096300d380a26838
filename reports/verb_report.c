/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "latest.h"
#include "verbs.h"

#include <common/alloc.h>
#include <common/file.h>
#include <common/options.h>
#include <common/paths.h>
#include <common/units.h>
#include <reports/run_report.h>
#include <reports/writer.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	FORMAT_NOT_GIVEN = -1
};

struct report_options {
	int format;
	bool json, plots;
	const char *output, *beside;
	const char *from, *in_reply_to;
};

static const struct xcs_option option_rows[] = {
        {.name = "format",
         .type = XCS_OPT_CHOICE,
         .offset = offsetof(struct report_options, format),
         .choices = xcs_format_names,
         .help = "how to write it; without it, what the name of the output ends in, else text"},
        {.name = "json",
         .type = XCS_OPT_FLAG,
         .offset = offsetof(struct report_options, json),
         .help = "the same as --format=json"},
        {.name = "beside",
         .type = XCS_OPT_STR,
         .offset = offsetof(struct report_options, beside),
         .metavar = "NAME",
         .help = "print published results of the same experiment next to the run's, lkml-2007 say; "
                 "`xcsbench list references` explains those that there are, a path names a file"},
        {.name = "output",
         .short_name = 'o',
         .type = XCS_OPT_STR,
         .offset = offsetof(struct report_options, output),
         .metavar = "FILE",
         .help = "write to FILE, which appears whole or not at all (default: standard output)"},
        {.name = "plots",
         .type = XCS_OPT_FLAG,
         .offset = offsetof(struct report_options, plots),
         .help = "draw charts in text, mbox and markdown too, as ASCII by gnuplot"},
        {.name = "from",
         .type = XCS_OPT_STR,
         .offset = offsetof(struct report_options, from),
         .metavar = "ADDRESS",
         .help = "sender of the mail (default: $EMAIL, else the mail has none)"},
        {.name = "in-reply-to",
         .type = XCS_OPT_STR,
         .offset = offsetof(struct report_options, in_reply_to),
         .metavar = "MESSAGE-ID",
         .help = "the mail that this one answers"},
        {0                     },
};

static const struct xcs_command command = {
        .name = "xcsbench report",
        .summary = "Print the report of a run: text for a mail, and other formats.",
        .operands = "[RUN]",
        .max_operands = 1,
        .options = option_rows,
        .notes = "RUN is the folder that `xcsbench run` printed, or the name of a run in\n"
                 "$XDG_DATA_HOME/xcsbench/runs. Without it the latest run there is taken.\n\n"
                 "csv has one sample a row, json follows the schema that `xcsbench schema report`\n"
                 "prints, markdown fits into an issue of GitHub or GitLab.\n\n"
                 "Exit status: 0; 2 when the run or one of its trials cannot be read (what\n"
                 "can be read is reported all the same).",
};

/* A path, or the name of a run among the user's; the caller frees it. */
static char *find_run(const char *operand, struct xcs_err *err)
{
	struct xcs_user user;

	if (operand && (strchr(operand, '/') || access(operand, F_OK) == 0))
		return xcs_xstrdup(operand);
	if (xcs_user_find(&user, err))
		return NULL;
	char *runs = xcs_path_runs_dup(&user);
	char *dir = operand ? xcs_xasprintf("%s/%s", runs, operand) : report_latest_dup(runs, err);
	free(runs);
	return dir;
}

static int print(const struct xcs_buf *text, struct xcs_err *err)
{
	if (fwrite(text->p, 1, text->n, stdout) != text->n || fflush(stdout))
		return xcs_err_sys(err, -errno, "cannot write the report");
	return 0;
}

/* Into what is there and no regular file, a device or a pipe; renaming would replace it. */
static int write_into(const char *path, const struct xcs_buf *text, struct xcs_err *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	int rc = fd < 0 ? -errno : xcs_fd_write_all(fd, text->p, text->n);

	if (fd >= 0 && close(fd) && rc == 0)
		rc = -errno;
	return rc ? xcs_err_sys(err, rc, "cannot write %s", path) : 0;
}

static int write_out(const char *path, const struct xcs_buf *text, struct xcs_err *err)
{
	struct stat st;

	if (!path || strcmp(path, "-") == 0)
		return print(text, err);
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return write_into(path, text, err);
	return xcs_file_write(path, text->p, text->n, err);
}

static void warn_unreadable(const struct xcs_summary *s)
{
	for (size_t i = 0; i < s->run.n_trials; i++)
		if (s->trials[i].problem)
			fprintf(stderr, "xcsbench report: %s\n", s->trials[i].problem);
}

static int choose_format(struct report_options *o, struct xcs_err *err)
{
	if (o->json && o->format != FORMAT_NOT_GIVEN && o->format != XCS_FORMAT_JSON)
		return xcs_err_set(err, -EINVAL, "--json and --format=%s exclude each other",
		                   xcs_format_names[o->format]);
	if (o->json)
		o->format = XCS_FORMAT_JSON;
	if (o->format == FORMAT_NOT_GIVEN && o->output)
		o->format = xcs_format_of_path(o->output);
	if (o->format == FORMAT_NOT_GIVEN)
		o->format = XCS_FORMAT_TEXT;
	return 0;
}

/* A header field that holds a newline would be two. */
static int check_header(const char *option, const char *value, struct xcs_err *err)
{
	for (const char *p = value; p && *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			return xcs_err_set(err, -EINVAL, "--%s holds a control character", option);
	if (value && !strchr(value, '@'))
		return xcs_err_set(err, -EINVAL, "--%s: '%s' has no @", option, value);
	return 0;
}

static int check_mail(struct report_options *o, struct xcs_err *err)
{
	const char *email = getenv("EMAIL");

	if (o->format != XCS_FORMAT_MBOX)
		return 0;
	if (!o->from && email && strchr(email, '@'))
		o->from = email;
	int rc = check_header("from", o->from, err);
	if (rc == 0)
		rc = check_header("in-reply-to", o->in_reply_to, err);
	if (rc == 0 && o->in_reply_to && strpbrk(o->in_reply_to, " \t"))
		rc = xcs_err_set(err, -EINVAL, "--in-reply-to: '%s' is not one Message-ID",
		                 o->in_reply_to);
	if (rc == 0 && !o->from)
		fprintf(stderr, "xcsbench report: the mail has no From header; give --from or set "
		                "EMAIL\n");
	return rc;
}

static int report(const struct report_options *options, const char *dir, struct xcs_err *err)
{
	const struct xcs_writer *writer = xcs_writer_of((enum xcs_format)options->format);
	const struct xcs_write_options how = {.plots = options->plots,
	                                      .from = options->from,
	                                      .in_reply_to = options->in_reply_to,
	                                      .date_wall_ns = time(NULL) * XCS_NS_PER_S};
	struct xcs_summary s;
	struct xcs_doc doc;
	struct xcs_buf text = {0};
	struct xcs_reference set = {0};
	int rc = options->beside ? xcs_reference_load(&set, options->beside, err) : 0;

	if (rc == 0)
		rc = xcs_summary_load(&s, dir, err);
	if (rc) {
		xcs_reference_fini(&set);
		return rc;
	}
	xcs_run_report_beside(&s, options->beside ? &set : NULL, &doc);
	if (writer->wants_samples)
		xcs_run_samples(&s, &doc);
	writer->write(&doc, &how, &text);
	rc = write_out(options->output, &text, err);
	warn_unreadable(&s);
	if (rc == 0 && s.n_unreadable)
		rc = 1;
	xcs_buf_fini(&text);
	xcs_doc_fini(&doc);
	xcs_summary_fini(&s);
	xcs_reference_fini(&set);
	return rc;
}

int verb_report(int argc, char **argv)
{
	struct report_options options = {.format = FORMAT_NOT_GIVEN};
	struct xcs_strs operands;
	struct xcs_err err = {0};
	char *dir = NULL;
	int status = xcs_options_main(&command, argc, argv, &options, &operands);

	if (status >= 0)
		return status;
	int rc = choose_format(&options, &err);
	if (rc == 0)
		rc = check_mail(&options, &err);
	if (rc == 0) {
		dir = find_run(operands.n ? operands.v[0] : NULL, &err);
		rc = dir ? report(&options, dir, &err) : -ENOENT;
	}
	free(dir);
	if (rc < 0)
		fprintf(stderr, "xcsbench report: %s\n", err.text);
	return rc ? XCS_EXIT_ERROR : XCS_EXIT_OK;
}
