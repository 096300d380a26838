/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * gnuplot's SVG made part of a page. Its own interactive form needs JavaScript; titles of
 * marks need none, and gnuplot writes the marks of a plot in the order of its points.
 */
#include "formats.h"
#include "html.h"
#include "text.h"

#include <common/alloc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUP "<g id=\"xcs_plot_"

struct rewriting {
	struct xcs_buf *out;
	const struct xcs_chart *chart;
	const struct gnuplot_plots *plots;
	const char *id;
	const struct gnuplot_plot *plot; /* whose marks are read; NULL: none, or not as expected */
	size_t n_marks;
};

static void put_number(struct xcs_buf *out, double v, int digits, const char *unit)
{
	text_number(out, v, digits);
	if (unit && unit[0])
		xcs_buf_printf(out, " %s", unit);
}

void html_point_tip(struct xcs_buf *out, const struct xcs_chart *c, const struct xcs_series *s,
                    const struct xcs_point *p)
{
	xcs_buf_printf(out, "%s, ", s->name);
	if (p->x >= 0 && p->x < (double)c->n_ticks) {
		xcs_buf_puts(out, c->ticks[(size_t)p->x]);
	} else {
		xcs_buf_printf(out, "%s ", c->x.title);
		put_number(out, p->x, c->x.digits, c->x.unit);
	}
	xcs_buf_puts(out, ": ");
	put_number(out, p->y, c->y.digits, c->y.unit);
	if (p->low.known && p->high.known) {
		xcs_buf_puts(out, " (");
		text_number(out, p->low.v, c->y.digits);
		xcs_buf_puts(out, "..");
		text_number(out, p->high.v, c->y.digits);
		xcs_buf_putc(out, ')');
	}
	if (p->label)
		xcs_buf_printf(out, ", %s", p->label);
}

static void put_title(struct rewriting *r, const char *text)
{
	xcs_buf_puts(r->out, "<title>");
	html_text(r->out, text);
	xcs_buf_puts(r->out, "</title>");
}

static size_t n_points(const struct rewriting *r, const struct gnuplot_plot *plot)
{
	return plot->series ? plot->series->n_points : r->chart->n_events;
}

static void tip(struct rewriting *r, size_t i)
{
	struct xcs_buf text = {0};

	if (r->plot->series)
		html_point_tip(&text, r->chart, r->plot->series, &r->plot->series->points[i]);
	else
		xcs_buf_puts(&text, r->chart->events[i].text);
	put_title(r, text.p ? text.p : "");
	xcs_buf_fini(&text);
}

static size_t count(const char *from, const char *to, const char *what)
{
	size_t n = 0;

	for (const char *p = from; (p = strstr(p, what)) && p < to; p++)
		n++;
	return n;
}

/* A group of one plot: `<g id="xcs_plot_2" ><title>xcs_plot_2</title>`. */
static const char *begin_plot(struct rewriting *r, const char *p)
{
	size_t number = strtoul(p + strlen(GROUP), NULL, 10);
	const char *end = strstr(p, "</title>"), *next = strstr(p + 1, GROUP);

	if (!end || !number || number > r->plots->n)
		return NULL;
	end += strlen("</title>");
	const struct gnuplot_plot *plot = &r->plots->v[number - 1];
	size_t n = count(end, next ? next : end + strlen(end), "<use ");
	r->plot = plot->is_marks && n == n_points(r, plot) ? plot : NULL;
	r->n_marks = 0;
	xcs_buf_printf(r->out, "<g id=\"%s-plot-%zu\">", r->id, number);
	put_title(r, plot->series ? plot->series->name : "events");
	return end;
}

/* "rgb(  1,   2,   3)": what gnuplot was told to draw in becomes what the page draws in. */
static const char *colour(struct rewriting *r, const char *p)
{
	int red, green, blue, n = 0;

	if (sscanf(p, "rgb(%d ,%d ,%d )%n", &red, &green, &blue, &n) != 3 || !n)
		return NULL;
	if (red == GNUPLOT_RED && green == GNUPLOT_GREEN_SERIES)
		xcs_buf_printf(r->out, "var(--s%d)", blue);
	else if (red == GNUPLOT_RED && green == GNUPLOT_GREEN_FURNITURE)
		xcs_buf_printf(r->out, "var(--f%d)", blue);
	else
		xcs_buf_puts(r->out, "currentColor");
	return p + n;
}

static const char *past(const char *p, const char *what)
{
	const char *end = strstr(p, what);

	return end ? end + strlen(what) : NULL;
}

/* What stands at p and must not stay: returns what is behind it, NULL when nothing does. */
static const char *replaced(struct rewriting *r, const char *p)
{
	static const struct {
		const char *from, *to;
	} rows[] = {
	        {" color=\"black\"",       ""                       },
	        {" color=\"white\"",       ""                       },
	        {"fill=\"black\"",         "fill=\"currentColor\""  },
	        {"stroke=\"black\"",       "stroke=\"currentColor\""},
	        {"stroke='black'",         "stroke='currentColor'"  },
	        {" id=\"gnuplot_canvas\"", ""                       },
	        {"xlink:href",             "href"                   },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (strncmp(p, rows[i].from, strlen(rows[i].from)))
			continue;
		xcs_buf_puts(r->out, rows[i].to);
		return p + strlen(rows[i].from);
	}
	if (strncmp(p, "'#gp", 4) == 0 || strncmp(p, "'gp", 3) == 0) {
		xcs_buf_printf(r->out, "'%s%s-", p[1] == '#' ? "#" : "", r->id);
		return p + (p[1] == '#' ? 2 : 1);
	}
	if (strncmp(p, "<filter", 7) == 0)
		return past(p, "</filter>");
	if (strncmp(p, "rgb(", 4) == 0)
		return colour(r, p);
	return strncmp(p, GROUP, strlen(GROUP)) == 0 ? begin_plot(r, p) : NULL;
}

/* At the end of an element without content: a mark gets its title. */
static const char *closed(struct rewriting *r, const char *p, const char *element)
{
	if (!r->plot || strncmp(element, "<use ", 5) || r->n_marks >= n_points(r, r->plot))
		return NULL;
	xcs_buf_putc(r->out, '>');
	tip(r, r->n_marks++);
	xcs_buf_puts(r->out, "</use>");
	return p + 2;
}

void html_svg(struct xcs_buf *out, const struct xcs_buf *svg, const struct xcs_chart *c,
              const struct gnuplot_plots *plots, const char *id)
{
	struct rewriting r = {.out = out, .chart = c, .plots = plots, .id = id};
	const char *p = svg->n ? strstr(svg->p, "<g id=\"gnuplot_canvas\"") : NULL;
	const char *end = p ? strstr(p, "</svg>") : NULL, *element = p;

	if (!end)
		return;
	xcs_buf_printf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
	               GNUPLOT_WIDTH_PX, GNUPLOT_HEIGHT_PX);
	html_text(out, c->title);
	xcs_buf_puts(out, "\">\n");
	while (p < end) {
		const char *behind = NULL;
		element = *p == '<' ? p : element;
		behind = p[0] == '/' && p[1] == '>' ? closed(&r, p, element) : replaced(&r, p);
		if (!behind)
			xcs_buf_putc(out, *p);
		p = behind ? behind : p + 1;
	}
	xcs_buf_puts(out, "</svg>\n");
}
