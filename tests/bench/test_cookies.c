/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where cookie files are looked for, in which order, and which are not touched.
 */
#include "../common/cmocka_test.h"

#include <display/cookies.h>

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
	struct xcs_env env;
};

static int find(struct cookies *found, const struct tree *t)
{
	const struct cookies_places places = {&t->env, ":1.0", t->runtime, t->tmp};
	struct xcs_err err;

	return cookies_find(found, &t->user, &places, &err);
}

static char *put_text(const struct tree *t, const char *rel, const char *text, size_t n)
{
	struct xcs_err err;
	char *path = xcs_xasprintf("%s/%s", t->dir, rel);

	assert_int_equal(xcs_file_write(path, text, n, &err), 0);
	return path;
}

static char *put(const struct tree *t, const char *rel)
{
	return put_text(t, rel, "", 0);
}

static void make(struct tree *t)
{
	static const char *const folders[] = {"home", "run", "run/gdm", "tmp", "proc"};

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
	char *proc = xcs_xasprintf("%s/proc", t->dir);
	assert_int_equal(xcs_env_open_at(&t->env, proc, NULL, NULL), 0);
	free(proc);
}

static void unmake(struct tree *t)
{
	assert_int_equal(xcs_dir_remove(t->dir), 0);
	xcs_env_close(&t->env);
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
	struct tree t;

	(void)state;
	make(&t);
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		path[i] = put(&t, files[i]);
	assert_int_equal(find(&found, &t), 0);
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
	struct tree t;

	(void)state;
	make(&t);
	char *target = put(&t, "tmp/other"), *strange = put(&t, "tmp/xauth_strange");
	char *link = xcs_xasprintf("%s/xauth_link", t.tmp);
	assert_int_equal(symlink(target, link), 0);
	if (geteuid() || chown(strange, 65534, 65534))
		unlink(strange);
	assert_int_equal(find(&found, &t), 0);
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

static void put_process(const struct tree *t, const char *pid, const char *display,
                        const char *file)
{
	char *dir = xcs_xasprintf("%s/proc/%s", t->dir, pid);
	char *rel = xcs_xasprintf("proc/%s/environ", pid);
	struct xcs_buf text = {0};
	struct xcs_err err;

	assert_int_equal(xcs_dir_make(dir, 0700, &err), 0);
	xcs_buf_printf(&text, "HOME=/x%cDISPLAY=%s%cXAUTHORITY=%s/%s%cA=b", 0, display, 0, t->tmp,
	               file, 0);
	free(put_text(t, rel, text.p, text.n));
	xcs_buf_fini(&text);
	free(rel);
	free(dir);
}

/* Not those of another display, nor a file that is not there, and none twice. */
static void test_processes_of_the_display_are_asked_first(void **state)
{
	static const char *const others[][3] = {
	        {"7",     ":7",      "of-7"  },
	        {"8",     ":1",      "gone"  },
	        {"9",     "other:1", "far"   },
	        {"named", ":1",      "named" },
	        {"10",    "unix:1",  "second"}
        };
	struct cookies found;
	struct tree t;

	(void)state;
	make(&t);
	free(put(&t, "tmp/of-7"));
	free(put(&t, "tmp/far"));
	free(put(&t, "tmp/named"));
	char *paths[] = {put(&t, "tmp/first"), put(&t, "tmp/second"), put(&t, "home/.Xauthority")};
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		put_process(&t, others[i][0], others[i][1], others[i][2]);
	put_process(&t, "3", ":1.0", "first");
	put_process(&t, "20", ":1.0", "first");
	assert_int_equal(find(&found, &t), 0);
	assert_int_equal(found.n, ARRAY_LEN(paths));
	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		assert_string_equal(found.path[i], paths[i]);
		free(paths[i]);
	}
	cookies_fini(&found);
	unmake(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_each_layout_is_found_in_order),
	        cmocka_unit_test(test_processes_of_the_display_are_asked_first),
	        cmocka_unit_test(test_what_was_planted_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
