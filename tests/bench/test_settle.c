/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../common/cmocka_test.h"

#include <load/settle.h>

/* Is a counter steady that grew by these four numbers in a quarter of a second each? */
static bool is_steady(const uint64_t growth[4])
{
	struct settle_counter c = {0};
	uint64_t total = 1000;

	settle_counter_look(&c, total, 0);
	for (int i = 0; i < 4; i++)
		settle_counter_look(&c, total += growth[i], 0.25);
	return settle_counter_is_steady(&c);
}

static void test_only_the_last_three_looks_count(void **state)
{
	(void)state;
	assert_true(is_steady((const uint64_t[]){1, 50000, 50000, 50000}));
	assert_false(is_steady((const uint64_t[]){50000, 50000, 50000, 1}));
}

static void test_of_many_events_15_percent(void **state)
{
	(void)state;
	assert_true(is_steady((const uint64_t[]){0, 50000, 55000, 45000}));
	assert_false(is_steady((const uint64_t[]){0, 50000, 61000, 39000}));
}

static void test_of_few_events_what_chance_makes(void **state)
{
	(void)state;
	assert_true(is_steady((const uint64_t[]){0, 30, 45, 25}));
	assert_true(is_steady((const uint64_t[]){0, 1, 0, 2}));
	assert_false(is_steady((const uint64_t[]){0, 30, 90, 20}));
}

static void test_what_stands_still_is_not_steady(void **state)
{
	struct settle_counter c = {0};

	(void)state;
	assert_false(is_steady((const uint64_t[]){5, 0, 0, 0}));
	for (int i = 0; i < SETTLE_N_LOOKS; i++) {
		settle_counter_look(&c, 100, 0.25);
		assert_false(settle_counter_is_steady(&c));
	}
}

static void test_looks_of_unequal_length(void **state)
{
	struct settle_counter c = {0};

	(void)state;
	settle_counter_look(&c, 0, 0);
	settle_counter_look(&c, 10000, 0.25);
	settle_counter_look(&c, 50000, 1);
	settle_counter_look(&c, 60000, 0.25);
	assert_true(settle_counter_is_steady(&c));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_only_the_last_three_looks_count),
	        cmocka_unit_test(test_of_many_events_15_percent),
	        cmocka_unit_test(test_of_few_events_what_chance_makes),
	        cmocka_unit_test(test_what_stands_still_is_not_steady),
	        cmocka_unit_test(test_looks_of_unequal_length),
	};

	return cmocka_run_group_tests_name("bench settle", tests, NULL, NULL);
}
