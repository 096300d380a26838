/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How facts are read: one line of one small file each. Private to bench/facts.
 */
#ifndef FACTS_READ_H
#define FACTS_READ_H

#include <facts/facts.h>

enum read_root {
	READ_PROC,
	READ_SYS
};

/* A fact that is the first line of one file. */
struct read_row {
	const char *key;
	enum read_root root;
	const char *rel;
};

/* Sets all rows; a file that cannot be read or is empty gives a fact without a value. */
void read_rows(const struct facts_world *w, const struct read_row *rows, size_t n,
               struct xcs_facts *facts);

/* First line of a file below /proc or /sys, trimmed; NULL when there is none. Caller frees. */
char *read_line_dup(const struct facts_world *w, enum read_root root, const char *rel);

/* Reads an absolute path (of the world's root) whole. Returns 0 or -errno. */
int read_path(const struct facts_world *w, const char *path, struct xcs_buf *into);

/* The value behind "KEY<blanks><sep>" of the first line that has it, trimmed and without
 * double quotes around it; NULL when none has. The caller frees. */
char *read_value_dup(struct xcs_str text, char sep, const char *key);

/* Names in a folder below /sys that begin with `prefix`, sorted; returns how many, all of
 * them and the array owned by the caller. */
size_t read_names(const struct facts_world *w, const char *rel, const char *prefix, char ***names);
void read_names_free(char **names, size_t n);

/* The first line that each `REL/NAME/leaf` has, every value once, joined by ", " in the order
 * of the names: what several CPUs or supplies say. NULL when none says anything. */
char *read_each_dup(const struct facts_world *w, const char *rel, const char *prefix,
                    const char *leaf);

#endif
