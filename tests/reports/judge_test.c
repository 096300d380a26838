/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The statistics tried on worlds whose truth is known. Everything is seeded.
 *
 * How often may an exact test at 5 % err? Three blocks of 2+2 boots have 216 arrangements,
 * p comes in steps of 2/216 and the largest that is at most 5 % is 10/216: where values do
 * not tie, the test errs in 4.63 % of all draws, whatever the spread of the boots. 2,000
 * draws find that to +- 0.47 (one standard deviation), inside 5 +- 1.5. Where boots have no
 * spread of their own (SD 0) the trials' medians still differ, and the same holds. Where all
 * values are equal, every arrangement is as large as the observed one, p is 1, and the rate is
 * 0: the test cannot reach 5 % there and must not. It is above 6.5 % nowhere.
 */
#include "simulate.h"

#include <reports/judge.h>
#include <reports/multiple.h>
#include <reports/shift.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define N_DRAWS   2000
#define BOOTS_MAX 64

struct tally {
	int n_rejected; /* p <= 5 % */
	int n_verdicts[XCS_VERDICT_INVALID + 1];
	int n_covered; /* the true shift is in the interval */
};

static struct xcs_judgement judge_draw(struct xcs_rng *rng, const struct simulation *s,
                                       size_t n_gates)
{
	int block[BOOTS_MAX];
	bool is_new[BOOTS_MAX];
	double v[BOOTS_MAX];
	struct xcs_judgement j;

	simulate_boots(rng, s, block, is_new, v);
	struct xcs_layout l = {block, is_new, 4 * (size_t)s->n_blocks, NULL};
	struct xcs_permutation *p = xcs_permutation_new(block, is_new, l.n, 1);
	l.permutation = p;
	xcs_judge(&l, v, 3, (struct xcs_num){0}, n_gates, &j);
	xcs_permutation_free(p);
	return j;
}

static struct tally draw(const struct simulation *s, uint64_t seed)
{
	struct xcs_rng rng = {seed};
	struct tally t = {0};

	for (int i = 0; i < N_DRAWS; i++) {
		struct xcs_judgement j = judge_draw(&rng, s, 1);
		j.p_adjusted = j.p;
		t.n_rejected += j.p.v <= XCS_ALPHA;
		t.n_verdicts[xcs_judge_verdict(&j, XCS_BETTER_MORE)]++;
		t.n_covered += j.lower_pct.v <= s->shift_pct && s->shift_pct <= j.upper_pct.v;
	}
	return t;
}

static double pct_of_draws(int n)
{
	return 100.0 * n / N_DRAWS;
}

static void false_alarms_are_as_many_as_promised(void **state)
{
	static const double boot_sds[] = {0, 1.5, 3, 6};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct simulation s = {3, 5, 4, boot_sds[i], 3, 0};
		struct tally t = draw(&s, 100 + i);
		double alarms = pct_of_draws(t.n_rejected);
		double wrong = pct_of_draws(t.n_verdicts[XCS_VERDICT_REGRESSION] +
		                            t.n_verdicts[XCS_VERDICT_IMPROVEMENT]);
		double covered = pct_of_draws(t.n_covered);
		print_message("boot SD %.1f %%: p <= 5 %% in %.2f %%, wrong verdicts %.2f %%, "
		              "equivalent %.1f %%, interval holds the truth in %.2f %%\n",
		              boot_sds[i], alarms, wrong,
		              pct_of_draws(t.n_verdicts[XCS_VERDICT_EQUIVALENT]), covered);
		assert_true(alarms >= 3.5 && alarms <= 6.5);
		assert_true(wrong <= alarms); /* the floor takes some away */
		assert_true(covered >= 93.5 && covered <= 96.5);
	}
}

static void with_four_blocks_too(void **state)
{
	struct simulation s = {4, 5, 4, 3, 3, 0};
	double alarms = pct_of_draws(draw(&s, 9).n_rejected);

	(void)state;
	assert_true(alarms >= 3.5 && alarms <= 6.5);
}

static void equal_values_raise_no_alarm(void **state)
{
	struct simulation s = {3, 5, 0, 0, 0, 0};
	struct tally t = draw(&s, 11);

	(void)state;
	assert_int_equal(t.n_rejected, 0);
	assert_int_equal(t.n_verdicts[XCS_VERDICT_EQUIVALENT], N_DRAWS);
}

static void a_tenth_is_found(void **state)
{
	struct simulation s = {3, 5, 4, 3, 3, 10};
	struct tally t = draw(&s, 12);
	double found = pct_of_draws(t.n_verdicts[XCS_VERDICT_IMPROVEMENT]);

	(void)state;
	print_message("+10 %% at boot SD 3 %%: found in %.2f %%\n", found);
	assert_true(found >= 95);
	assert_int_equal(t.n_verdicts[XCS_VERDICT_REGRESSION], 0);
	assert_true(pct_of_draws(t.n_covered) >= 93.5);
	s.shift_pct = -10;
	t = draw(&s, 13);
	assert_true(pct_of_draws(t.n_verdicts[XCS_VERDICT_REGRESSION]) >= 95);
}

/* Five gates, none with a difference: one of them or more alarms in at most 5 % of families. */
static void holm_keeps_the_family(void **state)
{
	struct simulation s = {3, 5, 4, 3, 3, 0};
	struct xcs_rng rng = {14};
	int n_alarms = 0;

	(void)state;
	for (int i = 0; i < N_DRAWS; i++) {
		struct xcs_num p[5];
		bool alarm = false;
		for (int g = 0; g < 5; g++)
			p[g] = judge_draw(&rng, &s, 5).p;
		xcs_holm(p, 5);
		for (int g = 0; g < 5; g++)
			alarm = alarm || p[g].v <= XCS_ALPHA;
		n_alarms += alarm;
	}
	print_message("five gates: alarms in %.2f %% of families\n", pct_of_draws(n_alarms));
	assert_true(pct_of_draws(n_alarms) <= 6.5);
}

/* The shift said to be found 4 times in 5 is found about that often. */
static void the_detectable_shift_is_detected(void **state)
{
	struct simulation s = {4, 5, 4, 4, 3, 0};
	struct xcs_rng rng = {15};
	double sum = 0;

	(void)state;
	for (int i = 0; i < 500; i++)
		sum += judge_draw(&rng, &s, 1).detectable_pct.v / 500;
	s.shift_pct = sum;
	double found = pct_of_draws(draw(&s, 16).n_verdicts[XCS_VERDICT_IMPROVEMENT]);
	print_message("detectable %.2f %%: found in %.1f %%\n", sum, found);
	assert_true(found >= 70 && found <= 92);
}

static void quiet_boots_are_shown_to_be_equivalent(void **state)
{
	struct simulation s = {4, 7, 4, 0.5, 1, 0.5};

	(void)state;
	assert_true(draw(&s, 17).n_verdicts[XCS_VERDICT_EQUIVALENT] > N_DRAWS * 9 / 10);
}

static struct xcs_judgement known(double shift, double lower, double upper, double p)
{
	return (struct xcs_judgement){
	        .shift_pct = {true, shift},
	        .lower_pct = {true, lower},
	        .upper_pct = {true, upper},
	        .p = {true, p    },
	        .p_adjusted = {true, p    },
	        .margin_pct = 3,
	        .floor_pct = 4
        };
}

static void verdicts_by_the_rules(void **state)
{
	struct xcs_judgement worse = known(-8, -12, -5, 0.01), small = known(3.5, 1, 6, 0.01);
	struct xcs_judgement same = known(1, -1, 2.5, 0.2), real = known(1.5, 1, 2, 0.001);
	struct xcs_judgement vague = known(-8, -20, 5, 0.2), heaps = worse, none = worse;

	(void)state;
	heaps.two_clusters = true;
	none.p_adjusted.known = false;
	assert_int_equal(xcs_judge_verdict(&worse, XCS_BETTER_MORE), XCS_VERDICT_REGRESSION);
	assert_int_equal(xcs_judge_verdict(&worse, XCS_BETTER_LESS), XCS_VERDICT_IMPROVEMENT);
	assert_int_equal(xcs_judge_verdict(&worse, XCS_BETTER_NONE), XCS_VERDICT_NOT_SHOWN);
	assert_int_equal(xcs_judge_verdict(&small, XCS_BETTER_MORE), XCS_VERDICT_NOT_SHOWN);
	assert_int_equal(xcs_judge_verdict(&same, XCS_BETTER_MORE), XCS_VERDICT_EQUIVALENT);
	assert_int_equal(xcs_judge_verdict(&real, XCS_BETTER_MORE), XCS_VERDICT_EQUIVALENT);
	assert_int_equal(xcs_judge_verdict(&vague, XCS_BETTER_MORE), XCS_VERDICT_NOT_SHOWN);
	assert_int_equal(xcs_judge_verdict(&heaps, XCS_BETTER_MORE), XCS_VERDICT_NOT_SHOWN);
	assert_int_equal(xcs_judge_verdict(&none, XCS_BETTER_MORE), XCS_VERDICT_NOT_SHOWN);
	assert_string_equal(xcs_verdict_name(XCS_VERDICT_NOT_SHOWN), "not shown");
}

static void the_margin_of_a_tail_is_wider(void **state)
{
	(void)state;
	assert_true(xcs_margin_pct("lines") == 3);
	assert_true(xcs_margin_pct("frame_interval.p99") == 10);
}

static void the_floor_is_raised_by_what_is_known(void **state)
{
	static const int block[] = {0, 0, 0, 0, 1, 1, 1, 1};
	static const bool is_new[] = {0, 1, 0, 1, 0, 1, 0, 1};
	static const double quiet[] = {100, 101, 100, 101, 100, 101, 100, 101};
	static const double noisy[] = {100, 101, 130, 101, 100, 101, 130, 101};
	static const double zero[] = {100, 101, 0, 101, 100, 101, 100, 101};
	struct xcs_layout l = {block, is_new, 8, xcs_permutation_new(block, is_new, 8, 1)};
	struct xcs_judgement j;

	(void)state;
	xcs_judge(&l, quiet, 3, (struct xcs_num){0}, 1, &j);
	assert_true(j.floor_pct == 3 && fabs(j.shift_pct.v - 1) < 1e-9);
	xcs_judge(&l, quiet, 3, (struct xcs_num){true, log(1.07)}, 1, &j);
	assert_true(fabs(j.floor_pct - 7) < 1e-9 && j.detectable_pct.v >= 7);
	xcs_judge(&l, noisy, 3, (struct xcs_num){0}, 1, &j);
	double s = log(1.3) / sqrt(2); /* of two boots 30 % apart */
	assert_true(fabs(j.floor_pct - 100 * expm1(1.959964 * s / sqrt(2))) < 1e-3);
	xcs_judge(&l, zero, 3, (struct xcs_num){0}, 1, &j);
	assert_false(j.shift_pct.known || j.p.known || j.detectable_pct.known);
	xcs_permutation_free((struct xcs_permutation *)l.permutation);
}

static void two_heaps_are_seen(void **state)
{
	static const double cores[] = {37900, 38000, 38100, 60800, 61000, 61200};
	static const double one[] = {59000, 60000, 60500, 61000, 61500, 62000};
	static const double stray[] = {38000, 60000, 60500, 61000, 61500, 62000};
	static const double close[] = {100, 100, 100, 101, 101, 101};
	size_t n_low = 0;

	(void)state;
	assert_true(xcs_two_clusters(cores, 6, &n_low));
	assert_int_equal(n_low, 3);
	assert_false(xcs_two_clusters(one, 6, &n_low));
	assert_false(xcs_two_clusters(stray, 6, &n_low));
	assert_false(xcs_two_clusters(close, 6, &n_low));
	assert_false(xcs_two_clusters(cores + 1, 4, &n_low));
	assert_false(xcs_two_clusters(cores, 0, &n_low));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(false_alarms_are_as_many_as_promised),
	        cmocka_unit_test(with_four_blocks_too),
	        cmocka_unit_test(equal_values_raise_no_alarm),
	        cmocka_unit_test(a_tenth_is_found),
	        cmocka_unit_test(holm_keeps_the_family),
	        cmocka_unit_test(the_detectable_shift_is_detected),
	        cmocka_unit_test(quiet_boots_are_shown_to_be_equivalent),
	        cmocka_unit_test(verdicts_by_the_rules),
	        cmocka_unit_test(the_margin_of_a_tail_is_wider),
	        cmocka_unit_test(the_floor_is_raised_by_what_is_known),
	        cmocka_unit_test(two_heaps_are_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
