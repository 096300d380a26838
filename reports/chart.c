/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <common/alloc.h>
#include <reports/chart.h>

#include <math.h>
#include <stdlib.h>

static void series_fini(struct xcs_series *s)
{
	for (size_t i = 0; i < s->n_points; i++)
		free(s->points[i].label);
	free(s->points);
	free(s->name);
}

void xcs_chart_fini(struct xcs_chart *c)
{
	for (size_t i = 0; i < c->n_series; i++)
		series_fini(&c->series[i]);
	for (size_t i = 0; i < c->n_ticks; i++)
		free(c->ticks[i]);
	for (size_t i = 0; i < c->n_events; i++)
		free(c->events[i].text);
	free(c->series);
	free(c->ticks);
	free(c->events);
	free(c->title);
	free(c->caption);
	free(c->x.title);
	free(c->y.title);
	*c = (struct xcs_chart){0};
}

static void set_axis(struct xcs_axis *a, const char *title, const char *unit, int digits)
{
	free(a->title);
	a->title = xcs_xstrdup(title);
	a->unit = unit;
	a->digits = digits;
}

void xcs_chart_set_x(struct xcs_chart *c, const char *title, const char *unit, int digits)
{
	set_axis(&c->x, title, unit, digits);
}

void xcs_chart_set_y(struct xcs_chart *c, const char *title, const char *unit, int digits)
{
	set_axis(&c->y, title, unit, digits);
}

void xcs_chart_add_tick(struct xcs_chart *c, const char *name)
{
	c->ticks = xcs_xgrow(c->ticks, c->n_ticks, &c->cap_ticks, sizeof(*c->ticks));
	c->ticks[c->n_ticks++] = xcs_xstrdup(name);
}

void xcs_chart_add_event(struct xcs_chart *c, double x, const char *text)
{
	c->events = xcs_xgrow(c->events, c->n_events, &c->cap_events, sizeof(*c->events));
	c->events[c->n_events++] = (struct xcs_chart_event){x, xcs_xstrdup(text)};
}

struct xcs_series *xcs_chart_add_series(struct xcs_chart *c, const char *name)
{
	c->series = xcs_xgrow(c->series, c->n_series, &c->cap_series, sizeof(*c->series));
	struct xcs_series *s = &c->series[c->n_series];
	*s = (struct xcs_series){.name = xcs_xstrdup(name), .style = c->n_series++};
	return s;
}

static bool has_place(const struct xcs_axis *a, double v)
{
	return isfinite(v) && (!a->is_log || v > 0);
}

struct xcs_point *xcs_series_add(const struct xcs_chart *c, struct xcs_series *s, double x,
                                 struct xcs_num y)
{
	if (!y.known || !has_place(&c->x, x) || !has_place(&c->y, y.v))
		return NULL;
	s->points = xcs_xgrow(s->points, s->n_points, &s->cap_points, sizeof(*s->points));
	struct xcs_point *p = &s->points[s->n_points++];
	*p = (struct xcs_point){.x = x, .y = y.v};
	return p;
}

void xcs_point_set_label(struct xcs_point *p, const char *label)
{
	if (!p)
		return;
	free(p->label);
	p->label = xcs_xstrdup(label);
}

void xcs_chart_drop_empty(struct xcs_chart *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_series; i++) {
		if (c->series[i].n_points)
			c->series[n++] = c->series[i];
		else
			series_fini(&c->series[i]);
	}
	c->n_series = n;
}

size_t xcs_chart_n_points(const struct xcs_chart *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_series; i++)
		n += c->series[i].n_points;
	return n;
}
