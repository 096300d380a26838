/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a display's name, its sockets and its lock file say, in a /tmp of the test's own.
 */
#include "../common/cmocka_test.h"

#include <display/displays.h>

#include <common/alloc.h>
#include <common/file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char tmp[] = "/tmp/xcs-displays-XXXXXX";
static struct xcs_env env;

static char *path_dup(const char *rel)
{
	return xcs_xasprintf("%s/%s", tmp, rel);
}

static void put(const char *rel, const char *text)
{
	char *path = path_dup(rel);
	struct xcs_err err;

	assert_int_equal(xcs_file_write(path, text, strlen(text), &err), 0);
	free(path);
}

static void put_process(const char *pid, const char *comm, char state)
{
	char *rel = xcs_xasprintf("proc/%s/task/%s", pid, pid), *dir = path_dup(rel);
	char *stat = xcs_xasprintf("%s/stat", rel);
	char *text = xcs_xasprintf("%s (%s) %c 1 7 7 0 -1 0 1 2 3 4 5 6 7 8 20 0 1 0 98765 0\n",
	                           pid, comm, state);
	struct xcs_err err;

	assert_int_equal(xcs_dir_make(dir, 0700, &err), 0);
	put(stat, text);
	free(rel);
	free(dir);
	free(stat);
	free(text);
}

static int make(void **state)
{
	char *sockets, *proc;

	(void)state;
	memcpy(tmp + sizeof(tmp) - 7, "XXXXXX", 6);
	if (!mkdtemp(tmp))
		return -1;
	sockets = path_dup(".X11-unix");
	proc = path_dup("proc");
	int rc = mkdir(sockets, 0700) || mkdir(proc, 0700) ||
	         xcs_env_open_at(&env, proc, NULL, NULL);
	free(sockets);
	free(proc);
	return rc;
}

static int unmake(void **state)
{
	(void)state;
	xcs_env_close(&env);
	return xcs_dir_remove(tmp);
}

/* Returns the socket, bound and not yet listening. */
static int bind_socket(const char *rel)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(at.sun_path, sizeof(at.sun_path), "%s/%s", tmp, rel);
	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (const struct sockaddr *)&at, sizeof(at)), 0);
	return fd;
}

static void names_without_a_host_are_local(void **state)
{
	static const struct {
		const char *display;
		bool is_local;
		int number;
	} rows[] = {
	        {":0",                    true,  0 },
	        {":1.0",                  true,  1 },
	        {"unix:12",               true,  12},
	        {"unix:/tmp/x/X7",        true,  7 },
	        {"/tmp/.X11-unix/X7.1",   true,  7 },
	        {"/tmp/other",            true,  -1},
	        {":",                     true,  -1},
	        {":x",                    true,  -1},
	        {":99999999999999999999", true,  -1},
	        {"localhost:10.0",        false, -1},
	        {"[::1]:0",               false, -1},
	        {"otherhost:0",           false, -1},
	        {"garbage",               false, -1},
	        {"",	              false, -1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(displays_is_local(rows[i].display), rows[i].is_local);
		assert_int_equal(displays_number(rows[i].display), rows[i].number);
	}
}

static void only_what_listens_is_served(void **state)
{
	int dead, live[2];

	(void)state;
	char *list = displays_list_dup(tmp);
	assert_string_equal(list, "none");
	free(list);
	dead = bind_socket(".X11-unix/X3");
	close(dead);
	live[0] = bind_socket(".X11-unix/X10");
	live[1] = bind_socket(".X11-unix/X2");
	put(".X11-unix/notes", "");
	for (size_t i = 0; i < ARRAY_LEN(live); i++)
		assert_int_equal(listen(live[i], 4), 0);
	list = displays_list_dup(tmp);
	assert_string_equal(list, ":2, :10");
	free(list);
	assert_true(displays_is_served(tmp, ":2.0"));
	assert_false(displays_is_served(tmp, ":3"));
	assert_false(displays_is_served(tmp, ":x"));
	char *path = path_dup(".X11-unix/X10");
	assert_true(displays_is_served(tmp, path));
	free(path);
	close(live[0]);
	close(live[1]);
}

/* A holder that has ended, that is another program by now, and files that are no lock. */
static void a_lock_counts_while_a_server_holds_it(void **state)
{
	(void)state;
	put_process("2107", "Xorg", 'S');
	put_process("4410", "Xvfb", 'Z');
	put_process("888", "firefox", 'S');
	put(".X1-lock", "      2107\n");
	put(".X99-lock", "      4410\n");
	put(".X7-lock", "       888\n");
	put(".X8-lock", "       777\n");
	put(".X9-lock", "Xorg\n");
	put(".X10-lock", "");
	assert_int_equal(displays_lock_holder(tmp, &env, 1), 2107);
	for (int number = 2; number < 100; number++)
		assert_int_equal(displays_lock_holder(tmp, &env, number), 0);
	assert_int_equal(displays_lock_holder(tmp, &env, -1), 0);
}

static void what_was_planted_as_a_lock_is_not_followed(void **state)
{
	char *lock = path_dup(".X1-lock"), *link = path_dup(".X2-lock"),
	     *pipe = path_dup(".X3-lock");

	(void)state;
	put_process("2107", "Xorg", 'S');
	put(".X1-lock", "      2107\n");
	assert_int_equal(symlink(lock, link), 0);
	assert_int_equal(mkfifo(pipe, 0600), 0);
	assert_int_equal(displays_lock_holder(tmp, &env, 1), 2107);
	assert_int_equal(displays_lock_holder(tmp, &env, 2), 0);
	assert_int_equal(displays_lock_holder(tmp, &env, 3), 0);
	free(lock);
	free(link);
	free(pipe);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(names_without_a_host_are_local),
	        cmocka_unit_test_setup_teardown(only_what_listens_is_served, make, unmake),
	        cmocka_unit_test_setup_teardown(a_lock_counts_while_a_server_holds_it, make,
	                                        unmake),
	        cmocka_unit_test_setup_teardown(what_was_planted_as_a_lock_is_not_followed, make,
	                                        unmake),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
