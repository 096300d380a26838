/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a comparison is made of: names of kernels, blocks of boots, boot values.
 */
#include "campaign.h"

#include <common/alloc.h>
#include <common/file.h>
#include <reports/blocks.h>
#include <reports/compare.h>
#include <reports/labels.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void is_escaped(const char *label, const char *want)
{
	char *got = xcs_label_escape_dup(label);

	assert_string_equal(got, want);
	free(got);
}

static void labels_are_valid_utf8_and_stay_apart(void **state)
{
	(void)state;
	is_escaped("6.18.0-rc5", "6.18.0-rc5");
	is_escaped("caf\xe9", "caf\\xE9");
	is_escaped("\xe6\xbc\xa2", "\xe6\xbc\xa2");
	is_escaped("\xe6\xbc", "\\xE6\\xBC");
	is_escaped("\xc0\xaf", "\\xC0\\xAF");                   /* overlong */
	is_escaped("\xed\xa0\x80", "\\xED\\xA0\\x80");          /* surrogate */
	is_escaped("\xf4\x90\x80\x80", "\\xF4\\x90\\x80\\x80"); /* above U+10FFFF */
	is_escaped("\xf0\x9f\x90\xa7", "\xf0\x9f\x90\xa7");
	is_escaped("a\tb\n\x7f", "a\\x09b\\x0A\\x7F");
	is_escaped("caf\\xE9", "caf\\x5CxE9"); /* not the same as the first of these */
	is_escaped("", "(empty)");
}

static void is_key(const char *const *labels, size_t n, size_t i, const char *want)
{
	char *got = xcs_label_key_dup(labels, n, i);

	assert_string_equal(got, want);
	free(got);
}

static void short_labels_stand_as_they_are(void **state)
{
	static const char *const plain[] = {"6.12.1", "6.13"};
	static const char *const el7[] = {"3.10.0-862.el7.x86_64", "3.10.0-862.19.1.el7.x86_64",
	                                  "3.10.0-862.19.2.el7.x86_64"};
	static const char *const one_long[] = {"6.12.1", "6.18.0-rc5-next-20251112"};
	static const char *const wide[] = {"a", "\xe6\xbc\xa2"}, *const twins[] = {"a", "a"};

	(void)state;
	is_key(plain, 2, 0, "6.12.1");
	is_key(plain, 2, 1, "6.13");
	is_key(el7, 3, 0, "A");
	is_key(el7, 3, 2, "C");
	is_key(one_long, 2, 0, "A");
	is_key(one_long, 2, 1, "B");
	is_key(wide, 2, 1, "B");
	is_key(twins, 2, 1, "B");
}

static void many_long_labels_get_two_letters(void **state)
{
	const char *labels[60];

	(void)state;
	for (int i = 0; i < 60; i++)
		labels[i] = "a label that is much too long";
	is_key(labels, 60, 25, "Z");
	is_key(labels, 60, 26, "AA");
	is_key(labels, 60, 52, "BA");
}

/* forms SIDES WANT: boots in the order given, each with its block as a digit. */
static void forms(const char *sides, const char *want)
{
	size_t n = strlen(sides), n_blocks = 0;
	int64_t wall_ns[32] = {0};
	bool is_new[32] = {false};
	int block[32];

	for (size_t i = 0; i < n; i++) {
		wall_ns[i] = 1000 + (int64_t)i;
		is_new[i] = sides[i] == 'n';
		n_blocks = (size_t)(want[i] - '0') + 1 > n_blocks ? (size_t)(want[i] - '0') + 1
		                                                  : n_blocks;
	}
	assert_int_equal(xcs_blocks_form(wall_ns, is_new, n, block), n_blocks);
	for (size_t i = 0; i < n; i++)
		if (block[i] != want[i] - '0')
			fail_msg("%s: boot %zu is in block %d, wanted %s", sides, i, block[i],
			         want);
}

static void blocks_follow_the_order_of_time(void **state)
{
	(void)state;
	forms("bbnnnbnbbnnb", "000011112222");
	forms("bnbnbnbn", "00001111");
	forms("bbbbbbnnnnnn", "000000000000"); /* one kernel after the other: one block */
	forms("bbnnbn", "000000");             /* what is left over joins the last */
	forms("bbnnbbnnb", "000011111");
	forms("bbbnnbnn", "00000000"); /* the rest holds one of the base only */
	forms("bbbnnbnnb", "000001111");
	forms("bn", "00");
	forms("b", "0");
}

static void the_order_of_the_arrays_does_not_matter(void **state)
{
	static const int64_t wall_ns[] = {80, 10, 70, 20, 60, 30, 50, 40};
	static const bool is_new[] = {0, 0, 0, 0, 1, 1, 1, 1};
	static const int want[] = {1, 0, 1, 0, 1, 0, 1, 0};
	int block[8];

	(void)state;
	assert_int_equal(xcs_blocks_form(wall_ns, is_new, 8, block), 2);
	assert_memory_equal(block, want, sizeof(want));
	assert_true(xcs_blocks_are_mixed(wall_ns, is_new, 8));
	assert_int_equal(xcs_blocks_form(wall_ns, is_new, 0, block), 0);
}

static void a_drift_is_suspected_where_sides_do_not_alternate(void **state)
{
	static const int64_t wall_ns[] = {1, 2, 3, 4, 5, 6};
	static const bool after[] = {0, 0, 0, 1, 1, 1}, mixed[] = {0, 0, 1, 1, 1, 0};

	(void)state;
	assert_false(xcs_blocks_are_mixed(wall_ns, after, 6));
	assert_true(xcs_blocks_are_mixed(wall_ns, mixed, 6));
	assert_true(xcs_blocks_are_mixed(wall_ns, after + 2, 4)); /* four are one block anyway */
}

static char *folder_dup(void)
{
	char name[] = "/tmp/xcs-campaign-XXXXXX";

	assert_non_null(mkdtemp(name));
	return xcs_xstrdup(name);
}

/* A boot's value is the median of its trials: +10 % on all comes out as +10 %. */
static void boot_values_are_medians(void **state)
{
	struct campaign_spec spec = {
	        .base = "6.12", .new = "6.13", .world = {1, 3, 0, 0, 0, 10},
                        .seed = 5
        };
	char *dir = folder_dup();
	char *paths[] = {xcs_xasprintf("%s/base", dir), xcs_xasprintf("%s/new", dir)};
	const struct xcs_campaign_source sources[] = {
	        {NULL, paths[0]},
                {NULL, paths[1]}
        };
	struct xcs_campaign c;
	struct xcs_comparison x;
	struct xcs_compare_settings settings = {0};
	struct xcs_err err = {0};

	(void)state;
	campaign_write(&spec, dir);
	assert_int_equal(xcs_campaign_load(&c, sources, 2, &err), 0);
	assert_int_equal(c.n_groups, 2);
	assert_int_equal(c.n_cells, 2);
	assert_int_equal(c.groups[0].n_boots, 2);
	assert_int_equal(c.groups[0].boots[0].n_trials, 6);
	assert_int_equal(xcs_compare_choose_gates(&settings, &c, "lines,lines:xterm:-10", &err), 0);
	xcs_compare(&x, &c, &settings);
	const struct xcs_compare_pair *pair = &x.pairs[0];
	assert_true(fabs(pair->gates[0].base.median - 4 * sqrt(12000.0 * 9000.0)) < 0.01);
	assert_true(fabs(pair->gates[1].base.median - 36000) < 1e-6);
	assert_true(fabs(pair->gates[1].judged.shift_pct.v - 10) < 1e-6);
	assert_int_equal(pair->standing, XCS_STANDING_DESCRIPTIVE);
	assert_int_equal(xcs_comparison_exit(&x), XCS_EXIT_CANNOT_JUDGE);
	xcs_comparison_fini(&x);
	xcs_campaign_fini(&c);
	assert_int_equal(xcs_dir_remove(dir), 0);
	free(paths[0]);
	free(paths[1]);
	free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(labels_are_valid_utf8_and_stay_apart),
	        cmocka_unit_test(short_labels_stand_as_they_are),
	        cmocka_unit_test(many_long_labels_get_two_letters),
	        cmocka_unit_test(blocks_follow_the_order_of_time),
	        cmocka_unit_test(the_order_of_the_arrays_does_not_matter),
	        cmocka_unit_test(a_drift_is_suspected_where_sides_do_not_alternate),
	        cmocka_unit_test(boot_values_are_medians),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
