/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Charts of a document: series of points, as numbers. Who builds one says what is shown, who
 * writes one decides how it looks. All strings are copied unless said otherwise.
 */
#ifndef XCS_CHART_H
#define XCS_CHART_H

#include <record/table.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum xcs_chart_kind {
	XCS_CHART_SWEEP,    /* lines through medians, with their intervals */
	XCS_CHART_STRIP,    /* one mark per trial or boot, x is a category */
	XCS_CHART_TAIL,     /* steps: share of events above x; both axes log */
	XCS_CHART_TIMELINE, /* steps over time, with events */
	XCS_CHART_TREND     /* as a sweep, x is a category: a kernel */
};

struct xcs_axis {
	char *title;
	const char *unit; /* static, "" where there is none */
	int digits;       /* of its numbers in a table */
	bool is_log;
};

struct xcs_point {
	double x, y;
	struct xcs_num low, high; /* interval of y, or unknown */
	char *label;              /* what a reader is told about it, or NULL */
};

struct xcs_series {
	char *name;
	size_t style; /* how it looks: one name, one look, also where others are left out */
	struct xcs_point *points; /* in the order in which they are joined */
	size_t n_points, cap_points;
};

struct xcs_chart_event {
	double x;
	char *text;
};

struct xcs_chart {
	enum xcs_chart_kind kind;
	bool is_aside; /* left out of formats in which a chart takes much space */
	char *title;
	char *caption; /* one or two sentences: what it shows, and what it does not; or NULL */
	struct xcs_axis x, y;
	char **ticks; /* names of x = 0, 1, ... where x is a category, else NULL */
	size_t n_ticks, cap_ticks;
	struct xcs_series *series;
	size_t n_series, cap_series;
	struct xcs_chart_event *events;
	size_t n_events, cap_events;
};

void xcs_chart_fini(struct xcs_chart *c); /* a zeroed chart is a valid empty one */

void xcs_chart_set_x(struct xcs_chart *c, const char *title, const char *unit, int digits);
void xcs_chart_set_y(struct xcs_chart *c, const char *title, const char *unit, int digits);
void xcs_chart_add_tick(struct xcs_chart *c, const char *name);
void xcs_chart_add_event(struct xcs_chart *c, double x, const char *text);

/* Valid until the next series is added. */
struct xcs_series *xcs_chart_add_series(struct xcs_chart *c, const char *name);

/* An unknown y adds nothing: there is no place for it in a chart. Returns the point, valid until
 * the next, or NULL. On a log axis what is not above 0 adds nothing either. */
struct xcs_point *xcs_series_add(const struct xcs_chart *c, struct xcs_series *s, double x,
                                 struct xcs_num y);
void xcs_point_set_label(struct xcs_point *p, const char *label); /* p may be NULL */

void xcs_chart_drop_empty(struct xcs_chart *c); /* series without points */
size_t xcs_chart_n_points(const struct xcs_chart *c);

#ifdef __cplusplus
}
#endif
#endif
