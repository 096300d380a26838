/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Terminals that xcsbench can put in xterm's place, with a ready command line for each, and
 * what no option of theirs can pin.
 */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <common/paths.h>
#include <record/run.h>

struct terminal {
	const char *name;    /* "urxvt", as --terminal takes it */
	const char *program; /* that must be in PATH */
	const char *package; /* of Debian */
	const char *pattern; /* see terminal_words.h; NULL: the load kind "xterm" itself */
	const char *version_option;
	int cell_width_px, cell_height_px;     /* of the font that the template asks for */
	int around_width_px, around_height_px; /* borders, tool bars */
	bool is_placed;                        /* the template says where the window goes */
	bool reads_files;                      /* beside the pty, so rchar is not its lines */
	const char *unpinned;                  /* what the template leaves open, a list */
	const char *refused;                   /* why it cannot be used at all; or NULL */
};

/* The table's rows, in the order of the list; NULL past the end. */
const struct terminal *terminal_row(size_t i);

/* By name, or of the program that a template starts; NULL when it is none of the table. */
const struct terminal *terminal_by_name(const char *name);
const struct terminal *terminal_by_template(const char *pattern);

/*
 * Makes the load a terminal's: `text` is a name of the table or a template. Refuses
 * (-EINVAL, -ENOENT) with one sentence what cannot work: a fault of the template, a program
 * that is not installed, a terminal that has no X window. A load of another kind than
 * "xterm" is left alone.
 */
int terminal_apply(struct xcs_run_load *load, const char *text, struct xcs_err *err) XCS_MUST_CHECK;

/* Says on the report's face which terminal draws a load, and its version. */
void terminal_note(struct xcs_run *run, const struct xcs_user *user);

/* Which font draws the loads' text: fact "terminal.font", from what their command lines pin;
 * unknown where one does not, or they differ. */
void terminal_font(struct xcs_run *run);

/* The path of a program in PATH, or NULL; the caller frees it. */
char *terminal_path_dup(const char *program);

/* What the terminal says of its version; NULL when it says nothing. The caller frees it. */
char *terminal_version_dup(const struct terminal *t, const struct xcs_user *user);

#endif
