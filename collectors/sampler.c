/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sampler_private.h"

#include <collectors/io.h>
#include <collectors/psi.h>
#include <collectors/schedstat.h>
#include <collectors/stat.h>
#include <collectors/taskstats.h>
#include <common/alloc.h>
#include <common/task.h>
#include <common/units.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <unistd.h>

#define FIRST_BUF_BYTES 16384

/* Above this a process is read as one, if we may: 4 us for all of its threads against 8 us
 * for each; but what each of them does is lost then. */
#define MANY_THREADS 32

/* Per process, beside what the view shows. */
struct process_files {
	int io_fd;
	bool as_one; /* threads summed by taskstats; its main task holds the sums */
	bool relist; /* the number of threads has changed, or one of them is gone */
};

struct xcs_sampler {
	const struct xcs_env *env;
	unsigned reads;
	bool has_cpus;
	struct xcs_cpuset cpus;
	int stat_fd, psi_fd, schedstat_fd;
	struct xcs_taskstats_socket taskstats;
	int n_cpus;
	struct xcs_read_buf buf;
	struct xcs_sampler_process *processes;
	struct process_files *process_files;
	struct pollfd *pidfds;
	size_t n_processes, cap_processes, cap_process_files, cap_pidfds;
	struct xcs_sampler_task *tasks;
	struct xcs_task_files *task_files;
	size_t n_tasks, cap_tasks, cap_task_files;
	pid_t *tids;
	size_t cap_tids;
	char **events;
	size_t n_events, cap_events;
	int64_t system[XCS_N_SYSTEM_COLUMNS], observer[XCS_N_OBSERVER_COLUMNS];
};

static void set_absent(int64_t *row, int n)
{
	for (int i = 0; i < n; i++)
		row[i] = XCS_ABSENT;
}

__attribute__((format(printf, 2, 3))) static void add_event(struct xcs_sampler *s, const char *fmt,
                                                            ...)
{
	struct xcs_buf text = {0};
	va_list ap;

	va_start(ap, fmt);
	xcs_buf_vprintf(&text, fmt, ap);
	va_end(ap);
	s->events = xcs_xgrow(s->events, s->n_events, &s->cap_events, sizeof(*s->events));
	s->events[s->n_events++] = xcs_buf_take(&text);
}

static void end_process(struct xcs_sampler *s, size_t p)
{
	struct xcs_sampler_process *proc = &s->processes[p];

	if (proc->ended)
		return;
	proc->ended = true;
	add_event(s, "%s: process %d (%s) ended", proc->watch.role, (int)proc->watch.pid,
	          proc->comm);
}

static void end_task(struct xcs_sampler *s, size_t t)
{
	struct xcs_sampler_task *task = &s->tasks[t];
	struct xcs_sampler_process *proc = &s->processes[task->process];

	task->ended = true;
	xcs_task_files_close(&s->task_files[t]);
	proc->n_live = s->process_files[task->process].as_one ? 0 : proc->n_live - 1;
	s->process_files[task->process].relist = true;
	if (t != proc->main_task)
		add_event(s, "%s: thread %d (%s) ended; its last counts are a lower bound",
		          proc->watch.role, (int)task->id.tid, task->id.comm);
}

/* Starts to read thread tid, unless it is gone again: then that is no event. */
static int start_task(struct xcs_sampler *s, size_t p, const struct xcs_task_id *id)
{
	struct xcs_sampler_process *proc = &s->processes[p];
	struct xcs_task_files files;

	int rc = xcs_task_files_open(s->env, proc->watch.pid, id->tid, s->reads, &s->buf, &files);
	if (rc == -EMFILE || rc == -ENFILE)
		add_event(s, "%s: thread %d is not read: out of file descriptors", proc->watch.role,
		          (int)id->tid);
	if (rc < 0)
		return rc;
	s->tasks = xcs_xgrow(s->tasks, s->n_tasks, &s->cap_tasks, sizeof(*s->tasks));
	s->task_files =
	        xcs_xgrow(s->task_files, s->n_tasks, &s->cap_task_files, sizeof(*s->task_files));
	struct xcs_sampler_task *task = &s->tasks[s->n_tasks];
	*task = (struct xcs_sampler_task){
	        .id = {.pid = proc->watch.pid, .tid = id->tid, .start_ticks = id->start_ticks},
	        .process = p,
	};
	snprintf(task->id.role, sizeof(task->id.role), "%s", proc->watch.role);
	snprintf(task->id.comm, sizeof(task->id.comm), "%s", id->comm);
	set_absent(task->now, XCS_N_TASK_COLUMNS);
	task->now[XCS_TASK_INDEX] = (int64_t)s->n_tasks;
	s->task_files[s->n_tasks++] = files;
	proc->n_live++;
	return 0;
}

static bool is_known(const struct xcs_sampler *s, size_t p, pid_t tid)
{
	for (size_t t = s->processes[p].main_task; t < s->n_tasks; t++)
		if (s->tasks[t].process == p && s->tasks[t].id.tid == tid && !s->tasks[t].ended)
			return true;
	return false;
}

/* The main thread's own files give nice and policy, taskstats the sums. */
static void read_as_one(struct xcs_sampler *s, size_t t, unsigned reads)
{
	struct xcs_sampler_task *task = &s->tasks[t];
	int64_t *now = task->now, n_threads = XCS_ABSENT;
	struct xcs_taskstats v;

	/* An error other than that is for this sample only, and its cells stay absent. */
	int rc = xcs_taskstats_read(&s->taskstats, task->id.pid, &v);
	if (rc == -ESRCH || xcs_task_files_read(s->env, &s->task_files[t], reads & XCS_READ_SCHED,
	                                        &s->buf, now, &n_threads)) {
		end_task(s, t);
		return;
	}
	if (n_threads != XCS_ABSENT)
		s->processes[task->process].n_live = (size_t)n_threads;
	if (now[XCS_TASK_MONO_NS] == XCS_ABSENT)
		now[XCS_TASK_MONO_NS] = xcs_env_mono_ns(s->env);
	set_absent(&now[XCS_TASK_SWITCHES_TOTAL], XCS_TASK_NICE - XCS_TASK_SWITCHES_TOTAL);
	if (rc)
		return;
	now[XCS_TASK_SWITCHES_TOTAL] = v.voluntary_total + v.involuntary_total;
	now[XCS_TASK_VOLUNTARY_TOTAL] = v.voluntary_total;
	now[XCS_TASK_INVOLUNTARY_TOTAL] = v.involuntary_total;
	now[XCS_TASK_EXEC_NS] = v.exec_ns;
	now[XCS_TASK_RUN_DELAY_NS] = v.run_delay_ns;
	now[XCS_TASK_TIMESLICES_TOTAL] = v.timeslices;
	now[XCS_TASK_SOURCE] |= XCS_SOURCE_TASKSTATS;
}

static bool may_ask_taskstats(struct xcs_sampler *s)
{
	return s->taskstats.fd > 0 ||
	       (s->taskstats.fd == 0 && xcs_taskstats_open(&s->taskstats) == 0);
}

/* Right behind the thread's other counters, so that both tell the same time. */
static void read_ticks(struct xcs_sampler *s, size_t t)
{
	struct xcs_sampler_task *task = &s->tasks[t];
	bool as_one = s->process_files[task->process].as_one;
	struct xcs_taskstats v;

	if (task->ended || !may_ask_taskstats(s))
		return;
	int rc = as_one ? xcs_taskstats_read(&s->taskstats, task->id.pid, &v)
	                : xcs_taskstats_read_thread(&s->taskstats, task->id.tid, &v);
	if (rc == 0)
		task->now[XCS_TASK_TICK_NS] = v.tick_ns;
	else if (rc == -EPERM)
		xcs_taskstats_close(&s->taskstats); /* fd -1: not asked again */
}

static void read_task(struct xcs_sampler *s, size_t t, unsigned reads)
{
	if (s->process_files[s->tasks[t].process].as_one) {
		read_as_one(s, t, reads);
		return;
	}
	struct xcs_sampler_task *task = &s->tasks[t];
	struct xcs_sampler_process *proc = &s->processes[task->process];
	int64_t n_threads = XCS_ABSENT;

	if (xcs_task_files_read(s->env, &s->task_files[t], reads, &s->buf, task->now, &n_threads)) {
		end_task(s, t);
		return;
	}
	if (t == proc->main_task && n_threads != XCS_ABSENT && n_threads != (int64_t)proc->n_live)
		s->process_files[task->process].relist = true;
}

/* True when process p, seen for the first time, is to be read through taskstats. */
static bool choose_as_one(struct xcs_sampler *s, size_t p, int n_threads)
{
	struct xcs_sampler_process *proc = &s->processes[p];
	struct xcs_taskstats v;

	if (n_threads <= MANY_THREADS || !(s->reads & XCS_READ_SCHED))
		return false;
	if (!may_ask_taskstats(s) || xcs_taskstats_read(&s->taskstats, proc->watch.pid, &v))
		return false;
	add_event(s, "%s: %d threads are read as one, through taskstats; ended ones included",
	          proc->watch.role, n_threads);
	return true;
}

/* Lists the threads again: new ones are opened and, in a running series, read at once. */
static int relist(struct xcs_sampler *s, size_t p, unsigned reads)
{
	struct xcs_sampler_process *proc = &s->processes[p];
	struct xcs_task_id id;

	s->process_files[p].relist = false;
	int n = xcs_task_list(s->env, proc->watch.pid, &s->tids, &s->cap_tids);
	if (n < 0)
		return n;
	if (!reads)
		s->process_files[p].as_one = choose_as_one(s, p, n);
	for (int i = 0; i < n; i++) {
		if (s->process_files[p].as_one && (reads || s->tids[i] != proc->watch.pid))
			continue;
		if (is_known(s, p, s->tids[i]) ||
		    xcs_task_id_read(s->env, proc->watch.pid, s->tids[i], &id) ||
		    start_task(s, p, &id))
			continue;
		if (!reads)
			continue;
		add_event(s, "%s: thread %d (%s) started", proc->watch.role, (int)id.tid, id.comm);
		read_task(s, s->n_tasks - 1, reads);
	}
	return proc->n_live ? 0 : -ESRCH;
}

static void relist_changed(struct xcs_sampler *s, unsigned reads)
{
	for (size_t p = 0; p < s->n_processes; p++)
		if (s->process_files[p].relist && !s->processes[p].ended && relist(s, p, reads))
			end_process(s, p);
}

static void read_system(struct xcs_sampler *s, unsigned reads)
{
	int rc;
	struct xcs_stat v;
	struct xcs_cpu_ticks set;
	int64_t *row = s->system;

	set_absent(row, XCS_N_SYSTEM_COLUMNS);
	struct xcs_str text = xcs_read_kept(s->stat_fd, &s->buf, &rc);
	row[XCS_SYSTEM_MONO_NS] = xcs_env_mono_ns(s->env);
	if (rc == 0 && xcs_stat_parse_set(text, s->has_cpus ? &s->cpus : NULL, &v, &set) == 0) {
		row[XCS_SYSTEM_CTXT_TOTAL] = v.ctxt_total;
		row[XCS_SYSTEM_INTR_TOTAL] = v.intr_total;
		row[XCS_SYSTEM_PROCS_RUNNING] = v.procs_running;
		row[XCS_SYSTEM_PROCS_BLOCKED] = v.procs_blocked;
		memcpy(&row[XCS_SYSTEM_USER_TICKS], v.all.v, sizeof(v.all.v));
		memcpy(&row[XCS_SYSTEM_SET_USER_TICKS], (s->has_cpus ? &set : &v.all)->v,
		       sizeof(set.v));
		if (s->n_cpus && v.n_cpus != s->n_cpus)
			add_event(s, "CPUs online changed from %d to %d", s->n_cpus, v.n_cpus);
		s->n_cpus = v.n_cpus;
	}
	if (s->schedstat_fd >= 0 && reads & XCS_READ_TICKS) {
		text = xcs_read_kept(s->schedstat_fd, &s->buf, &rc);
		if (rc == 0)
			(void)xcs_schedstat_parse_cpus(text, &s->cpus, &row[XCS_SYSTEM_SET_RUN_NS]);
	}
	if (s->psi_fd < 0 || !(reads & XCS_READ_PSI))
		return;
	struct xcs_psi psi;
	text = xcs_read_kept(s->psi_fd, &s->buf, &rc);
	if (rc == 0 && xcs_psi_parse(text, &psi) == 0)
		row[XCS_SYSTEM_PSI_CPU_SOME_US] = psi.some_total_us;
}

static void read_io(struct xcs_sampler *s, size_t p)
{
	struct xcs_sampler_process *proc = &s->processes[p];
	struct xcs_io v;
	int rc;

	set_absent(proc->io, XCS_N_IO_COLUMNS);
	if (s->process_files[p].io_fd < 0 || proc->ended)
		return;
	struct xcs_str text = xcs_read_kept(s->process_files[p].io_fd, &s->buf, &rc);
	if (rc || xcs_io_parse(text, &v))
		return;
	proc->io[XCS_IO_MONO_NS] = xcs_env_mono_ns(s->env);
	proc->io[XCS_IO_TASK_INDEX] = (int64_t)proc->main_task;
	proc->io[XCS_IO_RCHAR_BYTES] = v.rchar_bytes;
	proc->io[XCS_IO_WCHAR_BYTES] = v.wchar_bytes;
}

/* One call for both own costs, those of the calling thread: it is our only one, and to sum
 * over threads takes the kernel twice the time. utime and stime are scaled to the exact run
 * time, so their sum is good to 2 us (kernel/sched/cputime.c, cputime_adjust). */
static void read_observer(struct xcs_sampler *s)
{
	struct rusage r;

	set_absent(s->observer, XCS_N_OBSERVER_COLUMNS);
	s->observer[XCS_OBSERVER_MONO_NS] = s->system[XCS_SYSTEM_MONO_NS];
	if (getrusage(RUSAGE_THREAD, &r))
		return;
	s->observer[XCS_OBSERVER_CPU_NS] =
	        (r.ru_utime.tv_sec + r.ru_stime.tv_sec) * XCS_NS_PER_S +
	        (r.ru_utime.tv_usec + r.ru_stime.tv_usec) * XCS_NS_PER_US;
	s->observer[XCS_OBSERVER_SWITCHES_TOTAL] = r.ru_nvcsw + r.ru_nivcsw;
}

void xcs_sampler_take(struct xcs_sampler *s, unsigned reads)
{
	size_t n_tasks = s->n_tasks; /* relisting reads its new ones itself */

	read_system(s, reads);
	for (size_t t = 0; t < n_tasks; t++)
		if (!s->tasks[t].ended) {
			read_task(s, t, reads);
			if (reads & XCS_READ_TICKS)
				read_ticks(s, t);
		}
	relist_changed(s, reads);
	for (size_t p = 0; reads & XCS_READ_IO && p < s->n_processes; p++)
		read_io(s, p);
	read_observer(s);
}

void xcs_sampler_check_alive(struct xcs_sampler *s)
{
	if (!s->n_processes || poll(s->pidfds, s->n_processes, 0) <= 0)
		return;
	for (size_t p = 0; p < s->n_processes; p++)
		if (s->pidfds[p].revents & (POLLIN | POLLHUP))
			end_process(s, p);
}

static void close_process(struct xcs_sampler *s, size_t p)
{
	if (s->process_files[p].io_fd >= 0)
		close(s->process_files[p].io_fd);
	if (s->pidfds[p].fd >= 0)
		close(s->pidfds[p].fd);
}

int xcs_sampler_add(struct xcs_sampler *s, const struct xcs_sampler_watch *watch,
                    struct xcs_err *err)
{
	struct xcs_task_id id;
	char rel[64];
	size_t p = s->n_processes;

	int rc = xcs_task_id_read(s->env, watch->pid, watch->pid, &id);
	if (rc)
		return xcs_err_set(err, rc, "%s: there is no process %d", watch->role,
		                   (int)watch->pid);
	s->processes = xcs_xgrow(s->processes, p, &s->cap_processes, sizeof(*s->processes));
	s->process_files =
	        xcs_xgrow(s->process_files, p, &s->cap_process_files, sizeof(*s->process_files));
	s->pidfds = xcs_xgrow(s->pidfds, p, &s->cap_pidfds, sizeof(*s->pidfds));
	s->processes[p] = (struct xcs_sampler_process){.watch = *watch, .main_task = s->n_tasks};
	memcpy(s->processes[p].comm, id.comm, sizeof(id.comm));
	snprintf(rel, sizeof(rel), "%d/io", (int)watch->pid);
	int io_fd =
	        s->reads & XCS_READ_IO ? openat(s->env->proc_fd, rel, O_RDONLY | O_CLOEXEC) : -1;
	s->process_files[p] = (struct process_files){.io_fd = io_fd};
	s->pidfds[p] = (struct pollfd){.fd = pidfd_open(watch->pid, 0), .events = POLLIN};
	s->n_processes++;
	rc = relist(s, p, 0);
	if (rc == 0)
		return 0;
	close_process(s, p);
	s->n_processes--;
	return xcs_err_set(err, rc, "%s: process %d has no readable counters", watch->role,
	                   (int)watch->pid);
}

/* A thousand threads are two thousand descriptors; the soft limit is often 1,024. */
static void raise_fd_limit(void)
{
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim) == 0 && lim.rlim_cur < lim.rlim_max) {
		lim.rlim_cur = lim.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &lim);
	}
}

int xcs_sampler_new(const struct xcs_sampler_spec *spec, struct xcs_sampler **out,
                    struct xcs_err *err)
{
	struct xcs_sampler *s = xcs_xcalloc(1, sizeof(*s));
	int rc = 0;

	raise_fd_limit();
	*s = (struct xcs_sampler){
	        .env = spec->env,
	        .reads = spec->reads,
	        .has_cpus = spec->cpus && xcs_cpuset_count(spec->cpus) > 0,
	        .stat_fd = openat(spec->env->proc_fd, "stat", O_RDONLY | O_CLOEXEC),
	        .schedstat_fd = openat(spec->env->proc_fd, "schedstat", O_RDONLY | O_CLOEXEC),
	        .psi_fd = spec->reads & XCS_READ_PSI
	                          ? openat(spec->env->proc_fd, "pressure/cpu", O_RDONLY | O_CLOEXEC)
	                          : -1,
	        .buf = {xcs_xmalloc(FIRST_BUF_BYTES), FIRST_BUF_BYTES},
	};
	if (s->has_cpus)
		s->cpus = *spec->cpus;
	if (s->stat_fd < 0)
		rc = xcs_err_sys(err, -errno, "cannot open stat in the process tree");
	for (size_t i = 0; rc == 0 && i < spec->n_watch; i++)
		rc = xcs_sampler_add(s, &spec->watch[i], err);
	if (rc) {
		xcs_sampler_free(s);
		return rc;
	}
	xcs_sampler_take(s, s->reads);
	*out = s;
	return 0;
}

void xcs_sampler_free(struct xcs_sampler *s)
{
	if (!s)
		return;
	for (size_t t = 0; t < s->n_tasks; t++)
		xcs_task_files_close(&s->task_files[t]);
	for (size_t p = 0; p < s->n_processes; p++)
		close_process(s, p);
	for (size_t i = 0; i < s->n_events; i++)
		free(s->events[i]);
	xcs_taskstats_close(&s->taskstats);
	if (s->stat_fd >= 0)
		close(s->stat_fd);
	if (s->psi_fd >= 0)
		close(s->psi_fd);
	if (s->schedstat_fd >= 0)
		close(s->schedstat_fd);
	free(s->events);
	free(s->tids);
	free(s->tasks);
	free(s->task_files);
	free(s->processes);
	free(s->process_files);
	free(s->pidfds);
	free(s->buf.p);
	free(s);
}

struct xcs_sampler_view xcs_sampler_view(const struct xcs_sampler *s)
{
	return (struct xcs_sampler_view){
	        .system = s->system,
	        .observer = s->observer,
	        .processes = s->processes,
	        .n_processes = s->n_processes,
	        .tasks = s->tasks,
	        .n_tasks = s->n_tasks,
	        .events = s->events,
	        .n_events = s->n_events,
	};
}
