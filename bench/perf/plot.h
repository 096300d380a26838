/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Charts of the benchmarks, drawn by gnuplot.
 */
#ifndef PERF_PLOT_H
#define PERF_PLOT_H

#include <common/buf.h>

/* Runs the script, which writes `path`, and says on standard output or error what became of
 * it: a missing gnuplot costs the chart only. */
void perf_plot(const struct xcs_buf *script, const char *path);

#endif
