/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The inside of the text widget: its record, and what its files share.
 */
#ifndef XCS_TEXT_P_H
#define XCS_TEXT_P_H

#include "text.h"

#include <X11/IntrinsicP.h>
#include <stdbool.h>
#include <terminal/emu.h>
#include <terminal/grid.h>

struct text_class_part {
	XtPointer extension;
};

struct text_class_rec {
	CoreClassPart core_class;
	struct text_class_part text_class;
};

struct text_part {
	/* resources */
	int rows, columns;
	XFontStruct *font;
	Pixel foreground;
	Dimension internal_border;
	int scroll; /* enum text_scroll */
	int flush;  /* enum text_flush */
	XtCallbackList reply_callback, size_callback;

	/* private */
	GC gc;
	struct emu emu;
	struct grid grid;
	int n_held;      /* rows at the bottom that were scrolled in and are not drawn yet */
	bool is_copying; /* a copy was sent and its (No)GraphicsExpose not yet seen */
	bool cursor_on;  /* the cursor is on the screen */
	bool is_dirty;   /* something was drawn since the last frame was counted */
	struct text_totals totals;
};

struct text_rec {
	CorePart core;
	struct text_part text;
};

typedef struct text_rec *TextWidget;

/* text_resources.c */
enum {
	TEXT_N_RESOURCES = 9
};
extern XtResource text_resources[TEXT_N_RESOURCES];
void text_register_converters(void);

/* text_draw.c */
int text_cell_width(const struct text_part *t);
int text_cell_height(const struct text_part *t);
void text_make_gc(TextWidget w);
void text_free_gc(TextWidget w);
void text_draw_run(TextWidget w, int row, int column, int n);
void text_draw_rows(TextWidget w, int first, int n);
void text_clear_rows(TextWidget w, int first, int n);
void text_scroll_up(TextWidget w, int n_rows);
void text_show_cursor(TextWidget w, bool on);
void text_end_frame(TextWidget w);
void text_wait_for_copy(TextWidget w);
void text_copy_done(TextWidget w, const XEvent *event);

#endif
