/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flood.h"
#include "display.h"
#include "text.h"
#include "wire.h"

#include <common/buf.h>
#include <common/counters.h>
#include <common/file.h>
#include <common/units.h>
#include <terminal/pty.h>

#include <X11/Shell.h>
#include <X11/StringDefs.h>
#include <X11/Xutil.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum {
	READ_BYTES = 4096,  /* xterm's minBufSize; a pty gives up to 4095 */
	READS_AT_ONCE = 16, /* then Xt looks at its other sources */
};

#define GRACE_NS XCS_NS_PER_S

struct flood {
	const struct flood_options *o;
	XtAppContext app;
	Display *dpy;
	XFontStruct *font;
	Widget shell, text;
	Atom wm_delete;
	const struct wire *wire;
	struct pty pty;
	XtInputId write_input; /* 0: nothing waits to be written */
	struct xcs_buf replies;
	struct xcs_counters_page *page;
	uint64_t bytes_in;
	uint64_t published[XCS_N_COUNTERS];
	int signal_fd;
	int status; /* of waitpid */
	bool done;
};

/* What a flood counts, in the order of its report. */
static const enum xcs_counter counted[] = {
        XCS_COUNTER_LINES,       XCS_COUNTER_BYTES_IN,      XCS_COUNTER_FRAMES,
        XCS_COUNTER_SCROLLS,     XCS_COUNTER_REQUESTS,      XCS_COUNTER_X_BYTES,
        XCS_COUNTER_ROUND_TRIPS, XCS_COUNTER_ROUND_TRIP_NS,
};

static void collect(const struct flood *f, uint64_t v[XCS_N_COUNTERS])
{
	struct text_totals t = text_totals(f->text);

	v[XCS_COUNTER_LINES] = t.lines;
	v[XCS_COUNTER_BYTES_IN] = f->bytes_in;
	v[XCS_COUNTER_FRAMES] = t.frames;
	v[XCS_COUNTER_SCROLLS] = t.scrolls;
	v[XCS_COUNTER_REQUESTS] = wire_requests(f->wire, f->dpy);
	v[XCS_COUNTER_X_BYTES] = wire_bytes(f->wire);
	v[XCS_COUNTER_ROUND_TRIPS] = t.round_trips;
	v[XCS_COUNTER_ROUND_TRIP_NS] = t.round_trip_ns;
}

static void publish(struct flood *f)
{
	uint64_t now[XCS_N_COUNTERS] = {0};

	if (!f->page)
		return;
	collect(f, now);
	for (size_t i = 0; i < XtNumber(counted); i++) {
		enum xcs_counter c = counted[i];
		xcs_counters_add(f->page, c, now[c] - f->published[c]);
		f->published[c] = now[c];
	}
}

/* One read of the pty. Returns false when there was nothing more to read. */
static bool read_once(struct flood *f)
{
	char bytes[READ_BYTES];
	ssize_t n = read(f->pty.master_fd, bytes, sizeof(bytes));

	if (n > 0) {
		f->bytes_in += (uint64_t)n;
		text_write(f->text, bytes, (size_t)n);
		publish(f);
		return true;
	}
	/* EIO: no program has the slave side open any more. */
	if (n == 0 || (errno != EAGAIN && errno != EINTR))
		f->done = true;
	text_idle(f->text);
	publish(f);
	return false;
}

/* Like xterm, reads on while there is something, and shows the rest when there is not. */
static void on_pty(XtPointer data, int *fd, XtInputId *id)
{
	struct flood *f = data;

	(void)fd, (void)id;
	for (int i = 0; i < READS_AT_ONCE && !f->done && read_once(f); i++)
		;
}

static void on_child_end(XtPointer data, int *fd, XtInputId *id)
{
	struct flood *f = data;

	(void)fd;
	XtRemoveInput(*id);
	while (!f->done && read_once(f))
		;
	f->done = true;
}

static void on_signal(XtPointer data, int *fd, XtInputId *id)
{
	struct flood *f = data;
	struct signalfd_siginfo info;

	(void)id;
	if (read(*fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		f->done = true;
}

static void on_message(Widget w, XtPointer data, XEvent *event, Boolean *go_on)
{
	struct flood *f = data;

	(void)w, (void)go_on;
	if (event->type == ClientMessage && (Atom)event->xclient.data.l[0] == f->wm_delete)
		f->done = true;
}

static void write_replies(XtPointer data, int *fd, XtInputId *id)
{
	struct flood *f = data;
	ssize_t n = write(f->pty.master_fd, f->replies.p, f->replies.n);

	(void)fd, (void)id;
	if (n > 0) {
		memmove(f->replies.p, f->replies.p + n, f->replies.n - (size_t)n);
		f->replies.n -= (size_t)n;
	}
	bool wait = f->replies.n > 0 && (n > 0 || errno == EAGAIN || errno == EINTR);
	if (!wait)
		xcs_buf_clear(&f->replies);
	if (wait && !f->write_input) {
		f->write_input = XtAppAddInput(f->app, f->pty.master_fd,
		                               (XtPointer)XtInputWriteMask, write_replies, f);
	} else if (!wait && f->write_input) {
		XtRemoveInput(f->write_input);
		f->write_input = 0;
	}
}

static void on_reply(Widget w, XtPointer data, XtPointer text)
{
	struct flood *f = data;

	(void)w;
	xcs_buf_puts(&f->replies, text);
	write_replies(f, NULL, NULL);
}

static struct pty_size size_for_pty(const struct flood *f)
{
	struct text_size s = text_size(f->text);

	return (struct pty_size){s.n_rows, s.n_columns, s.width_px, s.height_px};
}

static void on_size(Widget w, XtPointer data, XtPointer nothing)
{
	struct flood *f = data;

	(void)w, (void)nothing;
	if (f->pty.master_fd > 0)
		(void)pty_resize(&f->pty, size_for_pty(f));
}

/*
 * No XtSetLanguageProc: it would call setlocale(LC_ALL, ""), and numbers in our reports
 * must not depend on the user's locale.
 */
static int open_display(struct flood *f, struct xcs_err *err)
{
	char *args[] = {(char[]){"xclient-stress"}, NULL};
	int n_args = 1;

	f->dpy = display_open(f->o->display, err);
	if (!f->dpy)
		return -ENOTCONN;
	f->wire = wire_watch(f->dpy);
	XtToolkitInitialize();
	f->app = XtCreateApplicationContext();
	XtDisplayInitialize(f->app, f->dpy, "xclient-stress", "XcsFlood", NULL, 0, &n_args, args);
	f->font = XLoadQueryFont(f->dpy, f->o->font);
	if (!f->font)
		return xcs_err_set(err, -ENOENT,
		                   "the X server has no font '%s'; xlsfonts lists those it has",
		                   f->o->font);
	return f->wire ? 0 : -ENOMEM;
}

static int check_place(const struct flood_options *o, struct xcs_err *err)
{
	int x, y;
	unsigned width, height;
	int mask = XParseGeometry(o->geometry, &x, &y, &width, &height);

	if ((mask & (XValue | YValue)) && !(mask & (WidthValue | HeightValue)))
		return 0;
	return xcs_err_set(err, -EINVAL, "--geometry: '%s' is not a place such as +0+200",
	                   o->geometry);
}

/* Every resource that could change the work is set here, so the user's database cannot. */
static void make_widgets(struct flood *f)
{
	const struct flood_options *o = f->o;
	const char *scroll = text_scroll_names[o->scroll], *flush = text_flush_names[o->flush];
	Screen *screen = DefaultScreenOfDisplay(f->dpy);

	f->shell = XtVaAppCreateShell("xclient-stress", "XcsFlood", applicationShellWidgetClass,
	                              f->dpy, XtNtitle, o->name, XtNiconName, o->name, XtNgeometry,
	                              o->geometry, XtNborderWidth, 0, XtNinput, True,
	                              XtNallowShellResize, False, NULL);
	f->text = XtVaCreateManagedWidget(
	        "text", text_widget_class, f->shell, XtNrows, o->rows, XtNcolumns, o->columns,
	        XtNfont, f->font, XtNborderWidth, 0, XtNinternalBorder, 2, XtNforeground,
	        BlackPixelOfScreen(screen), XtNbackground, WhitePixelOfScreen(screen), XtVaTypedArg,
	        XtNscrollPolicy, XtRString, scroll, (int)strlen(scroll) + 1, XtVaTypedArg,
	        XtNflushPolicy, XtRString, flush, (int)strlen(flush) + 1, NULL);
	XtAddCallback(f->text, XtNreplyCallback, on_reply, f);
	XtAddCallback(f->text, XtNsizeCallback, on_size, f);
	XtAddEventHandler(f->shell, NoEventMask, True, on_message, f);
	XtRealizeWidget(f->shell);
	f->wm_delete = XInternAtom(f->dpy, "WM_DELETE_WINDOW", False);
	XSetWMProtocols(f->dpy, XtWindow(f->shell), &f->wm_delete, 1);
}

static int watch_signals(struct flood *f, struct xcs_err *err)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	f->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (f->signal_fd < 0)
		return xcs_err_sys(err, -errno, "cannot watch signals");
	XtAppAddInput(f->app, f->signal_fd, (XtPointer)XtInputReadMask, on_signal, f);
	return 0;
}

static int start_command(struct flood *f, struct xcs_err *err)
{
	int rc = pty_start(&f->pty, f->o->command, NULL, size_for_pty(f), err);

	if (rc)
		return rc;
	XtAppAddInput(f->app, f->pty.master_fd, (XtPointer)XtInputReadMask, on_pty, f);
	XtAppAddInput(f->app, f->pty.pidfd, (XtPointer)XtInputReadMask, on_child_end, f);
	return 0;
}

static void report_screen(const struct flood *f, struct xcs_buf *out)
{
	struct text_size s = text_size(f->text);

	for (int i = 0; i < s.n_rows; i++)
		xcs_buf_printf(out, "row %.*s\n", s.n_columns, text_row(f->text, i));
}

static int report(const struct flood *f, struct xcs_err *err)
{
	struct xcs_buf out = {0};
	uint64_t v[XCS_N_COUNTERS] = {0};
	struct text_size s = text_size(f->text);

	if (f->o->report_fd < 0)
		return 0;
	collect(f, v);
	for (size_t i = 0; i < XtNumber(counted); i++)
		xcs_buf_printf(&out, "%s %llu\n", xcs_counter_name(counted[i]),
		               (unsigned long long)v[counted[i]]);
	xcs_buf_printf(&out, "rows %d\ncolumns %d\nwidth_px %d\nheight_px %d\n", s.n_rows,
	               s.n_columns, s.width_px, s.height_px);
	xcs_buf_printf(&out, "font %s\nscroll %s\nflush %s\n", f->o->font,
	               text_scroll_names[f->o->scroll], text_flush_names[f->o->flush]);
	xcs_buf_printf(&out, "command_status %d\n", f->status);
	if (f->o->dump)
		report_screen(f, &out);
	int rc = xcs_fd_write_all(f->o->report_fd, out.p, out.n);
	xcs_buf_fini(&out);
	return rc ? xcs_err_sys(err, rc, "cannot write the totals to --report-fd %d",
	                        f->o->report_fd)
	          : 0;
}

static int work(struct flood *f, struct xcs_err *err)
{
	int rc = check_place(f->o, err);

	if (rc == 0 && f->o->page)
		rc = xcs_counters_open(f->o->page, true, &f->page, err);
	if (rc == 0)
		rc = open_display(f, err);
	if (rc == 0)
		rc = watch_signals(f, err);
	if (rc)
		return rc;
	make_widgets(f);
	rc = start_command(f, err);
	while (rc == 0 && !f->done)
		XtAppProcessEvent(f->app, XtIMAll);
	f->status = pty_close(&f->pty, GRACE_NS);
	publish(f);
	return rc ? rc : report(f, err);
}

int flood_run(const struct flood_options *options, struct xcs_err *err)
{
	struct flood f = {.o = options, .signal_fd = -1};
	int rc = work(&f, err);

	if (f.shell)
		XtDestroyWidget(f.shell);
	if (f.font)
		XFreeFont(f.dpy, f.font);
	if (f.app)
		XtDestroyApplicationContext(f.app);
	if (f.signal_fd >= 0)
		close(f.signal_fd);
	xcs_buf_fini(&f.replies);
	xcs_counters_close(f.page);
	return rc;
}
