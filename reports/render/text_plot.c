/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gnuplot.h"
#include "text.h"

#include <common/alloc.h>

#include <stdlib.h>

/* gnuplot begins a page with a form feed and fills lines with blanks. */
static void put_lines(struct xcs_buf *out, const struct xcs_buf *drawn)
{
	struct xcs_str rest = xcs_buf_str(drawn), line;
	bool begun = false;

	while (xcs_str_next_line(&rest, &line)) {
		while (line.n && (line.p[0] == '\f' || line.p[0] == '\r')) {
			line.p++;
			line.n--;
		}
		while (line.n && line.p[line.n - 1] == ' ')
			line.n--;
		if (!begun && !line.n)
			continue;
		begun = true;
		xcs_buf_add(out, line.p, line.n < TEXT_WIDTH ? line.n : TEXT_WIDTH);
		xcs_buf_putc(out, '\n');
	}
}

static void legend(struct xcs_buf *out, const struct xcs_chart *c)
{
	for (size_t s = 0; s < c->n_series; s++) {
		const char first[] = {' ', ' ', gnuplot_dumb_mark(c->series[s].style),
		                      ' ', ' ', '\0'};
		text_wrap(out, first, 5, c->series[s].name);
	}
	for (size_t i = 0; i < c->n_ticks; i++) {
		char *first = xcs_xasprintf("%3zu  ", i + 1);
		text_wrap(out, first, 5, c->ticks[i]);
		free(first);
	}
}

bool text_shows(const struct xcs_block *b, bool plots)
{
	return b->type != XCS_BLOCK_CHART || (plots && !b->chart.is_aside);
}

bool text_has_content(const struct xcs_section *s, bool plots)
{
	for (size_t i = 0; i < s->n_blocks; i++)
		if (text_shows(&s->blocks[i], plots))
			return true;
	return false;
}

static void heading(struct xcs_buf *out, const struct xcs_chart *c)
{
	bool has_unit = c->y.unit && c->y.unit[0];
	char *text = xcs_xasprintf("%s%s%s%s", c->title, has_unit ? " (" : "",
	                           has_unit ? c->y.unit : "", has_unit ? ")" : "");

	text_wrap(out, "", 0, text);
	free(text);
}

void text_plot(struct xcs_buf *out, const struct xcs_chart *c, struct xcs_err *failed)
{
	struct gnuplot_plots plots;
	struct xcs_buf drawn = {0};

	if (gnuplot_draw(c, GNUPLOT_DUMB, &drawn, &plots, failed)) {
		text_wrap(out, "No charts: ", 0, failed->text);
	} else {
		heading(out, c);
		put_lines(out, &drawn);
		legend(out, c);
		free(plots.v);
	}
	xcs_buf_fini(&drawn);
}
