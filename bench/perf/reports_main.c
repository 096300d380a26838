/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The benchmark of the reports: how long report and compare take and how much memory, on
 * records made up for it, and whether junk is refused at once. A table, and verdicts against
 * the targets. Meant for a quiet machine; it is no timed test and runs in no test suite.
 */
#include "plot.h"
#include "reports.h"

#include <common/alloc.h>
#include <common/child.h>
#include <common/file.h>
#include <common/options.h>
#include <common/paths.h>
#include <common/rng.h>
#include <common/units.h>

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define JUNK_BYTES (50u << 20)

enum {
	GROWTH_MAX = 8
};

struct options {
	int n_rounds, n_runs_max, part;
	const char *plot, *program;
};

struct perf {
	const struct options *o;
	char *program; /* xcs-report */
	char *dir;     /* of all records */
	int n_failed;
};

#define AT(member) .offset = offsetof(struct options, member)

static const char *const parts[] = {"all", "report", "growth", "junk", NULL};

static const struct xcs_option rows[] = {
        {.name = "rounds",
         .short_name = 'r',
         .type = XCS_OPT_INT,
         AT(n_rounds),
         .metavar = "N",
         .min = 1,
         .max = 100,
         .help = "times each is run; the median counts (default 5)"},
        {.name = "runs",
         .type = XCS_OPT_INT,
         AT(n_runs_max),
         .metavar = "N",
         .min = 10,
         .max = 100000,
         .help = "runs up to which growth is measured (default 10000)"},
        {.name = "part",      .type = XCS_OPT_CHOICE, AT(part), .choices = parts, .help = "only this"},
        {.name = "plot",
         .type = XCS_OPT_STR,
         AT(plot),
         .metavar = "FILE",
         .help = "draw the growth as SVG"},
        {.name = "program",
         .type = XCS_OPT_STR,
         AT(program),
         .metavar = "FILE",
         .help = "the xcs-report to measure (default: the one built with this)"},
        {0},
};

static const struct xcs_command command = {
        .name = "perf-reports",
        .summary = "Measures how long reports take and how much memory.",
        .operands = "",
        .options = rows,
};

static void verdict(struct perf *p, bool pass, const char *what)
{
	printf("%s %s\n", pass ? "PASS" : "FAIL", what);
	p->n_failed += !pass;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median time of some rounds and the largest memory. */
static int measure(const struct perf *p, const char *const *argv, struct perf_usage *out,
                   struct xcs_err *err)
{
	double real_s[100], cpu_s[100];
	struct perf_usage one;

	*out = (struct perf_usage){0};
	for (int i = 0; i < p->o->n_rounds; i++) {
		int rc = perf_run(argv, &one, err);
		if (rc)
			return rc;
		real_s[i] = one.real_s;
		cpu_s[i] = one.cpu_s;
		out->rss_mb = one.rss_mb > out->rss_mb ? one.rss_mb : out->rss_mb;
		out->status = one.status;
		out->n_sentences = one.n_sentences;
	}
	qsort(real_s, (size_t)p->o->n_rounds, sizeof(*real_s), by_value);
	qsort(cpu_s, (size_t)p->o->n_rounds, sizeof(*cpu_s), by_value);
	out->real_s = real_s[p->o->n_rounds / 2];
	out->cpu_s = cpu_s[p->o->n_rounds / 2];
	return 0;
}

static void print_usage(const char *what, const struct perf_usage *u)
{
	printf("| %-34s | %8.3f | %8.3f | %7.1f | %4d |\n", what, u->real_s, u->cpu_s, u->rss_mb,
	       u->status);
	fflush(stdout);
}

static void print_head(void)
{
	puts("| what                               |  real, s |   CPU, s | RSS, MB | exit |\n"
	     "|------------------------------------|---------:|---------:|--------:|-----:|");
}

static void judge(struct perf *p, const char *what, const struct perf_usage *u, double most_s)
{
	char text[160];

	/* 1 and 3 are verdicts of compare on figures that were made up. */
	snprintf(text, sizeof(text), "%s: %.3f s (< %g), %.1f MB (< 200)", what, u->real_s, most_s,
	         u->rss_mb);
	verdict(p, u->real_s < most_s && u->rss_mb < 200 && u->status != 2 && u->status < 128,
	        text);
}

/* One run of 100 trials at 100 Hz, 5 s each. */
static int big_report(struct perf *p, struct xcs_err *err)
{
	char *dir = xcs_xasprintf("%s/big", p->dir);
	const struct perf_record record = {.dir = dir,
	                                   .kernel = "6.18.5",
	                                   .n_trials = 100,
	                                   .n_samples = 500,
	                                   .period_ns = 10 * XCS_NS_PER_MS};
	struct perf_usage u;
	int rc = perf_record_write(&record, err);

	print_head();
	if (rc == 0)
		rc = measure(p, (const char *[]){p->program, "report", dir, NULL}, &u, err);
	if (rc == 0) {
		print_usage("report, 100 trials at 100 Hz", &u);
		judge(p, "report of 100 trials at 100 Hz", &u, 1);
	}
	free(dir);
	return rc;
}

/* Boots of two kernels, dealt in blocks of four: base, new, new, base. */
static int grow(const struct perf *p, int from, int to, struct xcs_err *err)
{
	int rc = 0;

	for (int i = from; rc == 0 && i < to; i++) {
		bool is_new = i % 4 == 1 || i % 4 == 2;
		char *dir = xcs_xasprintf("%s/xcsbench/runs/%s%05d", p->dir,
		                          is_new ? "new" : "base", i);
		const struct perf_record record = {.dir = dir,
		                                   .kernel = is_new ? "6.18.5" : "6.12.57",
		                                   .boot = i,
		                                   .n_trials = 3,
		                                   .n_samples = 5,
		                                   .period_ns = XCS_NS_PER_S};
		rc = perf_record_write(&record, err);
		free(dir);
	}
	return rc;
}

struct point {
	int n_runs;
	struct perf_usage report, compare;
};

static int measure_point(struct perf *p, int n, struct point *at, struct xcs_err *err)
{
	char *base = xcs_xasprintf("base=%s/xcsbench/runs/base*", p->dir);
	char *new = xcs_xasprintf("new=%s/xcsbench/runs/new*", p->dir);
	char what[64];
	int rc = measure(p, (const char *[]){p->program, "report", NULL}, &at->report, err);

	if (rc == 0)
		rc = measure(p,
		             (const char *[]){p->program, "compare", "--label", base, "--label",
		                              new, NULL},
		             &at->compare, err);
	if (rc == 0) {
		at->n_runs = n;
		snprintf(what, sizeof(what), "report, the newest of %d", n);
		print_usage(what, &at->report);
		snprintf(what, sizeof(what), "compare, 2 x %d boots", n / 2);
		print_usage(what, &at->compare);
	}
	free(base);
	free(new);
	return rc;
}

static void draw(const char *path, const struct point *points, int n)
{
	struct xcs_buf script = {0};

	xcs_buf_puts(&script, "$d << EOD\n");
	for (int i = 0; i < n; i++)
		xcs_buf_printf(&script, "%d %.4f %.4f %.2f\n", points[i].n_runs,
		               points[i].report.cpu_s, points[i].compare.cpu_s,
		               points[i].compare.rss_mb);
	xcs_buf_printf(&script,
	               "EOD\nset terminal svg size 640,400\nset output '%s'\nset logscale xy\n"
	               "set key left top\nset grid\nset xlabel 'runs'\nset ylabel 'CPU time, s'\n"
	               "set y2label 'MB'\nset y2tics\nset logscale y2\n"
	               "plot $d u 1:2 w lp t 'report, of the newest run',"
	               " '' u 1:3 w lp t 'compare, half against half',"
	               " '' u 1:4 axes x1y2 w lp t 'memory of compare, MB'\n",
	               path);
	perf_plot(&script, path);
	xcs_buf_fini(&script);
}

static int growth(struct perf *p, struct xcs_err *err)
{
	struct point points[GROWTH_MAX];
	int n = 0, rc = 0, there = 0;

	print_head();
	for (int want = 10; rc == 0 && want <= p->o->n_runs_max && n < GROWTH_MAX; want *= 10) {
		rc = grow(p, there, want, err);
		there = want;
		if (rc == 0)
			rc = measure_point(p, want, &points[n], err);
		if (rc == 0 && want == 1000)
			judge(p, "compare of 2 x 500 boots", &points[n].compare, 2);
		n += rc == 0;
	}
	if (rc == 0 && p->o->plot)
		draw(p->o->plot, points, n);
	return rc;
}

/* Bytes of all kinds, or lines of digits that look like data for a while. */
static int write_junk(const char *path, bool text, struct xcs_err *err)
{
	static const char digits[] = "1 0 8 15 16 23 42 4711 0815 1 1 2 3 5 8 13 21\n";
	char *junk = xcs_xmalloc(JUNK_BYTES);
	struct xcs_rng rng = {7};

	for (size_t i = 0; i < JUNK_BYTES; i++)
		junk[i] = text ? digits[i % (sizeof(digits) - 1)] : (char)xcs_rng_next(&rng);
	int rc = xcs_file_write(path, junk, JUNK_BYTES, err);
	free(junk);
	return rc;
}

/* Refused in under a second, with one sentence. */
static int refuse(struct perf *p, const char *what, const char *const *argv, struct xcs_err *err)
{
	struct perf_usage u;
	char text[160];
	int rc = measure(p, argv, &u, err);

	if (rc)
		return rc;
	print_usage(what, &u);
	snprintf(text, sizeof(text), "%s: %.3f s (< 1), exit %d (2), %d lines said (1)", what,
	         u.real_s, u.status, u.n_sentences);
	verdict(p, u.real_s < 1 && u.status == 2 && u.n_sentences == 1, text);
	return 0;
}

static int junk_trial(struct perf *p, const char *name, const char *junk, struct xcs_err *err)
{
	char *dir = xcs_xasprintf("%s/spoiled", p->dir);
	char *trial = xcs_xasprintf("%s/trials/001.xcs", dir);
	const struct perf_record record = {.dir = dir,
	                                   .kernel = "6.18.5",
	                                   .n_trials = 3,
	                                   .n_samples = 5,
	                                   .period_ns = XCS_NS_PER_S};
	char what[64];
	int rc = perf_record_write(&record, err);

	if (rc == 0 && rename(junk, trial))
		rc = xcs_err_sys(err, -errno, "cannot make %s", trial);
	snprintf(what, sizeof(what), "%s as trial", name);
	if (rc == 0)
		rc = refuse(p, what, (const char *[]){p->program, "report", dir, NULL}, err);
	free(trial);
	free(dir);
	return rc;
}

static int junk_runs(struct perf *p, const char *name, bool text, struct xcs_err *err)
{
	static const char *const formats[] = {"vmstat", "hyperfine", "perf-stat", "sar"};
	char *dir = xcs_xasprintf("%s/%s", p->dir, name);
	char *junk = xcs_xasprintf("%s/run.json", dir);
	char what[64];
	int rc = xcs_dir_make(dir, 0755, err);

	if (rc == 0)
		rc = write_junk(junk, text, err);
	snprintf(what, sizeof(what), "%s as run.json", name);
	if (rc == 0)
		rc = refuse(p, what, (const char *[]){p->program, "report", dir, NULL}, err);
	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(formats); i++) {
		snprintf(what, sizeof(what), "%s as %s", name, formats[i]);
		rc = refuse(p, what, (const char *[]){p->program, "import", formats[i], junk, NULL},
		            err);
	}
	if (rc == 0)
		rc = junk_trial(p, name, junk, err);
	free(junk);
	free(dir);
	return rc;
}

static int junk(struct perf *p, struct xcs_err *err)
{
	print_head();
	int rc = junk_runs(p, "50 MB of random bytes", false, err);
	return rc ? rc : junk_runs(p, "50 MB of numbers", true, err);
}

int main(int argc, char **argv)
{
	struct options o = {.n_rounds = 5, .n_runs_max = 10000};
	struct xcs_strs operands = {0};
	struct xcs_err err = {""};
	const char *tmp = getenv("TMPDIR");
	int status = xcs_options_main(&command, argc, argv, &o, &operands);

	if (status >= 0)
		return status;
	struct perf p = {.o = &o,
	                 .program = o.program ? xcs_xstrdup(o.program)
	                                      : xcs_path_program_dup("xcs-report")};
	static int (*const run[])(struct perf * p, struct xcs_err * err) = {big_report, growth,
	                                                                    junk};
	p.dir = xcs_xasprintf("%s/perf-reports-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(p.dir)) {
		fprintf(stderr, "perf-reports: cannot make %s\n", p.dir);
		return XCS_EXIT_ERROR;
	}
	setenv("XDG_DATA_HOME", p.dir, 1);
	int rc = 0;
	for (int i = 0; rc == 0 && i < (int)ARRAY_LEN(run); i++)
		if (o.part == 0 || o.part == i + 1)
			rc = run[i](&p, &err);
	if (rc)
		fprintf(stderr, "perf-reports: %s\n", err.text);
	xcs_dir_remove(p.dir);
	printf("\n%d of the verdicts failed\n", p.n_failed);
	free(p.dir);
	free(p.program);
	return rc ? XCS_EXIT_ERROR : p.n_failed ? XCS_EXIT_REGRESSION : XCS_EXIT_OK;
}
