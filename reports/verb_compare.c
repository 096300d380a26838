/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "output.h"
#include "verbs.h"

#include <common/alloc.h>
#include <reports/compare.h>
#include <reports/labels.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	EXIT_CODE_PLAIN = 0,
	EXIT_CODE_BISECT
};

/* What `git bisect run` understands: 1 to 124 bad, 125 skip, 128 and up stop. */
enum {
	BISECT_GOOD = 0,
	BISECT_BAD = 1,
	BISECT_SKIP = 125,
	BISECT_STOP = 128
};

struct compare_options {
	struct xcs_strs labels, aa;
	const char *gates, *variable;
	int margin_pct, exit_code;
	bool force_descriptive;
	struct output_options out;
};

static const char *const exit_code_names[] = {"plain", "bisect", NULL};

static const struct xcs_option option_rows[] = {
        {.name = "label",
         .type = XCS_OPT_STRS,
         .offset = offsetof(struct compare_options, labels),
         .metavar = "NAME=PATH",
         .help = "the runs at PATH under that name; may be repeated, the first is the base"},
        {.name = "gate",
         .type = XCS_OPT_STR,
         .offset = offsetof(struct compare_options, gates),
         .metavar = "METRIC[:LOAD:NICE],...",
         .help = "at most 5 metrics that decide, over all cells or in one (default: the first two "
                 "of lines, frames, command.real, latencies that the runs have)"},
        {.name = "margin",
         .type = XCS_OPT_INT,
         .offset = offsetof(struct compare_options, margin_pct),
         .metavar = "PCT",
         .min = 1,
         .max = 50,
         .help = "smaller shifts count as none (default: 3, of 99th percentiles 10)"},
        {.name = "aa",
         .type = XCS_OPT_STRS,
         .offset = offsetof(struct compare_options, aa),
         .metavar = "PATH",
         .help = "runs of one kernel, four boots or more: how far it lies from itself raises "
                 "the floor; may be repeated"},
        {.name = "variable",
         .type = XCS_OPT_STR,
         .offset = offsetof(struct compare_options, variable),
         .metavar = "FACT",
         .help = "what is under test, cpu.governor say (default: the kernel)"},
        {.name = "force-descriptive",
         .type = XCS_OPT_FLAG,
         .offset = offsetof(struct compare_options, force_descriptive),
         .help = "show runs that are not comparable side by side, without a verdict"},
        {.name = "exit-code",
         .type = XCS_OPT_CHOICE,
         .offset = offsetof(struct compare_options, exit_code),
         .choices = exit_code_names,
         .help = "bisect: 0 good, 1 bad, 125 cannot judge, 128 error, for git bisect run"},
        OUTPUT_OPTION_ROWS(compare_options, out),
        {0                                                       },
};

static const struct xcs_command command = {
        .name = "xcsbench compare",
        .summary = "Compare kernels by their boots, and say what the difference is worth.",
        .operands = "[BASE [NEW]...]",
        .max_operands = XCS_OPTION_LIST_MAX - 1,
        .options = option_rows,
        .notes = "Each operand is the folder of a run, a folder that holds runs, or a pattern of\n"
                 "such. Runs are grouped by the release of their kernel, or by --label. Runs of\n"
                 "one boot are trials of that boot; a verdict takes three boots a side, better\n"
                 "six, in blocks of two and two.\n\n"
                 "Exit status: 0 no regression shown; 1 regression; 2 error; 3 cannot judge:\n"
                 "not comparable, one boot a side, quick runs, or the machine went down.",
};

/* "NAME=PATH": the first "=" behind which something exists, else the first. Caller frees. */
static char *split_label(const char *text, struct xcs_campaign_source *source, struct xcs_err *err)
{
	const char *cut = strchr(text, '='), *first = cut;

	while (cut && access(cut + 1, F_OK) != 0)
		cut = strchr(cut + 1, '=');
	cut = cut ? cut : first;
	if (!cut || cut == text || !cut[1]) {
		xcs_err_set(err, -EINVAL, "--label: '%s' is not NAME=PATH", text);
		return NULL;
	}
	char *label = xcs_xasprintf("%.*s", (int)(cut - text), text);
	*source = (struct xcs_campaign_source){.label = label, .path = cut + 1};
	return label;
}

/* What is to be read; labels are owned by `names`. */
struct sources {
	struct xcs_campaign_source v[2 * XCS_OPTION_LIST_MAX];
	size_t n;
	char *names[XCS_OPTION_LIST_MAX];
	size_t n_names;
};

static int gather_sources(struct sources *s, const struct compare_options *o,
                          const struct xcs_strs *operands, struct xcs_err *err)
{
	for (size_t i = 0; i < operands->n; i++)
		s->v[s->n++] = (struct xcs_campaign_source){.path = operands->v[i]};
	for (size_t i = 0; i < o->labels.n; i++) {
		char *name = split_label(o->labels.v[i], &s->v[s->n], err);
		if (!name)
			return -EINVAL;
		s->names[s->n_names++] = name;
		s->n++;
	}
	if (!s->n)
		return xcs_err_set(err, -EINVAL,
		                   "name the runs of the base and of what is compared with it; "
		                   "--help tells how");
	return 0;
}

static void sources_fini(struct sources *s)
{
	for (size_t i = 0; i < s->n_names; i++)
		free(s->names[i]);
}

/* Two operands of one kernel: it is compared with itself, and the operands name the sides. */
static int load(struct xcs_campaign *c, struct sources *s, struct xcs_err *err)
{
	int rc = xcs_campaign_load(c, s->v, s->n, err);

	if (rc || c->n_groups != 1)
		return rc;
	if (s->n != 2 || s->n_names)
		return xcs_err_set(err, -EINVAL,
		                   "all runs are of %.200s: name the sides with --label A=PATH "
		                   "--label B=PATH",
		                   c->groups[0].label);
	xcs_campaign_fini(c);
	for (size_t i = 0; i < s->n; i++)
		s->v[i].label = s->v[i].path;
	rc = xcs_campaign_load(c, s->v, s->n, err);
	if (rc == 0 && c->n_groups != 2)
		rc = xcs_err_set(err, -EINVAL,
		                 "%s is named twice; a run cannot be compared with "
		                 "itself",
		                 s->v[0].path);
	return rc;
}

static int learn_floors(struct xcs_compare_settings *settings, const struct xcs_campaign *c,
                        const struct xcs_strs *paths, struct xcs_err *err)
{
	struct xcs_campaign *aa = xcs_xcalloc(paths->n + 1, sizeof(*aa));
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < paths->n; i++) {
		const struct xcs_campaign_source source = {.path = paths->v[i]};
		rc = xcs_campaign_load(&aa[i], &source, 1, err);
	}
	if (rc == 0)
		xcs_compare_learn_floors(settings, c, aa, paths->n);
	for (size_t i = 0; i < paths->n; i++)
		xcs_campaign_fini(&aa[i]);
	free(aa);
	return rc;
}

static void warn(const struct xcs_campaign *c)
{
	for (size_t i = 0; i < c->n_warnings; i++)
		fprintf(stderr, "xcsbench compare: %s\n", c->warnings[i]);
}

static char *command_dup(int argc, char *const *argv)
{
	struct xcs_buf b = {0};

	xcs_buf_puts(&b, "xcsbench");
	for (int i = 0; i < argc; i++) {
		char *word = xcs_label_escape_dup(argv[i]);
		bool plain =
		        argv[i][0] && !argv[i][strcspn(argv[i], " \t\n\"'\\$`*?[]{}()<>|&;!#~")];
		xcs_buf_printf(&b, plain ? " %s" : " '%s'", word);
		free(word);
	}
	return xcs_buf_take(&b);
}

static int write_report(const struct xcs_comparison *x, const struct compare_options *o,
                        const char *again, struct xcs_err *err)
{
	struct xcs_doc doc;

	xcs_comparison_report(x, again, &doc);
	if (output_writer(&o->out)->wants_samples)
		xcs_comparison_samples(x, &doc);
	int rc = output_write(&o->out, &doc, err);
	xcs_doc_fini(&doc);
	return rc;
}

/* 0 or 1 or 3 as enum xcs_exit, or -errno. */
static int compare(const struct compare_options *o, struct sources *sources, const char *again,
                   struct xcs_err *err)
{
	struct xcs_compare_settings settings = {.variable = o->variable,
	                                        .margin_pct = o->margin_pct,
	                                        .force_descriptive = o->force_descriptive};
	struct xcs_campaign c;
	struct xcs_comparison x = {0};
	int rc = load(&c, sources, err);

	if (rc == 0)
		rc = xcs_compare_choose_gates(&settings, &c, o->gates, err);
	if (rc == 0)
		rc = learn_floors(&settings, &c, &o->aa, err);
	if (rc == 0) {
		xcs_compare(&x, &c, &settings);
		rc = write_report(&x, o, again, err);
		warn(&c);
	}
	if (rc == 0)
		rc = (int)xcs_comparison_exit(&x);
	xcs_comparison_fini(&x);
	xcs_campaign_fini(&c);
	return rc;
}

static int for_bisect(int status)
{
	switch (status) {
	case XCS_EXIT_OK:
		return BISECT_GOOD;
	case XCS_EXIT_REGRESSION:
		return BISECT_BAD;
	case XCS_EXIT_CANNOT_JUDGE:
		return BISECT_SKIP;
	default:
		return BISECT_STOP;
	}
}

/* Wrong use must stop a bisection too, and is found before the options are known. */
static bool asks_for_bisect(int argc, char *const *argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--exit-code=bisect") == 0 ||
		    (i > 1 && strcmp(argv[i - 1], "--exit-code") == 0 &&
		     strcmp(argv[i], "bisect") == 0))
			return true;
	return false;
}

int verb_compare(int argc, char **argv)
{
	struct compare_options o = {.out.format = OUTPUT_FORMAT_NOT_GIVEN};
	struct sources sources = {.n = 0};
	struct xcs_strs operands;
	struct xcs_err err = {0};
	bool bisect = asks_for_bisect(argc, argv);
	int status = xcs_options_main(&command, argc, argv, &o, &operands);

	if (status >= 0)
		return bisect ? for_bisect(status) : status;
	char *again = command_dup(argc, argv);
	int rc = output_settle(&o.out, "compare", &err);
	if (rc == 0)
		rc = gather_sources(&sources, &o, &operands, &err);
	if (rc == 0)
		rc = compare(&o, &sources, again, &err);
	if (rc < 0)
		fprintf(stderr, "xcsbench compare: %s\n", err.text);
	free(again);
	sources_fini(&sources);
	status = rc < 0 ? XCS_EXIT_ERROR : rc;
	return bisect ? for_bisect(status) : status;
}
