/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "../common/cmocka_test.h"

#include <scenario/tree.h>

#include <common/alloc.h>
#include <common/file.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

struct world {
	char dir[64];
	struct xcs_user user;
	struct tree_place place;
	struct xcs_run_tree tree;
	int n_asked;
	bool is_mounted;
};

static int make_world(void **state)
{
	struct world *w = calloc(1, sizeof(*w));

	snprintf(w->dir, sizeof(w->dir), "/tmp/xcs-tree-test-XXXXXX");
	assert_non_null(mkdtemp(w->dir));
	w->user = (struct xcs_user){.uid = getuid(), .gid = getgid()};
	w->place = (struct tree_place){.parent = w->dir, .user = &w->user};
	*state = w;
	return 0;
}

static void forget_tree(struct world *w)
{
	free(w->tree.path);
	free(w->tree.filesystem);
	w->tree = (struct xcs_run_tree){0};
}

static int end_world(void **state)
{
	struct world *w = *state;

	forget_tree(w);
	if (w->is_mounted)
		umount2(w->dir, MNT_DETACH);
	xcs_dir_remove(w->dir);
	free(w);
	return 0;
}

static void make(struct world *w, struct tree_spec spec)
{
	struct xcs_err err = {""};

	if (tree_make(&spec, &w->place, &w->tree, &err))
		fail_msg("%s", err.text);
}

/* Visits a folder: the most entries that one folder has, and whether all names are as long. */
static void visit(const char *path, int name_bytes, int *most, int *n)
{
	DIR *dir = opendir(path);
	struct dirent *e;
	int n_here = 0;

	assert_non_null(dir);
	while ((e = readdir(dir))) {
		if (e->d_name[0] == '.')
			continue;
		assert_int_equal(strlen(e->d_name), name_bytes);
		n_here++;
		++*n;
		if (e->d_name[0] == 'd') {
			char *below = xcs_xasprintf("%s/%s", path, e->d_name);
			visit(below, name_bytes, most, n);
			free(below);
		}
	}
	closedir(dir);
	*most = n_here > *most ? n_here : *most;
}

static void test_flat(void **state)
{
	struct world *w = *state;
	int most = 0, n = 0;

	make(w, (struct tree_spec){TREE_FLAT, 1000, 247});
	assert_int_equal(w->tree.n_entries, 1001);
	assert_int_equal(w->tree.name_bytes, 247);
	assert_false(w->tree.cached);
	assert_non_null(w->tree.filesystem);
	assert_int_equal(tree_count(w->tree.path), 1001);
	visit(w->tree.path, 247, &most, &n);
	assert_int_equal(n, 1000);
	assert_int_equal(most, 1000);
}

static void test_nested_has_exactly_so_many(void **state)
{
	static const int sizes[] = {2, 3, 101, 102, 103, 202, 203, 2500};
	struct world *w = *state;

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		int most = 0, n = 0;
		make(w, (struct tree_spec){TREE_NESTED, sizes[i], 12});
		assert_int_equal(w->tree.n_entries, sizes[i]);
		assert_int_equal(tree_count(w->tree.path), sizes[i]);
		visit(w->tree.path, 12, &most, &n);
		assert_int_equal(n, sizes[i] - 1);
		assert_true(most <= TREE_FOLDER_ENTRIES);
		assert_int_equal(xcs_dir_remove(w->tree.path), 0);
		forget_tree(w);
	}
}

static void test_cache(void **state)
{
	struct world *w = *state;
	const struct tree_spec spec = {TREE_FLAT, 50, 20};
	char *cache = xcs_xasprintf("%s/cache/trees", w->dir);

	w->place.cache = cache;
	make(w, spec);
	assert_false(w->tree.cached);
	char *path = xcs_xstrdup(w->tree.path);
	forget_tree(w);
	make(w, spec);
	assert_true(w->tree.cached);
	assert_string_equal(w->tree.path, path);
	forget_tree(w);
	/* One that lost a file, and one that was never finished, are made again. */
	char *victim = xcs_xasprintf("%s/fa-name-as-long00007", path);
	assert_int_equal(unlink(victim), 0);
	make(w, spec);
	assert_false(w->tree.cached);
	assert_int_equal(tree_count(path), 51);
	forget_tree(w);
	char *marker = xcs_xasprintf("%s/flat-50-20/complete", cache);
	assert_int_equal(unlink(marker), 0);
	make(w, spec);
	assert_false(w->tree.cached);
	free(victim), free(marker), free(path), free(cache);
}

static bool stop_at_second_look(void *data)
{
	struct world *w = data;

	return ++w->n_asked == 2;
}

static void refused(struct world *w, struct tree_spec spec, int rc, const char *const *words)
{
	struct xcs_err err = {""};
	char *files = xcs_xasprintf("%s/files", w->dir);

	assert_int_equal(tree_make(&spec, &w->place, &w->tree, &err), rc);
	assert_null(w->tree.path);
	for (size_t i = 0; words[i]; i++)
		if (!strstr(err.text, words[i]))
			fail_msg("'%s' does not say '%s'", err.text, words[i]);
	assert_true(access(files, F_OK) != 0); /* nothing is left */
	free(files);
}

static void test_stopped(void **state)
{
	struct world *w = *state;

	w->place.is_stopped = stop_at_second_look;
	w->place.data = w;
	refused(w, (struct tree_spec){TREE_NESTED, 5000, 12}, -EINTR,
	        (const char *[]){"interrupted", w->dir, NULL});
}

static void test_no_such_parent(void **state)
{
	struct world *w = *state;

	w->place.parent = "/nowhere/at/all";
	refused(w, (struct tree_spec){TREE_FLAT, 5, 12}, -ENOENT,
	        (const char *[]){"/nowhere/at/all", NULL});
}

static void mount_small(struct world *w, const char *options)
{
	if (mount("tmpfs", w->dir, "tmpfs", 0, options)) {
		if (errno != EPERM && errno != EACCES)
			fail_msg("tmpfs: %s", strerror(errno));
		SKIP_BECAUSE("mounting a small file system needs root");
	}
	w->is_mounted = true;
}

static void test_no_inodes(void **state)
{
	struct world *w = *state;

	mount_small(w, "size=100m,nr_inodes=500");
	refused(w, (struct tree_spec){TREE_FLAT, 1000, 40}, -ENOSPC,
	        (const char *[]){w->dir, "1001 inodes", "are free", "--tree-dir", NULL});
}

static void test_no_bytes(void **state)
{
	struct world *w = *state;

	mount_small(w, "size=64k");
	refused(w, (struct tree_spec){TREE_FLAT, 1000, 247}, -ENOSPC,
	        (const char *[]){w->dir, "759759 bytes", "65536 are free", "TMPDIR", NULL});
}

/* Takes all inodes that are left while the tree is being made. */
static bool fill_up(void *data)
{
	const struct world *w = data;
	int fd = 0;

	for (int i = 0; fd >= 0; i++) {
		char *path = xcs_xasprintf("%s/fill-%d", w->dir, i);
		fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
		if (fd >= 0)
			close(fd);
		free(path);
	}
	return false;
}

static void test_room_runs_out_in_the_middle(void **state)
{
	struct world *w = *state;

	mount_small(w, "size=100m,nr_inodes=4000");
	w->place.is_stopped = fill_up;
	w->place.data = w;
	refused(w, (struct tree_spec){TREE_FLAT, 3000, 40}, -ENOSPC,
	        (const char *[]){"file 513 of 3001", w->dir, "No space left", "--tree-dir", NULL});
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_world, end_world)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(test_flat),           TEST(test_nested_has_exactly_so_many),
	        TEST(test_cache),          TEST(test_stopped),
	        TEST(test_no_bytes),       TEST(test_no_inodes),
	        TEST(test_no_such_parent), TEST(test_room_runs_out_in_the_middle),
	};

	return cmocka_run_group_tests_name("bench tree", tests, NULL, NULL);
}
