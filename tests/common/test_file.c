/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files that appear whole or not at all, also on a full disk; folders made and removed.
 */
#include "cmocka_test.h"

#include <common/alloc.h>
#include <common/file.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int enter_dir(void **state)
{
	char *dir = xcs_xstrdup("/tmp/xcs-file-XXXXXX");

	*state = dir;
	return !mkdtemp(dir) || chdir(dir);
}

static int leave_dir(void **state)
{
	int rc = chdir("/") || xcs_dir_remove(*state);

	free(*state);
	return rc;
}

static int n_entries(const char *path)
{
	DIR *dir = opendir(path);
	int n = 0;

	for (struct dirent *e; (e = readdir(dir));)
		n += e->d_name[0] != '.';
	closedir(dir);
	return n;
}

static void assert_content(const char *path, const char *want)
{
	struct xcs_buf b = {0};

	assert_int_equal(xcs_file_read_at(AT_FDCWD, path, &b), 0);
	assert_string_equal(b.p, want);
	xcs_buf_fini(&b);
}

static void a_file_is_replaced_whole(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(xcs_file_write("f", "old content", 11, NULL), 0);
	assert_int_equal(xcs_file_write("f", "new", 3, NULL), 0);
	assert_content("f", "new");
	assert_int_equal(n_entries("."), 1);
	assert_int_equal(stat("f", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
}

static void an_empty_file_can_be_written_and_read(void **state)
{
	(void)state;
	assert_int_equal(xcs_file_write("f", "", 0, NULL), 0);
	assert_content("f", "");
}

static void a_folder_in_the_way_is_named_and_no_temp_file_stays(void **state)
{
	struct xcs_err err = {0};

	(void)state;
	assert_int_equal(xcs_dir_make("f/full", 0777, NULL), 0);
	assert_int_equal(xcs_file_write("f", "x", 1, &err), -EISDIR);
	assert_string_equal(err.text, "cannot write f: Is a directory");
	assert_int_equal(n_entries("."), 1);
	assert_int_equal(xcs_file_write("no/such/f", "x", 1, &err), -ENOENT);
}

static void a_large_file_is_read_to_its_end(void **state)
{
	struct xcs_buf big = {0}, back = {0};

	(void)state;
	for (int i = 0; i < 100000; i++)
		xcs_buf_printf(&big, "%d\n", i);
	assert_int_equal(xcs_file_write("f", big.p, big.n, NULL), 0);
	assert_int_equal(xcs_file_read_at(AT_FDCWD, "f", &back), 0);
	assert_int_equal(back.n, big.n);
	assert_memory_equal(back.p, big.p, big.n);
	xcs_buf_fini(&big);
	xcs_buf_fini(&back);
}

static void reading_clears_what_was_there(void **state)
{
	struct xcs_buf b = {0};

	(void)state;
	xcs_buf_puts(&b, "stale");
	assert_int_equal(xcs_file_read_at(AT_FDCWD, "missing", &b), -ENOENT);
	assert_string_equal(b.p, "");
	xcs_buf_fini(&b);
}

static void a_write_ends_with_the_errors_number(void **state)
{
	int fd = open("/dev/full", O_WRONLY);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(xcs_fd_write_all(fd, "x", 1), -ENOSPC);
	close(fd);
	assert_int_equal(xcs_fd_write_all(-1, "x", 1), -EBADF);
	assert_int_equal(xcs_fd_write_all(-1, "", 0), 0);
}

static bool mount_small_disk(void)
{
	if (unshare(CLONE_NEWNS))
		return false;
	/* Fails below a chroot, whose root is no mount point; the unmounting makes up for it. */
	(void)mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
	return mkdir("disk", 0777) == 0 && mount("tmpfs", "disk", "tmpfs", 0, "size=64k") == 0;
}

/* In a child with a mount namespace of its own; its exit status tells which step failed. */
static int write_on_a_full_disk(void)
{
	struct xcs_err err = {0};
	char *big = xcs_xcalloc(1, 1 << 20);
	int rc;

	if (!mount_small_disk())
		return 77;
	if (xcs_file_write("disk/f", "old", 3, &err))
		return 1;
	rc = xcs_file_write("disk/f", big, 1 << 20, &err);
	free(big);
	if (rc != -ENOSPC || !strstr(err.text, "disk/f: No space left on device"))
		return 2;
	if (n_entries("disk") != 1)
		return 3;
	struct xcs_buf b = {0};
	rc = xcs_file_read_at(AT_FDCWD, "disk/f", &b) || strcmp(b.p, "old") ? 4 : 0;
	xcs_buf_fini(&b);
	return rc;
}

static void a_full_disk_keeps_the_old_file(void **state)
{
	int status;
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(write_on_a_full_disk());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	(void)umount2("disk", MNT_DETACH);
	rmdir("disk");
	if (WEXITSTATUS(status) == 77)
		SKIP_BECAUSE("a small file system needs root (%s)", "mount");
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void folders_are_made_with_their_parents(void **state)
{
	struct xcs_err err = {0};

	(void)state;
	assert_int_equal(xcs_dir_make("a/b/c", 0777, &err), 0);
	assert_int_equal(xcs_dir_make("a/b/c", 0777, &err), 0);
	assert_int_equal(xcs_dir_make("a//b/d/", 0777, &err), 0);
	char *absolute = xcs_xasprintf("%s/x/y", (char *)*state);
	assert_int_equal(xcs_dir_make(absolute, 0777, &err), 0);
	free(absolute);
	assert_int_equal(access("a/b/d", F_OK) | access("x/y", F_OK), 0);
}

static void a_file_where_a_folder_should_be_is_an_error(void **state)
{
	struct xcs_err err = {0};

	(void)state;
	assert_int_equal(xcs_file_write("f", "", 0, NULL), 0);
	assert_int_equal(xcs_dir_make("f", 0777, &err), -ENOTDIR);
	assert_int_equal(xcs_dir_make("f/g", 0777, &err), -ENOTDIR);
	assert_non_null(strstr(err.text, "f/g"));
	assert_int_equal(xcs_dir_make("", 0777, &err), -ENOENT);
}

static void removal_follows_no_link(void **state)
{
	(void)state;
	assert_int_equal(xcs_dir_make("keep", 0777, NULL), 0);
	assert_int_equal(xcs_file_write("keep/f", "kept", 4, NULL), 0);
	assert_int_equal(xcs_dir_make("gone/deep/er", 0777, NULL), 0);
	assert_int_equal(symlink("../keep", "gone/link"), 0);
	assert_int_equal(xcs_dir_remove("gone"), 0);
	assert_int_equal(access("gone", F_OK), -1);
	assert_content("keep/f", "kept");
	assert_int_equal(xcs_dir_remove("gone"), -ENOENT);
}

#define IN_DIR(fn) cmocka_unit_test_setup_teardown(fn, enter_dir, leave_dir)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        IN_DIR(a_file_is_replaced_whole),
	        IN_DIR(an_empty_file_can_be_written_and_read),
	        IN_DIR(a_folder_in_the_way_is_named_and_no_temp_file_stays),
	        IN_DIR(a_large_file_is_read_to_its_end),
	        IN_DIR(reading_clears_what_was_there),
	        IN_DIR(a_write_ends_with_the_errors_number),
	        IN_DIR(a_full_disk_keeps_the_old_file),
	        IN_DIR(folders_are_made_with_their_parents),
	        IN_DIR(a_file_where_a_folder_should_be_is_an_error),
	        IN_DIR(removal_follows_no_link),
	};

	return cmocka_run_group_tests_name("common: file", tests, NULL, NULL);
}
