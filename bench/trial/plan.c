/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <trial/plan.h>

#include <load/hyperfine.h>

#include <common/alloc.h>
#include <common/rng.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_cell(const struct xcs_run *run, int load, int x_nice, int n_hogs)
{
	for (size_t i = 0; i < run->n_cells; i++)
		if (run->cells[i].load == load && run->cells[i].x_nice == x_nice &&
		    run->cells[i].n_hogs == n_hogs)
			return true;
	return false;
}

static void add_cell(struct xcs_run *run, int load, int x_nice, int n_hogs, bool relative)
{
	int load_nice = run->loads[load].client_nice - (relative ? x_nice : 0);

	if (load_nice > 19)
		load_nice = 19; /* the kernel's limit: -20 becomes one step less */
	run->cells[run->n_cells++] = (struct xcs_run_cell){
	        .load = load, .x_nice = x_nice, .load_nice = load_nice, .n_hogs = n_hogs};
}

/* All levels of one load beside that many busy loops. */
static void add_levels(struct xcs_run *run, int load, int n_hogs, const struct xcs_ints *x_nice,
                       bool relative)
{
	for (size_t i = 0; i < x_nice->n; i++)
		if (!has_cell(run, load, x_nice->v[i], n_hogs) && !(relative && x_nice->v[i] > 0))
			add_cell(run, load, x_nice->v[i], n_hogs, relative);
}

void plan_cells(struct xcs_run *run, const struct xcs_ints *x_nice, const struct xcs_ints *hogs)
{
	bool relative = strcmp(run->plan.mode, "relative") == 0;
	size_t n_hogs = hogs->n ? hogs->n : 1;

	run->cells = xcs_xcalloc(run->n_loads * x_nice->n * n_hogs, sizeof(*run->cells));
	for (size_t l = 0; l < run->n_loads; l++)
		for (size_t h = 0; h < n_hogs; h++)
			add_levels(run, (int)l, hogs->n ? hogs->v[h] : 0, x_nice, relative);
	for (size_t i = 0; relative && i < x_nice->n; i++) {
		char note[128];
		snprintf(note, sizeof(note),
		         "X nice +%d was left out: in relative mode the load would need nice -%d.",
		         x_nice->v[i], x_nice->v[i]);
		if (x_nice->v[i] > 0)
			xcs_run_add_note(run, note);
	}
}

static void add_block(struct plan *plan, int *cells, size_t n_cells, int block, struct xcs_rng *rng)
{
	xcs_rng_shuffle(rng, cells, n_cells);
	for (size_t i = 0; i < n_cells; i++)
		plan->steps[plan->n++] = (struct plan_step){
		        cells[i], block, block ? XCS_TRIAL_MEASURED : XCS_TRIAL_WARMUP};
}

/* The cells to warm up: all, or in a quick run the first of each load. hyperfine warms up by
 * itself, in each call. */
static size_t warm_cells(const struct xcs_run *run, int *cells)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n_cells; i++) {
		bool first = i == 0 || run->cells[i].load != run->cells[i - 1].load;
		if ((first || !run->plan.quick) && !hyperfine_is(&run->loads[run->cells[i].load]))
			cells[n++] = (int)i;
	}
	return n;
}

void plan_make(struct plan *plan, const struct xcs_run *run)
{
	size_t n_blocks = (size_t)run->plan.n_repetitions + 1;
	struct xcs_rng rng = {run->plan.seed};
	int *cells = xcs_xcalloc(run->n_cells + 1, sizeof(*cells));

	*plan = (struct plan){
	        .steps = xcs_xcalloc(run->n_cells * n_blocks + 1, sizeof(*plan->steps))};
	add_block(plan, cells, warm_cells(run, cells), 0, &rng);
	for (size_t i = 0; i < run->n_cells; i++)
		cells[i] = (int)i;
	for (size_t b = 1; b < n_blocks; b++)
		add_block(plan, cells, run->n_cells, (int)b, &rng);
	free(cells);
}

void plan_fini(struct plan *plan)
{
	free(plan->steps);
	*plan = (struct plan){0};
}
