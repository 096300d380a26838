/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "restore.h"

#include <guard/verb_restore.h>

#include <common/alloc.h>
#include <common/options.h>
#include <common/paths.h>

#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct arguments {
	bool dry_run;
	const char *journals;
};

static const struct xcs_option options[] = {
        {.name = "dry-run",
         .short_name = 'n',
         .type = XCS_OPT_FLAG,
         .offset = offsetof(struct arguments, dry_run),
         .help = "say what would be restored and change nothing"},
        {.name = "journals",
         .type = XCS_OPT_STR,
         .offset = offsetof(struct arguments, journals),
         .metavar = "DIR",
         .help = "folder of undo journals (default: where runs write them)"},
        {0           },
};

static const struct xcs_command command = {
        .name = "xcsbench restore",
        .summary = "Undoes what a killed run left changed, from its undo journal.",
        .operands = "",
        .options = options,
        .notes = "Nice values, CPU sets, autogroups and what --profile=controlled set go back to "
                 "what "
                 "they were before the run; processes and temporary folders of the run are "
                 "removed. What somebody else has changed since is left alone. Lowering a nice "
                 "value takes rights: use sudo.",
};

struct tally {
	size_t n_journals, n_failed;
};

static void print_item(const struct xcs_env *env, const struct undo_item *item)
{
	struct xcs_buf name = {0};

	undo_item_name(env, item, &name);
	printf("%s %s\n", name.p, item->said);
	xcs_buf_fini(&name);
}

static void print_journal(const struct xcs_env *env, const char *path,
                          const struct journal_text *text)
{
	printf("%s:\n", path);
	if (text->list.n == 0)
		puts("nothing was left changed");
	for (size_t i = 0; i < text->list.n; i++)
		print_item(env, &text->list.v[i]);
	if (text->torn)
		puts("the last line is torn: its change had not been made");
	if (text->n_bad_lines)
		printf("%zu damaged lines were skipped\n", text->n_bad_lines);
}

static void restore_one(const struct xcs_env *env, const char *path, bool dry_run, struct tally *t)
{
	struct journal_text text;
	struct xcs_err err = {""};
	int rc = restore_journal(env, path, dry_run, &text, &err);

	if (rc == -ENOENT)
		goto out;
	t->n_journals++;
	if (rc == -EBUSY) {
		printf("%s, and its guard will restore\n", err.text);
		goto out;
	}
	if (rc < 0) {
		fprintf(stderr, "xcsbench restore: %s\n", err.text);
		t->n_failed++;
		goto out;
	}
	print_journal(env, path, &text);
	if (rc > 0)
		fprintf(stderr, "xcsbench restore: %d of these failed; %s is kept\n", rc, path);
	t->n_failed += (size_t)rc;
out:
	journal_text_fini(&text);
}

static int is_journal(const struct dirent *e)
{
	size_t n = strlen(e->d_name);

	return e->d_name[0] != '.' && n > 5 && strcmp(e->d_name + n - 5, ".undo") == 0;
}

/* Newest first: a later run may have started from what an earlier one left behind. */
static void restore_folder(const struct xcs_env *env, const char *dir, bool dry_run,
                           struct tally *t)
{
	struct dirent **names = NULL;
	int n = scandir(dir, &names, is_journal, alphasort);

	if (n < 0 && errno != ENOENT) {
		fprintf(stderr, "xcsbench restore: cannot read %s: %s\n", dir, strerror(errno));
		t->n_failed++;
	}
	for (int i = n; i-- > 0;) {
		char *path = xcs_xasprintf("%s/%s", dir, names[i]->d_name);
		restore_one(env, path, dry_run, t);
		free(path);
		free(names[i]);
	}
	free(names);
}

static int restore_usual(const struct xcs_env *env, bool dry_run, struct tally *t,
                         struct xcs_err *err)
{
	struct xcs_user user;
	int rc = xcs_user_find(&user, err);

	if (rc)
		return rc;
	char *dir = xcs_path_journals_dup(&user);
	restore_folder(env, dir, dry_run, t);
	free(dir);
	if (!user.via_sudo)
		return 0;
	/* Under sudo also what the user's own runs left and only root can put back. */
	dir = xcs_xasprintf("%s/.local/state/xcsbench/undo", user.home);
	restore_folder(env, dir, dry_run, t);
	free(dir);
	return 0;
}

int verb_restore(int argc, char **argv)
{
	struct arguments args = {0};
	struct xcs_strs operands;
	struct xcs_env env;
	struct xcs_err err = {""};
	struct tally tally = {0};
	int status = xcs_options_main(&command, argc, argv, &args, &operands);

	if (status >= 0)
		return status;
	int rc = xcs_env_open(&env, &err);
	if (rc == 0 && args.journals)
		restore_folder(&env, args.journals, args.dry_run, &tally);
	else if (rc == 0)
		rc = restore_usual(&env, args.dry_run, &tally, &err);
	xcs_env_close(&env);
	if (rc) {
		fprintf(stderr, "xcsbench restore: %s\n", err.text);
		return XCS_EXIT_ERROR;
	}
	if (tally.n_journals == 0 && tally.n_failed == 0)
		printf("nothing to restore%s\n",
		       geteuid()
		               ? " (changes of runs by root are restored by: sudo xcsbench restore)"
		               : "");
	return tally.n_failed ? XCS_EXIT_ERROR : XCS_EXIT_OK;
}
