/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reference results: figures that others published, as data with their source (schema
 * xcsbench.reference/1). Installed sets are share/xcsbench/references/NAME.json. All
 * strings are owned by the set and may be NULL where the source does not say.
 */
#ifndef XCS_REFERENCE_H
#define XCS_REFERENCE_H

#include <common/err.h>
#include <record/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Values of one metric in one row, in the order in which they were published. */
struct xcs_reference_figure {
	char *metric; /* an id of record/metric.h where there is one; else its own: "refresh" */
	char *unit;   /* "1/s", "%", "s", "Hz", "kB", "1"; as the metric's where there is one */
	char *text;   /* what the source gives in words instead of or beside a number */
	bool about;   /* the source calls the number approximate */
	struct xcs_num *values;
	size_t n_values;
};

struct xcs_reference_row {
	char *kernel;  /* as published */
	char *variant; /* a short name of it for tables: "CFS v5" */
	char *command; /* of timed commands, else NULL */
	char *span;    /* "samples" of 1 s, "since boot", "command" */
	char *note;
	struct xcs_num x_nice, client_nice, n_hogs;
	struct xcs_num n_lines; /* that the command wrote */
	struct xcs_reference_figure *figures;
	size_t n_figures;
};

struct xcs_reference_experiment {
	char *id; /* "A": the first word of the experiment that a run names */
	char *title, *date, *source, *kernels, *machine, *workload, *method;
	char **claims, **comparable, **not_comparable; /* sentences */
	size_t n_claims, n_comparable, n_not_comparable;
	struct xcs_reference_row *rows;
	size_t n_rows;
};

struct xcs_reference {
	char *name, *title, *explanation;
	struct xcs_reference_experiment *experiments;
	size_t n_experiments;
};

/*
 * Reads a set by name, or by path when `name` holds a slash. Returns 0 or -errno with a
 * sentence, which for an unknown name tells those that exist. The caller owns *set.
 */
int xcs_reference_load(struct xcs_reference *set, const char *name,
                       struct xcs_err *err) XCS_MUST_CHECK;
void xcs_reference_fini(struct xcs_reference *set);

/* The set as data, in the form of its file; the caller owns the reference. */
struct json_t *xcs_reference_json(const struct xcs_reference *set);

/* Names of the installed sets, sorted; the caller frees each and the list. 0 or -errno. */
int xcs_reference_names(char ***names, size_t *n, struct xcs_err *err) XCS_MUST_CHECK;
void xcs_reference_names_free(char **names, size_t n);

/* The experiment of that set which a run's plan.experiment means ("A (April 2007)": "A"), or
 * NULL. */
const struct xcs_reference_experiment *xcs_reference_find(const struct xcs_reference *set,
                                                          const char *experiment);

/* The row's figure of that metric, or NULL. */
const struct xcs_reference_figure *xcs_reference_figure(const struct xcs_reference_row *row,
                                                        const char *metric);

#ifdef __cplusplus
}
#endif
#endif
