/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which changes of sched_ext between two reads void a run.
 */
#include "../common/cmocka_test.h"
#include <trial/environment.h>

#include <common/alloc.h>
#include <common/file.h>

#include <stdlib.h>
#include <string.h>

static char root[] = "/tmp/xcs-environment-test.XXXXXX";
static struct xcs_err err;

static void put(const char *rel, const char *text)
{
	char *path = xcs_xasprintf("%s/%s", root, rel);
	char *dir = xcs_xstrdup(path);

	*strrchr(dir, '/') = '\0';
	assert_int_equal(xcs_dir_make(dir, 0755, &err), 0);
	assert_int_equal(xcs_file_write(path, text, strlen(text), &err), 0);
	free(path);
	free(dir);
}

static int make_root(void **state)
{
	(void)state;
	memcpy(root + sizeof(root) - 7, "XXXXXX", 6);
	if (!mkdtemp(root))
		return -1;
	put("proc/version", "x\n");
	put("sys/kernel/x", "\n");
	return 0;
}

static int remove_root(void **state)
{
	(void)state;
	return xcs_dir_remove(root);
}

static void put_ext(const char *state, const char *seq)
{
	put("sys/kernel/sched_ext/state", state);
	put("sys/kernel/sched_ext/enable_seq", seq);
}

/* Reads against what `run` was told before; `says` NULL: no change. */
static void expect(struct xcs_run *run, const char *says)
{
	char *proc = xcs_xasprintf("%s/proc", root), *sys = xcs_xasprintf("%s/sys", root);
	struct xcs_buf why = {0};
	struct xcs_env env;

	assert_int_equal(xcs_env_open_at(&env, proc, sys, &err), 0);
	assert_int_equal(environment_ext_changed(&env, &run->environment, &why), says != NULL);
	if (says)
		assert_string_equal(why.p, says);
	xcs_buf_fini(&why);
	xcs_env_close(&env);
	free(proc);
	free(sys);
}

static void before(struct xcs_run *run, const char *state, const char *ops, const char *seq)
{
	xcs_facts_set(&run->environment, "sched.ext", state, "test");
	xcs_facts_set(&run->environment, "sched.ext_ops", ops, "test");
	xcs_facts_set(&run->environment, "sched.ext_enable_seq", seq, "test");
}

static void the_same_scheduler_is_no_change(void **state)
{
	struct xcs_run run = {0};

	(void)state;
	before(&run, "enabled", "simple", "3");
	put_ext("enabled\n", "3\n");
	put("sys/kernel/sched_ext/root/ops", "simple\n");
	expect(&run, NULL);
	assert_string_equal(xcs_facts_get(&run.environment, "sched.ext_enable_seq_after"), "3");
	xcs_run_fini(&run);
}

static void another_scheduler_is_told_from_what_to_what(void **state)
{
	struct xcs_run run = {0};

	(void)state;
	before(&run, "enabled", "simple", "3");
	put_ext("enabled\n", "4\n");
	put("sys/kernel/sched_ext/root/ops", "rusty\n");
	expect(&run, "sched_ext changed during the run: ops was simple and is rusty, enable_seq "
	             "was 3 and is 4");
	xcs_run_fini(&run);
}

/* Loaded and unloaded between two trials: only the counter tells. */
static void one_that_came_and_went_is_seen_by_its_number(void **state)
{
	struct xcs_run run = {0};

	(void)state;
	before(&run, "disabled", NULL, "3");
	put_ext("disabled\n", "4\n");
	expect(&run, "sched_ext changed during the run: enable_seq was 3 and is 4");
	xcs_run_fini(&run);
}

static void a_kernel_without_it_changes_nothing(void **state)
{
	struct xcs_run run = {0};

	(void)state;
	before(&run, NULL, NULL, NULL);
	expect(&run, NULL);
	assert_null(xcs_facts_get(&run.environment, "sched.ext_after"));
	xcs_run_fini(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(the_same_scheduler_is_no_change, make_root,
	                                        remove_root),
	        cmocka_unit_test_setup_teardown(another_scheduler_is_told_from_what_to_what,
	                                        make_root, remove_root),
	        cmocka_unit_test_setup_teardown(one_that_came_and_went_is_seen_by_its_number,
	                                        make_root, remove_root),
	        cmocka_unit_test_setup_teardown(a_kernel_without_it_changes_nothing, make_root,
	                                        remove_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
