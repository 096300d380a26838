/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmocka_test.h"

#include <common/histogram.h>
#include <common/rng.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N     20000
#define BOUND (1.0 / 64)

/* Spread over all magnitudes from 1 to 2^40. */
static int64_t some_value(struct xcs_rng *rng)
{
	unsigned bits = 1 + (unsigned)xcs_rng_below(rng, 40);

	return (int64_t)xcs_rng_below(rng, UINT64_C(1) << bits);
}

static int ascending(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void a_quantile_is_within_its_bound(void **state)
{
	static struct xcs_histogram h;
	static int64_t v[N];
	struct xcs_rng rng = {7};

	(void)state;
	for (int i = 0; i < N; i++)
		xcs_histogram_add(&h, v[i] = some_value(&rng));
	qsort(v, N, sizeof(v[0]), ascending);
	for (int permille = 1; permille <= 1000; permille++) {
		double got = -1, want = (double)v[(size_t)permille * N / 1000 - 1];
		assert_true(xcs_histogram_at(&h, permille / 10.0, 1, &got));
		if (want < 64 ? got != want : fabs(got - want) > BOUND * want)
			fail_msg("permille %d: got %.17g, wanted %.17g", permille, got, want);
	}
	assert_true(h.min == v[0] && h.max == v[N - 1] && h.n_all == N);
}

static void parts_merge_into_the_whole(void **state)
{
	static struct xcs_histogram whole, parts[3], empty;
	struct xcs_rng rng = {8};

	(void)state;
	for (int i = 0; i < N; i++) {
		int64_t v = some_value(&rng) + 5;
		xcs_histogram_add(&whole, v);
		xcs_histogram_add(&parts[i % 3], v);
	}
	xcs_histogram_merge(&parts[0], &parts[1]);
	xcs_histogram_merge(&parts[0], &empty);
	xcs_histogram_merge(&parts[0], &parts[2]);
	assert_memory_equal(&parts[0], &whole, sizeof(whole));
	xcs_histogram_merge(&empty, &whole);
	assert_memory_equal(&empty, &whole, sizeof(whole));
}

static void a_percentile_needs_ten_values_beyond_it(void **state)
{
	static struct xcs_histogram h;
	double v = -1;

	(void)state;
	assert_int_equal(xcs_histogram_needs(99), 1000);
	assert_int_equal(xcs_histogram_needs(99.9), 10000);
	assert_int_equal(xcs_histogram_needs(95), 200);
	assert_int_equal(xcs_histogram_needs(50), 1);
	assert_false(xcs_histogram_at(&h, 50, 1, &v));
	for (int i = 0; i < 999; i++)
		xcs_histogram_add(&h, 1000 + i);
	assert_false(xcs_histogram_at(&h, 99, xcs_histogram_needs(99), &v));
	assert_true(v == -1);
	xcs_histogram_add(&h, 1999);
	assert_true(xcs_histogram_at(&h, 99, xcs_histogram_needs(99), &v));
	assert_true(fabs(v - 1989) <= BOUND * 1989);
	assert_false(xcs_histogram_at(&h, 99.9, xcs_histogram_needs(99.9), &v));
}

static void the_ends_are_exact(void **state)
{
	static struct xcs_histogram h;
	double v;

	(void)state;
	xcs_histogram_add(&h, 12345);
	assert_true(xcs_histogram_at(&h, 50, 1, &v) && v == 12345); /* n = 1: min and max hold it */
	xcs_histogram_add(&h, -4);
	xcs_histogram_add(&h, INT64_MAX);
	assert_true(h.min == 0 && h.max == INT64_MAX);
	assert_true(xcs_histogram_at(&h, 100, 1, &v) && fabs(v / 0x1p63 - 1) <= BOUND);
	assert_true(xcs_histogram_at(&h, 0, 1, &v) && v == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_quantile_is_within_its_bound),
	        cmocka_unit_test(parts_merge_into_the_whole),
	        cmocka_unit_test(a_percentile_needs_ten_values_beyond_it),
	        cmocka_unit_test(the_ends_are_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
