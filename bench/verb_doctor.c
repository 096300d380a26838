/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * xcsbench doctor: looks at machine, server and rights as a run would, and leaves nothing
 * changed.
 */
#include "runner.h"
#include "survey.h"
#include "verbs.h"
#include <doctor/doctor.h>

#include <common/alloc.h>
#include <record/json.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	WIDTH = 78,
	INDENT = 18
};

#define AT(member) .offset = offsetof(struct run_options, member)

static const char *const servers[] = {"auto", "embedded", "session", "xorg-dummy",
                                      "xvfb", "xephyr",   NULL};
static const char *const autogroups[] = {"as-found", "off", "nice", NULL};

static const struct xcs_option option_rows[] = {
        {.name = "server",
         .short_name = 's',
         .type = XCS_OPT_CHOICE,
         AT(server),
         .choices = servers,
         .help = "X server to look at, as for xcsbench run"},
        {.name = "autogroup",
         .type = XCS_OPT_CHOICE,
         AT(autogroup),
         .choices = autogroups,
         .help = "try the nice probe with autogroups off, or by the autogroup's nice"},
        {.name = "json",     .type = XCS_OPT_FLAG, AT(json), .help = "print the findings as JSON"},
        {0                     },
};

static const struct xcs_command command = {
        .name = "xcsbench doctor",
        .summary = "Looks whether numbers measured here and now would mean something.",
        .operands = "",
        .options = option_rows,
        .notes = "Starts a server of its own unless DISPLAY names one, tries what rights there "
                 "are, runs the nice probe for two seconds, and leaves nothing changed. The exit "
                 "status is 0 when nothing failed, 3 when something did, 2 for an error.",
};

/* Breaks the text at blanks, with the lines behind the first indented. */
static void print_wrapped(const char *text)
{
	struct xcs_str rest = xcs_str(text), word;
	size_t at = INDENT;

	while (xcs_str_next_word(&rest, &word)) {
		if (at > INDENT && at + 1 + word.n > WIDTH) {
			printf("\n%*s", INDENT, "");
			at = INDENT;
		}
		at += (size_t)printf("%s%.*s", at > INDENT ? " " : "", (int)word.n, word.p);
	}
	putchar('\n');
}

static void print_text(const struct doctor_findings *found)
{
	int n_of[DOCTOR_FAIL + 1] = {0};

	for (size_t i = 0; i < found->n; i++) {
		const struct doctor_finding *f = &found->v[i];
		char *line = f->remedy ? xcs_xasprintf("%s [%s]; remedy: %s", f->what, f->source,
		                                       f->remedy)
		                       : xcs_xasprintf("%s [%s]", f->what, f->source);
		printf("%-4s  %-11s ", doctor_state_name(f->state), f->id);
		print_wrapped(line);
		n_of[f->state]++;
		free(line);
	}
	printf("\n%d ok, %d warn, %d fail, %d not known\n", n_of[DOCTOR_OK], n_of[DOCTOR_WARN],
	       n_of[DOCTOR_FAIL], n_of[DOCTOR_UNKNOWN]);
}

static void print_json(const struct doctor_findings *found)
{
	struct json_t *root = xcs_json_object(), *list = xcs_json_array();
	struct xcs_buf text = {0};

	for (size_t i = 0; i < found->n; i++) {
		const struct doctor_finding *f = &found->v[i];
		struct json_t *row = xcs_json_object();
		xcs_json_set_str(row, "id", f->id);
		xcs_json_set_str(row, "state", doctor_state_name(f->state));
		xcs_json_set_str(row, "what", f->what);
		xcs_json_set_str(row, "remedy", f->remedy);
		xcs_json_set_str(row, "source", f->source);
		xcs_json_append(list, row);
	}
	xcs_json_set_str(root, "schema", "xcsbench.doctor/1");
	xcs_json_set(root, "findings", list);
	xcs_json_write(root, 1, &text);
	fputs(text.p, stdout);
	xcs_buf_fini(&text);
	xcs_json_free(root);
}

/* The survey of a run, without a run. What went wrong is a sentence of its own. */
static int look(struct runner *r, const struct run_options *options, struct xcs_err *err)
{
	int rc = runner_prepare_bare(r, options, err);

	if (rc)
		return rc;
	rc = runner_settle_down(r, err);
	char *runs = xcs_path_runs_dup(&r->user);
	survey_machine(&r->env, runs, &r->run.environment);
	free(runs);
	return rc ? rc : runner_survey(r, err);
}

int verb_doctor(int argc, char **argv)
{
	struct run_options options = run_options_defaults();
	struct xcs_strs operands = {0};
	struct xcs_err err = {""}, finish_err = {""};
	struct doctor_findings found;
	struct runner r;
	int status = xcs_options_main(&command, argc, argv, &options, &operands);

	if (status >= 0)
		return status;
	int rc = look(&r, &options, &err);
	doctor_judge(&r.run, &found);
	(options.json ? print_json : print_text)(&found);
	status = doctor_worst(&found) == DOCTOR_FAIL || rc ? XCS_EXIT_CANNOT_JUDGE : XCS_EXIT_OK;
	if (rc)
		fprintf(stderr, "xcsbench doctor: %s\n", err.text);
	doctor_fini(&found);
	if (runner_finish(&r, &finish_err)) {
		fprintf(stderr, "xcsbench doctor: %s\n", finish_err.text);
		status = XCS_EXIT_ERROR;
	}
	return status;
}
