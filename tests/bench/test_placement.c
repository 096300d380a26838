/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Putting loads into cgroups: the server's own, or one that a launcher makes.
 */
#include "../common/cmocka_test.h"
#include <load/placement.h>

#include <common/alloc.h>
#include <common/child.h>
#include <common/file.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct xcs_err err;
static struct xcs_env env;
static struct xcs_user user;
static char dir[] = "/tmp/xcs-placement-test.XXXXXX";

static int set_up(void **state)
{
	(void)state;
	memcpy(dir + sizeof(dir) - 7, "XXXXXX", 6);
	if (!mkdtemp(dir) || xcs_user_find(&user, &err))
		return -1;
	return xcs_env_open(&env, &err);
}

static int tear_down(void **state)
{
	(void)state;
	xcs_env_close(&env);
	return xcs_dir_remove(dir);
}

static struct xcs_child start(const struct placement *p)
{
	const struct xcs_spawn spawn = {
	        .argv = (const char *[]){"sleep", "60", NULL},
	        .launcher = p->launcher,
	        .join_fds = p->join_fds,
	        .n_join_fds = p->n_join_fds,
	        .die_with_parent = true
        };
	struct xcs_child child;

	if (xcs_child_start(&child, &spawn, &err))
		fail_msg("%s", err.text);
	return child;
}

/* Moves a process into a group made for it in a hierarchy (a folder that is none has no
 * cgroup.procs); NULL: it cannot be had here. */
static char *group_of_its_own(const char *mount, pid_t pid)
{
	char *path = xcs_xasprintf("%s/xcs-placement-test-%d", mount, (int)getpid());
	char *procs = xcs_xasprintf("%s/cgroup.procs", path);
	FILE *f = mkdir(path, 0755) == 0 ? fopen(procs, "r+") : NULL;
	bool good = f && fprintf(f, "%d\n", (int)pid) > 0;

	if (f && fclose(f))
		good = false;
	if (!good) {
		rmdir(path);
		free(path);
		path = NULL;
	}
	free(procs);
	return path;
}

static void same_is_the_servers_group(void **state)
{
	static const char *const mounts[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified",
	                                     "/sys/fs/cgroup/cpu"};
	const struct placement nowhere = {0};
	struct xcs_child server = start(&nowhere);
	char *groups[ARRAY_LEN(mounts)] = {NULL};
	struct placement p;
	int n = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(mounts); i++)
		n += (groups[i] = group_of_its_own(mounts[i], server.pid)) != NULL;
	if (n) {
		assert_int_equal(placement_open(&p, PLACEMENT_SAME, &env, &user, server.pid, &err),
		                 0);
		struct xcs_child load = start(&p), stray = start(&nowhere);
		assert_int_equal(placement_check(&p, &env, load.pid, server.pid, &err), 0);
		assert_int_equal(placement_check(&p, &env, stray.pid, server.pid, &err), -EIO);
		assert_non_null(strstr(err.text, "--placement=same"));
		xcs_child_stop(&load, 0);
		xcs_child_stop(&stray, 0);
		placement_close(&p);
	}
	xcs_child_stop(&server, 0);
	for (size_t i = 0; i < ARRAY_LEN(mounts); i++) {
		if (groups[i])
			rmdir(groups[i]);
		free(groups[i]);
	}
	if (!n)
		skip(); /* no right to make cgroups */
}

/* Waits until the file says so; fails after 10 s. */
static void await_text(const char *file, const char *want)
{
	const int64_t deadline_ns = xcs_mono_now_ns() + 10 * XCS_NS_PER_S;
	struct xcs_buf text = {0};

	while (xcs_file_read_at(AT_FDCWD, file, &text) || strcmp(text.p, want) != 0) {
		if (xcs_mono_now_ns() > deadline_ns)
			fail_msg("%s", text.p);
		poll(NULL, 0, 10);
	}
	xcs_buf_fini(&text);
}

/* Puts a systemd-run of ours before all others in PATH. */
static void put_launcher(const char *script)
{
	char *file = xcs_xasprintf("%s/systemd-run", dir);
	char *path = xcs_xasprintf("%s:%s", dir, getenv("PATH"));

	assert_int_equal(xcs_file_write(file, script, strlen(script), &err), 0);
	assert_int_equal(chmod(file, 0755), 0);
	assert_int_equal(setenv("PATH", path, 1), 0);
	free(file);
	free(path);
}

static void a_scope_is_asked_for_and_looked_for(void **state)
{
	char *said = xcs_xasprintf("%s/said", dir);
	char *script = xcs_xasprintf("#!/bin/sh\necho \"$@\" >>%s\nshift 5\nexec \"$@\"\n", said);
	struct placement p;

	(void)state;
	put_launcher(script);
	assert_int_equal(placement_open(&p, PLACEMENT_APP, &env, &user, getpid(), &err), 0);
	struct xcs_child load = start(&p);
	await_text(said, "--user --scope --quiet --collect --slice=app.slice true\n"
	                 "--user --scope --quiet --collect --slice=app.slice sleep 60\n");
	assert_int_equal(placement_check(&p, &env, load.pid, getpid(), &err), -EIO);
	xcs_child_stop(&load, XCS_NS_PER_S);
	placement_close(&p);
	free(script);
	free(said);
}

static void no_manager_is_told_before_anything_starts(void **state)
{
	struct placement p;

	(void)state;
	put_launcher("#!/bin/sh\necho no manager here >&2\nexit 1\n");
	assert_int_equal(placement_open(&p, PLACEMENT_BACKGROUND, &env, &user, getpid(), &err),
	                 -EPERM);
	assert_non_null(strstr(err.text, "--placement=background"));
	assert_non_null(strstr(err.text, "no manager here"));
	placement_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define IN_DIR(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
	        IN_DIR(same_is_the_servers_group),
	        IN_DIR(a_scope_is_asked_for_and_looked_for),
	        IN_DIR(no_manager_is_told_before_anything_starts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
