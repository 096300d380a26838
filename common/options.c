/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <common/cpuset.h>
#include <common/main.h>
#include <common/options.h>
#include <common/units.h>

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	KEY_HELP = 0x1000,
	KEY_VERSION,
	KEY_AS,
	KEY_ROW
};

static size_t n_rows(const struct xcs_command *cmd)
{
	size_t n = 0;

	while (cmd->options[n].name)
		n++;
	return n;
}

static int bad(struct xcs_err *err, const struct xcs_option *o, const char *value, const char *want)
{
	return xcs_err_set(err, -EINVAL, "--%s: '%s' is not %s", o->name, value, want);
}

static int read_int(const struct xcs_option *o, struct xcs_str text, int *out, struct xcs_err *err)
{
	int64_t v;

	if (xcs_str_i64(text, &v) || v < o->min || v > o->max)
		return xcs_err_set(err, -EINVAL, "--%s: '%.*s' is not a number from %d to %d",
		                   o->name, (int)(text.n < 80 ? text.n : 80), text.p, o->min,
		                   o->max);
	*out = (int)v;
	return 0;
}

static int read_ints(const struct xcs_option *o, struct xcs_str rest, struct xcs_ints *list,
                     struct xcs_err *err)
{
	struct xcs_str part;

	list->n = 0;
	while (xcs_str_next_part(&rest, ',', &part)) {
		if (list->n == XCS_OPTION_LIST_MAX)
			return xcs_err_set(err, -EINVAL, "--%s: more than %d values", o->name,
			                   XCS_OPTION_LIST_MAX);
		int rc = read_int(o, part, &list->v[list->n], err);
		if (rc)
			return rc;
		list->n++;
	}
	return list->n ? 0 : bad(err, o, "", "a list of numbers such as 0,-10,10");
}

static int read_choice(const struct xcs_option *o, const char *value, int *out, struct xcs_err *err)
{
	struct xcs_buf names = {0};

	for (int i = 0; o->choices[i]; i++) {
		if (strcmp(o->choices[i], value) == 0) {
			*out = i;
			xcs_buf_fini(&names);
			return 0;
		}
		xcs_buf_printf(&names, "%s%s", i ? ", " : "one of ", o->choices[i]);
	}
	bad(err, o, value, names.p);
	xcs_buf_fini(&names);
	return -EINVAL;
}

static int read_str(const struct xcs_option *o, const char *value, struct xcs_strs *list,
                    struct xcs_err *err)
{
	if (list->n == XCS_OPTION_LIST_MAX)
		return xcs_err_set(err, -EINVAL, "--%s: given more than %d times", o->name,
		                   XCS_OPTION_LIST_MAX);
	list->v[list->n++] = value;
	return 0;
}

static int store(const struct xcs_option *o, const char *value, void *into, struct xcs_err *err)
{
	void *at = (char *)into + o->offset;
	struct xcs_str text = xcs_str(value);
	int rc = 0;

	/* An unset variable in a script, and never a file or a name. */
	if ((o->type == XCS_OPT_STR || o->type == XCS_OPT_STRS) && text.n == 0)
		return xcs_err_set(err, -EINVAL, "--%s: the value is empty", o->name);
	switch (o->type) {
	case XCS_OPT_FLAG:
		*(bool *)at = true;
		break;
	case XCS_OPT_STR:
		*(const char **)at = value;
		break;
	case XCS_OPT_STRS:
		return read_str(o, value, at, err);
	case XCS_OPT_INT:
		return read_int(o, text, at, err);
	case XCS_OPT_U64:
		return xcs_str_u64(text, at) ? bad(err, o, value, "a whole number") : 0;
	case XCS_OPT_INTS:
		return read_ints(o, text, at, err);
	case XCS_OPT_DURATION:
		rc = xcs_duration_parse(text, at, err);
		break;
	case XCS_OPT_CHOICE:
		return read_choice(o, value, at, err);
	case XCS_OPT_CPUS:
		rc = xcs_cpuset_parse(text, at, err);
		break;
	}
	if (rc)
		xcs_err_prefix(err, "--%s", o->name);
	return rc;
}

static void usage_line(const struct xcs_command *cmd, struct xcs_buf *out)
{
	xcs_buf_printf(out, "Usage: %s [OPTION]...%s%s\n", cmd->name, cmd->operands[0] ? " " : "",
	               cmd->operands);
}

/* The value as the user types it: =N, =a|b, or nothing. */
static void value_name(const struct xcs_option *o, struct xcs_buf *out)
{
	if (o->type == XCS_OPT_FLAG)
		return;
	xcs_buf_putc(out, '=');
	if (o->type != XCS_OPT_CHOICE) {
		xcs_buf_puts(out, o->metavar);
		return;
	}
	for (int i = 0; o->choices[i]; i++)
		xcs_buf_printf(out, "%s%s", i ? "|" : "", o->choices[i]);
}

enum {
	HELP_COLUMN = 30,
	HELP_WIDTH = 79
};

/* Adds the text word by word, from column `at` on, with further lines indented. */
static void add_wrapped(struct xcs_buf *out, const char *text, size_t at, size_t indent)
{
	struct xcs_str rest = xcs_str(text), word;
	bool first = true;

	while (xcs_str_next_word(&rest, &word)) {
		if (!first && at + 1 + word.n > HELP_WIDTH) {
			xcs_buf_putc(out, '\n');
			xcs_buf_fill(out, ' ', indent);
			at = indent;
			first = true;
		}
		xcs_buf_printf(out, "%s%.*s", first ? "" : " ", (int)word.n, word.p);
		at += word.n + !first;
		first = false;
	}
	xcs_buf_putc(out, '\n');
}

static void help_row(const struct xcs_option *o, struct xcs_buf *out)
{
	struct xcs_buf left = {0};

	if (o->short_name)
		xcs_buf_printf(&left, "  -%c, --%s", o->short_name, o->name);
	else
		xcs_buf_printf(&left, "      --%s", o->name);
	value_name(o, &left);
	if (left.n > HELP_COLUMN - 2)
		xcs_buf_printf(out, "%s\n%*s", left.p, HELP_COLUMN, "");
	else
		xcs_buf_printf(out, "%-*s", HELP_COLUMN, left.p);
	add_wrapped(out, o->help, HELP_COLUMN, HELP_COLUMN);
	xcs_buf_fini(&left);
}

static const struct xcs_option own_rows[] = {
        {.name = "help",             .short_name = 'h', .help = "print this help"},
        {.name = "version", .help = "print the version"},
        {0         },
};

static void each_row(const struct xcs_command *cmd, struct xcs_buf *out,
                     void (*fn)(const struct xcs_option *, struct xcs_buf *))
{
	for (const struct xcs_option *o = cmd->options; o->name; o++)
		fn(o, out);
	for (const struct xcs_option *o = own_rows; o->name; o++)
		fn(o, out);
}

static void write_help(const struct xcs_command *cmd, struct xcs_buf *out)
{
	usage_line(cmd, out);
	xcs_buf_printf(out, "%s\n\n", cmd->summary);
	each_row(cmd, out, help_row);
	if (cmd->notes) {
		xcs_buf_putc(out, '\n');
		add_wrapped(out, cmd->notes, 0, 0);
	}
}

static void scdoc_row(const struct xcs_option *o, struct xcs_buf *out)
{
	struct xcs_buf value = {0};

	value_name(o, &value);
	if (o->short_name)
		xcs_buf_printf(out, "*-%c*, ", o->short_name);
	xcs_buf_printf(out, "*--%s*", o->name);
	/* Underscores are scdoc's underline; a value that holds one is escaped. */
	for (const char *p = value.n ? value.p : ""; *p; p++)
		xcs_buf_printf(out, *p == '_' ? "\\_" : "%c", *p);
	xcs_buf_puts(out, "\n\t");
	for (const char *p = o->help; *p; p++)
		xcs_buf_printf(out, strchr("_*\\", *p) ? "\\%c" : "%c", *p);
	xcs_buf_puts(out, ".\n\n");
	xcs_buf_fini(&value);
}

static void words_row(const struct xcs_option *o, struct xcs_buf *out)
{
	if (o->short_name)
		xcs_buf_printf(out, "-%c\n", o->short_name);
	xcs_buf_printf(out, o->type == XCS_OPT_FLAG ? "--%s\n" : "--%s=\n", o->name);
	for (size_t i = 0; o->type == XCS_OPT_CHOICE && o->choices[i]; i++)
		xcs_buf_printf(out, "--%s=%s\n", o->name, o->choices[i]);
}

static int write_as(const struct xcs_command *cmd, const char *form, struct xcs_buf *out,
                    struct xcs_err *err)
{
	if (strcmp(form, "scdoc") == 0)
		each_row(cmd, out, scdoc_row);
	else if (strcmp(form, "words") == 0)
		each_row(cmd, out, words_row);
	else
		return xcs_err_set(err, -EINVAL, "--options-as: '%s' is not scdoc or words", form);
	return 1;
}

/* getopt's tables, made from the rows. */
struct getopt_tables {
	struct option *longs;
	struct xcs_buf shorts;
};

static struct getopt_tables make_tables(const struct xcs_command *cmd)
{
	size_t n = n_rows(cmd);
	struct getopt_tables t = {.longs = xcs_xcalloc(n + 4, sizeof(*t.longs))};

	xcs_buf_puts(&t.shorts, ":h");
	for (size_t i = 0; i < n; i++) {
		const struct xcs_option *o = &cmd->options[i];
		bool flag = o->type == XCS_OPT_FLAG;
		t.longs[i] = (struct option){o->name, flag ? no_argument : required_argument, NULL,
		                             KEY_ROW + (int)i};
		if (o->short_name)
			xcs_buf_printf(&t.shorts, flag ? "%c" : "%c:", o->short_name);
	}
	t.longs[n] = (struct option){"help", no_argument, NULL, KEY_HELP};
	t.longs[n + 1] = (struct option){"version", no_argument, NULL, KEY_VERSION};
	t.longs[n + 2] = (struct option){"options-as", required_argument, NULL, KEY_AS};
	return t;
}

static const struct xcs_option *row_of(const struct xcs_command *cmd, int key)
{
	if (key >= KEY_ROW)
		return &cmd->options[key - KEY_ROW];
	for (const struct xcs_option *o = cmd->options; o->name; o++)
		if (o->short_name == key)
			return o;
	return NULL;
}

static int take(const struct xcs_command *cmd, int key, const char *word, void *into,
                struct xcs_buf *text, struct xcs_err *err)
{
	switch (key) {
	case 'h':
	case KEY_HELP:
		write_help(cmd, text);
		return 1;
	case KEY_VERSION:
		xcs_buf_printf(text, "xcsbench %s\n", XCS_VERSION);
		return 1;
	case KEY_AS:
		return write_as(cmd, optarg, text, err);
	case ':':
		return xcs_err_set(err, -EINVAL, "%s needs a value; see %s --help", word,
		                   cmd->name);
	case '?':
		return xcs_err_set(err, -EINVAL, "unknown option %s; see %s --help", word,
		                   cmd->name);
	default:
		return store(row_of(cmd, key), optarg ? optarg : "", into, err);
	}
}

static int take_operands(const struct xcs_command *cmd, int argc, char *const *argv,
                         struct xcs_strs *operands, struct xcs_err *err)
{
	int n = argc - optind;

	if (n < cmd->min_operands)
		return xcs_err_set(err, -EINVAL, "%s needs %s; see %s --help", cmd->name,
		                   cmd->operands, cmd->name);
	if (n > cmd->max_operands)
		return xcs_err_set(err, -EINVAL, "unexpected argument '%s'; see %s --help",
		                   argv[optind + cmd->max_operands], cmd->name);
	operands->n = 0;
	for (int i = 0; i < n && i < XCS_OPTION_LIST_MAX; i++)
		operands->v[operands->n++] = argv[optind + i];
	return 0;
}

int xcs_options_parse(const struct xcs_command *cmd, int argc, char *const *argv, void *into,
                      struct xcs_strs *operands, struct xcs_buf *text, struct xcs_err *err)
{
	struct getopt_tables t = make_tables(cmd);
	int rc = 0, key;

	optind = 0; /* glibc: start afresh */
	opterr = 0;
	while (rc == 0) {
		int at = optind ? optind : 1;
		key = getopt_long(argc, argv, t.shorts.p, t.longs, NULL);
		if (key == -1)
			break;
		rc = take(cmd, key, argv[optind > at ? optind - 1 : at], into, text, err);
	}
	if (rc == 0)
		rc = take_operands(cmd, argc, argv, operands, err);
	free(t.longs);
	xcs_buf_fini(&t.shorts);
	return rc;
}

int xcs_options_main(const struct xcs_command *cmd, int argc, char *const *argv, void *into,
                     struct xcs_strs *operands)
{
	struct xcs_buf text = {0};
	struct xcs_err err = {0};
	int rc = xcs_options_parse(cmd, argc, argv, into, operands, &text, &err);
	int status = rc == 0 ? -1 : rc < 0 ? XCS_EXIT_ERROR : XCS_EXIT_OK;

	if (rc < 0)
		fprintf(stderr, "%s: %s\n", cmd->name, err.text);
	if (rc > 0) {
		fputs(text.p ? text.p : "", stdout);
		status = xcs_main_end(cmd->name, status);
	}
	xcs_buf_fini(&text);
	return status;
}
