/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The permutation test against counts made by hand and by a slow, obvious program.
 */
#include <common/rng.h>
#include <reports/multiple.h>
#include <reports/permutation.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void is_about(struct xcs_num got, double want)
{
	if (!got.known || fabs(got.v - want) > 1e-9 * (1 + fabs(want)))
		fail_msg("%s %.12g, wanted %.12g", got.known ? "got" : "unknown", got.v, want);
}

static struct xcs_shift_test test_of(const int *block, const bool *is_new, const double *v,
                                     size_t n, double alpha)
{
	struct xcs_permutation *p = xcs_permutation_new(block, is_new, n, 1);
	struct xcs_shift_test t;

	assert_non_null(p);
	xcs_permutation_test(p, v, alpha, &t);
	xcs_permutation_free(p);
	return t;
}

/* 1 2 | 3 4: of six ways to choose two, {1,2} and {3,4} alone give a difference of 2. */
static void one_block_by_hand(void **state)
{
	static const int block[4] = {0};
	static const bool is_new[] = {false, false, true, true};
	static const double apart[] = {1, 2, 3, 4}, mixed[] = {1, 4, 2, 3}, ties[] = {1, 2, 2, 2};
	struct xcs_shift_test t = test_of(block, is_new, apart, 4, 0.05);

	(void)state;
	is_about(t.p, 2.0 / 6);
	is_about(t.difference, 2);
	assert_false(t.lower.known || t.upper.known);
	/* {1,4} and {2,3}: no difference, so every arrangement is as large. */
	is_about(test_of(block, is_new, mixed, 4, 0.05).p, 1);
	/* The 1 is on one side or the other, always: |difference| is 1/2 in each arrangement. */
	is_about(test_of(block, is_new, ties, 4, 0.05).p, 1);
	/* At 40 % two of six may be excluded. The ends: swap 2 and 3, (2 - 1) / (1 - 0). */
	t = test_of(block, is_new, apart, 4, 0.4);
	is_about(t.lower, 1);
	is_about(t.upper, 3);
}

/* n = 1 a side: two arrangements, p = 1 whatever the values. */
static void one_boot_a_side_shows_nothing(void **state)
{
	static const int block[2] = {0};
	static const bool is_new[] = {false, true};
	static const double v[] = {1, 100};

	(void)state;
	is_about(test_of(block, is_new, v, 2, 0.05).p, 1);
	assert_null(xcs_permutation_new(block, is_new, 1, 1));
	assert_null(xcs_permutation_new(block, is_new, 0, 1));
}

/* A block with one side only has no say. */
static void one_sided_blocks_are_left_out(void **state)
{
	static const int block[] = {7, 7, 9, 9, 9, 9}, apart[] = {1, 2};
	static const bool is_new[] = {false, false, true, false, true, false};
	static const double v[] = {50, 60, 4, 1, 3, 2};
	static const bool sides[] = {false, true};
	struct xcs_shift_test t = test_of(block, is_new, v, 6, 0.05);

	(void)state;
	is_about(t.p, 2.0 / 6);
	is_about(t.difference, 2);
	assert_null(xcs_permutation_new(apart, sides, 2, 1));
}

/* Everything equal: each arrangement is as large as the observed one. */
static void equal_values_give_p_of_one(void **state)
{
	static const int block[] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2};
	static const bool is_new[] = {1, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 0};
	static const double v[12] = {0};
	struct xcs_shift_test t = test_of(block, is_new, v, 12, 0.05);

	(void)state;
	is_about(t.p, 1);
	is_about(t.difference, 0);
	is_about(t.lower, 0);
	is_about(t.upper, 0);
}

/* The same by all 2^n ways to deal, without centring or tables. */
struct slow {
	const int *block;
	const bool *is_new;
	const double *v;
	int n;
};

/* Least squares with a mean per block, as differences of means weighted by kb kn / n. */
static double slow_difference(const struct slow *s, unsigned chosen, double shift)
{
	double sum = 0, weights = 0;

	for (int b = 0; b < 8; b++) {
		double new_sum = 0, base_sum = 0, k = 0, n = 0;
		for (int i = 0; i < s->n; i++) {
			if (s->block[i] != b)
				continue;
			double v = s->v[i] - (s->is_new[i] ? shift : 0);
			n++;
			k += chosen >> i & 1;
			*(chosen >> i & 1 ? &new_sum : &base_sum) += v;
		}
		if (k == 0 || k == n)
			continue;
		sum += k * (n - k) / n * (new_sum / k - base_sum / (n - k));
		weights += k * (n - k) / n;
	}
	return sum / weights;
}

static bool deals_alike(const struct slow *s, unsigned chosen)
{
	int difference[8] = {0};

	for (int i = 0; i < s->n; i++)
		difference[s->block[i]] += (int)(chosen >> i & 1) - s->is_new[i];
	for (int b = 0; b < 8; b++)
		if (difference[b])
			return false;
	return true;
}

static double slow_p(const struct slow *s, double shift)
{
	unsigned own = 0;
	int n_all = 0, n_as_large = 0;

	for (int i = 0; i < s->n; i++)
		own |= (unsigned)s->is_new[i] << i;
	double observed = fabs(slow_difference(s, own, shift));
	for (unsigned c = 0; c < 1u << s->n; c++) {
		if (!deals_alike(s, c))
			continue;
		n_all++;
		n_as_large += fabs(slow_difference(s, c, shift)) >= observed - 1e-10;
	}
	return (double)n_as_large / n_all;
}

/* p is above alpha inside the interval and at most alpha outside. */
static void check_ends(const struct slow *s, const struct xcs_shift_test *t)
{
	const double hair = 1e-6;

	if (t->lower.known) {
		assert_true(slow_p(s, t->lower.v + hair) > 0.05);
		assert_true(slow_p(s, t->lower.v - hair) <= 0.05);
	}
	if (t->upper.known) {
		assert_true(slow_p(s, t->upper.v - hair) > 0.05);
		assert_true(slow_p(s, t->upper.v + hair) <= 0.05);
	}
}

static void the_slow_way_agrees(void **state)
{
	static const int blocks[][12] = {
	        {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2},
	        {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2},
	        {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2},
	        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
	};
	static const bool sides[][12] = {
	        {1, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1},
	        {1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1},
	        {1, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0},
	        {1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0},
	};
	struct xcs_rng rng = {3};

	(void)state;
	for (int round = 0; round < 24; round++) {
		double v[12];
		int which = round % 4;
		for (int i = 0; i < 12; i++)
			v[i] = (double)xcs_rng_below(&rng, round < 12 ? 8 : 100000) +
			       (sides[which][i] ? round : 0);
		struct slow s = {blocks[which], sides[which], v, 12};
		struct xcs_shift_test t = test_of(s.block, s.is_new, v, 12, 0.05);
		is_about(t.p, slow_p(&s, 0));
		if (round % 8 < 4)
			check_ends(&s, &t);
	}
}

/* 6^6 = 46,656 are too many: 20,000 draws and the observed one, near what all would say. */
static void many_blocks_are_drawn(void **state)
{
	int block[24];
	bool is_new[24];
	double v[24];
	struct xcs_rng rng = {5};

	(void)state;
	for (int i = 0; i < 24; i++) {
		block[i] = i / 4;
		is_new[i] = i % 2;
		v[i] = (double)xcs_rng_below(&rng, 1000) + (is_new[i] ? 260 : 0);
	}
	/* Five blocks exactly, then six by drawing; the sixth adds a block of no difference. */
	v[20] = v[21] = v[22] = v[23] = 500;
	struct xcs_permutation *five = xcs_permutation_new(block, is_new, 20, 1);
	struct xcs_permutation *six = xcs_permutation_new(block, is_new, 24, 1);
	struct xcs_shift_test a, b, again;
	assert_true(xcs_permutation_is_exact(five));
	assert_int_equal(xcs_permutation_count(five), 7776);
	assert_false(xcs_permutation_is_exact(six));
	assert_int_equal(xcs_permutation_count(six), 20001);
	assert_true(fabs(xcs_permutation_weight(six) - 6) < 1e-12);
	xcs_permutation_test(five, v, 0.05, &a);
	xcs_permutation_test(six, v, 0.05, &b);
	xcs_permutation_test(six, v, 0.05, &again);
	assert_true(a.p.v > 0.001 && fabs(a.p.v - b.p.v) < 4 * sqrt(a.p.v / 20000));
	assert_true(b.p.v == again.p.v && b.lower.v == again.lower.v);
	assert_true(fabs(b.difference.v - a.difference.v * 5 / 6) < 1e-9);
	xcs_permutation_free(five);
	xcs_permutation_free(six);
}

/* A single block of 30 + 30 has no table at all; far apart, p is its least: 1/20,001. */
static void a_large_block_is_dealt_anew(void **state)
{
	int block[60] = {0};
	bool is_new[60];
	double v[60];

	(void)state;
	for (int i = 0; i < 60; i++) {
		is_new[i] = i >= 30;
		v[i] = i + (is_new[i] ? 100 : 0);
	}
	struct xcs_shift_test t = test_of(block, is_new, v, 60, 0.05);
	is_about(t.p, 1.0 / 20001);
	is_about(t.difference, 130);
	assert_true(t.lower.v > 110 && t.lower.v < 130 && t.upper.v > 130 && t.upper.v < 150);
}

/* Holm 1979 by hand: 0.01 * 4, then the maximum of that and 0.02 * 3, and so on. */
static void holm_by_hand(void **state)
{
	struct xcs_num p[] = {
	        {true,  0.03 },
                {true,  0.01 },
                {false, 0    },
                {true,  0.02 },
                {true,  0.025}
        };
	struct xcs_num one =
	                       {
	                               true, 0.7
        },
	               high[] = {{true, 0.9}, {true, 0.8}};

	(void)state;
	xcs_holm(p, 5);
	is_about(p[1], 0.04);
	is_about(p[3], 0.06);
	is_about(p[4], 0.06); /* 0.05, but not below the one before */
	is_about(p[0], 0.06);
	assert_false(p[2].known);
	xcs_holm(&one, 1);
	is_about(one, 0.7);
	xcs_holm(high, 2);
	is_about(high[0], 1);
	is_about(high[1], 1);
	xcs_holm(NULL, 0);
}

static void benjamini_hochberg_by_hand(void **state)
{
	struct xcs_num p[] = {
	        {true,  0.04 },
                {true,  0.01 },
                {false, 0    },
                {true,  0.03 },
                {true,  0.005}
        };
	struct xcs_num ties[] = {
	        {true, 0.2},
                {true, 0.2},
                {true, 0.2}
        };

	(void)state;
	xcs_benjamini_hochberg(p, 5);
	is_about(p[4], 0.02);
	is_about(p[1], 0.02);
	is_about(p[3], 0.04);
	is_about(p[0], 0.04);
	assert_false(p[2].known);
	xcs_benjamini_hochberg(ties, 3);
	for (int i = 0; i < 3; i++)
		is_about(ties[i], 0.2);
	xcs_benjamini_hochberg(NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(one_block_by_hand),
	        cmocka_unit_test(one_boot_a_side_shows_nothing),
	        cmocka_unit_test(one_sided_blocks_are_left_out),
	        cmocka_unit_test(equal_values_give_p_of_one),
	        cmocka_unit_test(the_slow_way_agrees),
	        cmocka_unit_test(many_blocks_are_drawn),
	        cmocka_unit_test(a_large_block_is_dealt_anew),
	        cmocka_unit_test(holm_by_hand),
	        cmocka_unit_test(benjamini_hochberg_by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
