/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Differences: what is a rate, what is a wrap, and what is an event.
 */
#include <collectors/delta.h>
#include <common/alloc.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define S INT64_C(1000000000)

static void one_counter(void **state)
{
	const int64_t top = INT64_C(4294967000);
	int64_t d;

	(void)state;
	assert_int_equal(xcs_counter_delta(10, 25, 100, &d), XCS_CHANGE_OK);
	assert_int_equal(d, 15);
	assert_int_equal(xcs_counter_delta(0, 3000000000, 100, &d), XCS_CHANGE_OK);
	assert_int_equal(d, 3000000000);
	assert_int_equal(xcs_counter_delta(top, 704, 10000, &d), XCS_CHANGE_WRAPPED);
	assert_int_equal(d, 1000);
	/* Too far for a wrap, or not near the top: a reset. */
	assert_int_equal(xcs_counter_delta(top, 90000, 10000, &d), XCS_CHANGE_FELL);
	assert_int_equal(xcs_counter_delta(88000000, 640000, 1 << 30, &d), XCS_CHANGE_FELL);
	assert_int_equal(d, XCS_ABSENT);
	assert_int_equal(xcs_counter_delta(XCS_ABSENT, 1, 1, &d), XCS_CHANGE_UNKNOWN);
	assert_int_equal(xcs_counter_delta(INT64_MIN + 1, INT64_MAX, 1, &d), XCS_CHANGE_FELL);
}

struct pair {
	struct xcs_snapshot before, after;
	struct xcs_snapshot_thread threads[2][4];
	struct xcs_snapshot_process processes[2];
};

static void stat_of(struct xcs_snapshot *s, const char *text)
{
	assert_int_equal(xcs_stat_parse(xcs_str(text), &s->stat), 0);
}

static void add_thread(struct pair *p, int side, pid_t tid, int64_t start, int64_t switches)
{
	struct xcs_snapshot_process *proc = &p->processes[side];
	struct xcs_snapshot_thread *t = &p->threads[side][proc->n++];

	*t = (struct xcs_snapshot_thread){.tid = tid, .start_ticks = start};
	for (int c = 0; c < XCS_N_COUNTS; c++)
		t->count[c] = switches;
}

static void init(struct pair *p)
{
	*p = (struct pair){0};
	for (int i = 0; i < 2; i++) {
		struct xcs_snapshot *s = i ? &p->after : &p->before;
		p->processes[i] =
		        (struct xcs_snapshot_process){.pid = 900, .threads = p->threads[i]};
		s->processes = &p->processes[i];
		s->n_processes = 1;
		stat_of(s, "cpu  1 1 1 1\nintr 1\nctxt 1\n");
	}
}

static void fini(struct pair *p, struct xcs_delta *d)
{
	for (size_t i = 0; i < p->after.n_events; i++)
		free(p->after.events[i]);
	free(p->after.events);
	xcs_delta_fini(d);
}

static bool has_event(const struct pair *p, const char *part)
{
	for (size_t i = 0; i < p->after.n_events; i++)
		if (strstr(p->after.events[i], part))
			return true;
	return false;
}

static void threads_that_start_and_end(void **state)
{
	struct pair p;
	struct xcs_delta d;

	(void)state;
	init(&p);
	add_thread(&p, 0, 900, 5, 100);
	add_thread(&p, 0, 901, 6, 70000);
	add_thread(&p, 1, 900, 5, 130);
	add_thread(&p, 1, 902, 7, 12);
	xcs_delta_init(&d, &p.before, &p.after, S);
	assert_int_equal(d.processes[0].delta[XCS_COUNT_SWITCHES], 42);
	assert_int_equal(d.processes[0].n_ended, 1);
	assert_int_equal(d.processes[0].n_started, 1);
	assert_true(has_event(&p, "1 thread ended, lower bound"));
	fini(&p, &d);
}

static void a_reused_tid_is_another_thread(void **state)
{
	struct pair p;
	struct xcs_delta d;

	(void)state;
	init(&p);
	add_thread(&p, 0, 900, 5, 100);
	add_thread(&p, 0, 901, 6, 70000);
	add_thread(&p, 1, 900, 5, 100);
	add_thread(&p, 1, 901, 99, 3);
	xcs_delta_init(&d, &p.before, &p.after, S);
	assert_int_equal(d.processes[0].delta[XCS_COUNT_SWITCHES], 3);
	assert_int_equal(d.processes[0].n_ended, 1);
	fini(&p, &d);
}

static void a_reused_pid_has_no_rate(void **state)
{
	struct pair p;
	struct xcs_delta d;

	(void)state;
	init(&p);
	add_thread(&p, 0, 900, 5, 100);
	add_thread(&p, 1, 900, 77, 5000);
	xcs_delta_init(&d, &p.before, &p.after, S);
	assert_false(d.processes[0].comparable);
	assert_int_equal(d.processes[0].delta[XCS_COUNT_SWITCHES], XCS_ABSENT);
	assert_true(has_event(&p, "restarted"));
	fini(&p, &d);
}

static void a_counter_that_falls_is_an_event(void **state)
{
	struct pair p;
	struct xcs_delta d;

	(void)state;
	init(&p);
	add_thread(&p, 0, 900, 5, 100);
	add_thread(&p, 1, 900, 5, 90);
	xcs_delta_init(&d, &p.before, &p.after, S);
	assert_int_equal(d.processes[0].delta[XCS_COUNT_SWITCHES], XCS_ABSENT);
	assert_true(has_event(&p, "fell from 100 to 90"));
	fini(&p, &d);
}

static void idle_may_step_back(void **state)
{
	struct pair p;
	struct xcs_delta d;

	(void)state;
	init(&p);
	stat_of(&p.before, "cpu  100 0 50 400 30 0 0 0 20 0\nintr 5\nctxt 9\n");
	stat_of(&p.after, "cpu  160 0 70 420 25 0 0 0 60 0\nintr 6\nctxt 10\n");
	xcs_delta_init(&d, &p.before, &p.after, S);
	assert_int_equal(d.ticks[XCS_STAT_IOWAIT], 0);
	assert_int_equal(d.ticks[XCS_STAT_GUEST], 40);
	assert_int_equal(d.ticks[XCS_STAT_IDLE], 15);  /* of 20, 5 were iowait before */
	assert_int_equal(d.total_ticks, 60 + 20 + 15); /* guest is inside user */
	assert_true(has_event(&p, "clamped"));
	fini(&p, &d);
}

static void idle_and_iowait_are_joined(void **state)
{
	static const struct {
		int64_t idle, iowait, idle_out, iowait_out;
	} rows[] = {
	        {520, -20, 500, 0 },
                {-20, 30,  0,   10},
                {5,   -9,  0,   0 },
                {5,   9,   5,   9 },
                {-3,  -4,  0,   0 }
        };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int64_t idle = rows[i].idle, iowait = rows[i].iowait;
		bool joined = xcs_delta_join_idle(&idle, &iowait);
		assert_int_equal(joined, rows[i].idle < 0 || rows[i].iowait < 0);
		assert_int_equal(idle, rows[i].idle_out);
		assert_int_equal(iowait, rows[i].iowait_out);
	}
}

static void a_reboot_ends_it(void **state)
{
	struct pair p;
	struct xcs_delta d;

	(void)state;
	init(&p);
	stat_of(&p.before, "cpu  900 9 900 9000\nintr 900\nctxt 4294960000\n");
	stat_of(&p.after, "cpu  9 9 9 90\nintr 9\nctxt 90\n");
	xcs_delta_init(&d, &p.before, &p.after, 3600 * S);
	assert_true(d.rebooted);
	assert_int_equal(d.ctxt, XCS_ABSENT);
	assert_true(has_event(&p, "incomplete: rebooted"));
	fini(&p, &d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(one_counter),
	        cmocka_unit_test(threads_that_start_and_end),
	        cmocka_unit_test(a_reused_tid_is_another_thread),
	        cmocka_unit_test(a_reused_pid_has_no_rate),
	        cmocka_unit_test(a_counter_that_falls_is_an_event),
	        cmocka_unit_test(idle_may_step_back),
	        cmocka_unit_test(idle_and_iowait_are_joined),
	        cmocka_unit_test(a_reboot_ends_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
