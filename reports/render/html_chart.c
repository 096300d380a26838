/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html.h"

#include <common/alloc.h>

#include <stdlib.h>

enum {
	OPEN_ROWS_MAX = 24 /* a longer table of numbers is folded */
};

/* The marks as gnuplot draws them, around 0,0. */
static const char *const marks[GNUPLOT_N_MARKS] = {
        "<circle r=\"4.5\"/>",
        "<path d=\"M-4.5-4.5h9v9h-9z\"/>",
        "<path d=\"M0-6 5.5 3.5h-11z\"/>",
        "<path d=\"M0-6 6 0 0 6-6 0z\"/>",
};

static void legend_row(struct xcs_buf *out, const struct xcs_chart *c, size_t s)
{
	size_t look = c->series[s].style, style = look % GNUPLOT_N_STYLES;

	xcs_buf_printf(out,
	               "<li><svg class=\"key\" viewBox=\"-20 -7 40 14\" aria-hidden=\"true\" "
	               "stroke=\"var(--s%zu)\" fill=\"var(--s%zu)\">",
	               style, style);
	if (c->kind != XCS_CHART_STRIP)
		xcs_buf_printf(out,
		               "<path d=\"M-20 0h40\" stroke-width=\"2\" "
		               "stroke-dasharray=\"%s\"/>",
		               gnuplot_dashes(look));
	xcs_buf_printf(out, "%s</svg>", marks[look % GNUPLOT_N_MARKS]);
	html_text(out, c->series[s].name);
	xcs_buf_puts(out, "</li>\n");
}

static void legend(struct xcs_buf *out, const struct xcs_chart *c)
{
	xcs_buf_puts(out, "<ul class=\"legend\">\n");
	for (size_t s = 0; s < c->n_series; s++)
		legend_row(out, c, s);
	xcs_buf_puts(out, "</ul>\n");
}

static void events(struct xcs_buf *out, const struct xcs_chart *c)
{
	if (!c->n_events)
		return;
	xcs_buf_puts(out, "<ul class=\"events\">\n");
	for (size_t i = 0; i < c->n_events; i++) {
		xcs_buf_printf(out, "<li>%.3f %s: ", c->events[i].x, c->x.unit ? c->x.unit : "");
		html_text(out, c->events[i].text);
		xcs_buf_puts(out, "</li>\n");
	}
	xcs_buf_puts(out, "</ul>\n");
}

static void drawing(struct xcs_buf *out, const struct xcs_block *b, struct xcs_err *failed)
{
	struct xcs_buf svg = {0};
	struct gnuplot_plots plots;

	if (failed->text[0] || gnuplot_draw(&b->chart, GNUPLOT_SVG, &svg, &plots, failed)) {
		xcs_buf_puts(out, "<p class=\"missing\">The chart is missing; its numbers are in "
		                  "the table.</p>\n");
	} else {
		xcs_buf_printf(out, "<div class=\"scroll drawing%s\" tabindex=\"0\">",
		               b->chart.n_ticks ? " categories" : "");
		html_svg(out, &svg, &b->chart, &plots, b->id);
		xcs_buf_puts(out, "</div>\n");
		legend(out, &b->chart);
		free(plots.v);
	}
	xcs_buf_fini(&svg);
}

void html_chart(struct xcs_buf *out, const struct xcs_block *b, struct xcs_err *failed)
{
	const struct xcs_chart *c = &b->chart;

	xcs_buf_puts(out, "<figure id=\"chart-");
	html_text(out, b->id);
	xcs_buf_puts(out, "\">\n<figcaption><h3>");
	html_text(out, c->title);
	xcs_buf_puts(out, "</h3>");
	if (c->caption) {
		xcs_buf_puts(out, "<p>");
		html_text(out, c->caption);
		xcs_buf_puts(out, "</p>");
	}
	xcs_buf_puts(out, "</figcaption>\n<div class=\"plot\">\n");
	drawing(out, b, failed);
	events(out, c);
	xcs_buf_printf(out, "</div>\n<details%s><summary>Numbers (%zu rows)</summary>\n",
	               b->table.n_rows <= OPEN_ROWS_MAX ? " open" : "", b->table.n_rows);
	html_table(out, &b->table, c->title);
	xcs_buf_puts(out, "</details>\n</figure>\n");
}
