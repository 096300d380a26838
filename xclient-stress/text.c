/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "textP.h"

#include <X11/StringDefs.h>
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>

static Dimension width_for(const struct text_part *t, int n_columns)
{
	return (Dimension)(n_columns * text_cell_width(t) + 2 * t->internal_border);
}

static Dimension height_for(const struct text_part *t, int n_rows)
{
	return (Dimension)(n_rows * text_cell_height(t) + 2 * t->internal_border);
}

static int n_fit(int room_px, int border_px, int cell_px)
{
	int n = (room_px - 2 * border_px) / cell_px;

	return n > 0 ? n : 1;
}

static void class_initialize(void)
{
	text_register_converters();
}

static void initialize(Widget request, Widget new, ArgList args, Cardinal *n_args)
{
	TextWidget w = (TextWidget) new;
	struct text_part *t = &w->text;
	int border = t->internal_border;

	(void)request, (void)args, (void)n_args;
	if (t->rows <= 0)
		t->rows = n_fit(HeightOfScreen(XtScreen(new)), border, text_cell_height(t));
	if (t->columns <= 0)
		t->columns = n_fit(WidthOfScreen(XtScreen(new)), border, text_cell_width(t));
	if (w->core.width == 0)
		w->core.width = width_for(t, t->columns);
	if (w->core.height == 0)
		w->core.height = height_for(t, t->rows);
	t->gc = NULL;
	t->emu = (struct emu){0};
	t->totals = (struct text_totals){0};
	t->n_held = 0;
	t->is_copying = t->cursor_on = t->is_dirty = false;
	grid_init(&t->grid, t->rows, t->columns);
	text_make_gc(w);
}

static void realize(Widget widget, XtValueMask *mask, XSetWindowAttributes *attributes)
{
	/* Text keeps to the upper left when the window grows. */
	*mask |= CWBitGravity;
	attributes->bit_gravity = NorthWestGravity;
	XtCreateWindow(widget, InputOutput, CopyFromParent, *mask, attributes);
}

static void destroy(Widget widget)
{
	TextWidget w = (TextWidget)widget;

	text_free_gc(w);
	grid_fini(&w->text.grid);
}

static void resize(Widget widget)
{
	TextWidget w = (TextWidget)widget;
	struct text_part *t = &w->text;
	int rows = n_fit(w->core.height, t->internal_border, text_cell_height(t));
	int columns = n_fit(w->core.width, t->internal_border, text_cell_width(t));

	if (rows == t->grid.n_rows && columns == t->grid.n_columns)
		return;
	t->rows = rows;
	t->columns = columns;
	t->n_held = 0;
	t->cursor_on = false;
	grid_resize(&t->grid, rows, columns);
	if (XtIsRealized(widget))
		XClearWindow(XtDisplay(widget), XtWindow(widget));
	text_draw_rows(w, 0, rows);
	XtCallCallbackList(widget, t->size_callback, NULL);
}

/* Draws the rows that meet y..y+height; those held back come with the next jump. */
static void redraw(TextWidget w, int y, int height)
{
	struct text_part *t = &w->text;
	int cell = text_cell_height(t);
	int first = (y - t->internal_border) / cell,
	    last = (y + height - t->internal_border) / cell;

	if (t->n_held)
		return;
	first = first > 0 ? first : 0;
	last = last < t->grid.n_rows ? last : t->grid.n_rows - 1;
	if (first > last)
		return;
	text_draw_rows(w, first, last - first + 1);
	if (t->cursor_on) {
		t->cursor_on = false;
		text_show_cursor(w, true);
	}
}

static void hold_end(TextWidget w);

static void expose(Widget widget, XEvent *event, Region region)
{
	TextWidget w = (TextWidget)widget;
	bool was_held = w->text.n_held > 0;

	(void)region;
	text_copy_done(w, event);
	if (event->type == NoExpose)
		return;
	hold_end(w);
	/* A move since then, or one under way, took the damage along: draw the whole. */
	if (was_held || w->text.is_copying)
		redraw(w, 0, w->core.height);
	else if (event->type == Expose)
		redraw(w, event->xexpose.y, event->xexpose.height);
	else
		redraw(w, event->xgraphicsexpose.y, event->xgraphicsexpose.height);
}

static Boolean set_values(Widget current, Widget request, Widget new, ArgList args,
                          Cardinal *n_args)
{
	TextWidget old = (TextWidget)current, w = (TextWidget) new;
	struct text_part *t = &w->text, *before = &old->text;
	bool other_font = t->font != before->font;

	(void)request, (void)args, (void)n_args;
	if (other_font || t->foreground != before->foreground || t->flush != before->flush ||
	    w->core.background_pixel != old->core.background_pixel) {
		text_free_gc(w);
		text_make_gc(w);
	}
	if (other_font || t->rows != before->rows || t->internal_border != before->internal_border)
		w->core.height = height_for(t, t->rows);
	if (other_font || t->columns != before->columns ||
	    t->internal_border != before->internal_border)
		w->core.width = width_for(t, t->columns);
	return other_font || t->gc != before->gc;
}

static XtGeometryResult query_geometry(Widget widget, XtWidgetGeometry *proposed,
                                       XtWidgetGeometry *answer)
{
	const struct text_part *t = &((TextWidget)widget)->text;

	answer->request_mode = CWWidth | CWHeight;
	answer->width = width_for(t, t->columns);
	answer->height = height_for(t, t->rows);
	bool same = (proposed->request_mode & CWWidth) && (proposed->request_mode & CWHeight) &&
	            proposed->width == answer->width && proposed->height == answer->height;
	return same ? XtGeometryYes : XtGeometryAlmost;
}

static struct text_class_rec class_rec = {
        .core_class =
                {
                             .superclass = (WidgetClass)&widgetClassRec,
                             .class_name = "XcsText",
                             .widget_size = sizeof(struct text_rec),
                             .class_initialize = class_initialize,
                             .initialize = initialize,
                             .realize = realize,
                             .resources = text_resources,
                             .num_resources = TEXT_N_RESOURCES,
                             .xrm_class = NULLQUARK,
                             .compress_motion = True,
                             .compress_exposure =
                                XtExposeNoCompress | XtExposeGraphicsExpose | XtExposeNoExpose,
                             .compress_enterleave = True,
                             .visible_interest = False,
                             .destroy = destroy,
                             .resize = resize,
                             .expose = expose,
                             .set_values = set_values,
                             .set_values_almost = XtInheritSetValuesAlmost,
                             .version = XtVersion,
                             .query_geometry = query_geometry,
                             .display_accelerator = XtInheritDisplayAccelerator,
                             },
        .text_class = {.extension = NULL    },
};

WidgetClass text_widget_class = (WidgetClass)&class_rec;

/* Shows the rows that a jump held back: one move for all of them, then their text. */
static void hold_end(TextWidget w)
{
	struct text_part *t = &w->text;

	if (t->n_held == 0)
		return;
	text_wait_for_copy(w); /* may handle an Expose, and so end the hold already */
	int n = t->n_held;
	if (n == 0)
		return;
	t->n_held = 0;
	text_scroll_up(w, n);
	text_draw_rows(w, t->grid.n_rows - n, n);
	text_end_frame(w);
}

/*
 * xterm looks for X events behind every carriage return and every line feed (do_xevents()
 * in its misc.c), by XtAppPending and FIONREAD. Looking is what flushes: Xt sends Xlib's
 * buffer when no event is there. So a server of higher priority is woken for every frame
 * and not for every full buffer. These are the calls that XtAppPending makes in xterm; here
 * it would find the pty, which xterm does not show to Xt, and stop asking the server.
 */
static bool has_events(Display *dpy)
{
	struct pollfd fd = {.fd = ConnectionNumber(dpy), .events = POLLIN};
	int n_bytes = 0;

	if (XEventsQueued(dpy, QueuedAfterReading) > 0 || XEventsQueued(dpy, QueuedAfterFlush) > 0)
		return true;
	if (poll(&fd, 1, 0) > 0)
		return true;
	return ioctl(fd.fd, FIONREAD, &n_bytes) == 0 && n_bytes > 0;
}

static void look_for_events(TextWidget w)
{
	XtAppContext app = XtWidgetToApplicationContext((Widget)w);

	if (w->text.flush != TEXT_FLUSH_XTERM || !has_events(XtDisplay(w)))
		return;
	hold_end(w);
	while (XEventsQueued(XtDisplay(w), QueuedAfterReading) > 0)
		XtAppProcessEvent(app, XtIMXEvent);
}

static void line_feed(TextWidget w)
{
	struct text_part *t = &w->text;
	bool is_line = t->scroll == TEXT_SCROLL_LINE;

	if (t->grid.row < t->grid.n_rows - 1) {
		grid_line_feed(&t->grid);
		return;
	}
	/* Waiting may redraw, so it comes before the cells move. */
	if (is_line) {
		text_end_frame(w);
		text_wait_for_copy(w);
	} else if (t->n_held == t->grid.n_rows) {
		hold_end(w); /* the top row is about to leave the screen unseen */
	}
	grid_line_feed(&t->grid);
	if (is_line)
		text_scroll_up(w, 1);
	else
		t->n_held++;
}

static void put_text(void *data, const char *run, size_t n_bytes)
{
	TextWidget w = data;
	struct text_part *t = &w->text;

	text_show_cursor(w, false);
	while (n_bytes > 0) {
		if (t->grid.wrap_pending) {
			grid_carriage_return(&t->grid);
			line_feed(w);
		}
		int row = t->grid.row, column = t->grid.column;
		int n = grid_put(&t->grid, run, n_bytes);
		bool is_held = row >= t->grid.n_rows - t->n_held;
		if (!is_held)
			hold_end(w);
		if (!is_held)
			text_draw_run(w, row, column, n);
		run += n;
		n_bytes -= (size_t)n;
	}
}

static void put_control(void *data, char c)
{
	TextWidget w = data;
	struct text_part *t = &w->text;

	text_show_cursor(w, false);
	switch (c) {
	case '\n':
		line_feed(w);
		t->totals.lines++;
		look_for_events(w);
		break;
	case '\r':
		grid_carriage_return(&t->grid);
		look_for_events(w);
		break;
	case '\b':
		grid_backspace(&t->grid);
		break;
	default:
		grid_tab(&t->grid);
	}
}

static void answer(void *data, enum emu_query query)
{
	TextWidget w = data;
	char text[64] = "\033[0n";

	if (query == EMU_POSITION)
		snprintf(text, sizeof(text), "\033[%d;%dR", w->text.grid.row + 1,
		         w->text.grid.column + 1);
	XtCallCallbackList((Widget)w, w->text.reply_callback, text);
}

void text_write(Widget widget, const char *bytes, size_t n_bytes)
{
	static const struct emu_ops ops = {put_text, put_control, answer};
	TextWidget w = (TextWidget)widget;

	emu_feed(&w->text.emu, bytes, n_bytes, &ops, w);
	if (w->text.flush == TEXT_FLUSH_READ) {
		hold_end(w);
		text_end_frame(w);
		XFlush(XtDisplay(w));
	}
}

void text_idle(Widget widget)
{
	TextWidget w = (TextWidget)widget;

	hold_end(w);
	text_end_frame(w);
	text_show_cursor(w, true);
	w->text.is_dirty = false; /* a cursor alone is no frame */
	if (w->text.flush != TEXT_FLUSH_NONE)
		XFlush(XtDisplay(w));
}

struct text_totals text_totals(Widget w)
{
	return ((TextWidget)w)->text.totals;
}

struct text_size text_size(Widget widget)
{
	const TextWidget w = (TextWidget)widget;

	return (struct text_size){w->text.grid.n_rows, w->text.grid.n_columns, w->core.width,
	                          w->core.height};
}

const char *text_row(Widget w, int row)
{
	return grid_row(&((TextWidget)w)->text.grid, row);
}
