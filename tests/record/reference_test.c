/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reference results: what is installed loads, what is none is refused with a sentence.
 */
#include <common/alloc.h>
#include <common/file.h>
#include <record/json.h>
#include <record/reference.h>

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define FILE_PATH XCS_TEST_DATA "/../../reports/references/lkml-2007.json"

static void the_installed_set(void **state)
{
	struct xcs_reference set;
	struct xcs_err err = {0};

	(void)state;
	if (xcs_reference_load(&set, FILE_PATH, &err))
		fail_msg("%s", err.text);
	assert_string_equal(set.name, "lkml-2007");
	assert_int_equal(set.n_experiments, 4);
	const struct xcs_reference_experiment *a = xcs_reference_find(&set, "A (April 2007)");
	assert_non_null(a);
	assert_string_equal(a->id, "A");
	const struct xcs_reference_figure *cs = xcs_reference_figure(&a->rows[1], "cs");
	assert_int_equal(cs->n_values, 5);
	assert_true(cs->values[2].known && cs->values[2].v == 1514);
	assert_true(xcs_reference_figure(&a->rows[0], "refresh")->about);
	assert_null(xcs_reference_figure(&a->rows[2], "refresh"));
	assert_false(a->rows[0].client_nice.known);
	assert_ptr_equal(xcs_reference_find(&set, "D"), &set.experiments[3]);
	assert_null(xcs_reference_find(&set, "Axe"));
	assert_null(xcs_reference_find(&set, ""));
	assert_null(xcs_reference_find(&set, NULL));
	xcs_reference_fini(&set);
}

/* What is saved is what was read: it can be read again. */
static void data_round_trip(void **state)
{
	struct xcs_reference set;
	struct xcs_buf first = {0}, second = {0};
	char path[] = "/tmp/xcs-reference-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(xcs_reference_load(&set, FILE_PATH, NULL), 0);
	struct json_t *j = xcs_reference_json(&set);
	xcs_json_write(j, 1, &first);
	xcs_json_free(j);
	xcs_reference_fini(&set);
	assert_int_equal(xcs_file_write(path, first.p, first.n, NULL), 0);
	assert_int_equal(xcs_reference_load(&set, path, NULL), 0);
	j = xcs_reference_json(&set);
	xcs_json_write(j, 1, &second);
	xcs_json_free(j);
	assert_string_equal(first.p, second.p);
	xcs_reference_fini(&set);
	xcs_buf_fini(&first);
	xcs_buf_fini(&second);
	unlink(path);
}

static void refused(const char *path, const char *content, const char *want)
{
	struct xcs_reference set;
	struct xcs_err err = {0};

	assert_int_equal(xcs_file_write(path, content, strlen(content), NULL), 0);
	assert_int_equal(xcs_reference_load(&set, path, &err), -EINVAL);
	if (!strstr(err.text, want))
		fail_msg("'%s' does not hold '%s'", err.text, want);
	assert_null(set.name);
}

#define HEAD "{\"schema\": \"xcsbench.reference/1\", \"name\": \"x\", \"title\": \"t\", "
#define EXPERIMENT                                                     \
	HEAD "\"experiments\": [{\"id\": \"A\", \"title\": \"t\", "    \
	     "\"source\": \"s\", \"claims\": [], \"comparable\": [], " \
	     "\"not_comparable\": [], \"rows\": [{\"kernel\": \"k\", "

static void what_is_none_is_refused(void **state)
{
	char path[] = "/tmp/xcs-reference-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	refused(path, "", "not JSON");
	refused(path, "{}", "its schema is not");
	refused(path, "{\"schema\": \"xcsbench.reference/2\"}", "its schema is not");
	refused(path, HEAD "\"experiments\": 5}", "experiments is not a list");
	refused(path, HEAD "\"experiments\": [{}]}", "claims is missing");
	refused(path, EXPERIMENT "\"figures\": []}]}]}", "lacks its kernel or its span");
	refused(path,
	        EXPERIMENT "\"span\": \"samples\", \"figures\": [{\"metric\": \"cs\", "
	                   "\"unit\": \"1/s\", \"values\": []}]}]}]}",
	        "lacks its metric, its unit or its values");
	refused(path,
	        EXPERIMENT "\"span\": \"samples\", \"figures\": [{\"metric\": \"cs\", "
	                   "\"unit\": \"1/s\", \"values\": [1, \"x\"]}]}]}]}",
	        "values is not a list of numbers");
	unlink(path);
}

/* Cut anywhere, it is refused and nothing is left behind. */
static void every_truncation_is_refused(void **state)
{
	struct xcs_buf whole = {0};
	char path[] = "/tmp/xcs-reference-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(xcs_file_read_at(AT_FDCWD, FILE_PATH, &whole), 0);
	for (size_t n = 0; n + 2 < whole.n; n += 97) {
		struct xcs_reference set;
		assert_int_equal(ftruncate(fd, 0), 0);
		assert_int_equal(pwrite(fd, whole.p, n, 0), (ssize_t)n);
		assert_int_equal(xcs_reference_load(&set, path, NULL), -EINVAL);
	}
	close(fd);
	unlink(path);
	xcs_buf_fini(&whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_installed_set),
	        cmocka_unit_test(data_round_trip),
	        cmocka_unit_test(what_is_none_is_refused),
	        cmocka_unit_test(every_truncation_is_refused),
	};

	return cmocka_run_group_tests_name("record_reference", tests, NULL, NULL);
}
