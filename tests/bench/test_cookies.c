/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where cookie files are looked for, in which order, and which are not touched.
 */
#include "../common/cmocka_test.h"

#include "cookies.h"

#include <common/alloc.h>
#include <common/file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tree {
	char dir[32];
	char *runtime, *tmp;
	struct xcs_user user;
};

static char *put(const struct tree *t, const char *rel)
{
	struct xcs_err err;
	char *path = xcs_xasprintf("%s/%s", t->dir, rel);

	assert_int_equal(xcs_file_write(path, "", 0, &err), 0);
	return path;
}

static void make(struct tree *t)
{
	static const char *const folders[] = {"home", "run", "run/gdm", "tmp"};

	*t = (struct tree){.dir = "/tmp/xcs-cookies-XXXXXX", .user = {.uid = geteuid()}};
	assert_non_null(mkdtemp(t->dir));
	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		char *path = xcs_xasprintf("%s/%s", t->dir, folders[i]);
		assert_int_equal(mkdir(path, 0700), 0);
		free(path);
	}
	snprintf(t->user.home, sizeof(t->user.home), "%s/home", t->dir);
	t->runtime = xcs_xasprintf("%s/run", t->dir);
	t->tmp = xcs_xasprintf("%s/tmp", t->dir);
}

static void unmake(struct tree *t)
{
	static const char *const folders[] = {"/run/gdm", "/run", "/home", "/tmp", ""};

	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		char *path = xcs_xasprintf("%s%s", t->dir, folders[i]);
		assert_int_equal(rmdir(path), 0);
		free(path);
	}
	free(t->runtime);
	free(t->tmp);
}

static void test_each_layout_is_found_in_order(void **state)
{
	static const char *const files[] = {"run/gdm/Xauthority", "home/.Xauthority",
	                                    "run/xauth_Ab",       "run/.mutter-Xwaylandauth.Cd",
	                                    "tmp/xauth_Ef",       "tmp/serverauth.Gh"};
	char *path[ARRAY_LEN(files)];
	struct cookies found;
	struct xcs_err err;
	struct tree t;

	(void)state;
	make(&t);
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		path[i] = put(&t, files[i]);
	assert_int_equal(cookies_find(&found, &t.user, t.runtime, t.tmp, &err), 0);
	assert_int_equal(found.n, ARRAY_LEN(files));
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		assert_string_equal(found.path[i], path[i]);
		unlink(path[i]);
		free(path[i]);
	}
	cookies_fini(&found);
	unmake(&t);
}

/* A link, and as root a file of another user. */
static void test_what_was_planted_is_left_alone(void **state)
{
	struct cookies found;
	struct xcs_err err;
	struct tree t;

	(void)state;
	make(&t);
	char *target = put(&t, "tmp/other"), *strange = put(&t, "tmp/xauth_strange");
	char *link = xcs_xasprintf("%s/xauth_link", t.tmp);
	assert_int_equal(symlink(target, link), 0);
	if (geteuid() || chown(strange, 65534, 65534))
		unlink(strange);
	assert_int_equal(cookies_find(&found, &t.user, t.runtime, t.tmp, &err), 0);
	assert_int_equal(found.n, 0);
	cookies_fini(&found);
	unlink(link);
	unlink(target);
	unlink(strange);
	free(link);
	free(target);
	free(strange);
	unmake(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_each_layout_is_found_in_order),
	        cmocka_unit_test(test_what_was_planted_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
