/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../common/cmocka_test.h"

#include <trial/plan.h>

#include <common/alloc.h>

#include <stdlib.h>
#include <string.h>

static const struct xcs_ints no_hogs = {.n = 0};

static void make_run(struct xcs_run *run, const char *mode, const struct xcs_ints *x_nice)
{
	*run = (struct xcs_run){.n_loads = 2};
	run->loads = xcs_xcalloc(2, sizeof(*run->loads));
	run->loads[1].client_nice = 5;
	run->plan.mode = xcs_xstrdup(mode);
	run->plan.n_repetitions = 3;
	run->plan.seed = 42;
	plan_cells(run, x_nice, &no_hogs);
}

static const struct xcs_ints levels = {
        .v = {0, -10, 10, -10},
          .n = 4
};

static void test_absolute_cells(void **state)
{
	struct xcs_run run;

	(void)state;
	make_run(&run, "absolute", &levels);
	assert_int_equal(run.n_cells, 6); /* the second -10 is the first again */
	assert_int_equal(run.cells[1].x_nice, -10);
	assert_int_equal(run.cells[1].load_nice, 0);
	assert_int_equal(run.cells[4].load_nice, 5);
	assert_int_equal(run.n_notes, 0);
	xcs_run_fini(&run);
}

static void test_relative_cells(void **state)
{
	struct xcs_run run;

	(void)state;
	make_run(&run, "relative", &levels);
	assert_int_equal(run.n_cells, 4);
	for (size_t i = 0; i < run.n_cells; i++)
		assert_true(run.cells[i].x_nice <= 0);
	assert_int_equal(run.cells[1].load_nice, 10);
	assert_int_equal(run.cells[3].load_nice, 15);
	assert_int_equal(run.n_notes, 1); /* +10 was left out, and is said */
	assert_non_null(strstr(run.notes[0], "+10"));
	xcs_run_fini(&run);
}

static void test_relative_never_beyond_19(void **state)
{
	const struct xcs_ints extreme = {.v = {-20}, .n = 1};
	struct xcs_run run;

	(void)state;
	make_run(&run, "relative", &extreme);
	assert_int_equal(run.cells[0].load_nice, 19);
	xcs_run_fini(&run);
}

static void test_hogs_are_a_dimension(void **state)
{
	static const struct xcs_ints hogs = {
	        .v = {0, 2, 10, 2},
                  .n = 4
        };
	struct xcs_run run;

	(void)state;
	make_run(&run, "absolute", &levels);
	free(run.cells);
	run.n_cells = 0;
	plan_cells(&run, &levels, &hogs);
	assert_int_equal(run.n_cells, 2 * 3 * 3);
	for (size_t i = 0; i < run.n_cells; i++) {
		assert_int_equal(run.cells[i].load, i / 9);
		assert_int_equal(run.cells[i].n_hogs, hogs.v[i / 3 % 3]);
		assert_int_equal(run.cells[i].x_nice, levels.v[i % 3]);
	}
	xcs_run_fini(&run);
}

static void test_blocks_hold_every_cell_once(void **state)
{
	struct xcs_run run;
	struct plan plan;

	(void)state;
	make_run(&run, "absolute", &levels);
	plan_make(&plan, &run);
	assert_int_equal(plan.n, run.n_cells * 4);
	for (size_t b = 0; b < 4; b++) {
		unsigned seen = 0;
		for (size_t i = 0; i < run.n_cells; i++) {
			const struct plan_step *s = &plan.steps[b * run.n_cells + i];
			assert_int_equal(s->block, b);
			assert_int_equal(s->kind, b ? XCS_TRIAL_MEASURED : XCS_TRIAL_WARMUP);
			seen |= 1U << s->cell;
		}
		assert_int_equal(seen, (1U << run.n_cells) - 1);
	}
	plan_fini(&plan);
	xcs_run_fini(&run);
}

static void test_seed_decides_the_order(void **state)
{
	struct xcs_run run;
	struct plan a, b, c;

	(void)state;
	make_run(&run, "absolute", &levels);
	plan_make(&a, &run);
	plan_make(&b, &run);
	run.plan.seed = 43;
	plan_make(&c, &run);
	assert_memory_equal(a.steps, b.steps, a.n * sizeof(*a.steps));
	assert_memory_not_equal(a.steps, c.steps, a.n * sizeof(*a.steps));
	plan_fini(&a);
	plan_fini(&b);
	plan_fini(&c);
	xcs_run_fini(&run);
}

static void test_quick_warms_each_load_once(void **state)
{
	struct xcs_run run;
	struct plan plan;
	int warm[2] = {0};

	(void)state;
	make_run(&run, "absolute", &levels);
	run.plan.quick = true;
	run.plan.n_repetitions = 1;
	plan_make(&plan, &run);
	assert_int_equal(plan.n, run.n_cells + 2);
	for (size_t i = 0; i < 2; i++)
		warm[run.cells[plan.steps[i].cell].load]++;
	assert_int_equal(warm[0], 1);
	assert_int_equal(warm[1], 1);
	plan_fini(&plan);
	xcs_run_fini(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_absolute_cells),
	        cmocka_unit_test(test_relative_cells),
	        cmocka_unit_test(test_relative_never_beyond_19),
	        cmocka_unit_test(test_hogs_are_a_dimension),
	        cmocka_unit_test(test_blocks_hold_every_cell_once),
	        cmocka_unit_test(test_seed_decides_the_order),
	        cmocka_unit_test(test_quick_warms_each_load_once),
	};

	return cmocka_run_group_tests_name("bench plan", tests, NULL, NULL);
}
