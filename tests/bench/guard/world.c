/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "world.h"
#include "../../common/cmocka_test.h"

#include <common/alloc.h>
#include <common/file.h>
#include <common/task.h>

#include <dirent.h>
#include <fcntl.h>
#include <fts.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct world w;
struct xcs_err err;

/* Tests of an assert() that does nothing would pass for ever. */
#define MUST(fact)                                                                 \
	do {                                                                       \
		if (!(fact)) {                                                     \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #fact); \
			abort();                                                   \
		}                                                                  \
	} while (0)

static void make_dir(const char *dir, const char *rel)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/%s", dir, rel);
	MUST(xcs_dir_make(path, 0755, NULL) == 0);
}

void world_write(const struct world *world, const char *rel, const char *text)
{
	char path[160];

	snprintf(path, sizeof(path), "%s%s", world->dir, rel);
	MUST(xcs_file_write(path, text, strlen(text), NULL) == 0);
}

static void make_proc(const struct world *world)
{
	char path[160];

	make_dir(world->dir, "proc/sys/kernel");
	snprintf(path, sizeof(path), "%s/proc/sys/kernel/sched_autogroup_enabled", world->dir);
	MUST(xcs_file_write(path, "1\n", 2, NULL) == 0);
	world_write(world, WORLD_WATCHDOG, "1\n");
	snprintf(path, sizeof(path), "%s/proc/sys/kernel/random", world->dir);
	MUST(symlink("/proc/sys/kernel/random", path) == 0);
}

static void make_sys(const struct world *world)
{
	make_dir(world->dir, "sys/devices/system/cpu/cpufreq/policy3");
	world_write(world, WORLD_GOVERNOR, "schedutil\n");
	world_write(world, WORLD_PREFERENCE, "128\n");
}

void world_init(struct world *world)
{
	*world = (struct world){.dir = "/tmp/xcs-guard-test.XXXXXX"};
	MUST(mkdtemp(world->dir));
	MUST(chmod(world->dir, 0755) == 0);
	snprintf(world->journals, sizeof(world->journals), "%s/journals", world->dir);
	snprintf(world->temp, sizeof(world->temp), "%s/temp", world->dir);
	make_dir(world->dir, "temp");
	make_proc(world);
	char proc[96], sys[96];
	make_sys(world);
	snprintf(sys, sizeof(sys), "%s/sys", world->dir);
	snprintf(proc, sizeof(proc), "%s/proc", world->dir);
	MUST(xcs_env_open_at(&world->env, proc, sys, NULL) == 0);
	world->spec = (struct guard_spec){.program = XCS_LIBEXEC_DIR "/xcs-guard",
	                                  .journals = world->journals,
	                                  .temp_parent = world->temp};
}

void world_fini(struct world *world)
{
	xcs_env_close(&world->env);
	MUST(xcs_dir_remove(world->dir) == 0);
}

static int scan(const struct world *world, char **path)
{
	DIR *dir = opendir(world->journals);
	struct dirent *e;
	int n = 0;

	while (dir && (e = readdir(dir))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (path && n == 0)
			*path = xcs_xasprintf("%s/%s", world->journals, e->d_name);
		n++;
	}
	if (dir)
		closedir(dir);
	return n;
}

int world_n_journals(const struct world *world)
{
	return scan(world, NULL);
}

char *world_journal_dup(const struct world *world)
{
	char *path = NULL;

	MUST(scan(world, &path) == 1);
	return path;
}

int world_sysctl(const struct world *world)
{
	struct xcs_buf text = {0};
	int64_t v = -1;

	MUST(xcs_proc_read(&world->env, "sys/kernel/sched_autogroup_enabled", &text) == 0);
	xcs_str_i64(xcs_str_trim(xcs_buf_str(&text)), &v);
	xcs_buf_fini(&text);
	return (int)v;
}

void world_give(const struct world *world, uid_t uid)
{
	char *const roots[] = {(char *)(uintptr_t)world->dir, NULL};
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	const FTSENT *e;

	MUST(tree);
	while ((e = fts_read(tree)))
		MUST(lchown(e->fts_path, uid, uid) == 0);
	fts_close(tree);
}

static void *wait_for_ever(void *data)
{
	for (;;)
		pause();
	return data;
}

static void add_thread(void)
{
	pthread_t t;
	char done = 'd';

	MUST(pthread_create(&t, NULL, wait_for_ever, NULL) == 0);
	MUST(write(STDOUT_FILENO, &done, 1) == 1);
}

static _Noreturn void victim_run(int n_threads, bool new_session, uid_t uid, int in, int out)
{
	const struct rlimit none = {0, 0};
	char c;

	MUST(setrlimit(RLIMIT_NICE, &none) == 0);
	if (new_session)
		setsid();
	if (uid != getuid() && (setresgid(uid, uid, uid) || setresuid(uid, uid, uid)))
		_exit(1);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* the change of user would clear it */
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	close_range(3, ~0U, 0);
	MUST(write(STDOUT_FILENO, "r", 1) == 1);
	for (int i = 0; i < n_threads; i++)
		add_thread();
	while (read(STDIN_FILENO, &c, 1) == 1)
		add_thread();
	for (;;)
		pause();
}

static void hear(const struct victim *v, int n)
{
	char c;

	while (n-- > 0)
		MUST(read(v->answer_fd, &c, 1) == 1);
}

struct victim victim_start(struct world *world, int n_threads, bool new_session, uid_t uid)
{
	int to[2], from[2];
	struct xcs_task_id id;
	struct xcs_env real;
	char path[160], target[32];

	MUST(pipe2(to, O_CLOEXEC) == 0 && pipe2(from, O_CLOEXEC) == 0);
	pid_t pid = fork();
	MUST(pid >= 0);
	if (pid == 0)
		victim_run(n_threads, new_session, uid, to[0], from[1]);
	close(to[0]);
	close(from[1]);
	struct victim v = {.pid = pid, .command_fd = to[1], .answer_fd = from[0]};
	hear(&v, 1 + n_threads);
	MUST(xcs_env_open(&real, NULL) == 0);
	MUST(xcs_task_id_read(&real, pid, pid, &id) == 0);
	xcs_env_close(&real);
	v.start_ticks = id.start_ticks;
	snprintf(path, sizeof(path), "%s/proc/%d", world->dir, (int)pid);
	snprintf(target, sizeof(target), "/proc/%d", (int)pid);
	MUST(symlink(target, path) == 0);
	return v;
}

void victim_add_thread(struct victim *v)
{
	MUST(write(v->command_fd, "t", 1) == 1);
	hear(v, 1);
}

void victim_stop(struct victim *v)
{
	kill(v->pid, SIGKILL);
	waitpid(v->pid, NULL, 0);
	close(v->command_fd);
	close(v->answer_fd);
}

static int list(const struct victim *v, pid_t **tids)
{
	struct xcs_env real;
	size_t cap = 0;

	MUST(xcs_env_open(&real, NULL) == 0);
	int n = xcs_task_list(&real, v->pid, tids, &cap);
	xcs_env_close(&real);
	return n;
}

int victim_nice(const struct victim *v)
{
	pid_t *tids = NULL;
	int n = list(v, &tids), nice = 99;

	for (int i = 0; i < n; i++) {
		int one = getpriority(PRIO_PROCESS, (id_t)tids[i]);
		if (i > 0 && one != nice) {
			nice = 99;
			break;
		}
		nice = one;
	}
	free(tids);
	return nice;
}

void victim_set_nice(const struct victim *v, int nice)
{
	pid_t *tids = NULL;
	int n = list(v, &tids);

	for (int i = 0; i < n; i++)
		MUST(setpriority(PRIO_PROCESS, (id_t)tids[i], nice) == 0);
	free(tids);
}

int open_pidfd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

bool wait_for_end(int pidfd)
{
	struct pollfd p = {.fd = pidfd, .events = POLLIN};
	bool ended = pidfd < 0 || poll(&p, 1, 10000) == 1;

	if (pidfd >= 0)
		close(pidfd);
	return ended;
}

char *make_temp(const char *name)
{
	char *path = xcs_xasprintf("%s/%s", w.temp, name);
	char *below = xcs_xasprintf("%s/a/b", path);
	char *file = xcs_xasprintf("%s/file", below);

	assert_ok(xcs_dir_make(below, 0700, &err));
	assert_ok(xcs_file_write(file, "x", 1, &err));
	free(below);
	free(file);
	return path;
}

bool exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

int world_set_up(void **state)
{
	(void)state;
	/* The tests speak of nice 0; a suite that was started niced may go back to it or not. */
	if (getpriority(PRIO_PROCESS, 0) != 0 && setpriority(PRIO_PROCESS, 0, 0)) {
		print_message("skip: started at nice %d, and without the right to nice 0\n",
		              getpriority(PRIO_PROCESS, 0));
		skip();
	}
	world_init(&w);
	err = (struct xcs_err){""};
	return 0;
}

int world_tear_down(void **state)
{
	(void)state;
	world_fini(&w);
	return 0;
}

/* Root in a container may lack CAP_SYS_NICE, so it is tried out, in a process that ends. */
bool may_lower_nice(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(setpriority(PRIO_PROCESS, 0, -20) ? 1 : 0);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void need_rights(void)
{
	if (may_lower_nice())
		return;
	print_message("skipped: lowering a nice value takes root or CAP_SYS_NICE\n");
	skip();
}

struct guard *start_guard(void)
{
	struct guard *g;

	if (guard_start(&g, &w.env, &w.spec, &err))
		fail_msg("%s", err.text);
	return g;
}

int set_knob(struct guard *g, enum guard_knob knob, int index)
{
	const struct guard_setting s = {.knob = knob, .index = index};

	return guard_set_knob(g, &s, &err);
}

void assert_ok(int rc)
{
	if (rc)
		fail_msg("%d: %s", rc, err.text);
}

void assert_says(const char *part)
{
	if (!strstr(err.text, part))
		fail_msg("'%s' does not say '%s'", err.text, part);
}

void assert_world_file(const char *rel, const char *want)
{
	struct xcs_buf text = {0};
	char path[160];

	snprintf(path, sizeof(path), "%s%s", w.dir, rel);
	MUST(xcs_file_read_at(AT_FDCWD, path, &text) == 0);
	assert_string_equal(text.p, want);
	xcs_buf_fini(&text);
}
