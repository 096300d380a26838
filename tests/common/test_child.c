/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Child processes: start, refuse, wait, stop, what they inherit.
 */
#include "cmocka_test.h"

#include <common/alloc.h>
#include <common/child.h>
#include <common/env.h>
#include <common/file.h>
#include <common/paths.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONG_NS (60 * XCS_NS_PER_S)

static const char *const *shell(const char *script)
{
	static const char *argv[4] = {"sh", "-c", NULL, NULL};

	argv[2] = script;
	return argv;
}

/* Standard output of a shell script; the caller frees it. */
static char *output_of(struct xcs_spawn spec, const char *script)
{
	struct xcs_buf out = {0};
	struct xcs_err err = {0};

	spec.argv = shell(script);
	if (xcs_child_capture(&spec, LONG_NS, &out, &err))
		fail_msg("%s", err.text);
	return xcs_buf_take(&out);
}

static void output_and_exit_status_come_back(void **state)
{
	char *out = output_of((struct xcs_spawn){0}, "echo one; echo two >&2; echo three");

	(void)state;
	assert_string_equal(out, "one\nthree\n");
	free(out);
}

static void a_failing_program_says_why_with_its_last_line(void **state)
{
	struct xcs_spawn spec = {.argv = shell("echo first >&2; echo; echo 'no disk' >&2; exit 3")};
	struct xcs_buf out = {0};
	struct xcs_err err = {0};

	(void)state;
	assert_int_equal(xcs_child_capture(&spec, LONG_NS, &out, &err), -ECHILD);
	assert_string_equal(err.text, "sh exited with status 3: no disk");
	xcs_buf_fini(&out);
}

static void much_output_on_both_streams_does_not_block(void **state)
{
	char *out =
	        output_of((struct xcs_spawn){0},
	                  "head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero | tr '\\0' a");

	(void)state;
	assert_int_equal(strlen(out), 300000);
	free(out);
}

static void a_missing_program_fails_at_the_start(void **state)
{
	const char *const argv[] = {"xcs-no-such-program", NULL};
	struct xcs_spawn spec = {.argv = argv};
	struct xcs_child child;
	struct xcs_err err = {0};

	(void)state;
	assert_int_equal(xcs_child_start(&child, &spec, &err), -ENOENT);
	assert_string_equal(err.text,
	                    "cannot start xcs-no-such-program: No such file or directory");
	assert_int_equal(child.pid, 0);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no zombie is left */
	xcs_child_stop(&child, 0);
}

static void a_missing_folder_fails_at_the_start(void **state)
{
	struct xcs_spawn spec = {.argv = shell("true"), .cwd = "no/such/folder"};
	struct xcs_child child;

	(void)state;
	assert_int_equal(xcs_child_start(&child, &spec, NULL), -ENOENT);
}

static void capture_ends_at_its_deadline(void **state)
{
	/* The second closes its streams and stays: only the wait can notice. */
	const char *const scripts[] = {"exec sleep 60", "exec sleep 60 >&- 2>&-"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(scripts); i++) {
		struct xcs_spawn spec = {.argv = shell(scripts[i])};
		struct xcs_buf out = {0};
		struct xcs_err err = {0};
		assert_int_equal(xcs_child_capture(&spec, 50 * XCS_NS_PER_MS, &out, &err),
		                 -ETIMEDOUT);
		assert_non_null(strstr(err.text, "did not end in time"));
		xcs_buf_fini(&out);
	}
}

/* Starts a script and waits until it has printed a line. */
static void start_ready(struct xcs_child *child, const char *script)
{
	int out[2];
	char c;
	struct xcs_spawn spec = {.argv = shell(script)};

	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	spec.stdout_fd = out[1];
	assert_int_equal(xcs_child_start(child, &spec, NULL), 0);
	close(out[1]);
	assert_int_equal(read(out[0], &c, 1), 1);
	close(out[0]);
}

static void stop_is_polite_first(void **state)
{
	struct xcs_child child;
	struct xcs_buf how = {0};

	(void)state;
	start_ready(&child, "sleep 60 & trap 'kill $!; exit 7' TERM; echo; wait");
	xcs_child_describe(&child, &how);
	assert_string_equal(how.p, "still runs");
	xcs_child_stop(&child, LONG_NS);
	xcs_buf_clear(&how);
	xcs_child_describe(&child, &how);
	assert_string_equal(how.p, "exited with status 7");
	xcs_buf_fini(&how);
}

static void stop_kills_after_the_grace(void **state)
{
	struct xcs_child child;
	struct xcs_buf how = {0};

	(void)state;
	start_ready(&child, "trap '' TERM; echo; exec sleep 60");
	xcs_child_stop(&child, 20 * XCS_NS_PER_MS);
	xcs_child_describe(&child, &how);
	assert_string_equal(how.p, "was killed by signal 9 (Killed)");
	xcs_buf_fini(&how);
}

static void a_stopped_child_can_be_ended(void **state)
{
	struct xcs_child child;

	(void)state;
	start_ready(&child, "echo; exec sleep 60");
	xcs_child_signal(&child, SIGSTOP);
	xcs_child_stop(&child, LONG_NS);
	assert_true(child.ended);
	assert_int_equal(WTERMSIG(child.status), SIGTERM);
}

static void stopping_nothing_is_fine(void **state)
{
	struct xcs_child child = {0};

	(void)state;
	xcs_child_stop(&child, 0);
	xcs_child_signal(&child, SIGTERM);
	assert_true(xcs_child_wait(&child, 0));
}

static void waiting_ends_at_the_deadline(void **state)
{
	struct xcs_child child;

	(void)state;
	start_ready(&child, "echo; exec sleep 60");
	assert_false(xcs_child_wait(&child, 10 * XCS_NS_PER_MS));
	assert_false(child.ended);
	xcs_child_signal(&child, SIGKILL);
	assert_true(xcs_child_wait(&child, LONG_NS));
	assert_true(xcs_child_wait(&child, 0));
	xcs_child_stop(&child, 0);
}

static void the_environment_is_added_to(void **state)
{
	const char *const env[] = {"XCS_ONE=1", "XCS_GONE", NULL};
	char *out;

	(void)state;
	setenv("XCS_GONE", "still here", 1);
	out = output_of((struct xcs_spawn){.env_add = env}, "echo \"$XCS_ONE,${XCS_GONE-unset}\"");
	assert_string_equal(out, "1,unset\n");
	assert_null(getenv("XCS_ONE"));
	assert_non_null(getenv("XCS_GONE"));
	free(out);
}

static void only_the_kept_descriptors_are_there(void **state)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int keep = fcntl(null, F_DUPFD, 50), leak = fcntl(null, F_DUPFD, 60);
	char *script = xcs_xasprintf("cd /proc/$$/fd; [ -e %d ] && echo kept; [ -e %d ] || echo "
	                             "closed",
	                             keep, leak);
	char *out;

	(void)state;
	assert_true(keep >= 50 && leak >= 60);
	out = output_of((struct xcs_spawn){.keep_fds = &keep, .n_keep_fds = 1}, script);
	assert_string_equal(out, "kept\nclosed\n");
	free(script);
	free(out);
	close(null);
	close(keep);
	close(leak);
}

static void swapped_descriptors_arrive_at_their_places(void **state)
{
	int saved = dup(0), a[2], b[2];
	char text[8] = "";
	struct xcs_child child;

	(void)state;
	assert_int_equal(pipe(a), 0);
	assert_int_equal(pipe(b), 0);
	/* stdout wants the lower number, stderr the higher: a naive dup2 chain loses one. */
	struct xcs_spawn spec = {
	        .argv = shell("echo out; echo err >&2"), .stdout_fd = b[1], .stderr_fd = a[1]};
	assert_int_equal(xcs_child_start(&child, &spec, NULL), 0);
	assert_true(xcs_child_wait(&child, LONG_NS));
	assert_int_equal(read(b[0], text, 4), 4);
	assert_memory_equal(text, "out\n", 4);
	assert_int_equal(read(a[0], text, 4), 4);
	assert_memory_equal(text, "err\n", 4);
	xcs_child_stop(&child, 0);
	for (int i = 0; i < 2; i++)
		close(a[i]), close(b[i]);
	close(saved);
}

static void session_nice_cpus_and_folder_are_set(void **state)
{
	struct xcs_cpuset all, last = {0};
	int nice_level = 11;
	char *out, *want;

	(void)state;
	assert_int_equal(xcs_cpuset_allowed(&all, NULL), 0);
	CPU_SET((size_t)xcs_cpuset_last(&all), &last.mask);
	want = xcs_xasprintf("/\n11\n%d\n", xcs_cpuset_last(&all));
	out = output_of((struct xcs_spawn){.cwd = "/", .nice = &nice_level, .cpus = &last},
	                "pwd; nice; sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "
	                "/proc/self/status");
	assert_string_equal(out, want);
	free(out);
	free(want);
	/* Field 6 of stat is the session: its own, or ours. */
	out = output_of((struct xcs_spawn){.new_session = true},
	                "set -- $(cat /proc/$$/stat); [ $6 = $$ ] && echo own");
	assert_string_equal(out, "own\n");
	free(out);
}

static void signals_start_unblocked_and_default(void **state)
{
	sigset_t all, old;
	char *out;

	(void)state;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	signal(SIGPIPE, SIG_IGN);
	out = output_of((struct xcs_spawn){0},
	                "sed -n 's/^SigBlk:[[:space:]]*//p' /proc/self/status; "
	                "(yes; echo $? >&2) 2>/dev/null | head -n 1");
	sigprocmask(SIG_SETMASK, &old, NULL);
	signal(SIGPIPE, SIG_DFL);
	assert_string_equal(out, "0000000000000000\ny\n");
	free(out);
}

static void another_user_runs_with_that_users_rights(void **state)
{
	struct xcs_user nobody = {.uid = 65534, .gid = 65534, .name = "nobody", .home = "/nowhere"};
	char *out;

	(void)state;
	if (geteuid())
		SKIP_BECAUSE("changing the user needs root");
	out = output_of((struct xcs_spawn){.user = &nobody, .cwd = "/"},
	                "id -u; id -G; echo $HOME $USER");
	assert_string_equal(out, "65534\n65534\n/nowhere nobody\n");
	free(out);
}

/* A parent that starts a child with die_with_parent, tells its pid and is killed. */
static void the_child_dies_with_its_parent(void **state)
{
	int tell[2];
	struct xcs_child child;
	struct xcs_spawn spec = {.argv = shell("exec sleep 60"), .die_with_parent = true};

	(void)state;
	assert_int_equal(pipe(tell), 0);
	pid_t parent = fork();
	if (parent == 0) {
		int rc = xcs_child_start(&child, &spec, NULL);
		(void)!write(tell[1], rc ? &(pid_t){0} : &child.pid, sizeof(child.pid));
		pause();
		_exit(0);
	}
	pid_t grandchild;
	assert_int_equal(read(tell[0], &grandchild, sizeof(grandchild)), sizeof(grandchild));
	assert_true(grandchild > 0);
	int64_t deadline_ns = xcs_mono_now_ns() + LONG_NS;
	kill(parent, SIGKILL);
	waitpid(parent, NULL, 0);
	char *path = xcs_xasprintf("/proc/%d/stat", (int)grandchild);
	struct xcs_buf stat = {0};
	while (xcs_file_read_at(AT_FDCWD, path, &stat) == 0 && !strstr(stat.p, ") Z"))
		assert_true(xcs_mono_now_ns() < deadline_ns);
	xcs_buf_fini(&stat);
	free(path);
	close(tell[0]);
	close(tell[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(output_and_exit_status_come_back),
	        cmocka_unit_test(a_failing_program_says_why_with_its_last_line),
	        cmocka_unit_test(much_output_on_both_streams_does_not_block),
	        cmocka_unit_test(a_missing_program_fails_at_the_start),
	        cmocka_unit_test(a_missing_folder_fails_at_the_start),
	        cmocka_unit_test(capture_ends_at_its_deadline),
	        cmocka_unit_test(stop_is_polite_first),
	        cmocka_unit_test(stop_kills_after_the_grace),
	        cmocka_unit_test(a_stopped_child_can_be_ended),
	        cmocka_unit_test(stopping_nothing_is_fine),
	        cmocka_unit_test(waiting_ends_at_the_deadline),
	        cmocka_unit_test(the_environment_is_added_to),
	        cmocka_unit_test(only_the_kept_descriptors_are_there),
	        cmocka_unit_test(swapped_descriptors_arrive_at_their_places),
	        cmocka_unit_test(session_nice_cpus_and_folder_are_set),
	        cmocka_unit_test(signals_start_unblocked_and_default),
	        cmocka_unit_test(another_user_runs_with_that_users_rights),
	        cmocka_unit_test(the_child_dies_with_its_parent),
	};

	return cmocka_run_group_tests_name("common: child", tests, NULL, NULL);
}
