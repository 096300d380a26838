/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * xcs-feed command, as the runner and a terminal meet it.
 */
#include "feed_world.h"

#include <common/child.h>
#include <common/env.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* What the feeder reports, in order; -1 for n/a. */
struct report {
	long long real_ns, user_ns, sys_ns, drained_ns, drawn_ns;
	int status;
};

static long long number(const char *word)
{
	return strcmp(word, "n/a") == 0 ? -1 : strtoll(word, NULL, 10);
}

static struct report parse(const char *text)
{
	char real[32], user[32], sys[32], drained[32], drawn[32];
	struct report r;

	if (sscanf(text,
	           "command real_ns %31s user_ns %31s sys_ns %31s drained_ns %31s drawn_ns %31s "
	           "exit %d",
	           real, user, sys, drained, drawn, &r.status) != 6)
		fail_msg("'%s' is no report", text);
	r.real_ns = number(real), r.user_ns = number(user), r.sys_ns = number(sys);
	r.drained_ns = number(drained), r.drawn_ns = number(drawn);
	return r;
}

/* Starts a command; its process announces itself first, then the feeder does. */
static pid_t start_command(struct world *w, const char *command, const char *confirm)
{
	const char *argv[] = {
	        FEED,    "--announce", w->socket,        "--role",   "feeder1",
	        "--cwd", w->dir,       "--command-role", "command1", "--confirm-within",
	        confirm, "command",    command,          NULL};
	struct ucred peer;
	socklen_t n = sizeof(peer);

	start(w, argv);
	meet(w, "hello command1");
	assert_int_equal(getsockopt(w->runner_fd, SOL_SOCKET, SO_PEERCRED, &peer, &n), 0);
	close(w->runner_fd);
	meet(w, "hello feeder1");
	return peer.pid;
}

/* The terminal reads until the feeder has reported. */
static struct report hear_report(struct world *w)
{
	while (!is_ready(w->runner_fd, 0) && (!is_ready(w->pty.master_fd, 20) || terminal_reads(w)))
		;
	hear_total(w);
	return parse(w->heard.p);
}

static int end_feeder(struct world *w)
{
	close(w->runner_fd);
	w->runner_fd = -1;
	return exit_status(w);
}

static void comm_of(pid_t pid, char comm[64])
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	FILE *f = fopen(path, "re");
	assert_non_null(f);
	assert_non_null(fgets(comm, 64, f));
	fclose(f);
	comm[strcspn(comm, "\n")] = '\0';
}

static void wait_for_sleep(pid_t pid)
{
	char comm[64] = "";

	for (int i = 0; i < 1000 && strcmp(comm, "sleep") != 0; i++) {
		poll(NULL, 0, 10);
		comm_of(pid, comm);
	}
	assert_string_equal(comm, "sleep");
}

static void it_waits_for_go_and_times_to_the_last_line(void **state)
{
	struct world *w = *state;

	start_command(w, "seq 1 5000", "10s");
	assert_false(is_ready(w->pty.master_fd, 50));
	go(w);
	struct report r = hear_report(w);
	assert_int_equal(w->n_lines, 5000);
	assert_int_equal(r.status, 0);
	assert_true(r.real_ns > 0 && r.user_ns >= 0 && r.sys_ns >= 0);
	assert_true(r.user_ns + r.sys_ns <= r.real_ns + 100 * XCS_NS_PER_MS);
	assert_true(r.drained_ns >= r.real_ns);
	assert_true(r.drawn_ns > r.drained_ns);
	/* The terminal stays until the runner says otherwise. */
	assert_false(is_ready(w->pty.pidfd, 50));
	assert_int_equal(end_feeder(w), 0);
}

static void the_announced_process_becomes_the_command(void **state)
{
	struct world *w = *state;

	pid_t pid = start_command(w, "sleep 60", "10s");
	go(w);
	wait_for_sleep(pid);
	assert_int_equal(kill(pid, SIGKILL), 0);
	struct report r = hear_report(w);
	assert_int_equal(r.status, 137);
	assert_true(r.drawn_ns > 0);
	assert_int_equal(end_feeder(w), 0);
}

static void a_shell_runs_what_needs_one_and_its_children_count(void **state)
{
	struct world *w = *state;

	start_command(w,
	              "i=0; while [ $i -lt 3 ]; do i=$((i+1)); echo $i; done; pwd; "
	              "awk 'BEGIN { while (n < 3000000) n++ }'; exit 3",
	              "10s");
	go(w);
	struct report r = hear_report(w);
	assert_int_equal(w->n_lines, 4);
	assert_int_equal(r.status, 3);
	assert_true(r.user_ns + r.sys_ns > 10 * XCS_NS_PER_MS);
	assert_int_equal(end_feeder(w), 0);
}

static void what_cannot_run_has_a_status(void **state)
{
	static const struct {
		const char *command;
		int status;
	} rows[] = {
	        {"no-such-program-at-all x", 127},
	        {"/dev/null",                126},
	        {"exit 7",                   7  },
	        {"true",                     0  },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		void *one;
		make_world(&one);
		struct world *w = one;
		start_command(w, rows[i].command, "10s");
		go(w);
		assert_int_equal(hear_report(w).status, rows[i].status);
		assert_int_equal(end_feeder(w), 0);
		end_world(&one);
	}
}

static void a_silent_terminal_leaves_drawn_unknown(void **state)
{
	struct world *w = *state;

	w->is_silent = true;
	start_command(w, "echo a", "200ms");
	go(w);
	struct report r = hear_report(w);
	assert_int_equal(r.status, 0);
	assert_true(r.drained_ns > 0);
	assert_int_equal(r.drawn_ns, -1);
	assert_int_equal(end_feeder(w), 0);
}

static bool is_alive(pid_t pid)
{
	return kill(pid, 0) == 0 || errno != ESRCH;
}

static void gone_within_20s(pid_t pid)
{
	for (int i = 0; i < 1000 && is_alive(pid); i++)
		poll(NULL, 0, 20);
	assert_false(is_alive(pid));
}

static void sigterm_kills_the_command(void **state)
{
	struct world *w = *state;

	pid_t pid = start_command(w, "sleep 60", "10s");
	go(w);
	wait_for_sleep(pid);
	kill(w->pty.pid, SIGTERM);
	struct report r = hear_report(w);
	assert_int_equal(r.status, 137);
	assert_int_equal(r.drawn_ns, -1);
	gone_within_20s(pid);
	assert_int_equal(exit_status(w), 0);
}

static void nothing_of_a_group_survives(void **state)
{
	struct world *w = *state;
	char *pid_file = NULL;
	int pid = 0;

	assert_true(asprintf(&pid_file, "%s/pid", w->dir) > 0);
	/* One that the hang-up of its terminal would not end. */
	start_command(w, "trap '' HUP TERM; sh -c 'echo $$ > pid; exec sleep 60' & wait", "10s");
	go(w);
	for (int i = 0; i < 1000 && pid == 0; i++) {
		poll(NULL, 0, 10);
		FILE *f = fopen(pid_file, "re");
		if (f && fscanf(f, "%d", &pid) != 1)
			pid = 0;
		if (f)
			fclose(f);
	}
	assert_true(pid > 0);
	kill(w->pty.pid, SIGTERM);
	hear_report(w);
	gone_within_20s(pid);
	assert_int_equal(exit_status(w), 0);
	unlink(pid_file);
	free(pid_file);
}

static void the_runners_death_ends_it(void **state)
{
	struct world *w = *state;

	pid_t pid = start_command(w, "sleep 60", "10s");
	go(w);
	wait_for_sleep(pid);
	close(w->runner_fd);
	w->runner_fd = -1;
	assert_int_equal(exit_status(w), 2); /* it has nobody to tell */
	gone_within_20s(pid);
}

static void its_own_death_ends_the_command(void **state)
{
	struct world *w = *state;

	pid_t pid = start_command(w, "sleep 60", "10s");
	kill(w->pty.pid, SIGKILL);
	assert_int_equal(exit_status(w), 137);
	gone_within_20s(pid);
}

static void a_missing_folder_is_said(void **state)
{
	static const char *const argv[] = {FEED, "--cwd=/nowhere", "command", "true", NULL};
	const struct xcs_spawn spawn = {.argv = argv};
	struct xcs_buf out = {0};
	struct xcs_err err;

	(void)state;
	assert_int_equal(xcs_child_capture(&spawn, WAIT_NS, &out, &err), -ECHILD);
	assert_non_null(strstr(err.text, "/nowhere: No such file"));
	xcs_buf_fini(&out);
}

#define IN_A_WORLD(test) cmocka_unit_test_setup_teardown(test, make_world, end_world)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        IN_A_WORLD(it_waits_for_go_and_times_to_the_last_line),
	        IN_A_WORLD(the_announced_process_becomes_the_command),
	        IN_A_WORLD(a_shell_runs_what_needs_one_and_its_children_count),
	        cmocka_unit_test(what_cannot_run_has_a_status),
	        IN_A_WORLD(a_silent_terminal_leaves_drawn_unknown),
	        IN_A_WORLD(sigterm_kills_the_command),
	        IN_A_WORLD(nothing_of_a_group_survives),
	        IN_A_WORLD(the_runners_death_ends_it),
	        IN_A_WORLD(its_own_death_ends_the_command),
	        cmocka_unit_test(a_missing_folder_is_said),
	};

	return cmocka_run_group_tests_name("xclient-stress-feed-command", tests, NULL, NULL);
}
