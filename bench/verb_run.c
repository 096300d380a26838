/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "resume.h"
#include "verbs.h"

#include <common/alloc.h>
#include <common/child.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add_word(struct xcs_buf *b, const char *word)
{
	xcs_buf_putc(b, ' ');
	xcs_buf_quote(b, word);
}

/* Adds a word that ends in the option -o or holds its value, without these: "-qo" as "-q". */
static void add_cut(struct xcs_buf *b, const char *word, size_t n_kept)
{
	char *kept = xcs_xasprintf("%.*s", (int)n_kept, word);

	if (strncmp(word, "--", 2) && n_kept > 1)
		add_word(b, kept);
	free(kept);
}

/* The command line, to be repeated: quoted where a shell needs it, without the folder that
 * now exists (`output` points into argv, or is NULL). */
static char *command_dup(int argc, char **argv, const char *output)
{
	struct xcs_buf b = {0};

	xcs_buf_puts(&b, "xcsbench");
	for (int i = 0; i < argc; i++) {
		const char *word = argv[i];
		size_t n = strlen(word);
		if (output && output == word)
			continue;
		if (output && output > word && output <= word + n)
			add_cut(&b, word, (size_t)(output - word) - 1);
		else if (output && i + 1 < argc && output == argv[i + 1])
			add_cut(&b, word, n - 1);
		else
			add_word(&b, word);
	}
	return xcs_buf_take(&b);
}

/* The report program prints the run, as the user would have it do later. */
static int print_report(const char *run_dir, bool json)
{
	char *program = xcs_path_program_dup("xcs-report");
	const struct xcs_spawn spawn = {
	        .argv = (const char *[]){program, "report", run_dir, json ? "--json" : NULL, NULL},
	        .stdout_fd = STDOUT_FILENO,
	        .stderr_fd = STDERR_FILENO
        };
	struct xcs_child child = {0};
	struct xcs_err err;
	int rc = xcs_child_start(&child, &spawn, &err);

	if (rc)
		fprintf(stderr, "xcsbench run: %s\n", err.text);
	else
		xcs_child_wait(&child, -1);
	xcs_child_stop(&child, 0);
	free(program);
	return rc || child.status ? XCS_EXIT_ERROR : XCS_EXIT_OK;
}

static void complain(const struct xcs_err *err)
{
	if (err->text[0])
		fprintf(stderr, "xcsbench run: %s\n", err->text);
}

static int dry_run(const struct runner *r)
{
	struct xcs_buf text = {0};

	runner_describe(r, &text);
	fputs(text.p, stdout);
	xcs_buf_fini(&text);
	return XCS_EXIT_OK;
}

/* Runs, puts everything back, and only then prints the report. */
static int measure(struct runner *r, struct xcs_err *err)
{
	int status = (int)runner_do(r, err);
	char *run_dir =
	        r->run_dir && xcs_run_was_measured(&r->run) ? xcs_xstrdup(r->run_dir) : NULL;
	struct xcs_err finish_err = {""};

	if (runner_finish(r, &finish_err) == 0)
		finish_err.text[0] = '\0';
	else if (status == XCS_EXIT_OK)
		status = XCS_EXIT_ERROR;
	if (run_dir && !r->options->quiet)
		fprintf(stderr, "xcsbench run: the record is in %s\n", run_dir);
	int printed = run_dir ? print_report(run_dir, r->options->json) : XCS_EXIT_OK;
	complain(err);
	complain(&finish_err);
	free(run_dir);
	return status == XCS_EXIT_OK ? printed : status;
}

/* Prepares what the old command line says, in the old folder and with the old seed. */
static int prepare_again(struct runner *r, struct resume *rs, struct run_options *options,
                         struct xcs_err *err)
{
	struct run_options again = run_options_defaults();
	struct xcs_strs operands = {0};
	struct xcs_buf text = {0};
	int rc = xcs_options_parse(&run_command, rs->n_words - 1, rs->words + 1, &again, &operands,
	                           &text, err);

	xcs_buf_fini(&text);
	again.quiet = options->quiet;
	again.json = options->json;
	again.output = rs->dir;
	again.seed = rs->old.plan.seed;
	*options = again;
	if (rc == 0 && operands.n != 1)
		rc = xcs_err_set(err, -EINVAL, "%s does not tell its scenario", rs->dir);
	if (rc == 0)
		rc = runner_prepare(r, options, operands.v[0], rs->old.plan.command, err);
	return rc ? rc : resume_take_plan(r, rs, err);
}

static int go_on(struct run_options *options)
{
	struct xcs_err err = {""};
	struct resume rs;
	struct runner r = {
	        .env = {.proc_fd = -1, .sys_fd = -1}
        };
	int rc = resume_open(&rs, options->resume, &err);
	int status = rc == -EPERM ? XCS_EXIT_CANNOT_JUDGE : XCS_EXIT_ERROR;

	if (rc == 0)
		rc = prepare_again(&r, &rs, options, &err);
	if (rc == 0) {
		status = measure(&r, &err);
	} else {
		status = rc == -EPERM ? XCS_EXIT_CANNOT_JUDGE : XCS_EXIT_ERROR;
		complain(&err);
		err.text[0] = '\0';
		if (runner_finish(&r, &err))
			complain(&err);
	}
	resume_close(&rs);
	return status;
}

/* Is --resume alone with what goes with it? */
static bool is_alone(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--resume") == 0)
			i++; /* its value */
		else if (strncmp(argv[i], "--resume=", 9) && strcmp(argv[i], "--quiet") &&
		         strcmp(argv[i], "--json"))
			return false;
	}
	return true;
}

int verb_run(int argc, char **argv)
{
	struct run_options options = run_options_defaults();
	struct xcs_strs operands = {0};
	struct xcs_err err = {""};
	struct runner r;
	int status = xcs_options_main(&run_command, argc, argv, &options, &operands);

	if (status >= 0)
		return status;
	if (options.resume && is_alone(argc, argv))
		return go_on(&options);
	if (options.resume || operands.n != 1) {
		fputs(options.resume ? "xcsbench run: --resume takes no scenario and no other "
		                       "option but --quiet and --json\n"
		                     : "xcsbench run: SCENARIO is missing; xcsbench list shows "
		                       "those that there are\n",
		      stderr);
		return XCS_EXIT_ERROR;
	}
	char *command = command_dup(argc, argv, options.output);
	int rc = runner_prepare(&r, &options, operands.v[0], command, &err);
	free(command);
	if (rc == 0 && !options.dry_run)
		return measure(&r, &err);
	status = rc == 0 ? dry_run(&r) : rc == -EPERM ? XCS_EXIT_CANNOT_JUDGE : XCS_EXIT_ERROR;
	complain(&err);
	err.text[0] = '\0';
	if (runner_finish(&r, &err))
		complain(&err);
	return status;
}
