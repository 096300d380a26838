/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a trial finds of the nice values of a made-up server, compositor and load.
 */
#include "../common/cmocka_test.h"
#include <trial/trial_nice.h>

#include <common/alloc.h>
#include <common/file.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SERVER = 40,
	COMPOSITOR = 41,
	CLIENT = 50,
	FEEDER = 51
};

static char root[] = "/tmp/xcs-trial-nice-test.XXXXXX";
static struct xcs_env env;
static struct xcs_err err;
static struct xserver server;
static struct xcs_run run;
static struct xcs_run_load one_client;
static struct load_spec spec;
static struct load load;
static struct trial_place place;

static void set(char **text, const char *to)
{
	free(*text);
	*text = xcs_xstrdup(to);
}

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

static void put_thread(int pid, int tid, int nice)
{
	char *stat = xcs_xasprintf("%d (any) S 1 1 1 0 -1 0 0 0 0 0 5 5 0 0 20 %d 1 0 77 0 0 0 0 0 "
	                           "0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0\n",
	                           tid, nice);
	char *of_thread = xcs_xasprintf("proc/%d/task/%d/stat", pid, tid);
	char *of_process = xcs_xasprintf("proc/%d/stat", pid);

	put(of_thread, stat);
	if (pid == tid)
		put(of_process, stat);
	free(stat);
	free(of_thread);
	free(of_process);
}

/* All at 0: the server with two threads. */
static int make_world(void **state)
{
	(void)state;
	memcpy(root + sizeof(root) - 7, "XXXXXX", 6);
	if (!mkdtemp(root))
		return -1;
	put_thread(SERVER, SERVER, 0);
	put_thread(SERVER, 45, 0);
	put_thread(COMPOSITOR, COMPOSITOR, 0);
	put_thread(CLIENT, CLIENT, 0);
	put_thread(FEEDER, FEEDER, 0);
	put("sys/empty", "");
	char *proc = xcs_xasprintf("%s/proc", root), *sys = xcs_xasprintf("%s/sys", root);
	int rc = xcs_env_open_at(&env, proc, sys, &err);
	free(proc);
	free(sys);
	server = (struct xserver){
	        .pid = SERVER, .start_ticks = 77, .compositor = {COMPOSITOR, 77, "picom"}
        };
	run = (struct xcs_run){
	        .plan = {.boost = xcs_xstrdup("chain"),
	                 .mode = xcs_xstrdup("absolute"),
	                 .autogroup_mode = xcs_xstrdup("off")}
        };
	one_client = (struct xcs_run_load){.n_clients = 1};
	spec = (struct load_spec){.load = &one_client, .env = &env, .set_nice = true};
	load = (struct load){.n = 1, .spec = &spec};
	load.clients[0] = (struct load_client){.child.pid = CLIENT,
	                                       .feeder_pid = FEEDER,
	                                       .role = "client0",
	                                       .feeder_role = "feeder0"};
	place = (struct trial_place){.env = &env, .run = &run, .server = &server};
	return rc;
}

static int remove_world(void **state)
{
	(void)state;
	xcs_env_close(&env);
	xcs_run_fini(&run);
	return xcs_dir_remove(root);
}

static void expect_broken(int nice, const struct trial_nice *before, const char *says)
{
	struct trial_nice after = trial_nice_read(&place);
	struct xcs_buf why = {0};

	assert_true(trial_nice_broken(&place, nice, before, &after, &why) == (says != NULL));
	if (says)
		assert_string_equal(xcs_buf_str(&why).p, says);
	xcs_buf_fini(&why);
}

static void threads_that_differ_have_no_one_nice(void **state)
{
	(void)state;
	assert_true(trial_nice_read(&place).server.known);
	put_thread(SERVER, 45, -5);
	assert_false(trial_nice_read(&place).server.known);
	assert_true(trial_nice_read(&place).compositor.known);
}

static void a_renice_by_others_breaks_the_trial(void **state)
{
	struct trial_nice before = trial_nice_read(&place);

	(void)state;
	expect_broken(0, &before, NULL);
	put_thread(COMPOSITOR, COMPOSITOR, 3);
	expect_broken(0, &before,
	              "somebody else changed the nice value of the compositor, which was to be 0");
	put_thread(SERVER, 45, 3); /* one thread is enough */
	expect_broken(0, &before,
	              "somebody else changed the nice value of the X server, which was to be 0");
}

static void the_compositor_is_not_judged_where_it_was_not_moved(void **state)
{
	struct trial_nice before = trial_nice_read(&place);

	(void)state;
	set(&run.plan.boost, "server");
	put_thread(COMPOSITOR, COMPOSITOR, 3);
	expect_broken(0, &before, NULL);
}

static void a_compositor_that_ended_breaks_the_trial(void **state)
{
	struct trial_nice before = trial_nice_read(&place);

	(void)state;
	server.compositor.start_ticks = 78; /* another process has the id now */
	expect_broken(0, &before, "the compositor picom ended");
	assert_int_equal(trial_nice_set(&place, -5, &err), -ESRCH);
	assert_string_equal(err.text, "the compositor picom (process 41) ended, so the screen is "
	                              "drawn in another way now; start the run again");
}

/* There the server stays at the level of its user, whatever that is. */
static void relative_mode_asks_only_that_it_stays(void **state)
{
	(void)state;
	set(&run.plan.mode, "relative");
	put_thread(SERVER, SERVER, -2);
	put_thread(SERVER, 45, -2);
	put_thread(COMPOSITOR, COMPOSITOR, 4);
	struct trial_nice before = trial_nice_read(&place);
	expect_broken(-10, &before, NULL);
	put_thread(SERVER, SERVER, 0);
	put_thread(SERVER, 45, 0);
	expect_broken(-10, &before,
	              "somebody else changed the nice value of the X server, which was to be -10");
}

static void expect_load(const char *says)
{
	struct xcs_buf why = {0};

	assert_true(trial_nice_load_broken(&load, &why) == (says != NULL));
	if (says)
		assert_string_equal(xcs_buf_str(&why).p, says);
	xcs_buf_fini(&why);
}

static void a_renice_of_the_load_breaks_the_trial(void **state)
{
	(void)state;
	expect_load(NULL);
	put_thread(FEEDER, FEEDER, 5);
	expect_load("somebody else changed the nice value of feeder0 from 0 to 5");
	put_thread(CLIENT, CLIENT, -4);
	expect_load("somebody else changed the nice value of client0 from 0 to -4");
}

static void a_load_is_judged_by_its_own_level(void **state)
{
	(void)state;
	one_client.client_nice = 4;
	spec.nice_shift = 3;
	put_thread(CLIENT, CLIENT, 7);
	put_thread(FEEDER, FEEDER, 7);
	expect_load(NULL);
	spec.nice_shift = 0;
	expect_load("somebody else changed the nice value of client0 from 4 to 7");
}

static void an_autogroup_of_the_load_is_judged_where_it_has_a_level(void **state)
{
	(void)state;
	one_client.client_nice = 4;
	put_thread(CLIENT, CLIENT, 4);
	put_thread(FEEDER, FEEDER, 4);
	put("proc/50/autogroup", "/autogroup-8 nice 4\n");
	put("proc/51/autogroup", "/autogroup-9 nice 0\n");
	expect_load(NULL);
	spec.by_autogroup = true;
	expect_load("somebody else changed the nice value of the autogroup of feeder0 from 4 to 0");
}

/* Below a terminal's server, which we did not start, and behind the end of a client. */
static void what_is_not_ours_or_gone_is_left_out(void **state)
{
	(void)state;
	load.clients[0].terminal_pid = 60;
	put_thread(FEEDER, FEEDER, 5);
	expect_load(NULL);
	load.clients[0].child.pid = 99;
	expect_load(NULL);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, make_world, remove_world)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        IN_WORLD(threads_that_differ_have_no_one_nice),
	        IN_WORLD(a_renice_by_others_breaks_the_trial),
	        IN_WORLD(the_compositor_is_not_judged_where_it_was_not_moved),
	        IN_WORLD(a_compositor_that_ended_breaks_the_trial),
	        IN_WORLD(relative_mode_asks_only_that_it_stays),
	        IN_WORLD(a_renice_of_the_load_breaks_the_trial),
	        IN_WORLD(a_load_is_judged_by_its_own_level),
	        IN_WORLD(an_autogroup_of_the_load_is_judged_where_it_has_a_level),
	        IN_WORLD(what_is_not_ours_or_gone_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
