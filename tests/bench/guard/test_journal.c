/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The undo journal as a text, and what restoring makes of one that a dead guard left.
 */
#include "../../common/cmocka_test.h"
#include "world.h"

#include "restore.h"

#include <common/alloc.h>
#include <common/file.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534

static struct undo_item nice_item(const struct victim *v, int before, int now)
{
	return (struct undo_item){.kind = UNDO_NICE,
	                          .pid = v->pid,
	                          .tid = v->pid,
	                          .pid_start_ticks = v->start_ticks,
	                          .tid_start_ticks = v->start_ticks,
	                          .before = {.n = before},
	                          .was = {.n = before},
	                          .now = {.n = now}};
}

static struct journal_head this_boot(void)
{
	struct journal_head head = {.guard_pid = 4, .guard_start_ticks = 5, .owner_pid = 6};

	journal_boot_id(&w.env, head.boot_id);
	assert_int_equal(strlen(head.boot_id), 36);
	return head;
}

/* Leaves a journal as a killed guard does; the caller frees its path. */
static char *leave_journal(const struct journal_head *head, const struct undo_item *items, size_t n)
{
	struct journal j;

	if (journal_create(&j, w.journals, head, &err) ||
	    (n && journal_add_items(&j, items, n, &err)))
		fail_msg("%s", err.text);
	char *path = xcs_xstrdup(j.path);
	journal_close(&j);
	return path;
}

static char *read_text(const char *path)
{
	struct xcs_buf text = {0};

	assert_int_equal(xcs_file_read_at(AT_FDCWD, path, &text), 0);
	return xcs_buf_take(&text);
}

static void write_text(const char *path, const char *text, size_t n)
{
	assert_int_equal(xcs_file_write(path, text, n, &err), 0);
}

static void fill_items(struct undo_item items[6])
{
	struct undo_value one, many;

	memset(&one, 0, sizeof(one));
	memset(&many, 0, sizeof(many));
	assert_int_equal(xcs_cpuset_parse(xcs_str("1"), &one.cpus, &err), 0);
	assert_int_equal(xcs_cpuset_parse(xcs_str("0,2-3,1023"), &many.cpus, &err), 0);
	items[0] = (struct undo_item){.kind = UNDO_NICE,
	                              .pid = 100,
	                              .tid = 101,
	                              .pid_start_ticks = 7,
	                              .tid_start_ticks = UINT64_MAX,
	                              .policy = 3,
	                              .before = {.n = -20},
	                              .was = {.n = 0},
	                              .now = {.n = 19}};
	items[1] = (struct undo_item){.kind = UNDO_AFFINITY,
	                              .pid = 100,
	                              .tid = 101,
	                              .before = many,
	                              .was = many,
	                              .now = one};
	items[2] = (struct undo_item){.kind = UNDO_AUTOGROUP, .pid = 100, .now = {.n = -3}};
	items[3] = (struct undo_item){.kind = UNDO_SYSCTL, .before = {.n = 1}};
	items[4] = (struct undo_item){.kind = UNDO_CHILD, .pid = 77, .pid_start_ticks = 8};
	items[5] = (struct undo_item){.kind = UNDO_DIR,
	                              .dev = 3,
	                              .ino = 4,
	                              .path = xcs_xstrdup("/t/xcsbench-100% a\nb\t\xc3\xa4")};
}

static void test_round_trip(void **state)
{
	struct undo_item items[6];
	struct journal_text t;

	(void)state;
	fill_items(items);
	struct journal_head head = this_boot();
	char *path = leave_journal(&head, items, 6), *text = read_text(path);
	assert_int_equal(journal_parse(xcs_str(text), &t, &err), 0);
	assert_string_equal(t.head.boot_id, head.boot_id);
	assert_int_equal(t.head.guard_pid, 4);
	assert_int_equal(t.head.guard_start_ticks, 5);
	assert_int_equal(t.head.owner_pid, 6);
	assert_int_equal(t.list.n, 6);
	assert_false(t.torn);
	for (size_t i = 0; i < 6; i++) {
		const struct undo_item *a = &items[i], *b = &t.list.v[i];
		assert_int_equal(a->kind, b->kind);
		assert_int_equal(a->pid, b->pid);
		assert_int_equal(a->tid, b->tid);
		assert_true(a->pid_start_ticks == b->pid_start_ticks);
		assert_true(a->tid_start_ticks == b->tid_start_ticks);
		assert_int_equal(a->policy, b->policy);
		assert_memory_equal(&a->before, &b->before, sizeof(a->before));
		assert_memory_equal(&a->was, &b->was, sizeof(a->was));
		assert_memory_equal(&a->now, &b->now, sizeof(a->now));
		assert_true(a->dev == b->dev && a->ino == b->ino);
	}
	assert_string_equal(t.list.v[5].path, items[5].path);
	journal_text_fini(&t);
	free(items[5].path);
	free(text);
	free(path);
}

/* Wherever the power fails, each whole line counts and the rest is known to be torn. */
static void test_torn_anywhere(void **state)
{
	struct undo_item items[6];
	struct journal_text t;

	(void)state;
	fill_items(items);
	struct journal_head head = this_boot();
	char *path = leave_journal(&head, items, 6), *text = read_text(path);
	const size_t first = strcspn(text, "\n") + 1, all = strlen(text);
	for (size_t n = 0; n < all; n++) {
		/* A line without its newline but with its whole checksum is whole. */
		size_t n_lines = 0;
		for (size_t i = 0; i <= n; i++)
			n_lines += text[i] == '\n';
		int rc = journal_parse((struct xcs_str){text, n}, &t, &err);
		assert_int_equal(rc, n + 1 < first ? -EINVAL : 0);
		if (rc == 0) {
			assert_int_equal(t.list.n, n_lines - 1);
			assert_int_equal(t.torn, text[n] != '\n' && text[n - 1] != '\n');
			assert_int_equal(t.n_bad_lines, 0);
		}
		journal_text_fini(&t);
	}
	free(items[5].path);
	free(text);
	free(path);
}

static void test_damaged_line(void **state)
{
	struct undo_item items[6];
	struct journal_text t;

	(void)state;
	fill_items(items);
	struct journal_head head = this_boot();
	char *path = leave_journal(&head, items, 6), *text = read_text(path);
	char *at = strstr(text, " -20 0 19");
	assert_non_null(at);
	at[2] = '1'; /* -20 becomes -10 */
	assert_int_equal(journal_parse(xcs_str(text), &t, &err), 0);
	assert_int_equal(t.n_bad_lines, 1);
	assert_int_equal(t.list.n, 5);
	journal_text_fini(&t);
	text[0] = 'y';
	assert_int_equal(journal_parse(xcs_str(text), &t, &err), -EINVAL);
	journal_text_fini(&t);
	free(items[5].path);
	free(text);
	free(path);
}

/* A journal may be anybody's file: what it says about a governor leads to no other file. */
static void test_hostile_words(void **state)
{
	static const char *const words[] = {"../../x", "a/b", "a;b", "%2e", "\x1b[0m"};
	struct undo_item items[ARRAY_LEN(words) + 2];
	struct journal_text t;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(items); i++) {
		items[i] = (struct undo_item){.kind = UNDO_GOVERNOR,
		                              .tid = 3,
		                              .was = {.word = "a"},
		                              .now = {.word = "b"}};
		snprintf(items[i].before.word, sizeof(items[i].before.word), "%s",
		         i < ARRAY_LEN(words) ? words[i] : "powersave");
	}
	items[ARRAY_LEN(words)].tid = -1;
	struct journal_head head = this_boot();
	char *path = leave_journal(&head, items, ARRAY_LEN(items)), *text = read_text(path);
	assert_int_equal(journal_parse(xcs_str(text), &t, &err), 0);
	assert_int_equal(t.n_bad_lines, ARRAY_LEN(words) + 1);
	assert_int_equal(t.list.n, 1);
	assert_string_equal(t.list.v[0].before.word, "powersave");
	journal_text_fini(&t);
	free(text);
	free(path);
}

static void test_undone_lines(void **state)
{
	struct undo_item items[6];
	struct journal j;
	struct journal_text t;

	(void)state;
	fill_items(items);
	struct journal_head head = this_boot();
	assert_int_equal(journal_create(&j, w.journals, &head, &err), 0);
	assert_int_equal(journal_add_items(&j, items, 6, &err), 0);
	assert_int_equal(journal_add_undone(&j, &items[5], &err), 0);
	assert_int_equal(journal_add_restored(&j, &err), 0);
	items[2].now.n = 9;
	assert_int_equal(journal_add_items(&j, &items[2], 1, &err), 0);
	items[2].now.n = 11;
	assert_int_equal(journal_add_items(&j, &items[2], 1, &err), 0);
	char *text = read_text(j.path);
	assert_int_equal(journal_parse(xcs_str(text), &t, &err), 0);
	assert_int_equal(t.list.n, 2);
	assert_int_equal(t.list.v[0].kind, UNDO_CHILD);
	assert_int_equal(t.list.v[1].now.n, 11);
	journal_text_fini(&t);
	journal_remove(&j);
	free(items[5].path);
	free(text);
}

static void test_lock(void **state)
{
	struct journal j, other;
	struct stat st;

	(void)state;
	struct journal_head head = this_boot();
	assert_int_equal(journal_create(&j, w.journals, &head, &err), 0);
	assert_int_equal(journal_open(&other, j.path, &err), -EBUSY);
	assert_int_equal(stat(j.path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(stat(w.journals, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	journal_remove(&j);
	assert_int_equal(world_n_journals(&w), 0);
}

/* Restores the journal and asserts how many items failed and what became of the first. */
static void assert_outcome(const char *path, int n_failed, enum undo_outcome want, const char *part)
{
	struct journal_text t;
	int rc = restore_journal(&w.env, path, false, &t, &err);

	if (rc < 0)
		fail_msg("%s", err.text);
	assert_int_equal(rc, n_failed);
	assert_true(t.list.n > 0);
	if (t.list.v[0].outcome != want || !strstr(t.list.v[0].said, part))
		fail_msg("outcome %d: %s", t.list.v[0].outcome, t.list.v[0].said);
	assert_int_equal(exists(path), n_failed > 0);
	journal_text_fini(&t);
}

static void test_rebooted(void **state)
{
	(void)state;
	struct victim v = victim_start(&w, 0, false, getuid());
	victim_set_nice(&v, 5);
	struct undo_item item = nice_item(&v, 0, 5);
	struct journal_head head = this_boot();
	head.boot_id[0] = head.boot_id[0] == '0' ? '1' : '0';
	char *path = leave_journal(&head, &item, 1);
	assert_outcome(path, 0, UNDO_REBOOTED, "rebooted");
	assert_int_equal(victim_nice(&v), 5);
	victim_stop(&v);
	free(path);
}

static void test_pid_reused(void **state)
{
	(void)state;
	struct victim v = victim_start(&w, 0, false, getuid());
	victim_set_nice(&v, 5);
	struct undo_item items[2] = {
	        nice_item(&v, 0, 5), {.kind = UNDO_CHILD, .pid = v.pid, .pid_start_ticks = 1}
        };
	items[0].tid_start_ticks = items[0].pid_start_ticks = v.start_ticks - 1;
	struct journal_head head = this_boot();
	char *path = leave_journal(&head, items, 2);
	assert_outcome(path, 0, UNDO_GONE, "has ended");
	assert_int_equal(victim_nice(&v), 5);
	assert_int_equal(waitpid(v.pid, NULL, WNOHANG), 0);
	victim_stop(&v);
	free(path);
}

static void test_changed_by_others(void **state)
{
	(void)state;
	struct victim v = victim_start(&w, 0, false, getuid());
	victim_set_nice(&v, 7);
	struct undo_item item = nice_item(&v, 0, 5);
	struct journal_head head = this_boot();
	char *path = leave_journal(&head, &item, 1);
	assert_outcome(path, 0, UNDO_FOREIGN, "is left at 7: somebody else");
	assert_int_equal(victim_nice(&v), 7);
	victim_stop(&v);
	free(path);
}

/* Killed between the journal's line and the change: nothing to put back. */
static void test_never_changed(void **state)
{
	(void)state;
	struct victim v = victim_start(&w, 0, false, getuid());
	struct undo_item item = nice_item(&v, 0, 5);
	struct journal_head head = this_boot();
	char *path = leave_journal(&head, &item, 1);
	assert_outcome(path, 0, UNDO_ALREADY, "is as it was");
	victim_stop(&v);
	free(path);
}

static void test_torn_file_restores(void **state)
{
	struct undo_item item = {.kind = UNDO_SYSCTL, .before = {.n = 0}, .now = {.n = 1}};

	(void)state;
	struct journal_head head = this_boot();
	char *path = leave_journal(&head, &item, 1), *text = read_text(path);
	char *torn = xcs_xasprintf("%snice 12 34 5", text);
	write_text(path, torn, strlen(torn));
	assert_outcome(path, 0, UNDO_RESTORED, "was put back from 1 to 0");
	assert_int_equal(world_sysctl(&w), 0);
	free(path), free(text), free(torn);
}

static void test_no_journal(void **state)
{
	static const char newer[] = "xcs-undo 2 some other words\n";
	struct journal_text t;

	(void)state;
	struct journal_head head = this_boot();
	char *path = leave_journal(&head, NULL, 0);
	write_text(path, "", 0);
	assert_int_equal(restore_journal(&w.env, path, false, &t, &err), -EINVAL);
	journal_text_fini(&t);
	write_text(path, newer, strlen(newer));
	assert_int_equal(restore_journal(&w.env, path, false, &t, &err), -EINVAL);
	journal_text_fini(&t);
	assert_true(exists(path));
	assert_non_null(strstr(err.text, path));
	free(path);
}

/* Processes end with a boot, a folder on a disk does not; devices may be numbered anew. */
static void test_folder_survives_boot(void **state)
{
	struct stat st;

	(void)state;
	char *dir = make_temp("xcsbench-y");
	assert_int_equal(stat(dir, &st), 0);
	struct undo_item item = {
	        .kind = UNDO_DIR, .dev = st.st_dev + 1, .ino = st.st_ino, .path = dir};
	struct journal_head head = this_boot();
	head.boot_id[0] = head.boot_id[0] == '0' ? '1' : '0';
	char *path = leave_journal(&head, &item, 1);
	assert_outcome(path, 0, UNDO_RESTORED, "was removed");
	assert_false(exists(dir));
	free(path), free(dir);
}

/* A folder is known by its inode: one that was made anew under the name stays. */
static void test_folder_replaced(void **state)
{
	(void)state;
	char *dir = xcs_xasprintf("%s/xcsbench-x", w.temp);
	assert_int_equal(xcs_dir_make(dir, 0700, &err), 0);
	struct stat st;
	assert_int_equal(stat(dir, &st), 0);
	struct undo_item item = {
	        .kind = UNDO_DIR, .dev = st.st_dev, .ino = st.st_ino + 1, .path = dir};
	struct journal_head head = this_boot();
	char *path = leave_journal(&head, &item, 1);
	assert_outcome(path, 0, UNDO_GONE, "is gone");
	assert_true(exists(dir));
	free(path), free(dir);
}

static void need_root(void)
{
	if (geteuid())
		SKIP_BECAUSE("the test has to be root to become another user");
}

/* As a user who raised a nice value with rights that he has lost: says the remedy. */
static int restore_as_nobody(const char *path)
{
	struct journal_text t;

	if (setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY))
		return 10;
	int rc = restore_journal(&w.env, path, false, &t, &err);
	if (rc != 1)
		return 11;
	if (restore_complain(&w.env, &t.list, path, &err) != -EACCES)
		return 12;
	bool ok =
	        strstr(err.text, "sudo xcsbench restore") && strstr(err.text, path) && exists(path);
	journal_text_fini(&t);
	return ok ? 0 : 13;
}

static void test_without_rights(void **state)
{
	int status;

	(void)state;
	need_root();
	struct victim v = victim_start(&w, 0, false, NOBODY);
	victim_set_nice(&v, 5);
	struct undo_item item = nice_item(&v, 0, 5);
	struct journal_head head = this_boot();
	char *path = leave_journal(&head, &item, 1);
	world_give(&w, NOBODY);
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0)
		_exit(restore_as_nobody(path));
	waitpid(pid, &status, 0);
	assert_int_equal(WIFEXITED(status) ? WEXITSTATUS(status) : 99, 0);
	assert_int_equal(victim_nice(&v), 5);
	if (setpriority(PRIO_PROCESS, 0, -1)) {
		victim_stop(&v);
		free(path);
		SKIP_BECAUSE("this root lacks CAP_SYS_NICE");
	}
	setpriority(PRIO_PROCESS, 0, 0);
	assert_outcome(path, 0, UNDO_RESTORED, "was put back from 5 to 0");
	assert_int_equal(victim_nice(&v), 0);
	victim_stop(&v);
	free(path);
}

/* Root restores from a user's journal only what that user could have changed. */
static void test_forged_by_user(void **state)
{
	(void)state;
	need_root();
	struct victim v = victim_start(&w, 0, false, 0);
	victim_set_nice(&v, 5);
	struct undo_item items[3] = {
	        nice_item(&v, -20, 5),
	        {.kind = UNDO_CHILD,  .pid = v.pid,       .pid_start_ticks = v.start_ticks},
	        {.kind = UNDO_SYSCTL, .before = {.n = 0}, .now = {.n = 1}                 },
	};
	struct journal_head head = this_boot();
	char *path = leave_journal(&head, items, 3);
	assert_int_equal(chown(path, NOBODY, NOBODY), 0);
	assert_outcome(path, 0, UNDO_FOREIGN, "is not of the user who wrote the journal");
	assert_int_equal(victim_nice(&v), 5);
	assert_int_equal(world_sysctl(&w), 1);
	assert_int_equal(waitpid(v.pid, NULL, WNOHANG), 0);
	victim_stop(&v);
	free(path);
}

/* A line of the whole machine that names a process of the user's does not become his. */
static void test_forged_with_own_process(void **state)
{
	(void)state;
	need_root();
	struct victim v = victim_start(&w, 0, false, NOBODY);
	const struct undo_item like = {.pid = v.pid, .pid_start_ticks = v.start_ticks};
	struct undo_item items[3] = {like, like, like};
	items[0].kind = UNDO_SYSCTL;
	items[0].now.n = 1;
	items[1].kind = UNDO_NMI_WATCHDOG;
	items[1].now.n = 1;
	items[2].kind = UNDO_GOVERNOR;
	items[2].tid = 3;
	strcpy(items[2].before.word, "powersave");
	strcpy(items[2].was.word, "powersave");
	strcpy(items[2].now.word, "schedutil");
	struct journal_head head = this_boot();
	char *path = leave_journal(&head, items, 3);
	assert_int_equal(chown(path, NOBODY, NOBODY), 0);
	assert_outcome(path, 0, UNDO_FOREIGN, "is not of the user who wrote the journal");
	assert_int_equal(world_sysctl(&w), 1);
	assert_world_file(WORLD_WATCHDOG, "1\n");
	assert_world_file(WORLD_GOVERNOR, "schedutil\n");
	victim_stop(&v);
	free(path);
}

/* A journal of a server that has ended, or never was. */
static char *leave_dpms(void)
{
	static char client[] = "0 DISPLAY=:7 XAUTHORITY=/a b/c";
	const struct undo_item item = {.kind = UNDO_DPMS,
	                               .pid = 7,
	                               .pid_start_ticks = 8,
	                               .before = {.word = "on"},
	                               .was = {.word = "on"},
	                               .now = {.word = "off"},
	                               .path = client};
	struct journal_head head = this_boot();

	return leave_journal(&head, &item, 1);
}

/* What is needed to speak to the X server is in the line, blanks and all. */
static void test_screen(void **state)
{
	struct journal_text t;

	(void)state;
	char *path = leave_dpms(), *text = read_text(path);
	assert_int_equal(journal_parse(xcs_str(text), &t, &err), 0);
	assert_int_equal(t.list.n, 1);
	assert_string_equal(t.list.v[0].path, "0 DISPLAY=:7 XAUTHORITY=/a b/c");
	assert_string_equal(t.list.v[0].before.word, "on");
	journal_text_fini(&t);
	assert_outcome(path, 0, UNDO_GONE, "has ended");
	free(text);
	free(path);
}

/* Root would take the cookie of whom the line names to a server of the writer's. */
static void test_forged_screen(void **state)
{
	(void)state;
	need_root();
	char *path = leave_dpms();
	assert_int_equal(chown(path, NOBODY, NOBODY), 0);
	assert_outcome(path, 0, UNDO_FOREIGN, "is not of the user who wrote the journal");
	free(path);
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, world_set_up, world_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(test_round_trip),
	        TEST(test_torn_anywhere),
	        TEST(test_damaged_line),
	        TEST(test_hostile_words),
	        TEST(test_forged_with_own_process),
	        TEST(test_screen),
	        TEST(test_forged_screen),
	        TEST(test_undone_lines),
	        TEST(test_lock),
	        TEST(test_rebooted),
	        TEST(test_pid_reused),
	        TEST(test_changed_by_others),
	        TEST(test_never_changed),
	        TEST(test_torn_file_restores),
	        TEST(test_no_journal),
	        TEST(test_folder_replaced),
	        TEST(test_folder_survives_boot),
	        TEST(test_without_rights),
	        TEST(test_forged_by_user),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
