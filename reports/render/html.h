/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Pieces of the HTML writer. Private to reports/.
 */
#ifndef XCS_RENDER_HTML_H
#define XCS_RENDER_HTML_H

#include "gnuplot.h"

extern const char html_style[]; /* the style sheet */

/* Escaped for text and for attributes in double quotes; odd bytes are shown as \xNN. */
void html_text(struct xcs_buf *out, const char *text);

void html_table(struct xcs_buf *out, const struct xcs_doc_table *t, const char *label);

/* What a point says of itself, not escaped: "xterm, X nice -10: 25000 1/s (24750..25250)". */
void html_point_tip(struct xcs_buf *out, const struct xcs_chart *c, const struct xcs_series *s,
                    const struct xcs_point *p);

/*
 * Adds gnuplot's SVG as an element of the page: its ids begin with `id`, its colours are the
 * page's, each mark tells its numbers. Nothing is added when it is not as gnuplot writes it.
 */
void html_svg(struct xcs_buf *out, const struct xcs_buf *svg, const struct xcs_chart *c,
              const struct gnuplot_plots *plots, const char *id);

/* The figure of a chart: drawing, legend, numbers. *failed is the reason why no chart can be
 * drawn, set by the first that fails and then kept. */
void html_chart(struct xcs_buf *out, const struct xcs_block *b, struct xcs_err *failed);

#endif
