/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Seeded numbers, run names, counter pages, growing arrays.
 */
#include "cmocka_test.h"

#include <common/alloc.h>
#include <common/counters.h>
#include <common/file.h>
#include <common/rng.h>
#include <common/ulid.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* First outputs of SplitMix64 for seed 1234567: the reference values that other
 * implementations of the generator publish and test against. */
static void splitmix64_gives_the_published_numbers(void **state)
{
	static const uint64_t want[] = {6457827717110365317u, 3203168211198807973u,
	                                9817491932198370423u, 4593380528125082431u,
	                                16408922859458223821u};
	struct xcs_rng r = {1234567};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(want); i++)
		assert_true(xcs_rng_next(&r) == want[i]);
}

static void a_seed_decides_the_order(void **state)
{
	int a[8], b[8], seen = 0;
	struct xcs_rng one = {42}, two = {42};

	(void)state;
	for (int i = 0; i < 8; i++)
		a[i] = b[i] = i;
	xcs_rng_shuffle(&one, a, 8);
	xcs_rng_shuffle(&two, b, 8);
	assert_memory_equal(a, b, sizeof(a));
	for (int i = 0; i < 8; i++)
		seen |= 1 << a[i];
	assert_int_equal(seen, 0xff);
}

static void below_is_uniform_enough(void **state)
{
	struct xcs_rng r = {7};
	int hits[3] = {0};

	(void)state;
	for (int i = 0; i < 30000; i++)
		hits[xcs_rng_below(&r, 3)]++;
	for (int i = 0; i < 3; i++)
		assert_in_range(hits[i], 9600, 10400); /* 5 standard deviations */
	assert_int_equal(xcs_rng_below(&r, 1), 0);
}

static void run_names_sort_by_time(void **state)
{
	static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
	char last[XCS_ULID_LEN + 1] = "", name[XCS_ULID_LEN + 1];

	(void)state;
	for (int64_t ms = 1; ms < INT64_C(1) << 42; ms = ms * 3 + 1) {
		xcs_ulid_make(ms * XCS_NS_PER_MS, name);
		assert_int_equal(strlen(name), XCS_ULID_LEN);
		assert_int_equal(strspn(name, alphabet), XCS_ULID_LEN);
		assert_true(strcmp(last, name) < 0);
		memcpy(last, name, sizeof(last));
	}
	/* The time of the example in the ULID specification's text. */
	xcs_ulid_make(INT64_C(1469918176385) * XCS_NS_PER_MS, name);
	assert_memory_equal(name, "01ARYZ6S41", 10);
}

static void two_names_of_one_moment_differ(void **state)
{
	char a[XCS_ULID_LEN + 1], b[XCS_ULID_LEN + 1];

	(void)state;
	xcs_ulid_make(XCS_NS_PER_S, a);
	xcs_ulid_make(XCS_NS_PER_S, b);
	assert_memory_equal(a, b, 10);
	assert_string_not_equal(a, b);
}

static void arrays_double(void **state)
{
	int *p = NULL;
	size_t cap = 0;

	(void)state;
	for (int i = 0; i < 100; i++) {
		p = xcs_xgrow(p, (size_t)i, &cap, sizeof(*p));
		p[i] = i;
	}
	assert_int_equal(cap, 128);
	assert_int_equal(p[99], 99);
	free(p);
}

struct page_file {
	char dir[32], path[64];
};

static int make_dir(void **state)
{
	struct page_file *f = xcs_xcalloc(1, sizeof(*f));

	strcpy(f->dir, "xcs-counters-XXXXXX");
	if (!mkdtemp(f->dir))
		return -1;
	char *path = xcs_xasprintf("%s/page", f->dir);
	memcpy(f->path, path, strlen(path) + 1);
	free(path);
	*state = f;
	return 0;
}

static int remove_dir(void **state)
{
	struct page_file *f = *state;
	int rc = xcs_dir_remove(f->dir);

	free(f);
	return rc;
}

static void a_counter_is_unknown_until_it_is_added_to(void **state)
{
	const struct page_file *f = *state;
	struct xcs_counters_page *load, *sampler;
	uint64_t v = 99;

	assert_int_equal(xcs_counters_create(f->path, NULL), 0);
	assert_int_equal(xcs_counters_open(f->path, true, &load, NULL), 0);
	assert_int_equal(xcs_counters_open(f->path, false, &sampler, NULL), 0);
	for (int c = 0; c < XCS_N_COUNTERS; c++)
		assert_false(xcs_counters_get(sampler, (enum xcs_counter)c, &v));
	xcs_counters_add(load, XCS_COUNTER_FRAMES, 0);
	assert_true(xcs_counters_get(sampler, XCS_COUNTER_FRAMES, &v));
	assert_int_equal(v, 0);
	xcs_counters_add(load, XCS_COUNTER_FRAMES, UINT64_C(1) << 40);
	xcs_counters_add(load, XCS_COUNTER_FRAMES, 2);
	assert_true(xcs_counters_get(sampler, XCS_COUNTER_FRAMES, &v));
	assert_true(v == (UINT64_C(1) << 40) + 2);
	assert_false(xcs_counters_get(sampler, XCS_COUNTER_LINES, &v));
	xcs_counters_close(load);
	xcs_counters_close(sampler);
	xcs_counters_close(NULL);
}

static void what_is_no_page_is_refused(void **state)
{
	const struct page_file *f = *state;
	struct xcs_counters_page *page;
	struct xcs_err err = {0};
	char zeros[4096] = {0};

	assert_int_equal(xcs_counters_open("missing/page", false, &page, &err), -ENOENT);
	assert_int_equal(xcs_file_write(f->path, "short", 5, NULL), 0);
	assert_int_equal(xcs_counters_open(f->path, false, &page, &err), -EINVAL);
	assert_non_null(strstr(err.text, f->path));
	/* The right size with the wrong first word. */
	assert_int_equal(xcs_counters_create(f->path, NULL), 0);
	int fd = open(f->path, O_RDWR);
	off_t n = lseek(fd, 0, SEEK_END);
	assert_int_equal(pwrite(fd, zeros, (size_t)n, 0), n);
	close(fd);
	assert_int_equal(xcs_counters_open(f->path, false, &page, &err), -EINVAL);
}

static void each_counter_has_a_name_of_its_own(void **state)
{
	(void)state;
	for (int a = 0; a < XCS_N_COUNTERS; a++) {
		assert_non_null(xcs_counter_name((enum xcs_counter)a));
		for (int b = 0; b < a; b++)
			assert_string_not_equal(xcs_counter_name((enum xcs_counter)a),
			                        xcs_counter_name((enum xcs_counter)b));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(splitmix64_gives_the_published_numbers),
	        cmocka_unit_test(a_seed_decides_the_order),
	        cmocka_unit_test(below_is_uniform_enough),
	        cmocka_unit_test(run_names_sort_by_time),
	        cmocka_unit_test(two_names_of_one_moment_differ),
	        cmocka_unit_test(arrays_double),
	        cmocka_unit_test_setup_teardown(a_counter_is_unknown_until_it_is_added_to, make_dir,
	                                        remove_dir),
	        cmocka_unit_test_setup_teardown(what_is_no_page_is_refused, make_dir, remove_dir),
	        cmocka_unit_test(each_counter_has_a_name_of_its_own),
	};

	return cmocka_run_group_tests_name("common: numbers", tests, NULL, NULL);
}
