/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What hyperfine is called with, which versions of it will do, and the try of a command
 * before it. Real runs are in hyperfine.bats.
 */
#include "../common/cmocka_test.h"

#include <load/command_try.h>
#include <load/hyperfine.h>

#include <common/alloc.h>
#include <common/units.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct fixture {
	struct xserver server;
	struct xcs_user user;
	struct xcs_run_load load;
	struct placement placement; /* as found */
	struct load_spec place;
	struct watch watch;
};

static int setup(void **state)
{
	struct fixture *f = xcs_xcalloc(1, sizeof(*f));

	f->server.env[0] = "DISPLAY=:77";
	f->load = (struct xcs_run_load){.id = (char *)(uintptr_t) "id",
	                                .kind = (char *)(uintptr_t) "xterm",
	                                .scroll = (char *)(uintptr_t) "jump",
	                                .columns = 80,
	                                .rows = 24,
	                                .n_clients = 1};
	f->place = (struct load_spec){.load = &f->load,
	                              .placement = &f->placement,
	                              .server = &f->server,
	                              .width_px = 1280,
	                              .height_px = 1024,
	                              .user = &f->user,
	                              .watch = &f->watch};
	assert_int_equal(xcs_user_find(&f->user, NULL), 0);
	assert_int_equal(watch_init(&f->watch, NULL), 0);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	watch_fini(&f->watch);
	free(f);
	return 0;
}

static void test_line(void **state)
{
	struct fixture *f = *state;

	f->load.command = (char *)(uintptr_t) "seq 1 5000";
	char *line = hyperfine_line_dup(&f->place);
	assert_memory_equal(line, "xterm -T client0 -geometry 80x24+0+0 -j ", 40);
	assert_non_null(strstr(line, " -xrm '*fastScroll: false' "));
	assert_string_equal(line + strlen(line) - 14, " -e seq 1 5000");
	free(line);
	f->load.kind = (char *)(uintptr_t) "pipe";
	line = hyperfine_line_dup(&f->place);
	assert_string_equal(line, "seq 1 5000");
	free(line);
}

/* Puts a hyperfine that prints that version first into PATH. */
static void fake(const char *dir, const char *version)
{
	char *path = xcs_xasprintf("%s/hyperfine", dir);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fprintf(file, "#!/bin/sh\necho '%s'\n", version);
	fclose(file);
	assert_int_equal(chmod(path, 0755), 0);
	free(path);
}

static void test_versions(void **state)
{
	static const struct {
		const char *version;
		int rc;
	} rows[] = {
	        {"hyperfine 1.13.0",        -ENOSYS},
                {"hyperfine 1.9.0",         -ENOSYS},
	        {"hyperfine 1.14.0",        0      },
                {"hyperfine 1.20.0",        0      },
	        {"hyperfine 2.0.0",         0      },
                {"hyperfine of the future", 0      },
	};
	struct fixture *f = *state;
	char dir[] = "/tmp/xcs-hyperfine-XXXXXX";
	struct xcs_err err;

	assert_non_null(mkdtemp(dir));
	char *before = xcs_xstrdup(getenv("PATH"));
	char *path = xcs_xasprintf("%s:/bin", dir);
	setenv("PATH", path, 1);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		fake(dir, rows[i].version);
		assert_int_equal(hyperfine_check(&f->user, &err), rows[i].rc);
	}
	fake(dir, "hyperfine 1.13.0");
	assert_int_equal(hyperfine_check(&f->user, &err), -ENOSYS);
	assert_string_equal(err.text, "hyperfine 1.13.0 is too old to time the command: 1.14 or "
	                              "later is needed (package hyperfine)");
	setenv("PATH", "/nowhere", 1);
	assert_int_equal(hyperfine_check(&f->user, &err), -ENOENT);
	assert_non_null(strstr(err.text, "not installed (package hyperfine)"));
	setenv("PATH", before, 1);
	char *file = xcs_xasprintf("%s/hyperfine", dir);
	unlink(file);
	rmdir(dir);
	free(file), free(path), free(before);
}

static void try(struct fixture *f, const char *command, struct command_try *out)
{
	f->load.command = (char *)(uintptr_t)command;
	command_try(&f->place, XCS_NS_PER_S / 2, out);
}

static void test_try_counts_lines(void **state)
{
	struct command_try l;

	try(*state, "seq 1 70000", &l);
	assert_null(l.why);
	assert_true(l.n_lines.known && (int)l.n_lines.v == 70000);
	try(*state, "true", &l);
	assert_true(l.n_lines.known && (int)l.n_lines.v == 0);
}

static void test_try_tells_failures(void **state)
{
	struct command_try l;

	try(*state, "echo out; echo first >&2; echo last >&2; exit 3", &l);
	assert_string_equal(l.why, "'id' exited with status 3: last");
	assert_false(l.n_lines.known);
	free(l.why);
	try(*state, "kill -9 $$", &l);
	assert_string_equal(l.why, "'id' was killed by signal 9 (Killed)");
	free(l.why);
}

static void test_try_has_a_deadline(void **state)
{
	struct fixture *f = *state;
	struct command_try l;

	f->load.label = (char *)(uintptr_t) "the label";
	try(f, "yes", &l);
	assert_non_null(strstr(l.why, "'the label' did not end within"));
	free(l.why);
	try(f, "exec >/dev/null; while :; do :; done", &l);
	assert_non_null(strstr(l.why, "did not end"));
	free(l.why);
	f->load.label = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_line),
	        cmocka_unit_test(test_versions),
	        cmocka_unit_test(test_try_counts_lines),
	        cmocka_unit_test(test_try_tells_failures),
	        cmocka_unit_test(test_try_has_a_deadline),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
