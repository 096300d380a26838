/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What hyperfine exports, of both schemas, and what is no such export: every truncation of
 * both, files of other programs, what a failed command and a power cut leave.
 */
#include <common/alloc.h>
#include <common/file.h>
#include <record/hyperfine.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define RESULT(members) "{\"results\": [{\"command\": \"c\", " members "}]}"

static void assert_near(struct xcs_num have, double want, double within)
{
	if (!have.known || fabs(have.v - want) > within)
		fail_msg("%s %.17g is not %.17g", have.known ? "known" : "unknown", have.v, want);
}

static void assert_num(struct xcs_num have, double want)
{
	assert_near(have, want, 1e-6);
}

static void load(struct xcs_hyperfine *h, const char *name)
{
	struct xcs_err err = {0};
	char *path = xcs_xasprintf("%s/hyperfine/%s", XCS_TEST_DATA, name);

	if (xcs_hyperfine_load(h, path, NULL, &err))
		fail_msg("%s", err.text);
	free(path);
}

static void parse(struct xcs_hyperfine *h, const char *text)
{
	struct xcs_err err = {0};

	if (xcs_hyperfine_parse(h, xcs_str(text), NULL, &err))
		fail_msg("%s", err.text);
}

/* Refuses the text with a sentence that holds `word`. */
static void refuses_n(const char *text, size_t n, int rc, const char *word)
{
	struct xcs_hyperfine h;
	struct xcs_err err = {0};

	assert_int_equal(xcs_hyperfine_parse(&h, (struct xcs_str){text, n}, NULL, &err), rc);
	if (!strstr(err.text, word))
		fail_msg("'%s' is not in: %s", word, err.text);
	assert_null(strchr(err.text, '\n'));
	assert_int_equal(h.n_results, 0);
}

static void refuses(const char *text, const char *word)
{
	refuses_n(text, strlen(text), -EINVAL, word);
}

static void schema_1_keeps_times_in_columns(void **state)
{
	struct xcs_hyperfine h;

	(void)state;
	load(&h, "v1.json");
	assert_int_equal(h.schema, 1);
	assert_null(h.version);
	assert_int_equal(h.n_results, 2);
	const struct xcs_hyperfine_result *r = &h.results[0];
	assert_string_equal(r->command, "xterm -e seq 1 5000");
	assert_null(r->name);
	assert_int_equal(r->n_runs, 3);
	assert_num(r->runs[0].real_ns, 200e6);
	assert_num(r->runs[2].real_ns, 300e6);
	assert_false(r->runs[0].user_ns.known);
	assert_false(r->runs[0].sys_ns.known);
	assert_num(r->runs[1].memory_bytes, 9441280);
	assert_num(r->mean_ns, 250e6);
	assert_num(r->stddev_ns, 50e6);
	assert_num(r->user_ns, 125e6);
	assert_num(r->sys_ns, 62.5e6);
	xcs_hyperfine_fini(&h);
	xcs_hyperfine_fini(&h);
}

static void an_exit_code_may_be_null(void **state)
{
	struct xcs_hyperfine h;

	(void)state;
	load(&h, "v1.json");
	assert_true(h.results[0].has_exit_codes);
	assert_num(h.results[0].runs[0].exit_status, 0);
	assert_false(h.results[0].runs[1].exit_status.known);
	assert_num(h.results[0].runs[2].exit_status, 3);
	assert_false(h.results[1].has_exit_codes);
	xcs_hyperfine_fini(&h);
}

static void parameters_are_labels(void **state)
{
	struct xcs_hyperfine h;

	(void)state;
	load(&h, "v1.json");
	assert_int_equal(h.results[0].n_parameters, 2);
	assert_string_equal(h.results[0].parameters[1].name, "nice");
	assert_string_equal(h.results[0].parameters[1].value, "-10");
	xcs_hyperfine_fini(&h);
	parse(&h, RESULT("\"mean\": 1.0, \"parameter\": \"6.6\""));
	assert_string_equal(h.results[0].parameters[0].name, "parameter");
	assert_string_equal(h.results[0].parameters[0].value, "6.6");
	xcs_hyperfine_fini(&h);
	parse(&h, RESULT("\"mean\": 1.0, \"parameters\": {\"n\": 4, \"no\": null}"));
	assert_int_equal(h.results[0].n_parameters, 1);
	assert_string_equal(h.results[0].parameters[0].value, "4");
	xcs_hyperfine_fini(&h);
}

static void without_times_the_summary_stands(void **state)
{
	struct xcs_hyperfine h;

	(void)state;
	load(&h, "v1.json");
	assert_int_equal(h.results[1].n_runs, 0);
	assert_num(h.results[1].mean_ns, 1e6);
	assert_false(h.results[1].stddev_ns.known);
	assert_false(h.results[1].median_ns.known);
	xcs_hyperfine_fini(&h);
}

static void a_single_run_has_no_spread(void **state)
{
	struct xcs_hyperfine h;

	(void)state;
	parse(&h, RESULT("\"mean\": 12.5, \"stddev\": null, \"times\": [12.5]"));
	assert_num(h.results[0].mean_ns, 12.5e9);
	assert_num(h.results[0].median_ns, 12.5e9);
	assert_false(h.results[0].stddev_ns.known);
	assert_false(xcs_hyperfine_is_constant(&h.results[0]));
	xcs_hyperfine_fini(&h);
}

static void schema_2_keeps_runs(void **state)
{
	struct xcs_hyperfine h;

	(void)state;
	load(&h, "v2.json");
	assert_int_equal(h.schema, 2);
	assert_string_equal(h.version, "2.0.0");
	const struct xcs_hyperfine_result *r = &h.results[0];
	assert_string_equal(r->command, "find /usr/share/doc");
	assert_string_equal(r->name, "find");
	assert_string_equal(r->parameters[0].value, "3");
	assert_int_equal(r->n_runs, 2);
	assert_num(r->runs[0].real_ns, 1.5e9);
	assert_num(r->runs[0].user_ns, 0.25e9);
	assert_num(r->runs[0].sys_ns, 0.5e9);
	assert_num(r->runs[0].memory_bytes, 4194304);
	assert_false(r->runs[1].memory_bytes.known);
	assert_num(r->runs[0].exit_status, 0);
	assert_false(r->runs[1].exit_status.known);
	assert_num(r->mean_ns, 2e9);
	assert_num(r->median_ns, 2e9);
	assert_near(r->stddev_ns, 707106781, 1);
	assert_num(r->user_ns, 0.5e9);
	assert_num(r->sys_ns, 0.5e9);
	xcs_hyperfine_fini(&h);
}

static void a_unit_that_is_none_is_refused(void **state)
{
	(void)state;
	refuses(RESULT("\"measurements\": [{\"time_wall_clock\": {\"value\": 1, \"unit\": "
	               "\"fortnight\"}}]"),
	        "unit");
	refuses(RESULT("\"measurements\": []"), "no measurements");
	refuses("{\"schema_version\": 3, \"results\": [{}]}", "newer xcsbench");
}

static void times_that_are_none_are_refused(void **state)
{
	(void)state;
	refuses(RESULT("\"mean\": -1.0"), "no time");
	refuses(RESULT("\"mean\": \"1\""), "no time");
	refuses(RESULT("\"mean\": 1.0, \"times\": [1.0, \"x\"]"), "time that is none");
	refuses(RESULT("\"times\": []"), "neither");
	refuses("{\"results\": [17]}", "has no command");
}

static void a_failed_command_is_named(void **state)
{
	const struct xcs_hyperfine_call call = {
	        "false", {true, 1}
        };
	struct xcs_hyperfine h;
	struct xcs_err err = {0};

	(void)state;
	refuses_n("", 0, -ENODATA, "no results: the timed command failed");
	refuses_n("\n", 1, -ENODATA, "no results: the timed command failed");
	assert_int_equal(xcs_hyperfine_parse(&h, xcs_str(""), &call, &err), -ENODATA);
	assert_non_null(strstr(err.text, "failed (false: exit status 1)"));
}

static void other_files_are_refused(void **state)
{
	static const char nuls[] = "{\"results\": [{\"com\0\0\0\0\0\0";

	(void)state;
	refuses("{\"schema\": 1, \"samples\": [{\"t\": 0.0}]}", "no result of hyperfine");
	refuses("{\"results\": []}", "empty");
	refuses("{\"results\": {}}", "no result of hyperfine");
	refuses("{\"results\": nonsense}", "not JSON");
	refuses("[1, 2]", "foreign");
	refuses("procs ---memory---\n", "foreign");
	refuses("\xff\xfe{\0", "foreign");
	refuses_n(nuls, sizeof(nuls) - 1, -EINVAL, "NUL");
	refuses_n("\0\0\0", 3, -EINVAL, "NUL");
}

static void every_truncation_is_refused(void **state)
{
	static const char *const names[] = {"v1.json", "v2.json"};
	struct xcs_buf text = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char *path = xcs_xasprintf("%s/hyperfine/%s", XCS_TEST_DATA, names[i]);
		assert_int_equal(xcs_file_read_at(AT_FDCWD, path, &text), 0);
		size_t end = strlen(text.p) - 2; /* without the last brace and newline */
		for (size_t n = 1; n <= end; n++)
			refuses_n(text.p, n, -EINVAL, "cut short");
		free(path);
	}
	xcs_buf_fini(&text);
}

static void a_list_of_seconds_is_read(void **state)
{
	struct xcs_hyperfine h;

	(void)state;
	load(&h, "list.txt");
	assert_int_equal(h.schema, 0);
	assert_int_equal(h.results[0].n_runs, 4);
	assert_num(h.results[0].mean_ns, 0.875e9);
	assert_num(h.results[0].median_ns, 0.875e9);
	assert_num(h.results[0].max_ns, 1.25e9);
	assert_near(h.results[0].stddev_ns, 322748612, 1);
	assert_false(h.results[0].has_exit_codes);
	xcs_hyperfine_fini(&h);
	refuses("1.0\n2.", "cut short");
	refuses("1.0\ntwo\n", "line 2");
}

static void equal_times_are_the_clocks(void **state)
{
	struct xcs_hyperfine h;

	(void)state;
	parse(&h, "1.000\n1.000\n1.000\n");
	assert_num(h.results[0].stddev_ns, 0);
	assert_true(xcs_hyperfine_is_constant(&h.results[0]));
	xcs_hyperfine_fini(&h);
	parse(&h, "1.000\n1.000\n");
	assert_false(xcs_hyperfine_is_constant(&h.results[0]));
	xcs_hyperfine_fini(&h);
	parse(&h, "1.000\n1.000\n1.001\n");
	assert_false(xcs_hyperfine_is_constant(&h.results[0]));
	xcs_hyperfine_fini(&h);
}

static void what_cannot_be_read_is_named(void **state)
{
	struct xcs_hyperfine h;
	struct xcs_err err = {0};
	char path[] = "/tmp/xcs-hyperfine-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_int_equal(xcs_hyperfine_load(&h, "/nowhere/x.json", NULL, &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nowhere/x.json: cannot be read"));
	/* A sparse file of 100 MiB costs nothing; nor must its refusal. */
	assert_int_equal(ftruncate(fd, 100 << 20), 0);
	assert_int_equal(xcs_hyperfine_load(&h, path, NULL, &err), -EFBIG);
	assert_non_null(strstr(err.text, "larger"));
	close(fd);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(schema_1_keeps_times_in_columns),
	        cmocka_unit_test(an_exit_code_may_be_null),
	        cmocka_unit_test(parameters_are_labels),
	        cmocka_unit_test(without_times_the_summary_stands),
	        cmocka_unit_test(a_single_run_has_no_spread),
	        cmocka_unit_test(schema_2_keeps_runs),
	        cmocka_unit_test(a_unit_that_is_none_is_refused),
	        cmocka_unit_test(times_that_are_none_are_refused),
	        cmocka_unit_test(a_failed_command_is_named),
	        cmocka_unit_test(other_files_are_refused),
	        cmocka_unit_test(every_truncation_is_refused),
	        cmocka_unit_test(a_list_of_seconds_is_read),
	        cmocka_unit_test(equal_times_are_the_clocks),
	        cmocka_unit_test(what_cannot_be_read_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
