/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Commands on a pty of their own, as the flood starts them.
 */
#include "cmocka_test.h"

#include <common/buf.h>
#include <common/units.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <terminal/pty.h>
#include <unistd.h>

static const struct pty_size size = {7, 33, 200, 100};

/* Reads all that the command writes, to its end. */
static void read_all(const struct pty *pty, struct xcs_buf *into)
{
	struct pollfd p = {.fd = pty->master_fd, .events = POLLIN};
	char bytes[512];

	while (poll(&p, 1, 20000) > 0) {
		ssize_t n = read(pty->master_fd, bytes, sizeof(bytes));
		if (n <= 0 && errno != EAGAIN)
			return;
		if (n > 0)
			xcs_buf_add(into, bytes, (size_t)n);
	}
	fail_msg("the command did not end within 20 s");
}

/* Runs a shell command and compares what it writes. */
static void expect(const char *script, const char *const *env, const char *output)
{
	const char *argv[] = {"sh", "-c", script, NULL};
	struct pty pty;
	struct xcs_err err = {0};
	struct xcs_buf text = {0};

	assert_int_equal(pty_start(&pty, argv, env, size, &err), 0);
	read_all(&pty, &text);
	assert_string_equal(text.n ? text.p : "", output);
	assert_int_equal(pty_close(&pty, 5 * XCS_NS_PER_S), 0);
	xcs_buf_fini(&text);
}

static void the_command_has_the_size_and_the_terminal(void **state)
{
	(void)state;
	expect("stty size; test -t 0 && test -t 1 && test -t 2 && : >/dev/tty && echo $TERM", NULL,
	       "7 33\r\ndumb\r\n");
}

static void the_command_leads_a_session(void **state)
{
	(void)state;
	expect("test $(ps -o sid= -p $$) = $$ && echo leads", NULL, "leads\r\n");
}

static void the_command_gets_the_environment(void **state)
{
	const char *env[] = {"XCS_A=b c", NULL};

	(void)state;
	expect("echo $XCS_A", env, "b c\r\n");
}

static void no_signal_is_blocked_or_ignored(void **state)
{
	sigset_t set, before;

	(void)state;
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, &before);
	signal(SIGHUP, SIG_IGN);
	expect("grep -cE '^Sig(Blk|Ign):.*0000000000000000$' /proc/self/status", NULL, "2\r\n");
	signal(SIGHUP, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void a_command_that_is_not_there_is_an_error_here(void **state)
{
	const char *argv[] = {"xcs-no-such-command", NULL};
	struct pty pty;
	struct xcs_err err = {0};

	(void)state;
	assert_int_equal(pty_start(&pty, argv, NULL, size, &err), -ENOENT);
	assert_non_null(strstr(err.text, "xcs-no-such-command"));
	assert_int_equal(pty_close(&pty, 0), 0);
}

static void closing_hangs_up_and_then_kills(void **state)
{
	const char *polite[] = {"cat", NULL};
	const char *deaf[] = {"sh", "-c", "trap '' HUP; echo ready; while :; do read x; done",
	                      NULL};
	struct pty pty;
	struct xcs_err err = {0};
	struct pollfd p = {.events = POLLIN};

	(void)state;
	assert_int_equal(pty_start(&pty, polite, NULL, size, &err), 0);
	int status = pty_close(&pty, 10 * XCS_NS_PER_S);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
	assert_int_equal(pty_start(&pty, deaf, NULL, size, &err), 0);
	p.fd = pty.master_fd;
	assert_int_equal(poll(&p, 1, 10000), 1);
	status = pty_close(&pty, 50 * XCS_NS_PER_MS);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_command_has_the_size_and_the_terminal),
	        cmocka_unit_test(the_command_leads_a_session),
	        cmocka_unit_test(the_command_gets_the_environment),
	        cmocka_unit_test(no_signal_is_blocked_or_ignored),
	        cmocka_unit_test(a_command_that_is_not_there_is_an_error_here),
	        cmocka_unit_test(closing_hangs_up_and_then_kills),
	};

	return cmocka_run_group_tests_name("xclient-stress-pty", tests, NULL, NULL);
}
