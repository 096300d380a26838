/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Command-line options as rows of a table. Parsing, --help, the OPTIONS section of the man
 * page and shell completion all come from the same rows.
 */
#ifndef XCS_OPTIONS_H
#define XCS_OPTIONS_H

#include <common/buf.h>
#include <common/err.h>

#ifdef __cplusplus
extern "C" {
#endif

#define XCS_OPTION_LIST_MAX 512

struct xcs_ints {
	int v[XCS_OPTION_LIST_MAX];
	size_t n;
};

struct xcs_strs {
	const char *v[XCS_OPTION_LIST_MAX]; /* borrowed from argv */
	size_t n;
};

enum xcs_option_type {
	XCS_OPT_FLAG,     /* bool */
	XCS_OPT_STR,      /* const char *, borrowed from argv */
	XCS_OPT_STRS,     /* struct xcs_strs; the option may be repeated */
	XCS_OPT_INT,      /* int within min..max */
	XCS_OPT_U64,      /* uint64_t */
	XCS_OPT_INTS,     /* struct xcs_ints, comma-separated, each within min..max */
	XCS_OPT_DURATION, /* int64_t ns */
	XCS_OPT_CHOICE,   /* int: index into choices */
	XCS_OPT_CPUS,     /* struct xcs_cpuset */
};

struct xcs_option {
	const char *name; /* long name without dashes; NULL ends the table */
	char short_name;  /* or 0 */
	enum xcs_option_type type;
	size_t offset;       /* of the member in the caller's struct */
	const char *metavar; /* "N", "FILE"; NULL for flags and choices */
	const char *help;    /* one sentence, no full stop, with the default if there is one */
	int min, max;
	const char *const *choices; /* NULL-terminated */
};

struct xcs_command {
	const char *name;     /* "xcsbench run" */
	const char *summary;  /* one sentence */
	const char *operands; /* "SCENARIO", "[RUN]" or "" */
	int min_operands, max_operands;
	const struct xcs_option *options;
	const char *notes; /* paragraphs behind the options, or NULL */
};

/*
 * Reads argv into *into (whose defaults the caller has set) and puts the operands, borrowed
 * from argv, into *operands. Returns 0, -EINVAL with the sentence, or 1 when --help,
 * --version or the hidden --options-as=scdoc|words was given: `text` then holds what main
 * has to print before it exits with 0.
 */
int xcs_options_parse(const struct xcs_command *cmd, int argc, char *const *argv, void *into,
                      struct xcs_strs *operands, struct xcs_buf *text,
                      struct xcs_err *err) XCS_MUST_CHECK;

/*
 * xcs_options_parse for main: prints help or the error. Returns -1 to go on, else the exit
 * status.
 */
int xcs_options_main(const struct xcs_command *cmd, int argc, char *const *argv, void *into,
                     struct xcs_strs *operands);

#ifdef __cplusplus
}
#endif
#endif
