/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The nice probe: its reading of groups, its verdicts, and a live run of each placement.
 * Both spinners of a live run share one CPU, so other load on the machine slows it down but
 * does not move the ratio.
 */
#include "../../common/cmocka_test.h"
#include "groups.h"

#include <probe/probe.h>

#include <common/alloc.h>
#include <common/cpuset.h>
#include <common/file.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct xcs_err err;

static char root[] = "/tmp/xcs-probe-test.XXXXXX";

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
	return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
	(void)state;
	return xcs_dir_remove(root);
}

static struct xcs_env open_root(void)
{
	struct xcs_env env;
	char *proc = xcs_xasprintf("%s/proc", root), *sys = xcs_xasprintf("%s/sys", root);

	assert_int_equal(xcs_dir_make(proc, 0755, &err), 0);
	assert_int_equal(xcs_dir_make(sys, 0755, &err), 0);
	assert_int_equal(xcs_env_open_at(&env, proc, sys, &err), 0);
	free(proc);
	free(sys);
	return env;
}

static void assert_cgroup(const struct xcs_env *env, pid_t pid, const char *want)
{
	char *have = probe_cgroup_dup(env, pid);

	if (want)
		assert_string_equal(have, want);
	else
		assert_null(have);
	free(have);
}

static void test_cgroups(void **state)
{
	(void)state;
	put("proc/10/cgroup", "9:name=systemd:/\n3:cpuset:/x\n2:cpu,cpuacct:/a:b\n0::/u\n");
	put("proc/11/cgroup", "0::/user.slice/user-1000.slice/app.scope\n");
	put("proc/12/cgroup", "0::/plain/deep\n");
	put("proc/13/cgroup", "nonsense\n");
	put("sys/fs/cgroup/user.slice/cgroup.controllers", "cpuset cpu io\n");
	put("sys/fs/cgroup/user.slice/user-1000.slice/cgroup.controllers", "cpuset memory\n");
	struct xcs_env env = open_root();
	assert_cgroup(&env, 10, "/a:b");
	assert_cgroup(&env, 11, "/user.slice");
	assert_cgroup(&env, 12, "/");
	assert_cgroup(&env, 13, NULL);
	assert_cgroup(&env, 14, NULL);
	xcs_env_close(&env);
}

static void test_autogroup_text(void **state)
{
	(void)state;
	put("proc/10/autogroup", "/autogroup-41 nice -5\n");
	struct xcs_env env = open_root();
	char *group = probe_autogroup_dup(&env, 10);
	assert_string_equal(group, "/autogroup-41 nice -5");
	free(group);
	assert_null(probe_autogroup_dup(&env, 11));
	/* What stayed in the session of init. */
	put("proc/12/autogroup", "");
	group = probe_autogroup_dup(&env, 12);
	assert_string_equal(group, "none");
	free(group);
	xcs_env_close(&env);
}

static void free_probe(struct xcs_run_probe *p)
{
	free(p->verdict);
	free(p->why);
	free(p->server_autogroup);
	free(p->load_autogroup);
	free(p->server_cgroup);
	free(p->load_cgroup);
}

struct groups {
	const char *server_autogroup, *load_autogroup, *server_cgroup, *load_cgroup;
};

static const struct groups apart = {"/autogroup-41 nice 0", "/autogroup-77 nice 0", "/", "/"};
static const struct groups unsessioned = {"none", "/autogroup-77 nice 0", "/", "/"};
static const struct groups together = {"/autogroup-41 nice 0", "/autogroup-41 nice 0", "/", "/"};
static const struct groups slices = {"/autogroup-41 nice 0", "/autogroup-77 nice 0", "/a", "/b"};

/* favoured_ns and other_ns: of the window at nice 0 against 10. */
static void assert_verdict(const struct groups *g, int64_t favoured_ns, int64_t other_ns,
                           double even_ratio, const char *want)
{
	struct xcs_env env = open_root();
	struct xcs_run_probe p = {.favoured_exec_ns = favoured_ns,
	                          .other_exec_ns = other_ns,
	                          .server_autogroup = xcs_xstrdup(g->server_autogroup),
	                          .load_autogroup = xcs_xstrdup(g->load_autogroup),
	                          .server_cgroup = xcs_xstrdup(g->server_cgroup),
	                          .load_cgroup = xcs_xstrdup(g->load_cgroup)};

	probe_judge(&env, even_ratio, &p);
	assert_string_equal(p.verdict, want);
	assert_true(strlen(p.why) > 20);
	free_probe(&p);
	xcs_env_close(&env);
}

static void test_verdicts(void **state)
{
	(void)state;
	put("proc/sys/kernel/sched_autogroup_enabled", "1\n");
	assert_verdict(&together, 361, 39, 1, "effective");
	assert_verdict(&together, 306, 100, 1, "effective");
	assert_verdict(&together, 304, 100, 1, "ineffective (unknown)");
	assert_verdict(&together, 400, 0, 1, "effective");
	assert_verdict(&together, 0, 400, 1, "ineffective (unknown)");
	assert_verdict(&apart, 200, 200, 1, "ineffective (autogroup)");
	assert_verdict(&apart, 361, 39, 1, "effective");
	assert_verdict(&unsessioned, 200, 200, 1, "ineffective (autogroup)");
	assert_verdict(&slices, 200, 200, 1, "ineffective (cgroup)");
	/* By the load's nice alone: the server's does nothing. */
	assert_verdict(&slices, 361, 39, 9.3, "ineffective (cgroup)");
	put("proc/sys/kernel/sched_autogroup_enabled", "0\n");
	assert_verdict(&apart, 200, 200, 1, "ineffective (unknown)");
	put("sys/kernel/sched_ext/state", "disabled\n");
	assert_verdict(&slices, 200, 200, 1, "ineffective (cgroup)");
	put("sys/kernel/sched_ext/state", "enabled\n");
	assert_verdict(&slices, 200, 200, 1, "ignored (sched_ext)");
}

static void test_weights(void **state)
{
	(void)state;
	assert_true(probe_weight_ratio(0, 10) > 9.30 && probe_weight_ratio(0, 10) < 9.32);
	assert_true(probe_weight_ratio(3, 3) == 1);
	assert_true(probe_weight_ratio(-20, 19) > 5917 && probe_weight_ratio(-20, 19) < 5918);
}

static int last_cpu(void)
{
	struct xcs_cpuset set;

	assert_int_equal(xcs_cpuset_allowed(&set, &err), 0);
	return xcs_cpuset_last(&set);
}

static struct xcs_run_probe run(const struct xcs_env *env, struct probe_place server,
                                struct probe_place load)
{
	struct xcs_run_probe p = {0};

	server.spinner = load.spinner = XCS_LIBEXEC_DIR "/xcs-spin";
	if (probe_nice(env, &server, &load, last_cpu(), &p, &err))
		fail_msg("%s", err.text);
	print_message("%s: %s\n", p.verdict, p.why);
	return p;
}

/* Ends the test, once it has cleaned up, when the CPU had no second to spare. */
static void need_time(struct xcs_run_probe *p)
{
	if (!strstr(p->why, "ms of CPU time in"))
		return;
	free_probe(p);
	SKIP_BECAUSE("this CPU is too busy with other things");
}

static void need_nice_0(void)
{
	errno = 0;
	if (getpriority(PRIO_PROCESS, 0) > 0 && setpriority(PRIO_PROCESS, 0, 0))
		SKIP_BECAUSE("the test itself runs niced and may not go back to 0");
}

static bool switch_is_on(const struct xcs_env *env)
{
	struct xcs_buf text = {0};
	bool on = xcs_proc_read(env, "sys/kernel/sched_autogroup_enabled", &text) == 0 &&
	          text.p[0] == '1';

	xcs_buf_fini(&text);
	return on;
}

static void test_same_session(void **state)
{
	struct xcs_env env;

	(void)state;
	need_nice_0();
	assert_int_equal(xcs_env_open(&env, &err), 0);
	struct xcs_run_probe p = run(&env, (struct probe_place){0}, (struct probe_place){0});
	xcs_env_close(&env);
	need_time(&p);
	assert_string_equal(p.verdict, "effective");
	assert_true(p.favoured_exec_ns + p.other_exec_ns >= 400000000);
	assert_true(p.expected_ratio.known);
	free_probe(&p);
}

/* Case 090. */
static void test_two_sessions(void **state)
{
	const struct probe_place own = {.new_session = true};
	struct xcs_env env;

	(void)state;
	need_nice_0();
	assert_int_equal(xcs_env_open(&env, &err), 0);
	char *cgroup = probe_cgroup_dup(&env, getpid());
	bool can = switch_is_on(&env) && (!cgroup || strcmp(cgroup, "/") == 0);
	free(cgroup);
	if (!can) {
		xcs_env_close(&env);
		SKIP_BECAUSE("autogroups are off here or overruled by a cgroup");
	}
	struct xcs_run_probe p = run(&env, own, own);
	need_time(&p);
	assert_string_equal(p.verdict, "ineffective (autogroup)");
	assert_string_not_equal(p.server_autogroup, p.load_autogroup);
	free_probe(&p);
	p = run(&env, (struct probe_place){.by_autogroup = true},
	        (struct probe_place){.by_autogroup = true});
	need_time(&p);
	assert_string_equal(p.verdict, "effective");
	free_probe(&p);
	p = run(&env, (struct probe_place){.by_autogroup = true, .by_both = true},
	        (struct probe_place){.by_autogroup = true, .by_both = true});
	need_time(&p);
	assert_string_equal(p.verdict, "effective");
	free_probe(&p);
	xcs_env_close(&env);
}

/* A cgroup with a process in it, below the v1 or v2 root; NULL where there is none to make. */
static char *make_cgroup(const struct xcs_env *env, pid_t pid)
{
	static const char *const mounts[] = {"cpu", "cpu,cpuacct", "."};
	char text[16];

	snprintf(text, sizeof(text), "%d", (int)pid);
	for (size_t i = 0; i < ARRAY_LEN(mounts); i++) {
		char *dir = xcs_xasprintf("/sys/fs/cgroup/%s/xcs-probe-test-%d", mounts[i],
		                          (int)getpid());
		char *procs = xcs_xasprintf("%s/cgroup.procs", dir);
		bool made = mkdir(dir, 0755) == 0;
		FILE *f = made ? fopen(procs, "we") : NULL;
		bool ok = f && fputs(text, f) >= 0;
		if (f)
			ok = fclose(f) == 0 && ok;
		free(procs);
		char *now = ok ? probe_cgroup_dup(env, pid) : NULL;
		bool ruled = now && strcmp(now, "/") != 0;
		free(now);
		if (ruled)
			return dir;
		if (made)
			rmdir(dir);
		free(dir);
	}
	return NULL;
}

static void test_two_cgroups(void **state)
{
	struct xcs_env env;

	(void)state;
	need_nice_0();
	assert_int_equal(xcs_env_open(&env, &err), 0);
	pid_t pid = fork();
	if (pid == 0)
		for (;;)
			pause();
	char *dir = make_cgroup(&env, pid);
	struct xcs_run_probe p = {0};
	if (dir)
		p = run(&env, (struct probe_place){.like_pid = pid}, (struct probe_place){0});
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	xcs_env_close(&env);
	if (!dir)
		SKIP_BECAUSE("cannot make a cpu cgroup here");
	assert_int_equal(rmdir(dir), 0);
	free(dir);
	need_time(&p);
	assert_string_equal(p.verdict, "ineffective (cgroup)");
	free_probe(&p);
}

static void test_cannot_run(void **state)
{
	struct probe_place nowhere = {.spinner = "/nonexistent/xcs-spin"};
	struct probe_place no_such = {.like_pid = 0x3fffffff,
	                              .spinner = XCS_LIBEXEC_DIR "/xcs-spin"};
	struct xcs_run_probe p = {0};
	struct xcs_env env;

	(void)state;
	need_nice_0();
	assert_int_equal(xcs_env_open(&env, &err), 0);
	assert_int_equal(probe_nice(&env, &nowhere, &nowhere, last_cpu(), &p, &err), -ENOENT);
	assert_string_equal(p.verdict, "not probed");
	assert_int_equal(probe_nice(&env, &no_such, &no_such, last_cpu(), &p, &err), 0);
	assert_string_equal(p.verdict, "not probed");
	assert_non_null(strstr(p.why, "cgroup"));
	assert_int_equal(probe_nice(&env, &no_such, &no_such, -1, &p, &err), -EINVAL);
	free_probe(&p);
	xcs_env_close(&env);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(test_cgroups, make_root, remove_root),
	        cmocka_unit_test_setup_teardown(test_autogroup_text, make_root, remove_root),
	        cmocka_unit_test_setup_teardown(test_verdicts, make_root, remove_root),
	        cmocka_unit_test(test_weights),
	        cmocka_unit_test(test_same_session),
	        cmocka_unit_test(test_two_sessions),
	        cmocka_unit_test(test_two_cgroups),
	        cmocka_unit_test(test_cannot_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
