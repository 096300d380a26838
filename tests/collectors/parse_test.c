/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every era's texts, odd names, and texts that were cut or hit by a flipped bit.
 */
#include <collectors/io.h>
#include <collectors/loadavg.h>
#include <collectors/psi.h>
#include <collectors/sched.h>
#include <collectors/schedstat.h>
#include <collectors/stat.h>
#include <collectors/status.h>
#include <collectors/task_stat.h>
#include <common/alloc.h>
#include <common/file.h>

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define A XCS_ABSENT

static struct xcs_buf load(const char *rel)
{
	struct xcs_buf text = {0};
	char *path = xcs_xasprintf("%s/proc/%s", XCS_TEST_DATA, rel);

	assert_int_equal(xcs_file_read_at(AT_FDCWD, path, &text), 0);
	free(path);
	return text;
}

static const struct era {
	const char *name;
	int n_keys;
	int64_t v[XCS_N_SCHED_FIELDS];
} eras[] = {
        {"2.6.23",             8,  {52000123456, 9001, A, A, A, 0, 125, A, A}                  },
        {"2.6.24",             13, {52000123456, 9001, 8000, 1001, 77, 0, 125, A, 8001}        },
        {"2.6.32",             20, {52000123456, 9001, 8000, 1001, 77, 0, 125, 777000999, 8001}},
        {"3.10",               20, {52000123456, 9001, 8000, 1001, 77, 0, 125, 777000999, 8001}},
        {"6.6",                23, {52000123456, 9001, 8000, 1001, 77, 0, 125, 777000999, 8001}},
        {"6.12-no-schedstats", 13, {52000123456, 9001, 8000, 1001, 77, 0, 125, A, A}           },
        {"bore-sched-ext",     14, {52000123456, 9001, 8000, 1001, 77, 0, 125, A, A}           },
};

static struct xcs_buf load_era(const char *name)
{
	char *rel = xcs_xasprintf("%s/sched", name);
	struct xcs_buf text = load(rel);

	free(rel);
	return text;
}

static void every_era_of_sched(void **state)
{
	(void)state;
	for (size_t e = 0; e < ARRAY_LEN(eras); e++) {
		struct xcs_buf text = load_era(eras[e].name);
		struct xcs_sched_layout layout;
		struct xcs_sched s, again = {0};
		assert_int_equal(xcs_sched_parse(xcs_buf_str(&text), &s, &layout), 0);
		assert_string_equal(s.comm, "crow");
		assert_int_equal(s.tid, 4711);
		assert_int_equal(s.n_threads, 2);
		assert_int_equal(s.n_keys, eras[e].n_keys);
		for (int f = 0; f < XCS_N_SCHED_FIELDS; f++)
			assert_int_equal(s.v[f], eras[e].v[f]);
		assert_int_equal(xcs_sched_nice(&s), 5);
		assert_true(xcs_sched_parse_again(xcs_buf_str(&text), &layout, &again));
		assert_int_equal(again.n_threads, 2);
		assert_memory_equal(again.v, s.v, sizeof(s.v));
		xcs_buf_fini(&text);
	}
}

static void schedulers_without_the_file(void **state)
{
	struct xcs_sched s;

	(void)state;
	struct xcs_buf muqss = load_era("muqss"), bmq = load_era("bmq");
	assert_int_equal(xcs_sched_parse(xcs_buf_str(&muqss), &s, NULL), -ENODATA);
	assert_int_equal(xcs_sched_parse(xcs_buf_str(&bmq), &s, NULL), -ENODATA);
	assert_int_equal(s.n_threads, 2);
	assert_int_equal(s.v[XCS_SCHED_SWITCHES], A);
	xcs_buf_fini(&muqss);
	xcs_buf_fini(&bmq);
}

static void names_that_fake(void **state)
{
	static const struct {
		const char *name;
		int tid, threads;
	} rows[] = {
	        {"a b (7)",          50001, 3},
                {"q: w",             50002, 1},
                {"z (9, #threads:",  50003, 6},
	        {"",                 50004, 1},
                {"y\nprio:7",        50005, 1},
                {"\n------------\n", 50006, 1},
	        {"\xff\xfe)(",       50007, 1},
	};
	static const char rest[] = "-----------------------------------------------------\n"
	                           "nr_switches       :        31\nprio  :   120\n";

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct xcs_sched s;
		char *text = xcs_xasprintf("%s (%d, #threads: %d)\n%s", rows[i].name, rows[i].tid,
		                           rows[i].threads, rest);
		assert_int_equal(xcs_sched_parse(xcs_str(text), &s, NULL), 0);
		assert_string_equal(s.comm, rows[i].name);
		assert_int_equal(s.tid, rows[i].tid);
		assert_int_equal(s.n_threads, rows[i].threads);
		assert_int_equal(s.v[XCS_SCHED_SWITCHES], 31);
		assert_int_equal(s.v[XCS_SCHED_PRIO], 120);
		free(text);
	}
}

/* A layout of one thread must refuse a text whose lines stand elsewhere. */
static void moved_fields_are_found_again(void **state)
{
	struct xcs_sched_layout layout;
	struct xcs_sched s;

	(void)state;
	struct xcs_buf text = load_era("6.6"), longer = {0};
	assert_int_equal(xcs_sched_parse(xcs_buf_str(&text), &s, &layout), 0);
	xcs_buf_puts(&longer, "longer ");
	xcs_buf_add(&longer, text.p, text.n);
	assert_false(xcs_sched_parse_again(xcs_buf_str(&longer), &layout, &s));
	assert_int_equal(xcs_sched_parse(xcs_buf_str(&longer), &s, NULL), 0);
	assert_int_equal(s.v[XCS_SCHED_SWITCHES], 9001);
	xcs_buf_fini(&text);
	xcs_buf_fini(&longer);
}

static void times_keep_their_digits(void **state)
{
	static const struct {
		const char *text;
		int64_t ns;
	} rows[] = {
	        {"-1.500000",             -1500000        },
	        {"-1.000000",             -1000000        },
	        {"0.000001",              1               },
	        {"9007199254.740993",     9007199254740993},
	        {"1.5",                   A               },
	        {"99999999999999.000000", A               },
	        {"123 ms",                A               },
	        {"-7",                    -7              },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct xcs_sched s;
		char *text = xcs_xasprintf(
		        "t (1, #threads: 1)\n%s\nse.sum_exec_runtime : %s\nprio : 1\n",
		        "----------------------------------------", rows[i].text);
		assert_int_equal(xcs_sched_parse(xcs_str(text), &s, NULL), 0);
		assert_int_equal(s.v[XCS_SCHED_EXEC_NS], rows[i].ns);
		free(text);
	}
}

static void every_era_of_stat(void **state)
{
	static const struct {
		const char *file;
		int n_ticks;
		int64_t running;
	} rows[] = {
	        {"stat-2.4",    4,  A},
	        {"stat-2.6.0",  7,  A},
	        {"stat-2.6.11", 8,  A},
	        {"stat-2.6.33", 10, 3}
        };
	static const int64_t ticks[] = {100, 20, 30, 4000, 50, 6, 7, 8, 9, 2};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct xcs_buf text = load(rows[i].file);
		struct xcs_stat s;
		assert_int_equal(xcs_stat_parse(xcs_buf_str(&text), &s), 0);
		assert_int_equal(s.ctxt_total, 60006);
		assert_int_equal(s.intr_total, 5005);
		assert_int_equal(s.n_cpus, 1);
		assert_int_equal(s.procs_running, rows[i].running);
		for (int t = 0; t < XCS_N_STAT_TICKS; t++)
			assert_int_equal(s.all.v[t], t < rows[i].n_ticks ? ticks[t] : A);
		xcs_buf_fini(&text);
	}
}

static void long_intr_line_and_cpu_sets(void **state)
{
	struct xcs_buf text = {0};
	struct xcs_cpuset set;
	struct xcs_cpu_ticks sum;
	struct xcs_stat s;

	(void)state;
	xcs_buf_puts(&text, "cpu  0 0 0 0\ncpu  60 0 6 600 0\n");
	for (int c = 0; c < 6; c++)
		if (c != 4)
			xcs_buf_printf(&text, "cpu%d %d 0 1 100 0\n", c, 10 + c);
	xcs_buf_puts(&text, "intr 77");
	for (int i = 0; i < 100000; i++)
		xcs_buf_puts(&text, " 0");
	xcs_buf_puts(&text, "\nctxt 18446744073\n");
	assert_int_equal(xcs_cpuset_parse(xcs_str("1-2,5"), &set, NULL), 0);
	assert_int_equal(xcs_stat_parse_set(xcs_buf_str(&text), &set, &s, &sum), 0);
	assert_int_equal(s.ctxt_total, 18446744073);
	assert_int_equal(s.intr_total, 77);
	assert_int_equal(s.n_cpus, 5);
	assert_int_equal(s.n_total_lines, 2);
	assert_int_equal(s.all.v[XCS_STAT_USER], 60);
	assert_int_equal(s.all.v[XCS_STAT_STEAL], A);
	assert_int_equal(sum.v[XCS_STAT_USER], 38);
	assert_int_equal(sum.v[XCS_STAT_IRQ], A);
	/* CPU 4 is offline: the set's sum would be wrong, so there is none. */
	assert_int_equal(xcs_cpuset_parse(xcs_str("3-4"), &set, NULL), 0);
	assert_int_equal(xcs_stat_parse_set(xcs_buf_str(&text), &set, &s, &sum), 0);
	assert_int_equal(sum.v[XCS_STAT_USER], A);
	xcs_buf_fini(&text);
}

/* Found by fuzzing: two CPUs whose ticks fit an int64, but not their sum. */
static void a_sum_that_does_not_fit_is_unknown(void **state)
{
	struct xcs_str text = xcs_str("cpu  1 2\n"
	                              "cpu0 7777777777777777776 2\n"
	                              "cpu1 7777777777777777776 3\n");
	struct xcs_cpuset set = {0};
	struct xcs_cpu_ticks sum;
	struct xcs_stat s;

	(void)state;
	CPU_SET(0, &set.mask);
	CPU_SET(1, &set.mask);
	assert_int_equal(xcs_stat_parse_set(text, &set, &s, &sum), 0);
	assert_true(sum.v[XCS_STAT_USER] == XCS_ABSENT);
	assert_int_equal(sum.v[XCS_STAT_NICE], 5);
}

static void small_files(void **state)
{
	struct xcs_schedstat ss;
	struct xcs_psi psi;
	struct xcs_loadavg load1;
	struct xcs_io io;
	struct xcs_task_stat ts;
	struct xcs_status st;

	(void)state;
	assert_int_equal(xcs_schedstat_parse(xcs_str("5 6 7\n"), &ss), 0);
	assert_int_equal(ss.run_delay_ns, 6);
	assert_int_equal(xcs_schedstat_parse(xcs_str("5 6\n"), &ss), -EINVAL);
	assert_int_equal(
	        xcs_psi_parse(xcs_str("some avg10=0.00 avg60=0.10 avg300=0.20 total=91\n"), &psi),
	        0);
	assert_int_equal(psi.some_total_us, 91);
	assert_int_equal(psi.full_total_us, A);
	assert_int_equal(xcs_loadavg_parse(xcs_str("12.05 0.99 1.00 3/456 7890\n"), &load1), 0);
	assert_int_equal(load1.load1_centi, 1205);
	assert_int_equal(load1.n_tasks, 456);
	assert_int_equal(xcs_io_parse(xcs_str("rchar: 11\nwchar: 22\nsyscr: 3\n"), &io), 0);
	assert_int_equal(io.wchar_bytes, 22);
	assert_int_equal(io.n_writes, A);
	struct xcs_buf text = load("bmq/stat");
	assert_int_equal(xcs_task_stat_parse(xcs_buf_str(&text), &ts), 0);
	assert_int_equal(ts.start_ticks, 123456);
	assert_int_equal(ts.nice, 5);
	assert_int_equal(ts.cpu, 3);
	assert_int_equal(ts.policy, 0);
	xcs_buf_fini(&text);
	assert_int_equal(
	        xcs_status_parse(xcs_str("Name:\ta\\nb\\\\c\nPid:\t5\nThreads:\t9\n"), &st), 0);
	assert_string_equal(st.comm, "a\nb\\c");
	assert_int_equal(st.voluntary_total, A);
}

/* All numbers that a text yields, in one array, so that cut and whole can be compared. */
static size_t numbers_of(int kind, struct xcs_str t, int64_t v[64])
{
	struct xcs_sched s;
	struct xcs_stat st;
	struct xcs_status us;
	struct xcs_task_stat ts;
	struct xcs_schedstat ss;

	switch (kind) {
	case 0:
		if (xcs_sched_parse(t, &s, NULL))
			return 0;
		memcpy(v, s.v, sizeof(s.v));
		return XCS_N_SCHED_FIELDS;
	case 1:
		if (xcs_stat_parse(t, &st))
			return 0;
		memcpy(v, st.all.v, sizeof(st.all.v));
		v[XCS_N_STAT_TICKS] = st.ctxt_total;
		v[XCS_N_STAT_TICKS + 1] = st.intr_total;
		v[XCS_N_STAT_TICKS + 2] = st.procs_running;
		return XCS_N_STAT_TICKS + 3;
	case 2:
		if (xcs_status_parse(t, &us))
			return 0;
		memcpy(v,
		       (int64_t[]){us.tid, us.n_threads, us.voluntary_total, us.involuntary_total},
		       32);
		return 4;
	case 3:
		if (xcs_task_stat_parse(t, &ts))
			return 0;
		memcpy(v, (int64_t[]){ts.nice, ts.start_ticks, ts.cpu, ts.policy}, 32);
		return 4;
	default:
		if (xcs_schedstat_parse(t, &ss))
			return 0;
		memcpy(v, (int64_t[]){ss.exec_ns, ss.run_delay_ns, ss.timeslices}, 24);
		return 3;
	}
}

static const struct {
	const char *file;
	int kind;
} texts[] = {
        {"6.6/sched",     0},
        {"2.6.23/sched",  0},
        {"stat-2.6.33",   1},
        {"bmq/status",    2},
        {"bmq/stat",      3},
        {"bmq/schedstat", 4},
};

/* Cut anywhere, a text gives right numbers or none: never the first digits of one. The copy
 * ends where the text ends, so that a sanitizer sees any step beyond. */
static void cut_texts_never_lie(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct xcs_buf text = load(texts[i].file);
		int64_t whole[64], cut[64];
		size_t n_whole = numbers_of(texts[i].kind, xcs_buf_str(&text), whole);
		assert_true(n_whole > 0);
		for (size_t n = 0; n < text.n; n++) {
			char *copy = xcs_xmalloc(n + !n);
			memcpy(copy, text.p, n);
			size_t got = numbers_of(texts[i].kind, (struct xcs_str){copy, n}, cut);
			for (size_t k = 0; k < got; k++)
				assert_true(cut[k] == whole[k] || cut[k] == A);
			free(copy);
		}
		xcs_buf_fini(&text);
	}
}

/* With a flipped bit numbers may be wrong, but nothing may be read outside the text, and a
 * cached layout must either agree with the whole parser or refuse. */
static void flipped_bits_do_no_harm(void **state)
{
	size_t n_refused = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct xcs_buf text = load(texts[i].file);
		struct xcs_sched_layout layout = {0};
		struct xcs_sched s, again = {0};
		if (texts[i].kind == 0)
			assert_int_equal(xcs_sched_parse(xcs_buf_str(&text), &s, &layout), 0);
		for (size_t bit = 0; bit < text.n * 8; bit++) {
			char *copy = xcs_xmalloc(text.n);
			memcpy(copy, text.p, text.n);
			copy[bit / 8] = (char)(copy[bit / 8] ^ (1 << (bit % 8)));
			struct xcs_str t = {copy, text.n};
			int64_t v[64];
			n_refused += numbers_of(texts[i].kind, t, v) == 0;
			if (texts[i].kind == 0 && xcs_sched_parse_again(t, &layout, &again) &&
			    xcs_sched_parse(t, &s, NULL) == 0)
				for (int f = 0; f < XCS_N_SCHED_FIELDS; f++)
					assert_true(s.v[f] == again.v[f] || s.v[f] == A);
			free(copy);
		}
		xcs_buf_fini(&text);
	}
	assert_true(n_refused > 0);
}

#define CPU_LINE(n, run_ns)                                              \
	"cpu" #n " 0 0 7301 3120 4021 2610 " #run_ns " 812345678 4181\n" \
	"domain0 3 812 800 4 9 8 0 1 799 0 0 0 0\n"

static void cpu_schedstat(void **state)
{
	static const char text[] = "version 17\ntimestamp 4295601234\n" CPU_LINE(0, 51234567890)
	        CPU_LINE(1, 9876543210) CPU_LINE(10, 5);
	struct xcs_cpuset set;
	int64_t run_ns;

	(void)state;
	assert_int_equal(xcs_cpuset_parse(xcs_str("1"), &set, NULL), 0);
	assert_int_equal(xcs_schedstat_parse_cpus(xcs_str(text), &set, &run_ns), 0);
	assert_true(run_ns == 9876543210);
	assert_int_equal(xcs_cpuset_parse(xcs_str("0-1"), &set, NULL), 0);
	assert_int_equal(xcs_schedstat_parse_cpus(xcs_str(text), &set, &run_ns), 0);
	assert_true(run_ns == 51234567890 + 9876543210);
	/* An offline CPU, an older format, another file, a text cut off: no answer. */
	assert_int_equal(xcs_cpuset_parse(xcs_str("1-2"), &set, NULL), 0);
	assert_int_equal(xcs_schedstat_parse_cpus(xcs_str(text), &set, &run_ns), -EINVAL);
	assert_true(run_ns == XCS_ABSENT);
	CPU_ZERO(&set.mask);
	assert_int_equal(xcs_schedstat_parse_cpus(xcs_str(text), &set, &run_ns), 0);
	assert_true(run_ns == 51234567890 + 9876543210 + 5);
	assert_int_equal(
	        xcs_schedstat_parse_cpus(xcs_str("version 14\n" CPU_LINE(0, 7)), &set, &run_ns),
	        -EINVAL);
	assert_int_equal(
	        xcs_schedstat_parse_cpus(xcs_str("cpu0 1 2 3 4 5 6 7 8 9\n"), &set, &run_ns),
	        -EINVAL);
	for (size_t n = 0; n + 1 < sizeof(text); n++) {
		struct xcs_str cut = {text, n};
		if (n == 0 || text[n - 1] != '\n')
			assert_int_equal(xcs_schedstat_parse_cpus(cut, &set, &run_ns), -EINVAL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(cpu_schedstat),
	        cmocka_unit_test(every_era_of_sched),
	        cmocka_unit_test(schedulers_without_the_file),
	        cmocka_unit_test(names_that_fake),
	        cmocka_unit_test(moved_fields_are_found_again),
	        cmocka_unit_test(times_keep_their_digits),
	        cmocka_unit_test(every_era_of_stat),
	        cmocka_unit_test(long_intr_line_and_cpu_sets),
	        cmocka_unit_test(a_sum_that_does_not_fit_is_unknown),
	        cmocka_unit_test(small_files),
	        cmocka_unit_test(cut_texts_never_lie),
	        cmocka_unit_test(flipped_bits_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
