/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The sampler and libproc2 on the machine at hand.
 */
#include <collectors/discover.h>
#include <collectors/recorder.h>
#include <collectors/snapshot.h>
#include <collectors/taskstats.h>
#include <common/alloc.h>
#include <common/file.h>
#include <common/task.h>
#include <common/units.h>

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct xcs_env env;

static int open_env(void **state)
{
	(void)state;
	return xcs_env_open(&env, NULL);
}

static int close_env(void **state)
{
	(void)state;
	xcs_env_close(&env);
	return 0;
}

static void read_ours(struct xcs_stat *s)
{
	struct xcs_buf text = {0};

	assert_int_equal(xcs_proc_read(&env, "stat", &text), 0);
	assert_int_equal(xcs_stat_parse(xcs_buf_str(&text), s), 0);
	xcs_buf_fini(&text);
}

/* libproc2's look lies between two of ours, so each of its counters must, too. */
static void our_parser_agrees_with_libproc2(void **state)
{
	struct xcs_stat before, theirs, after;

	(void)state;
	read_ours(&before);
	assert_int_equal(xcs_discover_stat(&theirs, NULL), 0);
	read_ours(&after);
	assert_in_range(theirs.ctxt_total, before.ctxt_total, after.ctxt_total);
	assert_in_range(theirs.intr_total, before.intr_total, after.intr_total);
	assert_in_range(theirs.forks_total, before.forks_total, after.forks_total);
	assert_int_equal(theirs.btime_s, after.btime_s);
	for (int t = 0; t < XCS_N_STAT_TICKS; t++) {
		/* Idle times may step back a tick or so between two reads. */
		int64_t slack = t == XCS_STAT_IDLE || t == XCS_STAT_IOWAIT ? 2 * before.n_cpus : 0;
		if (before.all.v[t] != XCS_ABSENT)
			assert_true(theirs.all.v[t] >= before.all.v[t] - slack &&
			            theirs.all.v[t] <= after.all.v[t] + slack);
	}
}

static void processes_are_found_with_their_identity(void **state)
{
	struct xcs_process_list list;
	struct xcs_task_id id;

	(void)state;
	assert_int_equal(xcs_task_id_read(&env, getpid(), getpid(), &id), 0);
	assert_int_equal(xcs_discover_processes(&list, NULL), 0);
	const struct xcs_process *p = xcs_process_find(&list, getpid(), (int64_t)id.start_ticks);
	assert_non_null(p);
	assert_string_equal(p->comm, id.comm);
	assert_null(xcs_process_find(&list, getpid(), (int64_t)id.start_ticks + 1));
	for (size_t i = 1; i < list.n; i++)
		assert_true(list.v[i - 1].pid < list.v[i].pid);
	xcs_process_list_fini(&list);
}

struct worker {
	pthread_t thread;
	sem_t started, finish;
};

static void *work(void *data)
{
	struct worker *w = data;

	sem_post(&w->started);
	sem_wait(&w->finish);
	return NULL;
}

static void start_worker(struct worker *w)
{
	sem_init(&w->started, 0, 0);
	sem_init(&w->finish, 0, 0);
	assert_int_equal(pthread_create(&w->thread, NULL, work, w), 0);
	sem_wait(&w->started);
}

static void finish_worker(struct worker *w)
{
	sem_post(&w->finish);
	pthread_join(w->thread, NULL);
}

/* pthread_join returns a little before the kernel has let go of the thread. */
static void await_threads(size_t n)
{
	int64_t deadline_ns = xcs_mono_now_ns() + 20 * XCS_NS_PER_S;
	pid_t *tids = NULL;
	size_t cap = 0;

	while (xcs_task_list(&env, getpid(), &tids, &cap) != (int)n) {
		assert_true(xcs_mono_now_ns() < deadline_ns);
		sched_yield();
	}
	free(tids);
}

static struct xcs_sampler *watch(pid_t pid)
{
	struct xcs_sampler_watch who = {.role = "subject", .pid = pid};
	struct xcs_sampler_spec spec = {
	        .env = &env, .watch = &who, .n_watch = 1, .reads = XCS_READ_FULL};
	struct xcs_sampler *s = NULL;

	assert_int_equal(xcs_sampler_new(&spec, &s, NULL), 0);
	return s;
}

static bool has_event(const struct xcs_sampler_view *v, const char *part)
{
	for (size_t i = 0; i < v->n_events; i++)
		if (strstr(v->events[i], part))
			return true;
	return false;
}

static void threads_come_and_go(void **state)
{
	struct worker w[2];

	(void)state;
	start_worker(&w[0]);
	struct xcs_sampler *s = watch(getpid());
	struct xcs_sampler_view v = xcs_sampler_view(s);
	size_t n_before = v.processes[0].n_live;
	start_worker(&w[1]);
	xcs_sampler_take(s, XCS_READ_FULL);
	v = xcs_sampler_view(s);
	assert_int_equal(v.processes[0].n_live, n_before + 1);
	assert_true(has_event(&v, "started"));
	assert_true(v.tasks[v.n_tasks - 1].now[XCS_TASK_SWITCHES_TOTAL] > 0);
	finish_worker(&w[1]);
	finish_worker(&w[0]);
	await_threads(n_before - 1);
	xcs_sampler_take(s, XCS_READ_FULL);
	v = xcs_sampler_view(s);
	assert_int_equal(v.processes[0].n_live, n_before - 1);
	assert_true(has_event(&v, "ended"));
	assert_false(v.processes[0].ended);
	xcs_sampler_free(s);
}

static void fallbacks_of_other_kernels(void **state)
{
	char root[] = "/tmp/xcs-collectors-XXXXXX";
	struct xcs_sampler_watch who = {.role = "subject", .pid = 4711};
	struct xcs_sampler *s = NULL;
	struct xcs_env saved;

	(void)state;
	assert_non_null(mkdtemp(root));
	char *task = xcs_xasprintf("%s/4711/task", root), *tid = xcs_xasprintf("%s/4711", task);
	char *stat = xcs_xasprintf("%s/stat", root);
	assert_int_equal(xcs_dir_make(task, 0700, NULL), 0);
	assert_int_equal(symlink(XCS_TEST_DATA "/proc/bmq", tid), 0);
	assert_int_equal(symlink(XCS_TEST_DATA "/proc/stat-2.6.11", stat), 0);
	assert_int_equal(xcs_env_open_at(&saved, root, NULL, NULL), 0);
	struct xcs_sampler_spec spec = {
	        .env = &saved, .watch = &who, .n_watch = 1, .reads = XCS_READ_FULL};
	assert_int_equal(xcs_sampler_new(&spec, &s, NULL), 0);
	struct xcs_sampler_view v = xcs_sampler_view(s);
	const int64_t *now = v.tasks[0].now;
	assert_int_equal(now[XCS_TASK_SOURCE], 2 | 4 | 8);
	assert_int_equal(now[XCS_TASK_SWITCHES_TOTAL], 9001);
	assert_int_equal(now[XCS_TASK_INVOLUNTARY_TOTAL], 1001);
	assert_int_equal(now[XCS_TASK_EXEC_NS], 52000123456);
	assert_int_equal(now[XCS_TASK_RUN_DELAY_NS], 777000999);
	assert_int_equal(now[XCS_TASK_MIGRATIONS_TOTAL], XCS_ABSENT);
	assert_int_equal(now[XCS_TASK_NICE], 5);
	assert_int_equal(v.system[XCS_SYSTEM_CTXT_TOTAL], 60006);
	assert_int_equal(v.system[XCS_SYSTEM_PSI_CPU_SOME_US], XCS_ABSENT);
	assert_int_equal(v.processes[0].io[XCS_IO_RCHAR_BYTES], XCS_ABSENT);
	xcs_sampler_free(s);
	xcs_env_close(&saved);
	assert_int_equal(xcs_dir_remove(root), 0);
	free(task);
	free(tid);
	free(stat);
}

static bool may_ask_taskstats(void)
{
	struct xcs_taskstats_socket socket;
	struct xcs_taskstats sums;

	bool may = xcs_taskstats_open(&socket) == 0 &&
	           xcs_taskstats_read(&socket, getpid(), &sums) == 0;
	xcs_taskstats_close(&socket);
	return may;
}

/* With the right to ask taskstats one row stands for all threads, ended ones included;
 * without it every thread has a row. */
static void many_threads(void **state)
{
	enum {
		N = 40
	};
	static struct worker w[N];

	(void)state;
	bool may = may_ask_taskstats();
	for (int i = 0; i < N; i++)
		start_worker(&w[i]);
	struct xcs_sampler *s = watch(getpid());
	struct xcs_sampler_view v = xcs_sampler_view(s);
	size_t main_task = v.processes[0].main_task;
	assert_int_equal(has_event(&v, "read as one"), may);
	assert_int_equal(v.n_tasks, may ? 1 : N + 1);
	assert_true(v.processes[0].n_live >= N + 1);
	int64_t before = v.tasks[main_task].now[XCS_TASK_SWITCHES_TOTAL];
	for (int i = 0; i < N; i++)
		finish_worker(&w[i]);
	await_threads(1);
	xcs_sampler_take(s, XCS_READ_FULL);
	v = xcs_sampler_view(s);
	assert_true(v.tasks[main_task].now[XCS_TASK_SWITCHES_TOTAL] >= before);
	assert_int_equal(v.processes[0].n_live, 1);
	assert_false(v.processes[0].ended);
	xcs_sampler_free(s);
}

static void switches_grow_and_agree_with_getrusage(void **state)
{
	int64_t before, after;
	int pipe_fds[2];

	(void)state;
	assert_int_equal(pipe(pipe_fds), 0);
	struct xcs_sampler *s = watch(getpid());
	struct xcs_sampler_view v = xcs_sampler_view(s);
	before = v.tasks[0].now[XCS_TASK_VOLUNTARY_TOTAL];
	for (int i = 0; i < 50; i++) {
		pid_t child = fork();
		if (child == 0)
			_exit(write(pipe_fds[1], "x", 1) == 1 ? 0 : 1);
		char c;
		assert_int_equal(read(pipe_fds[0], &c, 1), 1);
		assert_int_equal(waitpid(child, NULL, 0), child);
	}
	xcs_sampler_take(s, XCS_READ_FULL);
	v = xcs_sampler_view(s);
	after = v.tasks[0].now[XCS_TASK_VOLUNTARY_TOTAL];
	assert_true(after > before);
	assert_true(v.observer[XCS_OBSERVER_SWITCHES_TOTAL] >= after);
	xcs_sampler_free(s);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
}

static void a_dead_process_is_an_event(void **state)
{
	int hold[2];
	char c;

	(void)state;
	assert_int_equal(pipe(hold), 0);
	pid_t child = fork();
	if (child == 0) {
		close(hold[1]);
		_exit(read(hold[0], &c, 1) < 0);
	}
	struct xcs_sampler *s = watch(child);
	close(hold[1]);
	siginfo_t info;
	assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
	xcs_sampler_check_alive(s); /* a zombie: its files are still there */
	struct xcs_sampler_view v = xcs_sampler_view(s);
	assert_true(v.processes[0].ended);
	assert_true(has_event(&v, "subject: process"));
	assert_int_equal(waitpid(child, NULL, 0), child);
	int64_t last = v.tasks[0].now[XCS_TASK_EXEC_NS];
	xcs_sampler_take(s, XCS_READ_FULL);
	v = xcs_sampler_view(s);
	assert_true(v.tasks[0].ended);
	assert_int_equal(v.tasks[0].now[XCS_TASK_EXEC_NS], last);
	xcs_sampler_free(s);
	close(hold[0]);
}

static void a_window_is_recorded(void **state)
{
	struct xcs_recorder_stop stop = {0};
	struct xcs_trial_data trial = {0};
	struct xcs_recorder_spec spec = {
	        .period_ns = 5 * XCS_NS_PER_MS, .n_samples = 7, .stop = &stop};

	(void)state;
	struct xcs_sampler *s = watch(getpid());
	assert_true(xcs_recorder_run(s, &spec, &trial));
	const struct xcs_table *o = &trial.tables[XCS_TRIAL_OBSERVER];
	assert_int_equal(o->n_rows, 8);
	assert_int_equal(xcs_table_get(o, 0, XCS_OBSERVER_FULL), 1);
	assert_int_equal(xcs_table_get(o, 3, XCS_OBSERVER_FULL), 0);
	assert_int_equal(xcs_table_get(o, 7, XCS_OBSERVER_FULL), 1);
	assert_int_equal(xcs_table_get(o, 0, XCS_OBSERVER_WAKEUPS_TOTAL), 0);
	assert_int_equal(xcs_table_get(o, 7, XCS_OBSERVER_WAKEUPS_TOTAL), 7);
	const struct xcs_table *tasks = &trial.tables[XCS_TRIAL_TASK];
	assert_int_equal(tasks->n_rows, 8 * trial.n_tasks);
	bool may = may_ask_taskstats();
	for (size_t r = 0; r < tasks->n_rows; r++) {
		bool at_end = r < trial.n_tasks || r >= 7 * trial.n_tasks;
		int64_t tick_ns = xcs_table_get(tasks, r, XCS_TASK_TICK_NS);
		assert_int_equal(tick_ns != XCS_ABSENT, at_end && may);
	}
	assert_int_equal(trial.tables[XCS_TRIAL_IO].n_rows, 2);
	for (size_t r = 1; r < o->n_rows; r++)
		assert_true(xcs_table_get(o, r, XCS_OBSERVER_MONO_NS) -
		                    xcs_table_get(o, r - 1, XCS_OBSERVER_MONO_NS) >
		            0);
	xcs_trial_fini(&trial);
	xcs_sampler_free(s);
}

static void a_stopped_window_keeps_what_it_has(void **state)
{
	struct xcs_recorder_stop stop = {0};
	struct xcs_trial_data trial = {0};
	struct xcs_recorder_spec spec = {
	        .period_ns = 3600 * XCS_NS_PER_S, .n_samples = 9, .stop = &stop};

	(void)state;
	struct xcs_sampler *s = watch(getpid());
	xcs_recorder_request_stop(&stop); /* an hour would pass if this were lost */
	assert_false(xcs_recorder_run(s, &spec, &trial));
	assert_int_equal(trial.tables[XCS_TRIAL_SYSTEM].n_rows, 2);
	assert_int_equal(trial.n_events, 1);
	assert_int_equal(xcs_table_get(&trial.tables[XCS_TRIAL_OBSERVER], 1, XCS_OBSERVER_FULL), 1);
	xcs_trial_fini(&trial);
	xcs_sampler_free(s);
}

static void missed_samples_are_counted(void **state)
{
	struct xcs_recorder_stop stop = {0};
	int64_t next = 1, late_ns = 0, missed = 0;

	(void)state;
	int64_t start_ns = xcs_mono_now_ns() - 10 * XCS_NS_PER_S - XCS_NS_PER_MS * 500;
	assert_true(xcs_recorder_wait(&stop, start_ns, XCS_NS_PER_S, &next, &late_ns, &missed));
	assert_true(missed >= 10);
	assert_int_equal(next, missed + 2);
	assert_true(late_ns >= 0);
}

static void a_missing_process_is_refused(void **state)
{
	struct xcs_sampler_watch who = {.role = "ghost", .pid = INT32_MAX};
	struct xcs_sampler_spec spec = {
	        .env = &env, .watch = &who, .n_watch = 1, .reads = XCS_READ_FULL};
	struct xcs_sampler *s = NULL;
	struct xcs_err err = {0};

	(void)state;
	assert_true(xcs_sampler_new(&spec, &s, &err) < 0);
	assert_string_equal(err.text, "ghost: there is no process 2147483647");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(our_parser_agrees_with_libproc2),
	        cmocka_unit_test(processes_are_found_with_their_identity),
	        cmocka_unit_test(threads_come_and_go),
	        cmocka_unit_test(fallbacks_of_other_kernels),
	        cmocka_unit_test(many_threads),
	        cmocka_unit_test(switches_grow_and_agree_with_getrusage),
	        cmocka_unit_test(a_dead_process_is_an_event),
	        cmocka_unit_test(a_window_is_recorded),
	        cmocka_unit_test(a_stopped_window_keeps_what_it_has),
	        cmocka_unit_test(missed_samples_are_counted),
	        cmocka_unit_test(a_missing_process_is_refused),
	};

	return cmocka_run_group_tests(tests, open_env, close_env);
}
