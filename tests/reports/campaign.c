/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "campaign.h"

#include "../record/sample_run.h"

#include <common/alloc.h>
#include <common/file.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define S       INT64_C(1000000000)
#define N_CELLS 2

static void drop_trials(struct xcs_run *run)
{
	for (size_t i = 0; i < run->n_trials; i++) {
		free(run->trials[i].reason);
		free(run->trials[i].file);
		for (size_t w = 0; w < run->trials[i].n_windows; w++)
			free(run->trials[i].windows[w].role);
		free(run->trials[i].windows);
	}
	run->n_trials = 0;
}

static void set_text(char **member, const char *text)
{
	free(*member);
	*member = xcs_xstrdup(text);
}

/* The sample run with two cells, of that boot and kernel, and as many trials as wanted. */
static void make_run(struct xcs_run *run, const char *kernel, int boot, int n_trials)
{
	char text[64];

	sample_run_init(run);
	run->n_cells = N_CELLS;
	drop_trials(run);
	snprintf(run->id, sizeof(run->id), "01JBOOT0000000000000000%03u", (unsigned)boot % 1000u);
	/* No round number: jq would write it with an exponent. */
	run->created_wall_ns += (int64_t)boot * 3600 * S + 123456789;
	snprintf(text, sizeof(text), "%08x-0000-4000-8000-%012x",
	         0x10000000u + (unsigned)boot * 7919u, (unsigned)boot);
	set_text(&run->boots[0].boot_id, text);
	set_text(&run->boots[0].kernel, kernel);
	xcs_facts_set(&run->host, "kernel.release", kernel, "proc:sys/kernel/osrelease");
	for (int i = 0; i < n_trials * N_CELLS; i++) {
		struct xcs_run_trial *t = xcs_run_add_trial(run);
		t->cell = i % N_CELLS;
		t->block = i / N_CELLS;
		t->kind = XCS_TRIAL_MEASURED;
		t->settled = true;
		t->file = xcs_xasprintf("trials/%03d.xcs", i);
		t->started_wall_ns = run->created_wall_ns + (int64_t)i * 10 * S;
	}
}

static int64_t scaled(int64_t rate, double factor)
{
	return (int64_t)((double)rate * factor + 0.5);
}

static void write_trial(const struct xcs_run *run, size_t i, double factor, const char *dir)
{
	struct sample_rates r = sample_rates_of(run, i);
	struct xcs_trial_data t;
	struct xcs_err err = {0};

	r.cs = scaled(run->cells[run->trials[i].cell].x_nice < 0 ? 25000 : 1000, factor);
	r.lines = scaled(run->cells[run->trials[i].cell].x_nice < 0 ? 9000 : 12000, factor);
	r.frames = scaled(600, factor);
	sample_trial_init(&t, &r);
	char *path = xcs_xasprintf("%s/%s", dir, run->trials[i].file);
	assert_int_equal(xcs_trial_save(&t, path, &err), 0);
	free(path);
	xcs_trial_fini(&t);
}

static void write_run(const struct campaign_spec *spec, struct xcs_rng *rng, const char *dir,
                      bool is_new, int boot, double level)
{
	const struct simulation *w = &spec->world;
	char *run_dir = xcs_xasprintf("%s/%s/%03d", dir, is_new ? "new" : "base", boot);
	char *trials = xcs_xasprintf("%s/trials", run_dir);
	struct xcs_run run;
	struct xcs_err err = {0};

	make_run(&run, is_new ? spec->new : spec->base, boot, w->n_trials);
	run.plan.quick = spec->quick;
	level += is_new ? log1p(w->shift_pct / 100) : 0;
	assert_int_equal(xcs_dir_make(trials, 0755, &err), 0);
	assert_int_equal(xcs_run_save(&run, run_dir, &err), 0);
	for (size_t i = 0; i < run.n_trials; i++)
		write_trial(&run, i, exp(level + w->trial_sd_pct / 100 * simulate_normal(rng)),
		            run_dir);
	xcs_run_fini(&run);
	free(trials);
	free(run_dir);
}

void campaign_write(const struct campaign_spec *spec, const char *dir)
{
	struct xcs_rng rng = {spec->seed};

	for (int b = 0; b < spec->world.n_blocks; b++) {
		double block = spec->world.block_sd_pct / 100 * simulate_normal(&rng);
		int sides[] = {0, 0, 1, 1};
		xcs_rng_shuffle(&rng, sides, 4);
		for (int i = 0; i < 4; i++) {
			int boot = 4 * b + i;
			bool is_new =
			        spec->sequential ? boot >= 2 * spec->world.n_blocks : sides[i];
			double level =
			        block + spec->world.boot_sd_pct / 100 * simulate_normal(&rng);
			write_run(spec, &rng, dir, is_new, boot, level);
		}
	}
}
