/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Charts drawn by gnuplot(1): the script over its standard input, no shell, no file, no start-up
 * file of the user. Private to reports/.
 */
#ifndef XCS_RENDER_GNUPLOT_H
#define XCS_RENDER_GNUPLOT_H

#include <common/err.h>
#include <reports/document.h>

enum gnuplot_form {
	GNUPLOT_SVG,
	GNUPLOT_DUMB /* ASCII, at most 72 columns */
};

enum {
	GNUPLOT_WIDTH_PX = 720,
	GNUPLOT_HEIGHT_PX = 380,
	GNUPLOT_N_STYLES = 8, /* series of a chart that look different; then they repeat */
	GNUPLOT_N_MARKS = 4
};

/* What gnuplot is told to draw in, for whoever reads its SVG: colours that stand for a style. */
enum {
	GNUPLOT_RED = 1,
	GNUPLOT_GREEN_SERIES = 2,   /* blue: the style */
	GNUPLOT_GREEN_FURNITURE = 3 /* blue: 0 the grid, 1 the axes, 2 events */
};

/* One of gnuplot's plots: the N of the group with id NAME_plot_N, from 1. */
struct gnuplot_plot {
	const struct xcs_series *series; /* NULL: the events */
	bool is_marks;                   /* one mark per point, in their order */
};

struct gnuplot_plots {
	struct gnuplot_plot *v; /* owned */
	size_t n, cap;
};

/*
 * Draws the chart as `form` into *out (cleared first) and tells in *plots, which the caller
 * frees by free(plots->v), what is in it. Returns 0 or -errno with the sentence.
 */
int gnuplot_draw(const struct xcs_chart *c, enum gnuplot_form form, struct xcs_buf *out,
                 struct gnuplot_plots *plots, struct xcs_err *err) XCS_MUST_CHECK;

/* The mark of a style in GNUPLOT_DUMB. */
char gnuplot_dumb_mark(size_t style);

/* Its dashes in units of the line's width, "" for a solid line. */
const char *gnuplot_dashes(size_t style);

#endif
