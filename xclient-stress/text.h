/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The text widget of the flood: a terminal's screen as a subclass of Core. It takes the
 * bytes that a pty gave, keeps the cells, draws as a terminal draws and counts its work.
 *
 * Resources, besides Core's: rows and columns (0: as many as fit the screen), font,
 * foreground, internalBorder, scrollPolicy (jump, line), flushPolicy (xterm, read, frame,
 * none; see docs/measuring.md), replyCallback (call data: const char *, what the
 * terminal answers to the program on its pty), sizeCallback (call data: NULL).
 */
#ifndef XCS_TEXT_H
#define XCS_TEXT_H

#include <X11/Intrinsic.h>
#include <stdint.h>

#define XtNrows           "rows"
#define XtCRows           "Rows"
#define XtNcolumns        "columns"
#define XtCColumns        "Columns"
#define XtNinternalBorder "internalBorder"
#define XtCInternalBorder "InternalBorder"
#define XtNscrollPolicy   "scrollPolicy"
#define XtCScrollPolicy   "ScrollPolicy"
#define XtNflushPolicy    "flushPolicy"
#define XtCFlushPolicy    "FlushPolicy"
#define XtNreplyCallback  "replyCallback"
#define XtNsizeCallback   "sizeCallback"

enum text_scroll {
	TEXT_SCROLL_JUMP, /* whole screens of lines are scrolled and drawn at once */
	TEXT_SCROLL_LINE, /* each line is scrolled by a copy of its own */
};

enum text_flush {
	TEXT_FLUSH_XTERM, /* as xterm: look for events, and so flush, behind every line */
	TEXT_FLUSH_READ,  /* flush behind the lines of one read of the pty */
	TEXT_FLUSH_FRAME, /* wait for the server behind every frame */
	TEXT_FLUSH_NONE,  /* when Xlib's buffer is full, and before the client sleeps */
};

/* The names of both, in the order of the enums, NULL-terminated. */
extern const char *const text_scroll_names[];
extern const char *const text_flush_names[];

struct text_totals {
	uint64_t lines;                      /* line feeds */
	uint64_t frames;                     /* redraws that showed something new */
	uint64_t scrolls;                    /* copies of the screen's content */
	uint64_t round_trips, round_trip_ns; /* waits for the server, of those that blocked */
};

struct text_size {
	int n_rows, n_columns, width_px, height_px;
};

extern WidgetClass text_widget_class;

/* What the pty gave: keeps it, counts it, draws it or holds it back for a jump. */
void text_write(Widget w, const char *bytes, size_t n_bytes);

/* Nothing more is there to read: draws what was held back, and the cursor; flushes. */
void text_idle(Widget w);

struct text_totals text_totals(Widget w);
struct text_size text_size(Widget w);

/* The characters of a row, borrowed until the next call; for tests and dumps. */
const char *text_row(Widget w, int row);

#endif
