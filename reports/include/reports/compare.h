/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A campaign judged: each group against the first, metric by metric. docs/statistics.md
 * tells the method.
 */
#ifndef XCS_COMPARE_H
#define XCS_COMPARE_H

#include <reports/campaign.h>
#include <reports/document.h>
#include <reports/judge.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xcs_compare_gate {
	int metric;
	int cell;                    /* of the campaign; -1: geometric mean of all */
	struct xcs_num stored_floor; /* from A/A campaigns, a difference of logarithms */
};

struct xcs_compare_settings {
	struct xcs_compare_gate gates[XCS_GATES_MAX];
	size_t n_gates;
	const char *variable; /* key of the fact under test; NULL: the kernel */
	double margin_pct;    /* 0: xcs_margin_pct of the metric */
	bool force_descriptive;
};

/* Boot values of a side that fall apart: medians of the lower and the upper; n 0: they do not. */
struct xcs_compare_heaps {
	size_t n_low, n_high;
	double low, high;
};

/* One metric of a group against the base. Spreads are those of the boot values. */
struct xcs_compare_row {
	int metric, cell;
	size_t n_cells; /* that the mean is made of */
	struct xcs_spread base, newer;
	struct xcs_judgement judged;       /* p_adjusted: Holm's for gates, else q */
	enum xcs_verdict verdict;          /* of gates */
	bool constant;                     /* trials of a boot alike to the last digit */
	struct xcs_compare_heaps heaps[2]; /* base, new */
	struct xcs_num *values; /* of each boot, base's first; owned; kept of gates only */
};

enum xcs_compare_standing {
	XCS_STANDING_JUDGED,
	XCS_STANDING_SUGGESTIVE,  /* one boot on a side: a hint at most */
	XCS_STANDING_DESCRIPTIVE, /* two boots on each side, a quick run, or as was asked */
	XCS_STANDING_INVALID
};

struct xcs_compare_pair {
	size_t group; /* against group 0 */
	size_t n_base, n_new, n_blocks;
	bool are_mixed; /* the boots of the two alternate */
	enum xcs_compare_standing standing;
	enum xcs_verdict verdict;
	char *why; /* of any standing but judged */
	struct xcs_compare_row gates[XCS_GATES_MAX];
	size_t n_gates;
	struct xcs_compare_row *others;
	size_t n_others;
	size_t n_rebooted; /* runs of the new kernel under which the machine went down */
};

struct xcs_comparison {
	const struct xcs_campaign *campaign; /* borrowed */
	struct xcs_compare_settings settings;
	char **hard, **soft; /* "cpu.model: A Example; B Other": differences in words */
	size_t n_hard, n_soft, cap_hard, cap_soft;
	struct xcs_compare_pair *pairs;
	size_t n_pairs;
};

/*
 * Reads a list such as "lines,frames:xterm:-10" into the settings; NULL takes those of the
 * default list that the campaign has values of. -EINVAL with the sentence.
 */
int xcs_compare_choose_gates(struct xcs_compare_settings *s, const struct xcs_campaign *c,
                             const char *list, struct xcs_err *err) XCS_MUST_CHECK;

/* Raises the gates' floors by the shifts that each group of an A/A campaign shows when its
 * boots are dealt to two sides in the order A B B A. */
void xcs_compare_learn_floors(struct xcs_compare_settings *s, const struct xcs_campaign *c,
                              const struct xcs_campaign *aa, size_t n_aa);

void xcs_compare(struct xcs_comparison *x, const struct xcs_campaign *c,
                 const struct xcs_compare_settings *settings);
void xcs_comparison_fini(struct xcs_comparison *x);

/* Of all pairs: a regression if there is one, else whatever cannot be judged, else 0. */
enum xcs_exit xcs_comparison_exit(const struct xcs_comparison *x);

/* Fills *doc, which the caller ends with xcs_doc_fini. `command`: to do it again. */
void xcs_comparison_report(const struct xcs_comparison *x, const char *command,
                           struct xcs_doc *doc);

/* Adds the boots' values as samples: run is the boot's id, status "boot". */
void xcs_comparison_samples(const struct xcs_comparison *x, struct xcs_doc *doc);

#ifdef __cplusplus
}
#endif
#endif
