/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * text-widget: the text widget in a shell of its own, resources and methods. Needs a
 * server; exits with 0 when all holds, else says at which line it does not.
 */
#include "text.h"

#include <X11/Shell.h>
#include <X11/StringDefs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOLDS(fact)                                                                      \
	do {                                                                             \
		if (!(fact)) {                                                           \
			printf("%s:%d: does not hold: %s\n", __FILE__, __LINE__, #fact); \
			exit(1);                                                         \
		}                                                                        \
	} while (0)

static char answers[256];
static int n_sizes;

static void on_reply(Widget w, XtPointer data, XtPointer text)
{
	(void)w, (void)data;
	strncat(answers, text, sizeof(answers) - strlen(answers) - 1);
}

static void on_size(Widget w, XtPointer data, XtPointer nothing)
{
	(void)w, (void)data, (void)nothing;
	n_sizes++;
}

static Boolean warned;

static void on_warning(String message)
{
	(void)message;
	warned = True;
}

static int number(Widget w, const char *resource)
{
	int v = -1;

	XtVaGetValues(w, resource, &v, NULL);
	return v;
}

static Dimension pixels(Widget w, const char *resource)
{
	Dimension v = 0;

	XtVaGetValues(w, resource, &v, NULL);
	return v;
}

static void resources_come_from_the_database(Widget shell)
{
	XrmDatabase db = XtScreenDatabase(XtScreen(shell));

	XrmPutStringResource(&db, "*one.rows", "5");
	XrmPutStringResource(&db, "*one.scrollPolicy", "line");
	XrmPutStringResource(&db, "*one.flushPolicy", "frame");
	XrmPutStringResource(&db, "*two.scrollPolicy", "sideways");
	Widget one = XtVaCreateWidget("one", text_widget_class, shell, NULL);
	HOLDS(number(one, XtNrows) == 5 && number(one, XtNcolumns) == 80);
	HOLDS(number(one, XtNscrollPolicy) == TEXT_SCROLL_LINE);
	HOLDS(number(one, XtNflushPolicy) == TEXT_FLUSH_FRAME);
	HOLDS(!warned);
	Widget two = XtVaCreateWidget("two", text_widget_class, shell, NULL);
	HOLDS(number(two, XtNrows) == 24 && number(two, XtNscrollPolicy) == TEXT_SCROLL_JUMP);
	HOLDS(warned);
	XtDestroyWidget(one);
	XtDestroyWidget(two);
}

static void values_set_later_change_the_size(Widget w)
{
	Dimension width = pixels(w, XtNwidth), height = pixels(w, XtNheight);

	XtVaSetValues(w, XtNrows, 48, XtNcolumns, 160, NULL);
	HOLDS(pixels(w, XtNwidth) == 2 * width - 4); /* twice 80 cells, once two borders of 2 */
	HOLDS(pixels(w, XtNheight) == 2 * height - 4);
	HOLDS(text_size(w).n_rows == 48 && text_size(w).n_columns == 160);
	HOLDS(n_sizes > 0);
	XtVaSetValues(w, XtNrows, 3, XtNcolumns, 10, XtNflushPolicy, TEXT_FLUSH_NONE, NULL);
	HOLDS(text_size(w).n_rows == 3 && text_size(w).n_columns == 10);
}

static void text_is_kept_counted_and_answered(Widget w)
{
	static const char text[] = "one\r\ntwo\r\nthree\r\nfour\033[5n\033[6n";

	text_write(w, text, sizeof(text) - 1);
	text_idle(w);
	HOLDS(memcmp(text_row(w, 0), "two       ", 10) == 0);
	HOLDS(memcmp(text_row(w, 2), "four      ", 10) == 0);
	HOLDS(text_totals(w).lines == 3 && text_totals(w).frames > 0);
	HOLDS(strcmp(answers, "\033[0n\033[3;5R") == 0);
	/* Eleven characters do not fit into ten columns. */
	text_write(w, "\r\nabcdefghijk", 13);
	HOLDS(memcmp(text_row(w, 1), "abcdefghij", 10) == 0);
	HOLDS(memcmp(text_row(w, 2), "k         ", 10) == 0);
	HOLDS(text_totals(w).lines == 4);
}

int main(int argc, char **argv)
{
	Display *dpy = XOpenDisplay(NULL);

	HOLDS(dpy);
	XtToolkitInitialize();
	XtAppContext app = XtCreateApplicationContext();
	XtAppSetWarningHandler(app, on_warning);
	XtDisplayInitialize(app, dpy, "text-widget", "TextWidget", NULL, 0, &argc, argv);
	Widget shell = XtVaAppCreateShell("text-widget", "TextWidget", applicationShellWidgetClass,
	                                  dpy, XtNallowShellResize, True, NULL);
	resources_come_from_the_database(shell);
	Widget w = XtVaCreateManagedWidget("text", text_widget_class, shell, NULL);
	XtAddCallback(w, XtNreplyCallback, on_reply, NULL);
	XtAddCallback(w, XtNsizeCallback, on_size, NULL);
	XtRealizeWidget(shell);
	values_set_later_change_the_size(w);
	text_is_kept_counted_and_answered(w);
	XtDestroyWidget(shell);
	XtDestroyApplicationContext(app);
	return 0;
}
