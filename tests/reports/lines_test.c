/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whose count of lines is taken: on trials whose counters are known.
 */
#include "../record/sample_run.h"

#include <reports/figures.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
	N_CLIENTS = 4,
	LINES_PER_S = 1000 /* of each feeder */
};

/* The clients read `times` what the feeders wrote. */
static struct xcs_figures figures_of(const char *terminal, double times)
{
	const struct sample_rates rates = {.cs = 1000,
	                                   .x_vol = 10,
	                                   .x_invol = 10,
	                                   .x_cpu_pct = 40,
	                                   .client_cpu_pct = 5,
	                                   .feeder_cpu_pct = 5,
	                                   .lines = LINES_PER_S,
	                                   .n_clients = N_CLIENTS};
	char name[64], feeder[] = "lines";
	struct xcs_run_load load = {.n_clients = N_CLIENTS, .feeder = feeder};
	struct xcs_trial_data t;
	struct xcs_window w;
	struct xcs_figures f;

	sample_trial_init(&t, &rates);
	struct xcs_table *io = &t.tables[XCS_TRIAL_IO];
	for (size_t i = 0; i < io->n_rows; i++) {
		int64_t *bytes = io->cells + i * io->n_columns + XCS_IO_RCHAR_BYTES;
		*bytes = (int64_t)((double)*bytes * times);
	}
	if (terminal) {
		snprintf(name, sizeof(name), "%s", terminal);
		load.terminal = name;
	}
	xcs_window_init(&w, &t);
	xcs_figures_of(&f, &w, &load);
	xcs_window_fini(&w);
	xcs_trial_fini(&t);
	return f;
}

static void is_about(struct xcs_num got, double want)
{
	assert_true(got.known);
	if (fabs(got.v - want) > 0.001 * want)
		fail_msg("got %g, want %g", got.v, want);
}

static void what_a_terminal_reads_is_taken_where_the_feeders_agree(void **state)
{
	(void)state;
	struct xcs_figures f = figures_of("urxvt {geometry} -e {command}", 1.0);
	assert_int_equal(f.lines_source, XCS_LINES_READ);
	is_about(f.v[XCS_METRIC_LINES], N_CLIENTS * LINES_PER_S);
	f = figures_of("urxvt {geometry} -e {command}", 1.05);
	assert_int_equal(f.lines_source, XCS_LINES_READ);
}

static void a_terminal_that_reads_more_than_its_pty_is_counted_by_its_feeder(void **state)
{
	(void)state;
	struct xcs_figures f = figures_of("gnome-terminal -- {command}", 3.7);
	assert_int_equal(f.lines_source, XCS_LINES_FEEDER);
	is_about(f.v[XCS_METRIC_LINES], N_CLIENTS * LINES_PER_S);
	is_about(f.lines_read, 3.7 * N_CLIENTS * LINES_PER_S);
}

/* Its feeder counts by whole buffers: at a low rate it is the coarser of the two. */
static void xterm_reads_nothing_but_its_pty(void **state)
{
	(void)state;
	struct xcs_figures f = figures_of(NULL, 1.5);
	assert_int_equal(f.lines_source, XCS_LINES_READ);
	is_about(f.v[XCS_METRIC_LINES], 1.5 * N_CLIENTS * LINES_PER_S);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_a_terminal_reads_is_taken_where_the_feeders_agree),
	        cmocka_unit_test(a_terminal_that_reads_more_than_its_pty_is_counted_by_its_feeder),
	        cmocka_unit_test(xterm_reads_nothing_but_its_pty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
