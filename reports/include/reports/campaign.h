/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Many runs, gathered: by label into groups, in each group by boot. What a comparison is
 * made of. All strings are owned and valid UTF-8.
 */
#ifndef XCS_CAMPAIGN_H
#define XCS_CAMPAIGN_H

#include <common/err.h>
#include <record/metric.h>
#include <reports/stats.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A fact of a group's runs: each value that it has among them, at most 8. */
struct xcs_known_fact {
	char *key;
	bool is_hard; /* runs that differ in it are not comparable */
	char *values[8];
	size_t n_values;
};

struct xcs_campaign_run {
	char *dir, *id;
	char *left_out; /* why it takes no part; NULL: it does */
	bool rebooted;  /* the machine was booted again before it ended */
	int64_t created_wall_ns, last_wall_ns;
	char *boot_id;       /* its first; NULL: unknown */
	bool open;           /* never said that it ended */
	size_t n_unreadable; /* trials */
};

/* Id of the boot of all runs that do not tell theirs. */
#define XCS_BOOT_UNKNOWN "unknown"

struct xcs_campaign_boot {
	char *id;
	int64_t wall_ns;   /* of its first trial */
	size_t n_trials;   /* counted */
	struct xcs_num *v; /* campaign.n_cells times XCS_N_METRICS: medians of its trials */
	bool constant[XCS_N_METRICS];      /* three trials of a cell or more, all exactly alike */
	struct xcs_campaign_trial *trials; /* while loading */
	size_t n_all, cap_all;
};

struct xcs_campaign_group {
	char *label, *key; /* full, and as tables show it */
	bool is_quick;
	bool is_imported; /* all its runs are */
	struct xcs_campaign_run *runs;
	size_t n_runs, cap_runs;
	struct xcs_campaign_boot *boots;
	size_t n_boots, cap_boots;
	struct xcs_known_fact *facts;
	size_t n_facts, cap_facts;
};

struct xcs_campaign {
	char *scenario;
	char **cells; /* "xterm, nice -10" */
	char **loads; /* id of each cell's load */
	int *nices;   /* of each cell */
	size_t n_cells, cap_cells;
	struct xcs_campaign_group *groups; /* the first is the base */
	size_t n_groups, cap_groups;
	char **warnings; /* one sentence per trial that cannot be read */
	size_t n_warnings, cap_warnings;
	bool is_imported; /* all groups are */
};

/* What the user named: a path and the label for its runs, NULL: their kernel. */
struct xcs_campaign_source {
	const char *label, *path;
};

/*
 * Reads all runs of all sources. A path is a run, a folder of runs, or a pattern of such. A
 * path that names nothing to read and a run that cannot be read are errors (-errno); in a
 * folder of runs an unreadable one is left out and says so. Fini in any case.
 */
int xcs_campaign_load(struct xcs_campaign *c, const struct xcs_campaign_source *sources, size_t n,
                      struct xcs_err *err) XCS_MUST_CHECK;
void xcs_campaign_fini(struct xcs_campaign *c);

const struct xcs_known_fact *xcs_campaign_fact(const struct xcs_campaign_group *g, const char *key);

#ifdef __cplusplus
}
#endif
#endif
