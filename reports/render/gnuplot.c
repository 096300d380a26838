/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gnuplot.h"
#include "formats.h"
#include "text.h"

#include <common/alloc.h>
#include <common/child.h>
#include <common/file.h>
#include <common/units.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	DUMB_COLUMNS = 72,
	DUMB_ROWS = 20,
	TICK_MAX_BYTES = 30,
	MARKS_MAX = 400 /* of a line; more would be a line themselves */
};

#define TIMEOUT_NS (20 * XCS_NS_PER_S)

char gnuplot_dumb_mark(size_t style)
{
	static const char marks[] = "*ox#@%=&";

	return marks[style % (sizeof(marks) - 1)];
}

const char *gnuplot_dashes(size_t style)
{
	static const char *const dashes[GNUPLOT_N_MARKS] = {"", "8,4", "2,3", "10,3,2,3"};

	return dashes[style % GNUPLOT_N_MARKS];
}

/* gnuplot's numbers for a full circle, square, triangle, diamond. */
static int mark_number(size_t style)
{
	static const int marks[GNUPLOT_N_MARKS] = {7, 5, 9, 13};

	return marks[style % GNUPLOT_N_MARKS];
}

/* In single quotes gnuplot expands nothing, neither backquotes nor macros; a quote is doubled. */
static void quoted(struct xcs_buf *out, const char *text, enum gnuplot_form form, size_t n_max)
{
	char *clean = form == GNUPLOT_DUMB ? text_ascii_dup(text) : format_utf8_dup(text);
	size_t n = strlen(clean) > n_max ? n_max : strlen(clean);

	while (n && n == n_max && ((unsigned char)clean[n] & 0xc0) == 0x80)
		n--;
	xcs_buf_putc(out, '\'');
	for (size_t i = 0; i < n; i++) {
		if (clean[i] == '\'')
			xcs_buf_putc(out, '\'');
		xcs_buf_putc(out, clean[i]);
	}
	xcs_buf_puts(out, clean[n] ? "...'" : "'");
	free(clean);
}

static void axis_label(struct xcs_buf *out, char axis, const struct xcs_axis *a,
                       enum gnuplot_form form)
{
	char *text = a->unit && a->unit[0] ? xcs_xasprintf("%s, %s", a->title, a->unit)
	                                   : xcs_xstrdup(a->title ? a->title : "");

	xcs_buf_printf(out, "set %clabel ", axis);
	quoted(out, text, form, 80);
	xcs_buf_putc(out, '\n');
	if (a->is_log)
		xcs_buf_printf(out, "set logscale %c\n", axis);
	free(text);
}

struct range {
	double min, max;
};

static void widen(struct range *r, double v)
{
	r->min = fmin(r->min, v);
	r->max = fmax(r->max, v);
}

static struct range range_of(const struct xcs_chart *c, bool of_y)
{
	struct range r = {INFINITY, -INFINITY};

	for (size_t s = 0; s < c->n_series; s++) {
		for (size_t i = 0; i < c->series[s].n_points; i++) {
			const struct xcs_point *p = &c->series[s].points[i];
			widen(&r, of_y ? p->y : p->x);
			if (of_y && p->low.known)
				widen(&r, p->low.v);
			if (of_y && p->high.known)
				widen(&r, p->high.v);
		}
	}
	for (size_t i = 0; !of_y && i < c->n_events; i++)
		widen(&r, c->events[i].x);
	return r;
}

/* Whole decades on a log axis; else a little room at both ends. Linear axes of y begin at 0, since
 * a bar's length is what one sees. */
static void set_range(struct xcs_buf *out, char axis, const struct xcs_axis *a, struct range r)
{
	double room = (r.max - r.min) * 0.06;

	if (a->is_log) {
		xcs_buf_printf(out, "set %crange [1e%.0f:1e%.0f]\n", axis,
		               floor(log10(r.min) - 0.01), ceil(log10(r.max) + 0.01));
		return;
	}
	if (axis == 'y' && r.min > 0)
		r.min = 0;
	if (axis == 'y')
		room = (r.max - r.min) * 0.08;
	if (room <= 0)
		room = fabs(r.max) > 0 ? fabs(r.max) * 0.1 : 1;
	xcs_buf_printf(out, "set %crange [%.10g:%.10g]\n", axis,
	               axis == 'y' && r.min >= 0 ? r.min : r.min - room, r.max + room);
}

static void category_ticks(struct xcs_buf *out, const struct xcs_chart *c, enum gnuplot_form form)
{
	if (form == GNUPLOT_SVG && c->n_ticks > 3)
		xcs_buf_puts(out, "set xtics rotate by 25 right\n");
	xcs_buf_puts(out, "set xtics (");
	for (size_t i = 0; i < c->n_ticks; i++) {
		char number[24];
		xcs_buf_puts(out, i ? ", " : "");
		/* There is no room for names between 72 columns: numbers, and a list below. */
		if (form == GNUPLOT_DUMB)
			snprintf(number, sizeof(number), "%zu", i + 1);
		quoted(out, form == GNUPLOT_DUMB ? number : c->ticks[i], form, TICK_MAX_BYTES);
		xcs_buf_printf(out, " %zu", i);
	}
	xcs_buf_printf(out, ")\nset xrange [-0.5:%zu.5]\n", c->n_ticks - 1);
}

/* A tick at each x that was measured, and nowhere else. */
static void sweep_ticks(struct xcs_buf *out, const struct xcs_chart *c)
{
	xcs_buf_puts(out, "set xtics (");
	bool first = true;
	for (size_t s = 0; s < c->n_series; s++) {
		for (size_t i = 0; i < c->series[s].n_points; i++) {
			double x = c->series[s].points[i].x;
			xcs_buf_printf(out, "%s%.10g", first ? "" : ", ", x);
			first = false;
		}
	}
	xcs_buf_puts(out, ")\n");
}

static void axes(struct xcs_buf *out, const struct xcs_chart *c, enum gnuplot_form form)
{
	axis_label(out, 'x', &c->x, form);
	axis_label(out, 'y', &c->y, form);
	set_range(out, 'y', &c->y, range_of(c, true));
	if (c->n_ticks) {
		category_ticks(out, c, form);
		return;
	}
	set_range(out, 'x', &c->x, range_of(c, false));
	if (c->kind == XCS_CHART_SWEEP)
		sweep_ticks(out, c);
}

static void terminal(struct xcs_buf *out, enum gnuplot_form form)
{
	xcs_buf_puts(out, "set encoding utf8\n");
	if (form == GNUPLOT_DUMB)
		xcs_buf_printf(out, "set terminal dumb noenhanced mono size %d,%d\n", DUMB_COLUMNS,
		               DUMB_ROWS);
	else
		xcs_buf_printf(out,
		               "set terminal svg dynamic noenhanced size %d,%d "
		               "font 'sans-serif,14' name 'xcs'\n"
		               "set grid ytics lt 1 lw 1 lc rgb '#%02x%02x00'\n"
		               "set border 3 lw 1 lc rgb '#%02x%02x01'\n",
		               GNUPLOT_WIDTH_PX, GNUPLOT_HEIGHT_PX, GNUPLOT_RED,
		               GNUPLOT_GREEN_FURNITURE, GNUPLOT_RED, GNUPLOT_GREEN_FURNITURE);
	xcs_buf_puts(out, "unset key\nset tics nomirror\nset format '%h'\n");
}

/* Marks of trials that are alike would hide each other: those of a category stand side by
 * side, series after series. */
static double beside(const struct xcs_chart *c, size_t s, size_t i)
{
	const struct xcs_series *series = &c->series[s];
	size_t before = s;

	if (c->kind != XCS_CHART_STRIP)
		return 0;
	for (size_t k = 0; k < i; k++)
		before += series->points[k].x == series->points[i].x;
	return (before % 2 ? 0.08 : -0.08) * (double)((before % 9 + 1) / 2);
}

static void data(struct xcs_buf *out, const struct xcs_chart *c)
{
	for (size_t s = 0; s < c->n_series; s++) {
		xcs_buf_printf(out, "$s%zu << END\n", s);
		for (size_t i = 0; i < c->series[s].n_points; i++) {
			const struct xcs_point *p = &c->series[s].points[i];
			xcs_buf_printf(out, "%.10g %.10g %.10g %.10g\n", p->x + beside(c, s, i),
			               p->y, p->low.known ? p->low.v : p->y,
			               p->high.known ? p->high.v : p->y);
		}
		xcs_buf_puts(out, "END\n");
	}
	if (!c->n_events)
		return;
	xcs_buf_puts(out, "$events << END\n");
	for (size_t i = 0; i < c->n_events; i++)
		xcs_buf_printf(out, "%.10g\n", c->events[i].x);
	xcs_buf_puts(out, "END\n");
}

/* One more plot in the list behind `plot`. */
static void next(struct xcs_buf *out, struct gnuplot_plots *plots, const struct xcs_series *series,
                 bool is_marks)
{
	xcs_buf_puts(out, plots->n ? ", " : "plot ");
	plots->v = xcs_xgrow(plots->v, plots->n, &plots->cap, sizeof(*plots->v));
	plots->v[plots->n++] = (struct gnuplot_plot){series, is_marks};
}

static bool is_joined(const struct xcs_chart *c)
{
	return c->kind != XCS_CHART_STRIP;
}

static const char *line_style(const struct xcs_chart *c)
{
	/* The value of an interval stands at its end. */
	return c->kind == XCS_CHART_TAIL || c->kind == XCS_CHART_TIMELINE ? "fsteps" : "lines";
}

static void svg_series(struct xcs_buf *out, const struct xcs_chart *c, size_t s,
                       struct gnuplot_plots *plots)
{
	const struct xcs_series *series = &c->series[s];
	const char *dashes = gnuplot_dashes(series->style);
	char colour[32];

	snprintf(colour, sizeof(colour), "'#%02x%02x%02x'", GNUPLOT_RED, GNUPLOT_GREEN_SERIES,
	         (unsigned)(series->style % GNUPLOT_N_STYLES));
	if (c->kind == XCS_CHART_SWEEP || c->kind == XCS_CHART_TREND) {
		next(out, plots, series, false);
		xcs_buf_printf(out,
		               "$s%zu using 1:3:(0):($4-$3) with vectors nohead lw 2 lc rgb %s", s,
		               colour);
	}
	if (is_joined(c)) {
		next(out, plots, series, false);
		xcs_buf_printf(out, "$s%zu using 1:2 with %s lw 2 lc rgb %s dt %s%s%s", s,
		               line_style(c), colour, dashes[0] ? "(" : "1", dashes,
		               dashes[0] ? ")" : "");
	}
	if (series->n_points <= MARKS_MAX) {
		next(out, plots, series, true);
		xcs_buf_printf(out, "$s%zu using 1:2 with points pt %d ps %s lc rgb %s", s,
		               mark_number(series->style), series->n_points > 40 ? "0.4" : "0.9",
		               colour);
	}
}

static void svg_events(struct xcs_buf *out, const struct xcs_chart *c, struct gnuplot_plots *plots)
{
	double top = range_of(c, true).max;

	if (!c->n_events)
		return;
	next(out, plots, NULL, false);
	xcs_buf_printf(out,
	               "$events using 1:(0):(0):(%.10g) with vectors nohead lw 1 dt (2,2) "
	               "lc rgb '#%02x%02x02'",
	               top * 1.04, GNUPLOT_RED, GNUPLOT_GREEN_FURNITURE);
	next(out, plots, NULL, true);
	xcs_buf_printf(out, "$events using 1:(%.10g) with points pt 11 ps 1 lc rgb '#%02x%02x02'",
	               top * 1.04, GNUPLOT_RED, GNUPLOT_GREEN_FURNITURE);
}

static void dumb_series(struct xcs_buf *out, const struct xcs_chart *c, size_t s,
                        struct gnuplot_plots *plots)
{
	next(out, plots, NULL, false);
	xcs_buf_printf(out, "$s%zu using 1:2 with points pt '%c'", s,
	               gnuplot_dumb_mark(c->series[s].style));
}

static void script(struct xcs_buf *out, const struct xcs_chart *c, enum gnuplot_form form,
                   struct gnuplot_plots *plots)
{
	terminal(out, form);
	axes(out, c, form);
	data(out, c);
	for (size_t s = 0; s < c->n_series; s++) {
		if (form == GNUPLOT_SVG)
			svg_series(out, c, s, plots);
		else
			dumb_series(out, c, s, plots);
	}
	if (form == GNUPLOT_SVG)
		svg_events(out, c, plots);
	xcs_buf_putc(out, '\n');
}

static int run(const struct xcs_buf *input, struct xcs_buf *out, struct xcs_err *err)
{
	static const char *const argv[] = {"gnuplot", "-d", "-", NULL};
	static const char *const env[] = {"LC_ALL=C", "GNUTERM", "GNUPLOT_LIB", NULL};
	int fd = memfd_create("gnuplot", MFD_CLOEXEC);
	int rc = fd < 0 ? -errno : xcs_fd_write_all(fd, input->p, input->n);

	if (rc == 0 && lseek(fd, 0, SEEK_SET) < 0)
		rc = -errno;
	const struct xcs_spawn spawn = {
	        .argv = argv, .env_add = env, .stdin_fd = fd, .die_with_parent = true};
	if (rc)
		xcs_err_sys(err, rc, "cannot hold a script for gnuplot");
	else
		rc = xcs_child_capture(&spawn, TIMEOUT_NS, out, err);
	if (fd >= 0)
		close(fd);
	return rc;
}

int gnuplot_draw(const struct xcs_chart *c, enum gnuplot_form form, struct xcs_buf *out,
                 struct gnuplot_plots *plots, struct xcs_err *err)
{
	struct xcs_buf text = {0};
	locale_t before = format_enter_c_locale();

	*plots = (struct gnuplot_plots){0};
	script(&text, c, form, plots);
	int rc = run(&text, out, err);
	xcs_buf_fini(&text);
	format_leave_c_locale(before);
	if (rc) {
		free(plots->v);
		*plots = (struct gnuplot_plots){0};
	}
	return rc;
}
