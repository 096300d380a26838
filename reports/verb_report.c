/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "latest.h"
#include "verbs.h"

#include <common/alloc.h>
#include <common/options.h>
#include <common/paths.h>
#include <reports/run_report.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct report_options {
	bool json;
};

static const struct xcs_option option_rows[] = {
        {.name = "json",
         .type = XCS_OPT_FLAG,
         .offset = offsetof(struct report_options, json),
         .help = "write the same as data (schema xcsbench.report/1); unknown is null"},
        {0},
};

static const struct xcs_command command = {
        .name = "xcsbench report",
        .summary = "Print the report of a run as plain text that fits into a mail.",
        .operands = "[RUN]",
        .max_operands = 1,
        .options = option_rows,
        .notes = "RUN is the folder that `xcsbench run` printed, or the name of a run in\n"
                 "$XDG_DATA_HOME/xcsbench/runs. Without it the latest run there is taken.\n\n"
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

static void warn_unreadable(const struct xcs_summary *s)
{
	for (size_t i = 0; i < s->run.n_trials; i++)
		if (s->trials[i].problem)
			fprintf(stderr, "xcsbench report: %s\n", s->trials[i].problem);
}

static int report(const struct report_options *options, const char *dir, struct xcs_err *err)
{
	struct xcs_summary s;
	struct xcs_doc doc;
	struct xcs_buf text = {0};
	int rc = xcs_summary_load(&s, dir, err);

	if (rc)
		return rc;
	xcs_run_report(&s, &doc);
	if (options->json)
		xcs_doc_write_json(&doc, &text);
	else
		xcs_doc_write_text(&doc, &text);
	rc = print(&text, err);
	warn_unreadable(&s);
	if (rc == 0 && s.n_unreadable)
		rc = 1;
	xcs_buf_fini(&text);
	xcs_doc_fini(&doc);
	xcs_summary_fini(&s);
	return rc;
}

int verb_report(int argc, char **argv)
{
	struct report_options options = {0};
	struct xcs_strs operands;
	struct xcs_err err = {0};
	int status = xcs_options_main(&command, argc, argv, &options, &operands);

	if (status >= 0)
		return status;
	char *dir = find_run(operands.n ? operands.v[0] : NULL, &err);
	int rc = dir ? report(&options, dir, &err) : -ENOENT;
	free(dir);
	if (rc < 0)
		fprintf(stderr, "xcsbench report: %s\n", err.text);
	return rc ? XCS_EXIT_ERROR : XCS_EXIT_OK;
}
