/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "textP.h"

#include <common/env.h>

int text_cell_width(const struct text_part *t)
{
	return t->font->max_bounds.width;
}

int text_cell_height(const struct text_part *t)
{
	return t->font->ascent + t->font->descent;
}

static int x_of(const struct text_part *t, int column)
{
	return t->internal_border + column * text_cell_width(t);
}

static int y_of(const struct text_part *t, int row)
{
	return t->internal_border + row * text_cell_height(t);
}

/*
 * Only the policy that waits for its copies asks the server to confirm them: with several
 * copies under way, the area that an event names has moved by the time it is read.
 */
static bool wants_confirmation(const struct text_part *t)
{
	return t->flush == TEXT_FLUSH_XTERM;
}

void text_make_gc(TextWidget w)
{
	struct text_part *t = &w->text;
	XGCValues values = {
	        .foreground = t->foreground,
	        .background = w->core.background_pixel,
	        .font = t->font->fid,
	        .graphics_exposures = wants_confirmation(t),
	};

	t->gc = XtGetGC((Widget)w, GCForeground | GCBackground | GCFont | GCGraphicsExposures,
	                &values);
}

void text_free_gc(TextWidget w)
{
	if (w->text.gc)
		XtReleaseGC((Widget)w, w->text.gc);
	w->text.gc = NULL;
}

void text_draw_run(TextWidget w, int row, int column, int n)
{
	struct text_part *t = &w->text;

	if (!XtIsRealized((Widget)w) || n <= 0)
		return;
	XDrawImageString(XtDisplay(w), XtWindow(w), t->gc, x_of(t, column),
	                 y_of(t, row) + t->font->ascent, grid_row(&t->grid, row) + column, n);
	t->is_dirty = true;
}

/* To the last column, blank or not: so does xterm's ScrnRefresh(), and with short lines the
 * blanks are most of the server's work. */
void text_draw_rows(TextWidget w, int first, int n)
{
	for (int row = first; row < first + n; row++)
		text_draw_run(w, row, 0, w->text.grid.n_columns);
}

void text_clear_rows(TextWidget w, int first, int n)
{
	struct text_part *t = &w->text;

	if (!XtIsRealized((Widget)w) || n <= 0)
		return;
	XClearArea(XtDisplay(w), XtWindow(w), x_of(t, 0), y_of(t, first),
	           (unsigned)(t->grid.n_columns * text_cell_width(t)),
	           (unsigned)(n * text_cell_height(t)), False);
	t->is_dirty = true;
}

/* Moves what is on the screen up and clears the room; the caller has waited for a copy. */
void text_scroll_up(TextWidget w, int n_rows)
{
	struct text_part *t = &w->text;
	int n_stay = t->grid.n_rows - n_rows;

	if (!XtIsRealized((Widget)w))
		return;
	if (n_stay > 0) {
		XCopyArea(XtDisplay(w), XtWindow(w), XtWindow(w), t->gc, x_of(t, 0),
		          y_of(t, n_rows), (unsigned)(t->grid.n_columns * text_cell_width(t)),
		          (unsigned)(n_stay * text_cell_height(t)), x_of(t, 0), y_of(t, 0));
		t->is_copying = wants_confirmation(t);
		t->totals.scrolls++;
	}
	text_clear_rows(w, n_stay > 0 ? n_stay : 0, n_rows);
}

/* The outline that terminals show while they have no focus. */
static void draw_cursor(TextWidget w)
{
	struct text_part *t = &w->text;

	XDrawRectangle(XtDisplay(w), XtWindow(w), t->gc, x_of(t, t->grid.column),
	               y_of(t, t->grid.row), (unsigned)text_cell_width(t) - 1,
	               (unsigned)text_cell_height(t) - 1);
}

void text_show_cursor(TextWidget w, bool on)
{
	struct text_part *t = &w->text;

	if (!XtIsRealized((Widget)w) || on == t->cursor_on)
		return;
	t->cursor_on = on;
	if (on)
		draw_cursor(w);
	else
		text_draw_run(w, t->grid.row, t->grid.column, 1);
}

static void count_wait(struct text_part *t, int64_t since_ns)
{
	t->totals.round_trips++;
	t->totals.round_trip_ns += (uint64_t)(xcs_mono_now_ns() - since_ns);
}

void text_end_frame(TextWidget w)
{
	struct text_part *t = &w->text;

	if (!t->is_dirty)
		return;
	t->is_dirty = false;
	t->totals.frames++;
	if (t->flush != TEXT_FLUSH_FRAME)
		return;
	int64_t start_ns = xcs_mono_now_ns();
	XSync(XtDisplay(w), False);
	count_wait(t, start_ns);
}

/*
 * Sends the next copy only when the last one was confirmed, as xterm's copy_area() does
 * (util.c): an area that could not be copied is told relative to the copy under way.
 */
void text_wait_for_copy(TextWidget w)
{
	struct text_part *t = &w->text;
	XEvent event;

	if (!t->is_copying)
		return;
	int64_t start_ns = xcs_mono_now_ns();
	while (t->is_copying) {
		XWindowEvent(XtDisplay(w), XtWindow(w), ExposureMask, &event);
		XtDispatchEvent(&event);
	}
	count_wait(t, start_ns);
}

/* Takes note of the events that confirm a copy. */
void text_copy_done(TextWidget w, const XEvent *event)
{
	if (event->type == NoExpose ||
	    (event->type == GraphicsExpose && event->xgraphicsexpose.count == 0))
		w->text.is_copying = false;
}
