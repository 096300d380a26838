/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "textP.h"

#include <X11/StringDefs.h>
#include <string.h>

#define XtRScrollPolicy "XcsScrollPolicy"
#define XtRFlushPolicy  "XcsFlushPolicy"

const char *const text_scroll_names[] = {"jump", "line", NULL};
const char *const text_flush_names[] = {"xterm", "read", "frame", "none", NULL};

#define FIELD(member) XtOffsetOf(struct text_rec, text.member)

/* Xt writes into this table when the class is initialised, so it cannot be const. */
XtResource text_resources[TEXT_N_RESOURCES] = {
        {XtNrows,           XtCRows,           XtRInt,          sizeof(int),            FIELD(rows),           XtRImmediate, (XtPointer)24              },
        {XtNcolumns,        XtCColumns,        XtRInt,          sizeof(int),            FIELD(columns),        XtRImmediate, (XtPointer)80              },
        {XtNfont,           XtCFont,           XtRFontStruct,   sizeof(XFontStruct *),  FIELD(font),           XtRString,
         (XtPointer) "fixed"                                                                                                                            },
        {XtNforeground,     XtCForeground,     XtRPixel,        sizeof(Pixel),          FIELD(foreground),     XtRString,
         (XtPointer)XtDefaultForeground                                                                                                                 },
        {XtNinternalBorder, XtCInternalBorder, XtRDimension,    sizeof(Dimension),
         FIELD(internal_border),                                                                               XtRImmediate, (XtPointer)2               },
        {XtNscrollPolicy,   XtCScrollPolicy,   XtRScrollPolicy, sizeof(int),            FIELD(scroll),
         XtRImmediate,                                                                                                       (XtPointer)TEXT_SCROLL_JUMP},
        {XtNflushPolicy,    XtCFlushPolicy,    XtRFlushPolicy,  sizeof(int),            FIELD(flush),          XtRImmediate,
         (XtPointer)TEXT_FLUSH_XTERM                                                                                                                    },
        {XtNreplyCallback,  XtCCallback,       XtRCallback,     sizeof(XtCallbackList), FIELD(reply_callback),
         XtRCallback,                                                                                                        NULL                       },
        {XtNsizeCallback,   XtCCallback,       XtRCallback,     sizeof(XtCallbackList), FIELD(size_callback),
         XtRCallback,                                                                                                        NULL                       },
};

static Boolean convert(Display *dpy, const XrmValue *from, XrmValue *to, const char *const *names,
                       const char *type)
{
	for (int i = 0; names[i]; i++) {
		if (strcmp(names[i], (const char *)from->addr))
			continue;
		if (to->addr && to->size < sizeof(i)) {
			to->size = sizeof(i);
			return False;
		}
		/* Xt copies the value at once, unless it gave a place of its own. */
		if (to->addr)
			memcpy(to->addr, &i, sizeof(i));
		to->size = sizeof(i);
		return to->addr != NULL;
	}
	XtDisplayStringConversionWarning(dpy, (const char *)from->addr, type);
	return False;
}

static Boolean convert_scroll(Display *dpy, XrmValue *args, Cardinal *n_args, XrmValue *from,
                              XrmValue *to, XtPointer *data)
{
	(void)args, (void)n_args, (void)data;
	return convert(dpy, from, to, text_scroll_names, XtRScrollPolicy);
}

static Boolean convert_flush(Display *dpy, XrmValue *args, Cardinal *n_args, XrmValue *from,
                             XrmValue *to, XtPointer *data)
{
	(void)args, (void)n_args, (void)data;
	return convert(dpy, from, to, text_flush_names, XtRFlushPolicy);
}

void text_register_converters(void)
{
	XtSetTypeConverter(XtRString, XtRScrollPolicy, convert_scroll, NULL, 0, XtCacheNone, NULL);
	XtSetTypeConverter(XtRString, XtRFlushPolicy, convert_flush, NULL, 0, XtCacheNone, NULL);
}
