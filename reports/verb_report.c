/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "latest.h"
#include "output.h"
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

struct report_options {
	struct output_options out;
	const char *beside;
};

static const struct xcs_option option_rows[] = {
        {.name = "beside",
         .type = XCS_OPT_STR,
         .offset = offsetof(struct report_options, beside),
         .metavar = "NAME",
         .help = "print published results of the same experiment next to the run's, lkml-2007 say; "
                 "`xcsbench list references` explains those that there are, a path names a file"},
        OUTPUT_OPTION_ROWS(report_options, out),
        {0},
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

	if (operand)
		return xcs_path_run_dup(operand, err);
	if (xcs_user_find(&user, err))
		return NULL;
	char *runs = xcs_path_runs_dup(&user);
	char *dir = report_latest_dup(runs, err);
	free(runs);
	return dir;
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
	struct xcs_reference set = {0};
	int rc = options->beside ? xcs_reference_load(&set, options->beside, err) : 0;

	if (rc == 0)
		rc = xcs_summary_load(&s, dir, err);
	if (rc) {
		xcs_reference_fini(&set);
		return rc;
	}
	xcs_run_report_beside(&s, options->beside ? &set : NULL, &doc);
	if (output_writer(&options->out)->wants_samples)
		xcs_run_samples(&s, &doc);
	rc = output_write(&options->out, &doc, err);
	warn_unreadable(&s);
	if (rc == 0 && s.n_unreadable)
		rc = 1;
	xcs_doc_fini(&doc);
	xcs_summary_fini(&s);
	xcs_reference_fini(&set);
	return rc;
}

int verb_report(int argc, char **argv)
{
	struct report_options options = {.out.format = OUTPUT_FORMAT_NOT_GIVEN};
	struct xcs_strs operands;
	struct xcs_err err = {0};
	char *dir = NULL;
	int status = xcs_options_main(&command, argc, argv, &options, &operands);

	if (status >= 0)
		return status;
	int rc = output_settle(&options.out, "report", &err);
	if (rc == 0) {
		dir = find_run(operands.n ? operands.v[0] : NULL, &err);
		rc = dir ? report(&options, dir, &err) : -ENOENT;
	}
	free(dir);
	if (rc < 0)
		fprintf(stderr, "xcsbench report: %s\n", err.text);
	return rc ? XCS_EXIT_ERROR : XCS_EXIT_OK;
}
