/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Estimates against values worked out by hand.
 */
#include <reports/shift.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void is_about(struct xcs_num got, double want)
{
	if (!got.known || fabs(got.v - want) > 1e-6 * (1 + fabs(want)))
		fail_msg("%s %.9g, wanted %.9g", got.known ? "got" : "unknown", got.v, want);
}

static void medians(void **state)
{
	double odd[] = {9, -1, 4}, even[] = {8, 1, 3, 2}, ties[] = {5, 5, 1, 5}, one[] = {7};

	(void)state;
	is_about(xcs_median(odd, 3), 4);
	is_about(xcs_median(even, 4), 2.5);
	is_about(xcs_median(ties, 4), 5);
	is_about(xcs_median(one, 1), 7);
	assert_false(xcs_median(one, 0).known);
}

static void logarithms_and_per_cent(void **state)
{
	(void)state;
	assert_true(fabs(xcs_pct_of_log(log(1.1)) - 10) < 1e-9);
	assert_true(fabs(xcs_log_of_pct(-50) - log(0.5)) < 1e-12);
	assert_true(xcs_pct_of_log(0) == 0);
}

/* Base 1 4, new 3 9: differences 2 8 -1 5, their median 3.5. */
static void hodges_lehmann_even(void **state)
{
	static const double v[] = {1, 3, 4, 9};
	static const bool is_new[] = {0, 1, 0, 1};
	static const int block[4] = {0};

	(void)state;
	is_about(xcs_hodges_lehmann(v, block, is_new, 4), 3.5);
}

/* Blocks of 1+1 and 2+1: 10, and 1 and 3: the median is 3. Across blocks nothing is taken. */
static void hodges_lehmann_odd_in_blocks(void **state)
{
	static const double v[] = {100, 110, 1000, 998, 1001, 5};
	static const bool is_new[] = {0, 1, 0, 0, 1, 1};
	static const int block[] = {4, 4, 2, 2, 2, 9};

	(void)state;
	is_about(xcs_hodges_lehmann(v, block, is_new, 6), 3);
}

static void hodges_lehmann_at_its_edges(void **state)
{
	static const double v[] = {2, 5, 5, 5, 5};
	static const bool is_new[] = {0, 1, 0, 1, 0};
	static const int block[5] = {0}, apart[] = {0, 1};

	(void)state;
	is_about(xcs_hodges_lehmann(v, block, is_new, 2), 3); /* n = 1 a side */
	is_about(xcs_hodges_lehmann(v + 1, block, is_new + 1, 4), 0);
	assert_false(xcs_hodges_lehmann(v, apart, is_new, 2).known);
	assert_false(xcs_hodges_lehmann(v, block, is_new, 1).known);
	assert_false(xcs_hodges_lehmann(v, block, is_new, 0).known);
}

/* Base 1 3 | 10 14 | 7, new 5 5 | 8: squares 2 + 8 of 2 degrees; of the new 0 of 1. */
static void spread_is_pooled_within_block_and_side(void **state)
{
	static const double v[] = {1, 3, 5, 5, 10, 14, 8, 7};
	static const bool is_new[] = {0, 0, 1, 1, 0, 0, 1, 0};
	static const int block[] = {0, 0, 0, 0, 1, 1, 1, 2};
	struct xcs_pooled base = xcs_pool(v, block, is_new, 8, 0);
	struct xcs_pooled new = xcs_pool(v, block, is_new, 8, 1);
	struct xcs_pooled both = xcs_pool(v, block, is_new, 8, -1);

	(void)state;
	assert_true(base.sum_sq == 10 && base.freedom == 2);
	assert_true(new.sum_sq == 0 && new.freedom == 1);
	assert_true(both.sum_sq == 10 && both.freedom == 3);
	assert_int_equal(xcs_pool(v, block, is_new, 0, -1).freedom, 0);
}

/* s = 0.03 within blocks: 1.96 * 0.03 / sqrt(3) for three blocks of 2+2. */
static void the_floor_of_the_baseline(void **state)
{
	struct xcs_pooled s = {.sum_sq = 3 * 0.0009, .freedom = 3}, unknown = {0};

	(void)state;
	is_about(xcs_aa_floor(&s, 3), 1.959964 * 0.03 / sqrt(3));
	assert_false(xcs_aa_floor(&unknown, 3).known);
	assert_false(xcs_aa_floor(&s, 0).known);
}

static void the_floor_of_stored_campaigns(void **state)
{
	double few[] = {0.01, -0.05, 0.02}, many[40];

	(void)state;
	for (int i = 0; i < 40; i++)
		many[i] = (i % 2 ? -0.001 : 0.001) * (i + 1);
	is_about(xcs_aa_floor_stored(few, 3), 0.05);
	is_about(xcs_aa_floor_stored(many, 40), 0.038);
	assert_false(xcs_aa_floor_stored(few, 0).known);
}

/* t tables: df 6, two-sided 5 %: 2.4469; one-sided 80 %: 0.9057. */
static void what_could_be_seen(void **state)
{
	struct xcs_pooled s = {.sum_sq = 6 * 0.0009, .freedom = 6}, none = {0}, zero = {0, 6};

	(void)state;
	is_about(xcs_detectable(&s, 3, 0.05), (2.446912 + 0.905703) * 0.03 / sqrt(3));
	assert_false(xcs_detectable(&none, 3, 0.05).known);
	/* No spread: as few blocks as give a p of alpha: 2/36 is more than 5 %, 2/216 less. */
	assert_int_equal(xcs_blocks_needed(&zero, 0.03, 0.05), 3);
	assert_int_equal(xcs_blocks_needed(&zero, 0.03, 0.01), 3);
	assert_int_equal(xcs_blocks_needed(&zero, 0.03, 0.05 / 6), 4);
	assert_int_equal(xcs_blocks_needed(&none, 0.03, 0.05), 0);
	/* The number found is the first that will do. */
	size_t n = xcs_blocks_needed(&s, 0.03, 0.05);
	struct xcs_pooled at = {2 * (double)n * 0.0009, 2 * n};
	assert_true(n > 3 && xcs_detectable(&at, (double)n, 0.05).v <= 0.03);
	at = (struct xcs_pooled){2 * (double)(n - 1) * 0.0009, 2 * (n - 1)};
	assert_true(xcs_detectable(&at, (double)(n - 1), 0.05).v > 0.03);
	assert_int_equal(xcs_blocks_needed(&s, 1e-9, 0.05), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(medians),
	        cmocka_unit_test(logarithms_and_per_cent),
	        cmocka_unit_test(hodges_lehmann_even),
	        cmocka_unit_test(hodges_lehmann_odd_in_blocks),
	        cmocka_unit_test(hodges_lehmann_at_its_edges),
	        cmocka_unit_test(spread_is_pooled_within_block_and_side),
	        cmocka_unit_test(the_floor_of_the_baseline),
	        cmocka_unit_test(the_floor_of_stored_campaigns),
	        cmocka_unit_test(what_could_be_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
