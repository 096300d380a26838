/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <collectors/lateness.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void percentiles_are_good_to_three_per_cent(void **state)
{
	static struct xcs_lateness l;

	(void)state;
	for (int64_t us = 1; us <= 10000; us++)
		xcs_lateness_add(&l, us * 1000);
	for (int p = 1; p <= 99; p++) {
		struct xcs_num v = xcs_lateness_us(&l, p, 1000);
		assert_true(v.known);
		assert_true(fabs(v.v / (p * 100.0) - 1) < 0.03);
	}
	assert_true(xcs_lateness_max_us(&l).v == 10000);
	assert_true(xcs_lateness_us(&l, 100, 1).v <= 10000);
}

static void small_and_huge_values_have_their_place(void **state)
{
	static struct xcs_lateness l;

	(void)state;
	for (int64_t ns = -1; ns < 64; ns++)
		xcs_lateness_add(&l, ns);
	assert_true(fabs(xcs_lateness_us(&l, 50, 1).v - 0.031) < 0.0011);
	xcs_lateness_add(&l, INT64_MAX);
	assert_true(xcs_lateness_max_us(&l).v == (double)INT64_MAX / 1e3);
	assert_true(xcs_lateness_us(&l, 100, 1).v > 1e9);
	assert_true(xcs_lateness_us(&l, 90, 1).v < 0.064);
}

static void few_samples_have_no_percentile(void **state)
{
	static struct xcs_lateness l;

	(void)state;
	assert_false(xcs_lateness_us(&l, 50, 1).known);
	assert_false(xcs_lateness_max_us(&l).known);
	for (int i = 0; i < 999; i++)
		xcs_lateness_add(&l, 5);
	assert_false(xcs_lateness_us(&l, 99, 1000).known);
	xcs_lateness_add(&l, 5);
	assert_true(xcs_lateness_us(&l, 99, 1000).known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(percentiles_are_good_to_three_per_cent),
	        cmocka_unit_test(small_and_huge_values_have_their_place),
	        cmocka_unit_test(few_samples_have_no_percentile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
