/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../../common/cmocka_test.h"

#include <storm/source.h>

#include <string.h>

static struct xcs_buf source(uint64_t seed, int index)
{
	struct xcs_buf text = {0};

	storm_source(seed, index, &text);
	return text;
}

static void assert_same(struct xcs_buf a, struct xcs_buf b, bool want)
{
	assert_true((a.n == b.n && memcmp(a.p, b.p, a.n) == 0) == want);
	xcs_buf_fini(&a);
	xcs_buf_fini(&b);
}

static void test_a_seed_gives_the_same_files(void **state)
{
	(void)state;
	assert_same(source(7, 3), source(7, 3), true);
	assert_same(source(7, 3), source(7, 4), false);
	assert_same(source(7, 3), source(8, 3), false);
}

static void test_headers_are_their_own(void **state)
{
	struct xcs_buf a = {0}, b = {0};

	(void)state;
	storm_header(7, 0, &a);
	storm_header(7, 1, &b);
	assert_non_null(strstr(a.p, "struct item0_0"));
	assert_null(strstr(a.p, "struct item1_"));
	assert_same(a, b, false);
}

/* A file asks for nothing but its headers: not every machine has those of the system. */
static void test_a_file_needs_only_its_headers(void **state)
{
	struct xcs_buf text = source(1, 999);
	int n = 0;

	(void)state;
	for (const char *p = text.p; (p = strstr(p, "#include ")); p++) {
		assert_int_equal(strncmp(p, "#include \"header", 16), 0);
		n++;
	}
	assert_int_equal(n, STORM_N_HEADERS);
	assert_non_null(strstr(text.p, "unsigned file999("));
	assert_true(text.n > 4000);
	xcs_buf_fini(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_a_seed_gives_the_same_files),
	        cmocka_unit_test(test_headers_are_their_own),
	        cmocka_unit_test(test_a_file_needs_only_its_headers),
	};

	return cmocka_run_group_tests_name("bench storm source", tests, NULL, NULL);
}
